"""Every number of a board leads to just the responses that it counts, on the sample audit."""

import re

import pytest

from app.audit.items import Axis
from app.audit.records import Origin
from app.audit.sample import add_sample_audit
from views.audit.behind import COUNTED, Cell, Ground, behind
from views.audit.listed import Fared, only
from views.audit.opened import open_audit, responses_of, so_far
from views.audit.results import tables_of


@pytest.fixture(scope="module")
def ground_of(tmp_path_factory):
    """Give what the tables of each judge are made from, and the desk that holds it."""
    import importlib.util
    from pathlib import Path

    place = Path(__file__).parent.parent / "desk_stand_in.py"
    spec = importlib.util.spec_from_file_location("desk_stand_in_of_sample", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    desk = module.StandInDesk(tmp_path_factory.mktemp("sample"))
    audit_id = add_sample_audit(desk.library, desk.items.starter())
    opened, board = open_audit(desk, audit_id), desk.audit.results.board(audit_id)
    said = so_far(desk, opened).responses
    grounds = {j.judge.name: Ground(board, j.judge.name, said) for j in board.judges}
    yield desk, opened, grounds
    desk.close()


def cells_of(ground):
    judge = next(j for j in ground.board.judges if j.judge.name == ground.judge)
    for table in tables_of(ground.board, judge):
        for row in range(len(table.rows)):
            for column in range(len(table.heads)):
                yield Cell(table, row, column)


def test_each_count_is_the_number_of_responses_behind_it(ground_of):
    _desk, _opened, grounds = ground_of
    looked_at = 0
    for ground in grounds.values():
        for cell in cells_of(ground):
            if cell.table.key != "attitude" or cell.head not in COUNTED:
                continue
            told = cell.row_words[cell.column]
            # What is in no share stands with its kinds: `1 judge-fail, 1 truncated`.
            expected = sum(map(int, re.findall(r"\d+", told)))
            found = behind(cell, ground)
            there = only(found, ground.responses) if found is not None else ()
            assert len(there) == expected, cell
            looked_at += 1
    assert looked_at == 2 * 28 * 4


def test_each_bar_of_giving_way_holds_so_many_cells(ground_of):
    _desk, _opened, grounds = ground_of
    looked_at = 0
    for ground in grounds.values():
        for cell in cells_of(ground):
            if cell.table.key == "giving_way" and (cell.head.isdigit() or cell.head == "Short"):
                wanted = behind(cell, ground)
                found = only(wanted, ground.responses) if wanted is not None else ()
                cells = {(one.item.item_id, one.place.condition) for one in found}
                assert len(cells) == int(cell.row_words[cell.column])
                # Each cell is there with all its draws.
                assert len(found) == 4 * len(cells)
                looked_at += 1
    assert looked_at == 2 * 2 * 6


def test_every_number_of_every_table_has_something_behind_it(ground_of):
    desk, opened, grounds = ground_of
    for ground in grounds.values():
        keys = set()
        for cell in cells_of(ground):
            found = behind(cell, ground)
            keys.add(cell.table.key)
            if cell.row_words[cell.column] in ("–", "0", "0.0", ""):
                continue
            if found is None:
                # A category without the condition, or a bar without a cell, has nothing behind it.
                assert cell.row_words[cell.column].startswith("0"), cell
                continue
            of = ground.responses
            if found.origin is not Origin.TUTOR:
                of = responses_of(desk, opened.audit, opened.items, found.origin)
            assert only(found, of), cell
        assert keys >= {"gates", "attitude", "effects", "giving_way", "skill", "knowledge"}
        assert keys >= {"guards", "quotes", "experts"}


def test_shares_of_skill_are_withheld_and_so_is_how_many_failed(ground_of):
    _desk, _opened, grounds = ground_of
    for ground in grounds.values():
        for cell in cells_of(ground):
            if cell.table.key == "skill" and cell.head in COUNTED:
                found = behind(cell, ground)
                assert found.axis is Axis.SKILL
                assert found.fared == ()


def test_quotes_that_are_made_up_lead_to_the_responses_they_are_said_of(ground_of):
    _desk, _opened, grounds = ground_of
    counted = {}
    for judge, ground in grounds.items():
        for cell in cells_of(ground):
            if cell.table.key == "quotes" and cell.head == "Not in the response":
                if cell.row_words[0] != judge:
                    continue
                wanted = behind(cell, ground)
                found = only(wanted, ground.responses) if wanted is not None else ()
                counted[judge] = sum(one.score(judge).made_up for one in found)
                assert counted[judge] == int(cell.row_words[cell.column])
    assert sorted(count > 10 for count in counted.values()) == [False, True]


def test_the_check_of_a_judge_leads_to_our_own_responses(ground_of):
    desk, opened, grounds = ground_of
    ground = next(iter(grounds.values()))
    cell = next(c for c in cells_of(ground) if c.table.key == "guards")
    found = behind(cell, ground)
    assert cell.row_words[1] == "Does not pass responses that we wrote to fail"
    assert found.origin is Origin.SHOULD_FAIL
    ours = only(found, responses_of(desk, opened.audit, opened.items, found.origin))
    # 68 items of attitude and 40 of skill, one response each.
    assert len(ours) == 108
    failed = [one for one in ours if one.score(ground.judge).fared is Fared.FAILED]
    assert len(failed) > 90
