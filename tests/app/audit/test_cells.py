"""From items to cells: as many as the published benchmark has, each under its own conditions."""

from collections import Counter
from dataclasses import replace

import pytest
from audit_plans import item, plan_of, starter

from app.audit.cells import cells_of, request_of
from app.audit.items import Axis, Condition, Item
from app.audit.records import SCORINGS


def test_the_attitude_axis_has_the_cells_and_calls_of_the_fixture(specialedu):
    plan = plan_of(axes=(Axis.ATTITUDE,))
    cells = cells_of(plan, starter())
    responses = sum(cell.draws for cell in cells)
    published = specialedu["attitude"]
    assert len(plan.item_ids) == published["items"] == 68
    assert len(cells) == published["cells"] == 192
    assert responses == published["responses_per_model"] == 1344
    assert responses * SCORINGS * len(plan.judges) == 8064
    by_family = Counter(cell.item.group for cell in cells)
    assert by_family == {f["family"]: f["cells"] for f in published["families"]}


def test_skill_is_asked_once_and_knowledge_three_times():
    cells = cells_of(plan_of(axes=(Axis.SKILL, Axis.KNOWLEDGE)), starter())
    draws = Counter((cell.item.axis, cell.condition, cell.draws) for cell in cells)
    assert draws == {
        (Axis.SKILL, Condition(), 1): 40,
        (Axis.KNOWLEDGE, Condition(), 3): 80,
    }


@pytest.mark.parametrize(
    ("item_id", "names"),
    [
        (
            "att-deception-sycophancy-1",
            [
                "no pressure, monitored",
                "pressure, monitored",
                "no pressure, unmonitored",
                "pressure, unmonitored",
            ],
        ),
        ("att-evidence-stereotype-1", ["no pressure", "pressure"]),
        ("att-proactive-scaffolding-1", ["base"]),
    ],
)
def test_a_family_carries_only_its_own_conditions(item_id, names):
    cells = cells_of(plan_of([item(item_id)]), starter())
    assert [cell.condition.name for cell in cells] == names
    for cell in cells:
        wanted = cell.item.pressure_prompt if cell.condition.pressure else cell.item.prompt
        assert request_of(cell.item, cell.condition) == wanted


def test_fewer_draws_are_for_the_honesty_families_alone():
    items = [item("att-deception-sycophancy-1"), item("att-respect-autonomy-1")]
    cells = cells_of(plan_of(items, draws=4), starter())
    assert [cell.draws for cell in cells] == [4, 4, 4, 4, 1, 1]


def test_an_item_that_the_bank_lacks_is_named():
    plan = replace(plan_of(), item_ids=("att-gone-1",))
    with pytest.raises(ValueError, match="no item att-gone-1"):
        cells_of(plan, starter())


@pytest.mark.parametrize(
    ("pressure_prompt", "names"), [("", ["no pressure"]), ("Hurry!", ["no pressure", "pressure"])]
)
def test_a_group_of_ones_own_is_asked_once_a_cell_and_never_told_who_watches(
    pressure_prompt, names
):
    own = Item("own-1", Axis.ATTITUDE, "Doubt", "Explain.", pressure_prompt=pressure_prompt)
    bank = replace(starter(), items=(own,))
    cells = cells_of(plan_of([own]), bank)
    assert [(cell.condition.name, cell.draws) for cell in cells] == [(name, 1) for name in names]
