"""A reader's events against people's, video by video: what `score confusion` counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.benchmark.confusion_tables import MarkedVideo, read_both
from app.confusion.windows import windows_of
from app.lesson.spans import Span
from app.scoring.events import count_events
from app.scoring.localization import (
    LEFT_OUT,
    Line,
    VideoScore,
    macro_line,
    micro_line,
    pool,
    video_line,
)
from app.scoring.windows import count_windows, mostly_in

YES, NO = "yes", "no"
MICRO, MACRO = "[Micro-Avg]", "[Macro-Avg]"
"""Names of the last two lines, as the paper writes them."""


@dataclass(frozen=True, slots=True)
class Localization:
    """One reader over a set of videos."""

    reader: str
    scores: tuple[VideoScore, ...]
    """In the order of people's table."""
    videos: tuple[Line, ...]
    micro: Line
    macro: Line
    """Averages over the videos in which a figure is defined."""
    macro_with_zeros: Line
    """Averages as the published tables take them: what is undefined counts as 0."""

    @property
    def pooled(self) -> VideoScore:
        """The counts of all videos together."""
        return pool(self.scores, MICRO)

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines, each video first."""
        return (*self.videos, self.micro, self.macro)


def score_tables(truth: Path, predicted: Path) -> Localization:
    """Score a table of a reader's events against people's.

    Raises:
        TablesRefused: Anything is wrong with either; all of it is told.
    """
    true, given = read_both(truth, predicted)
    return localization_of(predicted.stem, true, given)


def localization_of(
    reader: str, truth: Sequence[MarkedVideo], predicted: Sequence[MarkedVideo]
) -> Localization:
    """Give every figure of a reader over videos; both come in the same order."""
    pairs = zip(truth, predicted, strict=True)
    return localization_from([score_video(true, given) for true, given in pairs], reader)


def localization_from(scores: Sequence[VideoScore], reader: str) -> Localization:
    """Give every figure of a reader from the counts of each video."""
    return Localization(
        reader,
        tuple(scores),
        tuple(map(video_line, scores)),
        micro_line(scores, MICRO),
        macro_line(scores, MACRO),
        macro_line(scores, MACRO, undefined_as_zero=True),
    )


def score_video(truth: MarkedVideo, predicted: MarkedVideo) -> VideoScore:
    """Count the windows and events of one video; time that was not judged is in no count."""
    windows = windows_of(Span(0, truth.duration_ms))
    out = [span for _, span in predicted.left_out]
    words = words_of(windows, predicted)
    return VideoScore(
        truth.video,
        count_windows(windows, truth.events, predicted.events, out),
        count_events(truth.events, predicted.events, out),
        {why: words.count(why) for why in LEFT_OUT},
    )


def words_of(windows: Sequence[Span], marked: MarkedVideo) -> list[str]:
    """Give one word a window: `yes`, `no`, or that of `LEFT_OUT` which holds for most of it."""
    confused = mostly_in(windows, marked.events)
    out = mostly_in(windows, [span for _, span in marked.left_out])
    return [
        _why_out(window, marked) if is_out else YES if is_confused else NO
        for window, is_confused, is_out in zip(windows, confused, out, strict=True)
    ]


def _why_out(window: Span, marked: MarkedVideo) -> str:
    lost = dict.fromkeys(LEFT_OUT, 0)
    for why, span in marked.left_out:
        lost[why] += window.overlap_ms(span)
    return max(LEFT_OUT, key=lost.__getitem__)
