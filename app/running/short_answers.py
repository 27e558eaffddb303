"""Read a letter or a score out of free text, or say that there is none; never a guess.

For models that are asked without a schema. Two different letters or scores are none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, TypeVar

from app.running.sound_json import NotSound, read_json

_One = TypeVar("_One")

_ALONE = re.compile(r"[\s*_(\[]*([A-Za-z])[\s*_)\].:]*")
# A small letter only where nothing but an end follows: "the answer is a matter of" is no A.
_SAID = re.compile(
    r"\b(?i:answer)\W{0,4}(?:(?i:is|would be|should be)\b)?\W{0,6}?"
    r"(?:([A-Z])\b|([a-z])(?=[\s*_)\]]*(?:[.,;:!\n]|\Z)))"
)
_NUMBER = r"[-+]?\d{1,9}(?:\.\d{1,9})?"
_ALONE_NUMBER = re.compile(rf"\s*({_NUMBER})\s*\.?\s*")
_SCORE = re.compile(
    rf"\b(?:score|rating)\b[\s*_]*(?:is|of|:|=)?[\s*_:]*(?<![\d.])({_NUMBER})(?![\d.]*\d)",
    re.IGNORECASE,
)


def read_letter(text: str, choices: Sequence[str]) -> str | None:
    """Give the option a text names as its answer; `None` when it names none, or several.

    Args:
        text: The answer without thinking, e.g. `The correct answer is (B).`
        choices: Capital letters.
    """
    lines = text.strip().splitlines() or [""]
    for line in (text, lines[-1], lines[0]):
        alone = _ALONE.fullmatch(line)
        if alone:
            return _only({alone.group(1).upper()} & set(choices))
    return _only({(big or small).upper() for big, small in _SAID.findall(text)} & set(choices))


def read_score(text: str, low: float, high: float) -> float | None:
    """Give the score a text names; `None` when it names none, several, or one off the scale."""
    try:
        said = read_json(text)
    except NotSound:
        alone = _ALONE_NUMBER.fullmatch(text)
        said = [alone.group(1)] if alone else _SCORE.findall(text)
    else:
        said = [said.get("score") if isinstance(said, dict) else said]
    found = {number for number in map(read_number, said) if number is not None}
    score = _only(found)
    return score if score is not None and low <= score <= high else None


def read_number(value: Any) -> float | None:
    """Give a number that a model may have written as text, e.g. `"0.8"`; `None` for words."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    if isinstance(value, str) and _ALONE_NUMBER.fullmatch(value):
        return float(json.loads(value.strip().rstrip(".").lstrip("+")))
    return None


def _only(found: set[_One]) -> _One | None:
    return next(iter(found)) if len(found) == 1 else None
