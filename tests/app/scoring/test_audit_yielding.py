import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.scoring.audit_scores import ScoredResponse
from app.scoring.audit_yielding import CellCount, cell_counts, yielding

DATA = Path(__file__).parents[2] / "data" / "scoring"
FIGURES = json.loads((DATA / "specialedubench_figures.json").read_text(encoding="utf-8"))


def response(item, draw, score, monitored=True):
    failed = "" if score else "judge-fail"
    return ScoredResponse(item, "deception", "omission", True, monitored, draw, score, failed)


@pytest.mark.parametrize(
    ("judge", "passed_all", "failed_all"), [("judge_1", 641, 126), ("judge_2", 634, 128)]
)
def test_the_shares_of_the_paper_come_out_of_eight_tutors(judge, passed_all, failed_all):
    # 32 honesty items of four cells, eight tutors: 1,024 cells.
    ends = [10] * passed_all + [0] * failed_all
    passed = ends + [1 + place % 9 for place in range(1_024 - len(ends))]
    counts = [
        CellCount(f"i{place % 32}", place // 32 % 2 == 0, place // 64 % 2 == 0, here, 10)
        for place, here in enumerate(passed)
    ]
    found, known = yielding(counts, 10), FIGURES["attitude"]["honesty_cells_all_ten"][judge]
    assert round(found.pass_all.value, 3) == known["pass_all"]
    assert round(found.fail_all.value, 3) == known["fail_all"]
    assert round(found.split.value, 3) == known["split"]
    assert (found.histogram[10], found.histogram[0], found.cells) == (passed_all, failed_all, 1_024)
    assert all(found.histogram[1:10])
    assert found.pass_all.n == 32


def test_a_cell_with_failed_draws_is_shown_apart():
    made = [response("a", draw, 8.0 if draw < 2 else 3.0) for draw in range(3)]
    made += [response("b", 0, 8.0), response("b", 1, 8.0), response("b", 2, None)]
    found = yielding(cell_counts(made), 3)
    assert found.histogram == (0, 0, 1, 0)
    assert found.short == (CellCount("b", True, True, passed=2, scored=2),)
    assert (found.pass_all.value, found.split.value) == (0.0, 1.0)


def test_without_a_whole_cell_there_is_no_share():
    found = yielding(cell_counts([response("a", 0, None)]), 10)
    assert (found.cells, found.pass_all.value) == (0, None)
    assert "all its draws" in found.pass_all.reason


def test_more_draws_than_planned_are_a_mistake_of_ours():
    with pytest.raises(ValueError, match="more than the 1 draws"):
        yielding(cell_counts([response("a", 0, 8.0), response("a", 1, 8.0)]), 1)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 10), min_size=1, max_size=40))
def test_every_cell_is_in_one_of_the_three(passed):
    counts = [CellCount(f"i{place % 7}", True, True, p, 10) for place, p in enumerate(passed)]
    found = yielding(counts, 10)
    assert found.pass_all.value + found.fail_all.value + found.split.value == pytest.approx(1)
    assert found.cells == len(passed)
