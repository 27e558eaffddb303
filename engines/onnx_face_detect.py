"""Find faces in a picture: three detectors, for near, middling and small faces.

The first two are MediaPipe's BlazeFace (short and full range); how their answers are read follows
the graphs published with MediaPipe 0.10.21. The third is CenterFace, which finds faces of 20
pixels in a picture of 1280 and takes ten times as long. Its memory grows with the picture (240 MB
for 1280x1024), so a large picture is looked at part by part, and small as a whole.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from engines.onnx_face_models import session

LEAST_SCORE = 0.5
_OVERLAP = 0.3
"""Answers that overlap more than this are one face (weighted mean, as MediaPipe has it)."""
_CENTRE_LONGEST_PX = 1280
_PART_PX = 416
"""The longest side that CenterFace is given at once; 20 MB of its own then."""
_SHARED_PX = 96
"""What two parts share: a face up to this high lies whole in one of them. A higher one is taken
from the picture as a whole, where it is 31 pixels or more: half of one can look like a face."""
_EDGE_PX = 2
"""A face nearer than this to where a part was cut is taken for half a face."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A face as a detector gives it, in pixels of the picture."""

    box: NDArray[np.float32]
    """(4,) left, top, width, height."""
    eyes: NDArray[np.float32]
    """(2, 2) the eye on the left of the picture, then the other."""
    score: float
    """0.5 to 1."""


def find_near(image: NDArray[np.uint8]) -> list[Found]:
    """Find faces from a ninth of the picture's longer side on; the quickest. Best first."""
    return _find_blaze(image, "face_detector.onnx", 128)


def find_middling(image: NDArray[np.uint8]) -> list[Found]:
    """Find faces from an eighteenth of the picture's longer side on. Best first."""
    return _find_blaze(image, "face_detection_full_range.onnx", 192)


def find_small(image: NDArray[np.uint8]) -> list[Found]:
    """Find faces from 20 pixels on; slow. Best first."""
    height, width = image.shape[:2]
    longest = max(height, width)
    found = []
    if longest > _PART_PX:
        scale = min(1.0, _CENTRE_LONGEST_PX / longest)
        large = image if scale == 1 else _shrunk(image, scale)
        for part in _parts(large.shape[1], large.shape[0]):
            rows = _of_part(large, *part)
            rows[:, :14] /= scale
            found.append(rows)
    found.append(_centres(image, min(1.0, _PART_PX / longest)))
    return [_as_found(row) for row in _merged(np.concatenate(found))]


