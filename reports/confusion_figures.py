"""Figures of the rows of bands, and how far rows agree, as the report prints them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from app.benchmark.words import show_interval
from app.confusion.review import LearnerReview
from app.confusion.row_figures import (
    RowAgreement,
    RowFigures,
    agreement_of,
    figures_of_row,
)
from app.confusion.rows import Row, Sign, rows_of, span_of
from app.errors import ReportRefused
from app.lesson.spans import Span
from app.scoring.figures import Figure
from app.scoring.rounding import printed
from reports.confusion_bands import badge_of, colour_of
from reports.confusion_words import FULL_LETTERS, NAME_LETTERS, shortened
from reports.wording import UNDEFINED, count, listed, show_length

Block = dict[str, Any]

_FEW_PAIRS = 3
MOST_READERS = 5
"""Readers on the one page; all are in the full version."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What the page and the tables beside it rest on."""

    review: LearnerReview
    rows: tuple[Row, ...]
    span: Span
    figures: tuple[RowFigures, ...]
    """Of each row."""
    left_out: int = 0
    """Readers for which there was no room."""
    name_letters: int = FULL_LETTERS
    """How long names may be."""


def gather(review: LearnerReview, most_readers: int | None = None) -> Gathered:
    """Put rows and figures of a video together.

    Args:
        review: The video.
        most_readers: So many readers at most, those that read it first.

    Raises:
        ReportRefused: Nobody has looked at it: no reader, and no person.
    """
    rows, span = rows_of(review), span_of(review)
    if not rows or span is None:
        raise ReportRefused(
            f"There is nothing to report on “{review.title}”: no reader has read it, and nobody "
            "has marked an event.",
            "Have it read on the Learner page, or with “clerestory confusion”.",
        )
    readers = sum(not row.is_reviewer for row in rows)
    left = 0 if most_readers is None else max(0, readers - most_readers)
    rows = rows[: len(rows) - left]
    figures = tuple(figures_of_row(row) for row in rows)
    letters = FULL_LETTERS if most_readers is None else NAME_LETTERS
    return Gathered(review, rows, span, figures, left, letters)


def name_block(gathered: Gathered, place: int) -> Block:
    """Give badge, colour, kind and name of a row."""
    rows, row = gathered.rows, gathered.rows[place]
    return {
        "badge": {"id": badge_of(rows, place), "fill": colour_of(row), "ink": "#FFFFFF"},
        "kind": "Reviewer" if row.is_reviewer else "Reader",
        "name": shortened(row.name, gathered.name_letters),
    }


def agreement_block(gathered: Gathered, *, everyone: bool, reviewer: bool = True) -> Block:
    """Give how far rows agree: every pair, or what a short page has room for.

    That is each reader with the reviewer; without a reviewer, a few readers with each other.

    Args:
        gathered: Rows and figures.
        everyone: Give every pair.
        reviewer: Also give those with the reviewer.
    """
    rows = gathered.rows
    every = list(combinations(range(len(rows)), 2))
    short = rows[0].is_reviewer and not everyone
    pairs = [(a, b) for a, b in every if rows[a].is_reviewer] if short else every
    pairs = [(a, b) for a, b in pairs if reviewer or not rows[a].is_reviewer]
    if not everyone and len(pairs) > max(_FEW_PAIRS, len(rows) - 1):
        pairs = []
    notes = []
    still_open = rows[0].number(Sign.OPEN)
    if still_open and any(rows[a].is_reviewer for a, _ in pairs):
        notes.append(
            f"{count(still_open, 'window')} with a suggestion that nobody has checked yet "
            f"{'is' if still_open == 1 else 'are'} left out for the reviewer."
        )
    why = "" if pairs else _why_no_pairs(rows)
    told = [_pair(gathered, a, b) for a, b in pairs]
    return {"rows": told, "notes": notes, "why": why, "short": short}


def show_figure(figure: Figure, places: int, times: float = 1, unit: str = "") -> str:
    """Write a figure with its interval, or an en dash."""
    if figure.value is None:
        return UNDEFINED
    interval = show_interval(figure.interval, times, places)
    return f"{printed(figure.value * times, places)}{unit} {interval}".strip()


