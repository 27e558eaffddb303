"""What every test may use. No test touches the real folders of the person running it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

SHARED = Path(__file__).resolve().parents[2] / "shared"


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
