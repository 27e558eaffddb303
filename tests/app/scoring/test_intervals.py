import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scoring.intervals import Interval, bootstrap, bootstrap_mean, wilson
from app.scoring.proportions import Proportion

DATA = Path(__file__).parents[2] / "data" / "scoring"
VECTORS = json.loads((DATA / "reference_vectors.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("known", VECTORS["wilson_95"], ids=lambda k: f"{k['k']}of{k['n']}")
def test_wilson_intervals_equal_the_reference(known):
    found = wilson(Proportion(known["k"], known["n"]))
    assert (found.low, found.high) == pytest.approx((known["low"], known["high"]), abs=5e-6)


def test_an_interval_of_nothing_is_undefined():
    assert wilson(Proportion(0, 0)) is None
    assert bootstrap_mean([]) is None
    assert bootstrap_mean([[], []]) is None


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_a_wilson_interval_holds_its_share_and_stays_within_0_and_1(counts):
    found = wilson(Proportion(*counts))
    assert 0 <= found.low <= counts[0] / counts[1] <= found.high <= 1


@pytest.mark.parametrize("counts", [(-1, 3), (4, 3)])
def test_a_proportion_cannot_be_more_than_all(counts):
    with pytest.raises(ValueError, match="no proportion"):
        Proportion(*counts)


def test_constant_data_gives_an_interval_of_no_width():
    low, high = VECTORS["bootstrap"]["constant_data_percentile"]
    assert bootstrap_mean([[1.0] * 3] * 20) == Interval(low, high)


def test_the_same_seed_gives_the_same_interval_and_another_seed_hardly_another():
    items = np.random.default_rng(0).normal(size=(40, 5)).tolist()
    assert bootstrap_mean(items) == bootstrap_mean(items)
    other = bootstrap_mean(items, seed=1)
    assert other != bootstrap_mean(items)
    assert other.low == pytest.approx(bootstrap_mean(items).low, abs=0.02)


def test_whole_items_are_drawn_so_that_their_cells_stay_together():
    chance = np.random.default_rng(3)
    items = chance.normal(0, 2, (68, 1)) + chance.normal(0, 0.5, (68, 10))
    whole = bootstrap_mean(items.tolist())
    flat = bootstrap_mean([[cell] for cell in items.ravel()])
    by_hand = 2 * 1.96 * items.mean(axis=1).std() / np.sqrt(68)
    assert whole.high - whole.low == pytest.approx(by_hand, rel=0.05)
    assert whole.high - whole.low > 2.5 * (flat.high - flat.low)


def test_an_item_with_more_cells_weighs_more():
    found = bootstrap_mean([[0.0], [1.0] * 99], resamples=2_000)
    assert (found.low, found.high) == (0.0, 1.0)
    assert bootstrap_mean([[0.0, 1.0]] * 5) == Interval(0.5, 0.5)


def test_draws_in_which_a_statistic_is_undefined_are_left_out():
    values = np.array([np.nan, 1.0, 2.0])
    found = bootstrap(3, lambda drawn: values[drawn].max(axis=1), resamples=500)
    assert found.low >= 1.0
    assert bootstrap(3, lambda drawn: np.full(len(drawn), np.nan)) is None


def test_ten_thousand_draws_of_many_items_fit_into_memory_piece_by_piece():
    shapes = []

    def statistic(drawn):
        shapes.append(drawn.shape)
        return drawn.mean(axis=1)

    bootstrap(1_000, statistic)
    assert sum(rows for rows, _ in shapes) == 10_000
    assert max(rows * items for rows, items in shapes) <= 4_000_000


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60))
def test_an_interval_is_between_the_percentiles_of_numpy(drawn):
    values = np.array(drawn)
    found = bootstrap(1, lambda _: values, resamples=1)
    assert (found.low, found.high) == tuple(np.percentile(values, [2.5, 97.5]))
