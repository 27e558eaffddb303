"""The project holds together: packages, lock, documents."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from views.trouble import APT_LINE

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", ["app", "engines", "reports", "resources", "views"])
def test_each_package_comes_from_this_repository(name):
    assert Path(importlib.import_module(name).__file__) == ROOT / name / "__init__.py"


def test_the_constraints_are_the_locked_versions():
    told = subprocess.run(
        [sys.executable, ROOT / "build" / "lock.py", "--check"], capture_output=True, text=True
    )
    assert told.returncode == 0, told.stdout


def test_onnxruntime_is_installed_once():
    text = (ROOT / "requirements.lock").read_text("utf-8")
    pins = [line for line in text.splitlines() if line.startswith("onnxruntime")]
    markers = {pin.split("==")[0]: pin.partition(" ; ")[2] for pin in pins}
    assert set(markers) == {"onnxruntime", "onnxruntime-gpu"}
    assert "darwin" in markers["onnxruntime"]
    assert "linux" not in markers["onnxruntime"]
    assert "darwin" not in markers["onnxruntime-gpu"]


def test_the_readme_names_files_that_exist():
    text = (ROOT / "README.md").read_text("utf-8")
    named = re.findall(r"\]\(([^)#:]+)\)", text)
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_the_ci_runs_the_test_line_of_the_readme():
    readme = (ROOT / "README.md").read_text("utf-8")
    line = re.search(r"uv run --group dev python build/run_tests\.py", readme)
    assert line is not None
    assert line.group() in (ROOT / ".ci" / "run").read_text("utf-8")


def test_the_wheel_holds_the_five_packages():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    packages = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert sorted(packages) == ["app", "engines", "reports", "resources", "views"]


def test_the_readme_gives_the_apt_line_that_the_program_gives():
    assert APT_LINE in (ROOT / "README.md").read_text("utf-8")


def test_no_command_loads_what_takes_longest_to_load():
    told = (
        "import sys, app.commands.line; print(*{'scipy', 'matplotlib', 'PySide6'} & {*sys.modules})"
    )
    line = [sys.executable, "-c", told]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
