"""Check that what a recording's packets promise can be shown and heard.

Counts and times come from the packets, which is fast. Packets can lie, so they are checked:

* A recording of up to `_SMALL_PX` pictures times pixels is decoded whole, and what decodes counts.
* A longer one is decoded at several places. Where the pictures that come out are those that the
  packets promised, the packets are believed. Where they are not (damage, pictures without a stamp),
  the recording is decoded whole after all.
* Packets marked as cut away by an edit list are not counted, nor are the hidden reference pictures
  of VP8 and VP9. When a packet was cut short, which happens at the end of a broken-off file, the
  stretch from the key picture before it is decoded and what comes out replaces what was promised.

Damage inside a long recording that falls between the places goes unnoticed here; the reader then
shows the last picture before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, pairwise
from statistics import median_low

import av
from av.container import InputContainer

from app.lesson.media.opening import (
    PLAIN_FAULTS,
    audio_frames,
    open_media,
    packets,
    video_frames,
)
from app.lesson.media.progress import Progress
from app.lesson.media.streams import audio_stream, video_stream
from app.lesson.media.tracks import Track
from app.lesson.media.upright import Shape, is_high_dynamic_range, shape_of

_SMALL_PX = 650_000_000
"""Decoded whole below this: a minute of 720 x 576, ten seconds of 1080p."""
_SMALL_PACKETS = 15_000
"""Sound of up to about five minutes is decoded whole."""
_PLACES = 4
_PACKETS_A_PLACE = 8


@dataclass(frozen=True, slots=True)
class Checked:
    """What of a stream can be shown or heard, after checking."""

    stamps: tuple[int, ...]
    """Rising; at least one."""
    end: int
    """Stamp at which the last one has been shown or heard for its own length."""
    failed: int
    """Packets that did not decode, as far as was looked."""
    damaged: int
    """Pictures that decode with errors in them, as far as was looked."""
    size_changes: bool


@dataclass(frozen=True, slots=True)
class CheckedPictures(Checked):
    """Pictures that can be shown, and how."""

    shape: Shape
    codec: str
    pixel_format: str
    is_high_dynamic_range: bool


@dataclass(frozen=True, slots=True)
class CheckedSound(Checked):
    """Sound that can be heard."""

    codec: str
    sample_rate: int
    channels: int


def check_pictures(path: str, track: Track, progress: Progress) -> CheckedPictures | None:
    """Find out which pictures can be shown; None when not one can.

    Args:
        path: The recording.
        track: What the packets of the picture stream say.
        progress: Told how far it is.
    """
    with open_media(path) as container:
        stream = video_stream(container, track.index)
        pixels = track.packets * stream.width * stream.height
    is_large = pixels > _SMALL_PX and not track.unstamped and len(track.keys) > 0
    checked = _check_places(path, track) if is_large else None
    if checked is None:
        checked = _decode_all(path, track, "AUTO", progress)
        if checked is None or checked.failed or checked.damaged:
            # Several threads lose pictures around a packet that does not decode; one does not.
            checked = _decode_all(path, track, "SLICE", progress)
    return checked


def check_sound(path: str, track: Track, progress: Progress) -> CheckedSound | None:
    """Find out which sound can be heard; None when nothing decodes.

    Sound starts with the first piece that comes out of the decoder: what encoders put before it to
    get going is never heard.

    Args:
        path: The recording.
        track: What the packets of the sound stream say.
        progress: Told how far it is.
    """
    is_small = track.packets <= _SMALL_PACKETS
    tally = _Tally()
    with open_media(path) as container:
        stream = audio_stream(container, track.index)
        frames = audio_frames(container, stream, tally.fail)
        for frame in frames if is_small else islice(frames, 1):
            tally.take(frame)
            progress.tell(len(tally.stamps) / track.packets)
        codec = stream.codec_context.codec.canonical_name
    first = tally.first
    if not isinstance(first, av.AudioFrame):
        return None
    if not is_small:
        tally.stamps += [stamp for stamp in track.stamps if stamp > tally.stamps[0]]
    last = max(tally.stamps)
    # An MP4 may cut its last packet short.
    end = last + (track.length_at(last) or tally.last_length)
    return CheckedSound(
        tuple(sorted(tally.stamps)), end, tally.failed, tally.damaged, False,
        codec, first.sample_rate, first.layout.nb_channels,
    )  # fmt: skip


def _decode_all(
    path: str, track: Track, threads: str, progress: Progress
) -> CheckedPictures | None:
    with open_media(path) as container:
        stream = video_stream(container, track.index)
        stream.thread_type = threads
        size = stream.width, stream.height
        tally = _Tally()
        for frame in video_frames(container, stream, tally.fail):
            tally.take(frame)
            progress.tell(len(tally.stamps) / track.packets)
        return _pictures(stream, size, track, tally, sorted(tally.stamps))


def _check_places(path: str, track: Track) -> CheckedPictures | None:
    """Believe the packets when a few places decode as promised; None when they do not."""
    keys, shown, tally = sorted(set(track.keys)), set(track.stamps), _Tally()
    chosen = [keys[len(keys) * place // _PLACES] for place in range(_PLACES)]
    with open_media(path) as container:
        stream = video_stream(container, track.index)
        size = stream.width, stream.height
        for key in dict.fromkeys([*chosen, keys[-1]]):
            if not _place_holds(container, stream, key, shown, tally):
                return None
        stamps = sorted(track.stamps)
        if track.first_cut is not None:
            stamps = _with_decoded_end(container, stream, track, stamps, tally)
        return _pictures(stream, size, track, tally, stamps)


def _pictures(
    stream: av.VideoStream, size: tuple[int, int], track: Track, tally: _Tally, stamps: list[int]
) -> CheckedPictures | None:
    first = tally.first
    if not isinstance(first, av.VideoFrame) or not stamps:
        return None
    return CheckedPictures(
        stamps=tuple(stamps),
        end=_end_of_pictures(stamps, track, tally.last_length),
        failed=tally.failed,
        damaged=tally.damaged,
        size_changes=len(tally.sizes) > 1,
        shape=shape_of(stream, first, size),
        codec=stream.codec_context.codec.canonical_name,
        pixel_format=first.format.name,
        is_high_dynamic_range=is_high_dynamic_range(first),
    )


def _place_holds(
    container: InputContainer, stream: av.VideoStream, key: int, shown: set[int], tally: _Tally
) -> bool:
    """Decode a few packets from a key picture on and compare with what the packets promise."""
    try:
        container.seek(key, stream=stream)
        fed = list(islice(packets(container, stream), _PACKETS_A_PLACE))
        frames = [frame for packet in fed for frame in packet.decode()]
        frames += stream.decode(None)
    except PLAIN_FAULTS:
        return False
    if not fed or fed[0].pts is None:
        return False
    # Pictures stored after a key picture but shown before it may lean on what was skipped.
    promised = {p.pts for p in fed if p.pts in shown and p.pts >= fed[0].pts}
    for frame in frames:
        tally.look(frame)
    return {f.pts for f in frames if f.pts is not None and f.pts >= fed[0].pts} == promised


def _with_decoded_end(
    container: InputContainer,
    stream: av.VideoStream,
    track: Track,
    stamps: list[int],
    tally: _Tally,
) -> list[int]:
    """Replace what is promised from the cut on by what decodes there."""
    start = max((key for key in track.keys if key < (track.first_cut or 0)), default=stamps[0])
    try:
        container.seek(start, stream=stream)
    except PLAIN_FAULTS:
        return stamps
    end = [f.pts for f in video_frames(container, stream, tally.fail) if f.pts is not None]
    return [s for s in stamps if s < start] + sorted(s for s in end if s >= start)


class _Tally:
    """Counts what comes out of a decoder."""

    def __init__(self) -> None:
        self.stamps: list[int] = []
        self.failed = 0
        self.damaged = 0
        self.first: av.VideoFrame | av.AudioFrame | None = None
        self.last_length = 0
        self.sizes: set[tuple[int, int]] = set()

    def fail(self) -> None:
        self.failed += 1

    def look(self, frame: av.VideoFrame | av.AudioFrame) -> None:
        self.first = self.first or frame
        self.damaged += frame.is_corrupt
        if isinstance(frame, av.VideoFrame):
            self.sizes.add((frame.width, frame.height))

    def take(self, frame: av.VideoFrame | av.AudioFrame) -> None:
        self.look(frame)
        if frame.pts is None:
            return
        self.stamps.append(frame.pts)
        self.last_length = _length(frame)


def _length(frame: av.VideoFrame | av.AudioFrame) -> int:
    if isinstance(frame, av.AudioFrame) and frame.time_base:
        return round(Fraction(frame.samples, frame.sample_rate) / frame.time_base)
    return frame.duration or 0


def _end_of_pictures(stamps: list[int], track: Track, decoded_length: int) -> int:
    """Give the stamp at which the last picture is over.

    Its own length where the file gives one that can be true; FLV and some Matroska files give one
    tick, and then it is the usual step that counts.
    """
    steps = [later - earlier for earlier, later in pairwise(stamps) if later > earlier]
    usual = median_low(steps) if steps else 0
    length = track.length_at(stamps[-1]) or decoded_length
    return stamps[-1] + (length if 2 * length >= usual and length > 0 else max(usual, 1))
