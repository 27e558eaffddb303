"""The comparison page: several readers against the reviewer (Figure 5 of ConfusionBench)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.confusion.row_figures import agreement_of
from app.confusion.row_scores import score_of
from app.confusion.rows import Sign
from app.scoring.localization import Line, VideoScore, video_line
from reports.confusion_bands import badge_of, draw_difference
from reports.confusion_figures import Gathered, agreement_block, name_block, show_figure
from reports.confusion_page import band_blocks, key_blocks
from reports.typesetting import set_page
from reports.wording import UNDEFINED, count, listed, show_date, show_length
from resources import resource

PARTS = "confusion_parts.typ"
_WIDTH_PT = 560.0
_WINDOWS = (
    ("accuracy", "Accuracy"),
    ("precision", "Precision"),
    ("recall", "Recall"),
    ("f1", "F1"),
    ("tiou", "tIoU"),
)
_EVENTS = tuple(
    (f"{key}_at_{at}", f"{head}@{at}")
    for at in ("0.1", "0.3")
    for key, head in (("p", "P"), ("r", "R"), ("f1", "F1"))
)
_SHORT = {
    "no window was predicted to be confused": "no window with signs",
    "no window that could be judged is confused": "none with the reviewer",
    "no event was predicted": "no event",
    "there is no event that could be seen": "none with the reviewer",
}
"""Reasons as they fit a cell."""

Block = dict[str, Any]


def can_compare(gathered: Gathered) -> bool:
    """Say whether there is anything to lay side by side: two rows or more."""
    return len(gathered.rows) > 1


def comparison_page(gathered: Gathered, made_at: str, program: str) -> bytes:
    """Set the page as tagged PDF/UA-1.

    Args:
        gathered: Rows and figures of two rows or more.
        made_at: ISO 8601.
        program: Name and version.
    """
    bands, drawn = band_blocks(gathered, _WIDTH_PT)
    review, rows = gathered.review, gathered.rows
    against = rows[0].is_reviewer
    places = [n for n, row in enumerate(rows) if not row.is_reviewer]
    scores = {place: score_of(rows[0], rows[place]) for place in places} if against else {}
    told = [_told(gathered, place, score) for place, score in scores.items()]
    if against:
        for place, words in zip(places, told, strict=True):
            name = f"difference-{place}.svg"
            drawn[name] = draw_difference(rows[0], rows[place], gathered.span, _WIDTH_PT)
            bands["rows"][place] |= {"difference": name, "difference_alt": words}
    page = {
        "learner": review.learner.name,
        "video": review.title or "Untitled video",
        "length": show_length(gathered.span.duration_ms),
        "made": f"{show_date(made_at)}, by {program}",
        "against": against,
        "bands": bands,
        "key": key_blocks(gathered, drawn),
        "told": told,
        "windows": _table(gathered, scores, _WINDOWS) if against else None,
        "events": _table(gathered, scores, _EVENTS) if against else None,
        "agreement": agreement_block(gathered, everyone=True, reviewer=not against),
        "left_out": _left_out(gathered),
    }
    parts: dict[str, bytes | Path] = {PARTS: resource(f"reports/{PARTS}"), **drawn}
    return set_page(resource("reports/confusion_comparison.typ"), page, parts, made_at)


def _told(gathered: Gathered, place: int, score: VideoScore) -> str:
    """Tell in a sentence what a reader found of what the reviewer holds."""
    events = score.events
    found = f"found {events.matched[0]} of {count(events.truth, 'event')} of the reviewer"
    if not events.truth:
        found = "had no event of the reviewer to find"
    extra = events.predicted - events.matched[0]
    more = f"pointed to {count(extra, 'stretch', 'stretches')} that a person looked at and does not"
    unseen = f" {count(events.unseen, 'event')} could not be seen by it." if events.unseen else ""
    return f"Reader {badge_of(gathered.rows, place)} {found}, and {more} hold.{unseen}"


def _table(
    gathered: Gathered, scores: Mapping[int, VideoScore], wanted: tuple[tuple[str, str], ...]
) -> Block:
    rows = []
    for place, score in scores.items():
        line = video_line(score)
        cells = [_cell(line, key) for key, _ in wanted]
        if wanted is _WINDOWS:
            cells.append(_kappa(gathered, place))
        rows.append({**name_block(gathered, place), "cells": [_base(score, wanted), *cells]})
    first = "Windows" if wanted is _WINDOWS else "Events: reviewer, reader"
    heads = [first, *(head for _, head in wanted)]
    return {"heads": [*heads, "Kappa"] if wanted is _WINDOWS else heads, "rows": rows}


def _base(score: VideoScore, wanted: tuple[tuple[str, str], ...]) -> list[str]:
    if wanted is _WINDOWS:
        return [str(score.windows.judged), ""]
    return [f"{score.events.truth}, {score.events.predicted}", ""]


def _cell(line: Line, key: str) -> list[str]:
    """Give a figure, and what it is out of or why there is none."""
    figure, share = line.figures[key], line.shares[key]
    if figure.value is None:
        return [UNDEFINED, _SHORT.get(figure.reason, figure.reason)]
    return [show_figure(figure, 0, 100, "%"), f"{share.count} of {share.of}"]


def _kappa(gathered: Gathered, place: int) -> list[str]:
    kappa = agreement_of(gathered.rows[0], gathered.rows[place]).kappa
    return [show_figure(kappa, 2), kappa.reason]


def _left_out(gathered: Gathered) -> list[str]:
    """Say for each row what is in no figure."""
    told = []
    for place, row in enumerate(gathered.rows):
        gaps = [
            f"{count(row.number(sign), 'window')} {words}"
            for sign, words in (
                (Sign.HIDDEN, "without a visible face"),
                (Sign.FAILED, "without a usable answer"),
                (Sign.UNREAD, "not read"),
                (Sign.OPEN, "with a suggestion nobody has checked"),
            )
            if row.number(sign)
        ]
        if gaps:
            who = "Reviewer" if row.is_reviewer else f"Reader {badge_of(gathered.rows, place)}"
            told.append(f"{who}: {listed(gaps)}.")
    return told
