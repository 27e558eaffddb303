import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.scoring.agreement import (
    ac1_with_interval,
    alpha_with_interval,
    cohen_kappa,
    gwet_ac1,
    kappa_with_interval,
    krippendorff_alpha,
    masi_alpha,
    masi_distance,
    named_alpha,
    percent_with_interval,
)
from app.scoring.figures import Figure
from app.scoring.intervals import RESAMPLES, SEED, Interval, bootstrap, bootstrap_counts, kinds_of

CHANCE = np.random.default_rng(11)
A = CHANCE.integers(1, 5, 60).tolist()
B = [x if CHANCE.random() < 0.7 else int(CHANCE.integers(1, 5)) for x in A]


def item_by_item(statistic, items):
    """The plain bootstrap, one resample after another."""
    chance = np.random.default_rng(1)
    values = [
        statistic([items[i] for i in chance.integers(len(items), size=len(items))])
        for _ in range(1_000)
    ]
    return np.percentile([v for v in values if v is not None], [2.5, 97.5])


@pytest.mark.parametrize("weights", ["plain", "linear", "quadratic"])
def test_kappa_has_the_interval_of_resampling_items_one_by_one(weights):
    found = kappa_with_interval(A, B, weights, (1, 2, 3, 4))
    assert (found.value, found.n) == (cohen_kappa(A, B, weights, (1, 2, 3, 4)), 60)
    by_hand = item_by_item(
        lambda pairs: cohen_kappa(*zip(*pairs, strict=True), weights, (1, 2, 3, 4)),
        list(zip(A, B, strict=True)),
    )
    assert (found.interval.low, found.interval.high) == pytest.approx(by_hand, abs=0.025)


@pytest.mark.parametrize("metric", ["nominal", "ordinal", "interval"])
def test_alpha_has_the_interval_of_resampling_units_one_by_one(metric):
    units = [[x, y, None] if x % 2 else [x, y, y] for x, y in zip(A, B, strict=True)]
    found = alpha_with_interval(units, metric)
    assert (found.value, found.n) == (krippendorff_alpha(units, metric), 60)
    by_hand = item_by_item(lambda drawn: krippendorff_alpha(drawn, metric), units)
    assert (found.interval.low, found.interval.high) == pytest.approx(by_hand, abs=0.025)


def test_ac1_has_the_interval_of_resampling_items_one_by_one():
    found = ac1_with_interval(A, B, (1, 2, 3, 4))
    assert (found.value, found.n) == (gwet_ac1(A, B, (1, 2, 3, 4)), 60)
    by_hand = item_by_item(
        lambda pairs: gwet_ac1(*zip(*pairs, strict=True), (1, 2, 3, 4)),
        list(zip(A, B, strict=True)),
    )
    assert (found.interval.low, found.interval.high) == pytest.approx(by_hand, abs=0.025)


def test_counting_kinds_draws_from_the_same_distribution_as_drawing_items():
    items = np.array([0.0] * 30 + [1.0] * 50 + [3.0] * 20)
    kinds, counts = kinds_of(items.tolist())
    fast = bootstrap_counts(counts, lambda drawn: drawn @ np.array(kinds) / 100)
    slow = bootstrap(100, lambda drawn: items[drawn].mean(axis=1))
    assert (fast.low, fast.high) == pytest.approx((slow.low, slow.high), abs=0.04)
    assert (RESAMPLES, SEED) == (10_000, 20_261_130)


def test_many_kinds_are_drawn_from_the_same_distribution_as_few():
    items = np.arange(100) / 10
    many = bootstrap_counts([1] * 100, lambda drawn: drawn @ items / 100)
    # A mean of 100 numbers lies within 1.96 standard errors.
    reach = 1.96 * items.std() / 10
    assert (many.low, many.high) == pytest.approx((4.95 - reach, 4.95 + reach), abs=0.03)


