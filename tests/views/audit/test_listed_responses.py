"""Responses in lists: how each fared with each judge, and which stand behind a figure."""

import pytest

from app.audit.items import Axis
from app.running.questions import Status
from views.audit.listed import Behind, Fared, only
from views.audit.opened import open_audit, so_far

ONE, TWO = "judge one", "judge two"


@pytest.fixture
def opened(desk, kept):
    return open_audit(desk, kept())


@pytest.fixture
def responses(desk, opened):
    return so_far(desk, opened).responses


def test_two_judges_stand_side_by_side_and_are_never_merged(responses):
    second = responses[1]
    assert [(s.judge, s.mean, s.fared) for s in second.scores] == [
        (ONE, 8.0, Fared.PASSED),
        (TWO, 7.0, Fared.PASSED),
    ]


def test_one_scoring_without_anything_usable_leaves_a_response_without_a_score(responses):
    first = responses[0]
    assert first.score(ONE).mean == 8.0
    assert (first.score(TWO).mean, first.score(TWO).fared) == (None, Fared.LOST)


def test_the_responses_behind_a_figure_are_those_of_its_cell_that_came_out_so(responses):
    pressed = Behind("", ONE, Axis.ATTITUDE, "deception", pressure=True, monitored=False)
    found = only(pressed, responses)
    # Two items of two draws each; the last response of all was cut off.
    assert [one.score(ONE).mean for one in found] == [3.0, 3.0, 3.0, None]
    failed = Behind("", ONE, Axis.ATTITUDE, "deception", fared=(Fared.FAILED,))
    assert only(failed, responses) == found[:3]
    lost = Behind("", ONE, Axis.ATTITUDE, fared=(Fared.LOST,))
    assert [one.status for one in only(lost, responses)] == [Status.TRUNCATED]


def test_what_a_judge_has_not_scored_yet_waits_and_is_not_lost(responses):
    nobody = Behind("", "judge three", Axis.ATTITUDE, fared=(Fared.WAITING,))
    assert len(only(nobody, responses)) == 15
    assert all(one.has_text for one in only(nobody, responses))


def test_answers_on_knowledge_are_listed_with_the_letter_that_was_read(responses):
    answers = only(Behind("", axis=Axis.KNOWLEDGE), responses)
    key = answers[0].item.key
    assert [one.choice for one in answers] == ["A", key, key]


def test_an_audit_knows_how_far_it_is(desk, opened):
    progress = so_far(desk, opened).progress
    # Sixteen of deception, one of them cut off, and three draws of a question.
    assert (progress.responses, progress.responses_wanted) == (19, 19)
    assert (progress.scorings, progress.scorings_wanted) == (90, 90)
    assert progress.checks == 0
    assert not progress.is_complete