def _shrunk(image: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    import cv2

    size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def _parts(width: int, height: int) -> Iterator[tuple[slice, slice]]:
    """Give rows and columns of each part; all parts are of one size."""
    for top, bottom in _cuts(height):
        for left, right in _cuts(width):
            yield slice(top, bottom), slice(left, right)


def _cuts(length: int) -> list[tuple[int, int]]:
    """Give start and end of the parts of one side, spread evenly."""
    count = max(1, math.ceil((length - _SHARED_PX) / (_PART_PX - _SHARED_PX)))
    side = math.ceil((length + (count - 1) * _SHARED_PX) / count)
    starts = np.linspace(0, length - side, count).round().astype(int).tolist()
    return [(start, start + side) for start in starts]


def _of_part(image: NDArray[np.uint8], down: slice, across: slice) -> NDArray[np.float32]:
    """Find small faces that lie whole in a part; rows in pixels of the whole."""
    begins, ends = (np.array([getattr(across, at), getattr(down, at)]) for at in ("start", "stop"))
    rows = _centres(image[down, across], 1.0)
    is_place = np.r_[0, 1, 4:14]  # all but width and height
    rows[:, is_place] += np.tile(begins, 6)
    near, far = rows[:, :2], rows[:, :2] + rows[:, 2:4]
    is_whole = (near >= begins + _EDGE_PX) | (begins == 0)
    is_whole &= (far <= ends - _EDGE_PX) | (ends == image.shape[1::-1])
    is_whole &= rows[:, 2:4] <= _SHARED_PX
    whole: NDArray[np.float32] = rows[is_whole.all(axis=1)]
    return whole


def _centres(image: NDArray[np.uint8], scale: float) -> NDArray[np.float32]:
    """Give what CenterFace finds, see `_as_found`; sides are rounded to 32, which it needs."""
    import cv2

    height, width = image.shape[:2]
    wide, high = (max(32, round(side * scale / 32) * 32) for side in (width, height))
    fed = cv2.resize(image, (wide, high), interpolation=cv2.INTER_AREA)
    planes = np.ascontiguousarray(fed.transpose(2, 0, 1), dtype=np.float32)[None]
    answers = session("centerface_dyn.onnx").run(None, {"input.1": planes})
    found = _read_centres(*(answer[0] for answer in answers))
    found[:, :14] *= np.tile([width / wide, height / high], 7)
    return found


def _find_blaze(image: NDArray[np.uint8], model: str, size_px: int) -> list[Found]:
    import cv2

    height, width = image.shape[:2]
    side = max(height, width)
    step = side / size_px
    to_picture = np.array([[step, 0, (width - side) / 2], [0, step, (height - side) / 2]])
    fed = cv2.warpAffine(
        image, to_picture, (size_px, size_px), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    )
    scaled = (fed.astype(np.float32) / 127.5 - 1)[None]
    raw, logits = session(model).run(None, {"input": scaled})
    scores = 1 / (1 + np.exp(-np.clip(logits[0, :, 0], -80, 80)))
    sure = scores >= LEAST_SCORE
    places = raw[0][sure] / size_px
    # Centre, size, then six points of which the first two are the eyes; all but the size count
    # from the middle of the cell.
    centres = _cells(size_px)[sure]
    points = (places[:, [0, 1, 4, 5, 6, 7]] + np.tile(centres, 3)).reshape(-1, 3, 2)
    points = points * side + to_picture[:, 2]
    sizes = places[:, 2:4] * side
    # Eyes twice, where CenterFace has nose and mouth too.
    rows = np.concatenate(
        [
            points[:, 0] - sizes / 2,
            sizes,
            points[:, 1],
            points[:, 2],
            np.tile(points[:, 2], 3),
            scores[sure][:, None],
        ],
        axis=1,
    )
    return [_as_found(row) for row in _merged(rows)]


@cache
def _cells(size_px: int) -> NDArray[np.float32]:
    """Give the middle of the cell behind each answer, as shares of the picture."""
    grids = [(16, 2), (8, 6)] if size_px == 128 else [(48, 1)]
    cells = []
    for cells_a_side, answers_a_cell in grids:
        middles = (np.arange(cells_a_side) + 0.5) / cells_a_side
        x, y = np.meshgrid(middles, middles)
        cells.append(np.repeat(np.stack([x.ravel(), y.ravel()], 1), answers_a_cell, axis=0))
    return np.concatenate(cells).astype(np.float32)


def _read_centres(
    heat: NDArray[np.float32],
    scale: NDArray[np.float32],
    offset: NDArray[np.float32],
    marks: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Read CenterFace's four maps, one cell for four pixels: (n, 15) rows, see `_as_found`."""
    down, across = np.nonzero(heat[0] >= LEAST_SCORE)
    tall, wide = (np.exp(scale[axis, down, across]) * 4 for axis in (0, 1))
    top = (down + offset[0, down, across] + 0.5) * 4 - tall / 2
    left = (across + offset[1, down, across] + 0.5) * 4 - wide / 2
    points = [
        place
        for mark in range(5)
        for place in (
            left + marks[2 * mark + 1, down, across] * wide,
            top + marks[2 * mark, down, across] * tall,
        )
    ]
    rows = np.stack([left, top, wide, tall, *points, heat[0, down, across]], axis=1)
    return rows.astype(np.float32)


def _merged(rows: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    """Join rows of one face into their mean, weighted by score; the best face first."""
    rows = rows[np.argsort(-rows[:, -1], kind="stable")]
    merged = []
    while len(rows):
        one = overlap(rows[:, :4], rows[0, :4]) > _OVERLAP
        one[0] = True
        weights = rows[one, -1:]
        mean = (rows[one] * weights).sum(0) / weights.sum()
        mean[-1] = rows[0, -1]
        merged.append(mean)
        rows = rows[~one]
    return merged


def overlap(boxes: NDArray[np.float32], box: NDArray[np.float32]) -> NDArray[np.float32]:
    """Give for each of (n, 4) boxes what it shares with one box, of what both cover: 0 to 1."""
    near = np.maximum(boxes[:, :2], box[:2])
    far = np.minimum(boxes[:, :2] + boxes[:, 2:], box[:2] + box[2:])
    shared = np.prod(np.clip(far - near, 0, None), axis=1)
    both = np.prod(boxes[:, 2:], axis=1) + np.prod(box[2:]) - shared
    share: NDArray[np.float32] = shared / np.maximum(both, 1e-6)
    return share


def _as_found(row: NDArray[np.float32]) -> Found:
    """Read left, top, width, height, both eyes, three more points, score."""
    eyes = np.asarray(row[4:8], np.float32).reshape(2, 2)
    return Found(np.asarray(row[:4], np.float32), eyes, float(row[-1]))
