"""Pictures of a learner for the report: which moments, made small, faces blurred on request."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageFilter, UnidentifiedImageError

from app.confusion.faces import FaceSeries
from app.confusion.review import LearnerReview
from app.confusion.stretches import (
    Stretch,
    confirmed_stretches,
    suggested_stretches,
    weightiest,
)
from app.lesson.media.facts import VideoFacts

MOST_PICTURES = 90
"""So that the full report can be sent by mail; what comes later has no picture and says so."""
MOST_SUGGESTIONS = 24
"""Suggestions told at length; the others stand in a list, and all in the table beside the page."""
A_STRETCH = 3
"""Pictures of one stretch in the full report; the short one has one."""
APART_MS = 1_200
"""Pictures closer than this show the same thing."""
NEAR_MS = 400
"""Faces seen this close to a picture's moment are blurred in it: one that was missed between two
looks is still there."""
AROUND_MS = 3_000
"""A face that was followed this close to a moment but is not known at it may be anywhere."""
_GROW = 0.45
"""How much of its size a face's box is made larger by on each side: for hair, ears and chin."""
_BLOCKS = 7
"""A blurred face is this many blocks wide, too few to know a person by."""
_PICTURE_PX = 640
_JPEG_QUALITY = 82

Box = tuple[float, float, float, float]
"""Left, top, right and bottom, as shares of the picture."""


def stretch_times(stretch: Stretch, video: VideoFacts | None, most: int = A_STRETCH) -> list[int]:
    """Choose the moments that show a stretch best: those its readers rest on, else its middle.

    Args:
        stretch: A stretch.
        video: The picture stream; without one there are no moments.
        most: How many at most.
    """
    if video is None:
        return []
    event = stretch.event
    inside = sorted({t for f in stretch.found for t in f.evidence_ms if _holds(stretch, t, video)})
    chosen: list[int] = []
    for place in range(most):
        # Spread over the stretch: the moment nearest to the middle of each of its parts.
        goal = event.start_ms + (2 * place + 1) * (event.end_ms - event.start_ms) // (2 * most)
        near = min(inside or [goal], key=lambda t: abs(t - goal))
        apart = all(abs(near - other) >= APART_MS for other in chosen)
        if _holds(stretch, near, video) and apart:
            chosen.append(near)
    return chosen


def picture_times(review: LearnerReview, *, full: bool) -> tuple[int, ...]:
    """Say which moments of the video the report may show, in ms on its own clock, in order.

    None when there is no picture or the recording is not where it was.
    """
    if review.media is None or not review.media_found:
        return ()
    video = review.media.video
    times: list[int] = []
    suggested = weightiest(suggested_stretches(review), MOST_SUGGESTIONS)
    for stretch in (*confirmed_stretches(review), *suggested):
        times += stretch_times(stretch, video, 1)
        times += stretch_times(stretch, video) if full else []
    return tuple(sorted(dict.fromkeys(times[:MOST_PICTURES])))


def small_pictures(
    pictures: Mapping[int, Path], faces: FaceSeries | None, *, blurred: bool
) -> dict[int, bytes]:
    """Make pictures small, without anything their files said of place or camera.

    Args:
        pictures: Files by moment; those that cannot be read are left out.
        faces: Where faces are. Where none is known at a moment, the whole picture is blurred.
        blurred: Whether to blur.
    """
    found = {}
    for time_ms, path in sorted(pictures.items()):
        boxes = boxes_at(faces, time_ms) if blurred else None
        data = _small(path, boxes)
        if data is not None:
            found[time_ms] = data
    return found


def boxes_at(faces: FaceSeries | None, time_ms: int) -> tuple[Box, ...]:
    """Give all faces seen around a moment, with some room around each.

    None when none is known, or when one that was there shortly before or after is not: then all
    of the picture is to be blurred.
    """
    if faces is None:
        return ()
    away = np.abs(faces.time_ms - time_ms)
    near = away <= NEAR_MS
    if set(faces.track[away <= AROUND_MS]) - set(faces.track[near]):
        return ()
    width, height = faces.frame_px
    boxes = []
    for left, top, wide, tall in faces.box[near].astype(float):
        sides = (left - _GROW * wide, top - _GROW * tall)
        far = (left + (1 + _GROW) * wide, top + (1 + _GROW) * tall)
        boxes.append((sides[0] / width, sides[1] / height, far[0] / width, far[1] / height))
    return tuple(boxes)


def blur(picture: Image.Image, boxes: Sequence[Box]) -> Image.Image:
    """Give the picture with the boxes coarsened for good; without boxes all of it."""
    blurred = picture.copy()
    for left, top, right, bottom in boxes or ((0.0, 0.0, 1.0, 1.0),):
        box = (
            max(0, int(left * picture.width)),
            max(0, int(top * picture.height)),
            min(picture.width, round(right * picture.width)),
            min(picture.height, round(bottom * picture.height)),
        )
        if box[0] < box[2] and box[1] < box[3]:
            blurred.paste(_coarse(picture.crop(box), whole=not boxes), box[:2])
    return blurred


def _coarse(part: Image.Image, *, whole: bool) -> Image.Image:
    blocks = 2 * _BLOCKS if whole else _BLOCKS
    rows = max(1, round(blocks * part.height / part.width))
    few = part.resize((blocks, rows), Image.Resampling.BOX)
    large = few.resize(part.size, Image.Resampling.BICUBIC)
    return large.filter(ImageFilter.GaussianBlur(part.width / blocks / 3))


def _small(path: Path, boxes: Sequence[Box] | None) -> bytes | None:
    try:
        with Image.open(path) as opened:
            opened.thumbnail((_PICTURE_PX, _PICTURE_PX))
            picture = opened.convert("RGB")
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError):
        return None
    out = io.BytesIO()
    shown = picture if boxes is None else blur(picture, boxes)
    shown.save(out, "JPEG", quality=_JPEG_QUALITY)
    return out.getvalue()


def _holds(stretch: Stretch, time_ms: int, video: VideoFacts) -> bool:
    event = stretch.event
    inside = event.start_ms <= time_ms < event.end_ms
    return inside and video.first_ms <= time_ms < video.end_ms
