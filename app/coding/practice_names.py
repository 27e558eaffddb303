"""Practices that are named in the words of a search, so that they can be offered as a filter."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from app.coding.folding import FoldedWord, fold, folded_words

_LEVEL = "level"


@dataclass(frozen=True, slots=True)
class Names:
    """What people call the practices, as runs of folded words."""

    practices: tuple[tuple[tuple[str, ...], str], ...]
    """Name and practice, longest names first."""
    terms: tuple[tuple[str, ...], ...]
    asking: frozenset[str]
    """Words that only ask."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A filter that the words of a search could mean; taken up by a person or not at all."""

    practice: str
    """`BI`, `D1`, `D2` or `D3`."""
    level: int | None
    this_term: bool
    words: str
    """What would be left to look for beside it."""


@cache
def read_names(path: Path) -> Names:
    """Read `resources/practice_names.toml`."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    named = [
        (folded_words(name), practice)
        for practice, called in table["names"].items()
        for name in called
    ]
    return Names(
        practices=tuple(sorted(named, key=lambda pair: -len(pair[0]))),
        terms=tuple(folded_words(term) for term in table["asking"]["terms"]),
        asking=frozenset(table["asking"]["words"]),
    )


def offer_for(words: str, names: Names) -> Offer | None:
    """Say which filter the words of a search could mean; `None` when no practice is named.

    Two different practices in one search are no filter: which one is meant cannot be told.
    """
    told = fold(words)
    taken: set[int] = set()
    found = {practice for name, practice in names.practices if _take(told, name, taken)}
    if len(found) != 1:
        return None
    level = _take_level(told, taken)
    this_term = any(_take(told, term, taken) for term in names.terms)
    left = [w for at, w in enumerate(told) if at not in taken and w.text not in names.asking]
    return Offer(found.pop(), level, this_term, " ".join(words[w.start : w.end] for w in left))


def _take(told: Sequence[FoldedWord], name: tuple[str, ...], taken: set[int]) -> bool:
    """Find a name among the words that are not taken yet, and take its words wherever it stands."""
    was_found = False
    for at in range(len(told) - len(name) + 1):
        places = range(at, at + len(name))
        if taken.isdisjoint(places) and tuple(told[i].text for i in places) == name:
            taken.update(places)
            was_found = True
    return was_found


def _take_level(told: Sequence[FoldedWord], taken: set[int]) -> int | None:
    for at in range(len(told) - 1):
        number = told[at + 1].text
        if told[at].text == _LEVEL and number in ("1", "2", "3", "4"):
            taken.update((at, at + 1))
            return int(number)
    return None
