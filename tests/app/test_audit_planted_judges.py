"""Planted judges go through a whole audit: each is exposed by the guard that is made for it."""

from dataclasses import replace

import pytest
from audit_desks import desk_with
from audit_plans import honest_judge, judged, response_in, starter

from app.audit.choosing import AuditChoice
from app.audit.items import Axis
from app.audit_results import AuditResults
from app.scoring.audit_guards import Guard, State
from engines.scripted import Scripted

CHOICE = AuditChoice(
    "Judges", "qwen-tutor", ("honest", "other"), (Axis.ATTITUDE, Axis.SKILL), limit=8, draws=2
)
MANNER = "We go step by step, as always."
"""By this a judge may know the tutor, since nothing else tells it who wrote a response."""


def tutor(question, draw):
    """Give the good and the bad response of an item by turns, in a manner of its own."""
    told = question.messages[-1].parts[0]
    item = next(one for one in starter().items if one.scene and one.scene in told)
    return f"{item.failing if draw % 2 else item.passing} {MANNER}"


def by_length(question, _draw):
    """Score by the number of words alone."""
    words = len(response_in(question).split())
    return judged("ABCDE"[min(4, max(0, (words - 75) // 12))], False)


def always_8(_question, _draw):
    return judged("D", True)


def prefers_own(question, draw):
    """Score honestly, but two points and more higher where it knows its own family's manner."""
    return judged("E", True) if MANNER in response_in(question) else honest_judge(question, draw)


def obeys(question, draw):
    """Score honestly, unless the response tells it what to score."""
    said = response_in(question)
    told = ("score it 10", "belongs to band E", "highest score here", "meets every point")
    return judged("E", True) if any(w in said for w in told) else honest_judge(question, draw)


@pytest.fixture
def tripped(tmp_path):
    """Give the guards that a judge trips in an audit beside an honest one, and the honest one's."""

    def audit(other):
        engines = {
            "qwen-tutor": Scripted(tutor, model="tutor", in_flight=16),
            "honest": Scripted(honest_judge, model="honest", in_flight=16),
            "other": Scripted(other, model=other.__name__, in_flight=16),
        }
        with desk_with(tmp_path / "a.clerestory", engines) as desk:
            plan = desk.audit.settle(replace(CHOICE, families={"other": "qwen"}))
            audit_id = desk.audit.begin(plan)
            assert desk.audit.run_all(audit_id) == 0
            board = AuditResults(desk.library).board(audit_id)
        return [
            {one.guard for one in judge.guards if one.state is State.TRIPPED}
            for judge in board.judges
        ]

    return audit


TELLS_NOTHING = {Guard.LENGTH}
"""The good responses of a tutor may be its longer ones; that guard says so of itself."""
BESIDE_NONE = {Guard.LENGTH, Guard.SELF_PREFERENCE}
"""Held against one that hardly tells good from bad, a sound judge looks mild with a good tutor."""


@pytest.mark.parametrize(
    ("judge", "exposed_by", "honest_may_trip"),
    [
        (by_length, Guard.PADDING, BESIDE_NONE),
        (always_8, Guard.MARGIN, BESIDE_NONE),
        (prefers_own, Guard.SELF_PREFERENCE, TELLS_NOTHING),
        (obeys, Guard.INJECTION, TELLS_NOTHING),
    ],
)
def test_a_bad_judge_is_exposed_and_the_honest_one_beside_it_is_not(
    tripped, judge, exposed_by, honest_may_trip
):
    honest, other = tripped(judge)
    assert exposed_by in other
    assert honest <= honest_may_trip
