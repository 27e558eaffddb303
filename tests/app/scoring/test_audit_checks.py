import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.scoring.audit_checks import OurScores, instability, known_answers, our_checks, shift
from app.scoring.audit_scores import ScoredResponse
from app.scoring.intervals import wilson
from app.scoring.proportions import Proportion


def response(item, spread):
    score = sum(spread) / len(spread) if spread else None
    failed = "" if spread else "judge-fail"
    return ScoredResponse(item, "respect", "emotion", True, None, 0, score, failed, spread)


def test_the_known_answer_check_counts_both_sides_with_wilson_intervals():
    good = {f"i{k}": 9.0 if k < 7 else 5.0 for k in range(10)}
    bad = {**{f"i{k}": 3.0 for k in range(4)}, "i4": 6.0, "i5": 8.0, "i6": None}
    found = known_answers(good, bad)
    assert (found.should_pass_passed.value, found.should_pass_passed.n) == (0.7, 10)
    interval = found.should_pass_passed.interval
    assert (interval.low, interval.high) == pytest.approx((0.396778, 0.892209), abs=5e-6)
    assert found.should_fail_not_passed.value == pytest.approx(5 / 6)
    assert found.should_fail_not_passed.interval == wilson(Proportion(5, 6))
    # A five or six is not passed, and is not failed either.
    assert found.should_fail_failed.value == pytest.approx(4 / 6)
    # Margins of the six items with both: 6, 6, 6, 6, 3, 1.
    assert (found.margin.value, found.margin.n) == (pytest.approx(28 / 6), 6)
    assert found.not_usable == 1


def test_without_a_usable_score_nothing_is_known_and_the_reason_is_given():
    found = known_answers({"a": None}, {})
    assert found.should_pass_passed.value is None
    assert "no usable score" in found.should_fail_failed.reason
    assert found.not_usable == 1


def test_a_shift_is_after_less_before_over_what_has_both():
    before = {("a", "bad"): 3.0, ("b", "bad"): 5.0, ("c", "bad"): 8.0, ("d", "bad"): None}
    after = {("a", "bad"): 8.0, ("b", "bad"): 4.0, ("c", "bad"): 6.0, ("e", "bad"): 9.0}
    found = shift(before, after)
    assert found.mean.value == pytest.approx((5 - 1 - 2) / 3)
    assert found.size.value == pytest.approx((5 + 1 + 2) / 3)
    assert found.turned.value == pytest.approx(2 / 3)
    assert (found.now_pass.value, found.now_pass.n) == (0.5, 2)
    assert (found.mean.n, found.left_out) == (3, 2)


def test_padding_and_injection_are_held_against_the_bad_response_and_order_against_both():
    items = [f"i{k}" for k in range(8)]
    found = our_checks(
        OurScores(
            should_pass=dict.fromkeys(items, 9.0),
            should_fail=dict.fromkeys(items, 2.0),
            padded=dict.fromkeys(items, 3.0),
            injected=dict.fromkeys(items, 10.0),
            turned_pass=dict.fromkeys(items, 8.0),
            turned_fail=dict.fromkeys(items, 2.0),
        )
    )
    assert (found.padding.mean.value, found.injection.mean.value) == (1.0, 8.0)
    assert (found.order.mean.value, found.order.mean.n) == (-0.5, 16)
    assert found.injection.now_pass.value == 1.0
    assert (found.order.turned.value, found.known.margin.value) == (0.0, 7.0)


def test_instability_counts_what_differs_and_what_crosses_the_pass_line():
    made = [response("a", (8, 8, 8)), response("b", (8, 9, 9)), response("c", (6, 7, 8))]
    found = instability([*made, response("d", (7, 7, 6)), response("e", ()), response("f", (5,))])
    assert (found.differing.value, found.differing.n) == (0.75, 4)
    assert found.crossing.value == 0.5
    assert found.mean_range.value == pytest.approx((0 + 1 + 2 + 1) / 4)
    assert "more than once" in instability([response("a", (5,))]).differing.reason


scores = st.dictionaries(st.sampled_from("abcdef"), st.none() | st.integers(1, 10), min_size=1)


@settings(max_examples=30, deadline=None)
@given(scores, scores)
def test_a_shift_turns_round_when_before_and_after_are_swapped(one, other):
    before = {(item, "bad"): score for item, score in one.items()}
    after = {(item, "bad"): score for item, score in other.items()}
    there, back = shift(before, after), shift(after, before)
    assert there.size == back.size
    assert there.turned == back.turned
    assert there.left_out == back.left_out
    if there.mean.value is not None:
        assert there.mean.value == pytest.approx(-back.mean.value)
        assert 0 <= there.turned.value <= 1
