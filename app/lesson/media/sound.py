"""The sound of a recording: for listening machines as samples, for the eye as a waveform.

Both lie on the media's clock. A hole in the sound becomes silence of the same length, so that
what comes after it keeps its time; sound that comes twice is heard once.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

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
from app.lesson.media.waveform import Waveform
from app.running.protocols import Report, no_report

SAMPLE_RATE = 16_000
"""Samples a second of `Sound`, as speech models want them."""

_SLACK_S = 0.04
"""Stamps may be off by this much before it counts as a hole: FLV and WebM round to milliseconds,
and browsers stamp late; two lost AAC packets are a hole."""
_BLOCK_S = 1
_DTYPES = {"u8": "u1", "s16": "i2", "s32": "i4", "s64": "i8", "flt": "f4", "dbl": "f8"}
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
        for start_s, piece in _resampled(_pieces(container, facts, progress)):
            if start_s is not None:
                end = max(end, round(start_s * SAMPLE_RATE))
            samples = _longer(samples, end + len(piece))
            samples[end : end + len(piece)] = piece
            end += len(piece)
    report(1.0, "reading the sound")
    return Sound(samples[:end], facts.start_ms)


def waveform(
    path: str | Path,
    bins: int,
    report: Report = no_report,
    stop: threading.Event | None = None,
) -> Waveform:
    """Find the lowest and highest sample in each of `bins` equal parts of the sound.

    Keeps no more than about a second of sound in memory.

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
    # One thread: a second one for the arithmetic costs more in handing Python's lock over.
    with open_media(path) as container:
        for block in _blocks(_pieces(container, facts, progress)):
            _add_peaks(peaks, block, length_s)
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


def _pieces(
    container: InputContainer, facts: AudioFacts, progress: Progress
) -> Iterator[tuple[float | None, av.AudioFrame]]:
    """Give sound piece by piece, each with its start where it does not just follow the last.

    Starts are in seconds from the start of all sound.
    """
    stream = audio_stream(container, facts.stream)
    base = float(stream_base(stream))
    start_s, length_s = facts.start_ms / 1000, (facts.end_ms - facts.start_ms) / 1000
    end_s = -1.0
    for frame in audio_frames(container, stream):
        at_s = (frame.pts or 0) * base - start_s
        if at_s < end_s - _SLACK_S:
            continue  # comes for the second time
        follows = at_s <= end_s + _SLACK_S
        end_s = (end_s if follows else at_s) + frame.samples / frame.sample_rate
        progress.tell(at_s / length_s)
        frame.pts = None
        yield None if follows else at_s, frame


def _resampled(
    pieces: Iterator[tuple[float | None, av.AudioFrame]],
) -> Iterator[tuple[float | None, NDArray[np.float32]]]:
    """Turn pieces into one channel at 16 kHz, again with a start where one does not follow."""
    resampler = _new_resampler()
    for start_s, frame in pieces:
        if start_s is not None:
            yield from _emptied(resampler)
            resampler = _new_resampler()
            yield start_s, np.zeros(0, np.float32)
        try:
            resampled = resampler.resample(frame)
        except ValueError:  # takes one form of sound only, and broadcasts change it on the way
            yield from _emptied(resampler)
            resampler = _new_resampler()
            resampled = resampler.resample(frame)
        for piece in resampled:
            yield None, piece.to_ndarray()[0]
    yield from _emptied(resampler)


def _new_resampler() -> av.AudioResampler:
    return av.AudioResampler(format="flt", layout="mono", rate=SAMPLE_RATE)


def _emptied(resampler: av.AudioResampler) -> Iterator[tuple[None, NDArray[np.float32]]]:
    for piece in resampler.resample(None):
        yield None, piece.to_ndarray()[0]


class _Block:
    """About a second of sound of one form, gathered for the quick arithmetic of long arrays.

    Reads the decoder's memory directly: PyAV's own queue costs half as much as the decoding.
    """

    def __init__(self, start_s: float, frame: av.AudioFrame) -> None:
        self.start_s = start_s
        self.rate: int = frame.sample_rate
        self.channels: int = frame.layout.nb_channels
        self._format = frame.format.name
        self._dtype = np.dtype(_DTYPES[self._format.removesuffix("p")])
        self._pieces: list[av.AudioFrame] = []
        self._count = 0

    @property
    def end_s(self) -> float:
        """Where the next block starts if it follows."""
        return self.start_s + self._count / self.rate

    def takes(self, frame: av.AudioFrame) -> bool:
        """Say whether there is room for a piece, and whether it is of the same form."""
        return (
            self._count < _BLOCK_S * self.rate
            and frame.sample_rate == self.rate
            and frame.format.name == self._format
            and frame.layout.nb_channels == self.channels
        )

    def add(self, frame: av.AudioFrame) -> None:
        """Put a piece behind the others."""
        self._pieces.append(frame)
        self._count += frame.samples

    def rows(self) -> list[NDArray[Any]]:
        """Give all samples, one array a channel."""
        pieces = [self._planes(frame) for frame in self._pieces]
        rows = [np.concatenate(row) for row in zip(*pieces, strict=True)]
        # Packed formats hold the channels in turn in one row.
        return rows if len(rows) == self.channels else list(rows[0].reshape(-1, self.channels).T)

    def _planes(self, frame: av.AudioFrame) -> list[NDArray[Any]]:
        planes = cast("tuple[memoryview, ...]", frame.planes)  # they are buffers
        values = frame.samples * self.channels // len(planes)
        return [np.frombuffer(plane, self._dtype, values) for plane in planes]


def _blocks(pieces: Iterator[tuple[float | None, av.AudioFrame]]) -> Iterator[_Block]:
    block: _Block | None = None
    for start_s, frame in pieces:
        if block is None or start_s is not None or not block.takes(frame):
            if block is not None:
                yield block
            follows_s = block.end_s if block is not None else 0.0
            block = _Block(start_s if start_s is not None else follows_s, frame)
        block.add(frame)
    if block is not None:
        yield block


def _add_peaks(peaks: NDArray[np.float32], block: _Block, length_s: float) -> None:
    """Widen the bins (of `length_s` together) that the samples of a block fall into."""
    rows, bins = block.rows(), len(peaks)
    count, a_second = len(rows[0]), bins / length_s
    first_bin = min(int(block.start_s * a_second), bins - 1)
    last_bin = min(int((block.start_s + (count - 1) / block.rate) * a_second), bins - 1)
    edges_s = np.arange(first_bin + 1, last_bin + 1) / a_second - block.start_s
    inner = np.ceil(edges_s * block.rate).astype(np.int64).clip(0, count - 1)
    starts = np.concatenate([[0], inner])
    touched = peaks[first_bin : last_bin + 1]
    for row in rows:
        lowest = _as_share(np.minimum.reduceat(row, starts))
        highest = _as_share(np.maximum.reduceat(row, starts))
        np.minimum(touched[:, 0], lowest, out=touched[:, 0])
        np.maximum(touched[:, 1], highest, out=touched[:, 1])


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
