"""What was measured on the learner's face over time, to be drawn beside the bands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.confusion.baseline import baseline_of
from app.confusion.face_choice import follow
from app.confusion.face_measures import measures_of
from app.confusion.faces import FaceSeries
from app.confusion.records import CueKind
from app.confusion.thresholds import Thresholds

KINDS = {
    "brow": CueKind.BROW,
    "lids": CueKind.LIDS,
    "lip_raised": CueKind.LIP_RAISED,
    "lips_pressed": CueKind.LIPS_PRESSED,
    "smile": CueKind.SMILE,
}
"""The signs of `SIGNS` by the names that people read."""
GAP_STEPS = 1.5
"""A step longer than so many usual ones is a gap: nobody looked, or no face was seen."""


@dataclass(frozen=True, slots=True, eq=False)
class CueCurve:
    """One sign over time. Both arrays have n entries, in order of time."""

    kind: CueKind
    time_ms: NDArray[np.float64]
    values: NDArray[np.float64]
    """0 to 1; `nan` where the face could not be read, and once in each gap."""
    usual: float | None
    """Median of the learner at rest in this video; `None` where too little was seen."""


def cue_curves(
    series: FaceSeries, face: tuple[int, float, float] | None, thresholds: Thresholds
) -> tuple[CueCurve, ...]:
    """Give the signs of the learner's face over time, as far as it was looked at.

    Nothing is given where several faces are in view and nobody has chosen, nor where no face is.

    Args:
        series: All faces that were seen.
        face: A moment in ms and a point of the learner's face then, in pixels.
        thresholds: From when on a face cannot be read.
    """
    rows = follow(series, face, thresholds).rows
    if not len(rows):
        return ()
    measures = measures_of(series, rows, thresholds)
    usual = baseline_of(measures, series.frame_px[0], thresholds)
    breaks = _gaps(measures.time_ms, series.looked_ms)
    times = np.insert(
        measures.time_ms.astype(np.float64), breaks, _inside(measures.time_ms, breaks)
    )
    return tuple(
        CueCurve(
            kind,
            times,
            np.insert(
                np.where(measures.usable, measures.signs[sign], np.nan).astype(np.float64),
                breaks,
                np.nan,
            ),
            None if usual is None else usual.of(sign).median,
        )
        for sign, kind in KINDS.items()
    )


def _gaps(times: NDArray[np.int64], looked: NDArray[np.int64]) -> NDArray[np.intp]:
    """Give the places before which a gap lies."""
    if len(times) < 2 or len(looked) < 2:
        return np.empty(0, np.intp)
    step = float(np.median(np.diff(looked)))
    return np.flatnonzero(np.diff(times) > GAP_STEPS * step) + 1


def _inside(times: NDArray[np.int64], breaks: NDArray[np.intp]) -> NDArray[np.float64]:
    return np.asarray((times[breaks] + times[breaks - 1]) / 2, np.float64)
