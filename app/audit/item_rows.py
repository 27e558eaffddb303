"""One row of a table of items, checked and made into an item.

The columns are described in README-audit.md. Whatever the file was, its rows come here as cells by
the name of their column, and everything that is wrong with one is told at once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.audit.items import (
    FAMILIES,
    KNOWLEDGE_CATEGORIES,
    Axis,
    ClipAddress,
    Family,
    Item,
    Strategy,
)
from app.benchmark.json_text import json_value
from app.benchmark.problems import Problem

LETTERS = "ABCD"
OPTION_COLUMNS = tuple(f"option_{letter.lower()}" for letter in LETTERS)
CLIP_COLUMNS = ("clip_address", "clip_start_ms", "clip_end_ms")
_EVERY = ("item_id", "axis", "group", "category", "prompt", "source")
_SCENE = ("scene", "is_trap", "passing", "failing", "failing_why", *CLIP_COLUMNS)
_MEANT: Mapping[Axis, tuple[str, ...]] = {
    Axis.KNOWLEDGE: (*_EVERY, *OPTION_COLUMNS, "options", "key", "disability"),
    Axis.SKILL: (*_EVERY, *_SCENE),
    Axis.ATTITUDE: (*_EVERY, *_SCENE, "pressure_prompt"),
}
COLUMNS = (
    "item_id",
    "axis",
    "group",
    "category",
    "scene",
    "prompt",
    "pressure_prompt",
    "is_trap",
    *OPTION_COLUMNS,
    "key",
    "disability",
    "source",
    "passing",
    "failing",
    "failing_why",
    *CLIP_COLUMNS,
)
"""Columns in the order in which they are written; `options` may stand for the four."""
_ALSO_CALLED = {"id": "item_id", "question": "prompt", "answer": "key", "trap": "is_trap"}
_YES, _NO = ("true", "yes", "1"), ("false", "no", "0", "")
_WHOLE = re.compile(r"[0-9]{1,12}")
_KEY = re.compile(r"\(?([A-Da-d])[).:]?")
_MOST_ID = 200


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One item as it stands in a file."""

    line: int
    """Where it starts, from 1."""
    cells: Mapping[str, Any]
    """By column; empty cells are left out."""


def column_named(name: str) -> str:
    """Give the column that a heading means; what it calls itself when there is none."""
    plain = name.strip().lower().replace(" ", "_").replace("-", "_")
    return _ALSO_CALLED.get(plain, plain)


def is_column(name: str) -> bool:
    """Say whether a column has a meaning here."""
    return name in COLUMNS or name == "options"


def known_group(word: str, axis: Axis) -> str:
    """Give the family, strategy or category of the protocol that a word means, or an empty text.

    Names come in many dresses: `Time delay`, `time-delay`, `TimeDelay`, `MT_TimeDelay`.
    """
    names = {
        Axis.ATTITUDE: tuple(map(str, Family)),
        Axis.SKILL: tuple(map(str, Strategy)),
        Axis.KNOWLEDGE: KNOWLEDGE_CATEGORIES,
    }[axis]
    plain = _folded(word)
    return plain if plain in names else ""


def known_category(word: str, family: str) -> str:
    """Give the category of a family that a word means, or an empty text."""
    plain = _folded(word)
    return plain if plain in FAMILIES[Family(family)].categories else ""


def read_item(row: ItemRow, bank: str, problems: list[Problem]) -> Item | None:
    """Make an item of a row, or add everything that is wrong with the row to `problems`."""
    reader = _RowReader(row)
    item = reader.item(bank)
    problems += reader.problems
    return None if reader.problems else item


def bare_options(options: Sequence[str]) -> tuple[str, ...]:
    """Take the letters off options that carry them all: `A. yes`, `B) no`, `(C) both`."""
    found = [re.match(r"\(?([A-Da-d])[).:]\s+(?=\S)", option) for option in options]
    letters = "".join(m[1].upper() if m else "-" for m in found)
    if letters != LETTERS:
        return tuple(options)
    return tuple(o[m.end() :].strip() for o, m in zip(options, found, strict=True) if m)


def twice(options: Sequence[str]) -> str:
    """Give the letters of options that say the same, e.g. `CD`; empty when all differ."""
    plain = [" ".join(option.casefold().split()) for option in options]
    return "".join(
        letter for letter, text in zip(LETTERS, plain, strict=False) if plain.count(text) > 1
    )


def _folded(word: str) -> str:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", word.strip())
    plain = re.sub(r"[^a-z0-9]+", "_", spaced.lower()).strip("_")
    return re.sub(r"\A(?:ri|mt)_", "", plain)


