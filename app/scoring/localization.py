"""Readers against people over whole videos: each video, all pooled, and the average video.

The definitions are those that reproduce Tables 2 and 3 of ConfusionBench from its counts: micro
figures pool the counts of all videos, macro figures average the figures of the videos.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from app.scoring.events import THRESHOLDS, EventCounts, add_events
from app.scoring.figures import Figure
from app.scoring.intervals import Floats, Interval, bootstrap, divide, wilson
from app.scoring.proportions import Proportion
from app.scoring.rounding import exact_share
from app.scoring.windows import WindowCounts, add_counts

LEFT_OUT = ("not visible", "failed", "not read")
"""Why a window is in no share: no usable face, no usable answer, not looked at."""


@dataclass(frozen=True, slots=True)
class VideoScore:
    """One reader over one video, in counts."""

    video: str
    windows: WindowCounts
    events: EventCounts
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Windows in no share, by the reasons of `LEFT_OUT`; those without any may be absent."""

    @property
    def all_windows(self) -> int:
        """Windows of the video, also those that are in no share."""
        return self.windows.judged + sum(self.left_out.values())


@dataclass(frozen=True, slots=True)
class Line:
    """One line of figures: of a video, of all pooled, or of the average video."""

    name: str
    truth_events: Fraction
    """A whole number but for the average video."""
    predicted_events: Fraction
    figures: Mapping[str, Figure]
    """By the keys of `RATES`."""
    shares: Mapping[str, Proportion] = field(default_factory=dict)
    """What each figure is out of; empty for the average video, where `Figure.n` counts videos."""
    exact: Mapping[str, Fraction | None] = field(default_factory=dict)
    """The figures as fractions, for printing."""


@dataclass(frozen=True, slots=True)
class Rate:
    """One rate of a video."""

    share: Callable[[VideoScore], Proportion]
    shared: Callable[[VideoScore], Proportion] | None
    """For an F1, the plain share from which it follows."""
    why_not: str
    """What it means that there is nothing to divide by."""


NO_VIDEO = "it is undefined in every video"
_NOTHING = "no window that could be judged is confused, and none was predicted to be"


def _rates() -> dict[str, Rate]:
    found = {
        "accuracy": Rate(lambda s: s.windows.accuracy, None, "no window could be judged"),
        "precision": Rate(
            lambda s: s.windows.precision, None, "no window was predicted to be confused"
        ),
        "recall": Rate(
            lambda s: s.windows.recall, None, "no window that could be judged is confused"
        ),
        "f1": Rate(lambda s: s.windows.f1, lambda s: s.windows.tiou, _NOTHING),
        "tiou": Rate(lambda s: s.windows.tiou, None, _NOTHING),
    }
    for at, share in enumerate(THRESHOLDS):
        found |= {f"{key}_at_{float(share)}": rate for key, rate in _event_rates(at).items()}
    return found


def _event_rates(at: int) -> dict[str, Rate]:
    return {
        "p": Rate(lambda s: s.events.precision(at), None, "no event was predicted"),
        "r": Rate(lambda s: s.events.recall(at), None, "there is no event that could be seen"),
        "f1": Rate(
            lambda s: s.events.f1(at),
            lambda s: s.events.shared(at),
            "there is no event that could be seen, and none was predicted",
        ),
    }


RATES: Mapping[str, Rate] = _rates()
"""Every rate of a video by its key, in the order of the paper's columns."""


def pool(scores: Sequence[VideoScore], name: str) -> VideoScore:
    """Add up the counts of all videos."""
    left_out = {why: sum(s.left_out.get(why, 0) for s in scores) for why in LEFT_OUT}
    return VideoScore(
        name,
        add_counts([score.windows for score in scores]),
        add_events([score.events for score in scores]),
        left_out,
    )


def video_line(score: VideoScore) -> Line:
    """Give the figures of one video.

    Intervals are Wilson's, as if windows that follow each other were independent; they are not, so
    the intervals are narrower than they should be, and whoever prints them says so. F1 is no plain
    share; it follows from one (2s/(1+s) of the shared over all), and so does its interval.
    """
    shares = {key: rate.share(score) for key, rate in RATES.items()}
    figures = {key: _figure(rate, score) for key, rate in RATES.items()}
    return _line(score.video, score, figures, shares)


