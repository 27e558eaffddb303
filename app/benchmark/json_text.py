"""JSON values of a table as people save it, with the line each starts in.

Python's own reader takes an object that gives a name twice and drops the first; here that is said.
"""

from __future__ import annotations

import json
import re
from typing import Any

from app.benchmark.problems import Problem

_BLANK = re.compile(r"[ \t\r\n]*")


def json_lines(text: str, problems: list[Problem]) -> list[tuple[int, object]]:
    """Give the values of JSON Lines; what cannot be read is added to `problems`."""
    values: list[tuple[int, object]] = []
    # Not `splitlines`, which also cuts at signs that may stand inside JSON text.
    for line, written in enumerate(text.split("\n"), 1):
        if not written.strip():
            continue
        try:
            values.append((line, _DECODER.decode(written.strip())))
        except (ValueError, RecursionError) as error:
            problems.append(Problem(line, f"The line cannot be read as JSON: {_why(error)}."))
    return values


def json_list(text: str, problems: list[Problem], what: str) -> list[tuple[int, object]]:
    """Give the values of one JSON list; what keeps the rest from being read is a problem.

    Args:
        text: All of the file.
        problems: Where to add them.
        what: What the list holds, in the plural: `clips`.
    """
    values: list[tuple[int, object]] = []
    at = _skip(text, 0)
    if text[at : at + 1] != "[":
        problems.append(
            Problem(_line(text, at), f"A JSON table is a list of {what}: [{{…}}, {{…}}].")
        )
        return values
    at = _skip(text, at + 1)
    while text[at : at + 1] != "]":
        line = _line(text, at)
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            where = error.lineno if isinstance(error, json.JSONDecodeError) else line
            problems.append(Problem(where, f"From here on it is not JSON: {_why(error)}."))
            return values
        values.append((line, value))
        at = _skip(text, at)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
        elif text[at : at + 1] != "]":
            told = "From here on it is not JSON: a comma or the closing bracket is missing."
            problems.append(Problem(_line(text, at), told))
            return values
    end = _skip(text, at + 1)
    if end < len(text):
        problems.append(Problem(_line(text, end), "Something stands behind the end of the list."))
    return values


def json_value(text: str) -> object:
    """Read one JSON value.

    Raises:
        ValueError: It is none; the message says why.
    """
    try:
        return _DECODER.decode(text.strip())
    except json.JSONDecodeError as error:
        raise ValueError(f"{error.msg}, line {error.lineno}, sign {error.colno}") from error
    except (ValueError, RecursionError) as error:
        raise ValueError(_why(error)) from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse an object that gives a name twice; Python's own reader would drop the first."""
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"“{name}” is given twice")
    return dict(pairs)


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number")


_DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_constant)


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _why(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg}, at sign {error.colno}"
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
