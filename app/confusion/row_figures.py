"""Figures of one row of bands, and how far two rows agree: each with what it rests on."""

from __future__ import annotations

from dataclasses import dataclass

from app.confusion.rows import Row, Sign
from app.scoring.agreement import kappa_with_interval, percent_with_interval
from app.scoring.figures import Figure, figure_of, undefined
from app.scoring.proportions import Proportion

NO_FACE = "no usable face can be seen in any window"
NOTHING_READ = "no window was read"
ALL_FAILED = "no window got a usable answer"
NO_READER = "no reader has looked where the face can be seen"
ALL_OPEN = "nobody has decided on any window"
NO_EVENT = "there is no event"
NONE_SHARED = "no window can be judged in both"
NEITHER = "neither shows signs in a window that both can judge"


@dataclass(frozen=True, slots=True)
class RowFigures:
    """What a report says of one row."""

    share: Figure
    """Of the windows that count, those that show signs; Wilson's interval over windows."""
    shows_ms: int
    """Length of the windows that show signs."""
    counted_ms: int
    """Length of all windows that count: the denominator in time."""
    events: int
    longest_ms: Figure
    """Length of the longest event; `n` is the number of events."""
    per_minute: Figure
    """Events for each minute that counts; `n` is the number of events."""
    hidden_ms: int
    failed: int
    """Windows without a usable answer."""
    unread_ms: int
    open_ms: int
    """Time with a reader's event that nobody has decided on; of the reviewer's row alone."""


def figures_of_row(row: Row) -> RowFigures:
    """Work out what a report says of a row; what has no denominator has a reason instead."""
    counted_ms = row.time_ms(Sign.SHOWS, Sign.CLEAR)
    reason = _why_nothing(row)
    share = Proportion(row.number(Sign.SHOWS), row.number(Sign.SHOWS, Sign.CLEAR))
    lengths = [event.end_ms - event.start_ms for event in row.events]
    number = len(lengths)
    return RowFigures(
        share=undefined(reason) if reason else figure_of(share, NO_FACE),
        shows_ms=row.time_ms(Sign.SHOWS),
        counted_ms=counted_ms,
        events=number,
        longest_ms=Figure(max(lengths), number) if lengths else undefined(reason or NO_EVENT),
        per_minute=undefined(reason) if reason else Figure(number * 60_000 / counted_ms, number),
        hidden_ms=row.time_ms(Sign.HIDDEN),
        failed=row.number(Sign.FAILED),
        unread_ms=row.time_ms(Sign.UNREAD),
        open_ms=row.time_ms(Sign.OPEN),
    )


def _why_nothing(row: Row) -> str:
    """Say why a row has no denominator; empty where it has one."""
    if not row.knows_hidden:
        return NO_READER
    if row.number(Sign.SHOWS, Sign.CLEAR):
        return ""
    if row.number(Sign.HIDDEN):
        return NO_FACE
    if row.number(Sign.FAILED):
        return ALL_FAILED
    return ALL_OPEN if row.is_reviewer else NOTHING_READ


@dataclass(frozen=True, slots=True)
class RowAgreement:
    """How far two rows say the same, over the windows that count in both."""

    one: Row
    other: Row
    same: Figure
    """Share of windows on which they say the same, with Wilson's interval."""
    kappa: Figure
    """Cohen's kappa of shows or not, beyond chance."""
    tiou: Figure
    """Windows that show signs in both, over those that do in either; Wilson's interval."""
    both: int
    only_one: int
    only_other: int
    neither: int


def agreement_of(one: Row, other: Row) -> RowAgreement:
    """Compare two rows of the same video window by window.

    Raises:
        ValueError: They do not run over the same windows.
    """
    pairs = [
        (a.sign is Sign.SHOWS, b.sign is Sign.SHOWS)
        for a, b in zip(one.cells, other.cells, strict=True)
        if a.sign.counts and b.sign.counts
    ]
    said, said_other = [a for a, _ in pairs], [b for _, b in pairs]
    both, only_one, only_other = (
        pairs.count(pair) for pair in ((True, True), (True, False), (False, True))
    )
    neither = len(pairs) - both - only_one - only_other
    union = Proportion(both, both + only_one + only_other)
    same = percent_with_interval(said, said_other) if pairs else undefined(NONE_SHARED)
    kappa = (
        kappa_with_interval(said, said_other, categories=[False, True])
        if pairs
        else undefined(NONE_SHARED)
    )
    tiou = figure_of(union, NEITHER) if pairs else undefined(NONE_SHARED)
    return RowAgreement(one, other, same, kappa, tiou, both, only_one, only_other, neither)
