"""Text and CSV records of a table as people save it, with the line each record starts in."""

from __future__ import annotations

import codecs
import csv
import io
from pathlib import Path

from app.benchmark.problems import Problem

MOST_BYTES = 64 * 1024 * 1024
"""The largest table that is read: 100,000 clips with their words take less."""

_SEPARATORS = (",", ";", "\t")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def text_of(path: Path) -> str | Problem:
    """Give the text of a table, or what keeps it from being read."""
    try:
        if path.stat().st_size > MOST_BYTES:
            return Problem(
                0, f"The file is larger than {MOST_BYTES // 1024**2} MB, and so no table."
            )
        data = path.read_bytes()
    except OSError as error:
        return Problem(0, f"The file cannot be opened: {error.strerror or error}.")
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        what = (
            f"The letters here are not stored as {encoding.upper()}. Save the table as UTF-8 (in a "
            "spreadsheet: “CSV UTF-8”)."
        )
        return Problem(data.count(b"\n", 0, error.start) + 1, what)


def csv_records(text: str, problems: list[Problem]) -> list[tuple[int, list[str]]]:
    """Give the records that hold anything, each with the line it starts in.

    Commas, semicolons and tabs are told apart by the first line; what keeps the rest from being
    read is added to `problems`.
    """
    first = text.lstrip("\r\n").splitlines()[:1]
    separator = max(_SEPARATORS, key=first[0].count) if first else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    records: list[tuple[int, list[str]]] = []
    while True:
        line = reader.line_num + 1
        try:
            record = next(reader)
        except StopIteration:
            return records
        except csv.Error as error:
            problems.append(Problem(line, f"The row cannot be read as CSV: {error}."))
            return records
        if any(cell.strip() for cell in record):
            records.append((line, record))
