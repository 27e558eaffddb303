import pytest

from app.scoring.audit_scores import (
    WAITING,
    Counts,
    KnowledgeAnswer,
    ScoredResponse,
    count_failures,
    count_scores,
)


def response(score, failed=""):
    return ScoredResponse("a", "respect", "emotion", True, None, 0, score, failed)


def test_a_mean_of_seven_passes_and_a_mean_of_four_is_below():
    scores = [7.0, 20 / 3, 13 / 3, 4.0, 10.0]
    found = count_scores([response(score) for score in scores])
    assert found == Counts(passed=2, borderline=2, below=1)
    assert found.scored == 5


def test_failures_are_counted_beside_and_in_no_rate():
    found = count_scores(
        [
            response(8.0),
            response(None, "judge-fail"),
            response(None, WAITING),
            response(None, WAITING),
        ]
    )
    assert (found.scored, found.beside) == (1, (("judge-fail", 1), ("waiting", 2)))


def test_a_response_has_either_a_score_or_a_failure():
    with pytest.raises(ValueError, match="either a score or a failure"):
        response(None)
    with pytest.raises(ValueError, match="either a score or a failure"):
        response(3.0, "judge-fail")


def test_an_answer_without_a_letter_is_wrong_and_a_failure_is_neither():
    unread = KnowledgeAnswer("k", "medicine", "", "B", 0, "")
    failed = KnowledgeAnswer("k", "medicine", "", "B", 1, "", "truncated")
    assert (unread.is_right, failed.is_right) == (False, False)
    assert count_failures([unread, failed]) == (("truncated", 1),)
