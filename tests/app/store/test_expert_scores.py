"""Experts' scores in the library: alone first, talked over later, nothing lost."""

from __future__ import annotations

import pytest

from app.audit.bank import Bank, Notices
from app.audit.expert_records import experts_in, still_missing, words_by_response
from app.audit.items import Axis, Condition
from app.audit.records import AuditPlan, ExpertScore, Origin, Place, Response, Seat
from app.errors import Refused, StoreRefused
from app.running.questions import Status


@pytest.fixture
def drawn(library):
    """Give the number of a draw of two responses, and those."""
    digest = library.audits.add_bank("empty", Bank((), {}, Notices("read", "not read")))
    plan = AuditPlan("Spring", Seat("tutor"), (Seat("one"),), (Axis.SKILL,), digest, ())
    audit_id = library.audits.add_audit(plan)
    place = Place("a", Condition())
    library.audits.add_responses(
        audit_id,
        [
            Response(0, Origin.TUTOR, place, Status.OK, "One."),
            Response(0, Origin.TUTOR, Place("b", Condition()), Status.OK, "Two."),
            Response(0, Origin.SHOULD_FAIL, place, Status.OK, "Ours."),
        ],
    )
    ids = tuple(r.response_id for r in library.audits.responses(audit_id))
    return library.experts.add_draw(audit_id, ids[:2], per_axis=2, seed=1), ids, audit_id


def scored(library, draw_id, ids, **by):
    for name, scores in by.items():
        for each, score in zip(ids, scores, strict=False):
            library.experts.score(draw_id, each, name, score)


def test_our_own_responses_are_never_given_to_experts(library, drawn):
    _, ids, audit_id = drawn
    with pytest.raises(StoreRefused, match="not of this audit"):
        library.experts.add_draw(audit_id, ids, per_axis=3, seed=1)
    assert [d.response_ids for d in library.experts.draws(audit_id)] == [ids[:2]]


def test_a_later_word_stands_and_the_earlier_one_stays(library, drawn):
    draw_id, ids, audit_id = drawn
    scored(library, draw_id, ids[:1], ann=(8,))
    library.experts.score(draw_id, ids[0], "Ann", 4, "I had overlooked the praise.")
    scores = library.experts.scores(draw_id)
    assert [s.score for s in scores] == [8, 4]
    assert library.experts.scores_of_audit(audit_id) == scores
    assert words_by_response(scores)[ids[0]].score == 4.0
    assert experts_in(scores) == ("ann",)
    assert still_missing(ids[:2], scores, "ANN") == (ids[1],)


def test_agreeing_waits_until_everybody_has_scored_everything_alone(library, drawn):
    draw_id, ids, _ = drawn
    scored(library, draw_id, ids[:2], Ann=(8, 6))
    with pytest.raises(Refused, match="nobody to agree with"):
        library.experts.agree(draw_id, ids[0], 7)
    scored(library, draw_id, ids[:1], Ben=(5,))
    with pytest.raises(Refused, match="Ben has 1 to score"):
        library.experts.agree(draw_id, ids[0], 7)
    scored(library, draw_id, ids[1:2], Ben=(6,))
    library.experts.agree(draw_id, ids[0], 7, "The correction is there, but thin.")
    words = words_by_response(library.experts.scores(draw_id))
    assert words[ids[0]].score == 7.0
    assert words[ids[0]].agreed.expert == "Ann & Ben"
    assert [one.score for one in words[ids[0]].own] == [8, 5]
    assert words[ids[1]].score == 6.0
    with pytest.raises(Refused, match="closed"):
        library.experts.score(draw_id, ids[1], "Ann", 9)


def test_a_response_outside_the_draw_is_refused(library, drawn):
    draw_id, ids, _ = drawn
    with pytest.raises(StoreRefused, match="not in draw"):
        library.experts.score(draw_id, ids[2], "Ann", 5)
    with pytest.raises(StoreRefused, match="no draw number 99"):
        library.experts.scores(99)


def test_the_mean_of_two_stands_until_they_agree():
    own = [ExpertScore(1, "Ann", False, 8), ExpertScore(1, "Ben", False, 5)]
    assert words_by_response(own)[1].score == 6.5
