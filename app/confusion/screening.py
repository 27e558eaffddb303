"""Two readers, one after the other: a fast one over everything, a stronger one where that pays.

A window that the fast reader finds positive is mapped to its 10 s segment, and the stronger reader
reads all five windows of that segment (ConfusionBench, section 3.2). The other windows keep what
the fast reader says, marked as not read again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from app.confusion.readers import Keep, LearnerMaterial, Reader
from app.confusion.records import Reading
from app.confusion.windows import segment_of, windows_of
from app.errors import Refused
from app.lesson.spans import Span
from app.running.plan import Plan
from app.running.protocols import Report

FIRST_SHARE = 0.5
"""Part of the progress that the fast reader is given."""

_KEPT = "not read again"

ReadFirst = Callable[[LearnerMaterial, Report, threading.Event], Sequence[Reading]]
"""Has the fast reader read all of a video, or gives what it has read already."""
FirstSoFar = Callable[[LearnerMaterial], Sequence[Reading] | None]
"""Gives what the fast reader has read of a whole video; `None` before it has."""


@dataclass(frozen=True, slots=True)
class ScreeningPlan:
    """What screening spares a stronger reader."""

    windows: int
    """Of the whole video."""
    positive: int | None
    """Windows that the fast reader finds positive; `None` before it has read."""
    reread: int
    """Windows that the stronger reader reads; all of them before the fast one has read."""
    calls: int
    """Answers wanted of the stronger reader's model."""
    calls_without: int
    """Answers that would be wanted without screening."""

    @property
    def is_known(self) -> bool:
        """Whether the fast reader has read, so that the figures are what will be, not the most."""
        return self.positive is not None

    @property
    def saved(self) -> int:
        """Calls saved."""
        return self.calls_without - self.calls

    @property
    def in_words(self) -> str:
        """Say it in a sentence."""
        if not self.is_known:
            return (
                f"At most {self.calls_without:,} calls of the stronger reader; how many are saved "
                "is known once the fast one has read the video."
            )
        return (
            f"{self.positive} of {self.windows} windows are positive; {self.reread} in their 10 s "
            f"segments are read again: {self.calls:,} of {self.calls_without:,} calls, "
            f"{self.saved:,} saved."
        )


def windows_to_reread(first: Sequence[Reading], span: Span) -> tuple[Span, ...]:
    """Give the windows of every segment in which the fast reader found a positive one, in order."""
    positive = [Span(r.start_ms, r.end_ms) for r in first if r.is_positive]
    segments = {segment_of(window, span) for window in positive}
    return tuple(w for w in windows_of(span) if segment_of(w, span) in segments)


def was_read_again(reading: Reading) -> bool:
    """Say of a window of a screening run whether the stronger reader gave its level."""
    return not reading.note.endswith(_KEPT)


class ScreeningReader:
    """A fast reader that screens for a stronger one; a `Reader`.

    Args:
        first: The fast reader.
        second: The stronger one.
        read_first: Has the first read a whole video; its readings are kept as its own bands.
        first_so_far: Gives them where it has.
    """

    def __init__(
        self, first: Reader, second: Reader, read_first: ReadFirst, first_so_far: FirstSoFar
    ) -> None:
        self._first, self._second = first, second
        self._read_first, self._first_so_far = read_first, first_so_far

    @property
    def name(self) -> str:
        """Both, e.g. `face-cues/1 then my-model x5`."""
        return f"{self._first.name} then {self._second.name}"

    def refusal(self, video: LearnerMaterial) -> Refused | None:
        """Say why one of the two cannot read a video; `None` when both can."""
        return self._first.refusal(video) or self._second.refusal(video)

    def provenance(self, video: LearnerMaterial) -> tuple[tuple[str, str], ...]:
        """Give what both rest on."""
        return (
            ("kind", "screening: the first reads all, the second where that found confusion"),
            *((f"first: {name}", told) for name, told in self._first.provenance(video)),
            *((f"then: {name}", told) for name, told in self._second.provenance(video)),
        )

    def screening(self, video: LearnerMaterial) -> ScreeningPlan:
        """Say what is spared; asks nothing.

        Raises:
            Refused: The second reader cannot read the video.
        """
        windows = windows_of(video.media.span)
        first = self._first_so_far(video)
        again = windows if first is None else windows_to_reread(first, video.media.span)
        return ScreeningPlan(
            len(windows),
            None if first is None else sum(r.is_positive is True for r in first),
            len(again),
            _calls(self._second.plan(video, again)),
            _calls(self._second.plan(video, windows)),
        )

    def screen(
        self, video: LearnerMaterial, report: Report, stop: threading.Event
    ) -> Sequence[Reading]:
        """Have the first read all of a video, or give what it has read.

        Raises:
            Cancelled, Paused, Refused: As `Reader.read`.
        """

        def first_report(share: float, doing: str) -> None:
            report(share * FIRST_SHARE, f"{self._first.name}: {doing}")

        return self._read_first(video, first_report, stop)

    def plan(self, video: LearnerMaterial, windows: Sequence[Span]) -> Plan | None:
        """Say what the second reader would be asked: at most, before the first has read.

        Raises:
            Refused: The second reader cannot read the video.
        """
        first = self._first_so_far(video)
        if first is None:
            return self._second.plan(video, windows)
        again = set(windows_to_reread(first, video.media.span))
        return self._second.plan(video, [w for w in windows if w in again])

    def read(
        self,
        video: LearnerMaterial,
        windows: Sequence[Span],
        keep: Keep,
        report: Report,
        stop: threading.Event,
    ) -> None:
        """Have the first read all, then the second what is worth it; see `Reader`.

        Windows that are not read again are given as soon as the first reader is done.
        """

        def then_report(share: float, doing: str) -> None:
            report(FIRST_SHARE + share * (1 - FIRST_SHARE), f"{self._second.name}: {doing}")

        first = self.screen(video, report, stop)
        said = {reading.start_ms: reading for reading in first}
        again = set(windows_to_reread(first, video.media.span))
        left = [said[w.start_ms] for w in windows if w not in again]
        if left:
            keep([_marked(reading) for reading in left])
        worth = [window for window in windows if window in again]
        if worth:
            self._second.read(video, worth, keep, then_report, stop)


def _marked(reading: Reading) -> Reading:
    """Mark that a window keeps what the fast reader says of it."""
    note = reading.note.rstrip(".")
    return replace(reading, note=f"{note}; {_KEPT}" if note else _KEPT)


def _calls(plan: Plan | None) -> int:
    return 0 if plan is None else len(plan.draws)
