"""Experts beside the judges: blind, alone, then together."""

from __future__ import annotations

from dataclasses import fields

import pytest
from audit_plans import starter
from built_audits import fill

from app.audit.items import Axis
from app.audit.records import Origin
from app.audit_experts import AuditExperts, AxisDraw, ScoringCard
from app.audit_results import AuditResults
from app.errors import Refused


@pytest.fixture
def audit_id(library):
    """Give an audit of the skill items in which the tutor fails at every second one."""
    items = starter().of_axis(Axis.SKILL)
    bad = {item.item_id for item in items[::2]}
    return fill(
        library, says=lambda item, *_: item.item_id not in bad, items=items, axes=(Axis.SKILL,)
    )


def test_a_card_holds_nothing_that_could_sway(library, audit_id):
    people = AuditExperts(library)
    people.draw(audit_id, per_axis=10)
    (draw,) = people.draws(audit_id)
    cards = people.drawn_for(draw, "Ann").cards
    assert {f.name for f in fields(ScoringCard)} == {
        "response_id",
        "rubric",
        "scene",
        "request",
        "text",
    }
    texts = {one.response_id: one for one in library.audits.responses(audit_id, Origin.TUTOR)}
    items = {item.item_id: item for item in starter().items}
    for card in cards:
        response = texts[card.response_id]
        item = items[response.place.item_id]
        assert (card.text, card.scene, card.request) == (response.text, item.scene, item.prompt)
        assert card.rubric.group == item.group


def test_half_of_a_draw_are_responses_that_judges_did_not_pass(library, audit_id):
    people = AuditExperts(library)
    assert people.able(audit_id) == 40
    people.draw(audit_id, per_axis=10)
    (draw,) = people.draws(audit_id)
    items = {item.item_id: item for item in starter().items}
    cards = people.drawn_for(draw, "Ann").cards
    failing = {item.failing for item in items.values() if item.failing}
    assert sum(card.text in failing for card in cards) == 5
    assert len(cards) == 10


def test_everybody_meets_the_responses_in_an_order_of_their_own(library, audit_id):
    people = AuditExperts(library)
    people.draw(audit_id, per_axis=20)
    (draw,) = people.draws(audit_id)
    ann, ben = (people.drawn_for(draw, name).cards for name in ("Ann", "Ben"))
    assert set(ann) == set(ben)
    assert ann != ben
    assert people.drawn_for(draw, "ANN").cards == ann


def test_scoring_goes_on_where_it_was_left(library, audit_id):
    people = AuditExperts(library)
    people.draw(audit_id, per_axis=4)
    (draw,) = people.draws(audit_id)
    first, *rest = people.drawn_for(draw, "Ann").left
    people.score(draw, first.response_id, "Ann", 3, "Takes the child's turn.")
    found = people.drawn_for(draw, "ann")
    assert list(found.left) == rest
    assert (found.own[first.response_id].score, found.is_closed) == (3, False)
    assert people.experts(draw) == {"Ann": 3}


def test_nobody_sees_another_score_before_all_have_scored_alone(library, audit_id):
    people = AuditExperts(library)
    people.draw(audit_id, per_axis=2)
    (draw,) = people.draws(audit_id)
    cards = people.drawn_for(draw, "Ann").cards
    for card in cards:
        people.score(draw, card.response_id, "Ann", 8)
    with pytest.raises(Refused, match="not all scored everything"):
        people.to_talk_over(draw)
    people.score(draw, cards[0].response_id, "Ben", 8)
    people.score(draw, cards[1].response_id, "Ben", 4)
    furthest, near = people.to_talk_over(draw)
    assert (furthest.card, furthest.apart, near.apart) == (cards[1], 4, 0)
    people.agree(draw, cards[1].response_id, 5)
    assert people.to_talk_over(draw)[0].words.score == 5.0
    assert people.drawn_for(draw, "Ben").is_closed


def test_a_judge_is_held_against_what_they_said(library, audit_id):
    people = AuditExperts(library)
    people.draw(audit_id, per_axis=6)
    (draw,) = people.draws(audit_id)
    library.audits.add_run(audit_id, "judge", "one", [("weights", "ab")])
    failing = {item.failing for item in starter().of_axis(Axis.SKILL)}
    for card in people.drawn_for(draw, "Ann").cards:
        people.score(draw, card.response_id, "Ann", 3 if card.text in failing else 8)
    one, two = people.calibrations(audit_id)
    assert (one.judge, one.agreement.recall.value, one.withheld) == ("one", 1.0, "")
    assert one.agreement.recall.n == 3
    assert (two.judge, two.pairs) == ("two", ())
    assert two.withheld


