"""Key pictures only: many times quicker than exact ones, and enough for thumbnails."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self

import av
from av.video.reformatter import VideoReformatter

from app.lesson.media.clock import last_tick, to_ms
from app.lesson.media.frames import Frame, FrameReader
from app.lesson.media.opening import PLAIN_FAULTS, open_media, packets
from app.lesson.media.streams import stream_base, video_stream
from app.lesson.media.upright import Shape, shape_of, upright_rgb
from app.lesson.media.walk import best_picture

_TRIED_PACKETS = 8
"""Where a search ends, the key picture is the first packet or soon follows."""


class KeyReader:
    """Gives the key picture at or before a moment; used like `FrameReader`.

    Where a file gives none it gives the exact picture.

    Raises:
        MediaRefused: The file cannot be opened, or no picture in it decodes.
    """

    def __init__(self, path: str | Path, max_px: int | None = None) -> None:
        self._path = path
        self._max_px = max_px
        self._scaler = VideoReformatter()
        self._shape: Shape | None = None
        self._exact: FrameReader | None = None
        index = best_picture(str(path))
        self._container = open_media(path)
        self._stream = video_stream(self._container, index)
        self._size = self._stream.width, self._stream.height
        self._base = stream_base(self._stream)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._container.close()
        if self._exact is not None:
            self._exact.close()

    def at(self, time_ms: int) -> Frame:
        """Give the key picture at a moment or before it; before the first one the first."""
        frame = self._key_before(last_tick(time_ms, self._base))
        if frame is None:
            self._exact = self._exact or FrameReader(self._path, self._max_px)
            return self._exact.at(time_ms)
        if self._shape is None:
            self._shape = shape_of(self._stream, frame, self._size)
        image = upright_rgb(frame, self._shape, self._max_px, self._scaler)
        return Frame(to_ms(frame.pts or 0, self._base), image)

    def _key_before(self, tick: int) -> av.VideoFrame | None:
        try:
            self._container.seek(tick, stream=self._stream)
            for packet in islice(packets(self._container, self._stream), _TRIED_PACKETS):
                if not packet.is_keyframe:
                    continue
                # Fed alone and flushed, a key picture comes out without waiting for its followers.
                frames = [*packet.decode(), *self._stream.decode(None)]
                for frame in frames:
                    if isinstance(frame, av.VideoFrame) and frame.key_frame:
                        return frame if frame.pts is not None and frame.pts <= tick else None
                return None
        except PLAIN_FAULTS:
            pass
        return None
