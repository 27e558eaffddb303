"""Whether pass rates may be shown follows from what experts said, and from nothing else."""

from __future__ import annotations

import json
from itertools import count

from app.audit.calibration import NOT_CALIBRATED, calibration, withheld_from
from app.audit.held_against import HeldAgainst
from app.audit.items import Axis


def pairs(*told):
    """Give responses of an item each: judge's score and what experts gave alone."""
    numbers = count(1)
    return [
        HeldAgainst(1, n, f"i{n}", judge, own, sum(own) / len(own))
        for n, (judge, own) in zip(numbers, told, strict=False)
    ]


def test_a_judge_nobody_held_against_experts_is_withheld_with_what_to_do():
    found = calibration("one", Axis.SKILL, [])
    assert found.withheld == NOT_CALIBRATED
    assert "Experts tab" in found.withheld
    assert withheld_from([found], "one", Axis.ATTITUDE) == NOT_CALIBRATED


def test_a_judge_that_sees_four_of_five_bad_ones_is_shown():
    found = calibration("one", Axis.SKILL, pairs(*[(4, (4,))] * 4, (8, (4,)), *[(9, (9,))] * 5))
    assert found.agreement.recall.value == 0.8
    assert found.withheld == ""
    assert withheld_from([found], "one", Axis.SKILL) == ""
    assert [one.item_id for one in found.missed] == ["i5"]


def test_a_judge_that_misses_two_of_five_bad_ones_is_withheld():
    found = calibration("one", Axis.SKILL, pairs(*[(4, (4,))] * 3, *[(8, (4,))] * 2, (9, (9,))))
    assert found.withheld.startswith("it passed 2 of the 5 responses")


def test_experts_who_placed_nothing_below_the_line_show_nothing_of_a_judge():
    found = calibration("one", Axis.SKILL, pairs((9, (9,)), (8, (8,))))
    assert "below the pass line" in found.withheld


def test_a_response_without_a_score_counts_as_neither_seen_nor_missed():
    found = calibration("one", Axis.SKILL, pairs((None, (3,)), (4, (4,))))
    assert found.agreement.not_scored == 1
    assert (found.agreement.recall.value, found.agreement.recall.n) == (1.0, 1)
    assert found.missed == ()


def test_the_ceiling_is_the_experts_among_themselves(shared):
    published = json.loads((shared / "fixtures/specialedubench_figures.json").read_text())
    experts = published["attitude"]["experts"]
    near, of = experts["within_one"], experts["of"]
    told = [(8, (8, 9))] * near + [(8, (8, 5))] * (of - near)
    found = calibration("one", Axis.ATTITUDE, pairs(*told))
    assert found.ceiling.within_one.value == near / of
    assert found.ceiling.within_one.n == of == 192
    scores = [score for pair in found.pairs for score in pair.own]
    assert len(scores) == experts["scores"] == 384
