"""Picture files for thumbnails, the poster and the frames that serve as evidence."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from app.errors import MediaRefused, Refused
from app.lesson.media.facts import MediaFacts
from app.lesson.media.frames import FrameReader, frames_at
from app.lesson.media.keys import KeyReader
from app.lesson.media.progress import Progress
from app.running.protocols import Report, no_report

_QUALITY = 88
_POSTER_PLACES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
"""Shares of the recording; not the ends, which are black or show somebody at the camera."""
_POSTER_PX = 160
_FEW_KEYS = 4
_SHORT_MS = 60_000


def write_pictures(
    path: str | Path,
    times_ms: Iterable[int],
    folder: str | Path,
    max_px: int,
    exact: bool = True,
    report: Report = no_report,
    stop: threading.Event | None = None,
) -> dict[int, str]:
    """Write the pictures at several moments as JPEG; those that are there already are kept.

    A file appears whole or not at all. Names hold the moment and the size, so one folder serves
    all sizes of one recording; give each recording (fingerprint) a folder of its own.

    Args:
        path: The recording.
        times_ms: Moments on the media's clock.
        folder: Where to write; made if need be.
        max_px: Longest side in pixels; pictures are never enlarged.
        exact: Give the picture at the very moment; else the key picture at or before it, which is
            many times quicker and right for thumbnails.
        report: Takes progress.
        stop: Ends the work when set; what is written stays.

    Returns:
        The path of each moment's file.

    Raises:
        MediaRefused: The file cannot be opened, or no picture in it decodes.
        Refused: The folder cannot be written to.
        Cancelled: `stop` was set.
    """
    kind = "" if exact else "k"
    files = {ms: Path(folder) / f"{ms}_{max_px}{kind}.jpg" for ms in sorted(set(times_ms))}
    progress = Progress(report, stop, "reading pictures")
    missing = [ms for ms, file in files.items() if not file.exists()]
    if missing:
        with _reader(path, max_px, exact) as reader:
            for number, ms in enumerate(missing):
                progress.tell(number / len(missing))
                _write(files[ms], reader.at(ms).image)
    report(1.0, "reading pictures")
    return {ms: str(file) for ms, file in files.items()}


def poster_time(facts: MediaFacts) -> int:
    """Choose a moment whose picture stands for the recording.

    Of a few pictures the one with the most contrast, as a black, white or blurred picture has
    little. Key pictures will do; a short recording may have but one, at its black start, and then
    exact pictures are taken.

    Raises:
        MediaRefused: The recording has no picture, or cannot be opened any more.
    """
    video = facts.video
    if video is None:
        raise MediaRefused(
            f"{Path(facts.path).name} has no picture.", "Choose a recording with a picture."
        )
    length_ms = video.end_ms - video.first_ms
    moments = [video.first_ms + int(length_ms * share) for share in _POSTER_PLACES]
    with KeyReader(facts.path, _POSTER_PX) as reader:
        frames = [reader.at(ms) for ms in moments]
    if len({frame.time_ms for frame in frames}) < _FEW_KEYS and length_ms < _SHORT_MS:
        frames = list(frames_at(facts.path, moments, _POSTER_PX))
    return max(frames, key=lambda frame: float(np.std(frame.image))).time_ms


def _reader(path: str | Path, max_px: int, exact: bool) -> FrameReader | KeyReader:
    return FrameReader(path, max_px) if exact else KeyReader(path, max_px)


def _write(file: Path, image: NDArray[np.uint8]) -> None:
    """Write a picture beside its place first, so that half a file is never taken for a whole."""
    _, coded = cv2.imencode(".jpg", image[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(coded.tobytes())
        part.replace(file)
    except OSError as error:
        raise Refused(
            f"A picture could not be written to {file.parent}: {error.strerror}.",
            "Check that the disk is not full and that you may write there.",
        ) from error
