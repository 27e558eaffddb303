"""Confirmed events and suggestions as the report prints them: pictures, signs, what is against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.confusion.records import EventDecision
from app.confusion.review import LearnerReview
from app.confusion.rows import Row
from app.confusion.stretches import (
    Stretch,
    confirmed_stretches,
    dismissed_events,
    suggested_stretches,
    weightiest,
)
from app.lesson.spans import show_time
from reports.confusion_bands import BLUE, badge_of
from reports.confusion_pictures import A_STRETCH, MOST_SUGGESTIONS, stretch_times
from reports.confusion_words import (
    FULL_LETTERS,
    NAME_LETTERS,
    Said,
    against,
    by_badge,
    cut,
    decided,
    in_short,
    said_of,
    seen_by,
)
from reports.wording import count, listed, show_length

Block = dict[str, Any]
MOST_SHORT = 8
"""Stretches the one-page report may try to find room for."""


def event_blocks(
    review: LearnerReview, rows: Sequence[Row], pictures: Mapping[int, str], *, full: bool
) -> Block:
    """Gather the events for the template.

    Args:
        review: The video.
        rows: Its rows of bands, for their badges.
        pictures: Names of the picture files that are there, by moment.
        full: All of them at length; else the first few, in short.

    Returns:
        `confirmed`, `suggested`, `listed` (suggestions that are only named), `dismissed`, and the
        numbers of all.
    """
    badges = {row.name: badge_of(rows, n) for n, row in enumerate(rows) if not row.is_reviewer}
    confirmed, suggested = confirmed_stretches(review), suggested_stretches(review)
    shown = weightiest(suggested, MOST_SUGGESTIONS if full else MOST_SHORT)
    spelt = confirmed if full else confirmed[:MOST_SHORT]
    return {
        "confirmed": [_block(review, s, badges, pictures, full=full) for s in spelt],
        "suggested": [_block(review, s, badges, pictures, full=full) for s in shown],
        "listed": [_line(s, badges) for s in suggested if s not in shown],
        "dismissed": [_dismissed(decision) for decision in dismissed_events(review)],
        "confirmed_in_all": len(confirmed),
        "suggested_in_all": len(suggested),
    }


def place_of(stretch: Stretch) -> str:
    """Say where a stretch lies: `1:40 to 1:52`."""
    return f"{show_time(stretch.event.start_ms)} to {show_time(stretch.event.end_ms)}"


def _block(
    review: LearnerReview,
    stretch: Stretch,
    badges: dict[str, str],
    pictures: Mapping[int, str],
    *,
    full: bool,
) -> Block:
    said = said_of(stretch, badges, FULL_LETTERS if full else NAME_LETTERS)
    video = review.media.video if review.media is not None and review.media_found else None
    times = [*stretch_times(stretch, video, A_STRETCH if full else 1)]
    seen, not_so = in_short(said)
    length = show_length(stretch.event.end_ms - stretch.event.start_ms)
    return {
        "confirmed": stretch.is_confirmed,
        "place": place_of(stretch),
        "length": length,
        "by": [decided(d) for d in stretch.decisions] or [_suggested(said, full=full)],
        "notes": [d.note for d in stretch.decisions if d.note],
        "short": {
            "seen": _capital(seen),
            "against": _capital(not_so),
            "note": cut(stretch.decisions[0].note if stretch.decisions else "", 90),
        },
        "seen": [_seen(stretch, each) for each in said if each.finds] if full else [],
        "against": against(stretch, said, dismissed_events(review)) if full else [],
        "pictures": [
            {"file": pictures[t], "time": show_time(t, tenths=True)} for t in times if t in pictures
        ],
        "pictures_missing": bool(times) and not any(t in pictures for t in times),
    }


def _suggested(said: Sequence[Said], *, full: bool) -> str:
    finders = [each for each in said if each.finds]
    names = listed([each.name for each in finders]) if full else by_badge(finders)
    return f"Suggested by {names}; no person has checked it yet."


def _seen(stretch: Stretch, each: Said) -> Block:
    own = [f.event for f in stretch.found if f.reader == each.reader]
    places = [f"{show_time(e.start_ms)} to {show_time(e.end_ms)}" for e in own[:4]]
    more = f" and {count(len(own) - 4, 'more event')}" if len(own) > 4 else ""
    return {
        "badge": {"id": each.badge, "fill": BLUE, "ink": "#FFFFFF"},
        "name": each.name,
        "words": f"{', '.join(places)}{more}; {seen_by(each)}",
    }


def _line(stretch: Stretch, badges: dict[str, str]) -> list[str]:
    names = dict.fromkeys(badges.get(f.reader, f.reader) for f in stretch.found)
    length = show_length(stretch.event.end_ms - stretch.event.start_ms)
    return [place_of(stretch), length, ", ".join(names)]


def _dismissed(decision: EventDecision) -> list[str]:
    place = f"{show_time(decision.start_ms)} to {show_time(decision.end_ms)}"
    return [place, decision.reader, decision.author, decision.note]


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
