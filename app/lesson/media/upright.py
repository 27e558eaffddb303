"""How a stored picture becomes the picture that is shown: pixel shape, mirror, turn, colours.

Everything that shows or measures a picture goes through `upright_rgb`, so that each of these is
applied exactly once. Transparency is ignored: the colour stored under it is shown as it is, which
is black in most files.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

import av
import numpy as np
from av.video.reformatter import ColorRange, Interpolation, VideoReformatter
from numpy.typing import NDArray

from app.lesson.media.tone import tone_map

PQ, HLG = 16, 18
"""Transfer characteristics with high dynamic range (ITU-T H.273, table 3)."""

# Matrix coefficients (H.273, table 4) to swscale's numbers.
_MATRICES = {1: 1, 4: 4, 5: 5, 6: 5, 7: 7, 9: 9, 10: 9}
_HD_ABOVE = 576
"""Untagged pictures higher than this are taken for BT.709, others for BT.601, as players do."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How the stored pictures of one stream are to be shown."""

    coded_width: int
    coded_height: int
    sample_aspect: Fraction
    rotation: int
    """Degrees clockwise: 0, 90, 180 or 270; done after the mirror."""
    mirrored: bool

    @property
    def stretched(self) -> tuple[int, int]:
        """Width and height with square pixels, before mirror and turn; width takes the stretch."""
        width = math.floor(self.coded_width * self.sample_aspect + Fraction(1, 2))
        return max(1, width), self.coded_height

    @property
    def shown(self) -> tuple[int, int]:
        """Width and height as shown."""
        width, height = self.stretched
        return (height, width) if self.rotation in (90, 270) else (width, height)


def shape_of(stream: av.VideoStream, frame: av.VideoFrame, size: tuple[int, int]) -> Shape:
    """Read how a stream is shown.

    Args:
        stream: The picture stream.
        frame: Any picture of it; carries the display matrix.
        size: Stored width and height that the file declares; the first picture's.
    """
    width, height = size if all(size) else (frame.width, frame.height)
    aspect = stream.sample_aspect_ratio or Fraction(1)
    # A damaged header can say anything; nobody films pixels ten times as wide as high.
    if not Fraction(1, 10) <= aspect <= 10:
        aspect = Fraction(1)
    rotation, mirrored = _turn(frame)
    return Shape(width, height, aspect, rotation, mirrored)


def is_high_dynamic_range(frame: av.VideoFrame) -> bool:
    """Say whether a picture's brightness is coded as PQ or HLG."""
    return frame.color_trc in (PQ, HLG)


def upright_rgb(
    frame: av.VideoFrame, shape: Shape, max_px: int | None, scaler: VideoReformatter
) -> NDArray[np.uint8]:
    """Give a picture as it is shown.

    Args:
        frame: A decoded picture; one of another size than the first is scaled to the first's.
        shape: How the stream is shown.
        max_px: Longest side allowed, or None; pictures are never enlarged to it.
        scaler: Kept by the caller from picture to picture, as setting one up is slow.

    Returns:
        (H, W, 3) uint8 RGB, contiguous.
    """
    width, height = _fitted(shape.stretched, max_px)
    is_hdr = is_high_dynamic_range(frame)
    changed = scaler.reformat(
        frame,
        width=width,
        height=height,
        format="rgb48le" if is_hdr else "rgb24",
        interpolation=Interpolation.BILINEAR,
        src_colorspace=_matrix(frame),
        src_color_range=_range(frame),
    )
    stored: NDArray[Any] = changed.to_ndarray()
    if is_hdr:
        stored = tone_map(stored, is_hlg=frame.color_trc == HLG)
    return _turned(stored, shape)


def _turned(image: NDArray[np.uint8], shape: Shape) -> NDArray[np.uint8]:
    if shape.mirrored:
        image = image[:, ::-1]
    if shape.rotation:
        image = np.rot90(image, k=-shape.rotation // 90)
    return np.ascontiguousarray(image)


def _fitted(size: tuple[int, int], max_px: int | None) -> tuple[int, int]:
    longest = max(size)
    if max_px is None or longest <= max_px:
        return size
    width, height = ((side * max_px * 2 + longest) // (2 * longest) for side in size)
    return max(1, width), max(1, height)


def _matrix(frame: av.VideoFrame) -> int | None:
    if frame.format.is_rgb:
        return None
    known = _MATRICES.get(frame.colorspace)
    return known if known is not None else (1 if frame.height > _HD_ABOVE else 5)


def _range(frame: av.VideoFrame) -> int:
    if frame.format.is_rgb or frame.format.name.startswith("yuvj"):
        return int(ColorRange.JPEG)
    return frame.color_range or int(ColorRange.MPEG)


def _turn(frame: av.VideoFrame) -> tuple[int, bool]:
    """Read the display matrix: quarter turns clockwise in degrees, and mirrored or not."""
    try:
        stored = bytes(cast("Mapping[str, Any]", frame.side_data)["DISPLAYMATRIX"])
    except KeyError:
        return 0, False
    except ValueError:
        # Spatial video carries side data newer than PyAV knows, and then it gives none of them; the
        # turn alone it still tells, counter-clockwise.
        return round(-frame.rotation / 90) % 4 * 90, False
    a, b, _, c, d = struct.unpack("=5i", stored[:20])
    if a * d == b * c:  # squeezes the picture to a line: the header is damaged
        return 0, False
    # A point (x, y), y downwards, is shown at (a x + c y, b x + d y).
    mirrored = a * d - b * c < 0
    quarter_turns = round(math.degrees(math.atan2(-c, d)) / 90) % 4
    return quarter_turns * 90, mirrored
