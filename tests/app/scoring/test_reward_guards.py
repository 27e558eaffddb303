"""A reward model is known by what it does on items it never saw, and refused for reading length."""

from __future__ import annotations

import json

import numpy as np
import pytest

from app.scoring.intervals import wilson
from app.scoring.proportions import Proportion
from app.scoring.reward_guards import (
    HeldOut,
    Trip,
    accuracy,
    correlation_with_length,
    guard,
    length_alone,
    mean_loss,
    median_margin,
    padding_shift,
    share_of_margin,
    share_over_items,
)

MARGIN = 11.055
"""Of the first model of SpecialEduBench: its shift of 7.37 was two thirds of the median margin."""


def pair(number, margin=1.0, *, words=(100, 100), shift=0.0, group="mapping", flaw="", item=""):
    name = item or f"item {number}"
    return HeldOut(name, group, flaw, margin, 0.0, *words, (shift,), (shift,))


def known(pairs, batch=0.0):
    return guard(pairs, np.arange(len(pairs)) % 5, batch)


def forty(margin=MARGIN, shift=0.0, wrong=2):
    """Give forty pairs of even length, two of them told apart wrongly."""
    lengths = [(100, 90), (90, 100)] * 20
    return [
        pair(n, -margin / 10 if n < wrong else margin, words=lengths[n], shift=shift)
        for n in range(40)
    ]


@pytest.mark.shared
def test_thirty_eight_of_forty_pairs_are_told_apart(shared):
    fixture = shared / "fixtures" / "specialedubench_figures.json"
    reward = json.loads(fixture.read_text())["reward"]
    found = accuracy(forty())
    assert found.value == reward["pair_accuracy"] == reward["separated"] / reward["test"] == 0.95
    assert (found.n, found.interval) == (40, wilson(Proportion(38, 40)))


@pytest.mark.parametrize(("shift", "trips"), [(7.37, True), (-30.26, True), (-1.16, False)])
def test_the_models_of_the_paper_are_refused_and_released_as_there(shift, trips):
    assert (Trip.PADDING in known(forty(shift=shift)).trips) is trips


def test_a_model_that_reads_teaching_may_rank():
    found = known(forty())
    assert found.trips == ()
    assert found.median_margin.value == MARGIN
    assert found.padding_share.value == 0.0


def test_a_tie_is_not_right():
    assert accuracy([pair(1, 0.0), pair(2, 1.0)]).value == 0.5


def test_nothing_is_known_without_pairs():
    assert accuracy([]).value is None
    assert mean_loss([]).reason == median_margin([]).reason == "there are no pairs"
    assert correlation_with_length([]).value is None


def test_items_that_were_counted_twice_are_drawn_whole():
    counted = [("a", True), ("a", True), ("b", False), ("b", False)]
    found = share_over_items(counted, "none")
    assert found.value == 0.5
    # Of two items drawn with replacement, both are the same one in half of the draws.
    assert (found.interval.low, found.interval.high) == (0.0, 1.0)


def test_the_loss_is_that_of_the_reference():
    assert mean_loss([pair(1, 0.0)]).value == pytest.approx(0.693147, abs=1e-6)
    assert mean_loss([pair(1, 2.0)]).value == pytest.approx(0.126928, abs=1e-6)


def test_strategies_and_flaws_stand_apart():
    pairs = [
        pair(1, 1.0, group="mapping", flaw="turned_into_quiz"),
        pair(2, -1.0, group="recast"),
        pair(3, 1.0, group="recast", flaw="turned_into_quiz"),
    ]
    found = known(pairs)
    assert [(name, figure.value, figure.n) for name, figure in found.by_group] == [
        ("mapping", 1.0, 1),
        ("recast", 0.5, 2),
    ]
    assert [(name, figure.n) for name, figure in found.by_flaw] == [("turned_into_quiz", 2)]


def test_the_shift_by_padding_is_a_mean_over_both_responses():
    given = HeldOut("i", "g", "", 2.0, 1.0, 10, 10, (-1.0,), (-0.4,))
    assert padding_shift([given]).value == pytest.approx(-0.7)


def test_the_padding_that_shifts_most_is_the_one_that_counts():
    given = HeldOut("i", "g", "", 2.0, 1.0, 10, 10, (0.1, -0.9, 0.2), (0.1, -0.7, 0.2))
    assert padding_shift([given]).value == pytest.approx(-0.8)


def test_a_shift_without_a_margin_has_no_share_and_is_refused():
    found = known([pair(n, -1.0, shift=0.1) for n in range(10)])
    assert share_of_margin(found.padding, found.median_margin).value is None
    assert {Trip.CHANCE, Trip.PADDING} <= set(found.trips)


def test_a_model_no_better_than_a_coin_is_refused():
    # 26 of 40: Wilson's interval begins at 0.495.
    assert Trip.CHANCE in known(forty(wrong=14)).trips
    # 27 of 40: it begins at 0.520.
    assert Trip.CHANCE not in known(forty(wrong=13)).trips


def test_length_alone_is_fitted_on_other_items():
    longer = [pair(n, words=(120, 80)) for n in range(20)]
    assert length_alone(longer, np.arange(20) % 5).value == 1.0
    shorter = [pair(n, words=(80, 120)) for n in range(20)]
    assert length_alone(shorter, np.arange(20) % 5).value == 1.0


def test_pairs_that_length_tells_apart_as_well_are_no_proof():
    found = known([pair(n, words=(120, 80)) for n in range(40)])
    assert Trip.LENGTH_ALONE in found.trips


def test_a_reward_that_is_the_number_of_words_correlates_whole():
    pairs = [HeldOut(str(n), "g", "", 50.0 + n, 40.0, 50 + n, 40, (), ()) for n in range(20)]
    found = correlation_with_length(pairs)
    assert found.value == pytest.approx(1.0)
    assert found.interval.low == pytest.approx(1.0)
    assert (found.n, Trip.CORRELATION in known(pairs).trips) == (40, True)


def test_the_correlation_is_pearsons():
    chance = np.random.default_rng(4)
    rows = chance.normal(size=(30, 2))
    words = chance.integers(50, 150, size=(30, 2))
    pairs = [HeldOut(str(n), "g", "", *rows[n], *words[n], (), ()) for n in range(30)]
    expected = np.corrcoef(rows.ravel(), words.ravel())[0, 1]
    assert correlation_with_length(pairs).value == pytest.approx(expected)


def test_equal_lengths_have_no_correlation():
    assert correlation_with_length([pair(n, float(n)) for n in range(5)]).value is None


@pytest.mark.parametrize(("batch", "trips"), [(0.12, True), (0.10, False)])
def test_texts_beside_a_text_may_not_shift_it(batch, trips):
    # A hundredth of the median margin is 0.11.
    assert (Trip.BATCH in known(forty(), batch).trips) is trips
