"""A board that was kept is the board that would be counted, or it is counted."""

from __future__ import annotations

import sqlite3
import zlib
from dataclasses import replace

import pytest
from audit_plans import starter
from built_audits import calibrated, fill

from app.audit import kept_boards
from app.audit.items import Axis
from app.audit.kept_boards import figures_version, from_bytes, is_finished, to_bytes
from app.audit.records import ItemReview, Origin, Response, Verdict
from app.audit.sample import add_sample_audit
from app.audit_results import AuditResults
from app.errors import StoreRefused
from app.item_banks import ItemBanks
from app.running.questions import Status
from app.store.library import Library

SMALL = [item for axis in Axis for item in starter().of_axis(axis)[:3]]
"""Three items of each axis."""


@pytest.fixture
def audit_id(library):
    return fill(library, items=SMALL, says=lambda item, condition, draw: draw % 2 == 0)


def no_counting(*_args):
    raise AssertionError("counted anew")


def test_the_board_of_the_sample_comes_back_equal_to_the_field(library):
    audit_id = add_sample_audit(library, ItemBanks(library).starter())
    board = AuditResults(library).board(audit_id)
    # With experts, effects, gates and all that a board can have.
    assert any(judge.breaking for judge in board.judges)
    assert board.knowledge is not None
    assert from_bytes(to_bytes(board)) == board


def test_a_kept_board_is_given_without_counting_in_a_later_session(
    library, audit_id, tmp_path, monkeypatch
):
    results = AuditResults(library)
    board = results.board(audit_id)
    results.keep_board(audit_id)
    library.close()
    monkeypatch.setattr("app.audit_results.board_of", no_counting)
    with Library.open(tmp_path / "a.clerestory") as later:
        assert AuditResults(later).board(audit_id) == board


def add_run(library, audit_id):
    library.audits.add_run(audit_id, "judge", "one", (("sha256", "b" * 64),))


def add_response(library, audit_id):
    one = library.audits.responses(audit_id, Origin.TUTOR)[0]
    place = replace(one.place, draw=99)
    library.audits.add_responses(audit_id, [Response(0, Origin.TUTOR, place, Status.OK, "More.")])


def add_scoring(library, audit_id):
    one = library.audits.scorings(audit_id)[0]
    library.audits.add_scorings([replace(one, turn=99)])


def add_expert_score(library, audit_id):
    responses = library.audits.responses(audit_id, Origin.TUTOR)
    ids = [one.response_id for one in responses if not one.choice][:2]
    draw_id = library.experts.add_draw(audit_id, ids, per_axis=2, seed=1)
    library.experts.score(draw_id, ids[0], "Bo", 6)


def add_review(library, _audit_id):
    item = starter().items[0]
    library.item_reviews.add(ItemReview(item.item_id, "d" * 64, Verdict.KEEP, "Bo", ""))


@pytest.mark.parametrize("add", [add_run, add_response, add_scoring, add_expert_score, add_review])
def test_whatever_a_board_follows_from_has_it_counted_anew(library, audit_id, add, monkeypatch):
    AuditResults(library).keep_board(audit_id)
    add(library, audit_id)
    counted = []
    real = AuditResults.records
    monkeypatch.setattr(
        AuditResults, "records", lambda self, which: counted.append(which) or real(self, which)
    )
    AuditResults(library).board(audit_id)
    assert counted == [audit_id]


def test_a_board_that_other_code_counted_is_counted_anew(library, audit_id, monkeypatch):
    results = AuditResults(library)
    board = results.board(audit_id)
    results.keep_board(audit_id)
    monkeypatch.setattr(kept_boards, "figures_version", lambda: "other")
    monkeypatch.setattr("app.audit_results.board_of", lambda _records: "counted")
    assert AuditResults(library).board(audit_id) == "counted"
    monkeypatch.setattr(kept_boards, "figures_version", lambda: "")
    assert AuditResults(library).board(audit_id) == "counted"
    monkeypatch.undo()
    assert AuditResults(library).board(audit_id) == board


def test_the_code_that_counts_has_a_name_of_its_own():
    assert len(figures_version()) == 64


@pytest.mark.parametrize("content", [b"", b"no board", zlib.compress(b'{"audit": 1}')])
def test_a_kept_board_that_was_spoilt_is_counted_anew(library, audit_id, tmp_path, content, caplog):
    results = AuditResults(library)
    board = results.board(audit_id)
    results.keep_board(audit_id)
    with sqlite3.connect(tmp_path / "a.clerestory") as base:
        base.execute("UPDATE audit_kept_board SET content = ?", (content,))
    base.close()
    assert AuditResults(library).board(audit_id) == board
    assert "counted anew" in caplog.text


def test_the_board_of_an_audit_that_goes_on_is_not_kept(library, audit_id):
    one = library.audits.audit(audit_id)
    half = library.audits.add_audit(one.plan)
    results = AuditResults(library)
    assert not is_finished(results.board(half))
    results.keep_board(half)
    stamp = library.audits.stamp(half)
    assert library.audits.kept_board(half, kept_boards.state_of(stamp)) is None


def test_judges_held_against_experts_in_another_way_have_boards_of_their_own(library, audit_id):
    AuditResults(library).keep_board(audit_id)
    plain, other = AuditResults(library), AuditResults(library, calibrated)
    other.keep_board(audit_id)
    assert plain.board(audit_id).judges[0].withheld
    assert not other.board(audit_id).judges[0].withheld


def test_what_is_printed_is_counted_anew(library, audit_id, monkeypatch):
    results = AuditResults(library)
    results.keep_board(audit_id)
    monkeypatch.setattr("app.audit_results.board_of", no_counting)
    assert results.board(audit_id).items == len(SMALL)
    with pytest.raises(AssertionError, match="counted anew"):
        results.whole(audit_id)


def test_a_full_disk_keeps_no_board_and_stops_nobody(library, audit_id, monkeypatch, caplog):
    def full(*_args):
        raise StoreRefused("The disk is full.", "Make room.")

    monkeypatch.setattr(library.audits, "keep_board", full)
    AuditResults(library).keep_board(audit_id)
    assert "was not kept: The disk is full." in caplog.text
