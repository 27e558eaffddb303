"""List the packets of a recording in one reading, decoding nothing."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import av
from av.container import InputContainer

from app.lesson.media.opening import packets
from app.lesson.media.progress import Progress
from app.lesson.media.streams import stream_base


@dataclass(slots=True)
class Track:
    """What the packets of one stream say."""

    index: int
    base: Fraction
    stamps: array[int] = field(default_factory=lambda: array("q"))
    """Presentation stamps of the packets that are shown, in the order they are stored."""
    lengths: array[int] = field(default_factory=lambda: array("q"))
    keys: array[int] = field(default_factory=lambda: array("q"))
    """Stamps of those that can be decoded on their own."""
    packets: int = 0
    unstamped: int = 0
    first_cut: int | None = None
    """Stamp of the first packet that is shorter in the file than it should be."""

    def length_at(self, stamp: int) -> int:
        """Give how long the packet with a stamp lasts, in ticks; 0 when that is not known."""
        for place in range(len(self.stamps) - 1, -1, -1):
            if self.stamps[place] == stamp:
                return self.lengths[place]
        return 0


def read_tracks(
    container: InputContainer,
    streams: Sequence[av.VideoStream | av.AudioStream],
    progress: Progress,
) -> dict[int, Track]:
    """List the packets of several streams in one reading; keys are stream indices."""
    tracks = {s.index: Track(s.index, stream_base(s)) for s in streams}
    size = max(1, container.size)
    hiding = {s.index: s.codec_context.name for s in streams if _may_hide(s)}
    # Without a stream to read, `demux` would read all of them.
    for packet in packets(container, *streams) if streams else ():
        track = tracks[packet.stream_index]
        track.packets += 1
        progress.tell((packet.pos or 0) / size)
        stamp = packet.pts
        if stamp is None:
            track.unstamped += 1
            continue
        if packet.is_corrupt and track.first_cut is None:
            track.first_cut = stamp
        if packet.is_keyframe:
            track.keys.append(stamp)
        if packet.is_discard:
            continue
        if track.index in hiding and _is_hidden(packet, hiding[track.index]):
            continue
        track.stamps.append(stamp)
        track.lengths.append(packet.duration or 0)
    return tracks


def _may_hide(stream: av.VideoStream | av.AudioStream) -> bool:
    return stream.type == "video" and stream.codec_context.name in ("vp8", "vp9")


def _is_hidden(packet: av.Packet[Any], codec: str) -> bool:
    """Read from a VP8 or VP9 header whether the picture is only there for others to refer to."""
    data = memoryview(packet)
    if codec == "vp8":  # RFC 6386, 9.1: the fifth bit of the first byte
        return not data[0] & 0x10
    if data[-1] & 0xE0 == 0xC0:  # several in one packet, of which the last is shown
        return False
    # VP9 bitstream, 6.2: marker (2 bits), profile (2, or 3 for profile 3), show_existing_frame,
    # frame_type, show_frame.
    after = 5 if data[0] & 0x30 == 0x30 else 4
    shows_existing = data[0] << after & 0x80
    return not shows_existing and not data[0] << (after + 2) & 0x80
