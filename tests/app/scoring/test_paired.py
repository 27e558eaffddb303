import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from app.scoring.paired import change_of_share, compare_runs, macro_f1s, mcnemar
from app.scoring.scored import Code, Scored

FOUR = ("BI", "D1", "D2", "D3")


def clip(name, true, predicted, status="ok"):
    return Scored(name, (Code(true),), predicted and Code(predicted), status)


def run(*predicted, true="BI"):
    return [clip(f"c{place}", true, said) for place, said in enumerate(predicted)]


def test_mcnemar_by_hand_on_one_against_seven():
    # P(0 or 1 of 8) = 9/256, twice that is 18/256; the outcome seen has 8/256.
    # Fagerland, Lydersen and Laake (2013) print 0.070 and 0.039 for these counts.
    found = mcnemar(1, 7)
    assert (found.p, found.mid_p) == (18 / 256, 10 / 256)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_binomial_test_with_one_half(one, other):
    if one + other == 0:
        return
    found = mcnemar(one, other)
    assert found.p == pytest.approx(binomtest(one, one + other, 0.5).pvalue, abs=1e-12)
    assert found.mid_p < found.p
    assert mcnemar(other, one).p == found.p


def test_mid_p_counts_equally_likely_outcomes_by_half():
    # 2 against 2: outcomes 0..4 have 1, 4, 6, 4, 1 of 16; all are as likely or less than 6.
    assert (mcnemar(2, 2).p, mcnemar(2, 2).mid_p) == (1.0, 1 - 3 / 16)


def test_mcnemar_of_two_that_never_differ_is_undefined_and_says_why():
    found = mcnemar(0, 0)
    assert (found.p, found.mid_p) == (None, None)
    assert "never apart" in found.reason


def test_ten_thousand_discordant_clips_do_not_overflow():
    assert mcnemar(4_900, 5_100).p == pytest.approx(binomtest(4_900, 10_000, 0.5).pvalue, rel=1e-9)


def test_clips_that_either_failed_are_left_out_and_counted():
    one = [
        clip("a", "BI", "BI"),
        clip("b", "BI", None, "schema-fail"),
        clip("c", "BI", "BI"),
        clip("d", "BI", None, "refusal"),
        clip("e", "BI", None),
        clip("only here", "BI", "BI"),
    ]
    other = [
        clip("a", "BI", "D1"),
        clip("b", "BI", "BI"),
        clip("c", "BI", None, "truncated"),
        clip("d", "BI", None, "truncated"),
        clip("e", "BI", "BI"),
    ]
    found = compare_runs(one, other, FOUR)
    assert (found.one_failed, found.other_failed, found.both_failed) == (1, 1, 1)
    assert (found.only_one_right, found.only_other_right, found.compared) == (1, 1, 2)
    assert found.not_shared == 1
    assert (found.accuracy.value, found.accuracy.n) == (0.0, 2)


def test_the_difference_is_the_first_minus_the_second_with_an_interval():
    one = run(*["BI"] * 30, *["D1"] * 10)
    other = run(*["BI"] * 20, *["D1"] * 20)
    found = compare_runs(one, other, FOUR)
    assert found.accuracy.value == 0.25
    # Ten of forty lead by one: 1.96 standard errors are 1.96 * sqrt(0.25 * 0.75 / 40) = 0.134.
    assert found.accuracy.interval.low == pytest.approx(0.25 - 0.134, abs=0.02)
    assert found.accuracy.interval.high == pytest.approx(0.25 + 0.134, abs=0.02)
    # F1 of BI is 60/70 and 40/60; the other three practices are 0 in both.
    assert found.macro_f1.value == pytest.approx((6 / 7 - 2 / 3) / 4)
    assert found.macro_f1.interval.low <= found.macro_f1.value <= found.macro_f1.interval.high


def test_the_order_of_the_clips_changes_nothing():
    one = [clip(f"c{n}", FOUR[n % 4], FOUR[n % 3]) for n in range(40)]
    other = [clip(f"c{n}", FOUR[n % 4], FOUR[n % 2]) for n in range(40)]
    assert compare_runs(one, other, FOUR) == compare_runs(one[::-1], other[7:] + other[:7], FOUR)


def test_nothing_in_common_is_undefined():
    found = compare_runs(run("BI"), [clip("x", "BI", "BI")], FOUR)
    assert (found.accuracy.value, found.macro_f1.value, found.test.p) == (None, None, None)
    assert "no clip that both answered" in found.accuracy.reason
    assert found.not_shared == 2


def test_the_same_clip_twice_or_other_codes_for_it_are_mistakes():
    with pytest.raises(ValueError, match="c0 is twice"):
        compare_runs([*run("BI"), *run("BI")], run("BI"), FOUR)
    with pytest.raises(ValueError, match="different codes"):
        compare_runs(run("BI"), run("BI", true="D1"), FOUR)


def test_any_acceptable_code_is_right_and_counts_under_itself():
    codes = (Code("D1"), Code("D3"))
    one = [Scored("a", codes, Code("D3"))]
    other = [Scored("a", codes, Code("D1"))]
    found = compare_runs(one, other, FOUR)
    assert (found.both_right, found.accuracy.value, found.macro_f1.value) == (1, 0.0, 0.0)


def test_macro_f1_of_drawn_clips_equals_macro_f1_written_out():
    chance = np.random.default_rng(4)
    kinds = [(t, p) for t in FOUR for p in (*FOUR, "")]
    drawn = chance.integers(0, 5, (20, len(kinds))).astype(float)
    for counts, found in zip(drawn, macro_f1s(drawn, kinds, FOUR), strict=True):
        total = 0.0
        for label in FOUR:
            hits = sum(c for c, (t, p) in zip(counts, kinds, strict=True) if t == p == label)
            named = sum(
                c * ((t == label) + (p == label)) for c, (t, p) in zip(counts, kinds, strict=True)
            )
            total += 2 * hits / named if named else 0
        assert found == pytest.approx(total / 4)


def test_the_change_of_a_share_has_the_interval_of_the_binomial_it_is():
    # Four of eight come round and four stay: drawn again, k of 8 come round by chance one half.
    # Under one eighth lie 1/256 = 0.4%, up to it 9/256 = 3.5%: the 2.5th percentile is 1/8.
    found = change_of_share([(False, True)] * 4 + [(False, False)] * 4, "none")
    assert (found.value, found.n) == (0.5, 8)
    assert (found.interval.low, found.interval.high) == (0.125, 0.875)


def test_as_many_going_as_coming_is_no_change_and_not_a_sure_one():
    found = change_of_share([(False, True), (True, False), (True, True)], "none")
    assert found.value == 0.0
    assert found.interval.low < 0 < found.interval.high


def test_items_that_all_stayed_leave_open_that_others_might_not():
    # Wilson for 10 of 10 begins at 1 / (1 + 1.96^2 / 10) = 0.7225.
    stayed = change_of_share([(True, True)] * 10, "none")
    assert stayed.value == 0.0
    assert stayed.interval.low == pytest.approx(-0.2775, abs=1e-4)
    assert stayed.interval.high == pytest.approx(0.2775, abs=1e-4)
    came = change_of_share([(False, True)] * 10, "none")
    assert came.value == 1.0
    assert came.interval.low == pytest.approx(1 - 2 * 0.2775, abs=1e-4)
    assert came.interval.high == 1.0
    assert change_of_share([], "nothing").reason == "nothing"
