"""Where things lie on this computer. `CLERESTORY_HOME` moves all of them into one folder."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def data_folder() -> Path:
    """Give the folder for libraries and models, made if need be."""
    return _made("data", platformdirs.user_data_path("clerestory", appauthor=False))


def models_folder() -> Path:
    """Give the folder that models are kept in."""
    folder = data_folder() / "models"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def cache_folder() -> Path:
    """Give the folder for what can be made again: thumbnails, waveforms."""
    return _made("cache", platformdirs.user_cache_path("clerestory", appauthor=False))


def log_folder() -> Path:
    """Give the folder for logs."""
    return _made("logs", platformdirs.user_log_path("clerestory", appauthor=False))


def settings_file() -> Path:
    """Give the path of the settings, which may not exist yet."""
    return _made("config", platformdirs.user_config_path("clerestory", appauthor=False)) / (
        "settings.json"
    )


def default_library() -> Path:
    """Give the path of the library that opens when none is named."""
    return data_folder() / "library.clerestory"


def whole_path(path: str | Path) -> Path:
    """Give the whole path of a file, with links as the person named them.

    Where `..` stands in it the links are followed: behind a link `..` leads elsewhere than its
    letters say, and a path that is kept must not depend on that.

    Raises:
        ValueError: The path holds a NUL character.
        RuntimeError: Its links lead in a circle.
        OSError: A folder on the way cannot be looked into.
    """
    whole = Path(path).absolute()
    return whole.resolve() if ".." in whole.parts else whole


def _made(name: str, usual: Path) -> Path:
    home = os.environ.get("CLERESTORY_HOME")
    folder = Path(home) / name if home else usual
    folder.mkdir(parents=True, exist_ok=True)
    return folder
