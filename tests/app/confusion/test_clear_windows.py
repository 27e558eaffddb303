"""Windows that may stand for no confusion: every doubt leaves one out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from curated_stand_in import review
from hypothesis import given
from hypothesis import strategies as st

from app.confusion.clear_windows import (
    EVENT,
    JUDGED,
    NEAR,
    NOT_READ,
    NOT_VISIBLE,
    SAME,
    SIGN,
    ClearWindow,
    balanced,
    clear_windows,
)  # fmt: skip
from app.confusion.records import EventDecision, EventVerdict


def starts(found):
    return [one.start_ms // 2000 for one in found.windows]


def test_a_window_is_clear_when_every_reader_sees_a_face_and_no_sign():
    #            0    5    10
    video = review(a="-----l....s----!", b="-----------------"[:16])
    found = clear_windows([video])
    assert len(found.windows) == 2
    assert starts(found)[0] in range(5)
    assert starts(found)[1] in range(11, 15)
    assert found.left_out == Counter({SAME: 7, NOT_VISIBLE: 5, SIGN: 2})


def test_windows_beside_positive_ones_are_left_out():
    found = clear_windows([review(a="-m---", b="-----")])
    # 0 and 2 lie beside 1, which a found.
    assert starts(found)[0] in (3, 4)
    assert found.left_out == Counter({NEAR: 2, SIGN: 1, SAME: 1})


def test_events_and_judged_windows_are_left_out():
    marked = EventDecision("e", EventVerdict.ADD, 1000, 2500, "KL", "2026-01-01")
    found = clear_windows([review(a="----", decisions=[marked])], judged=[("v1", 4000)])
    assert starts(found) == [3]
    assert found.left_out == Counter({EVENT: 2, JUDGED: 1})


def test_a_video_that_was_not_read_whole_gives_none():
    video = review(a="-----")
    stopped = replace(video, bands=(replace(video.bands[0], is_complete=False),))
    assert clear_windows([stopped]).windows == ()
    assert clear_windows([video], ["a", "other"]).left_out == Counter({NOT_READ: 1})


def test_learners_and_videos_take_turns():
    def window(learner, video, at):
        return ClearWindow(video, learner, at * 10_000, at * 10_000 + 2000)

    many = [window("l1", "v1", n) for n in range(50)]
    few = [window("l2", "v2", 0), window("l2", "v3", 0), window("l2", "v3", 1)]
    # Of each learner as many as are lacking, then of all in turn.
    taken = balanced([*many, *few], {"l1": 2, "l2": 2, "l3": 3})
    assert Counter(one.learner_id for one in taken) == Counter({"l1": 4, "l2": 3})
    assert balanced([*many, *few], {"l1": 2, "l2": 2, "l3": 3}) == taken
    assert balanced([*many, *few], {"l1": 2, "l2": 2, "l3": 3}, seed=1) != taken
    assert {one.lesson_id for one in balanced(few, {"l2": 2})} == {"v2", "v3"}
    assert len(balanced(few, {"l1": 8})) == 3
    # Who has more clips without confusion than with it takes from what others may add.
    assert len(balanced([*many, *few], {"l1": 3, "l2": -1})) == 2
    assert balanced(few, {"l2": -2}) == ()


@given(st.text("-lms.!", min_size=1, max_size=30), st.text("-lms.!", min_size=1, max_size=30))
def test_no_doubtful_window_is_ever_taken(one, other):
    length = max(len(one), len(other))
    one, other = one.ljust(length, "-"), other.ljust(length, "-")
    found = clear_windows([review(a=one, b=other)])
    for place in starts(found):
        assert one[place] == other[place] == "-"
        around = one[max(0, place - 1) : place + 2] + other[max(0, place - 1) : place + 2]
        assert "m" not in around
    assert len(found.windows) + sum(found.left_out.values()) == length
    segments = [place // 5 for place in starts(found)]
    assert len(set(segments)) == len(segments)
