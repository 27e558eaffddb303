"""Which way a face looks, and how well it is lit."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engines.onnx_face_mesh import CROP_PX, OVAL, Mesh

_LEFT_SIDE, _RIGHT_SIDE = (33, 127, 234), (263, 356, 454)
"""Outer corner of the eye, temple, before the ear; by the side of the picture."""
_FOREHEAD, _CHIN = 10, 152


def head_pose(mesh: Mesh) -> tuple[float, float, float]:
    """Give yaw, pitch and roll in degrees.

    From the mesh's own three dimensions: one axis runs from one side of the face to the other
    (mean of three pairs of landmarks), one from the chin to the forehead; the third stands on
    both. No camera is assumed; the further from the middle of a wide picture, the more a face
    that looks straight ahead seems turned.

    Yaw is above 0 when the face turns to the right of the picture, pitch when it looks up, roll
    when the head tilts clockwise in the picture.
    """
    points = mesh.points.astype(np.float64)
    across = _unit(points[list(_RIGHT_SIDE)].mean(0) - points[list(_LEFT_SIDE)].mean(0))
    down = points[_CHIN] - points[_FOREHEAD]
    down = _unit(down - across * float(down @ across))
    ahead = np.cross(down, across)  # depth falls towards us, so this points out of the face
    yaw = math.degrees(math.asin(max(-1.0, min(1.0, float(ahead[0])))))
    pitch = math.degrees(math.atan2(-float(ahead[1]), -float(ahead[2])))
    roll = math.degrees(math.atan2(float(across[1]), float(across[0])))
    return yaw, pitch, roll


def face_light(mesh: Mesh) -> tuple[float, float]:
    """Give the mean brightness inside the face and its contrast, both 0 to 1.

    Contrast is the distance between its 5th and 95th percentile: a face against a window is dark
    and has little of it.
    """
    grey = grey_crop(mesh)[face_mask(mesh) > 0]
    if not grey.size:
        return 0.0, 0.0
    low, high = np.percentile(grey, (5, 95))
    return float(grey.mean()) / 255, float(high - low) / 255


def grey_crop(mesh: Mesh) -> NDArray[np.uint8]:
    """Give the crop's brightness: (256, 256)."""
    import cv2

    return np.asarray(cv2.cvtColor(mesh.crop, cv2.COLOR_RGB2GRAY), np.uint8)


def face_mask(mesh: Mesh) -> NDArray[np.uint8]:
    """Give where in the crop the face is: (256, 256), 1 inside and 0 outside."""
    return fill(mesh.in_crop[list(OVAL), :2])


def fill(outline: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Give where in the crop the inside of an outline is: (256, 256), 1 inside and 0 outside."""
    import cv2

    mask = np.zeros((CROP_PX, CROP_PX), np.uint8)
    cv2.fillPoly(mask, [np.rint(outline).astype(np.int32)], 1)
    return mask


def _unit(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    long: NDArray[np.float64] = vector / max(float(np.linalg.norm(vector)), 1e-9)
    return long
