"""Which of the faces in a recording is the learner's, and when nobody can know.

Tracks say only that a face was followed from picture to picture. Nothing here recognises a person:
where a face comes back after a gap it may be another's, and that is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.confusion.faces import FaceSeries
from app.confusion.thresholds import Thresholds
from app.lesson.spans import show_time

SEVERAL_FACES = "several faces are in view: choose the learner's face"
ONLY_A_PICTURE = "the only face does not move at all, as in a picture on the wall"
TOO_BRIEF = "a face is seen too briefly to be followed"
CLICK_REACH_MS = 1000
"""How far from the moment of a click the face may have been looked at."""

Rows = NDArray[np.intp]
ChosenFace = tuple[int, float, float]
"""A moment in ms and a point of the face then, in pixels of the upright picture."""


@dataclass(frozen=True, slots=True)
class SeenFace:
    """A face that was followed, and where to point at it."""

    start_ms: int
    end_ms: int
    at_ms: int
    """A moment in the middle, when its middle was at `x` and `y`, in pixels."""
    x: int
    y: int
    width_px: int


@dataclass(frozen=True, slots=True, eq=False)
class Followed:
    """The learner's face over time, as far as that can be known."""

    rows: Rows
    """The learner's rows of the series, in order of time."""
    refusal: str = ""
    """Why no window with a face in it can be read; empty otherwise."""
    known_ms: tuple[int, int] = (0, 0)
    """First and last moment at which it was followed without a break. Outside of these a face that
    was lost and came back is taken to be the same person's."""


def follow(series: FaceSeries, face: ChosenFace | None, thresholds: Thresholds) -> Followed:
    """Find the learner's face.

    The chosen one where somebody chose; else the only one. With several faces and no choice there
    is none. A face that never moves is a picture and no learner, unless somebody chose it.

    Args:
        series: All that was seen so far.
        face: A moment in ms and a point of the learner's face then, in pixels.
        thresholds: How long, how near and how still.
    """
    tracks = _lasting(series, thresholds)
    live = [t for t in tracks if not _is_picture(series, t, thresholds)]
    if face is not None:
        return _chosen(series, face, live, thresholds)
    if not live:
        return Followed(_none(), ONLY_A_PICTURE if tracks else TOO_BRIEF)
    if _together_s(series, live) >= thresholds.faces_s:
        return Followed(_none(), SEVERAL_FACES)
    return _chain(series, live, 0, thresholds, is_chosen=False)


def faces_seen(series: FaceSeries, thresholds: Thresholds) -> tuple[SeenFace, ...]:
    """List the faces that were followed for a while, in order of their start."""
    return tuple(_seen(series, rows) for rows in _lasting(series, thresholds))


def has_face_at(series: FaceSeries, face: ChosenFace) -> bool:
    """Say whether a face is seen at a moment and point."""
    return _track_at(series, *face) is not None


