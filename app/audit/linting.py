"""Says what is wrong with a bank as a whole: balance, lengths, leaks, doubles.

The bounds are ours; what must be so many is the plan of SpecialEduBench (`app.audit.items`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from rapidfuzz import fuzz

from app.audit.bank import Bank
from app.audit.items import (
    FAMILIES,
    ITEMS_A_CATEGORY,
    KNOWLEDGE_CATEGORIES,
    Axis,
    Family,
    Item,
    Strategy,
)

SKILL_ITEMS, KNOWLEDGE_ITEMS, TRAPS = 5, 20, 10
"""Items of each strategy, of each category of knowledge, and traps in all of the starter bank."""

SCENE_WORDS = (50, 150)
RESPONSE_WORDS = (50, 150)
BAND_WORDS = (30, 75)
"""Least and most words."""

TOO_ALIKE = 90.0
"""Likeness of two scenes or questions, of 100, from which they count as one written twice."""

MOST_LENGTH_LEAN = 0.65
"""Most of the share of items in which the longer response is the passing one, and the other way
round: beyond it, a judge that reads length alone would look like one that reads."""

_LEAKS = re.compile(
    r"\b(?:be honest|honest answer|tell the truth|truthful(?:ly)?|the right answer is"
    r"|the correct answer is|do not lie|without lying)\b",
    re.IGNORECASE,
)
_ABSOLUTE = re.compile(r"\b(?:all|none) of the above\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One thing that is wrong with a bank."""

    where: str
    """Id of the item, or the group."""
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


def lint(bank: Bank) -> tuple[Fault, ...]:
    """Say all that is wrong with the starter bank; nothing when it is as planned."""
    checks: Sequence[Callable[[Bank], Iterator[Fault]]] = (
        _counts,
        _ids,
        _scenes,
        leaks,
        _questions,
        _doubles,
        _lengths,
        _rubrics,
    )
    return tuple(sorted(fault for check in checks for fault in check(bank)))


def _counts(bank: Bank) -> Iterator[Fault]:
    attitude = Counter((i.group, i.category) for i in bank.of_axis(Axis.ATTITUDE))
    wanted = {(str(f), c): ITEMS_A_CATEGORY for f in Family for c in FAMILIES[f].categories}
    skill = Counter((i.group, "") for i in bank.of_axis(Axis.SKILL))
    wanted |= {(str(strategy), ""): SKILL_ITEMS for strategy in Strategy}
    knowledge = Counter((i.group, "") for i in bank.of_axis(Axis.KNOWLEDGE))
    wanted |= {(category, ""): KNOWLEDGE_ITEMS for category in KNOWLEDGE_CATEGORIES}
    there = attitude + skill + knowledge
    for place in sorted({*wanted, *there}):
        if there[place] != wanted.get(place, 0):
            name = " ".join(filter(None, place))
            yield Fault(name, f"{there[place]} items; {wanted.get(place, 0)} belong there")
    traps = sum(item.is_trap for item in bank.items)
    if traps != TRAPS:
        yield Fault("traps", f"{traps} items plant a wrong fact; {TRAPS} should")


def _ids(bank: Bank) -> Iterator[Fault]:
    for item_id, count in Counter(item.item_id for item in bank.items).items():
        if count > 1:
            yield Fault(item_id, f"stands {count} times")


def _scenes(bank: Bank) -> Iterator[Fault]:
    for item in (*bank.of_axis(Axis.ATTITUDE), *bank.of_axis(Axis.SKILL)):
        for name in ("scene", "prompt", "passing", "failing", "failing_why"):
            if not getattr(item, name):
                yield Fault(item.item_id, f"has no {name}")
        yield from _within(item, "scene", SCENE_WORDS)
        yield from _within(item, "passing", RESPONSE_WORDS)
        yield from _within(item, "failing", RESPONSE_WORDS)
        under_pressure = item.axis is Axis.ATTITUDE and FAMILIES[Family(item.group)].with_pressure
        if under_pressure and not item.pressure_prompt:
            yield Fault(item.item_id, "has no prompt with pressure")
        if item.pressure_prompt and not under_pressure:
            yield Fault(item.item_id, "has pressure, which its group does not carry")
        if item.pressure_prompt == item.prompt:
            yield Fault(item.item_id, "is the same with and without pressure")


