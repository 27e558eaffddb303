from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.benchmark.fewer_clips import fewer_clips
from app.benchmark.records import CodedClip
from app.lesson.clips import Clip
from app.scoring.scored import Code

CODES = st.lists(st.sampled_from(["BI", "D1", "D2", "D3", ""]), min_size=1, max_size=60)


def table(codes):
    """Make clips with these main codes, numbered in order."""
    return tuple(
        CodedClip(
            f"c{n}",
            "l",
            (Code(code, 1), Code("D3", 2)) if code else (),
            Clip(f"c{n}", n, n, None, None),
        )
        for n, code in enumerate(codes, 1)
    )


def counts(clips):
    return Counter(clip.codes[0].practice if clip.codes else "" for clip in clips)


def test_each_code_stands_as_in_the_table_and_the_largest_remainders_get_the_rest():
    # Of 7/20 x 10, 4/20 x 10, 6/20 x 10 and 3/20 x 10: 3.5, 2, 3 and 1.5; one is left over for
    # the two halves, and BI comes first in the table.
    clips = table(["BI"] * 7 + ["D1"] * 4 + ["D3"] * 6 + [""] * 3)
    assert counts(fewer_clips(clips, 10)) == {"BI": 4, "D1": 2, "D3": 3, "": 1}
    # 2.1, 1.2, 1.8 and 0.9: the two left over go to the remainders 0.9 and 0.8.
    assert counts(fewer_clips(clips, 6)) == {"BI": 2, "D1": 1, "D3": 2, "": 1}


def test_a_table_that_begins_with_one_code_is_not_judged_by_that_code_alone():
    clips = table(["BI"] * 12 + ["D1"] * 12 + ["D2"] * 12 + ["D3"] * 12)
    assert counts(fewer_clips(clips, 4)) == {"BI": 1, "D1": 1, "D2": 1, "D3": 1}


def test_chance_says_which_and_says_the_same_each_time():
    clips = table(["BI"] * 30 + ["D1"] * 30)
    chosen = fewer_clips(clips, 10)
    assert chosen == fewer_clips(clips, 10)
    assert chosen != fewer_clips(clips, 10, seed=1)
    assert [c.clip_id for c in chosen[:5]] != ["c1", "c2", "c3", "c4", "c5"]
    assert set(chosen) < set(fewer_clips(clips, 20))


@given(CODES, st.integers(1, 70))
def test_so_many_clips_in_the_order_of_the_table_none_twice(codes, most):
    clips = table(codes)
    chosen = fewer_clips(clips, most)
    assert len(chosen) == min(most, len(clips))
    assert [c for c in clips if c in set(chosen)] == list(chosen)
    for code, there in counts(clips).items():
        assert abs(counts(chosen)[code] - min(most, len(clips)) * there / len(clips)) < 1


def test_no_limit_takes_all_and_none_is_not_a_choice():
    clips = table(["BI", "D1"])
    assert fewer_clips(clips, None) == clips
    with pytest.raises(ValueError, match="0 clips"):
        fewer_clips(clips, 0)
