"""What a reviewer has chosen on this computer: looks, name, where models lie, whom to ask."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import threading
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from app.errors import Refused
from app.places import settings_file

log = logging.getLogger(__name__)

THEMES = ("light", "dark", "high-contrast")

_saving = threading.Lock()
"""Choices are saved on the window's thread and by jobs; two at once would spoil the file."""


@dataclass(slots=True)
class Settings:
    """Choices that outlive the program; `save` writes them."""

    author: str = ""
    """The reviewer's name or initials, written beside every decision."""
    theme: str = "light"
    """One of `THEMES`."""
    text_scale: float = 1.0
    """0.8 to 2.0 times the ordinary size of text."""
    blind: bool = False
    """Whether labels of coders are hidden until the reviewer has committed an own one."""
    whisper_folder: str = ""
    """A folder with another speech model for faster-whisper; empty for the one that comes along."""
    frame_px: int = 640
    """Longest side, in pixels, of the frames that models are shown; 224 to 2,048. A full blackboard
    can just be read at 640, and 30 such frames take about 9,000 tokens of a Qwen-VL model."""
    endpoints: tuple[dict[str, Any], ...] = ()
    """Servers that may be asked once they are on, as `app.endpoints` keeps them; never a key."""
    endpoints_found: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What tests found out about them, by name."""

    @classmethod
    def load(cls) -> Settings:
        """Read the settings; what is missing or makes no sense is left as it comes.

        A file that cannot be read is set aside under another name and never overwritten.
        """
        path = settings_file()
        if not path.exists():
            return cls()
        try:
            stored = json.loads(path.read_text(encoding="utf-8"))
            if not isinstance(stored, dict):
                raise ValueError("the settings are not a table")
        except (OSError, ValueError) as error:
            aside = path.with_suffix(".unreadable.json")
            log.warning("settings at %s could not be read (%s); kept as %s", path, error, aside)
            if path.is_file():
                path.replace(aside)
            return cls()
        return cls(**_sensible(stored))

    def save(self) -> None:
        """Write the settings, whole or not at all.

        Raises:
            Refused: The folder cannot be written.
        """
        with _saving:
            self._save()

    def _save(self) -> None:
        path = settings_file()
        part = path.with_suffix(".part")
        try:
            with part.open("w", encoding="utf-8") as file:
                json.dump(asdict(self), file, indent=2, ensure_ascii=False)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except OSError as error:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
            raise Refused(
                f"The settings could not be saved to {path}: {error.strerror}.",
                "Your choices hold until the program closes. Free some space, then change "
                "a setting again.",
            ) from error


def _sensible(stored: dict[str, Any]) -> dict[str, Any]:
    kinds = {
        "author": str,
        "theme": str,
        "text_scale": float,
        "blind": bool,
        "whisper_folder": str,
        "frame_px": int,
    }
    known = {field.name for field in fields(Settings)}
    kept = {
        name: float(value) if kinds.get(name) is float and type(value) is int else value
        for name, value in stored.items()
        if name in known
    }
    kept = {
        name: value for name, value in kept.items() if name in kinds and type(value) is kinds[name]
    }
    kept["endpoints"] = _tables(stored.get("endpoints"))
    kept["endpoints_found"] = _found(stored.get("endpoints_found"))
    if kept.get("theme") not in THEMES:
        kept.pop("theme", None)
    if "text_scale" in kept:
        kept["text_scale"] = min(max(kept["text_scale"], 0.8), 2.0)
    if "frame_px" in kept:
        kept["frame_px"] = min(max(kept["frame_px"], 224), 2048)
    return kept


def _tables(stored: object) -> tuple[dict[str, Any], ...]:
    """Keep what may be an endpoint; what it means is looked at by those who know."""
    if not isinstance(stored, list):
        return ()
    named = [one for one in stored if isinstance(one, dict) and isinstance(one.get("name"), str)]
    return tuple({one["name"]: one for one in named}.values())


def _found(stored: object) -> dict[str, dict[str, Any]]:
    if not isinstance(stored, dict):
        return {}
    return {name: found for name, found in stored.items() if isinstance(found, dict)}
