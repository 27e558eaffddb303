"""Encoded frames, kept by what they show, so that each is encoded once for all questions."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from app.running.questions import FrameRef
from engines.llama_cpp_sight import Encoded, Picture

FRAMES_BYTES = 1 << 30
"""Room for encoded frames: at 256 tokens of 2,560 numbers about 400 of them; ours."""

Key = tuple[str, int, int]


def frame_key(frame: FrameRef) -> Key:
    """Name what a frame shows: recording by content, moment, size."""
    return frame.fingerprint, frame.time_ms, frame.max_px


class KeptFrames:
    """What a projector made of frames; belongs to one loaded model and goes with it.

    Args:
        encode: Turns an image into what the model reads; its second argument is the name.
        projector: SHA-256 of the projector, a part of every name.
        let_go: Called for each piece that is dropped.
        room_bytes: Beyond this the frames unused for longest are dropped.
    """

    def __init__(
        self,
        encode: Callable[[NDArray[np.uint8], str], Encoded],
        projector: str,
        let_go: Callable[[Picture], None],
        room_bytes: int = FRAMES_BYTES,
    ) -> None:
        self._encode, self._projector, self._let_go = encode, projector, let_go
        self._room = room_bytes
        self._kept: OrderedDict[str, Encoded] = OrderedDict()
        self.encoded = 0
        """How many frames had to be encoded so far."""

    def name(self, frame: FrameRef) -> str:
        """Name an encoded frame: what it shows and which projector read it."""
        told = "|".join(map(str, (*frame_key(frame), self._projector)))
        return hashlib.sha256(told.encode()).hexdigest()

    def missing(self, frames: list[FrameRef]) -> list[FrameRef]:
        """Give the frames that are still to be encoded, each once."""
        return [frame for frame in dict.fromkeys(frames) if self.name(frame) not in self._kept]

    def get(self, frame: FrameRef) -> Encoded:
        """Give a frame that was put in; it counts as used just now.

        Raises:
            KeyError: It is not there.
        """
        name = self.name(frame)
        self._kept.move_to_end(name)
        return self._kept[name]

    def put(self, frame: FrameRef, image: NDArray[np.uint8]) -> None:
        """Encode a frame and keep it."""
        name = self.name(frame)
        self._kept[name] = self._encode(image, name)
        self.encoded += 1

    def tidy(self, needed: list[FrameRef]) -> None:
        """Drop what there is no room for, never what is needed now."""
        names = {self.name(frame) for frame in needed}
        for name in [name for name in self._kept if name not in names]:
            if self.size_bytes <= self._room:
                return
            for piece in self._kept.pop(name):
                if isinstance(piece, Picture):
                    self._let_go(piece)

    @property
    def size_bytes(self) -> int:
        """What the kept frames take."""
        pieces = (piece for kept in self._kept.values() for piece in kept)
        return sum(piece.numbers.nbytes for piece in pieces if isinstance(piece, Picture))

    def close(self) -> None:
        """Drop all."""
        for kept in self._kept.values():
            for piece in kept:
                if isinstance(piece, Picture):
                    self._let_go(piece)
        self._kept.clear()
