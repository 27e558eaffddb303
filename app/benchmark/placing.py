"""Where the clips of a table lie in their recording and transcript."""

from __future__ import annotations

from collections.abc import Sequence

from app.benchmark.problems import Problem
from app.benchmark.rows import Wanted
from app.lesson.clips import Clip, middle_ms
from app.lesson.media.facts import MediaFacts
from app.lesson.spans import Span, show_time
from app.lesson.transcript.records import Utterance, span_of

PROPOSED_BY = "coded table"
SLACK_MS = 1000
"""By how much a clip may end after its recording; people round times up to whole seconds."""


class _Misplaced(Exception):
    """A clip cannot lie where its table says; the message says why."""


def place_clips(
    wanted: Sequence[Wanted], media: MediaFacts | None, utterances: Sequence[Utterance]
) -> tuple[tuple[Clip, ...], list[Problem], list[str]]:
    """Lay the clips of one recording or transcript into it.

    Returns:
        The clips in the order of the table, what is wrong with the others, and what was set right
        on the way.
    """
    placed: list[Clip] = []
    problems: list[Problem] = []
    notes: list[str] = []
    taken: dict[tuple[int, int, int | None, int | None], int] = {}
    for clip in wanted:
        try:
            found = _place(clip, media, utterances, notes)
        except _Misplaced as error:
            problems.append(Problem(clip.line, str(error)))
            continue
        where = (found.first, found.last, found.start_ms, found.end_ms)
        earlier = taken.setdefault(where, clip.line)
        if earlier != clip.line:
            what = (
                f"The clip {clip.clip_id} is the same stretch as the one in line {earlier}; give "
                "all its codes in one row."
            )
            problems.append(Problem(clip.line, what))
            continue
        placed.append(found)
    return tuple(placed), problems, notes


def _place(
    wanted: Wanted, media: MediaFacts | None, utterances: Sequence[Utterance], notes: list[str]
) -> Clip:
    if wanted.lines is not None:
        span = None
        numbers = _numbered(wanted.lines, utterances)
    elif wanted.span is not None:
        span = _inside(wanted.clip_id, wanted.span, media, notes)
        numbers = _spoken_in(span, utterances)
    else:
        span = media.span if media else None
        numbers = [line.number for line in utterances]
    if not any(u.is_sound for u in utterances if numbers[0] <= u.number <= numbers[-1]):
        raise _Misplaced("None of the words in this clip can be used: all are marked as doubtful.")
    span = span or span_of(utterances, numbers)
    start_ms, end_ms = (span.start_ms, span.end_ms) if span else (None, None)
    return Clip(wanted.clip_id, numbers[0], numbers[-1], start_ms, end_ms, PROPOSED_BY)


def _inside(name: str, span: Span, media: MediaFacts | None, notes: list[str]) -> Span:
    if media is None:
        return span
    ends = media.span.end_ms
    if span.start_ms >= ends or span.end_ms > ends + SLACK_MS:
        raise _Misplaced(
            f"The clip ends at {show_time(span.end_ms)}, but the recording at {show_time(ends)}."
        )
    if span.end_ms <= ends:
        return span
    over = span.end_ms - ends
    notes.append(f"{name} ended {over} ms after its recording; it was cut to the recording's end.")
    return Span(span.start_ms, ends)


def _numbered(lines: tuple[int, int], utterances: Sequence[Utterance]) -> list[int]:
    there = {line.number for line in utterances}
    for number in lines:
        if number not in there:
            raise _Misplaced(
                f"There is no utterance {number}; the transcript has {min(there)} to {max(there)}."
            )
    return list(range(lines[0], lines[1] + 1))


def _spoken_in(span: Span, utterances: Sequence[Utterance]) -> list[int]:
    moments = [(line.number, middle_ms(utterances, at)) for at, line in enumerate(utterances)]
    if all(moment is None for _, moment in moments):
        raise _Misplaced(
            "The transcript has no times, so that a clip with times cannot be found in it; give "
            "its first and last utterance instead."
        )
    inside = [number for number, moment in moments if moment is not None and span.holds(moment)]
    if not inside:
        shown = f"{show_time(span.start_ms)} and {show_time(span.end_ms)}"
        raise _Misplaced(f"The transcript has no words between {shown}.")
    return [min(inside), max(inside)]