def _within(item: Item, name: str, words: tuple[int, int]) -> Iterator[Fault]:
    count = len(getattr(item, name).split())
    if not words[0] <= count <= words[1]:
        yield Fault(item.item_id, f"its {name} has {count} words, not {words[0]} to {words[1]}")


def leaks(bank: Bank) -> Iterator[Fault]:
    """Say which items give away what a tutor should do; of any bank, also one brought in."""
    for item in bank.items:
        shown = f"{item.scene} {item.prompt} {item.pressure_prompt}"
        found = _LEAKS.search(shown)
        if found:
            yield Fault(item.item_id, f"tells what to do: “{found.group()}”")
        for response in (item.passing, item.failing):
            if response and response in shown:
                yield Fault(item.item_id, "shows one of our own responses")
        if item.failing_why and item.failing_why in shown:
            yield Fault(item.item_id, "says why a response fails")


def _questions(bank: Bank) -> Iterator[Fault]:
    for category in KNOWLEDGE_CATEGORIES:
        items = [item for item in bank.of_axis(Axis.KNOWLEDGE) if item.group == category]
        keys = Counter(item.key for item in items)
        if items and set(keys.values()) != {len(items) // 4}:
            told = ", ".join(f"{letter} {keys[letter]}" for letter in "ABCD")
            yield Fault(category, f"the keys are not balanced: {told}")
        longest = sum(_is_longest(item) for item in items)
        if longest > len(items) / 2:
            yield Fault(category, f"the right option is the longest in {longest} of {len(items)}")
        for item in items:
            yield from _question(item)


def _question(item: Item) -> Iterator[Fault]:
    if len(set(item.options)) < len(item.options):
        yield Fault(item.item_id, "has an option twice")
    if not item.source:
        yield Fault(item.item_id, "names no source")
    if any(map(_ABSOLUTE.search, item.options)):
        yield Fault(item.item_id, "has an option that leans on the others")


def _is_longest(item: Item) -> bool:
    lengths = [len(option) for option in item.options]
    own = lengths["ABCD".index(item.key)]
    return own == max(lengths) and lengths.count(own) == 1


def _doubles(bank: Bank) -> Iterator[Fault]:
    told = [(item.item_id, item.scene or item.prompt) for item in bank.items]
    for (one, text), (other, beside) in combinations(told, 2):
        if fuzz.ratio(text, beside, score_cutoff=TOO_ALIKE):
            yield Fault(other, f"is nearly the same as {one}")


def _lengths(bank: Bank) -> Iterator[Fault]:
    for axis in (Axis.ATTITUDE, Axis.SKILL):
        items = [item for item in bank.of_axis(axis) if item.passing and item.failing]
        longer = sum(len(item.passing.split()) > len(item.failing.split()) for item in items)
        if items and max(longer, len(items) - longer) / len(items) > MOST_LENGTH_LEAN:
            yield Fault(
                str(axis),
                f"the passing response is the longer one in {longer} of {len(items)} items",
            )


def _rubrics(bank: Bank) -> Iterator[Fault]:
    scored = dict.fromkeys(item.group for item in bank.items if item.axis is not Axis.KNOWLEDGE)
    for group in scored:
        if group not in bank.rubrics:
            yield Fault(group, "has items, but no rubric to score them by")
    for group, rubric in bank.rubrics.items():
        for band in rubric.bands:
            count = len(band.text.split())
            if not BAND_WORDS[0] <= count <= BAND_WORDS[1]:
                where = f"{group} {band.low}-{band.high}"
                yield Fault(where, f"{count} words, not {BAND_WORDS[0]} to {BAND_WORDS[1]}")
        texts = [band.text for band in rubric.bands]
        if len(set(texts)) < len(texts):
            yield Fault(group, "two bands have the same text")
