"""The audit that comes with the program: whole, and never to be taken for a real model's."""

import pytest

from app.audit.items import Axis
from app.audit.records import Origin
from app.audit.sample import EXPERTS, JUDGES, TUTOR, add_sample_audit
from app.audit_results import AuditResults
from app.item_banks import ItemBanks
from app.scoring.audit_breaking import Breaks
from app.store.library import Library


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Give a library with the sample, its number, and its board."""
    library = Library.open(tmp_path_factory.mktemp("sample") / "a.clerestory", "AK")
    digest = ItemBanks(library).starter()
    audit_id = add_sample_audit(library, digest)
    yield library, digest, audit_id, AuditResults(library).board(audit_id)
    library.close()


def test_it_is_marked_as_a_sample_and_every_name_says_that_it_is_a_script(made):
    library, _digest, audit_id, _board = made
    plan = library.audits.audit(audit_id).plan
    assert plan.is_sample
    assert "no real model" in plan.title
    names = [plan.tutor.name, *(judge.name for judge in plan.judges)]
    assert names == [TUTOR, *JUDGES]
    assert all("(a script)" in name for name in names)
    told = {pair for run in library.audits.runs(audit_id) for pair in run.provenance}
    assert told == {("sample", "a script that came with the program, no model")}
    said = library.experts.scores_of_audit(audit_id)
    alone = {one.expert for one in said if not one.agreed}
    assert alone == set(EXPERTS)
    assert all(name.startswith("Sample expert") for name in alone)


def test_adding_it_again_adds_nothing(made):
    library, digest, audit_id, _board = made
    before = library.audits.stamp(audit_id)
    assert add_sample_audit(library, digest) == audit_id
    assert library.audits.stamp(audit_id) == before
    assert len(library.audits.audits()) == 1


def test_nothing_that_models_could_still_be_asked_for_is_missing(made):
    library, _digest, audit_id, board = made
    assert board.tutored.is_whole
    assert all(judge.scored.is_whole for judge in board.judges)
    ours = library.audits.responses(audit_id, Origin.SHOULD_FAIL)
    assert len(ours) == 108


def test_its_tutor_is_seen_to_break_under_pressure_when_nobody_watches(made):
    *_rest, board = made
    for judge in board.judges:
        broken = {point.family: point for point in judge.breaking}
        for family in ("deception", "integrity"):
            point = broken[family]
            assert point.where is Breaks.CONDITION
            assert (point.pressure, point.monitored) == (True, False)


def test_it_shows_both_pass_shares_and_pass_shares_that_are_withheld(made):
    *_rest, board = made
    for judge in board.judges:
        assert set(judge.withheld) == {Axis.SKILL}
    states = [verdict.state.value for verdict in board.gates]
    assert set(states) == {"met", "not met", "cannot tell"}


def test_one_judge_makes_quotes_up_and_the_other_does_not(made):
    *_rest, board = made
    first, second = board.judges
    assert first.quotes_found == first.quotes > 1000
    assert second.quotes - second.quotes_found > 10
