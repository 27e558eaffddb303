"""Go from picture to picture in a recording: forward, back, and to any moment.

A search starts at the key picture before the moment and decodes on from there. Files lie about
where key pictures are, so the first one that comes out must say itself that it is one and must not
lie after the moment; else the search starts earlier, in the end at the very start of the file.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from fractions import Fraction
from pathlib import Path

import av
from av.container import InputContainer

from app.errors import MediaRefused
from app.lesson.media.clock import to_ms
from app.lesson.media.opening import CONVERT, PLAIN_FAULTS, open_media, video_frames
from app.lesson.media.streams import best_first, picture_streams, stream_base, video_stream

LONG_AGO = 2**60
"""A stamp, negated, that lies before every picture."""

_KEPT_BYTES = 96 * 1024 * 1024
"""Decoded pictures kept for stepping back; 72 of 720p, 8 of 4K."""
_LEADING = 64
"""Pictures that may come out after a search before the key picture does."""
_FAR = Fraction(5)
"""Seconds; without a list of key pictures, a way this long is not walked but searched."""
_NEAR = Fraction(1, 2)
"""Seconds; a key picture no further ahead than this is reached sooner by walking on."""


class PicturesLostError(Exception):
    """A packet did not decode while several threads were at work, which loses its neighbours too.

    Never leaves `frames`; answered by `Walk.be_careful`.
    """


class Walk:
    """A place in a recording, and the decoded pictures just before it.

    Raises:
        MediaRefused: The file cannot be opened, or no picture in it decodes.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._threads = "AUTO"
        self._index = best_picture(path)
        self._kept: deque[av.VideoFrame] = deque()
        """Neighbours, rising; the last is the furthest that was decoded."""
        self._place = 0
        self._is_complete = False
        """Whether the first one kept is the first of the recording."""
        self._searching_fails = False
        self._open()

    def _open(self) -> None:
        self.container: InputContainer = open_media(self._path)
        self.stream: av.VideoStream = video_stream(self.container, self._index)
        self.size = self.stream.width, self.stream.height
        """Stored width and height that the file declares."""
        self.base = stream_base(self.stream)
        self.stream.thread_type = self._threads
        self._frames = self._decoded()

    def close(self) -> None:
        """Let go of the file and of all pictures."""
        self._kept.clear()
        self._frames.close()
        self.container.close()

    def be_careful(self) -> None:
        """Open again with one thread only, which loses no picture next to a damaged one."""
        self.close()
        self._threads = "SLICE"
        self._open()

    @property
    def is_placed(self) -> bool:
        """Whether there is a current picture."""
        return bool(self._kept)

    @property
    def frame(self) -> av.VideoFrame:
        """The current picture."""
        return self._kept[self._place]

    def go_to(self, tick: int) -> None:
        """Go to the last picture whose stamp is `tick` or earlier; else to the first there is."""
        if not self._reaches(tick) or self._search_pays(tick):
            self._search(tick)
        self._place = max(
            (i for i, frame in enumerate(self._kept) if _stamp(frame) <= tick), default=0
        )
        moment = to_ms(tick, self.base)
        while self._place == len(self._kept) - 1 and to_ms(_stamp(self.frame), self.base) < moment:
            if not self._fetch():
                return
            if _stamp(self._kept[-1]) <= tick:
                self._place = len(self._kept) - 1

    def forward(self) -> bool:
        """Go to the next picture; False when there is none."""
        if self._place == len(self._kept) - 1 and not self._fetch():
            return False
        self._place += 1
        return True

    def back(self) -> bool:
        """Go to the picture before; False when there is none."""
        if self._place > 0:
            self._place -= 1
            return True
        if self._is_complete:
            return False
        here = _stamp(self.frame)
        self.go_to(here - 1)
        if _stamp(self.frame) < here:
            return True
        self.go_to(here)
        return False

    def _reaches(self, tick: int) -> bool:
        return bool(self._kept) and (self._is_complete or _stamp(self._kept[0]) <= tick)

    def _search_pays(self, tick: int) -> bool:
        last = _stamp(self._kept[-1])
        ahead = (tick - last) * self.base
        if ahead < _NEAR or self._searching_fails:
            return False
        entries = self.stream.index_entries
        place = entries.search_timestamp(tick)
        if place >= 0 and (entries[place].timestamp - last) * self.base > _NEAR:
            return True
        is_listed = len(entries) > 0 and entries[len(entries) - 1].timestamp >= tick
        return ahead > _FAR and not is_listed

    def _search(self, tick: int) -> None:
        start = self.stream.start_time or 0
        goal, back = min(tick, self._end()), int(1 / self.base) or 1
        while goal > start:
            found = self._first_key(goal, tick)
            if found is not None:
                self._restart(found, is_first=False)
                return
            goal, back = goal - back, back * 4
        self._searching_fails = (min(tick, self._end()) - start) * self.base > _FAR
        self._search_from_start()

    def _end(self) -> int:
        """Give a stamp behind the last picture, as far as the file tells."""
        if self.container.duration is None:
            return LONG_AGO
        seconds = (self.container.start_time or 0) + self.container.duration
        return int(Fraction(seconds, av.time_base) / self.base)

    def _first_key(self, goal: int, tick: int) -> av.VideoFrame | None:
        """Give the key picture that a search for `goal` leads to, unless it lies after `tick`."""
        try:
            self.container.seek(goal, stream=self.stream)
        except PLAIN_FAULTS:
            return None
        self._frames.close()
        self._frames = self._decoded()
        for _ in range(_LEADING):
            frame = next(self._frames, None)
            if frame is None or _stamp(frame) > tick:
                return None
            # What comes out before the key picture leans on pictures that were skipped.
            if frame.key_frame:
                return frame
        return None

    def _search_from_start(self) -> None:
        # Opened anew: not every format can be wound back to its first picture.
        self.close()
        self._open()
        first = next(self._frames, None)
        if first is None:
            raise MediaRefused(
                f"{Path(self._path).name} has a picture stream, but nothing in it can be shown.",
                CONVERT,
            )
        self._restart(first, is_first=True)

    def _restart(self, frame: av.VideoFrame, *, is_first: bool) -> None:
        self._kept = deque([frame])
        self._place = 0
        self._is_complete = is_first

    def _fetch(self) -> bool:
        """Decode one more picture; False at the end."""
        last = _stamp(self._kept[-1])
        # Damaged files step back in time at places; what was shown already is not shown again.
        frame = next((f for f in self._frames if _stamp(f) > last), None)
        if frame is None:
            return False
        self._kept.append(frame)
        size = max(1, sum(plane.buffer_size for plane in frame.planes))
        while len(self._kept) > max(3, _KEPT_BYTES // size) and self._place > 0:
            self._kept.popleft()
            self._place -= 1
            self._is_complete = False
        return True

    def _decoded(self) -> Generator[av.VideoFrame]:
        return video_frames(self.container, self.stream, self._failed)

    def _failed(self) -> None:
        if self._threads == "AUTO":
            raise PicturesLostError


def _stamp(frame: av.VideoFrame) -> int:
    return frame.pts or 0


def best_picture(path: str) -> int:
    """Give the index of the picture stream that `probe` uses: the best that decodes."""
    with open_media(path) as container:
        streams = best_first(picture_streams(container))
        indices = [stream.index for stream in streams]
        if len(indices) == 1:
            return indices[0]
    for index in indices:
        with open_media(path) as container:
            if next(video_frames(container, video_stream(container, index)), None):
                return index
    raise MediaRefused(
        f"{Path(path).name} has no picture.", "Choose a recording with a picture for this."
    )
