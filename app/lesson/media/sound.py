"""The sound of a recording: for listening machines as samples, for the eye as a waveform.

Both lie on the media's clock. A hole in the sound becomes silence of the same length, so that
what comes after it keeps its time; sound that comes twice is heard once.
"""

from __future__ import annotations

import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av
import numpy as np
from av.container import InputContainer
from numpy.typing import NDArray

from app.errors import MediaRefused
from app.lesson.media.facts import AudioFacts
from app.lesson.media.opening import audio_frames, open_media
from app.lesson.media.probe import probe
from app.lesson.media.progress import Progress
from app.lesson.media.streams import audio_stream, stream_base
from app.running.protocols import Report, no_report

SAMPLE_RATE = 16_000
"""Samples a second of `Sound`, as speech models want them."""

_SLACK_S = 0.04
"""Stamps may be off by this much before it counts as a hole: FLV and WebM round to milliseconds,
and browsers stamp late; two lost AAC packets are a hole."""
_CACHED_BIN_MS = 20
_REPORT_EVERY = 500
"""Pieces of sound (about 10 s) between two reports of progress."""


@dataclass(frozen=True, slots=True)
class Sound:
    """All sound of a recording, one channel."""

    samples: NDArray[np.float32]
    """(n,) float32, -1 to 1, 16 kHz; sample i is heard at `start_ms` + i / 16."""
    start_ms: int

    @property
    def end_ms(self) -> int:
        """When the last sample has been heard."""
        return self.start_ms + len(self.samples) * 1000 // SAMPLE_RATE


@dataclass(frozen=True, slots=True)
class Waveform:
    """How loud a recording is over its length."""

    peaks: NDArray[np.float32]
    """(bins, 2) float32: lowest and highest sample of any channel, -1 to 1; 0 where silent."""
    start_ms: int
    end_ms: int

    def save(self, path: str | Path) -> None:
        """Write to a .npz file; a file that is there is replaced in one step."""
        whole = Path(path)
        part = whole.with_name(whole.name + ".part")
        with part.open("wb") as file:
            np.savez(file, peaks=self.peaks, span=np.array([self.start_ms, self.end_ms]))
        part.replace(whole)

    @classmethod
    def load(cls, path: str | Path) -> Waveform | None:
        """Read what `save` wrote; None when it is not there or not whole."""
        try:
            with np.load(path, allow_pickle=False) as stored:
                start_ms, end_ms = (int(ms) for ms in stored["span"])
                return cls(stored["peaks"].astype(np.float32), start_ms, end_ms)
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None


def read_sound(
    path: str | Path, report: Report = no_report, stop: threading.Event | None = None
) -> Sound:
    """Read all sound as one channel at 16 kHz.

    Two hours take 460 MB of memory. Channels are mixed evenly.

    Raises:
        MediaRefused: As `probe`, or there is no sound.
        Cancelled: `stop` was set.
    """
    facts = _audio_facts(path, stop)
    progress = Progress(report, stop, "reading the sound", _REPORT_EVERY)
    samples = np.zeros(_sample_count(facts), dtype=np.float32)
    end = 0
    with open_media(path) as container:
        for stretch in _stretches(container, facts, progress):
            start = round(stretch.start_s * SAMPLE_RATE)
            for piece in _resampled(stretch.frames):
                piece = piece[max(0, -start) :]
                samples = _longer(samples, start + len(piece))
                samples[start : start + len(piece)] = piece
                start += len(piece)
            end = max(end, start)
    report(1.0, "reading the sound")
    return Sound(samples[:end], facts.start_ms)


def waveform(
    path: str | Path,
    bins: int,
    report: Report = no_report,
    stop: threading.Event | None = None,
) -> Waveform:
    """Find the lowest and highest sample in each of `bins` equal parts of the sound.

    Keeps no more than a second of sound in memory.

    Raises:
        MediaRefused: As `probe`, or there is no sound.
        Cancelled: `stop` was set.
        ValueError: `bins` is below 1.
    """
    if bins < 1:
        raise ValueError(f"a waveform cannot have {bins} bins")
    facts = _audio_facts(path, stop)
    progress = Progress(report, stop, "drawing the waveform", _REPORT_EVERY)
    peaks = np.zeros((bins, 2), dtype=np.float32)
    length_s = (facts.end_ms - facts.start_ms) / 1000
    with open_media(path) as container:
        for stretch in _stretches(container, facts, progress):
            done = 0
            for samples, rate in _blocks(stretch.frames):
                first = stretch.start_s + done / rate
                _add_peaks(peaks, samples, first / length_s, 1 / (rate * length_s))
                done += samples.shape[1]
    report(1.0, "drawing the waveform")
    return Waveform(peaks, facts.start_ms, facts.end_ms)


