import numpy as np
from made_faces import THRESHOLDS, after, face, joined

from app.confusion.curves import cue_curves
from app.confusion.records import CueKind

CALM = {"brow": 0.05}


def brow(series, chosen=None):
    return next(c for c in cue_curves(series, chosen, THRESHOLDS) if c.kind is CueKind.BROW)


def test_a_curve_has_a_value_for_each_picture_and_what_is_usual():
    curve = brow(after((30, CALM), (4, {"brow": 0.4})))
    assert len(curve.values) == 34 * 5
    assert np.allclose(curve.values[:150], 0.05)
    assert np.allclose(curve.values[150:], 0.4)
    assert abs(curve.usual - 0.05) < 1e-3


def test_a_curve_breaks_where_nobody_is_seen_and_where_the_face_cannot_be_read():
    seen = after((30, CALM), (10, None), (10, CALM), (4, {**CALM, "eyes_covered": 1.0}))
    curve = brow(seen)
    inside = (curve.time_ms > 29_800) & (curve.time_ms < 40_000)
    assert np.isnan(curve.values[inside]).all()
    assert inside.sum() == 1
    assert np.isnan(curve.values[curve.time_ms >= 50_000]).all()


def test_two_faces_give_no_curve_until_one_is_chosen():
    both = joined(face(30, track=1), face(30, track=2, box=(420, 100, 200, 240), brow=0.3))
    assert cue_curves(both, None, THRESHOLDS) == ()
    chosen = brow(both, (1000, 520.0, 220.0))
    assert np.allclose(chosen.values, 0.3)


def test_without_a_face_there_is_no_curve():
    assert cue_curves(after((10, None)), None, THRESHOLDS) == ()
