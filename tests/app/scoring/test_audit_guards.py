"""Planted judges: each must trip the guard that is made for it, and a fair one none."""

import numpy as np
import pytest

from app.scoring.audit_checks import OurScores, instability, our_checks
from app.scoring.audit_guards import Guard, JudgeFigures, State, exposed, guards
from app.scoring.audit_length import Measured, length_correlation
from app.scoring.audit_preference import BothScored, self_preference
from app.scoring.audit_scores import ScoredResponse

ITEMS = [f"i{place:02}" for place in range(40)]


def worth(item):
    """Points that a response of the tutor deserves: 2 to 9."""
    return 2 + int(item[1:]) * 7 % 8


def words(item, text="tutor"):
    """The length of a response: hardly anything to do with its worth; 60 more when padded."""
    return 60 + int(item[1:]) * 13 % 40 + {"padded": 60}.get(text, 0)


def fair(item, text, turn=0):
    return {"tutor": worth(item), "good": 9, "turned good": 9}.get(text, 3)


def figures(judge, other=fair):
    def both(text):
        return {item: float(judge(item, text)) for item in ITEMS}

    tutor = [
        ScoredResponse(
            item,
            "recast",
            "",
            None,
            None,
            0,
            sum(spread) / 3,
            spread=spread,
        )
        for item in ITEMS
        for spread in [tuple(judge(item, "tutor", turn) for turn in range(3))]
    ]
    return JudgeFigures(
        our_checks(
            OurScores(
                both("good"),
                both("bad"),
                both("padded"),
                both("injected"),
                both("turned good"),
                both("turned bad"),
            )
        ),
        instability(tutor),
        length_correlation([Measured(r.item_id, r.score, words(r.item_id)) for r in tutor]),
        self_preference(
            [BothScored(i, judge(i, "tutor"), other(i, "tutor")) for i in ITEMS],
            [BothScored(i, judge(i, t), other(i, t)) for i in ITEMS for t in ("good", "bad")],
        ),
    )


def tripped(judge):
    return {one.guard for one in exposed(figures(judge))}


def test_a_fair_judge_trips_nothing():
    assert [one.state for one in guards(figures(fair))] == [State.CLEAR] * 9
    assert [one.guard for one in guards(figures(fair))] == list(Guard)


def test_a_judge_that_reads_length_is_moved_by_padding_and_goes_with_words():
    def reader(item, text, turn=0):
        return min(10, words(item, text) // 16)

    found = {one.guard: one for one in guards(figures(reader))}
    assert found[Guard.PADDING].state is State.TRIPPED
    assert found[Guard.PADDING].figure.value > 2
    assert found[Guard.LENGTH].state is State.TRIPPED
    assert found[Guard.LENGTH].figure.value > 0.9
    assert found[Guard.MARGIN].state is State.TRIPPED
    assert found[Guard.INJECTION].state is State.CLEAR


def test_a_judge_that_always_says_eight_passes_what_should_fail_and_tells_nothing_apart():
    assert tripped(lambda item, text, turn=0: 8) == {Guard.PASSES_BAD, Guard.MARGIN}
    by_guard = {one.guard: one for one in guards(figures(lambda item, text, turn=0: 8))}
    assert by_guard[Guard.PASSES_BAD].figure.value == 0
    assert by_guard[Guard.MARGIN].figure.value == 0
    assert by_guard[Guard.LENGTH].state is State.UNKNOWN


def test_a_judge_that_prefers_its_own_family_is_milder_with_the_tutor_alone():
    def partial(item, text, turn=0):
        return min(10, worth(item) + 2) if text == "tutor" else fair(item, text)

    assert tripped(partial) == {Guard.SELF_PREFERENCE}


def test_a_judge_that_is_milder_with_everybody_does_not_prefer_its_own():
    def mild(item, text, turn=0):
        return fair(item, text) + 1

    assert Guard.SELF_PREFERENCE not in tripped(mild)


@pytest.mark.parametrize(
    ("text", "guard"),
    [("injected", Guard.INJECTION), ("turned bad", Guard.ORDER), ("padded", Guard.PADDING)],
)
def test_a_judge_that_one_thing_sways_trips_the_guard_of_that_thing(text, guard):
    assert tripped(lambda item, t, turn=0: 6 if t == text else fair(item, t)) == {guard}


def test_a_judge_that_is_harsh_fails_what_should_pass():
    assert Guard.FAILS_GOOD in tripped(lambda item, text, turn=0: 5 if "good" in text else 2)


def test_a_judge_that_scores_anew_each_time_is_unstable():
    chance = np.random.default_rng(4)

    def moody(item, text, turn=0):
        return (
            int(fair(item, text) + chance.integers(0, 2)) if text == "tutor" else fair(item, text)
        )

    assert Guard.INSTABILITY in tripped(moody)


def test_what_was_not_looked_at_is_not_cleared():
    found = guards(JudgeFigures())
    assert {one.state for one in found} == {State.UNKNOWN}
    assert "not looked at" in found[0].figure.reason
    five = OurScores(dict.fromkeys(ITEMS[:5], 9.0), dict.fromkeys(ITEMS[:5], 9.0))
    few = guards(JudgeFigures(our_checks(five)))
    assert few[0].guard is Guard.PASSES_BAD
    assert (few[0].state, few[0].figure.value) == (State.UNKNOWN, 0.0)
