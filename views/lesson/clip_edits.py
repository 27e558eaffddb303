"""Moving an edge of a clip the way a hand on the timeline expects it."""

from __future__ import annotations

from collections.abc import Sequence

from app.errors import Refused
from app.lesson.clips import Clip, move_clip
from app.lesson.spans import Span, show_time
from app.lesson.transcript.records import Utterance

SHORTEST_MS = 500
"""Anything shorter is a slip of the hand."""


def move_edges(
    clips: Sequence[Clip],
    clip_id: str,
    start_ms: int,
    end_ms: int,
    utterances: Sequence[Utterance],
) -> tuple[Clip, ...]:
    """Give a clip other times; where it grows into a neighbour, the neighbour gives way.

    Proposed clips touch each other, so that otherwise no edge could be moved outwards.

    Raises:
        Refused: The clip, or what would be left of a neighbour, is too short.
    """
    if end_ms - start_ms < SHORTEST_MS:
        raise Refused(
            f"A clip from {show_time(start_ms, tenths=True)} to {show_time(end_ms, tenths=True)} "
            "is too short.",
            "Its start must lie before its end; move the playhead first.",
        )
    wanted = Span(start_ms, end_ms)
    moved = tuple(clips)
    for other in clips:
        if other.clip_id != clip_id and other.span and other.span.overlap_ms(wanted):
            moved = move_clip(moved, other.clip_id, utterances, _left_of(other.span, wanted))
    return move_clip(moved, clip_id, utterances, wanted)


def _left_of(neighbour: Span, wanted: Span) -> Span:
    """Give what is left of a neighbour."""
    is_before = neighbour.start_ms < wanted.start_ms
    start_ms = neighbour.start_ms if is_before else wanted.end_ms
    end_ms = wanted.start_ms if is_before else neighbour.end_ms
    if end_ms - start_ms < SHORTEST_MS:
        raise Refused(
            f"The clip from {show_time(neighbour.start_ms)} to {show_time(neighbour.end_ms)} is "
            "in the way.",
            "Merge the two clips instead, or move this edge less far.",
        )
    return Span(start_ms, end_ms)
