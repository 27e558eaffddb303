"""Rubrics that people bring with items of their own, and the scales that stand inside items.

Three forms come out the same: a JSON object with one rubric a group (as `writing_out` writes it), a
table with a row a group, and the rubrics of OpenLearnLM, whose five bands stand in one text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from app.audit.items import BAND_POINTS, Band, Rubric
from app.benchmark.csv_text import csv_records, text_of
from app.benchmark.json_text import json_value
from app.benchmark.problems import Problem

BAND_NAMES = tuple(f"{low}-{high}" for low, high in BAND_POINTS)
COLUMNS = ("group", "title", "about", *BAND_NAMES)
_MARK = re.compile(r"(?<![\d.,])(\d{1,2})\s*[-–]\s*(\d{1,2})(?:\s+points)?\s*:")
_ABOUT = re.compile(r"\A\s*Description:\s*")


def read_rubrics(path: Path, problems: list[Problem]) -> dict[str, Rubric]:
    """Read a file of rubrics by their group; what is wrong with it is added to `problems`."""
    text = text_of(path)
    if isinstance(text, Problem):
        problems.append(text)
        return {}
    if path.suffix.lower() == ".json":
        return _from_json(text, problems)
    return _from_table(text, problems)


def is_sound(value: object) -> bool:
    """Say whether all words of a JSON value can be kept: JSON can spell half a character."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def scale_text(rubric: Rubric) -> str:
    """Write the five bands in one line, as OpenLearnLM does."""
    return " ".join(f"{band.low}-{band.high}: {band.text}" for band in rubric.bands)


def read_scale(text: str) -> tuple[Band, ...]:
    """Read five bands that stand in one text, from below or from above.

    Raises:
        ValueError: Not each of the five stands in it once, with words.
    """
    marks = _marks(text)
    if not marks:
        raise ValueError(f"the five bands are {', '.join(BAND_NAMES)}, in order and each once")
    places = [_place(mark) for mark in marks]
    ends = [m.start() for m in marks[1:]] + [len(text)]
    bands = [
        Band(low, high, text[mark.end() : end].strip())
        for (low, high), mark, end in zip(places, marks, ends, strict=True)
    ]
    return _sound(bands)


def before_scale(text: str) -> str:
    """Give what stands before the bands: what the rubric is about."""
    marks = _marks(text)
    return _ABOUT.sub("", text[: min(m.start() for m in marks)] if marks else text).strip()


def _marks(text: str) -> list[re.Match[str]]:
    """Find where the five bands begin, in the order of the text; nothing where that is not plain.

    Words may name bands as well (“7-8: as above”); then those that begin a line are meant.
    """
    every = [m for m in _MARK.finditer(text) if _place(m) in BAND_POINTS]
    at_start = [m for m in every if not text[: m.start()].rpartition("\n")[2].strip()]
    for marks in (every, at_start):
        if tuple(map(_place, marks)) in (BAND_POINTS, BAND_POINTS[::-1]):
            return marks
    return []


def _place(mark: re.Match[str]) -> tuple[int, int]:
    return int(mark[1]), int(mark[2])


def _sound(bands: Iterable[Band]) -> tuple[Band, ...]:
    found = tuple(sorted(bands, key=lambda band: band.low))
    for band in found:
        if not band.text:
            raise ValueError(f"the band {band.low}-{band.high} has no words")
    return found


def _from_json(text: str, problems: list[Problem]) -> dict[str, Rubric]:
    try:
        table = json_value(text)
    except ValueError as error:
        problems.append(Problem(0, f"The file is not JSON: {error}."))
        return {}
    if not isinstance(table, dict):
        problems.append(
            Problem(0, "A file of rubrics is one object, with a rubric for each group.")
        )
        return {}
    found = {}
    for name, entry in table.items():
        group = name.strip()
        try:
            found[group] = _rubric(group, entry)
        except (KeyError, TypeError, ValueError) as error:
            told = f"lacks {error}" if isinstance(error, KeyError) else str(error)
            problems.append(Problem(0, f"The rubric of “{group}”: {told}."))
    return found


def _rubric(group: str, entry: Any) -> Rubric:
    if not isinstance(entry, dict):
        raise TypeError("it is no object {…}")
    if not is_sound(entry):
        raise ValueError("half a character stands in it")
    if "rubric_en" in entry:
        scale = _words(entry, "rubric_en")
        title = str(entry.get("sub_scenario_en") or group).strip()
        return Rubric(group, title, before_scale(scale), read_scale(scale))
    bands = entry["bands"]
    if not isinstance(bands, dict) or set(bands) != set(BAND_NAMES):
        raise ValueError(f"the five bands are {', '.join(BAND_NAMES)}")
    return Rubric(
        group,
        _words(entry, "title") if "title" in entry else group,
        _words(entry, "about") if "about" in entry else "",
        _bands({name: _words(bands, name) for name in BAND_NAMES}),
    )


def _words(entry: Mapping[str, Any], name: str) -> str:
    if not isinstance(entry[name], str):
        raise TypeError(f"“{name}” is not text")
    return str(entry[name]).strip()


def _bands(texts: Mapping[str, str]) -> tuple[Band, ...]:
    pairs = zip(BAND_POINTS, BAND_NAMES, strict=True)
    return _sound(Band(low, high, texts[name]) for (low, high), name in pairs)


def _from_table(text: str, problems: list[Problem]) -> dict[str, Rubric]:
    head, *rest = csv_records(text, problems) or [(1, [])]
    columns = [name.strip().replace("–", "-") for name in head[1]]
    wrong = [name for name in COLUMNS if name not in columns]
    if wrong:
        problems.append(Problem(head[0], f"A table of rubrics has a column “{wrong[0]}”."))
        return {}
    found: dict[str, Rubric] = {}
    for line, record in rest:
        cells = {c: v.strip() for c, v in zip(columns, record, strict=False)}
        group = cells.get("group", "")
        try:
            bands = _bands({name: cells.get(name, "") for name in BAND_NAMES})
        except ValueError as error:
            problems.append(Problem(line, f"The rubric of “{group}”: {error}."))
            continue
        if not group or group in found:
            told = f"“{group}” has a rubric already." if group else "The rubric names no group."
            problems.append(Problem(line, told))
            continue
        found[group] = Rubric(group, cells.get("title") or group, cells.get("about", ""), bands)
    return found
