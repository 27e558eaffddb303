import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scoring.agreement import (
    cohen_kappa,
    gwet_ac1,
    krippendorff_alpha,
    mean_bias,
    percent_agreement,
    within,
)
from app.scoring.proportions import Proportion

DATA = Path(__file__).parents[2] / "data" / "scoring"
VECTORS = json.loads((DATA / "reference_vectors.json").read_text(encoding="utf-8"))


def exact(told):
    """Read `19/24`, `1-132/420` or a plain number with as many digits as it is given to."""
    if not isinstance(told, str):
        return pytest.approx(told, abs=5e-5 if round(told, 3) != told else 5e-4)
    parts = [Fraction(part) for part in told.split("-")]
    return pytest.approx(float(parts[0] - sum(parts[1:])), abs=1e-12)


@pytest.mark.parametrize("known", VECTORS["krippendorff_alpha"], ids=lambda k: k["name"])
def test_alpha_equals_the_reference(known):
    assert krippendorff_alpha(known["units"], known["metric"]) == exact(known["alpha"])
    if "within_one" in known:
        a, b = zip(*known["units"], strict=True)
        assert within(a, b, 1).share == known["within_one"]


@pytest.mark.parametrize("metric", ["nominal", "ordinal", "interval"])
def test_alpha_without_variation_or_without_pairs_is_undefined(metric):
    assert krippendorff_alpha([[3, 3], [3, 3]], metric) is None
    assert krippendorff_alpha([[1], [2], [None, 3]], metric) is None
    assert krippendorff_alpha([], metric) is None


def test_a_missing_rating_is_left_out():
    with_gap = [[1, 1, None], [0, 0, 0], [1, None, 0]]
    assert krippendorff_alpha(with_gap, "nominal") == krippendorff_alpha(
        [[1, 1], [0, 0, 0], [1, 0]], "nominal"
    )


def test_kappa_is_low_where_agreement_is_high_but_one_rating_is_everywhere():
    known = VECTORS["cohen_kappa"][0]
    a, b = zip(*known["pairs"], strict=True)
    assert percent_agreement(a, b).share == known["agreement"]
    assert cohen_kappa(a, b) == pytest.approx(known["kappa"], abs=5e-5)
    assert gwet_ac1(a, b) == pytest.approx(known["gwet_ac1"], abs=5e-5)


@pytest.mark.parametrize("weights", ["plain", "linear", "quadratic"])
def test_weighted_kappa_equals_the_reference(weights):
    known = VECTORS["cohen_kappa"][1]
    found = cohen_kappa(known["a"], known["b"], weights)
    assert found == pytest.approx(known[weights], abs=5e-5)


def test_kappa_takes_the_whole_scale_when_it_is_given():
    a, b = [1, 1, 3, 3], [1, 3, 3, 3]
    assert cohen_kappa(a, b, "quadratic", (1, 2, 3)) == cohen_kappa(a, b)
    with pytest.raises(ValueError, match="not in list"):
        cohen_kappa(a, b, categories=(1, 2))


def test_kappa_by_hand_on_codes():
    # Agreement 3/4; chance (2*3 + 2*1)/16 = 1/2.
    assert cohen_kappa(["D1", "D1", "D3", "D3"], ["D1", "D1", "D1", "D3"]) == pytest.approx(0.5)


@pytest.mark.parametrize("ratings", [[], [2, 2, 2]])
def test_kappa_without_variation_or_items_is_undefined(ratings):
    assert cohen_kappa(ratings, ratings) is None
    assert gwet_ac1(ratings, ratings) is None


def test_raters_of_different_numbers_of_items_are_not_compared():
    with pytest.raises(ValueError, match="3 ratings, the other 2"):
        percent_agreement([1, 2, 3], [1, 2])


def test_bias_is_how_far_the_second_rater_is_above_the_first():
    assert mean_bias([1, 2], [2, 5]) == 2.0
    assert mean_bias([], []) is None
    assert percent_agreement([], []) == Proportion(0, 0)


units = st.lists(
    st.lists(st.one_of(st.none(), st.integers(1, 4)), min_size=2, max_size=4),
    min_size=1,
    max_size=8,
)


@given(units, st.sampled_from(["nominal", "ordinal", "interval"]))
def test_alpha_never_exceeds_one_and_is_one_only_without_disagreement(rated, metric):
    found = krippendorff_alpha(rated, metric)
    if found is None:
        return
    assert found <= 1 + 1e-12
    pairs = [{v for v in unit if v is not None} for unit in rated]
    assert (found == pytest.approx(1)) == all(len(values) <= 1 for values in pairs)
