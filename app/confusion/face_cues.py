"""The face-cue reader: levels from the face alone, on this computer, without a language model.

It sees brows, lids, lips, a smile, a covered chin and nearness, and nothing else: not what was
asked, not what was said, not what a learner thinks. Where it cannot see it says so.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

from app.confusion.baseline import baseline_from
from app.confusion.face_reading import learner_baseline, readings_of
from app.confusion.faces import SAMPLES_A_SECOND, FaceReader, FaceSeries
from app.confusion.readers import Figures, Keep, LearnerMaterial
from app.confusion.thresholds import Thresholds, read_thresholds, thresholds_sha
from app.errors import MediaRefused, Refused
from app.lesson.spans import Span
from app.running.plan import Plan
from app.running.protocols import Report
from resources import resource

NAME = "face-cues/1"
LOOK_AGAIN_S = 2.0
"""How often it is looked whether more windows can be read while the faces are still being found."""

KeepBaseline = Callable[[LearnerMaterial, Figures], None]


class FaceCueReader:
    """Gives levels from what is measured on the learner's face; a `Reader`.

    Args:
        faces: Finds the faces in a recording.
        folder_of: Where the faces of a recording are kept, so that they are found only once.
        keep_baseline: Takes what is usual for the learner, once the video has been seen whole.
        table: The thresholds; the program's own unless a test brings others.
    """

    def __init__(
        self,
        faces: FaceReader,
        folder_of: Callable[[LearnerMaterial], Path],
        keep_baseline: KeepBaseline | None = None,
        table: Path | None = None,
    ) -> None:
        self._faces = faces
        self._folder_of = folder_of
        self._keep_baseline = keep_baseline
        self._table = table or resource("face_cues.toml")

    @property
    def name(self) -> str:
        """Name and version; the version goes up when the rules change."""
        return NAME

    def refusal(self, video: LearnerMaterial) -> Refused | None:
        """Say why a video cannot be read: there is no picture in it."""
        if video.media.video is not None:
            return None
        shown = Path(video.media.path).name
        return MediaRefused(
            f"{shown} has no picture, so no face can be seen.",
            "Choose a recording with a picture of the learner.",
        )

    def provenance(self, video: LearnerMaterial) -> tuple[tuple[str, str], ...]:
        """Give all that the readings rest on: model, thresholds, chosen face, kept baseline."""
        facts = self._faces.facts()
        kept = json.dumps(video.baseline, sort_keys=True) if video.baseline else ""
        chosen = "" if video.face is None else " ".join(f"{part:g}" for part in video.face)
        return (
            ("reader", NAME),
            ("face engine", f"{facts.name} {facts.version}"),
            *facts.identity,
            ("pictures a second", f"{SAMPLES_A_SECOND:g}"),
            ("thresholds sha256", thresholds_sha(self._table)),
            ("chosen face", chosen or "none"),
            ("kept baseline sha256", _sha(kept) if kept else "none"),
        )

    def plan(self, video: LearnerMaterial, windows: Sequence[Span]) -> Plan | None:
        """Say that no model is asked.

        Raises:
            Refused: There is no picture in the recording.
        """
        self._require(video)
        return None

    def read(
        self,
        video: LearnerMaterial,
        windows: Sequence[Span],
        keep: Keep,
        report: Report,
        stop: threading.Event,
    ) -> None:
        """Find the faces and read windows as soon as they have been seen.

        Raises:
            Refused: There is no picture in the recording.
            Cancelled: `stop` was set; faces found and windows kept stay.
        """
        self._require(video)
        thresholds, folder = read_thresholds(self._table), self._folder_of(video)
        given = _Given(video, windows, keep, thresholds)
        next_look = time.monotonic() + LOOK_AGAIN_S

        def reported(share: float, doing: str) -> None:
            nonlocal next_look
            report(share, doing)
            if time.monotonic() >= next_look:
                given.take(self._faces.so_far(folder))
                next_look = time.monotonic() + LOOK_AGAIN_S

        series = self._faces.read(video.media.path, folder, SAMPLES_A_SECOND, reported, stop)
        given.take(series)
        if self._keep_baseline is not None:
            found = learner_baseline(series, video.face, thresholds)
            if found is not None:
                self._keep_baseline(video, found.figures())

    def _require(self, video: LearnerMaterial) -> None:
        refusal = self.refusal(video)
        if refusal is not None:
            raise refusal


class _Given:
    """Gives windows on once each, in order, as the series grows."""

    def __init__(
        self,
        video: LearnerMaterial,
        windows: Sequence[Span],
        keep: Keep,
        thresholds: Thresholds,
    ) -> None:
        self._video = video
        self._windows = list(windows)
        self._keep = keep
        self._thresholds = thresholds

    def take(self, series: FaceSeries | None) -> None:
        """Read and pass on what the series reaches by now."""
        if series is None or not self._windows:
            return
        found = list(
            readings_of(
                series,
                self._windows,
                self._video.media.start_ms,
                self._video.face,
                baseline_from(self._video.baseline),
                self._thresholds,
            )
        )
        if found:
            self._keep(found)
            self._windows = list(islice(self._windows, len(found), None))


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
