"""What was seen of faces, fetched without holding the window up: curves, and faces to choose."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QRectF, Signal

from app.confusion.curves import cue_curves
from app.confusion.faces import FaceSeries
from app.confusion.review import ChosenFace, LearnerReview
from app.confusion.thresholds import read_thresholds
from app.errors import Cancelled, ClerestoryError
from resources import resource
from views.background import Background, Job, Lane
from views.learner.marks import Curve

if TYPE_CHECKING:
    from app.desk import Desk

NEAR_MS = 1000
"""A face that was looked at within so long of a moment stands for that moment."""

Found = tuple[tuple[Curve, ...], FaceSeries | None]


class Faces(QObject):
    """Asks for the faces of the video in view, and works the curves out of them.

    Signals:
        curves_came: The curves there are, `tuple[Curve, ...]`; none where nobody looked at faces.
    """

    curves_came = Signal(object)

    def __init__(self, desk: Desk, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk, self._background = desk, background
        self._job: Job | None = None
        self._series: FaceSeries | None = None

    def ask(self, review: LearnerReview) -> None:
        """Have the curves of a video worked out; what was asked for before is given up."""
        self.close()
        job = Job("Draw what was measured", Lane.LOOK, review.lesson_id)
        self._job = job
        self._background.start(
            job,
            lambda _report, _stop: _found(self._desk, review.lesson_id, review.face),
            partial(self._came, job),
            partial(self._failed, job),
        )

    def close(self) -> None:
        """Let go of the video."""
        if self._job is not None:
            self._job.stop.set()
        self._job, self._series = None, None

    def boxes_at(self, time_ms: int) -> tuple[QRectF, ...]:
        """Give the faces seen at a moment, from left to right, as shares of the picture."""
        series = self._series
        if series is None or not len(series.time_ms):
            return ()
        away = np.abs(series.time_ms - time_ms)
        nearest = series.time_ms[int(away.argmin())]
        if abs(int(nearest) - time_ms) > NEAR_MS:
            return ()
        width, height = series.frame_px
        boxes = [
            QRectF(left / width, top / height, across / width, down / height)
            for left, top, across, down in series.box[series.time_ms == nearest].tolist()
        ]
        return tuple(sorted(boxes, key=lambda box: box.left()))

    def _came(self, job: Job, found: Found) -> None:
        if job is self._job:
            self._job = None
            curves, self._series = found
            self.curves_came.emit(curves)

    def _failed(self, job: Job, error: Exception) -> None:
        # The bands are right without curves; whatever is wrong with the faces, reading them tells.
        if job is self._job:
            self._job = None
            if not isinstance(error, Cancelled | ClerestoryError):
                raise error
            self.curves_came.emit(())


def _found(desk: Desk, lesson_id: str, face: ChosenFace | None) -> Found:
    series = desk.confusion.faces_so_far(lesson_id)
    if series is None:
        return (), None
    chosen = None if face is None else (face.time_ms, face.x, face.y)
    thresholds = read_thresholds(resource("face_cues.toml"))
    curves = tuple(
        Curve(one.kind, one.time_ms, one.values, one.usual)
        for one in cue_curves(series, chosen, thresholds)
    )
    return curves, series
