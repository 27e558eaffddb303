"""What every test may use. No test touches the real folders of the person running it."""

from __future__ import annotations

import importlib.abc
import importlib.util
import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# How long examples take to make says how busy the machine is, not whether the program is right.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

SHARED = Path(__file__).resolve().parents[2] / "shared"
HELPERS = {
    path.stem: path
    for path in Path(__file__).parent.rglob("*.py")
    if not path.stem.startswith(("test_", "conftest", "bench_")) and "data" not in path.parts
}
"""Files among the tests that are no tests, by the name under which any test imports them."""


class HelperFinder(importlib.abc.MetaPathFinder):
    """Finds the helpers, which lie in folders that are no packages."""

    def find_spec(self, fullname, path, target=None):
        lies = HELPERS.get(fullname)
        return lies and importlib.util.spec_from_file_location(fullname, lies)


sys.meta_path.append(HelperFinder())


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory, monkeypatch):
    """Send libraries, models, caches and logs of every test into a folder of its own."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("CLERESTORY_HOME", str(home))
    return home


@pytest.fixture(scope="session")
def shared() -> Path:
    """Give the folder of real files beside the checkout, or skip with a plain message."""
    if not (SHARED / "data").is_dir():
        pytest.skip(f"no folder of real files at {SHARED}")
    return SHARED


@pytest.fixture(scope="module")
def children_of_module(tmp_path_factory):
    """Keep child processes for the tests of one module."""
    from warm_children import WarmChildren

    kept = WarmChildren(tmp_path_factory.mktemp("children"))
    yield kept
    kept.close()


@pytest.fixture
def warm_children(children_of_module, monkeypatch):
    """Let desks of one module share their children, which load decoders and models once."""
    monkeypatch.setattr("app.files.Child", children_of_module)