def micro_line(scores: Sequence[VideoScore], name: str = "micro") -> Line:
    """Give the figures of all videos pooled, with intervals from drawing whole videos."""
    pooled = pool(scores, name)
    shares = {key: rate.share(pooled) for key, rate in RATES.items()}
    figures = {}
    for key, rate in RATES.items():
        of_videos = [rate.share(score) for score in scores]
        counts = np.array([(each.count, each.of) for each in of_videos], dtype=float)
        known = sum(share.of > 0 for share in of_videos)
        interval = _drawn(len(scores), known, _pooled(counts.reshape(-1, 2)))
        figures[key] = _with(shares[key], rate.why_not, interval)
    return _line(name, pooled, figures, shares)


def macro_line(
    scores: Sequence[VideoScore], name: str = "macro", *, undefined_as_zero: bool = False
) -> Line:
    """Average the figures of the videos, with intervals from drawing whole videos.

    Args:
        scores: The videos.
        name: Of the line.
        undefined_as_zero: As the published tables do, save for videos of which nothing at all
            could be judged, which the paper does not have. Otherwise a figure is averaged over
            the videos in which it is defined; its `n` says how many videos it is over.
    """
    figures, exact = {}, {}
    for key, rate in RATES.items():
        of_videos = [exact_share(rate.share(score)) for score in scores]
        if undefined_as_zero:
            of_videos = [_or_zero(*pair) for pair in zip(of_videos, scores, strict=True)]
        known = [value for value in of_videos if value is not None]
        exact[key] = sum(known, Fraction(0)) / len(known) if known else None
        values = np.array([np.nan if v is None else float(v) for v in of_videos], dtype=float)
        figures[key] = _mean_figure(
            exact[key], len(known), _drawn(len(scores), len(known), _means(values))
        )
    count = max(len(scores), 1)
    return Line(
        name,
        Fraction(sum(score.events.truth for score in scores), count),
        Fraction(sum(score.events.predicted for score in scores), count),
        figures,
        exact=exact,
    )


def _or_zero(value: Fraction | None, score: VideoScore) -> Fraction | None:
    return Fraction(0) if value is None and score.windows.judged else value


def _line(
    name: str, score: VideoScore, figures: Mapping[str, Figure], shares: Mapping[str, Proportion]
) -> Line:
    return Line(
        name,
        Fraction(score.events.truth),
        Fraction(score.events.predicted),
        figures,
        shares,
        {key: exact_share(share) for key, share in shares.items()},
    )


def _figure(rate: Rate, score: VideoScore) -> Figure:
    share = rate.share(score)
    interval = wilson(share) if rate.shared is None else f1_interval(rate.shared(score))
    return _with(share, rate.why_not, interval)


def f1_interval(shared: Proportion) -> Interval | None:
    """Give the interval of F1 = 2s/(1+s) from that of the share s of TP in TP+FP+FN.

    F1 rises with s, so that the ends of Wilson's interval of s give the ends of F1's.
    """
    found = wilson(shared)
    if found is None:
        return None
    return Interval(2 * found.low / (1 + found.low), 2 * found.high / (1 + found.high))


def _with(share: Proportion, reason: str, interval: Interval | None) -> Figure:
    if share.share is None:
        return Figure(None, 0, None, reason)
    return Figure(share.share, share.of, interval)


def _mean_figure(mean: Fraction | None, videos: int, interval: Interval | None) -> Figure:
    if mean is None:
        return Figure(None, 0, None, NO_VIDEO)
    return Figure(float(mean), videos, interval)


Statistic = Callable[[NDArray[np.int64]], Floats]


def _drawn(videos: int, known: int, statistic: Statistic) -> Interval | None:
    """Draw whole videos; where one alone has anything to count, nothing can be said of others."""
    return bootstrap(videos, statistic) if known > 1 else None


def _pooled(counts: Floats) -> Statistic:
    """Give the share over drawn videos: `counts` is (videos, 2), count and of."""

    def share(drawn: NDArray[np.int64]) -> Floats:
        return divide(counts[drawn, 0].sum(axis=1), counts[drawn, 1].sum(axis=1))

    return share


def _means(values: Floats) -> Statistic:
    """Give the mean over drawn videos in which there is a value: `values` is (videos,)."""
    is_there = ~np.isnan(values)
    filled = np.where(is_there, values, 0.0)

    def mean(drawn: NDArray[np.int64]) -> Floats:
        return divide(filled[drawn].sum(axis=1), is_there[drawn].sum(axis=1).astype(float))

    return mean
