"""Bradley-Terry on vectors: known losses and strengths, and no item on both sides."""

from __future__ import annotations

import json
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from app.scoring.reward import PENALTIES, cross_fit, deal, fit, pair_loss, settle_penalty


def test_losses_are_those_of_the_reference():
    assert pair_loss(np.array([0.0, 2.0])) == pytest.approx([0.693147, 0.126928], abs=1e-6)


@pytest.mark.shared
def test_losses_and_strengths_are_those_of_the_shared_vectors(shared):
    known = json.loads((shared / "fixtures" / "reference_vectors.json").read_text())
    known = known["bradley_terry"]
    losses = pair_loss(np.array([0.0, 2.0]))
    assert losses[0] == pytest.approx(known["loss_at_margin_0"], abs=1e-6)
    assert losses[1] == pytest.approx(known["loss_at_margin_2"], abs=1e-6)
    weights = fit(np.array([[1.0]] * 3 + [[-1.0]]), 1e-7)
    assert weights[0] == pytest.approx(known["strength_difference_3_to_1"], abs=1e-5)


def test_a_loss_of_a_large_margin_does_not_overflow():
    assert pair_loss(np.array([-1000.0, 1000.0])).tolist() == [1000.0, 0.0]


def test_three_wins_to_one_differ_by_the_logarithm_of_three():
    weights = fit(np.array([[1.0]] * 3 + [[-1.0]]), 1e-7)
    assert weights[0] == pytest.approx(log(3), abs=1e-5)


def test_separated_pairs_have_no_answer_without_a_penalty():
    with pytest.raises(ValueError, match="separated"):
        fit(np.array([[1.0]] * 10), 0.0)


def test_separated_pairs_have_the_answer_that_the_penalty_gives():
    # At the best weight w the slopes cancel: 0.1 w = 10 / (1 + exp(w)).
    weight = fit(np.array([[1.0]] * 10), 0.1)[0]
    assert 0.1 * weight == pytest.approx(10 / (1 + np.exp(weight)), rel=1e-6)


@pytest.mark.parametrize("pairs", [4, 40])
def test_weights_are_the_same_whether_pairs_or_numbers_are_fewer(pairs):
    chance = np.random.default_rng(3)
    given_ = chance.normal(size=(pairs, 12))
    weights = fit(given_, 0.5)
    slope = 0.5 * weights - given_.T @ (1 / (1 + np.exp(given_ @ weights)))
    assert np.abs(slope).max() < 1e-5


@given(
    some.lists(some.sampled_from("abcdefghijklmnop"), min_size=1, max_size=40),
    some.integers(0, 9),
)
def test_pairs_of_an_item_lie_in_one_part_and_parts_are_of_like_size(items, seed):
    parts = deal(items, ["one"] * len(items), seed=seed)
    part_of = dict(zip(items, parts.tolist(), strict=True))
    assert [part_of[item] for item in items] == parts.tolist()
    sizes = [list(part_of.values()).count(part) for part in range(5)]
    assert max(sizes) - min(sizes) <= 1


def test_each_group_is_spread_over_the_parts():
    items = [f"{group}{number}" for group in "abc" for number in range(5)]
    parts = deal(items, [item[0] for item in items], seed=1)
    for group in "abc":
        mine = [p for p, item in zip(parts.tolist(), items, strict=True) if item[0] == group]
        assert sorted(mine) == [0, 1, 2, 3, 4]


def test_another_order_of_pairs_deals_the_same_and_another_seed_does_not():
    items = [f"item {number}" for number in range(20)]
    groups = ["one"] * 20
    parts = deal(items, groups, seed=5)
    assert deal(items[::-1], groups, seed=5)[::-1].tolist() == parts.tolist()
    assert deal(items, groups, seed=6).tolist() != parts.tolist()


def test_margins_come_from_models_that_never_saw_the_item():
    # Each item has a number of its own: only what was seen could know its weight.
    differences, parts = np.eye(10), np.arange(10) % 5
    fitted = cross_fit(differences, parts)
    assert fitted.margins.tolist() == [0.0] * 10
    assert fitted.weights.shape == (5, 10)
    for part in range(5):
        assert np.all((fitted.weights[part] > 0.1) == (parts != part))


def test_what_all_pairs_share_is_learnt():
    chance = np.random.default_rng(1)
    differences = chance.normal(size=(60, 8))
    differences[:, 0] = np.abs(differences[:, 0]) + 1
    fitted = cross_fit(differences, np.arange(60) % 5)
    assert (fitted.margins > 0).mean() > 0.95
    assert np.all(np.abs(fitted.weights).argmax(axis=1) == 0)


def test_few_pairs_of_many_numbers_are_fitted_as_any_others():
    chance = np.random.default_rng(6)
    differences, parts = chance.normal(size=(15, 50)), np.arange(15) % 5
    fitted = cross_fit(differences, parts)
    for part in range(5):
        seen = parts != part
        weights = fit(differences[seen], fitted.penalties[part])
        assert fitted.weights[part] == pytest.approx(weights, abs=1e-8)
        assert fitted.margins[~seen] == pytest.approx(differences[~seen] @ weights, abs=1e-8)


def test_of_noise_the_largest_penalty_is_taken():
    chance = np.random.default_rng(2)
    differences = chance.normal(size=(60, 30))
    assert settle_penalty(differences, np.arange(60) % 5) == max(PENALTIES)


def test_two_parts_are_too_few():
    with pytest.raises(ValueError, match="three parts"):
        cross_fit(np.eye(4), np.arange(4) % 2)
