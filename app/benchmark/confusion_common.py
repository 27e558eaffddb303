"""Readers on the windows, or clips, that every one of them judged: the fair comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.benchmark.confusion_clips import Recognition, recognition_of
from app.benchmark.confusion_results import ConfusionResults, ReaderResult
from app.benchmark.confusion_scores import NO, YES, Localization, localization_of
from app.scoring.localization import Line
from app.scoring.windows import WindowCounts, merged


@dataclass(frozen=True, slots=True)
class OnCommonGround:
    """One reader on what all readers judged."""

    reader: str
    line: Line
    """Of all clips, or of all videos pooled."""
    windows: WindowCounts


def on_common_ground(results: ConfusionResults) -> tuple[OnCommonGround, ...]:
    """Compare readers on what all of them judged; nothing where that is everything anyway."""
    return (
        *(OnCommonGround(r.reader, r.line, r.windows) for r in common_recognitions(results)),
        *(
            OnCommonGround(r.reader, r.micro, r.pooled.windows)
            for r in common_localizations(results)
        ),
    )


def common_localizations(results: ConfusionResults) -> tuple[Localization, ...]:
    """Score every reader anew without the time that any of them could not judge.

    Returns:
        Nothing where there are fewer than two readers with marks, or all judged the same windows.
    """
    told = [each for each in results.readers if each.marked]
    if len(told) < 2 or _is_same(told):
        return ()
    out = [
        tuple(span for each in told for span in each.marked[at].left_out)
        for at in range(len(results.videos))
    ]
    return tuple(
        localization_of(
            each.reader,
            results.videos,
            [replace(video, left_out=out[at]) for at, video in enumerate(each.marked)],
        )
        for each in told
    )


def common_recognitions(results: ConfusionResults) -> tuple[Recognition, ...]:
    """Score every reader anew on the clips that all of them answered.

    Returns:
        Nothing where there are fewer than two readers with answers, or all answered the same.
    """
    told = [each for each in results.recognitions if each.answers]
    answered = [{a.clip.clip_id for a in each.answers if a.said in (YES, NO)} for each in told]
    if len(told) < 2 or all(some == answered[0] for some in answered):
        return ()
    shared = set.intersection(*answered)
    return tuple(
        recognition_of(each.reader, [a for a in each.answers if a.clip.clip_id in shared])
        for each in told
    )


def _is_same(readers: Sequence[ReaderResult]) -> bool:
    """Say whether nobody left any time out that another judged."""
    first, *others = (
        [merged([span for _, span in video.left_out]) for video in each.marked] for each in readers
    )
    return all(other == first for other in others)
