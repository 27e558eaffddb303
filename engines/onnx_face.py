"""The face engine: who is seen when in a recording, and how the face moves. On this computer.

Moments lie on an even grid of the media's own clock. The picture of a moment is the one that
a player shows then; where one picture is shown for long, it is looked at once.
"""

from __future__ import annotations

import bisect
import hashlib
import threading
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.confusion.faces import SAMPLES_A_SECOND, FaceSeries
from app.errors import Cancelled, MediaRefused, Refused
from app.lesson.spans import Span, show_time
from engines.base import EngineFacts, Report, engine, no_report
from engines.onnx_face_ahead import Ahead
from engines.onnx_face_kept import About, Kept, Pieces
from engines.onnx_face_models import FACE, blendshape_names
from engines.onnx_face_tracks import Face, Follower

VERSION = "3"
"""Of what is done with the models; another one makes kept work start anew."""
LONGEST_PX = 1280
"""Larger pictures are made smaller first: a face fit to be read is larger than the model's crop."""
_PIECE_S = 1.0
"""What was seen is kept at least this often, and can be read by others then."""


@engine("onnx-face")
class OnnxFace:
    """Follows and measures faces with MediaPipe's models; a `FaceReader`."""

    def __init__(self) -> None:
        self._pieces = Pieces()

    def facts(self) -> EngineFacts:
        """Say what this is."""
        return EngineFacts(
            name="onnx-face",
            version=f"face_landmarker float16/1, cascade {VERSION}",
            offline=True,
            images=0,
            has_schema=False,
            has_logprobs=False,
            identity=tuple((f"sha256 {name}", sha) for name, sha in FACE.items()),
        )

    def read(
        self,
        media_path: str,
        folder: Path,
        per_second: float = SAMPLES_A_SECOND,
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> FaceSeries:
        """Look at a recording; what was seen is kept in `folder` as it comes, and carried on from.

        Raises:
            MediaRefused: There is no picture in it.
            Refused: A model is missing or not what it should be; the folder cannot be written to.
            Cancelled: `stop` was set; what was seen so far is kept.
        """
        read(media_path, str(folder), per_second, report, stop)
        return self.whole(folder)

    def whole(self, folder: Path) -> FaceSeries:
        """Give what a finished reading left in its folder.

        Raises:
            Refused: It is not there any more, or not all of it.
        """
        series = self.so_far(folder)
        if series is None or not series.is_complete:
            raise Refused(
                f"What was seen of the faces is no longer in {folder}.", "Look at them again."
            )
        return series

    def so_far(self, folder: Path) -> FaceSeries | None:
        """Give what has been seen so far, while `read` is under way or after; cheap."""
        return self._pieces.series(folder, blendshape_names())


def read(
    media_path: str,
    folder: str,
    per_second: float = SAMPLES_A_SECOND,
    report: Report = no_report,
    stop: threading.Event | None = None,
) -> None:
    """Look at a recording in the process this runs in; all that is seen is kept in `folder`.

    Raises:
        MediaRefused, Refused, Cancelled: As `OnnxFace.read`.
    """
    stop = stop if stop is not None else threading.Event()
    plan = _plan(media_path, per_second, report, stop)
    kept = Kept(Path(folder), plan.about)
    done, follower = kept.last()
    work = _Work(plan, kept, done, follower)
    report(done / plan.about.looks, "looking at faces")
    with Ahead(media_path, plan.shown_ms[done:], LONGEST_PX) as pictures:
        for moment_ms, image in zip(plan.moments[done:], pictures, strict=True):
            work.look(moment_ms, image)
            report(work.share, f"looking at faces, {show_time(moment_ms)}")
            if work.is_due(stop.is_set()):
                work.keep()
                if stop.is_set() and work.share < 1:
                    raise Cancelled()
    kept.join()


@dataclass(frozen=True, slots=True)
class _Plan:
    """What there is to look at."""

    about: About
    moments: tuple[int, ...]
    shown_ms: tuple[int, ...]
    """The time of the picture that is shown at each moment."""


def _plan(media_path: str, per_second: float, report: Report, stop: threading.Event) -> _Plan:
    from app.lesson.media.probe import scan_media
    from app.lesson.media.sampling import sample_times

    scan = scan_media(media_path, report, stop)
    video = scan.facts.video
    if video is None:
        raise MediaRefused(
            f"{Path(media_path).name} has no picture, so no face can be seen in it.",
            "Choose a recording with a picture.",
        )
    moments = sample_times(Span(video.first_ms, video.end_ms), per_second)
    times = scan.frame_times
    shown = tuple(times[max(0, bisect.bisect_right(times, ms) - 1)] for ms in moments)
    about = About(
        scan.facts.fingerprint, per_second, _models(), len(moments), (video.width, video.height)
    )
    return _Plan(about, moments, shown)


@cache
def _models() -> str:
    known = [VERSION, *FACE.values()]
    return hashlib.sha256("\n".join(known).encode()).hexdigest()


class _Work:
    """What was looked at and is not kept yet."""

    def __init__(self, plan: _Plan, kept: Kept, done: int, follower: Follower) -> None:
        self._plan = plan
        self._kept = kept
        self._done = done
        self._follower = follower
        self._looked: list[int] = []
        self._rows: list[tuple[int, Face]] = []
        self._faces: list[Face] = []
        self._scale = 1.0
        self._until = time.monotonic() + _PIECE_S

    @property
    def share(self) -> float:
        """How much of the recording has been looked at."""
        return self._at / len(self._plan.moments)

    @property
    def _at(self) -> int:
        return self._done + len(self._looked)

    def look(self, moment_ms: int, image: NDArray[np.uint8] | None) -> None:
        """Look at the picture of the next moment; `None` is the one before, still shown."""
        if image is None:
            self._follower.stay(moment_ms)
        else:
            self._faces = self._follower.look(image, moment_ms)
            self._scale = self._plan.about.frame_px[0] / image.shape[1]
        self._looked.append(moment_ms)
        self._rows += [(moment_ms, face) for face in self._faces]

    def is_due(self, is_stopping: bool) -> bool:
        """Say whether to keep what there is: only between two pictures, so that one who carries on
        looks at each of them once, as one who was never stopped.
        """
        shown = self._plan.shown_ms
        if self._at == len(shown):
            return True
        is_between = shown[self._at] != shown[self._at - 1]
        return is_between and (is_stopping or time.monotonic() > self._until)

    def keep(self) -> None:
        """Put what there is into the folder."""
        self._kept.add(self._done, self._looked, self._rows, self._scale, self._follower)
        self._done = self._at
        self._looked, self._rows = [], []
        self._until = time.monotonic() + _PIECE_S
