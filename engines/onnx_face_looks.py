"""Notice that another face has taken the place of the one that was followed.

Nothing here recognises anybody. Two pictures a fifth of a second apart are compared roughly: a
face turns and moves in that time, but neither it nor what is around it becomes another one. How
often that goes wrong either way is counted by bench_face_looks.py; see BENCHMARKS.md.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engines.onnx_face_mesh import CROP_PX, LEFT_EYE, RIGHT_EYE, Mesh

_FACE_PX, _AROUND_PX = 12, 16
LOOK = _FACE_PX**2 + _AROUND_PX**2 + 2
"""Numbers in a look."""
_ALIKE = 0.58
"""Neighbouring pictures of one person: 0.64 at least, in a very small and lively face."""
_COLOUR_STEP = 6.0
"""In Lab's a and b, of 255: neighbouring pictures of one person differ by 3.2 at most."""
_MOUTH = (61, 291)
_PLACES = np.array([[16, 16], [48, 16], [32, 46]], np.float32)
"""Where both eyes and the mouth are put in a face of 64 pixels."""


def look_of(mesh: Mesh) -> NDArray[np.float32]:
    """Give how a face looks: (LOOK,).

    Brightness inside the face, eyes and mouth at fixed places, and of all of the crop, each
    without its mean and of length one half squared; then the colour of the middle of the face.
    """
    import cv2

    grey = np.asarray(cv2.cvtColor(mesh.crop, cv2.COLOR_RGB2GRAY), np.uint8)
    points = mesh.in_crop[:, :2]
    marks = np.stack([points[LEFT_EYE], points[RIGHT_EYE], points[list(_MOUTH)].mean(0)])
    placed = cv2.getAffineTransform(marks.astype(np.float32), _PLACES)
    face = np.asarray(cv2.warpAffine(grey, placed, (64, 64)), np.uint8)
    middle = slice(CROP_PX * 2 // 5, CROP_PX * 3 // 5)
    lab = np.asarray(cv2.cvtColor(mesh.crop[middle, middle], cv2.COLOR_RGB2LAB), np.uint8)
    colour = lab[:, :, 1:].reshape(-1, 2).mean(0)
    parts = [_shape_of(face, _FACE_PX), _shape_of(grey, _AROUND_PX), colour]
    return np.concatenate(parts).astype(np.float32)


def same_person(one: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    """Say whether two looks, little time apart, may be of one person."""
    alike = float(one[:-2] @ other[:-2])
    return alike >= _ALIKE and float(np.abs(one[-2:] - other[-2:]).max()) <= _COLOUR_STEP


def _shape_of(grey: NDArray[np.uint8], size_px: int) -> NDArray[np.float32]:
    import cv2

    small = cv2.resize(grey, (size_px, size_px), interpolation=cv2.INTER_AREA)
    flat = small.astype(np.float32).ravel()
    flat -= flat.mean()
    shape: NDArray[np.float32] = flat / max(float(np.linalg.norm(flat)), 1e-3)
    return shape * np.float32(0.5**0.5)
