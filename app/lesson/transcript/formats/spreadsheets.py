"""Transcripts in .xlsx (by openpyxl), .csv and .tsv."""

from __future__ import annotations

import csv
import io
import warnings
from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import Any

from openpyxl import load_workbook

from app.errors import TranscriptRefused
from app.lesson.transcript.formats.column_times import Cell
from app.lesson.transcript.formats.drafts import Found
from app.lesson.transcript.formats.packages import PACKAGE_FAULTS, damaged
from app.lesson.transcript.formats.tables import find_layout, read_rows, refuse_codings

MOST_COLUMNS = 200
MOST_ROWS = 200_000
"""A day of speech is about 30,000 utterances."""

_DELIMITERS = ("\t", ",", ";", "|")
_SWALLOWED = 30


def read_workbook(data: bytes, name: str) -> Found:
    """Read the first sheet of an Excel workbook that holds a transcript.

    Raises:
        TranscriptRefused: No sheet does, or the file is damaged.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # openpyxl warns of styles it does not know
            book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
            sheets = [(sheet.title, _sheet_rows(sheet)) for sheet in book.worksheets]
    except PACKAGE_FAULTS as error:
        raise damaged(name) from error
    for title, rows in sheets:
        refuse_codings(rows, name)
        layout = find_layout(rows)
        if layout is None:
            continue
        found = read_rows(
            rows, layout, "import:talkmoves" if layout.is_talkmoves else "import:xlsx"
        )
        others = [other for other, filled in sheets if other != title and filled]
        if others:
            found.notes.append(f"Only the sheet “{title}” was read, not {', '.join(others)}.")
        return found
    raise _no_columns(name)


def read_delimited(text: str, name: str) -> Found:
    """Read a .csv or .tsv file.

    Raises:
        TranscriptRefused: There are no columns of a transcript in it.
    """
    delimiter = find_delimiter(text)
    rows = _parse(text, delimiter, name)
    refuse_codings(rows, name)
    layout = find_layout(rows)
    if layout is None:
        raise _no_columns(name)
    kind = "import:tsv" if delimiter == "\t" else "import:csv"
    return read_rows(rows, layout, "import:talkmoves" if layout.is_talkmoves else kind)


def find_delimiter(text: str) -> str:
    """Find the character that parts the columns: the one that gives the most even rows."""
    head = "\n".join(text.splitlines()[:60])

    def evenness(delimiter: str) -> tuple[int, int]:
        try:
            widths = [len(row) for row in csv.reader(io.StringIO(head), delimiter=delimiter)]
        except csv.Error:
            return (0, 0)
        wide = [width for width in widths if width > 1]
        usual = max(set(wide), key=wide.count, default=0)
        return (wide.count(usual), usual)

    return max(_DELIMITERS, key=evenness)


def _parse(text: str, delimiter: str, name: str) -> list[Sequence[Cell]]:
    for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE):
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting)
        try:
            rows: list[Sequence[Cell]] = [list(row[:MOST_COLUMNS]) for row in reader]
        except csv.Error as error:
            if quoting == csv.QUOTE_NONE:
                raise TranscriptRefused(
                    f"{name} cannot be read as a table, from line {reader.line_num} on.",
                    "Save it again as CSV with UTF-8 letters.",
                ) from error
            continue
        # A lone quotation mark makes one cell swallow the rest of the file.
        if not any(str(cell).count("\n") > _SWALLOWED for row in rows for cell in row):
            return rows
    return rows


def _sheet_rows(sheet: Any) -> list[Sequence[Cell]]:
    """Give the rows of a sheet up to the last that is filled, cells as plain values."""
    sheet.reset_dimensions()  # some programs write a wrong size, and rows would be lost
    rows: list[Sequence[Cell]] = []
    filled = 0
    for row in sheet.iter_rows(values_only=True, max_row=MOST_ROWS, max_col=MOST_COLUMNS):
        rows.append([_cell(value) for value in row])
        if any(value not in (None, "") for value in row):
            filled = len(rows)
    return rows[:filled]


def _cell(value: object) -> Cell:
    known = (str, int, float, bool, datetime, time, timedelta)
    return value if value is None or isinstance(value, known) else str(value)


def _no_columns(name: str) -> TranscriptRefused:
    return TranscriptRefused(
        f"There is no column of speech to be found in {name}.",
        "Give the columns the headings Speaker, Sentence and, if there are times, TimeStamp.",
    )
