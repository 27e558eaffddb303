"""Which responses experts are given."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.audit.drawing import draw_for_experts
from app.audit.items import Axis, Condition, Item
from app.audit.records import BoardRow, Place
from app.running.questions import Status

ITEMS = {
    item.item_id: item
    for item in (
        Item("k", Axis.KNOWLEDGE, "emt", "?"),
        Item("d", Axis.ATTITUDE, "deception", "?"),
        Item("i", Axis.ATTITUDE, "integrity", "?"),
        Item("r", Axis.SKILL, "recast", "?"),
    )
}


def row(response_id, item_id="d", scores=(8, 8, 8), judge="one"):
    place = Place(item_id, Condition(), response_id)
    return BoardRow(response_id, place, Status.OK, 40, judge, scores, 0, 0)


def test_half_of_what_is_drawn_was_not_passed():
    rows = [row(n, scores=(8,) if n < 90 else (3,)) for n in range(100)]
    drawn = draw_for_experts(rows, ITEMS, per_axis=12)
    assert len(drawn) == 12
    assert sum(each >= 90 for each in drawn) == 6


def test_what_one_half_lacks_the_other_makes_up():
    rows = [row(n, scores=(8,) if n < 90 else (3,)) for n in range(92)]
    drawn = draw_for_experts(rows, ITEMS, per_axis=12)
    assert sum(each >= 90 for each in drawn) == 2
    assert len(drawn) == 12
    assert len(draw_for_experts(rows[88:], ITEMS, per_axis=12)) == 4


def test_groups_are_even_and_axes_apart():
    kinds = ("d", "d", "d", "d", "i", "r", "k")
    rows = [row(n, kinds[n % 7], (9,)) for n in range(140)]
    drawn = draw_for_experts(rows, ITEMS, per_axis=10)
    got = [kinds[each % 7] for each in drawn]
    assert {kind: got.count(kind) for kind in kinds} == {"d": 5, "i": 5, "r": 10, "k": 0}


def test_one_judge_who_did_not_pass_it_is_enough():
    rows = [row(1), row(1, judge="two", scores=(4, 4, 4)), row(2), row(2, judge="two")]
    assert draw_for_experts(rows, ITEMS, per_axis=1) in ((1,), (2,))
    assert draw_for_experts([*rows, row(3, scores=(2,))], ITEMS, per_axis=2)[0] in (1, 2)


def test_nobody_has_scored_yet_is_not_passed():
    rows = [row(1, scores=(), judge=""), row(2, scores=(None, None)), row(3)]
    drawn = draw_for_experts(rows, ITEMS, per_axis=2)
    assert 3 in drawn


@given(st.permutations(range(30)), st.integers(1, 40))
def test_the_order_of_rows_changes_nothing(order, per_axis):
    rows = [row(n, "d" if n % 2 else "i", (n % 10 + 1,)) for n in range(30)]
    drawn = draw_for_experts(rows, ITEMS, per_axis=per_axis)
    assert draw_for_experts([rows[n] for n in order], ITEMS, per_axis=per_axis) == drawn
    assert len(set(drawn)) == len(drawn) == min(per_axis, 30)


def test_nothing_there_gives_nothing():
    assert draw_for_experts([], ITEMS) == ()


@pytest.mark.parametrize("per_axis", [1, 3, 7])
def test_an_odd_number_is_kept(per_axis):
    assert len(draw_for_experts([row(n) for n in range(9)], ITEMS, per_axis=per_axis)) == per_axis
