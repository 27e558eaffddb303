"""Stretches of one activity: proposed by the program, moved, split and merged by a person."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.errors import Refused
from app.lesson.spans import Span, show_time
from app.lesson.transcript.records import Utterance, reach_ms, span_of


@dataclass(frozen=True, slots=True)
class Clip:
    """A stretch of one activity, given by the utterances in it and, where known, its times.

    Raises:
        ValueError: Holds no utterance and no time, or runs backwards.
    """

    clip_id: str
    """Stable name inside the lesson; kept when the clip is moved, new when it is split."""
    first: int
    """Number of the first utterance inside; 0 when no speech falls into the clip."""
    last: int
    """Number of the last utterance inside; 0 when no speech falls into the clip."""
    start_ms: int | None
    end_ms: int | None
    proposed_by: str = ""
    """`pauses-topics/2` for the program's proposal, else who drew it."""

    def __post_init__(self) -> None:
        if (self.start_ms is None) != (self.end_ms is None):
            raise ValueError(f"clip {self.clip_id} has only one of its two times")
        if self.start_ms is not None and self.end_ms is not None and self.start_ms >= self.end_ms:
            raise ValueError(f"clip {self.clip_id} runs from {self.start_ms} to {self.end_ms} ms")
        if self.first > self.last or (self.first == 0) != (self.last == 0):
            raise ValueError(f"clip {self.clip_id} holds utterances {self.first} to {self.last}")
        if self.first == 0 and self.start_ms is None:
            raise ValueError(f"clip {self.clip_id} holds neither time nor speech")

    @property
    def span(self) -> Span | None:
        """The clip's stretch of time; `None` when the transcript has no times."""
        if self.start_ms is None or self.end_ms is None:
            return None
        return Span(self.start_ms, self.end_ms)


@dataclass(frozen=True, slots=True)
class Lines:
    """Utterances from number `first` to number `last`, both inside: a place without times."""

    first: int
    last: int


Place = Span | Lines
"""Where a clip lies: a stretch of time, or utterances where there are no times."""


def draw_clip(
    clips: Sequence[Clip], utterances: Sequence[Utterance], place: Place, by: str
) -> tuple[Clip, ...]:
    """Add a clip that a person draws.

    Raises:
        Refused: The place holds nothing, or another clip lies there.
    """
    return _with(clips, [_clip_at(place, utterances, clips, (), by)])


def move_clip(
    clips: Sequence[Clip], clip_id: str, utterances: Sequence[Utterance], place: Place
) -> tuple[Clip, ...]:
    """Give a clip other edges; it keeps its name, and so what was decided about it.

    Raises:
        Refused: There is no such clip, the place holds nothing, or another clip lies there.
    """
    old = _named(clips, clip_id)
    others = [clip for clip in clips if clip.clip_id != clip_id]
    moved = _clip_at(place, utterances, others, (), old.proposed_by)
    return _with(others, [replace(moved, clip_id=clip_id)])


def split_clip(
    clips: Sequence[Clip],
    clip_id: str,
    utterances: Sequence[Utterance],
    by: str,
    *,
    at_ms: int | None = None,
    at_line: int | None = None,
) -> tuple[Clip, ...]:
    """Cut a clip in two, both with new names; `at_ms` or `at_line` begins the second.

    Raises:
        Refused: There is no such clip, the cut does not lie inside it, or one side is empty.
    """
    old = _named(clips, clip_id)
    others = [clip for clip in clips if clip.clip_id != clip_id]
    halves: tuple[Place, Place]
    if at_ms is not None and old.start_ms is not None and old.end_ms is not None:
        if not old.start_ms < at_ms < old.end_ms:
            raise Refused(
                f"The clip cannot be cut at {show_time(at_ms)}: that is not inside it.",
                f"It runs from {show_time(old.start_ms)} to {show_time(old.end_ms)}.",
            )
        halves = Span(old.start_ms, at_ms), Span(at_ms, old.end_ms)
    elif at_line is not None and old.first < at_line <= old.last:
        halves = Lines(old.first, at_line - 1), Lines(at_line, old.last)
    else:
        raise Refused(
            "The clip cannot be cut there: it would leave one side empty.",
            "Choose an utterance or a moment inside the clip.",
        )
    first = _clip_at(halves[0], utterances, others, (old,), by)
    second = _clip_at(halves[1], utterances, [*others, first], (old,), by)
    return _with(others, [first, second])


