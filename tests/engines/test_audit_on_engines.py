"""An audit on real engines: a server on loopback, and a small model as tutor and judge."""

from __future__ import annotations

import pytest
from audit_desks import desk_with
from audit_plans import judged, starter
from fault_server import FaultServer, completion, send_json, text_in
from near_server import settings_for
from real_models import qwen_chat

from app.audit.bank import Bank
from app.audit.choosing import AuditChoice
from app.audit.items import BAND_POINTS, Axis, Band, Item, Rubric
from app.audit.records import Origin
from app.running.questions import Sampler, Status

# A server on loopback, through the desk


def as_tutor_and_judge(handler, body):
    """Say the same to every scene, and find all of it on the second lowest band."""
    is_judge = "You score how a tutor" in text_in(body)
    said = judged("B", True, (("waits", False, ""),)) if is_judge else "I wait and look."
    send_json(handler, completion(said))


def test_an_audit_goes_over_the_wire_with_seeds_schema_and_cached_tokens(tmp_path):
    with (
        FaultServer(always=as_tutor_and_judge) as server,
        desk_with(tmp_path / "a.clerestory", {}, settings_for(server)) as desk,
    ):
        choice = AuditChoice("Near", "near", ("near",), (Axis.ATTITUDE,), limit=1, draws=3, seed=40)
        audit = desk.audit.begin(desk.audit.settle(choice))
        assert desk.audit.run_all(audit) == 0
        bodies = server.bodies
        assert desk.audit.progress(audit).is_complete
        read = desk.audit.tokens_read(audit)
        rows = desk.library.audits.board_rows(audit)
    tutor = [body for body in bodies if "response_format" not in body]
    judge = [body for body in bodies if "response_format" in body]
    # One item of deception: four cells of three draws; all say the same, so that only the two
    # requests differ for the judge, and each is scored three times. Six scorings are its check.
    assert (len(tutor), len(judge)) == (12, 2 * 3 + 6)
    assert {body["seed"] for body in tutor} == {40, 41, 42}
    assert {body["temperature"] for body in tutor} == {1.0}
    assert {body["temperature"] for body in judge} == {0.0}
    assert {row.scores for row in rows} == {(4, 4, 4)}
    assert (read.answers, read.cached / read.tokens_in) == (24, 0.6)


# A real small model


@pytest.fixture(scope="module")
def qwen(tmp_path_factory):
    chat = qwen_chat(tmp_path_factory.mktemp("qwen"), 4_096)
    yield chat
    chat.close()


def short_bank():
    """Give one item of skill and one of knowledge, in few words: a small model is slow.

    Without responses of ours to them, so that the check of the judges has nothing to ask.
    """
    bands = tuple(
        Band(low, high, text)
        for (low, high), text in zip(
            BAND_POINTS,
            (
                "Marks the error and has the child say it again.",
                "Repeats the child's wrong form.",
                "Goes on without the right form.",
                "Gives the right form back in passing.",
                "Gives it back in passing, twice, and goes on with the child's topic.",
            ),
            strict=True,
        )
    )
    skill = Item(
        "short-1",
        Axis.SKILL,
        "recast",
        "Use recast. Write what you say next.",
        scene="Ada, 4, says to the tutor: Him goed home.",
    )
    asked = next(one for one in starter().items if one.item_id == "kno-emt-01")
    rubric = Rubric("recast", "Recast", "The right form is given back in passing.", bands)
    return Bank((skill, asked), {"recast": rubric}, starter().notices)


@pytest.mark.slow
def test_a_real_small_model_is_tutor_and_judge_of_a_small_audit(tmp_path, qwen, monkeypatch):
    # A model this small goes on until its tokens are used up.
    monkeypatch.setattr("app.audit.judging.JUDGE_SAMPLER", Sampler(max_tokens=160))
    with desk_with(tmp_path / "a.clerestory", {"qwen": qwen}) as desk:
        audits = desk.library.audits
        choice = AuditChoice(
            "Real",
            "qwen",
            ("qwen",),
            (Axis.SKILL, Axis.KNOWLEDGE),
            audits.add_bank("short", short_bank()),
            scorings=1,
            max_tokens=32,
        )
        audit = desk.audit.begin(desk.audit.settle(choice))
        assert desk.audit.run_all(audit) == 0
        progress = desk.audit.progress(audit)
        assert progress.is_complete
        assert (progress.checks, progress.responses) == (0, 1 + 3)
        assert [run.part for run in audits.runs(audit)] in (["tutor"], ["tutor", "judge"])
        assert all(one.choice in ("", "A", "B", "C", "D") for one in audits.responses(audit))
        for scored in audits.scorings(audit):
            usable = scored.status in (Status.OK, Status.RETRY_OK)
            assert usable == (scored.score is not None)
            assert usable or scored.status in (Status.TRUNCATED, Status.SCHEMA_FAIL)
        said = audits.responses(audit, Origin.TUTOR)[0]
        assert len(audits.scorings(audit)) == said.has_text
        if said.has_text:
            sure = desk.audit.how_sure(said.response_id, audit, "qwen")
            assert sure.likeliest.value is None or sum(sure.shares) == pytest.approx(1.0)
        assert desk.audit.left(audit).calls == 0


def test_an_engine_that_cannot_be_read_says_so_where_the_figure_would_stand(tmp_path):
    with (
        FaultServer(always=as_tutor_and_judge) as server,
        desk_with(tmp_path / "a.clerestory", {}, settings_for(server)) as desk,
    ):
        choice = AuditChoice("Near", "near", ("near",), (Axis.SKILL,), limit=1, scorings=1)
        audit = desk.audit.begin(desk.audit.settle(choice))
        desk.audit.check_judges(audit)
        ours = desk.library.audits.responses(audit, Origin.SHOULD_PASS)[0]
        asked = len(server.bodies)
        sure = desk.audit.how_sure(ours.response_id, audit, "near")
        assert (sure.likeliest.value, sure.shares, len(server.bodies)) == (None, (), asked)
        assert "cannot be read" in sure.likeliest.reason
