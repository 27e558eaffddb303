"""From a place in the picture to 478 landmarks of a face, and from those to 52 blendshapes.

The landmark model sees a square around the face, turned so that the eyes are level. Where that
square comes from a detector, the landmarks are those of MediaPipe's picture mode; where it comes
from landmarks found before, they are those of its video mode (and depend half as much on where
exactly the square lies). What is kept is always of the second kind.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engines.onnx_face_detect import Found
from engines.onnx_face_models import blendshape_points, session

CROP_PX = 256
ROOM = 1.5
"""Side of the square, in longer sides of the face's box (MediaPipe's face landmarker)."""
LEAST_PRESENCE = 0.5
LEFT_EYE, RIGHT_EYE = 33, 263
"""Outer corners of the eyes, by their side of the picture."""
OVAL = (
    *(10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377),
    *(152, 148, 176, 149, 150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109),
)
"""The outline of the face mesh, around."""
SETTLED = 0.04
"""A square that another look would move, widen or turn by less than this share is left as it is."""


@dataclass(frozen=True, slots=True)
class Square:
    """Where in the picture the landmark model looks."""

    x: float
    """Middle, in pixels."""
    y: float
    side: float
    turn: float
    """Radians, clockwise in the picture."""

    def is_near(self, other: Square) -> bool:
        """Say whether two squares give the same landmarks, near enough."""
        allowed = SETTLED * self.side
        return (
            math.hypot(self.x - other.x, self.y - other.y) < allowed
            and abs(self.side - other.side) < allowed
            and abs(self.turn - other.turn) < SETTLED
        )


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """A face as the landmark model sees it."""

    points: NDArray[np.float32]
    """(478, 3) in pixels of the picture; the third is depth in the same unit, towards us below 0,
    and zero near the middle of the head."""
    presence: float
    """0 to 1."""
    crop: NDArray[np.uint8]
    """(256, 256, 3) what the model saw."""
    in_crop: NDArray[np.float32]
    """(478, 3) the landmarks in pixels of the crop."""
    square: Square

    @property
    def box(self) -> NDArray[np.float32]:
        """(4,) left, top, width, height around the landmarks."""
        low, high = self.points[:, :2].min(0), self.points[:, :2].max(0)
        return np.concatenate([low, high - low]).astype(np.float32)

    @property
    def eye_distance(self) -> float:
        """Pixels between the outer corners of the eyes."""
        apart = self.points[RIGHT_EYE, :2] - self.points[LEFT_EYE, :2]
        return float(np.hypot(apart[0], apart[1]))


def square_of(found: Found) -> Square:
    """Give the square to look at for a face that a detector found."""
    middle = np.asarray(found.box[:2] + found.box[2:] / 2, np.float32)
    return _square(middle, float(found.box[2:].max()), found.eyes[1] - found.eyes[0])


def square_around(points: NDArray[np.float32]) -> Square:
    """Give the square to look at for a face whose landmarks are known."""
    low, high = points[:, :2].min(0), points[:, :2].max(0)
    middle: NDArray[np.float32] = low + (high - low) / 2
    level = points[RIGHT_EYE, :2] - points[LEFT_EYE, :2]
    return _square(middle, float((high - low).max()), level)


def measure(image: NDArray[np.uint8], square: Square) -> Mesh:
    """Find the landmarks of the face in a square: one pass."""
    crop, to_picture = cut(image, square)
    fed = np.multiply(crop, np.float32(1 / 255), dtype=np.float32)[None]
    raw, logit, *_ = session("face_landmarks_quick.onnx").run(None, {"input_12": fed})
    in_crop = raw.reshape(478, 3)
    points = np.empty((478, 3), np.float32)
    points[:, :2] = in_crop[:, :2] @ to_picture[:, :2].T + to_picture[:, 2]
    points[:, 2] = in_crop[:, 2] * (square.side / CROP_PX)
    presence = 1 / (1 + math.exp(-max(-80.0, min(80.0, float(logit.ravel()[0])))))
    return Mesh(points, presence, crop, in_crop, square)


def settle(image: NDArray[np.uint8], square: Square) -> Mesh:
    """Find the landmarks of a face, looking twice where a second look would see other pixels."""
    first = measure(image, square)
    better = square_around(first.points)
    if first.presence < LEAST_PRESENCE or square.is_near(better):
        return first
    return measure(image, better)


def blendshapes(mesh: Mesh) -> NDArray[np.float32]:
    """Give the 52 blendshapes of a face, 0 to 1, in the model's order."""
    points = mesh.points[list(blendshape_points()), :2][None]
    fed = {"serving_default_input_points:0": np.ascontiguousarray(points, np.float32)}
    given: NDArray[np.float32] = session("face_blendshapes.onnx").run(None, fed)[0]
    return given.reshape(-1)


def cut(image: NDArray[np.uint8], square: Square) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Cut a square out: (256, 256, 3), and the (2, 3) matrix from its pixels to the picture's."""
    import cv2

    step = square.side / CROP_PX
    cos, sin = math.cos(square.turn) * step, math.sin(square.turn) * step
    half = CROP_PX / 2
    to_picture = np.array(
        [
            [cos, -sin, square.x - (cos - sin) * half],
            [sin, cos, square.y - (sin + cos) * half],
        ]
    )
    crop = cv2.warpAffine(
        image,
        to_picture,
        (CROP_PX, CROP_PX),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(crop, np.uint8), to_picture


def _square(middle: NDArray[np.float32], longer: float, level: NDArray[np.float32]) -> Square:
    turn = math.atan2(float(level[1]), float(level[0]))
    return Square(float(middle[0]), float(middle[1]), ROOM * longer, turn)
