"""Draw the pictures that an endpoint is asked about, to see whether it sees."""

from __future__ import annotations

import struct
import zlib

COLOURS = {
    "red": (220, 30, 30),
    "green": (20, 150, 40),
    "blue": (30, 60, 220),
    "yellow": (245, 215, 20),
    "purple": (130, 30, 160),
    "black": (0, 0, 0),
}
SHAPES = ("circle", "square", "triangle")
SIDE_PX = 224
"""A side that vision models take as it is; smaller ones refuse pictures under 28 pixels."""


def picture_of(colour: str, shape: str) -> bytes:
    """Draw one shape of `SHAPES` in one of `COLOURS` in the middle of a white square, as PNG."""
    ink, paper = bytes(COLOURS[colour]), b"\xff\xff\xff"
    rows = []
    for y in range(SIDE_PX):
        left, right = _span(shape, y)
        rows.append(b"\0" + paper * left + ink * (right - left) + paper * (SIDE_PX - right))
    return _png(b"".join(rows))


def _span(shape: str, y: int) -> tuple[int, int]:
    """Give where the shape begins and ends in a row of pixels."""
    middle, reach = SIDE_PX // 2, SIDE_PX // 3
    down = y - middle
    if abs(down) > reach:
        return middle, middle
    if shape == "square":
        half = reach
    elif shape == "triangle":
        half = (down + reach) // 2
    else:
        half = int((reach * reach - down * down) ** 0.5)
    return middle - half, middle + half


def _png(rows: bytes) -> bytes:
    size = struct.pack(">IIBBBBB", SIDE_PX, SIDE_PX, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", size), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )
