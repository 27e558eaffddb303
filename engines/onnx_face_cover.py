"""Say whether eyes, mouth or chin are covered: by a hand, a mask, dark glasses.

The landmark model draws a whole face whatever hides it, and stays sure of it, so that a hand over
the mouth is read as a smile. What tells is the picture under the landmarks: a chin and cheeks are
smooth and have the colour of the forehead, lips are redder than what is around them, eyes are
darker than the skin and full of edges. Each sign is compared with fixed limits and, once a face
has been followed for some seconds, with what is usual for it, as beards and lipstick are.

The limits were set by hand on the clips named in BENCHMARKS.md, which also says what this gets
wrong. Without colour only edges and brightness are left to go by.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engines.onnx_face_mesh import CROP_PX, OVAL, Mesh

_PX = 128
"""The crop is looked at in this size: pores, stubble and noise are no edges then."""
_LIPS = (61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291, 409, 270, 269, 267, 0, 37, 39, 40, 185)
_INSIDE = (
    78,
    95,
    88,
    178,
    87,
    14,
    317,
    402,
    318,
    324,
    308,
    415,
    310,
    311,
    312,
    13,
    82,
    81,
    80,
    191,
)
"""Teeth and the open mouth, which are no lips."""
_CHIN = (43, 106, 182, 83, 18, 313, 406, 335, 273, 379, 378, 400, 377, 152, 148, 176, 149, 150)
_SKIN = (
    (117, 118, 101, 205, 187, 147, 123),
    (346, 347, 330, 425, 411, 376, 352),
    (67, 109, 10, 338, 297, 336, 9, 107),
)
"""Cheeks and forehead: what the skin of this face looks like in this light."""
_EYES = (
    (33, 7, 163, 144, 145, 153, 154, 155, 133, 173, 157, 158, 159, 160, 161, 246),
    (263, 249, 390, 373, 374, 380, 381, 382, 362, 398, 384, 385, 386, 387, 388, 466),
)
_UNDER_EYES = (
    (226, 31, 228, 229, 230, 231, 232, 101, 117),
    (446, 261, 448, 449, 450, 451, 452, 330, 346),
)
_EDGE_SCALE = 10 / 16
"""Makes a sharp step of all contrast about 10."""
_FEW = 6
"""Fewer pixels than this say nothing; a face that small is not read."""

SIGNS = 9
(
    CHIN_EDGE,
    CHIN_COLOUR,
    LIP_RED,
    LIP_EDGE,
    MOUTH_COLOUR,
    MOUTH_EDGE,
    EYE_EDGE,
    UNDER_EYES,
    COLOUR,
) = range(SIGNS)
USUAL_AFTER = 15
"""Looks until what is usual for a face counts: three seconds."""
_SLOWEST = 0.02
"""What is usual follows a face this fast: a minute's looks count most."""


@dataclass(slots=True, eq=False)
class Usual:
    """What is usual for a face that is followed."""

    signs: NDArray[np.float32] = field(default_factory=lambda: np.zeros(SIGNS, np.float32))
    looks: int = 0

    def take(self, signs: NDArray[np.float32], hidden: tuple[float, float, float]) -> None:
        """Learn from a look at which nothing was covered."""
        if max(hidden) < 0.5:
            self.looks += 1
            self.signs += (signs - self.signs) * max(1 / self.looks, _SLOWEST)


def covered(mesh: Mesh, usual: Usual) -> tuple[float, float, float]:
    """Give how likely eyes and brows, mouth, chin are covered, each 0 to 1; learns what is usual.

    Args:
        mesh: The face.
        usual: What is usual for it, so far; learns from this look.
    """
    signs = signs_of(mesh)
    hidden = hidden_by(signs, usual)
    usual.take(signs, hidden)
    return hidden


def hidden_by(signs: NDArray[np.float32], usual: Usual) -> tuple[float, float, float]:
    """Judge the signs of one look."""
    edge, red = float(signs[CHIN_EDGE]), float(signs[LIP_RED])
    strange_chin = _above(float(signs[CHIN_COLOUR]), 12, 2)
    chin = max(_above(edge, 0.8, 0.07), strange_chin)
    no_lips = _above(-float(signs[LIP_EDGE]), -0.35, 0.05)
    has_colour = float(signs[COLOUR]) > 4
    mouth = max(no_lips, min(_above(float(signs[MOUTH_COLOUR]), 12, 2), strange_chin))
    # Around the mouth skin is smooth; fingers are not.
    mouth = max(mouth, _above(float(signs[MOUTH_EDGE]), 0.4, 0.02))
    if has_colour:
        mouth = max(mouth, _above(-red, -1.3, 0.3))
    if usual.looks >= USUAL_AFTER:
        chin = max(chin, _above(edge - float(usual.signs[CHIN_EDGE]), 0.25, 0.05))
        if has_colour and usual.signs[LIP_RED] > 3:
            mouth = max(mouth, _above(-red / float(usual.signs[LIP_RED]), -0.25, 0.05))
    eyes = max(
        _above(-float(signs[EYE_EDGE]), -0.25, 0.03), _above(-float(signs[UNDER_EYES]), 0.5, 0.05)
    )
    return eyes, mouth, chin


def signs_of(mesh: Mesh) -> NDArray[np.float32]:
    """Measure what a covered face shows: (SIGNS,). Edges and brightness are in face contrasts."""
    import cv2

    small = cv2.resize(mesh.crop, (_PX, _PX), interpolation=cv2.INTER_AREA)
    lab = np.asarray(cv2.cvtColor(small, cv2.COLOR_RGB2LAB), np.uint8)
    points = mesh.in_crop[:, :2] * (_PX / CROP_PX)
    skin = _inside(points, *_SKIN)
    eyes = [_inside(points, eye) for eye in _EYES]
    chin = _inside(points, _CHIN)
    mouth = _inside(points, _LIPS)
    lips = mouth & ~_inside(points, _INSIDE)
    wide = cv2.dilate(mouth.astype(np.uint8), np.ones((9, 9), np.uint8))
    near = cv2.dilate(mouth.astype(np.uint8), np.ones((3, 3), np.uint8))
    ring = (wide > near) & ~skin
    of_skin = _middle(lab, skin)
    light, oval = lab[:, :, 0], _inside(points, OVAL)
    contrast = max(8.0, _at_share(light, oval, 0.95) - _at_share(light, oval, 0.05))
    edges = _edges(lab)
    signs = np.zeros(SIGNS, np.float32)
    signs[CHIN_EDGE] = _at_share(edges, chin, 0.9) / contrast
    signs[CHIN_COLOUR] = math.dist(_middle(lab, chin)[1:], of_skin[1:])
    signs[LIP_RED] = _mean(lab[:, :, 1], lips) - _mean(lab[:, :, 1], ring)
    signs[LIP_EDGE] = _at_share(edges, mouth, 0.9) / contrast
    signs[MOUTH_COLOUR] = math.dist(_middle(lab, ring)[1:], of_skin[1:])
    signs[MOUTH_EDGE] = _at_share(edges, ring, 0.5) / contrast
    signs[EYE_EDGE] = min(_at_share(edges, eye, 0.9) for eye in eyes) / contrast
    under = _inside(points, *_UNDER_EYES)
    signs[UNDER_EYES] = (_middle(lab, under)[0] - of_skin[0]) / contrast
    signs[COLOUR] = math.dist(of_skin[1:], (128, 128))
    return signs


def _edges(lab: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Give how fast colour and light change at each pixel; about 10 for a step of all contrast."""
    import cv2

    soft = cv2.GaussianBlur(lab, (5, 5), 1.0)
    across = cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=_EDGE_SCALE)
    down = cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=_EDGE_SCALE)
    both = cv2.multiply(across, across) + cv2.multiply(down, down)
    return np.asarray(cv2.sqrt(cv2.transform(both, np.ones((1, 3), np.float32))), np.float32)


def _inside(points: NDArray[np.float32], *outlines: tuple[int, ...]) -> NDArray[np.bool_]:
    import cv2

    mask = np.zeros((_PX, _PX), np.uint8)
    for outline in outlines:
        cv2.fillPoly(mask, [np.rint(points[list(outline)]).astype(np.int32)], 1)
    return mask > 0


def _middle(lab: NDArray[np.uint8], where: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Give the middle of lightness and both colours; grey where there are too few pixels."""
    inside = lab[where]
    if len(inside) < _FEW:
        return np.array([128.0, 128.0, 128.0])
    half = len(inside) // 2
    return np.asarray(np.partition(inside, half, axis=0)[half], np.float64)


def _mean(values: NDArray[np.uint8], where: NDArray[np.bool_]) -> float:
    inside = values[where]
    return float(inside.mean()) if len(inside) >= _FEW else 128.0


def _at_share(values: NDArray[Any], where: NDArray[np.bool_], share: float) -> float:
    """Give the value that a share of the pixels stays below; 0 where there are too few."""
    inside = values[where]
    place = int(share * (len(inside) - 1))
    return float(np.partition(inside, place)[place]) if len(inside) >= _FEW else 0.0


def _above(value: float, limit: float, softness: float) -> float:
    """Give 0 well below a limit, 0.5 at it, 1 well above."""
    return 1 / (1 + math.exp(max(-50.0, min(50.0, (limit - value) / softness))))
