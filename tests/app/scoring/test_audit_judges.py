import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.scoring.agreement import alpha_with_interval, krippendorff_alpha
from app.scoring.audit_judges import (
    AgainstExperts,
    alpha_over_items,
    experts_among_themselves,
    judge_against_experts,
    pass_rates_stand,
)
from app.scoring.audit_scores import count_points
from app.scoring.intervals import wilson
from app.scoring.proportions import Proportion

DATA = Path(__file__).parents[2] / "data" / "scoring"
FIGURES = json.loads((DATA / "specialedubench_figures.json").read_text(encoding="utf-8"))
VECTORS = json.loads((DATA / "reference_vectors.json").read_text(encoding="utf-8"))
INTERVAL = [v for v in VECTORS["krippendorff_alpha"] if v["metric"] == "interval"]


def pairs(scores, per_item=1):
    return [
        AgainstExperts(f"i{place // per_item}", judge, experts)
        for place, (judge, experts) in enumerate(scores)
    ]


@pytest.mark.parametrize("known", INTERVAL, ids=lambda known: known["name"])
def test_alpha_and_within_one_stand_together_and_equal_the_reference(known):
    found = judge_against_experts(pairs(known["units"]))
    alpha = float(Fraction(known["alpha"])) if isinstance(known["alpha"], str) else known["alpha"]
    assert found.alpha.value == pytest.approx(alpha, abs=5e-4)
    if "within_one" in known:
        assert found.within_one.value == known["within_one"]


def test_a_shift_of_one_point_is_a_bias_without_spread():
    shifted = next(v for v in INTERVAL if v["name"].startswith("constant shift"))
    found = judge_against_experts(
        [AgainstExperts(str(k), a, b) for k, (b, a) in enumerate(shifted["units"])]
    )
    assert (found.bias.value, found.spread.value) == (1.0, 0.0)
    # Ten alike: Wilson allows 0.2775 of the others to be anywhere from -9 to 9.
    assert found.bias.interval.low == pytest.approx(1 - 0.277533 * 10, abs=1e-4)


def test_bias_and_spread_by_hand():
    found = judge_against_experts(pairs([(8, 7), (6, 7), (9, 5), (5, 5)]))
    # Differences 1, -1, 4, 0: mean 1, squares about it 0, 4, 9, 1.
    assert found.bias.value == 1.0
    assert found.spread.value == pytest.approx((14 / 4) ** 0.5)
    assert found.within_one.value == 0.75
    low, high = found.within_one.interval.low, found.within_one.interval.high
    assert (low, high) == pytest.approx(
        (wilson(Proportion(3, 4)).low, wilson(Proportion(3, 4)).high)
    )


def test_recall_is_of_the_responses_that_experts_placed_below_seven():
    found = judge_against_experts(
        pairs([(5, 4), (6.9, 6.5), (7.0, 6.5), (3, 7), (9, 9), (8, 8), (None, 2)])
    )
    assert (found.recall.value, found.recall.n) == (pytest.approx(2 / 3), 3)
    assert (found.passes_kept.value, found.passes_kept.n) == (pytest.approx(2 / 3), 3)
    assert (found.responses, found.not_scored) == (6, 1)


@pytest.mark.parametrize(("place", "caught", "of"), [(0, 15, 34), (1, 17, 34)])
def test_judges_that_miss_failures_as_in_the_paper_have_their_rates_withheld(place, caught, of):
    scores = [(5.0, 4.0)] * caught + [(8.0, 4.0)] * (of - caught) + [(9.0, 9.0)] * 166
    found = judge_against_experts(pairs(scores))
    assert round(found.recall.value, 3) == FIGURES["skill"]["judges"]["recall_below_pass"][place]
    verdict = pass_rates_stand(found)
    assert not verdict.stands
    assert f"it passed {of - caught} of the 34 responses" in verdict.reason


def test_pass_rates_stand_at_a_recall_of_eight_in_ten_and_not_below():
    def with_recall(caught):
        return pass_rates_stand(
            judge_against_experts(pairs([(3, 3)] * caught + [(8, 3)] * (10 - caught)))
        )

    assert with_recall(8).stands
    assert with_recall(8).reason == ""
    assert not with_recall(7).stands


def test_pass_rates_do_not_stand_when_nobody_looked_or_nothing_was_below():
    assert "no expert has scored" in pass_rates_stand(None).reason
    assert "no expert has scored" in pass_rates_stand(judge_against_experts([])).reason
    unheard = pass_rates_stand(judge_against_experts(pairs([(None, 3.0)])))
    assert not unheard.stands
    easy = pass_rates_stand(judge_against_experts(pairs([(8, 8), (9, 9)])))
    assert (easy.stands, easy.recall.value) == (False, None)
    assert "none of these responses below the pass line" in easy.reason


def test_the_ceiling_is_what_experts_reach_among_themselves():
    # 155 of 192 within one point, as in the paper; two scores a response.
    scored = [AgainstExperts(f"i{k // 3}", None, 8.0, (8.0, 9.0)) for k in range(155)]
    scored += [AgainstExperts(f"i{k // 3}", None, 5.0, (3.0, 8.0)) for k in range(155, 192)]
    found = experts_among_themselves([*scored, AgainstExperts("alone", 7.0, 7.0, (7.0,))])
    known = FIGURES["attitude"]["experts"]
    assert (found.responses, found.not_scored) == (known["of"], 1)
    assert found.within_one.value == known["within_one"] / known["of"]
    # Each low score has one expert of two below the line.
    assert (found.recall.value, found.recall.n) == (0.5, 74)
    assert found.passes_kept.value == 1.0
    assert found.bias.value is None
    assert found.spread.value == pytest.approx(((155 * 1 + 37 * 25) / 192) ** 0.5)
    assert found.alpha.value == pytest.approx(
        krippendorff_alpha([pair.own for pair in scored], "interval")
    )


def test_scores_of_experts_are_counted_as_in_the_paper():
    known = FIGURES["attitude"]["experts"]
    counts = count_points([8] * 303 + [5] * 20 + [6] * 16 + [4] * 45)
    assert (counts.passed, counts.borderline, counts.below, counts.scored) == (
        known["passing"],
        known["borderline"],
        known["failing"],
        known["scores"],
    )


def test_alpha_draws_whole_items():
    units = [(7.0 + k % 3, 6.0 + k % 4) for k in range(120)]
    single = alpha_over_items([(str(k), unit) for k, unit in enumerate(units)])
    theirs = alpha_with_interval(units, "interval")
    assert single.value == theirs.value
    assert single.interval.low == pytest.approx(theirs.interval.low, abs=0.03)
    assert single.interval.high == pytest.approx(theirs.interval.high, abs=0.03)
    # The same responses as copies of a tenth of the items: the interval is about three times.
    copied = [(str(k // 10), units[k // 10]) for k in range(120)]
    wide = alpha_over_items(copied).interval
    narrow = alpha_over_items([(str(k), unit) for k, (_, unit) in enumerate(copied)]).interval
    assert wide.high - wide.low > 2 * (narrow.high - narrow.low)


points = st.integers(1, 10)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 10), st.integers(1, 10)), min_size=1, max_size=12),
    st.randoms(),
)
def test_the_order_of_responses_changes_nothing(scores, chance):
    listed = pairs(scores, per_item=2)
    shuffled = list(listed)
    chance.shuffle(shuffled)
    one, other = judge_against_experts(listed), judge_against_experts(shuffled)
    assert other.bias == one.bias
    assert other.recall == one.recall
    assert other.within_one == one.within_one
    if one.alpha.value is not None:
        assert other.alpha.value == pytest.approx(one.alpha.value)
