"""Runs of readers over learner videos: begun, gone on with, given again where they are whole."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from app.confusion.readers import LearnerMaterial, Reader
from app.confusion.records import Bands, Reading
from app.confusion.screening import ScreeningReader
from app.confusion.windows import windows_of
from app.errors import MediaRefused
from app.running.protocols import Report
from app.running.questions import Status
from app.store.learners import Learners

Shown = Callable[[int, Sequence[Reading]], None]
"""Takes the number of a run and readings of it that are kept now; first those kept before."""


def not_shown(_run_id: int, _readings: Sequence[Reading]) -> None:
    """Show readings to nobody."""


class ReadingRuns:
    """Keeps what readers say, each window once, and knows what is left to read.

    Args:
        learners: Where runs are kept.
    """

    def __init__(self, learners: Learners) -> None:
        self._learners = learners

    def read(
        self,
        reader: Reader,
        video: LearnerMaterial,
        report: Report,
        stop: threading.Event,
        shown: Shown = not_shown,
    ) -> Bands:
        """Have a video read, on from what was kept; see `ConfusionDesk.read`."""
        require_readable(reader, video)
        if isinstance(reader, ScreeningReader):
            # Its grounds are known only once the fast reader has read.
            reader.screen(video, report, stop)
        learners = self._learners
        grounds = reader.provenance(video)
        before = self._run_on(video, reader.name, grounds)
        if before is not None and before.is_complete and not _has_broken(before):
            shown(before.run_id, before.readings)
            return before
        if before is None or before.is_complete:
            run_id, there = learners.start_run(video.lesson_id, reader.name, grounds), set[int]()
        else:
            run_id, there = before.run_id, {r.start_ms for r in before.readings}
            shown(run_id, before.readings)

        def keep(found: Sequence[Reading]) -> None:
            learners.keep_readings(run_id, found)
            shown(run_id, found)

        windows = windows_of(video.media.span)
        left = [window for window in windows if window.start_ms not in there]
        if left:
            reader.read(video, left, keep, report, stop)
        bands = learners.bands(run_id)
        missing = len(windows) - len(bands.readings)
        if missing:
            raise RuntimeError(f"{reader.name} left out {missing} of {len(windows)} windows")
        learners.end_run(run_id)
        return learners.bands(run_id)

    def _run_on(
        self, video: LearnerMaterial, reader: str, grounds: tuple[tuple[str, str], ...]
    ) -> Bands | None:
        """Give the latest run of a reader that rests on the same grounds."""
        bands = self._learners.video(video.lesson_id).bands
        same = [b for b in bands if (b.reader, b.provenance) == (reader, grounds)]
        return same[-1] if same else None

    def complete(self, reader: Reader, video: LearnerMaterial) -> Sequence[Reading] | None:
        """Give what a reader says of a whole video, if it has read it on the present grounds."""
        bands = self._run_on(video, reader.name, reader.provenance(video))
        return bands.readings if bands is not None and bands.is_complete else None


def require_readable(reader: Reader, video: LearnerMaterial) -> None:
    """See that a reader can read a video.

    Raises:
        Refused: It cannot, or the recording is not there.
    """
    if not video.media_found:
        raise MediaRefused(
            f"The recording of “{video.title}” is no longer at {video.media.path}.",
            "Use “Find it…” in the library, or put the file back.",
        )
    refused = reader.refusal(video)
    if refused is not None:
        raise refused


def _has_broken(bands: Bands) -> bool:
    """Say whether the engine failed before it spoke: only such windows are worth another try."""
    return any(reading.status == Status.BACKEND_ERROR for reading in bands.readings)