def merge_clips(
    clips: Sequence[Clip], first_id: str, second_id: str, utterances: Sequence[Utterance], by: str
) -> tuple[Clip, ...]:
    """Join two neighbours, and what lies between them, into one clip with a new name.

    Raises:
        Refused: One of them is not there, they are the same, or a third clip lies between them.
    """
    one, other = _named(clips, first_id), _named(clips, second_id)
    if one == other:
        raise Refused("A clip cannot be merged with itself.", "Choose its neighbour.")
    rest = [clip for clip in clips if clip.clip_id not in (first_id, second_id)]
    place: Place
    if one.span and other.span:
        place = Span(
            min(one.span.start_ms, other.span.start_ms), max(one.span.end_ms, other.span.end_ms)
        )
    else:
        spoken = [clip for clip in (one, other) if clip.first]
        if len(spoken) < 2:
            raise Refused("These clips cannot be merged: one has only a time, one only speech.")
        place = Lines(min(c.first for c in spoken), max(c.last for c in spoken))
    return _with(rest, [_clip_at(place, utterances, rest, (one, other), by)])


def name_clip(first: int, last: int, span: Span | None, since: Sequence[Clip] = ()) -> str:
    """Make a clip's name from where it lies and what was there when it was cut.

    The same cut gives the same name, so that undo and redo meet; another cut never takes over a
    name that decisions already hang on.

    Args:
        first: Number of its first utterance.
        last: Number of its last one.
        span: Its times, where they are known.
        since: Clips it was split or merged from; of one that is drawn, all others. Splitting and
            merging leave new names only, so the same others never come again after a clip that was
            drawn among them has been moved, split or merged.
    """
    told = (first, last, span and (span.start_ms, span.end_ms), [c.clip_id for c in since])
    return f"clip-{hashlib.sha256(repr(told).encode()).hexdigest()[:10]}"


def middle_ms(utterances: Sequence[Utterance], index: int) -> int | None:
    """Give the moment that decides into which clip an utterance falls; `None` without times."""
    start_ms, end_ms = reach_ms(utterances, index)
    if start_ms is None or end_ms is None:
        return start_ms
    return (start_ms + end_ms) // 2


def _clip_at(
    place: Place,
    utterances: Sequence[Utterance],
    others: Sequence[Clip],
    parents: Sequence[Clip],
    by: str,
) -> Clip:
    """Make the clip that lies at a place, or say why it cannot lie there."""
    if isinstance(place, Span):
        span: Span | None = place
        numbers = _numbers_in(place, utterances)
    else:
        numbers = [u.number for u in utterances if place.first <= u.number <= place.last]
        if not numbers:
            raise Refused(
                f"No utterance lies between {place.first} and {place.last}.",
                "Choose at least one line of the transcript.",
            )
        span = _clear_of(span_of(utterances, numbers), others)
    first, last = (numbers[0], numbers[-1]) if numbers else (0, 0)
    start_ms, end_ms = (span.start_ms, span.end_ms) if span else (None, None)
    name = name_clip(first, last, span, parents or sorted(others, key=lambda c: c.clip_id))
    clip = Clip(name, first, last, start_ms, end_ms, by)
    for other in others:
        if _overlap(clip, other):
            raise Refused(
                f"Another clip already lies there, {_where(other)}.",
                "Move or merge that one first.",
            )
    return clip


def _numbers_in(span: Span, utterances: Sequence[Utterance]) -> list[int]:
    """Give the numbers from the first to the last utterance whose middle lies in the span."""
    inside = []
    for index, line in enumerate(utterances):
        moment = middle_ms(utterances, index)
        if moment is not None and span.holds(moment):
            inside.append(line.number)
    return [min(inside), max(inside)] if inside else []


def _clear_of(span: Span | None, others: Sequence[Clip]) -> Span | None:
    """Trim a span taken from utterances, whose ends may run into the neighbours' speech."""
    if span is None:
        return None
    start_ms, end_ms = span.start_ms, span.end_ms
    for other in (clip.span for clip in others):
        if other and other.start_ms <= start_ms < other.end_ms:
            start_ms = other.end_ms
        elif other and start_ms < other.start_ms < end_ms:
            end_ms = other.start_ms
    return Span(start_ms, end_ms) if start_ms < end_ms else span


def _overlap(one: Clip, other: Clip) -> bool:
    if one.span and other.span and one.span.overlap_ms(other.span):
        return True
    return bool(one.first and other.first and one.first <= other.last and other.first <= one.last)


def _where(clip: Clip) -> str:
    if clip.span:
        return f"from {show_time(clip.start_ms)} to {show_time(clip.end_ms)}"
    return f"utterances {clip.first} to {clip.last}"


def _named(clips: Sequence[Clip], clip_id: str) -> Clip:
    for clip in clips:
        if clip.clip_id == clip_id:
            return clip
    raise Refused("The clip is no longer there.", "It may have been split or merged; choose again.")


def _with(clips: Sequence[Clip], new: Sequence[Clip]) -> tuple[Clip, ...]:
    """Give all clips in order of time, or of speech where there is no time."""
    together = [*clips, *new]
    if all(clip.start_ms is not None for clip in together):
        return tuple(sorted(together, key=lambda c: (c.start_ms or 0, c.first)))
    return tuple(sorted(together, key=lambda c: (c.first, c.start_ms or 0)))
