"""Files the program ships: practices, templates, small models, the sample lesson."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def resource(name: str) -> Path:
    """Give the path of a shipped file or folder, e.g. `resource("practices.toml")`.

    Raises:
        FileNotFoundError: Nothing of that name is shipped; the installation is incomplete.
    """
    path = Path(str(files("resources"))) / name
    if not path.exists():
        raise FileNotFoundError(f"{name} is missing from the program's resources at {path}")
    return path
