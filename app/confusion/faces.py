"""Faces over time as the face engine gives them: one row a face and moment, in plain arrays."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from app.running.protocols import EngineFacts, Report

SAMPLES_A_SECOND = 5.0
"""Frames looked at in a second unless somebody asks otherwise."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceSeries:
    """All faces seen in a recording. The n rows of every array belong together.

    Rows are in order of time; at one moment there is a row for each face, none when none is seen.
    """

    looked_ms: NDArray[np.int64]
    """(m,) every moment that was looked at, with or without a face."""
    time_ms: NDArray[np.int64]
    """(n,) moment of each row."""
    track: NDArray[np.int32]
    """(n,) which face it is: the same number means the same face was followed."""
    box: NDArray[np.float32]
    """(n, 4) left, top, width, height in pixels of the upright picture."""
    presence: NDArray[np.float32]
    """(n,) how sure the landmark model is that this is a face, 0 to 1."""
    blendshapes: NDArray[np.float32]
    """(n, 52) 0 to 1, in the order of `names`."""
    pose_deg: NDArray[np.float32]
    """(n, 3) yaw, pitch, roll; 0 looks straight into the camera."""
    covered: NDArray[np.float32]
    """(n, 3) how likely eyes and brows, mouth, chin are covered, 0 to 1."""
    light: NDArray[np.float32]
    """(n, 2) mean brightness of the face and its contrast, 0 to 1."""
    eye_distance: NDArray[np.float32]
    """(n,) between the outer corners of the eyes, in pixels."""
    names: tuple[str, ...]
    """The 52 blendshapes by MediaPipe's names."""
    frame_px: tuple[int, int]
    """Width and height of the upright picture."""
    is_complete: bool = True


class FaceReader(Protocol):
    """Finds faces in a recording and measures them."""

    def facts(self) -> EngineFacts:
        """Say what this is."""

    def read(
        self,
        media_path: str,
        folder: Path,
        per_second: float,
        report: Report,
        stop: threading.Event,
    ) -> FaceSeries:
        """Look at a recording; what was seen is kept in `folder` as it comes, and carried on from.

        Raises:
            MediaRefused: There is no picture in it.
            Cancelled: `stop` was set; what was seen so far is kept.
        """

    def so_far(self, folder: Path) -> FaceSeries | None:
        """Give what has been seen so far, while `read` is under way or after; cheap."""
