"""Reads the starter bank: items, rubrics and notices, as they lie in `resources`.

The files are data that anybody may read and correct. `lint` (see `app.audit.linting`) says what is
wrong with a bank as a whole; here only the form of each file is looked at.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.audit.items import (
    BAND_POINTS,
    KNOWLEDGE_CATEGORIES,
    Axis,
    Band,
    Family,
    Item,
    Rubric,
    Strategy,
)

STARTER = "starter"
"""Name of the bank that the program ships."""

NOT_REVIEWED = "starter items, not expert-reviewed"
"""Stands wherever starter items or figures from them are shown, until somebody reviewed them."""

_GROUPS: dict[Axis, tuple[str, ...]] = {
    Axis.ATTITUDE: tuple(map(str, Family)),
    Axis.SKILL: tuple(map(str, Strategy)),
    Axis.KNOWLEDGE: KNOWLEDGE_CATEGORIES,
}
_WORDED = ("id", "category", "scene", "prompt", "pressure_prompt", "passing", "failing")
_ASKED = ("id", "question", "key", "disability", "source")


@dataclass(frozen=True, slots=True)
class Notices:
    """What a tutor is told of who will read along; the monitoring condition."""

    monitored: str
    unmonitored: str


@dataclass(frozen=True, slots=True)
class Bank:
    """All that an audit asks and scores by."""

    items: tuple[Item, ...]
    rubrics: Mapping[str, Rubric]
    """By strategy or family."""
    notices: Notices

    def of_axis(self, axis: Axis) -> tuple[Item, ...]:
        """Give the items of one axis, in the order of the bank."""
        return tuple(item for item in self.items if item.axis is axis)


def read_bank(items: Path, rubrics: Path) -> Bank:
    """Read `resources/items` and `resources/rubrics`.

    Raises:
        ValueError: A file is missing or lacks something; the installation is broken, or somebody
            changed a file. The message names the file and the item.
    """
    found: list[Item] = []
    for axis, groups in _GROUPS.items():
        for group in groups:
            found += _read_items(items / axis / f"{group}.toml", axis, group)
    scored = (*_GROUPS[Axis.SKILL], *_GROUPS[Axis.ATTITUDE])
    read = {group: _read_rubric(rubrics / f"{group}.toml") for group in scored}
    return Bank(tuple(found), read, _read_notices(items / "notices.toml"))


def _read_items(path: Path, axis: Axis, group: str) -> list[Item]:
    table = _read(path)
    entries = table.get("item", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ValueError(f"{path.name}: every item begins with [[item]]")
    read = _read_question if axis is Axis.KNOWLEDGE else _read_scene
    items = []
    for place, entry in enumerate(entries, 1):
        try:
            items.append(read(entry, axis, group))
        except (KeyError, ValueError) as error:
            name = entry.get("id", f"item {place}")
            raise ValueError(f"{path.name}, {name}: {_told(error)}") from error
    return items


def _read_scene(entry: Mapping[str, Any], axis: Axis, group: str) -> Item:
    _no_others(entry, (*_WORDED, "is_trap", "failing_why"))
    optional = {"pressure_prompt": "", "category": "", **entry}
    words = _words(optional, _WORDED)
    return Item(
        item_id=words["id"],
        axis=axis,
        group=group,
        prompt=words["prompt"],
        scene=words["scene"],
        category=words["category"],
        pressure_prompt=words["pressure_prompt"],
        is_trap=bool(entry.get("is_trap", False)),
        passing=words["passing"],
        failing=words["failing"],
        failing_why=str(entry.get("failing_why", "")),
        bank=STARTER,
    )


def _read_question(entry: Mapping[str, Any], axis: Axis, group: str) -> Item:
    _no_others(entry, (*_ASKED, "options"))
    words = _words(entry, _ASKED)
    options = entry["options"]
    if not isinstance(options, list) or len(options) != 4:
        raise ValueError("four options are needed")
    if words["key"] not in ("A", "B", "C", "D"):
        raise ValueError(f"the key is one of A to D, not “{words['key']}”")
    return Item(
        item_id=words["id"],
        axis=axis,
        group=group,
        prompt=words["question"],
        options=tuple(str(option) for option in options),
        key=words["key"],
        disability=words["disability"],
        source=words["source"],
        bank=STARTER,
    )


def _read_rubric(path: Path) -> Rubric:
    table = _read(path)
    try:
        bands = tuple(
            Band(int(band["low"]), int(band["high"]), str(band["text"]).strip())
            for band in table["band"]
        )
        words = _words(table, ("group", "title", "about"))
    except (KeyError, ValueError) as error:
        raise ValueError(f"{path.name}: {_told(error)}") from error
    if tuple((band.low, band.high) for band in bands) != BAND_POINTS:
        raise ValueError(f"{path.name}: the five bands are 1-2, 3-4, 5-6, 7-8 and 9-10, in order")
    if words["group"] != path.stem:
        raise ValueError(f"{path.name}: the group is “{words['group']}”")
    return Rubric(words["group"], words["title"], words["about"], bands)


def _read_notices(path: Path) -> Notices:
    try:
        return Notices(**_words(_read(path), ("monitored", "unmonitored")))
    except KeyError as error:
        raise ValueError(f"{path.name}: {_told(error)}") from error


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ValueError(f"{path.name} is missing") from error
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path.name}: {error}") from error


def _words(table: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for name in names:
        value = table[name]
        if not isinstance(value, str):
            raise ValueError(f"“{name}” is not text")
        found[name] = value.strip()
    return found


def _no_others(entry: Mapping[str, Any], names: tuple[str, ...]) -> None:
    # A mistyped name would otherwise leave something out without a word.
    unknown = sorted(set(entry).difference(names))
    if unknown:
        raise ValueError(f"“{unknown[0]}” is not known here")


def _told(error: KeyError | ValueError) -> str:
    return f"lacks {error}" if isinstance(error, KeyError) else str(error)
