"""What is usual for one learner's face, against which every sign is measured.

Faces at rest differ more than confusion moves them: brows that lie low, lids that are narrow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.confusion.face_measures import SIGNS, Measures
from app.confusion.thresholds import Thresholds

MAD_TO_SPREAD = 1.4826
"""Makes the median absolute deviation comparable to a standard deviation (normal distribution)."""


@dataclass(frozen=True, slots=True)
class Usual:
    """What is usual of one sign."""

    median: float
    spread: float
    """1.4826 times the median absolute deviation."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """What is usual for a learner, from moments at which the face could be read and was calm."""

    signs: tuple[tuple[str, Usual], ...]
    """By the names in `SIGNS`."""
    size_share: float
    """Distance of the eyes over the width of the picture."""
    pitch_deg: float
    seconds: float
    """How much time it rests on."""
    source: str = "this video"

    def of(self, sign: str) -> Usual:
        """Give what is usual of a sign."""
        return dict(self.signs)[sign]

    def figures(self) -> dict[str, object]:
        """Give it as what JSON can hold, to be kept for the learner's next video."""
        return {
            "signs": {name: [usual.median, usual.spread] for name, usual in self.signs},
            "size_share": self.size_share,
            "pitch_deg": self.pitch_deg,
            "seconds": self.seconds,
        }


def baseline_from(figures: Mapping[str, object] | None) -> Baseline | None:
    """Give what was kept of an earlier video; `None` where nothing usable is kept."""
    if not figures or not isinstance(figures.get("signs"), Mapping):
        return None
    try:
        signs = figures["signs"]
        assert isinstance(signs, Mapping)
        return Baseline(
            tuple((name, Usual(float(signs[name][0]), float(signs[name][1]))) for name in SIGNS),
            float(str(figures["size_share"])),
            float(str(figures["pitch_deg"])),
            float(str(figures["seconds"])),
            "an earlier video of this learner",
        )
    except (KeyError, TypeError, ValueError, IndexError):
        return None


def baseline_of(
    measures: Measures, picture_width_px: int, thresholds: Thresholds
) -> Baseline | None:
    """Find what is usual for a face.

    Medians over all moments at which it can be read, does not smile and has its eyes open, so that
    a learner may be confused for nearly half of the time without shifting it.

    Returns:
        `None` where such moments make up less than `calm_s` seconds.
    """
    smile = measures.signs["smile"]
    calm = measures.usable & (smile < thresholds.calm_smile)
    seconds = float(calm.sum()) * seconds_a_picture(measures)
    if seconds < thresholds.calm_s:
        return None
    return Baseline(
        tuple((name, _usual(measures.signs[name][calm])) for name in SIGNS),
        float(np.median(measures.size_px[calm])) / picture_width_px,
        float(np.median(measures.pose_deg[calm, 1])),
        round(seconds, 1),
    )


def seconds_a_picture(measures: Measures) -> float:
    """Give the usual time from one moment that was looked at to the next; 0 for less than two."""
    if len(measures.looked_ms) < 2:
        return 0.0
    return float(np.median(np.diff(measures.looked_ms))) / 1000


def _usual(values: np.ndarray) -> Usual:
    median = float(np.median(values))
    spread = MAD_TO_SPREAD * float(np.median(np.abs(values - median)))
    return Usual(round(median, 4), round(spread, 4))
