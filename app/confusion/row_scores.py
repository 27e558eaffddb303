"""How each reader's row stands against the reviewer's, in the figures of ConfusionBench."""

from __future__ import annotations

from collections.abc import Iterable

from app.confusion.records import Event
from app.confusion.row_figures import agreement_of
from app.confusion.rows import Row, Sign
from app.lesson.spans import Span
from app.scoring.events import count_events
from app.scoring.localization import VideoScore
from app.scoring.windows import WindowCounts


def score_of(reviewer: Row, reader: Row) -> VideoScore:
    """Score a reader over one video as if what the reviewer holds were true.

    Windows and moments that either of them cannot judge are in no count: those without a visible
    face, without a usable answer or not read, and those with a suggestion nobody has checked yet.

    Raises:
        ValueError: The rows do not run over the same windows.
    """
    found = agreement_of(reviewer, reader)
    counts = WindowCounts(found.both, found.only_other, found.only_one, found.neither)
    out = [
        theirs.span
        for own, theirs in zip(reviewer.cells, reader.cells, strict=True)
        if not (own.sign.counts and theirs.sign.counts)
    ]
    events = count_events(_spans(reviewer.events), _spans(reader.events), out)
    left_out = {
        "not visible": reader.number(Sign.HIDDEN),
        "failed": reader.number(Sign.FAILED),
        "not read": reader.number(Sign.UNREAD),
    }
    return VideoScore(reader.name, counts, events, left_out)


def _spans(events: Iterable[Event]) -> list[Span]:
    return [Span(event.start_ms, event.end_ms) for event in events]