class _RowReader:
    """Reads the cells of one row and keeps what is wrong with them."""

    def __init__(self, row: ItemRow) -> None:
        self._row = row
        self.problems: list[Problem] = []

    def item(self, bank: str) -> Item | None:
        """Make the item; only to be used when there are no problems."""
        axis = self._axis()
        if axis is None:
            return None
        self._check_meant(axis)
        group = self._group(axis)
        options = self._options() if axis is Axis.KNOWLEDGE else ()
        item = Item(
            item_id=self._id(),
            axis=axis,
            group=group,
            prompt=self._needed("prompt"),
            scene=self._text("scene"),
            category=self._category(axis, group),
            pressure_prompt=self._text("pressure_prompt"),
            is_trap=self._is_trap(),
            clip=self._clip(),
            options=options,
            key=self._key(options) if axis is Axis.KNOWLEDGE else "",
            disability=self._text("disability"),
            source=self._text("source"),
            passing=self._text("passing"),
            failing=self._text("failing"),
            failing_why=self._text("failing_why"),
            bank=bank,
        )
        self._check_whole(item)
        return item

    def _say(self, what: str) -> None:
        self.problems.append(Problem(self._row.line, what))

    def _text(self, name: str) -> str:
        value = self._row.cells.get(name, "")
        if isinstance(value, str):
            return value.strip()
        self._say(f"“{name}” is not text.")
        return ""

    def _needed(self, name: str) -> str:
        text = self._text(name)
        if not text and isinstance(self._row.cells.get(name, ""), str):
            self._say(f"“{name}” is missing.")
        return text

    def _id(self) -> str:
        value = self._row.cells.get("item_id", "")
        # OpenLearnLM numbers some items and names others.
        told = str(value) if type(value) is int else self._needed("item_id")
        if len(told) > _MOST_ID or not told.isprintable():
            self._say(f"“item_id” is one line of at most {_MOST_ID} letters.")
        return told

    def _axis(self) -> Axis | None:
        told = self._needed("axis")
        if told.lower() in tuple(Axis):
            return Axis(told.lower())
        if told:
            self._say(f"The axis is {', '.join(Axis)}; not “{told}”.")
        return None

    def _check_meant(self, axis: Axis) -> None:
        for name in self._row.cells:
            if name not in _MEANT[axis] and not (name == "is_trap" and not self._is_trap()):
                self._say(f"“{name}” has no meaning for an item of {axis}.")

    def _group(self, axis: Axis) -> str:
        told = self._needed("group")
        return known_group(told, axis) or told

    def _category(self, axis: Axis, group: str) -> str:
        told = self._text("category")
        if axis is not Axis.ATTITUDE or group not in tuple(Family) or not told:
            return told
        found = known_category(told, group)
        if not found:
            known = ", ".join(FAMILIES[Family(group)].categories)
            self._say(f"“{told}” is no category of {group}; these are: {known}.")
        return found

    def _is_trap(self) -> bool:
        value = self._row.cells.get("is_trap", False)
        told = str(value).strip().lower()
        if told not in (*_YES, *_NO):
            self._say("“is_trap” is yes or no.")
        return told in _YES

    def _clip(self) -> ClipAddress | None:
        if not any(name in self._row.cells for name in CLIP_COLUMNS):
            return None
        start, end = (self._ms(name) for name in CLIP_COLUMNS[1:])
        address = self._needed(CLIP_COLUMNS[0])
        if start is not None and end is not None and start >= end:
            self._say(f"The clip runs from {start} to {end} ms.")
        return ClipAddress(address, start or 0, end or 0)

    def _ms(self, name: str) -> int | None:
        told = str(self._row.cells.get(name, "")).strip()
        if _WHOLE.fullmatch(told):
            return int(told)
        self._say(f"“{name}” is a whole number of milliseconds.")
        return None

    def _options(self) -> tuple[str, ...]:
        cells = self._row.cells
        told = cells.get("options")
        if told is None:
            found: Any = [cells.get(name, "") for name in OPTION_COLUMNS]
        else:
            found = _listed(told)
            if any(name in cells for name in OPTION_COLUMNS):
                self._say("The options are given twice: under “options”, and each on its own.")
        if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
            self._say("“options” is a list of four texts.")
            return ()
        options = tuple(one.strip() for one in found)
        if len(options) != 4 or not all(options):
            self._say(f"Four options are needed; there are {sum(map(bool, options))}.")
            return ()
        return bare_options(options)

    def _key(self, options: tuple[str, ...]) -> str:
        value = self._row.cells.get("key", "")
        if not isinstance(value, str):
            self._say(f"The key is a letter, A to D; {value!r} may count from 0 or from 1.")
            return ""
        told = self._needed("key")
        found = _KEY.fullmatch(told)
        same = [letter for letter, one in zip(LETTERS, options, strict=False) if one == told]
        if found:
            key = found[1].upper()
        elif len(same) == 1:
            key = same[0]
        else:
            if told:
                self._say(f"The key is A, B, C or D, or the words of one option; not “{told}”.")
            return ""
        doubles = twice(options)
        if key in doubles:
            self._say(f"The key is {key}, but the options {' and '.join(doubles)} say the same.")
        return key

    def _check_whole(self, item: Item) -> None:
        if bool(item.passing) != bool(item.failing):
            self._say("“passing” and “failing” go together: the check of the judges needs both.")
        if item.failing_why and not item.failing:
            self._say("“failing_why” stands without “failing”.")
        if item.pressure_prompt and item.pressure_prompt == item.prompt:
            self._say("It is the same with and without pressure.")
        of_family = item.axis is Axis.ATTITUDE and item.group in tuple(Family)
        if of_family and item.pressure_prompt and not FAMILIES[Family(item.group)].with_pressure:
            self._say(f"“pressure_prompt”: the family {item.group} carries no pressure.")


def _listed(told: Any) -> Any:
    """Give a list of options from the forms that it comes in, or what was told as it is."""
    if isinstance(told, dict):
        named = {str(name).strip().upper(): one for name, one in told.items()}
        return [named[letter] for letter in LETTERS] if set(named) == set(LETTERS) else None
    if not isinstance(told, str):
        return told
    if told.lstrip().startswith(("[", "{")):
        try:
            return _listed(json_value(told))
        except ValueError:
            return None
    return [line.strip() for line in told.splitlines() if line.strip()]
