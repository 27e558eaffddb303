"""Faces are blurred for good, and where nobody knows where they are, all of the picture is."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image, ImageFilter

from app.confusion.faces import FaceSeries
from reports.confusion_pictures import blur, boxes_at, small_pictures


def series(*rows: tuple[int, int, tuple[float, float, float, float]]) -> FaceSeries:
    """Faces as (moment, track, box) in a picture of 640 by 480."""
    n = len(rows)
    return FaceSeries(
        looked_ms=np.arange(0, 10_000, 200),
        time_ms=np.array([row[0] for row in rows], dtype=np.int64),
        track=np.array([row[1] for row in rows], dtype=np.int32),
        box=np.array([row[2] for row in rows], dtype=np.float32).reshape(n, 4),
        presence=np.ones(n, dtype=np.float32),
        blendshapes=np.zeros((n, 52), dtype=np.float32),
        pose_deg=np.zeros((n, 3), dtype=np.float32),
        covered=np.zeros((n, 3), dtype=np.float32),
        light=np.zeros((n, 2), dtype=np.float32),
        eye_distance=np.full(n, 60, dtype=np.float32),
        names=("a",) * 52,
        frame_px=(640, 480),
    )


@pytest.fixture
def noise() -> Image.Image:
    """A picture in which every pixel differs from its neighbours."""
    pixels = np.random.default_rng(1).integers(0, 256, (480, 640, 3), dtype=np.uint8)
    return Image.fromarray(pixels)


def detail(picture: Image.Image, box: tuple[int, int, int, int]) -> float:
    """How much neighbouring pixels differ inside a box."""
    return float(np.abs(np.diff(np.asarray(picture.crop(box), dtype=float), axis=1)).mean())


def test_a_box_grows_for_hair_and_chin_and_is_a_share_of_the_picture():
    (box,) = boxes_at(series((2_000, 1, (200, 100, 100, 100))), 2_000)
    assert box == pytest.approx((155 / 640, 55 / 480, 345 / 640, 245 / 480))


def test_the_face_is_coarse_and_the_rest_stays_as_it_was(noise):
    blurred = blur(noise, boxes_at(series((2_000, 1, (200, 100, 100, 100))), 2_000))
    inside, outside = (160, 60, 340, 240), (400, 300, 640, 480)
    assert detail(blurred, inside) < detail(noise, inside) / 20
    assert blurred.crop(outside).tobytes() == noise.crop(outside).tobytes()


def test_every_face_is_blurred_not_only_the_learner_s():
    found = series((2_000, 1, (200, 100, 100, 100)), (2_000, 2, (500, 50, 40, 40)))
    assert len(boxes_at(found, 2_000)) == 2


@pytest.mark.parametrize(
    "faces",
    [
        None,
        series(),
        series((9_000, 1, (200, 100, 100, 100))),
        # Followed a second before, but lost now: it may be anywhere.
        series((1_000, 1, (200, 100, 100, 100)), (2_000, 2, (500, 50, 40, 40))),
    ],
)
def test_where_a_face_may_be_missed_the_whole_picture_is_blurred(faces, noise):
    assert boxes_at(faces, 2_000) == ()
    blurred = blur(noise, ())
    assert detail(blurred, (0, 0, 640, 480)) < detail(noise, (0, 0, 640, 480)) / 20


def test_a_box_beyond_the_edge_is_cut_off(noise):
    blurred = blur(noise, boxes_at(series((2_000, 1, (-30, -20, 120, 120))), 2_000))
    assert blurred.size == noise.size
    assert detail(blurred, (0, 0, 120, 120)) < detail(noise, (0, 0, 120, 120)) / 10


def test_nothing_of_the_sharp_picture_is_left_in_the_file(noise, tmp_path):
    path = tmp_path / "frame.jpg"
    exif = Image.Exif()
    exif[0x010E] = "the learner's full name"
    noise.save(path, exif=exif)
    found = small_pictures({2_000: path}, None, blurred=True)
    assert b"full name" not in found[2_000]
    with Image.open(io.BytesIO(found[2_000])) as picture:
        assert detail(picture, (0, 0, *picture.size)) < 3
    sharp = small_pictures({2_000: path}, None, blurred=False)
    with Image.open(io.BytesIO(sharp[2_000])) as picture:
        assert detail(picture, (0, 0, *picture.size)) > 20


def test_a_picture_that_cannot_be_read_is_left_out(tmp_path):
    path = tmp_path / "frame.jpg"
    path.write_bytes(b"no picture")
    assert small_pictures({0: path}, None, blurred=False) == {}


def test_a_known_person_s_outline_is_gone_after_blurring(noise):
    """Sharpening the blurred face brings nothing back."""
    box = boxes_at(series((2_000, 1, (200, 100, 100, 100))), 2_000)
    sharpened = blur(noise, box).filter(ImageFilter.UnsharpMask(8, 300, 0))
    assert detail(sharpened, (160, 60, 340, 240)) < detail(noise, (160, 60, 340, 240)) / 6
