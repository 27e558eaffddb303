import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import permutation_test, rankdata, spearmanr

from app.scoring.ranks import average_ranks, rank_correlation, rank_pairs, spearman

DATA = Path(__file__).parents[2] / "data" / "scoring"
FIGURES = json.loads((DATA / "specialedubench_figures.json").read_text(encoding="utf-8"))

values = st.lists(st.integers(0, 6), min_size=3, max_size=12)


@settings(max_examples=40, deadline=None)
@given(st.data(), values)
def test_spearman_with_ties_is_that_of_scipy(data, a):
    b = data.draw(st.lists(st.integers(0, 6), min_size=len(a), max_size=len(a)))
    found = spearman(a, b)
    if len(set(a)) < 2 or len(set(b)) < 2:
        assert found is None
    else:
        assert found == pytest.approx(spearmanr(a, b).statistic)


def test_the_correlations_of_the_paper_come_out_of_orders_of_eight():
    # Without ties rho = 1 - 6 * sum of d^2 / (8 * 63), and an order turned round has minus that.
    known, straight = FIGURES["rank_correlation"], [1, 2, 3, 4, 5, 6, 7, 8]
    orders = {
        32: [5, 2, 3, 4, 1, 6, 7, 8],
        12: [3, 1, 2, 6, 4, 5, 7, 8],
        8: [2, 1, 4, 3, 6, 5, 8, 7],
    }
    assert [round(spearman(straight, order), 2) for order in orders.values()] == known["pairs"]
    turned = {54: [6, 3, 2, 5, 4, 1, 7, 8]}
    assert round(spearman(straight[::-1], orders[12]), 2) == known["reward_vs_knowledge"]
    assert round(spearman(straight[::-1], turned[54]), 2) == known["reward_vs_skill"]


def test_up_to_seven_are_tested_over_all_orders():
    a, b = [1, 2, 3, 4, 5], [2, 1, 3, 5, 5]
    found = rank_correlation(a, b)
    theirs = permutation_test(
        (a,), lambda x: spearmanr(x, b).statistic, permutation_type="pairings", n_resamples=np.inf
    )
    assert found.exact
    assert found.p == pytest.approx(theirs.pvalue)


def test_of_three_in_one_order_two_of_six_permutations_are_as_far():
    found = rank_correlation([1, 2, 3], [10, 20, 30])
    assert (found.rho, found.p, found.exact, found.n) == (pytest.approx(1), 2 / 6, True, 3)


def test_eight_are_tested_over_twenty_thousand_seeded_draws():
    assert FIGURES["rank_correlation"]["draws"] == 20_000
    a, b = list(range(8)), [0, 1, 2, 3, 4, 5, 7, 6]
    found = rank_correlation(a, b)
    assert not found.exact
    assert found.p == rank_correlation(a, b).p
    # At 1 - 6 * 2 / 504 or beyond lie the order itself, 7 swaps of neighbours, and their mirrors.
    assert found.p == pytest.approx(16 / 40_320, abs=0.0005)
    assert found.p >= 1 / 20_001


def test_two_tutors_or_a_measure_that_is_the_same_for_all_give_none_with_the_reason():
    assert "three or more" in rank_correlation([1, 2], [2, 1]).reason
    assert "same for all" in rank_correlation([1, 2, 3], [5, 5, 5]).reason
    with pytest.raises(ValueError, match="one measure is of 2"):
        rank_correlation([1, 2], [1])


def test_pairs_are_taken_over_the_tutors_that_have_both():
    found = rank_pairs(
        {
            "knowledge": [0.9, 0.8, 0.7, 0.6],
            "skill": [9, 8, None, 6],
            "reward": [0.1, 0.2, 0.3, None],
        }
    )
    assert [(pair.one, pair.other, pair.found.n) for pair in found] == [
        ("knowledge", "skill", 3),
        ("knowledge", "reward", 3),
        ("skill", "reward", 2),
    ]
    assert found[0].found.rho == pytest.approx(1)
    assert found[1].found.rho == pytest.approx(-1)
    assert found[2].found.rho is None


@settings(max_examples=20, deadline=None)
@given(st.permutations(range(6)), st.permutations(range(6)))
def test_correlation_is_the_same_either_way_round(a, b):
    one, other = rank_correlation(a, b), rank_correlation(b, a)
    assert one.rho == pytest.approx(other.rho)
    assert one.p == other.p


@given(st.lists(st.floats(-5, 5) | st.integers(-3, 3), min_size=1, max_size=12))
def test_ranks_are_those_of_scipy(values):
    assert average_ranks(values).tolist() == rankdata(values).tolist()
