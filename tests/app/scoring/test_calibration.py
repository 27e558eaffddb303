import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.scoring.calibration import (
    LEAST,
    Claim,
    brier_score,
    claims_of,
    expected_calibration_error,
    reliability_bins,
)
from app.scoring.intervals import wilson
from app.scoring.proportions import Proportion
from app.scoring.scored import Code, Scored


def claims(*told):
    return [Claim(confidence, place < right) for confidence, right, n in told for place in range(n)]


# 40 claims at 0.9 with 30 right, 20 at 0.55 with 12 right, 40 at 0.25 with 8 right.
HUNDRED = claims((0.9, 30, 40), (0.55, 12, 20), (0.25, 8, 40))


def test_calibration_error_by_hand():
    # (40 * |0.9 - 0.75| + 20 * |0.55 - 0.6| + 40 * |0.25 - 0.2|) / 100 = (6 + 1 + 2) / 100
    found = expected_calibration_error(HUNDRED)
    assert (found.value, found.n) == (pytest.approx(0.09), 100)
    assert 0 < found.interval.low < found.interval.high < 0.25
    assert expected_calibration_error(HUNDRED, by="mass").value == pytest.approx(0.09)


def test_over_and_under_confidence_in_one_bin_cancel():
    both = claims((0.61, 25, 25), (0.69, 0, 25))
    assert expected_calibration_error(both).value == pytest.approx(0.65 - 0.5)
    assert expected_calibration_error(both, by="mass").value == pytest.approx((0.39 + 0.69) / 2)


def test_brier_score_by_hand():
    # 0.9: 30 * 0.01 + 10 * 0.81; 0.55: 12 * 0.2025 + 8 * 0.3025; 0.25: 8 * 0.5625 + 32 * 0.0625
    expected = (0.3 + 8.1 + 2.43 + 2.42 + 4.5 + 2.0) / 100
    found = brier_score(HUNDRED)
    assert found.value == pytest.approx(expected)
    assert found.interval.low < expected < found.interval.high


def test_a_reliability_plot_keeps_its_empty_bins():
    bins = reliability_bins(HUNDRED)
    assert [(b.lower, b.upper) for b in bins] == [(n / 10, (n + 1) / 10) for n in range(10)]
    assert [b.n for b in bins] == [0, 0, 40, 0, 0, 20, 0, 0, 0, 40]
    assert (bins[0].mean_confidence, bins[0].right.share, bins[0].interval) == (None, None, None)
    top = bins[-1]
    assert (top.mean_confidence, top.right) == (pytest.approx(0.9), Proportion(30, 40))
    assert top.interval == wilson(Proportion(30, 40))


def test_a_bin_holds_its_lower_edge_and_the_last_also_its_upper():
    bins = reliability_bins(claims((0.0, 0, 10), (0.3, 0, 10), (0.7, 10, 10), (1.0, 20, 20)))
    assert [b.n for b in bins] == [10, 0, 0, 10, 0, 0, 0, 10, 0, 20]


def test_bins_of_equal_mass_hold_equal_numbers():
    spread = [Claim(n / 100, n % 2 == 0) for n in range(100)]
    assert [b.n for b in reliability_bins(spread, 5, "mass")] == [20] * 5


def test_claims_of_the_same_confidence_stay_in_one_bin():
    tied = claims((0.9, 20, 30), (0.95, 10, 20), (1.0, 5, 10))
    bins = reliability_bins(tied, 10, "mass")
    assert [(b.lower, b.upper, b.n) for b in bins] == [
        (0.0, 0.95, 30),
        (0.95, 1.0, 20),
        (1.0, 1.0, 10),
    ]


def test_too_few_clips_give_a_reason_instead_of_a_number():
    few = claims((0.9, 30, LEAST - 1))
    for found in (expected_calibration_error(few), brier_score(few)):
        assert found.value is None
        assert found.reason == "49 decided clips are too few: at least 50 are needed"
    assert reliability_bins(few) == ()
    assert expected_calibration_error([], least=0).value is None
    assert expected_calibration_error(few, least=20).value is not None


def test_failures_and_clips_without_a_code_or_score_are_no_claims():
    scores = (("D1", 0.7), ("D3", 0.3))
    run = [
        Scored("a", (Code("D1"),), Code("D1"), "ok", scores),
        Scored("b", (Code("D3"),), Code("D1"), "retry-ok", scores),
        Scored("c", (Code("D1"),), None, "ok", scores),
        Scored("d", (Code("D1"),), None, "schema-fail"),
        Scored("e", (Code("D1"),), Code("BI"), "ok", scores),
        Scored("f", (Code("D1"),), Code("BI")),
    ]
    assert claims_of(run) == (Claim(0.7, True), Claim(0.7, False))


def test_a_confidence_beyond_one_is_a_mistake():
    with pytest.raises(ValueError, match="from 0 to 1"):
        Claim(1.5, True)


def test_a_calibrated_coder_has_a_small_error_and_a_boaster_a_large_one():
    chance = np.random.default_rng(8)
    sure = chance.random(2_000)
    honest = [Claim(float(c), bool(chance.random() < c)) for c in sure]
    boasting = [Claim(float(c), bool(chance.random() < c**3)) for c in sure]
    assert expected_calibration_error(honest).value < 0.05
    # The mean of c - c^3 for c from 0 to 1 is 1/2 - 1/4.
    assert expected_calibration_error(boasting).value == pytest.approx(0.25, abs=0.02)
    # Honest: the mean of c (1 - c) is 1/6.
    assert brier_score(honest).value == pytest.approx(1 / 6, abs=0.01)


told = st.tuples(st.integers(0, 20).map(lambda n: n / 20), st.booleans())


@settings(max_examples=25, deadline=None)
@given(st.lists(told, min_size=1, max_size=40), st.sampled_from(["width", "mass"]))
def test_every_claim_is_in_one_bin_and_inside_its_edges(pairs, by):
    sure = [Claim(*pair) for pair in pairs]
    bins = reliability_bins(sure, 7, by, least=1)
    assert sum(b.n for b in bins) == len(sure)
    assert sum(b.right.count for b in bins) == sum(c.is_right for c in sure)
    assert all(b.lower - 1e-9 <= b.mean_confidence <= b.upper + 1e-9 for b in bins if b.n)
    by_hand = sum(b.n * abs(b.mean_confidence - b.right.share) for b in bins if b.n) / len(sure)
    found = expected_calibration_error(sure, 7, by, least=1)
    assert found.value == pytest.approx(by_hand)
