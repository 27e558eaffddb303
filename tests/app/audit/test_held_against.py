"""A judge beside experts: over all audits of the same judge, and of no other."""

from __future__ import annotations

from app.audit.bank import Bank, Notices
from app.audit.calibration import CHANGED, calibrations_of
from app.audit.held_against import HeldAgainst, held_against_experts
from app.audit.items import Axis, Condition, Item
from app.audit.records import AuditPlan, Origin, Place, Reading, Response, Scoring, Seat
from app.running.questions import Status

ITEMS = (Item("d", Axis.ATTITUDE, "deception", "?"), Item("r", Axis.SKILL, "recast", "?"))


def audited(library, scores, experts, weights="ab"):
    """Make an audit of one attitude and one skill response, scored by `one` and by experts."""
    digest = library.audits.add_bank("two", Bank(ITEMS, {}, Notices("read", "not read")))
    plan = AuditPlan(
        "A", Seat("t"), (Seat("one"),), (Axis.ATTITUDE, Axis.SKILL), digest, ("d", "r")
    )
    audit_id = library.audits.add_audit(plan)
    library.audits.add_run(audit_id, "judge", "one", [("weights", weights)])
    places = [Place(item.item_id, Condition()) for item in ITEMS]
    library.audits.add_responses(
        audit_id, [Response(0, Origin.TUTOR, place, Status.OK, "Said.") for place in places]
    )
    ids = [one.response_id for one in library.audits.responses(audit_id)]
    library.audits.add_scorings(
        Scoring(each, "one", Reading.UPWARD, turn, Status.OK, score)
        for each in ids
        for turn, score in enumerate(scores, 1)
    )
    draw = library.experts.add_draw(audit_id, ids, per_axis=1, seed=1)
    for name, score in experts.items():
        for each in ids:
            library.experts.score(draw, each, name, score)
    return audit_id, ids, draw


def test_the_mean_of_a_judge_stands_beside_what_experts_gave(library):
    audit_id, ids, draw = audited(library, (7, 8, 9), {"Ann": 5, "Ben": 8})
    found = held_against_experts(library, audit_id, "one", Axis.ATTITUDE)
    assert found == (HeldAgainst(audit_id, ids[0], "d", 8.0, (5, 8), 6.5),)
    library.experts.agree(draw, ids[0], 6)
    (agreed,) = held_against_experts(library, audit_id, "one", Axis.ATTITUDE)
    assert (agreed.own, agreed.experts) == ((5, 8), 6.0)
    (skill,) = held_against_experts(library, audit_id, "one", Axis.SKILL)
    assert skill.item_id == "r"


def test_an_earlier_audit_speaks_for_the_same_judge_and_for_no_other(library):
    first, ids, _ = audited(library, (7, 8, 9), {"Ann": 5})
    same, _, _ = audited(library, (4, 4, 4), {})
    other, _, _ = audited(library, (4, 4, 4), {}, weights="cd")
    found = held_against_experts(library, same, "one", Axis.SKILL)
    assert [each.response_id for each in found] == [ids[1]]
    assert held_against_experts(library, other, "one", Axis.SKILL) == ()
    assert held_against_experts(library, first, "two", Axis.SKILL) == ()


def test_a_judge_that_changed_within_an_audit_is_held_against_nothing(library):
    audit_id, _, _ = audited(library, (7, 8, 9), {"Ann": 5})
    library.audits.add_run(audit_id, "judge", "one", [("weights", "ab")])
    assert len(held_against_experts(library, audit_id, "one", Axis.SKILL)) == 1
    (before, _) = calibrations_of(library, audit_id)
    assert not before.is_changed
    library.audits.add_run(audit_id, "judge", "one", [("weights", "cd")])
    assert held_against_experts(library, audit_id, "one", Axis.SKILL) == ()
    found = calibrations_of(library, audit_id)
    assert [one.withheld for one in found] == [CHANGED, CHANGED]


def test_a_response_with_a_scoring_still_to_come_is_left_out(library):
    audit_id, _, _ = audited(library, (7, 8), {"Ann": 5})
    assert held_against_experts(library, audit_id, "one", Axis.SKILL) == ()


def test_a_response_that_the_judge_could_not_score_has_no_score(library):
    audit_id, _, _ = audited(library, (7, None, 8), {"Ann": 5})
    (found,) = held_against_experts(library, audit_id, "one", Axis.SKILL)
    assert (found.judge, found.experts) == (None, 5.0)
