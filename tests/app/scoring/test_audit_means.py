import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.scoring.audit_means import FEWEST_ITEMS, mean_over_items, ratio_over_items, stands_out
from app.scoring.figures import Figure
from app.scoring.intervals import Interval, bootstrap_ratio, if_all_alike


def test_items_weigh_the_same_in_a_mean_and_by_their_responses_in_a_ratio():
    # One item passed 1 of 1, the other 1 of 3: mean of shares 2/3, share of responses 2/4.
    assert mean_over_items([1.0, 1 / 3], "none").value == pytest.approx(2 / 3)
    assert ratio_over_items([(1, 1), (1, 3)], "none").value == 0.5


def test_items_that_say_nothing_are_left_out():
    found = ratio_over_items([(1, 2), (0, 0), (1, 2)], "none")
    assert (found.value, found.n) == (0.5, 2)
    nothing = ratio_over_items([(0, 0)], "nothing was scored")
    assert (nothing.value, nothing.reason) == (None, "nothing was scored")


def test_items_that_are_all_alike_do_not_make_a_figure_certain():
    # Wilson of 16 of 16: 16 / (16 + 1.96^2) = 0.806.
    found = mean_over_items([1.0] * 16, "none").interval
    assert (found.low, found.high) == (pytest.approx(0.80639, abs=1e-5), 1.0)
    # A judge that always says 8, on a scale of 1 to 10: 0.19361 of the items may be elsewhere.
    eight = mean_over_items([8.0] * 16, "none", low=1, high=10).interval
    assert eight.low == pytest.approx(8 - 0.19361 * 7, abs=1e-4)
    assert eight.high == pytest.approx(8 + 0.19361 * 2, abs=1e-4)
    assert if_all_alike(0.5, 1, 0.0, 1.0).low == pytest.approx(0.5 - 0.5 * 0.79345, abs=1e-5)


def test_whole_items_make_wider_intervals_than_single_draws():
    # Reference example: 68 items of 10 draws, sd 2 between items and 0.5 between draws.
    chance = np.random.default_rng(3)
    cells = 6 + chance.normal(0, 2, (68, 1)) + chance.normal(0, 0.5, (68, 10))
    whole = mean_over_items(cells.mean(axis=1).tolist(), "none", low=1, high=10)
    flat = mean_over_items(cells.ravel().tolist(), "none", low=1, high=10)
    assert whole.value == pytest.approx(flat.value)
    whole_width = whole.interval.high - whole.interval.low
    flat_width = flat.interval.high - flat.interval.low
    by_hand = 2 * 1.96 * cells.mean(axis=1).std() / np.sqrt(68)
    assert whole_width == pytest.approx(by_hand, rel=0.05)
    # The note of reference_vectors.json: 0.814 against 0.268 on data of this make, 3.04 times.
    assert whole_width / flat_width == pytest.approx(0.814 / 0.268, rel=0.05)


def test_many_items_are_drawn_by_kind_and_give_the_same_interval():
    few = [(k % 3, 2.0) for k in range(200)]
    many = [(k % 3, 2.0) for k in range(201)]
    for items in (few, many):
        found = bootstrap_ratio(items)
        by_hand = 1.96 * np.std([above / 2 for above, _ in items]) / np.sqrt(len(items))
        assert (found.high - found.low) / 2 == pytest.approx(by_hand, rel=0.05)
    assert bootstrap_ratio([]) is None


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.randoms())
def test_the_order_of_items_changes_nothing(values, chance):
    shuffled = list(values)
    chance.shuffle(shuffled)
    assert mean_over_items(values, "none") == mean_over_items(shuffled, "none")


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_an_interval_of_shares_stays_on_the_scale(values):
    found = mean_over_items(values, "none").interval
    assert -1e-12 <= found.low <= found.high <= 1 + 1e-12


def test_five_items_can_never_stand_out_and_six_can():
    beyond = Interval(0.2, 0.4)
    assert not stands_out(Figure(0.3, FEWEST_ITEMS - 1, beyond))
    assert stands_out(Figure(0.3, FEWEST_ITEMS, beyond))
    assert stands_out(Figure(-0.3, 16, Interval(-0.4, -0.1)))
    assert not stands_out(Figure(0.3, 16, Interval(0.0, 0.4)))
    assert not stands_out(Figure(None, 0, None, "nothing there"))