def test_counts_are_drawn_piece_by_piece_and_nothing_gives_nothing():
    shapes = []

    def statistic(drawn):
        shapes.append(drawn.shape)
        return drawn.sum(axis=1)

    assert bootstrap_counts([3, 4], statistic, cells=10_000) == Interval(7.0, 7.0)
    assert sum(rows for rows, _ in shapes) == 10_000
    assert max(rows for rows, _ in shapes) == 400
    assert bootstrap_counts([], statistic) is None
    assert bootstrap_counts([0, 0], statistic) is None


def test_an_interval_does_not_hang_on_the_order_of_the_clips():
    assert kappa_with_interval(A, B) == kappa_with_interval(A[::-1], B[::-1])
    assert alpha_with_interval([[1, 2], [2, 2], [1, 1]], "nominal") == alpha_with_interval(
        [[1, 1], [2, 1], [2, 2]], "nominal"
    )


@pytest.mark.parametrize("measure", [kappa_with_interval, ac1_with_interval])
def test_what_cannot_be_known_says_why(measure):
    assert measure([], []) == Figure(None, 0, None, "there is no item that both rated")
    same = measure(["D1"] * 3, ["D1"] * 3)
    assert (same.value, same.n) == (None, 3)
    assert "all ratings are the same" in same.reason


def test_alpha_that_cannot_be_known_says_why():
    assert alpha_with_interval([[1], [None, 2]], "nominal").reason == "no item has two ratings"
    assert "all ratings are the same" in named_alpha([["D1", "D1"]] * 4).reason


def test_percent_agreement_has_the_wilson_interval():
    found = percent_with_interval([1] * 10, [1] * 7 + [2] * 3)
    assert found.value == 0.7
    assert (found.interval.low, found.interval.high) == pytest.approx(
        (0.396778, 0.892209), abs=5e-6
    )
    assert percent_with_interval([], []).value is None


def test_a_figure_has_a_value_or_a_reason():
    with pytest.raises(ValueError, match="either a value or a reason"):
        Figure(None, 3)
    with pytest.raises(ValueError, match="either a value or a reason"):
        Figure(0.5, 3, None, "too few")


def test_names_give_the_alpha_that_numbers_give():
    names = {1: "BI", 2: "D1", 3: "D2", 4: "D3"}
    as_names = [[names[x], names[y]] for x, y in zip(A, B, strict=True)]
    as_numbers = [list(pair) for pair in zip(A, B, strict=True)]
    assert named_alpha(as_names).value == pytest.approx(krippendorff_alpha(as_numbers, "nominal"))


@pytest.mark.parametrize(
    ("a", "b", "distance"),
    [
        ("12", "12", 0),
        ("12", "1234", 2 / 3),  # half in common, one inside the other: 1 - 1/2 * 2/3
        ("12", "23", 8 / 9),  # a third in common, neither inside: 1 - 1/3 * 1/3
        ("1", "2", 1),
        ("", "1", 1),
        ("", "", 0),
    ],
)
def test_masi_by_hand(a, b, distance):
    assert masi_distance(frozenset(a), frozenset(b)) == pytest.approx(distance)
    assert masi_distance(frozenset(b), frozenset(a)) == pytest.approx(distance)


sets = st.frozensets(st.sampled_from(["BI", "D1", "D2", "D3"]))


@settings(max_examples=20, deadline=None)
@given(st.lists(st.lists(sets, min_size=2, max_size=3), min_size=2, max_size=7))
def test_masi_alpha_equals_the_definition_over_all_pairs(units):
    values = [value for unit in units for value in unit]
    observed = sum(
        masi_distance(a, b) / (len(unit) - 1)
        for unit in units
        for i, a in enumerate(unit)
        for j, b in enumerate(unit)
        if i != j
    ) / len(values)
    expected = sum(masi_distance(a, b) for a in values for b in values) / (
        len(values) * (len(values) - 1)
    )
    found = masi_alpha(units).value
    if expected == 0:
        assert found is None
    else:
        assert found == pytest.approx(1 - observed / expected)


def test_masi_of_single_codes_is_nominal_alpha():
    units = [["BI", "BI"], ["D1", "D3"], ["D2", "D2"], ["D3", None]]
    in_sets = [[None if v is None else frozenset([v]) for v in unit] for unit in units]
    assert masi_alpha(in_sets).value == pytest.approx(named_alpha(units).value)