def _why_no_pairs(rows: Sequence[Row]) -> str:
    if len(rows) > 1:
        return (
            "No person has decided on anything yet, so there is nobody to compare readers with; "
            "the full version compares them with each other."
        )
    whose = "the reviewer’s row alone" if rows[0].is_reviewer else "one reader alone"
    return f"There is {whose}, so there is nothing to compare."


def _pair(gathered: Gathered, one: int, other: int) -> Block:
    found = agreement_of(gathered.rows[one], gathered.rows[other])
    return {
        "one": name_block(gathered, one),
        "other": name_block(gathered, other),
        "windows": str(found.same.n),
        "same": show_figure(found.same, 0, 100, "%"),
        "kappa": show_figure(found.kappa, 2),
        "tiou": show_figure(found.tiou, 2),
        "why": _why(found),
    }


def _why(found: RowAgreement) -> str:
    reasons = {
        name: figure.reason
        for name, figure in (("Same", found.same), ("kappa", found.kappa), ("tIoU", found.tiou))
        if figure.reason
    }
    by_reason: dict[str, list[str]] = {}
    for name, reason in reasons.items():
        by_reason.setdefault(reason, []).append(name)
    return "; ".join(f"no {listed(names)}: {reason}" for reason, names in by_reason.items())


def figures_table(gathered: Gathered) -> list[Block]:
    """Give a line of figures for each row of bands."""
    return [
        {**name_block(gathered, place), "cells": _cells(gathered, place)}
        for place in range(len(gathered.rows))
    ]


def _cells(gathered: Gathered, place: int) -> list[list[str]]:
    """Give each cell as a figure and, below it, what it rests on."""
    figures, row = gathered.figures[place], gathered.rows[place]
    counted = show_length(figures.counted_ms)
    share, rate, longest = figures.share, figures.per_minute, figures.longest_ms
    unknown = bool(share.reason) and not row.is_reviewer
    whole_ms = gathered.span.duration_ms
    visible = printed(100 * figures.counted_ms / whole_ms, 0)
    return [
        [
            show_figure(share, 0 if (share.value or 0) >= 0.1 else 1, 100, "%"),
            share.reason or f"{show_length(figures.shows_ms)} of {counted}",
        ],
        [UNDEFINED if unknown else str(figures.events), ""],
        [
            UNDEFINED if longest.value is None else show_length(round(longest.value)),
            longest.reason if not share.reason else "",
        ],
        [
            printed(rate.value, 2 if (rate.value or 1) < 1 else 1),
            "" if rate.reason else f"{figures.events} in {counted}",
        ],
        [
            f"{visible}%" if row.knows_hidden else UNDEFINED,
            f"{counted} of {show_length(whole_ms)}" if row.knows_hidden else "",
        ],
    ]


def table_notes(gathered: Gathered) -> list[str]:
    """Say what the figures rest on and what they leave out."""
    told = [
        "Shares are of the time that could be judged, in windows of 2 s; in brackets, 95% "
        "intervals as if windows were independent. Neighbours are alike, so the truth is less sure "
        "than that."
    ]
    if gathered.left_out:
        told.append(
            f"{count(gathered.left_out, 'more reader is', 'more readers are')} in the full version."
        )
    for place, (row, figures) in enumerate(zip(gathered.rows, gathered.figures, strict=True)):
        gaps = []
        if figures.failed:
            gaps.append(f"{count(figures.failed, 'window')} without a usable answer")
        if figures.unread_ms:
            gaps.append(f"{show_length(figures.unread_ms)} not read, since it was stopped")
        if figures.open_ms:
            gaps.append(f"{show_length(figures.open_ms)} with suggestions nobody has checked")
        if gaps:
            who = "The reviewer" if row.is_reviewer else f"Reader {badge_of(gathered.rows, place)}"
            told.append(f"{who}: {listed(gaps)}, in no share.")
    return told
