"""What holds of the face-cue reader whatever the faces."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_faces import ROWS, THRESHOLDS, after, joined
from made_faces import face as one_face

from app.confusion.face_reading import readings_of
from app.confusion.records import Level
from app.confusion.windows import windows_of
from app.lesson.spans import Span

SHARES = st.floats(0, 1, width=16)
VALUES = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("brow", "lids", "smile", "lip_raised", "lips_pressed"), SHARES),
        **dict.fromkeys(("shut", "presence", "bright", "contrast"), SHARES),
        **dict.fromkeys(("eyes_covered", "mouth_covered", "chin_covered"), SHARES),
        "yaw": st.floats(-60, 60, width=16),
        "eye": st.floats(5, 150, width=16),
    },
)
PARTS = st.lists(
    st.tuples(st.integers(1, 40).map(lambda steps: steps * 0.2), st.one_of(st.none(), VALUES)),
    min_size=1,
    max_size=6,
)
SERIES = st.builds(lambda parts: after(*parts), PARTS)
FEW = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def read(series, end_ms):
    return list(readings_of(series, windows_of(Span(0, end_ms)), 0, None, None, THRESHOLDS))


def end_of(series):
    return int(series.looked_ms[-1]) + 200


@FEW
@given(SERIES)
def test_readings_tile_the_video(series):
    readings = read(series, end_of(series))
    assert readings[0].start_ms == 0
    assert readings[-1].end_ms == end_of(series)
    assert all(a.end_ms == b.start_ms for a, b in itertools.pairwise(readings))


@FEW
@given(SERIES)
def test_there_is_a_level_exactly_where_the_face_is_visible(series):
    for reading in read(series, end_of(series)):
        assert (reading.level is not None) == reading.is_visible
        assert (reading.confidence is not None) == reading.is_visible
        assert reading.is_visible or (reading.note and not reading.cues)


@FEW
@given(SERIES)
def test_evidence_and_cues_lie_inside_the_window_and_a_level_has_both(series):
    for reading in read(series, end_of(series)):
        window = Span(reading.start_ms, reading.end_ms)
        times = [*reading.evidence_ms, *(at for cue in reading.cues for at in cue.at_ms)]
        assert all(window.holds(at) for at in times)
        assert all(cue.value is None or 0 <= cue.value <= 1 for cue in reading.cues)
        if reading.level not in (None, Level.NONE):
            assert reading.evidence_ms
            assert any(not cue.speaks_against for cue in reading.cues)


@FEW
@given(SERIES)
def test_no_level_is_given_to_a_window_in_which_nobody_was_seen(series):
    for reading in read(series, end_of(series)):
        seen = (series.time_ms >= reading.start_ms) & (series.time_ms < reading.end_ms)
        if not seen.any():
            assert reading.level is None


@FEW
@given(PARTS)
def test_twice_as_many_pictures_of_the_same_say_the_same(parts):
    once = after(*parts)
    twice = _doubled(once)
    said, again = (read(s, end_of(once)) for s in (once, twice))
    assert [(r.is_visible, r.level) for r in said] == [(r.is_visible, r.level) for r in again]


@FEW
@given(PARTS, st.integers(0, 10_000_000))
def test_a_clock_that_starts_later_changes_nothing_but_times(parts, later_ms):
    series = after(*parts)
    moved = replace(
        series, looked_ms=series.looked_ms + later_ms, time_ms=series.time_ms + later_ms
    )
    windows = windows_of(Span(later_ms, later_ms + end_of(series)))
    said = list(readings_of(moved, windows, later_ms, None, None, THRESHOLDS))
    for one, two in zip(read(series, end_of(series)), said, strict=True):
        assert (one.level, one.confidence) == (two.level, two.confidence)
        assert tuple(at + later_ms for at in one.evidence_ms) == two.evidence_ms


@FEW
@given(SERIES, st.sampled_from([(0, 0), (480, 60)]))
def test_a_second_face_never_adds_a_level(series, corner):
    other = one_face(end_of(series) / 1000, track=9, box=(*corner, 90, 110), brow=0.6, lids=0.7)
    alone, two = read(series, end_of(series)), read(joined(series, other), end_of(series))
    if len(series.time_ms) < 6:
        return  # then only the other is somebody
    for one, both in zip(alone, two, strict=True):
        assert both.level is None or both.level == one.level


def _doubled(series):
    """Look twice as often and see the same each time, also where nobody was seen."""
    rows = np.repeat(np.arange(len(series.time_ms)), 2)
    arrays = {name: getattr(series, name)[rows].copy() for name in ROWS}
    arrays["time_ms"][1::2] += 100
    looked = np.sort(np.concatenate([series.looked_ms, series.looked_ms + 100]))
    return replace(series, looked_ms=looked, **arrays)
