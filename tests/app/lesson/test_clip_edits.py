from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import Refused
from app.lesson.clips import Clip, Lines, draw_clip, merge_clips, move_clip, split_clip
from app.lesson.spans import Span
from app.lesson.transcript.records import Utterance

TIMED = tuple(Utterance(n, f"line {n}", n * 10_000, n * 10_000 + 9_000) for n in range(1, 11))
UNTIMED = tuple(Utterance(n, f"line {n}") for n in range(1, 11))
A = Clip("a", 1, 3, 10_000, 40_000)
B = Clip("b", 4, 6, 40_000, 70_000)


def test_a_drawn_clip_holds_the_utterances_whose_middle_lies_in_it():
    (clip,) = draw_clip((), TIMED, Span(22_000, 46_000), "Ms Okoro")
    assert (clip.first, clip.last, clip.start_ms, clip.end_ms) == (2, 4, 22_000, 46_000)
    assert clip.proposed_by == "Ms Okoro"


def test_a_clip_drawn_over_silence_holds_no_utterance():
    (clip,) = draw_clip((), TIMED, Span(200_000, 210_000), "me")
    assert (clip.first, clip.last) == (0, 0)


def test_a_clip_drawn_over_lines_takes_their_times():
    (clip,) = draw_clip((), TIMED, Lines(2, 3), "me")
    assert (clip.start_ms, clip.end_ms) == (20_000, 39_000)


def test_without_times_a_clip_is_drawn_over_lines():
    (clip,) = draw_clip((), UNTIMED, Lines(2, 3), "me")
    assert (clip.first, clip.last, clip.span) == (2, 3, None)


@pytest.mark.parametrize("place", [Span(39_000, 45_000), Span(5_000, 90_000), Lines(3, 3)])
def test_a_clip_cannot_be_drawn_over_another(place):
    with pytest.raises(Refused, match="already lies there"):
        draw_clip((A,), TIMED, place, "me")


def test_a_clip_of_no_lines_is_refused():
    with pytest.raises(Refused, match="No utterance"):
        draw_clip((), UNTIMED, Lines(40, 50), "me")


def test_drawn_clips_stand_in_order_of_time():
    clips = draw_clip((B,), TIMED, Span(10_000, 30_000), "me")
    assert [clip.first for clip in clips] == [1, 4]


def test_a_moved_clip_keeps_its_name_and_takes_other_utterances():
    clips = move_clip((A, B), "b", TIMED, Span(40_000, 95_000))
    assert [c.clip_id for c in clips] == ["a", "b"]
    assert (clips[1].first, clips[1].last) == (4, 9)
    assert clips[0] is A


def test_a_clip_cannot_be_moved_onto_its_neighbour():
    with pytest.raises(Refused, match="from 0:10 to 0:40"):
        move_clip((A, B), "b", TIMED, Span(39_999, 70_000))


def test_a_split_gives_two_clips_with_new_names():
    first, second, third = split_clip((A, B), "a", TIMED, "me", at_ms=30_000)
    assert (first.start_ms, first.end_ms, first.last) == (10_000, 30_000, 2)
    assert (second.start_ms, second.end_ms, second.first) == (30_000, 40_000, 3)
    assert third is B
    assert len({first.clip_id, second.clip_id, "a", "b"}) == 4


def test_a_split_before_a_line_parts_the_lines_there():
    first, second = split_clip((Clip("u", 1, 5, None, None),), "u", UNTIMED, "me", at_line=3)
    assert (first.first, first.last, second.first, second.last) == (1, 2, 3, 5)


@pytest.mark.parametrize("cut", [{"at_ms": 10_000}, {"at_ms": 40_000}, {"at_line": 1}, {}])
def test_a_cut_that_leaves_a_side_empty_is_refused(cut):
    with pytest.raises(Refused, match="cannot be cut"):
        split_clip((A,), "a", TIMED, "me", **cut)


def test_the_same_cut_gives_the_same_names_and_another_cut_other_names():
    again = [split_clip((A,), "a", TIMED, "me", at_ms=t) for t in (30_000, 30_000, 20_000)]
    assert again[0] == again[1]
    assert not {c.clip_id for c in again[0]} & {c.clip_id for c in again[2]}


def test_merged_neighbours_become_one_clip_with_a_new_name():
    (clip,) = merge_clips((A, B), "b", "a", TIMED, "me")
    assert (clip.first, clip.last, clip.start_ms, clip.end_ms) == (1, 6, 10_000, 70_000)
    assert clip.clip_id not in ("a", "b")


def test_merging_takes_in_what_lies_between():
    far = Clip("far", 9, 10, 90_000, 109_000)
    (clip,) = merge_clips((A, far), "a", "far", TIMED, "me")
    assert (clip.first, clip.last) == (1, 10)


def test_clips_with_a_third_between_them_cannot_be_merged():
    far = Clip("far", 9, 10, 90_000, 109_000)
    with pytest.raises(Refused, match="already lies there"):
        merge_clips((A, B, far), "a", "far", TIMED, "me")


def test_a_clip_cannot_be_merged_with_itself():
    with pytest.raises(Refused, match="with itself"):
        merge_clips((A, B), "a", "a", TIMED, "me")


def test_a_clip_that_is_gone_is_refused_plainly():
    with pytest.raises(Refused, match="no longer there"):
        move_clip((A,), "x", TIMED, Span(0, 5))


def test_a_clip_drawn_where_another_was_drawn_and_moved_away_has_a_name_of_its_own():
    place = Span(70_000, 71_000)
    drawn = draw_clip((A, B), TIMED, place, "me")
    name = next(c.clip_id for c in drawn if c.clip_id not in ("a", "b"))
    moved = move_clip(drawn, name, TIMED, Span(0, 1_000))
    clips = draw_clip(moved, TIMED, place, "me")
    assert len({c.clip_id for c in clips}) == 4


def test_a_clip_never_takes_the_name_of_one_that_was_moved_and_merged():
    place = Span(70_000, 71_000)
    drawn = draw_clip((A, B), TIMED, place, "me")
    name = next(c.clip_id for c in drawn if c.clip_id not in ("a", "b"))
    moved = move_clip(drawn, name, TIMED, Span(0, 1_000))
    merged = merge_clips(moved, name, "a", TIMED, "me")
    clips = draw_clip(merged, TIMED, place, "me")
    # Decisions about the clip that was merged hang on its name.
    assert name not in {c.clip_id for c in clips}


edits = st.lists(
    st.tuples(st.sampled_from("dmsj"), st.integers(0, 120), st.integers(1, 60), st.integers(0, 5)),
    max_size=12,
)


@given(edits)
def test_whatever_a_person_does_clips_stay_in_order_apart_and_uniquely_named(steps):
    clips: tuple[Clip, ...] = (A, B)
    for kind, start_s, length_s, which in steps:
        place = Span(start_s * 1_000, (start_s + length_s) * 1_000)
        chosen = clips[which % len(clips)].clip_id
        before = clips
        try:
            if kind == "d":
                clips = draw_clip(clips, TIMED, place, "me")
            elif kind == "m":
                clips = move_clip(clips, chosen, TIMED, place)
            elif kind == "s":
                clips = split_clip(clips, chosen, TIMED, "me", at_ms=start_s * 1_000)
            else:
                clips = merge_clips(clips, chosen, clips[0].clip_id, TIMED, "me")
        except Refused:
            assert clips is before
    assert len({c.clip_id for c in clips}) == len(clips)
    for one, other in pairwise(clips):
        assert one.end_ms <= other.start_ms
        assert not (one.last and other.first) or one.last < other.first
