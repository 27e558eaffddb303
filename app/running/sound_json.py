"""Read JSON and accept nothing that is not: no NaN, no key twice, no number beyond all bounds."""

from __future__ import annotations

import json
import math
import re
from typing import Any

_SPACE = re.compile(r"[ \t\r\n]*")


class NotSound(Exception):
    """Not sound JSON; says why, in the middle of a sentence.

    Args:
        reason: What is wrong.
        mendable: Whether a repair may be tried. Where two readings contradict each other, or a
            number is none, there is nothing to repair.
    """

    def __init__(self, reason: str, *, mendable: bool = True) -> None:
        super().__init__(reason)
        self.mendable = mendable


def read_json(text: str) -> Any:
    """Read a text that is JSON as a whole.

    Raises:
        NotSound: It is not.
    """
    value, end = read_json_start(text)
    if _SPACE.fullmatch(text, end) is None:
        raise NotSound("text follows the end")
    return value


def read_json_start(text: str) -> tuple[Any, int]:
    """Read the JSON that a text starts with; gives the value and where it ends.

    Raises:
        NotSound: It starts with none.
    """
    start = _SPACE.match(text)
    try:
        return _DECODER.raw_decode(text, start.end() if start else 0)
    except _NoNumber:
        where = _field_of_no_number(text)
        raise NotSound(f"{where} is not a number", mendable=False) from None
    except json.JSONDecodeError as error:
        raise NotSound(f"{error.msg.lower()} (line {error.lineno})") from None
    except RecursionError:
        raise NotSound("it is nested too deeply", mendable=False) from None
    except ValueError as error:  # more digits than Python turns into a number
        raise NotSound(str(error), mendable=False) from None


class _NoNumber(Exception):
    """`NaN`, `Infinity`, or a number too large for one."""


def _refuse(_text: str) -> Any:
    raise _NoNumber


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise _NoNumber
    return number


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise NotSound(f"{twice!r} is given twice", mendable=False)
    return table


_DECODER = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite, object_pairs_hook=_once)


def _field_of_no_number(text: str) -> str:
    """Name the field that holds what is no number, e.g. `payload.time_rat`."""
    mark = object()
    decoder = json.JSONDecoder(
        parse_constant=lambda _: mark,
        parse_float=lambda digits: mark if math.isinf(float(digits)) else 0.0,
    )
    try:
        value, _ = decoder.raw_decode(text.lstrip())
    except ValueError:
        return "a value"
    return _path_to(mark, value, "") or "the answer"


def _path_to(mark: object, value: Any, path: str) -> str | None:
    if value is mark:
        return path
    parts: list[tuple[str, Any]] = []
    if isinstance(value, dict):
        parts = [(f"{path}.{name}" if path else name, part) for name, part in value.items()]
    elif isinstance(value, list):
        parts = [(f"{path}[{place}]", part) for place, part in enumerate(value)]
    found = (_path_to(mark, part, name) for name, part in parts)
    return next((name for name in found if name is not None), None)
