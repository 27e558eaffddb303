"""How much of a lesson each practice holds, by what people decided: arithmetic for the talk.

Time is that of the clips as they were when somebody decided on them. Where two of them overlap, a
moment counts once for each practice. Without times, clips are counted instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from app.lesson.clips import Clip
from app.lesson.spans import Span
from app.scoring.proportions import Proportion

BREAK_MS = 10_000
"""A longer pause between two clips ends a stretch; ours, since proposed clips leave silence out."""


@dataclass(frozen=True, slots=True)
class Looked:
    """A clip that people decided on, and the practices that hold in it."""

    place: int
    """Its place among the clips of the lesson, from 1."""
    clip: Clip
    """As it was when they decided."""
    practices: tuple[str, ...]
    """All that hold, the main one first; none where no practice shows."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Clips of one practice that follow one another."""

    first: int
    """Place of its first clip, from 1."""
    last: int
    clips: int
    span: Span | None
    """From its first moment to its last; `None` where clips are counted instead of time."""
    time_ms: int | None
    """Time inside its clips: the pauses between them are not in it."""


@dataclass(frozen=True, slots=True)
class PracticeShare:
    """How much of what people decided on one practice holds."""

    practice: str
    clips: int
    """Clips in which it holds, those without times too."""
    share: Proportion
    """Milliseconds of milliseconds, or clips of clips where there are no times."""
    longest: Stretch | None
    """`None` when it holds nowhere; the earliest of several that are as long."""


@dataclass(frozen=True, slots=True)
class Shares:
    """How the practices share what people decided on.

    A clip counts for each practice that holds in it, so the shares may add up to more than all.
    """

    by_time: bool
    """Whether milliseconds are counted; else clips."""
    decided: int
    """Milliseconds, or clips, that people decided on: the denominator of each share."""
    clips: int
    """Clips that people decided on."""
    untimed: int
    """Those of them without times, which are not in the milliseconds."""
    practices: tuple[PracticeShare, ...]
    shared_clips: int
    """Clips in which more than one practice holds."""


def share_out(looked: Sequence[Looked], practices: Sequence[str], clips: Sequence[Clip]) -> Shares:
    """Count what each practice holds.

    Args:
        looked: The clips that people decided on.
        practices: All practices, in the order wanted.
        clips: All clips of the lesson as they are now; one of them in between ends a stretch.
    """
    timed = [one for one in looked if one.clip.span is not None]
    by_time = bool(timed)
    decided = total_ms(spans_of(looked)) if by_time else len(looked)
    counted = timed if by_time else list(looked)
    others = [clip.span for clip in clips if clip.span is not None] + spans_of(looked)
    return Shares(
        by_time=by_time,
        decided=decided,
        clips=len(looked),
        untimed=len(looked) - len(timed),
        practices=tuple(_of_practice(p, looked, counted, decided, others) for p in practices),
        shared_clips=sum(len(set(one.practices)) > 1 for one in looked),
    )


def spans_of(looked: Iterable[Looked]) -> list[Span]:
    """Give the stretches of time of some clips; those without times have none."""
    return [one.clip.span for one in looked if one.clip.span is not None]


def covered(spans: Iterable[Span]) -> list[Span]:
    """Give the time that some stretches cover, in order, as stretches that do not touch."""
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start_ms <= joined[-1].end_ms:
            end_ms = max(joined[-1].end_ms, span.end_ms)
            joined[-1] = Span(joined[-1].start_ms, end_ms)
        else:
            joined.append(span)
    return joined


def total_ms(spans: Iterable[Span]) -> int:
    """Give how much time some stretches cover together, in ms; overlaps count once."""
    return sum(span.duration_ms for span in covered(spans))


def _of_practice(
    practice: str,
    looked: Sequence[Looked],
    counted: Sequence[Looked],
    decided: int,
    others: Sequence[Span],
) -> PracticeShare:
    holds = [one for one in looked if practice in one.practices]
    mine = [one for one in counted if practice in one.practices]
    if any(one.clip.span is not None for one in counted):
        held, runs = total_ms(spans_of(mine)), _runs_of_time(mine, others)
    else:
        held, runs = len(mine), _runs_of_clips(mine)
    longest = max(runs, key=lambda run: (run.time_ms or run.clips, -run.first), default=None)
    return PracticeShare(practice, len(holds), Proportion(held, decided), longest)


def _runs_of_time(mine: Sequence[Looked], others: Sequence[Span]) -> list[Stretch]:
    """Join clips that overlap, touch or follow after a short pause with no other clip in it."""
    stretches = covered(spans_of(mine))
    runs: list[list[Span]] = [[stretches[0]]] if stretches else []
    for before, after in pairwise(stretches):
        pause = Span(before.end_ms, after.start_ms)
        if pause.duration_ms <= BREAK_MS and not any(pause.overlap_ms(o) for o in others):
            runs[-1].append(after)
        else:
            runs.append([after])
    return [_stretch(run, mine) for run in runs]


def _stretch(run: Sequence[Span], mine: Sequence[Looked]) -> Stretch:
    whole = Span(run[0].start_ms, run[-1].end_ms)
    inside = [o.place for o in mine if o.clip.span is not None and whole.contains(o.clip.span)]
    return Stretch(min(inside), max(inside), len(inside), whole, total_ms(run))


def _runs_of_clips(mine: Sequence[Looked]) -> list[Stretch]:
    """Join clips whose places follow one another."""
    runs: list[list[int]] = []
    for place in sorted(one.place for one in mine):
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return [Stretch(run[0], run[-1], len(run), None, None) for run in runs]