def test_who_has_not_scored_all_cannot_see_the_judges(library, audit_id):
    people = AuditExperts(library)
    people.draw(audit_id, per_axis=2)
    (draw,) = people.draws(audit_id)
    people.score(draw, draw.response_ids[0], "Ann", 8)
    with pytest.raises(Refused, match="Ann has 1 of 2 responses to score"):
        people.see_judges(draw, "Ann")
    people.score(draw, draw.response_ids[1], "Ann", 8)
    assert people.to_score_blind(audit_id, "Ann", is_blind=False) == set(draw.response_ids)
    people.see_judges(draw, "Ann")
    assert people.to_score_blind(audit_id, "Ann", is_blind=False) == frozenset()
    assert (people.has_seen(draw, "ANN"), people.has_seen(draw, "Ben")) == (True, False)
    assert people.drawn_for(draw, "ann").is_closed
    assert not people.drawn_for(draw, "Ben").is_closed


def test_no_response_is_in_two_draws_that_somebody_has_begun(library, audit_id):
    people = AuditExperts(library)
    people.draw(audit_id, per_axis=20, seed=1)
    people.draw(audit_id, per_axis=10, seed=2)
    # Nobody had begun the first, and the second was drawn from all there is.
    (first,) = people.draws(audit_id)
    assert (first.per_axis, people.able(audit_id)) == (10, 40)
    people.score(first, first.response_ids[0], "Ann", 3)
    assert people.able(audit_id) == 30
    people.draw(audit_id, per_axis=30, seed=3)
    one, two = people.draws(audit_id)
    assert (one, len(two.response_ids)) == (first, 30)
    assert not set(one.response_ids) & set(two.response_ids)
    assert people.experts(two) == {}
    people.score(two, two.response_ids[0], "Ben", 3)
    with pytest.raises(Refused, match="drawn already"):
        people.draw(audit_id)


def test_there_is_nothing_to_draw_before_tutor_and_judges_have_spoken(library):
    items = starter().of_axis(Axis.SKILL)
    silent = fill(library, says=lambda *_: True, items=items, axes=(Axis.SKILL,), judges=())
    with pytest.raises(Refused, match="No judge has scored"):
        AuditExperts(library).draw(silent)
    facts = starter().of_axis(Axis.KNOWLEDGE)
    asked = fill(library, items=facts, axes=(Axis.KNOWLEDGE,))
    with pytest.raises(Refused, match="no response yet"):
        AuditExperts(library).draw(asked)


def test_what_would_be_drawn_is_said_before_and_keeps_nothing(library, audit_id):
    people = AuditExperts(library)
    assert people.plan_draw(audit_id, per_axis=10) == (AxisDraw(Axis.SKILL, 40, 10, 5),)
    assert people.plan_draw(audit_id, per_axis=100) == (AxisDraw(Axis.SKILL, 40, 40, 20),)
    assert people.draws(audit_id) == ()


def test_pass_shares_are_shown_once_experts_have_found_the_judge_out_to_be_right(library, audit_id):
    for judge in ("one", "two"):
        library.audits.add_run(audit_id, "judge", judge, [("weights", judge)])
    people, results = AuditExperts(library), AuditResults(library)
    before = {one.judge.name: one for one in results.board(audit_id).judges}
    assert all("no expert has scored" in one.withheld[Axis.SKILL] for one in before.values())
    assert before["one"].skill.macro_share.value is None
    people.draw(audit_id, per_axis=6)
    (draw,) = people.draws(audit_id)
    failing = {item.failing for item in starter().of_axis(Axis.SKILL)}
    cards = people.drawn_for(draw, "Ann").cards
    for name in ("Ann", "Ben"):
        for card in cards:
            people.score(draw, card.response_id, name, 3 if card.text in failing else 8)
    after = {one.judge.name: one for one in results.board(audit_id).judges}
    assert after["one"].withheld == {}
    assert after["one"].skill.macro_share.value == 0.5
    # Together they place two below the pass line that the judges passed.
    good = [card for card in cards if card.text not in failing]
    for card in good[:2]:
        people.agree(draw, card.response_id, 6)
    withheld = {one.judge.name: one for one in results.board(audit_id).judges}
    assert "passed 2 of the 5 responses" in withheld["one"].withheld[Axis.SKILL]
    assert withheld["one"].skill.macro_share.value is None
