from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.lesson.transcript.records import Utterance
from app.lesson.transcript.trust import surely_forward, trust_times


@pytest.mark.parametrize(
    ("times", "trusted"),
    [
        ([], []),
        ([5], [0]),
        ([1, 2, 2, 3], [0, 1, 2, 3]),
        ([10, 20, 5, 30, 40], [0, 1, 3, 4]),
        # Either of the two may be the wrong one.
        ([10, 30, 20, 40], [0, 3]),
        ([134, 138, 132, 132, 153], [4]),
        # The clock was set back: only the longer part can be told to belong together.
        ([10, 20, 30, 40, 1, 2], [0, 1, 2, 3]),
        ([10, 20, 1, 2], []),
    ],
)
def test_times_that_run_backwards_cost_only_those_that_may_be_wrong(times, trusted):
    assert surely_forward(times) == trusted


@given(st.lists(st.integers(0, 8), max_size=9))
def test_trusted_times_are_those_of_every_longest_choice_that_runs_forwards(times):
    places = range(len(times))
    forward = [
        set(chosen)
        for size in range(len(times) + 1)
        for chosen in combinations(places, size)
        if all(times[a] <= times[b] for a, b in pairwise(chosen))
    ]
    longest = max(len(chosen) for chosen in forward)
    in_all = set.intersection(*(chosen for chosen in forward if len(chosen) == longest))
    assert surely_forward(times) == sorted(in_all)


def test_a_line_keeps_its_words_and_number_without_its_time():
    lines = (
        Utterance(1, "We begin", 0, 900),
        Utterance(2, "here", 9_000, 9_500, "T"),
        Utterance(3, "and there", None),
        Utterance(4, "and go on", 1_000, 1_900),
        Utterance(5, "and on", 2_000, 2_900),
    )
    told = trust_times(lines)
    assert told[1] == Utterance(2, "here", None, None, "T")
    assert (*told[:1], *told[2:]) == (*lines[:1], *lines[2:])
