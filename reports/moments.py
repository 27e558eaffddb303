"""Which pictures of a recording a page shows: the poster and the moments of cited evidence."""

from __future__ import annotations

from collections.abc import Iterator

from app.coding.records import Check, Evidence, Prediction
from app.coding.review import LessonReview
from app.lesson.media.facts import VideoFacts

LONG_MS = 8_000
"""Evidence longer than this gets two pictures instead of one."""
APART_MS = 1_500
"""Pictures of one clip closer than this show the same thing; the first is kept."""
MOST_PICTURES = 240
"""Above this, each clip keeps only its first picture, so that the page can be sent by mail."""
_POSTER_SHARE = 0.2


def suggestions(review: LessonReview, clip_id: str) -> list[Prediction]:
    """Give the latest prediction of each coder for a clip, coders in order of first appearance."""
    latest = {p.coder: p for p in review.predictions if p.clip.clip_id == clip_id}
    return list(latest.values())


def poster_time(review: LessonReview) -> int | None:
    """Give the moment of the picture that stands for the lesson; `None` without a picture.

    A fifth into the recording, past the black or shaken beginning.
    """
    video = _video(review)
    if video is None:
        return None
    return video.first_ms + int((video.end_ms - video.first_ms) * _POSTER_SHARE)


def evidence_times(review: LessonReview) -> dict[tuple[str, str, int], tuple[int, ...]]:
    """Give the moments to show for each piece of evidence: by clip, coder and its place there."""
    video = _video(review)
    if video is None:
        return {}
    times = {
        key: found for clip in review.clips for key, found in _of_clip(review, clip.clip_id, video)
    }
    if sum(map(len, times.values())) <= MOST_PICTURES:
        return times
    first: dict[str, tuple[tuple[str, str, int], tuple[int, ...]]] = {}
    for key, found in times.items():
        first.setdefault(key[0], (key, found[:1]))
    return dict(list(first.values())[:MOST_PICTURES])


def _of_clip(
    review: LessonReview, clip_id: str, video: VideoFacts
) -> Iterator[tuple[tuple[str, str, int], tuple[int, ...]]]:
    shown: list[int] = []
    for prediction in suggestions(review, clip_id):
        for place, evidence in enumerate(prediction.evidence):
            new = tuple(
                t
                for t in _moments(evidence, video)
                if all(abs(t - other) >= APART_MS for other in shown)
            )
            shown += new
            if new:
                yield (clip_id, prediction.coder, place), new


def _moments(evidence: Evidence, video: VideoFacts) -> list[int]:
    """The middle of the evidence, or two moments of a long stretch, inside the picture."""
    if evidence.start_ms is None or not (evidence.check.supports or evidence.check is Check.SEEN):
        return []
    end_ms = evidence.end_ms if evidence.end_ms is not None else evidence.start_ms
    length_ms = max(0, end_ms - evidence.start_ms)
    shares = (0.25, 0.75) if length_ms > LONG_MS else (0.5,)
    times = [evidence.start_ms + int(length_ms * share) for share in shares]
    return [t for t in times if video.first_ms <= t < video.end_ms]


def _video(review: LessonReview) -> VideoFacts | None:
    if review.media is None or not review.media_found:
        return None
    return review.media.video
