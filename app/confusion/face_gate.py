"""What the face engine saw of a video, as the chat reader needs to know it.

A model is asked about a window only where the learner's face was followed in it. Why a face can
be read no further (turned away, covered, dark) is left to the model, which sees the picture.
"""

from __future__ import annotations

import numpy as np

from app.confusion.face_choice import follow
from app.confusion.faces import FaceSeries
from app.confusion.gate import OPEN, Passage
from app.confusion.thresholds import Thresholds
from app.lesson.spans import Span

NOT_SEEN = "no face of the learner was found, so the model was not asked"


class FaceGate:
    """Knows of each window whether the learner's face was seen in it; a `Gate`.

    Args:
        series: All faces of the video; complete.
        face: The chosen face; `None` where nobody has chosen.
        thresholds: How long, how near and how still, as for the face cues.
        engine: Name and version of what looked.
    """

    def __init__(
        self,
        series: FaceSeries,
        face: tuple[int, float, float] | None,
        thresholds: Thresholds,
        engine: str,
    ) -> None:
        self._series = series
        self._followed = follow(series, face, thresholds)
        self._engine = engine
        mine = np.zeros(len(series.time_ms), dtype=bool)
        mine[self._followed.rows] = True
        self._mine = mine

    @property
    def told(self) -> str:
        """Name what it rests on."""
        return f"windows without the learner's face, by {self._engine}, are not asked about"

    def passage(self, window: Span) -> Passage:
        """Say whether a window may be read, and which of several faces is meant."""
        series = self._series
        first, last = np.searchsorted(series.looked_ms, [window.start_ms, window.end_ms])
        if first == last:
            return OPEN  # nobody looked: too short a stretch between two moments
        here = slice(*np.searchsorted(series.time_ms, [window.start_ms, window.end_ms]))
        mine = self._mine[here]
        if not mine.any():
            refusal = self._followed.refusal
            if refusal and len(mine):
                return Passage(closed=refusal)
            return Passage(closed=NOT_SEEN)
        if mine.all():
            return OPEN
        box = series.box[here][mine]
        width, height = series.frame_px
        middle = np.median(box[:, :2] + box[:, 2:] / 2, axis=0)
        return Passage(place=(float(middle[0]) / width, float(middle[1]) / height))
