"""From the rows of one face to what a reader looks at: signs over time, and what hides them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from app.confusion.faces import FaceSeries
from app.confusion.thresholds import Thresholds
from app.lesson.spans import Span


class Hindrance(StrEnum):
    """Why nothing can be read off a face at a moment; the strongest reason stands first."""

    NO_FACE = "no face is seen"
    OTHER_FACE = "only another face is seen: choose the learner's"
    DARK = "the picture of the face is too dark or too flat"
    SMALL = "the face is too small"
    TURNED = "the face is turned away"
    BENT = "the head is bent down"
    EYES_COVERED = "eyes or brows are covered"
    MOUTH_COVERED = "the mouth is covered, so that a smile cannot be ruled out"
    UNCLEAR = "the face is hard to make out"
    EYES_SHUT = "the eyes are shut"


SIGNS = ("brow", "lids", "lip_raised", "lips_pressed", "smile")
"""Names of the five signs read off blendshapes, as thresholds and baselines call them."""

_SHAPES = {
    "brow": ("browDownLeft", "browDownRight"),
    "lids": ("eyeSquintLeft", "eyeSquintRight"),
    "lip_raised": ("mouthUpperUpLeft", "mouthUpperUpRight"),
    "lips_pressed": ("mouthPressLeft", "mouthPressRight"),
    "smile": ("mouthSmileLeft", "mouthSmileRight"),
}


@dataclass(frozen=True, slots=True, eq=False)
class Measures:
    """One face over time; the n entries of every array belong together."""

    looked_ms: NDArray[np.int64]
    """(m,) every moment that was looked at."""
    time_ms: NDArray[np.int64]
    """(n,) moments at which the learner's face was seen, each once."""
    signs: dict[str, NDArray[np.float32]]
    """By the names in `SIGNS`: (n,) 0 to 1, mean of left and right."""
    size_px: NDArray[np.float32]
    """(n,) distance of the eyes."""
    pose_deg: NDArray[np.float32]
    """(n, 3) yaw, pitch, roll."""
    hand: NDArray[np.bool_]
    """(n,) whether mouth or chin are covered."""
    hindrance: NDArray[np.int8]
    """(n,) index into `Hindrance`, -1 where the face can be read."""

    @property
    def usable(self) -> NDArray[np.bool_]:
        """(n,) whether the face can be read at the moment."""
        return self.hindrance < 0

    def hidden(self, where: NDArray[np.bool_], reason: Hindrance) -> Measures:
        """Mark moments at which the face cannot be read for another reason; (n,) of them."""
        also = where & self.usable
        return replace(
            self, hindrance=np.where(also, np.int8(list(Hindrance).index(reason)), self.hindrance)
        )

    def inside(self, span: Span) -> Measures:
        """Give what was measured within a stretch."""
        return self._cut(span.start_ms, span.end_ms)

    def until(self, end_ms: int) -> Measures:
        """Give what was measured before a moment."""
        return self._cut(np.iinfo(np.int64).min, end_ms)

    def _cut(self, start_ms: int, end_ms: int) -> Measures:
        first, last = np.searchsorted(self.time_ms, [start_ms, end_ms])
        looked = slice(*np.searchsorted(self.looked_ms, [start_ms, end_ms]))
        kept = slice(first, last)
        return Measures(
            self.looked_ms[looked],
            self.time_ms[kept],
            {name: values[kept] for name, values in self.signs.items()},
            self.size_px[kept],
            self.pose_deg[kept],
            self.hand[kept],
            self.hindrance[kept],
        )


def measures_of(series: FaceSeries, rows: NDArray[np.intp], thresholds: Thresholds) -> Measures:
    """Measure one face.

    Args:
        series: All faces of the recording.
        rows: (n,) the learner's rows in order of time, at most one a moment.
        thresholds: From when on a face cannot be read.
    """
    shapes = series.blendshapes[rows]
    at = {name: index for index, name in enumerate(series.names)}

    def mean_of(*names: str) -> NDArray[np.float32]:
        mean: NDArray[np.float32] = shapes[:, [at[n] for n in names]].mean(axis=1)
        return mean

    covered = series.covered[rows]
    shut = shapes[:, [at["eyeBlinkLeft"], at["eyeBlinkRight"]]].min(axis=1) >= thresholds.eyes_shut
    return Measures(
        series.looked_ms,
        series.time_ms[rows],
        {sign: mean_of(*names) for sign, names in _SHAPES.items()},
        series.eye_distance[rows],
        series.pose_deg[rows],
        covered[:, 1:].max(axis=1) >= thresholds.covered,
        _hindrances(series, rows, shut, thresholds),
    )


def _hindrances(
    series: FaceSeries,
    rows: NDArray[np.intp],
    shut: NDArray[np.bool_],
    thresholds: Thresholds,
) -> NDArray[np.int8]:
    covered, light, pose = series.covered[rows], series.light[rows], np.abs(series.pose_deg[rows])
    dark = (light[:, 0] < thresholds.brightness) | (light[:, 1] < thresholds.contrast)
    turned = (pose[:, 0] > thresholds.turned_deg) | (pose[:, 1] > thresholds.tilted_deg)
    found = {
        Hindrance.DARK: dark,
        Hindrance.SMALL: series.eye_distance[rows] < thresholds.eye_distance_px,
        Hindrance.TURNED: turned,
        Hindrance.EYES_COVERED: covered[:, 0] >= thresholds.covered,
        Hindrance.MOUTH_COVERED: covered[:, 1] >= thresholds.covered,
        Hindrance.UNCLEAR: series.presence[rows] < thresholds.presence,
        Hindrance.EYES_SHUT: shut,
    }
    result = np.full(len(rows), -1, np.int8)
    order = list(Hindrance)
    for hindrance, where in reversed(found.items()):
        result[where] = order.index(hindrance)
    return result
