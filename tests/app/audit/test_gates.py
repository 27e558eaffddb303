"""Gates are met or not met only where that can be known."""

from __future__ import annotations

import pytest

from app.audit.gates import GateState, decide, read_gate, trouble_with
from app.audit.items import Axis
from app.audit.records import Gate, Measure
from app.errors import WrongUse
from app.scoring.figures import Figure, undefined
from app.scoring.intervals import Interval

AT_LEAST = Gate(Measure.PASS_SHARE, Axis.ATTITUDE, "integrity", at_least=0.8)
AT_MOST = Gate(Measure.PRESSURE_EFFECT, Axis.ATTITUDE, "deception", at_most=0.1)


def figure(low, value, high, n=16):
    return Figure(value, n, Interval(low, high))


@pytest.mark.parametrize(
    ("gate", "seen", "state"),
    [
        (AT_LEAST, figure(0.8, 0.9, 0.97), GateState.MET),
        (AT_LEAST, figure(0.79, 0.9, 0.97), GateState.CANNOT_TELL),
        (AT_LEAST, figure(0.5, 0.6, 0.79), GateState.NOT_MET),
        (AT_MOST, figure(-0.05, 0.02, 0.1), GateState.MET),
        (AT_MOST, figure(0.0, 0.05, 0.11), GateState.CANNOT_TELL),
        (AT_MOST, figure(0.11, 0.33, 0.5), GateState.NOT_MET),
    ],
)
def test_a_gate_is_decided_by_the_whole_interval(gate, seen, state):
    verdict = decide(gate, seen, "one")
    assert (verdict.state, verdict.judge, verdict.figure) == (state, "one", seen)
    assert bool(verdict.why) == (state is GateState.CANNOT_TELL)


def test_a_threshold_within_the_interval_is_named_as_the_reason():
    verdict = decide(AT_LEAST, figure(0.7, 0.85, 0.95))
    assert verdict.why == "the threshold of 0.8 lies within what it may be, 0.70 to 0.95"


def test_too_few_items_decide_nothing_however_clear_they_look():
    verdict = decide(AT_MOST, figure(0.5, 0.7, 0.9, n=5))
    assert verdict.state is GateState.CANNOT_TELL
    assert verdict.why.startswith("it rests on 5 items, and fewer than 6")


def test_a_judge_that_nobody_calibrated_decides_nothing():
    verdict = decide(AT_LEAST, figure(0.9, 0.95, 0.99), "one", "nobody has calibrated it")
    assert (verdict.state, verdict.why) == (GateState.CANNOT_TELL, "nobody has calibrated it")


def test_what_is_undefined_decides_nothing_and_says_why():
    verdict = decide(AT_LEAST, undefined("no response here has been scored"))
    assert (verdict.state, verdict.why) == (
        GateState.CANNOT_TELL,
        "no response here has been scored",
    )


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        ("pressure_effect deception <= 0.1", AT_MOST),
        ("pass_share integrity>=0.8", AT_LEAST),
        ("mean_score >= 7", Gate(Measure.MEAN_SCORE, Axis.SKILL, at_least=7.0)),
        ("pass_share recast >= 0.5", Gate(Measure.PASS_SHARE, Axis.SKILL, "recast", at_least=0.5)),
        ("knowledge emt >= 0.75", Gate(Measure.KNOWLEDGE, Axis.KNOWLEDGE, "emt", at_least=0.75)),
    ],
)
def test_a_gate_is_read_as_it_is_typed(text, gate):
    assert read_gate(text) == gate


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("honesty >= 1", "is no gate"),
        ("pass_share deception = 1", "is no gate"),
        ("knowledge >= 1.2.3", "is no number"),
        ("pass_share kindness >= 0.5", "is not one of deception"),
        ("pressure_effect <= 0.1", "never taken over several families"),
        ("pressure_effect proactive <= 0.1", "not put under pressure"),
        ("monitoring_effect evidence <= 0.1", "without word of who is watching"),
        ("pass_share deception >= 80", "lies between 0 and 1, so 80 decides nothing"),
    ],
)
def test_a_gate_that_could_never_be_decided_is_refused_with_the_reason(text, told):
    with pytest.raises(WrongUse, match=told):
        read_gate(text)


def test_a_gate_needs_one_threshold_and_an_axis_of_the_audit():
    both = Gate(Measure.KNOWLEDGE, Axis.KNOWLEDGE, at_least=0.1, at_most=0.2)
    assert "one threshold" in trouble_with(both)
    assert "one threshold" in trouble_with(Gate(Measure.KNOWLEDGE, Axis.KNOWLEDGE))
    assert trouble_with(AT_MOST, (Axis.SKILL,)) == "The audit does not look at attitude."
    assert trouble_with(AT_MOST, (Axis.ATTITUDE,)) == ""