def _seen(series: FaceSeries, rows: Rows) -> SeenFace:
    middle = rows[len(rows) // 2]
    left, top, width, height = series.box[middle].tolist()
    start_ms, at_ms, end_ms = series.time_ms[[rows[0], middle, rows[-1]]].tolist()
    x, y = round(left + width / 2), round(top + height / 2)
    return SeenFace(start_ms, end_ms, at_ms, x, y, round(width))


def _lasting(series: FaceSeries, thresholds: Thresholds) -> list[Rows]:
    """Give the rows of each track in order of start, without faces that only flashed up."""
    found = [np.flatnonzero(series.track == number) for number in np.unique(series.track)]
    step_s = _step_s(series)
    lasting = [rows for rows in found if len(rows) * step_s >= thresholds.faces_s]
    return sorted(lasting, key=lambda rows: int(rows[0]))


def _is_picture(series: FaceSeries, rows: Rows, thresholds: Thresholds) -> bool:
    """Say whether a face does not move at all: a photograph, or a video that stands still."""
    seconds = len(rows) * _step_s(series)
    if seconds < thresholds.still_s:
        return False
    box = series.box[rows]
    middle = (box[:, :2] + box[:, 2:] / 2) / np.median(series.eye_distance[rows])
    moves = np.subtract(*np.quantile(middle, [0.95, 0.05], axis=0)).max()
    changes = np.subtract(*np.quantile(series.blendshapes[rows], [0.95, 0.05], axis=0)).max()
    is_long = seconds >= thresholds.still_long_s
    allowed = thresholds.still_long_move if is_long else thresholds.still_move
    return bool(moves < allowed and changes < thresholds.still_change)


def _together_s(series: FaceSeries, live: Sequence[Rows]) -> float:
    """Give the time during which two or more of the faces were in view."""
    times = series.time_ms[np.concatenate(live)] if live else series.time_ms[:0]
    _, counts = np.unique(times, return_counts=True)
    return float((counts > 1).sum()) * _step_s(series)


def _chosen(
    series: FaceSeries,
    face: ChosenFace,
    live: Sequence[Rows],
    thresholds: Thresholds,
) -> Followed:
    track = _track_at(series, *face)
    if track is None:
        when = show_time(face[0])
        return Followed(_none(), f"the face chosen at {when} is not found there: choose again")
    rows = np.flatnonzero(series.track == track)
    others = [t for t in live if series.track[t[0]] != track]
    tracks = sorted([*others, rows], key=lambda t: int(t[0]))
    at = next(i for i, t in enumerate(tracks) if series.track[t[0]] == track)
    return _chain(series, tracks, at, thresholds, is_chosen=True)


def _track_at(series: FaceSeries, time_ms: int, x: float, y: float) -> int | None:
    """Give the track of the face at a point and moment; the nearest where boxes overlap."""
    away = np.abs(series.time_ms - time_ms)
    if not len(away) or away.min() > CLICK_REACH_MS:
        return None
    rows = np.flatnonzero(away <= CLICK_REACH_MS)
    box = series.box[rows]
    inside = (x >= box[:, 0]) & (x <= box[:, 0] + box[:, 2])
    inside &= (y >= box[:, 1]) & (y <= box[:, 1] + box[:, 3])
    rows, box = rows[inside], box[inside]
    if not len(rows):
        return None
    far = np.hypot(box[:, 0] + box[:, 2] / 2 - x, box[:, 1] + box[:, 3] / 2 - y)
    best = np.lexsort((far, away[rows]))[0]
    return int(series.track[rows[best]])


def _chain(
    series: FaceSeries,
    tracks: Sequence[Rows],
    at: int,
    thresholds: Thresholds,
    *,
    is_chosen: bool,
) -> Followed:
    """Follow a face over gaps in which nobody was seen, as long as it comes back alone and near.

    Without a gap a new number means that the face suddenly looked otherwise: another person's, or
    the same behind a hand or in other light. It is followed on only where somebody chose the face,
    or where it has not moved at all.
    """
    gap_s = 0.0 if is_chosen else thresholds.gap_s
    parts = [tracks[at]]
    for later in tracks[at + 1 :]:
        if _comes_back(series, parts[-1], later, tracks, gap_s, thresholds):
            parts.append(later)
    for earlier in reversed(tracks[:at]):
        if _comes_back(series, earlier, parts[0], tracks, gap_s, thresholds):
            parts.insert(0, earlier)
    known = series.time_ms[tracks[at]]
    return Followed(np.concatenate(parts), known_ms=(int(known[0]), int(known[-1])))


def _comes_back(
    series: FaceSeries,
    before: Rows,
    after: Rows,
    tracks: Sequence[Rows],
    least_gap_s: float,
    thresholds: Thresholds,
) -> bool:
    last, first = before[-1], after[0]
    gap_s = float(series.time_ms[first] - series.time_ms[last]) / 1000
    if gap_s <= 0:
        return False
    if gap_s < least_gap_s and not _is_steady(series, last, first, thresholds):
        return False
    alone = all(
        series.time_ms[t[-1]] < series.time_ms[last] or series.time_ms[t[0]] > series.time_ms[first]
        for t in tracks
        if t is not before and t is not after
    )
    return alone and _is_near(series.box[last], series.box[first], thresholds)


def _is_steady(series: FaceSeries, last: int, first: int, thresholds: Thresholds) -> bool:
    """Say whether a face only looks otherwise, as when the light changes, and has not moved."""
    within_ms = thresholds.steady_s * 1000
    if series.time_ms[first] - series.time_ms[last] > within_ms:
        return False
    one, two = series.box[last], series.box[first]
    moved = np.abs(np.concatenate([one[:2] - two[:2], one[2:] - two[2:]])) / one[2]
    apart = abs(float(series.eye_distance[first] / series.eye_distance[last]) - 1)
    turned = np.abs(series.pose_deg[first] - series.pose_deg[last])
    return bool(
        moved.max() <= thresholds.steady_share
        and apart <= thresholds.steady_share
        and turned.max() <= thresholds.steady_deg
    )


def _is_near(one: NDArray[np.float32], two: NDArray[np.float32], thresholds: Thresholds) -> bool:
    middles = [box[:2] + box[2:] / 2 for box in (one, two)]
    widths = sorted((float(one[2]), float(two[2])))
    far = float(np.hypot(*(middles[0] - middles[1])))
    return (
        far <= thresholds.near_faces * widths[1] and widths[1] <= thresholds.near_size * widths[0]
    )


def _step_s(series: FaceSeries) -> float:
    if len(series.looked_ms) < 2:
        return 0.0
    return float(np.median(np.diff(series.looked_ms))) / 1000


def _none() -> Rows:
    return np.zeros(0, np.intp)
