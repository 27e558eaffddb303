"""The coded table as it lies in a folder: rows with the line each starts in, nothing judged yet.

The form is described in README-benchmark.md. CSV, JSON and JSON Lines come out the same: cells by
the name of their column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.benchmark.csv_text import csv_records, text_of
from app.benchmark.json_text import json_lines, json_list
from app.benchmark.problems import CodedSetRefused, Problem
from app.errors import Refused

TABLE_NAMES = ("clips.csv", "clips.jsonl", "clips.json")
"""What the table of a folder is called."""
COLUMNS = (
    "id",
    "media",
    "transcript",
    "start",
    "end",
    "start_ms",
    "end_ms",
    "first",
    "last",
    "codes",
    "utterances",
    "split",
    "grades",
    "topic",
    "evidence",
    "note",
)
"""Columns there may be; the last four are for people and are not used."""
_ALSO_CALLED = {"clip": "id", "clip_id": "id", "code": "codes"}


@dataclass(frozen=True, slots=True)
class Row:
    """One row as it stands in the table."""

    line: int
    """Where it starts, from 1."""
    cells: Mapping[str, Any]
    """By column; text from CSV, anything JSON can hold otherwise. Empty cells are left out."""


def find_table(place: Path) -> Path:
    """Find the table of a folder, or take the one that was named.

    Raises:
        Refused: There is none, or more than one.
    """
    if place.is_file():
        return place
    if not place.is_dir():
        raise Refused(f"There is no folder {place}.", "Name the folder that holds the coded table.")
    found = [place / name for name in TABLE_NAMES if (place / name).is_file()]
    if len(found) == 1:
        return found[0]
    if found:
        names = " and ".join(path.name for path in found)
        raise Refused(f"{place} has more than one table: {names}.", "Name the one to use.")
    raise Refused(
        f"{place} has no coded table.",
        f"Call it {', '.join(TABLE_NAMES[:-1])} or {TABLE_NAMES[-1]}, or name the file itself; "
        "README-benchmark.md says what stands in it.",
    )


def read_table(path: Path) -> tuple[list[Row], list[Problem]]:
    """Read all rows of a table, and everything that keeps one from being read.

    Raises:
        CodedSetRefused: The file cannot be opened, or its letters cannot be read.
    """
    text = _text_of(path)
    found: list[Problem] = []
    if path.suffix.lower() == ".jsonl":
        rows, problems = _read_json(json_lines(text, found), found)
    elif path.suffix.lower() == ".json":
        rows, problems = _read_json(json_list(text, found, "clips"), found)
    else:
        rows, problems = _read_csv(text)
    if not rows and not problems:
        problems.append(Problem(0, "The table has no rows."))
    return rows, sorted(problems)


def _text_of(path: Path) -> str:
    text = text_of(path)
    if isinstance(text, Problem):
        raise CodedSetRefused(path.name, [text])
    return text


def _read_csv(text: str) -> tuple[list[Row], list[Problem]]:
    problems: list[Problem] = []
    head, *rest = csv_records(text, problems) or [(1, [])]
    columns = _columns(head[1], head[0], problems)
    rows = []
    for line, record in rest:
        if len(record) > len(columns):
            what = f"There are {len(record)} cells under {len(columns)} columns."
            problems.append(Problem(line, what))
        cells = {c: v.strip() for c, v in zip(columns, record, strict=False) if v.strip()}
        rows.append(Row(line, cells))
    return rows, problems


def _columns(names: Sequence[str], line: int, problems: list[Problem]) -> list[str]:
    columns: list[str] = []
    for name in names:
        column = _column(name)
        if column in columns and column:
            problems.append(Problem(line, f"There are two columns “{name.strip()}”."))
        elif column not in COLUMNS:
            problems.append(Problem(line, _unknown(name)))
        elif column == "utterances":
            what = "Utterances cannot stand in a CSV table; name a file under “transcript”."
            problems.append(Problem(line, what))
        columns.append(column)
    for wanted in ("id", "codes"):
        if wanted not in columns:
            problems.append(Problem(line, f"There is no column “{wanted}”."))
    return columns


def _column(name: str) -> str:
    plain = name.strip().lower().replace(" ", "_").replace("-", "_")
    return _ALSO_CALLED.get(plain, plain)


def _unknown(name: str) -> str:
    if not name.strip():
        return "A column has no name."
    return f"There is no meaning for the column “{name.strip()}”. Known are: {', '.join(COLUMNS)}."


def _read_json(
    values: list[tuple[int, object]], problems: list[Problem]
) -> tuple[list[Row], list[Problem]]:
    rows: list[Row] = []
    for line, value in values:
        _take(value, line, rows, problems)
    return rows, problems


def _take(value: object, line: int, rows: list[Row], problems: list[Problem]) -> None:
    if not isinstance(value, dict):
        problems.append(Problem(line, "This is no clip: a clip is an object {…}."))
        return
    cells: dict[str, Any] = {}
    for name, cell in value.items():
        column = _column(name)
        if column not in COLUMNS:
            problems.append(Problem(line, _unknown(name)))
        elif column in cells:
            problems.append(Problem(line, f"“{name}” is given twice."))
        elif cell is not None and cell != "":
            cells[column] = cell
    rows.append(Row(line, cells))
