"""What the face-cue reader says of faces whose values are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from made_faces import REST, ROWS, THRESHOLDS, after, face, joined, nobody

from app.confusion.baseline import baseline_from, baseline_of
from app.confusion.face_choice import ONLY_A_PICTURE, SEVERAL_FACES
from app.confusion.face_measures import measures_of
from app.confusion.face_reading import learner_baseline, readings_of
from app.confusion.records import Confidence, CueKind, Level
from app.confusion.windows import windows_of
from app.lesson.spans import Span

FROWN = {"brow": 0.35, "lids": 0.4}


def read(series, *, length_s=None, face=None, kept=None):
    end_ms = round(length_s * 1000) if length_s else int(series.looked_ms[-1]) + 200
    windows = windows_of(Span(0, end_ms))
    return list(readings_of(series, windows, 0, face, kept, THRESHOLDS))


def after_calm(values, seconds=2.0):
    """Read one window that follows upon 20 s of a face at rest."""
    return read(after((20.0, {}), (seconds, values)))[10]


def test_a_face_at_rest_shows_no_confusion_and_the_reader_is_sure():
    readings = read(after((20.0, {})))
    assert [r.level for r in readings] == [Level.NONE] * 10
    assert {r.confidence for r in readings} == {Confidence.HIGH}
    assert not any(r.cues or r.evidence_ms for r in readings)
    assert readings[0].note == (
        "brows 0.03 and lids 0.20: for this learner 0.09 and 0.28 would stand out"
    )


@pytest.mark.parametrize(
    ("values", "level"),
    [
        ({"brow": 0.35, "lids": 0.4}, Level.HIGH),
        ({"brow": 0.2, "lids": 0.4}, Level.MEDIUM),
        ({"brow": 0.35}, Level.MEDIUM),
        ({"brow": 0.2}, Level.MEDIUM),
        ({"brow": 0.2, "lids": 0.3, "lips_pressed": 0.4}, Level.MEDIUM),
        ({"brow": 0.1, "lids": 0.37}, Level.LOW),
        ({"lids": 0.5}, Level.LOW),
        ({"lids": 0.37}, Level.NONE),
        ({"brow": 0.1}, Level.NONE),
        ({"lip_raised": 0.6, "lips_pressed": 0.6, "chin_covered": 1.0}, Level.NONE),
    ],
)
def test_brows_and_lids_decide_and_the_rest_only_supports(values, level):
    assert after_calm(values).level is level


@pytest.mark.parametrize(
    ("values", "level"),
    [
        ({"brow": 0.2}, Level.LOW),
        ({"brow": 0.2, "lips_pressed": 0.4}, Level.LOW),
        ({"brow": 0.2, "lids": 0.3}, Level.LOW),
        ({"brow": 0.2, "lids": 0.3, "lips_pressed": 0.4}, Level.MEDIUM),
        ({"brow": 0.35}, Level.MEDIUM),
        ({"brow": 0.35, "lids": 0.4}, Level.HIGH),
    ],
)
def test_a_sign_held_for_less_than_half_of_the_window_counts_for_less(values, level):
    assert read(after((20.0, {}), (1.0, {}), (1.0, values)))[10].level is level


def test_the_same_face_is_no_confusion_where_it_is_usual():
    assert {r.level for r in read(after((30.0, FROWN)))} == {Level.NONE}


def test_every_sign_comes_with_its_value_and_what_is_usual():
    cues = {cue.kind: cue for cue in after_calm(FROWN).cues}
    assert set(cues) == {CueKind.BROW, CueKind.LIDS}
    assert (cues[CueKind.BROW].value, cues[CueKind.BROW].baseline) == (0.35, 0.03)
    assert (cues[CueKind.LIDS].value, cues[CueKind.LIDS].baseline) == (0.4, 0.2)


def test_evidence_lies_in_the_moments_that_show_it():
    reading = read(after((20.0, {}), (1.0, {}), (1.0, FROWN)))[10]
    assert reading.level is Level.HIGH
    assert len(reading.evidence_ms) == 3
    assert all(21_000 <= at < 22_000 for at in reading.evidence_ms)


def test_a_frown_under_a_smile_is_none_and_the_smile_is_named():
    reading = after_calm({**FROWN, "smile": 0.8})
    assert reading.level is Level.NONE
    assert [c.kind for c in reading.cues if c.speaks_against] == [CueKind.SMILE]
    assert "smile" in reading.note


def test_a_smile_in_part_of_the_window_takes_a_step():
    mixed = after((20.0, {}), (1.2, FROWN), (0.8, {"smile": 0.8}))
    assert read(mixed)[10].level is Level.MEDIUM


def test_a_sign_shorter_than_six_tenths_of_a_second_does_not_count():
    assert read(after((20.0, {}), (0.4, FROWN), (1.6, {})))[10].level is Level.NONE


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"presence": 0.2}, "hard to make out"),
        ({"eye": 12.0}, "too small"),
        ({"yaw": 50.0}, "turned away"),
        ({"pitch": -45.0}, "turned away"),
        ({"eyes_covered": 0.9}, "eyes or brows are covered"),
        ({"mouth_covered": 0.9}, "the mouth is covered"),
        ({"bright": 0.02}, "too dark"),
        ({"pitch": -25.0}, "the head is bent down"),
        ({"contrast": 0.01}, "too dark or too flat"),
        ({"shut": 0.9}, "eyes are shut"),
    ],
)
def test_a_face_that_cannot_be_read_is_not_visible_and_has_no_level(values, told):
    reading = after_calm({**FROWN, **values})
    assert not reading.is_visible
    assert reading.level is None
    assert reading.confidence is None
    assert not reading.cues
    assert told in reading.note
    assert "10 of 10" in reading.note


def test_a_learner_who_leaves_is_not_visible_from_then_on():
    readings = read(after((20.0, {}), (20.0, None)))
    assert [r.is_visible for r in readings] == [True] * 10 + [False] * 10
    assert "no face is seen" in readings[-1].note


def test_a_learner_who_comes_back_is_taken_for_the_same_aloud_and_with_less_sureness():
    series = joined(after((20.0, {}), (20.0, None)), face(20, start_s=40, track=2, **REST))
    late = read(series)[-1]
    assert late.level is Level.NONE
    assert late.confidence is Confidence.MEDIUM
    assert "came back" in late.note


def test_another_face_that_takes_the_place_is_not_silently_the_learner():
    other = face(20.0, start_s=20, track=2, box=(180, 110, 220, 250), **FROWN)
    readings = read(joined(face(20.0), other))
    assert [r.is_visible for r in readings] == [True] * 10 + [False] * 10
    assert "only another face" in readings[-1].note


def test_a_face_in_another_light_that_has_not_moved_is_followed_on_aloud():
    readings = read(joined(face(20.0), face(20.0, start_s=20, track=2, bright=0.2)))
    assert [r.level for r in readings] == [Level.NONE] * 20
    assert [("came back" in r.note) for r in readings] == [False] * 10 + [True] * 10
    assert {r.confidence for r in readings[10:]} == {Confidence.MEDIUM}


def test_a_face_that_comes_back_elsewhere_is_not_silently_the_learner():
    away = face(20.0, start_s=40, track=2, box=(10, 10, 60, 70))
    readings = read(joined(after((20.0, {}), (20.0, None)), away))
    assert not any(r.is_visible for r in readings[10:])


def test_a_last_window_of_two_pictures_is_too_short_to_read():
    last = read(after((20.4, {})))[-1]
    assert not last.is_visible
    assert last.note == "too short: the face can be read for 0.4 s of the 0.6 s needed"


def test_a_chosen_face_is_followed_on_aloud_where_it_suddenly_looks_otherwise():
    series = joined(face(20.0), face(20.0, start_s=20, track=2, box=(230, 100, 200, 240)))
    assert not read(series)[-1].is_visible
    first, later = (read(series, face=(at, 300, 200)) for at in (5000, 30_000))
    assert all(r.is_visible for r in [*first, *later])
    assert [("came back" in r.note) for r in first] == [False] * 10 + [True] * 10
    assert [("came back" in r.note) for r in later] == [True] * 10 + [False] * 10


def test_with_two_faces_and_no_choice_nothing_is_read():
    other = face(20.0, track=2, box=(450, 100, 150, 180), **FROWN)
    readings = read(joined(face(20.0), other))
    assert not any(r.is_visible for r in readings)
    assert {r.note for r in readings} == {SEVERAL_FACES}


def test_a_second_face_that_comes_late_leaves_what_was_read_before():
    # Readings rest on what was seen up to the end of their minute; the other comes at 1:40.
    other = face(20.0, start_s=100, track=2, box=(450, 100, 150, 180))
    readings = read(joined(face(150.0), other))
    assert all(r.is_visible for r in readings if r.end_ms <= 60_000)
    assert {r.note for r in readings if r.start_ms >= 60_000} == {SEVERAL_FACES}


def test_the_chosen_one_of_two_faces_is_read():
    other = face(2.0, start_s=20, track=2, box=(450, 100, 150, 180), **FROWN)
    calm = face(20.0, track=2, box=(450, 100, 150, 180))
    series = joined(face(22.0), calm, other)
    chosen = read(series, face=(5000, 520, 180))
    assert [r.level for r in chosen] == [Level.NONE] * 10 + [Level.HIGH]
    assert {r.level for r in read(series, face=(5000, 300, 200))} == {Level.NONE}


def test_a_choice_beside_every_face_is_said_to_be_so():
    readings = read(face(20.0), face=(5000, 5, 5))
    assert not any(r.is_visible for r in readings)
    assert "choose again" in readings[0].note


def test_a_poster_beside_a_learner_is_no_second_face():
    poster = face(20.0, track=2, box=(20, 20, 60, 80), alive=False, **FROWN)
    assert {r.level for r in read(joined(face(20.0), poster))} == {Level.NONE}


def test_a_poster_alone_is_nobody():
    readings = read(face(20.0, alive=False, **FROWN))
    assert not any(r.is_visible for r in readings)
    assert {r.note for r in readings} == {ONLY_A_PICTURE}


def test_a_face_that_only_flashes_up_is_not_one_of_several():
    flash = face(0.4, start_s=5, track=2, box=(450, 100, 50, 60))
    assert all(r.is_visible for r in read(joined(face(20.0), flash)))


def test_a_face_that_only_flashes_up_is_nobody():
    readings = read(after((4.0, None), (0.8, FROWN), (3.2, None)))
    assert not any(r.is_visible for r in readings)
    assert ["too briefly" in r.note for r in readings] == [False, False, True, False]


def test_a_video_without_a_face_is_not_visible_throughout():
    readings = read(nobody(9.0))
    assert len(readings) == 5
    assert {(r.is_visible, r.level) for r in readings} == {(False, None)}


def test_too_little_to_know_what_is_usual_is_said_and_lowers_the_confidence():
    readings = read(after((4.0, {}), (2.0, {"brow": 0.5, "lids": 0.6})))
    assert readings[2].level is Level.HIGH
    assert readings[2].confidence is Confidence.MEDIUM
    assert "not known" in readings[2].note
    assert all(cue.baseline is None for cue in readings[2].cues)


def test_without_a_baseline_more_is_asked_for():
    values = {"brow": 0.17, "lids": 0.36}
    assert after_calm(values).level is Level.MEDIUM
    assert read(after((2.0, {}), (2.0, values)))[1].level is Level.NONE


def test_a_short_video_is_compared_with_the_learners_kept_baseline():
    earlier = after((30.0, {"brow": 0.2, "lids": 0.3}))
    figures = learner_baseline(earlier, None, THRESHOLDS).figures()
    kept = baseline_from(figures)
    reading = read(face(4.0, brow=0.2, lids=0.3), kept=kept)[0]
    assert reading.level is Level.NONE
    assert "an earlier video of this learner" in reading.note
    assert read(face(4.0, brow=0.5, lids=0.5), kept=kept)[0].level is Level.HIGH


def test_a_long_enough_video_takes_its_own_baseline_before_a_kept_one():
    kept = baseline_from(learner_baseline(face(20.0, brow=0.5), None, THRESHOLDS).figures())
    assert read(after((20.0, {}), (2.0, FROWN)), kept=kept)[10].level is Level.HIGH


@pytest.mark.parametrize("figures", [None, {}, {"signs": {}}, {"signs": {"brow": [1]}}, {"a": 1}])
def test_kept_figures_that_cannot_be_read_are_none(figures):
    assert baseline_from(figures) is None


def test_the_baseline_is_the_median_of_calm_moments_by_hand():
    series = after((8.0, {"brow": 0.02}), (6.0, {"brow": 0.04}), (20.0, {"smile": 0.9}))
    measures = measures_of(series, np.arange(len(series.time_ms)), THRESHOLDS)
    baseline = baseline_of(measures, 640, THRESHOLDS)
    assert baseline.seconds == 14.0
    assert baseline.of("brow").median == pytest.approx(0.02)
    # 40 moments deviate by 0 and 30 by 0.02: the median deviation is 0.
    assert baseline.of("brow").spread == 0
    assert baseline.size_share == pytest.approx(60 / 640)


def test_whoever_always_moves_the_brows_needs_more_of_a_frown():
    restless = [(0.2, {"brow": 0.02 if turn % 2 else 0.22}) for turn in range(100)]
    readings = read(after(*restless, (2.0, {"brow": 0.35})))
    assert readings[10].level is Level.NONE


def test_a_lowered_head_takes_from_brows_and_lids_what_it_adds_to_them():
    # 14 degrees are 11 more than make no difference: 0.16 of the brows, 0.11 of the lids.
    reading = after_calm({"brow": 0.21, "lids": 0.35, "pitch": -14.0})
    assert reading.level is Level.NONE
    assert "the head is lowered" in reading.note
    assert after_calm({"brow": 0.45, "lids": 0.5, "pitch": -14.0}).level is Level.HIGH


def test_a_head_that_is_always_lowered_is_usual():
    lowered = {"pitch": -14.0}
    series = after((20.0, lowered), (2.0, {**FROWN, **lowered}))
    assert [r.level for r in read(series)] == [Level.NONE] * 10 + [Level.HIGH]


def test_leaning_in_supports_and_says_by_how_much():
    reading = after_calm({"brow": 0.2, "lids": 0.3, "eye": 84.0})
    posture = next(c for c in reading.cues if c.kind is CueKind.POSTURE)
    assert posture.value == pytest.approx(0.4)
    assert reading.level is Level.MEDIUM


def test_a_hand_at_the_chin_is_named_and_decides_nothing():
    reading = after_calm({"chin_covered": 0.9})
    assert [c.kind for c in reading.cues] == [CueKind.HAND]
    assert reading.level is Level.NONE


def test_a_window_half_seen_is_read_with_less_sureness():
    series = after((20.0, {}), (1.0, None), (1.0, FROWN))
    reading = read(series)[10]
    assert reading.level is Level.HIGH
    assert reading.confidence is Confidence.LOW


def test_windows_come_as_they_are_seen_and_do_not_change_afterwards():
    whole = after((130.0, {}), (10.0, FROWN), (40.0, {}))
    said = read(whole)
    for seen_s in (30, 61, 125, 150):
        rows = whole.time_ms < seen_s * 1000
        cut = {name: getattr(whole, name)[rows] for name in ROWS}
        looked = whole.looked_ms[whole.looked_ms < seen_s * 1000]
        so_far = replace(whole, looked_ms=looked, is_complete=False, **cut)
        first = read(so_far, length_s=180)
        assert first == said[: len(first)]
        assert len(first) == seen_s // 60 * 30