def cached_waveform(
    path: str | Path,
    folder: str | Path,
    report: Report = no_report,
    stop: threading.Event | None = None,
) -> Waveform:
    """Give the waveform with fifty bins a second; made once, then read from `folder`.

    Args:
        path: The recording.
        folder: Where what belongs to this recording's fingerprint is kept.
        report: Takes progress.
        stop: Ends the work when set.

    Raises:
        MediaRefused: As `probe`, or there is no sound.
        Cancelled: `stop` was set.
    """
    kept = Path(folder) / "waveform-50.npz"
    found = Waveform.load(kept)
    if found is None:
        facts = _audio_facts(path, stop)
        bins = max(1, (facts.end_ms - facts.start_ms) // _CACHED_BIN_MS)
        found = waveform(path, bins, report, stop)
        kept.parent.mkdir(parents=True, exist_ok=True)
        found.save(kept)
    return found


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Sound without a hole in it."""

    start_s: float
    """From the start of all sound."""
    frames: Iterator[av.AudioFrame]
    """To be taken before the next stretch is asked for."""


def _stretches(
    container: InputContainer, facts: AudioFacts, progress: Progress
) -> Iterator[_Stretch]:
    """Cut the sound where there is a hole in it, or where its format changes."""
    stream = audio_stream(container, facts.stream)
    base = float(stream_base(stream))
    start_s, length_s = facts.start_ms / 1000, (facts.end_ms - facts.start_ms) / 1000
    frames = audio_frames(container, stream)
    held = next(frames, None)
    end_s = -1.0

    def unbroken() -> Iterator[av.AudioFrame]:
        nonlocal held, end_s
        form = _form(held)
        while held is not None:
            frame, at_s = held, (held.pts or 0) * base - start_s
            if at_s > end_s + _SLACK_S or _form(frame) != form:
                return
            held = next(frames, None)
            if at_s < end_s - _SLACK_S:
                continue  # comes for the second time
            progress.tell(at_s / length_s)
            end_s += frame.samples / frame.sample_rate
            yield frame

    while held is not None:
        # A stretch of another format goes on where the one before ended.
        end_s = max(end_s, (held.pts or 0) * base - start_s)
        yield _Stretch(end_s, unbroken())


def _form(frame: av.AudioFrame | None) -> tuple[str, str, int]:
    if frame is None:
        return "", "", 0
    return frame.format.name, frame.layout.name, frame.sample_rate


def _resampled(frames: Iterator[av.AudioFrame]) -> Iterator[NDArray[np.float32]]:
    resampler = av.AudioResampler(format="flt", layout="mono", rate=SAMPLE_RATE)
    for frame in frames:
        frame.pts = None
        for piece in resampler.resample(frame):
            yield piece.to_ndarray()[0]
    for piece in resampler.resample(None):
        yield piece.to_ndarray()[0]


def _blocks(frames: Iterator[av.AudioFrame]) -> Iterator[tuple[NDArray[Any], int]]:
    """Give samples a second at a time, as (channels, n), with their rate."""
    gathered = av.AudioFifo()
    rate = 0
    for frame in frames:
        rate = frame.sample_rate
        frame.pts = None
        gathered.write(frame)
        if gathered.samples >= rate:
            yield _channels(gathered.read()), rate
    rest = gathered.read(partial=True) if rate else None
    if rest is not None:
        yield _channels(rest), rate


def _channels(frame: av.AudioFrame | None) -> NDArray[Any]:
    if frame is None:
        return np.zeros((1, 0), dtype=np.float32)
    samples: NDArray[Any] = frame.to_ndarray()
    if frame.format.is_packed:
        samples = samples.reshape(-1, frame.layout.nb_channels).T
    return samples


def _add_peaks(
    peaks: NDArray[np.float32], samples: NDArray[Any], first: float, step: float
) -> None:
    """Widen the bins that some samples fall into.

    Args:
        peaks: (bins, 2), changed in place.
        samples: (channels, n).
        first: Share of all sound that lies before the first sample.
        step: Share of all sound that one sample makes up.
    """
    count = samples.shape[1]
    if not count:
        return
    bins = ((first + np.arange(count) * step) * len(peaks)).astype(np.int64)
    np.clip(bins, 0, len(peaks) - 1, out=bins)
    starts = np.concatenate([[0], np.flatnonzero(np.diff(bins)) + 1])
    lowest = np.minimum.reduceat(samples, starts, axis=1).min(axis=0)
    highest = np.maximum.reduceat(samples, starts, axis=1).max(axis=0)
    touched = bins[starts]
    peaks[touched, 0] = np.minimum(peaks[touched, 0], _as_share(lowest))
    peaks[touched, 1] = np.maximum(peaks[touched, 1], _as_share(highest))


def _as_share(values: NDArray[Any]) -> NDArray[np.float32]:
    """Bring samples of any format to -1 to 1."""
    shares: NDArray[np.float32]
    if values.dtype == np.uint8:
        shares = (values.astype(np.float32) - 128) / np.float32(128)
    elif np.issubdtype(values.dtype, np.integer):
        shares = (values / -float(np.iinfo(values.dtype).min)).astype(np.float32)
    else:
        shares = np.clip(values, -1, 1).astype(np.float32)
    return shares


def _sample_count(facts: AudioFacts) -> int:
    return (facts.end_ms - facts.start_ms) * SAMPLE_RATE // 1000 + SAMPLE_RATE


def _longer(samples: NDArray[np.float32], needed: int) -> NDArray[np.float32]:
    if needed <= len(samples):
        return samples
    longer = np.zeros(needed + len(samples) // 4, dtype=np.float32)
    longer[: len(samples)] = samples
    return longer


def _audio_facts(path: str | Path, stop: threading.Event | None) -> AudioFacts:
    audio = probe(path, stop=stop).audio
    if audio is None:
        raise MediaRefused(
            f"{Path(path).name} has no sound.", "Choose a recording with sound for this."
        )
    return audio
