import pytest

from app.scoring.scored import Code, Scored

BOTH = (Code("D1", 2), Code("D3", 4))


def test_a_clip_counts_under_the_predicted_practice_if_it_is_acceptable_else_the_main_one():
    assert Scored("a", BOTH, Code("D3", 1)).true == Code("D3", 4)
    assert Scored("a", BOTH, Code("BI", 1)).true == Code("D1", 2)
    assert Scored("a", BOTH, None).true == Code("D1", 2)


def test_finding_nothing_is_scored_and_wrong_and_a_failure_is_not_scored():
    nothing, failed = Scored("a", BOTH, None), Scored("a", BOTH, None, "schema-fail")
    assert (nothing.is_scored, nothing.is_right) == (True, False)
    assert (failed.is_scored, failed.is_right) == (False, False)


@pytest.mark.parametrize("status", ["ok", "retry-ok"])
def test_any_acceptable_practice_is_right_whatever_its_level(status):
    assert Scored("a", BOTH, Code("D3", 1), status).is_right
    assert Scored("a", BOTH, Code("D1", None), status).is_right
    assert not Scored("a", BOTH, Code("D2", 2), status).is_right


def test_practices_are_named_once_and_in_order():
    assert Scored("a", (Code("D3", 1), Code("BI", 1), Code("D3", 2)), None).practices == (
        "D3",
        "BI",
    )


def test_a_clip_nobody_coded_cannot_be_scored():
    with pytest.raises(ValueError, match="clip a has no acceptable code"):
        Scored("a", (), Code("BI", 1))


def test_a_failure_cannot_carry_a_prediction():
    with pytest.raises(ValueError, match="clip a is refusal and yet"):
        Scored("a", BOTH, Code("BI", 1), "refusal")
