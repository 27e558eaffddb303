"""Read JSON that is slightly broken in the ways models break it, naming every change.

Only where there is one plain way to read it. What is cut off is never completed, and what is
missing is never added: no brace, no key, no value.
"""

from __future__ import annotations

import json
import re
from typing import Any

LONGEST = 100_000
"""Characters; beyond it nothing is repaired."""

_DEEPEST = 50

_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_SPACE = re.compile(r"\s*")
_ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})')
_WORDS: dict[str, tuple[Any, str]] = {
    "true": (True, ""),
    "false": (False, ""),
    "null": (None, ""),
    "True": (True, "True for true"),
    "False": (False, "False for false"),
    "None": (None, "None for null"),
}
_NO_VALUES = {"NaN", "nan", "Infinity", "inf", "undefined"}

# What must follow a quote for it to end a string, by the place of the string.
_FOLLOWS = {
    "key": re.compile(r"\s*:"),
    "field": re.compile(r"""\s*(?:\}|,\s*(?:\}|["'][^:\n]{0,100}:)|\Z)"""),
    "entry": re.compile(r"""\s*(?:\]|,\s*(?:["'\[{\]\d-]|true\b|false\b|null\b)|\Z)"""),
}
_QUOTES = {'"': '"”', "'": "'"}
"""What opens a string, and what may close it."""


class NotRepaired(Exception):
    """There is no one plain way to read it."""


class Unfinished(Exception):
    """The text ends in the middle."""


def repair(text: str) -> tuple[Any, int, list[str]]:
    """Read the object or list that a text starts with.

    Returns:
        The value, where it ends in the text, and what was changed, in plain words.

    Raises:
        Unfinished: The text ends before the value does.
        NotRepaired: Anything else that is broken, or the text is longer than `LONGEST`.
    """
    if len(text) > LONGEST:
        raise NotRepaired("it is too long")
    reader = _Reader(text)
    value = reader.value("field", 0)
    return value, reader.at, reader.repairs


class _Reader:
    """Walks through the text once, from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.repairs: list[str] = []

    def value(self, place: str, depth: int) -> Any:
        if depth > _DEEPEST:
            raise NotRepaired("it is nested too deeply")
        sign = self._next()
        if sign == "{":
            return self._object(depth)
        if sign == "[":
            return self._list(depth)
        if sign in _QUOTES:
            return self._string(place)
        number = _NUMBER.match(self.text, self.at)
        if number:
            self.at = number.end()
            return json.loads(number.group())
        return self._word()

    def _object(self, depth: int) -> dict[str, Any]:
        table: dict[str, Any] = {}
        self.at += 1
        while not self._closes("}", bool(table)):
            if self._next() not in _QUOTES:
                raise NotRepaired("a name is missing")
            name = self._string("key")
            if name in table:
                raise NotRepaired(f"{name!r} is given twice")
            self._expect(":")
            table[name] = self.value("field", depth + 1)
        return table

    def _list(self, depth: int) -> list[Any]:
        entries: list[Any] = []
        self.at += 1
        while not self._closes("]", bool(entries)):
            entries.append(self.value("entry", depth + 1))
        return entries

    def _closes(self, closing: str, has_some: bool) -> bool:
        """Step over what stands between two parts, or over the end; says whether it was the end."""
        comma = has_some and self._next() == ","
        if comma:
            self.at += 1
        if self._next() == closing:
            if comma:
                self.repairs.append("a comma before the end")
            self.at += 1
            return True
        if has_some and not comma:
            raise NotRepaired("a comma is missing")
        return False

    def _string(self, place: str) -> str:
        opened = self.text[self.at]
        if opened == "'":
            self.repairs.append("single quotes")
        self.at += 1
        parts: list[str] = []
        while True:
            if self.at >= len(self.text):
                raise Unfinished
            sign = self.text[self.at]
            if sign in _QUOTES[opened] and _FOLLOWS[place].match(self.text, self.at + 1):
                if sign != opened:
                    self.repairs.append("a curly quote at the end of a text")
                self.at += 1
                return "".join(parts)
            parts.append(self._sign(sign, opened))

    def _sign(self, sign: str, opened: str) -> str:
        """Take one sign of a string that does not end it."""
        if sign == "\\":
            return self._escape()
        if sign == opened == '"':
            self.repairs.append("a quote inside a text")
        elif sign < " ":
            self.repairs.append("a line break or tab inside a text")
        self.at += 1
        return sign

    def _escape(self) -> str:
        escape = _ESCAPE.match(self.text, self.at)
        if escape is None:
            self.repairs.append("a backslash that escapes nothing")
            self.at += 1
            return "\\"
        self.at = escape.end()
        said: str = json.loads(f'"{escape.group()}"')
        return said

    def _word(self) -> Any:
        word = _WORD.match(self.text, self.at)
        if word is None or word.group() in _NO_VALUES:
            raise NotRepaired("a value is missing")
        self.at = word.end()
        value, change = _WORDS.get(word.group(), (word.group(), "a text without quotes"))
        if change:
            self.repairs.append(change)
        return value

    def _expect(self, sign: str) -> None:
        if self._next() != sign:
            raise NotRepaired(f"{sign!r} is missing")
        self.at += 1

    def _next(self) -> str:
        """Give the next sign that is no white space."""
        space = _SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at
        if self.at >= len(self.text):
            raise Unfinished
        return self.text[self.at]
