"""Which streams of a recording are used, and how to get at them.

One marked as default comes before others, then the larger picture (the higher sample rate), then
the earlier. Cover art is no picture.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TypeVar

import av
from av.container import InputContainer
from av.stream import Disposition

_Stream = TypeVar("_Stream", av.VideoStream, av.AudioStream)


def picture_streams(container: InputContainer) -> list[av.VideoStream]:
    """Give the streams that hold moving pictures; cover art and thumbnails are none."""
    art = Disposition.attached_pic | Disposition.timed_thumbnails
    return [s for s in container.streams.video if not s.disposition & art]


def video_stream(container: InputContainer, index: int) -> av.VideoStream:
    """Give the picture stream with an index known to be one."""
    stream = container.streams[index]
    assert isinstance(stream, av.VideoStream)
    return stream


def audio_stream(container: InputContainer, index: int) -> av.AudioStream:
    """Give the sound stream with an index known to be one."""
    stream = container.streams[index]
    assert isinstance(stream, av.AudioStream)
    return stream


def stream_base(stream: av.VideoStream | av.AudioStream) -> Fraction:
    """Give the length of one tick in seconds; a damaged header without one gets milliseconds."""
    base = stream.time_base
    return base if base else Fraction(1, 1000)


def best_first(streams: Iterable[_Stream]) -> list[_Stream]:
    """Put the streams that have a decoder in the order in which they are tried."""
    return sorted((s for s in streams if s.codec_context), key=_rank)


def _rank(stream: av.VideoStream | av.AudioStream) -> tuple[bool, int, int]:
    if isinstance(stream, av.VideoStream):
        size = stream.width * stream.height
    else:
        size = stream.sample_rate
    return not stream.disposition & Disposition.default, -size, stream.index
