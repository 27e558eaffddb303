"""Known answers are counted by hand."""

from app.coding.conditions import CoderChoice, Condition, Input, Prompting
from app.coding.confidence import (
    Across,
    Source,
    confidence_of,
    confidences,
    votes_on,
)
from app.coding.records import Prediction, Said
from app.lesson.clips import Clip
from app.scoring.proportions import Proportion
from app.scoring.scored import Code

CLIP = Clip("c1", 1, 4, 0, 60_000)
T, TV = Input.T, Input.TV
ZERO, FEW = Prompting.ZERO_SHOT, Prompting.FEW_SHOT


def said(*practices):
    return tuple(
        Said(None, "schema-fail") if p == "fail" else Said(Code(p, 1) if p else None, "ok")
        for p in practices
    )


def model(practice, engine="one", what=T, how=ZERO, draws=(), status="ok"):
    choice = CoderChoice(engine, Condition(what, how), max(len(draws), 1))
    pairs = (("engine", engine), ("input", str(what)), ("prompting", str(how)))
    draws = said(*(draws or ([practice] if status == "ok" else ["fail"])))
    return Prediction(
        CLIP,
        choice.name,
        practice,
        2 if practice else None,
        None,
        (),
        pairs,
        status=status,
        said=draws,
    )


def finder(practice):
    return Prediction(CLIP, "evidence-finder/1", practice, 1, 0.4, ())


def test_confidence_is_the_share_of_the_draws_that_name_the_practice():
    found = confidence_of(model("D1", draws=["D1", "D3", "D1", "D1", "BI"]))
    assert (found.value, found.of, found.source) == (0.6, 5, Source.DRAWS)
    assert found.scores == (("BI", 0.2), ("D1", 0.6), ("D2", 0.0), ("D3", 0.2))


def test_draws_that_failed_are_no_draws_for_or_against():
    found = confidence_of(model("D1", draws=["D1", "fail", "D3", "fail", "D1"]))
    assert (found.value, found.of) == (2 / 3, 3)


def test_a_draw_without_a_code_counts_against_the_practice():
    found = confidence_of(model("D1", draws=["D1", "D1", "D1", ""]))
    assert found.value == 0.75
    assert sum(share for _, share in found.scores) == 0.75


def test_a_single_draw_has_no_confidence():
    found = confidence_of(model("D1"))
    assert found.value is None
    assert found.source is None
    assert "asked once" in found.reason


def test_one_usable_draw_of_three_has_no_confidence_either():
    assert confidence_of(model("D1", draws=["fail", "D1", "fail"])).value is None


def test_the_lead_of_the_finder_is_not_taken_for_a_confidence():
    found = confidence_of(finder("D1"), [finder("D1"), model("D1")])
    assert found.value is None
    assert "asks no model" in found.reason


def test_failures_have_no_confidence():
    assert confidence_of(model("", status="refusal")).value is None
    assert confidence_of(model("")).reason == "No practice is claimed."


def test_the_conditions_of_one_model_are_counted_its_own_among_them():
    claim = model("D1")
    beside = [
        claim,
        model("D1", how=FEW),
        model("D3", what=TV),
        model("BI", how=Prompting.COT, status="ok"),
        model("D1", engine="two"),
        finder("D1"),
        model("", what=TV, how=FEW, status="truncated"),
    ]
    found = confidence_of(claim, beside)
    assert (found.value, found.of, found.source) == (0.5, 4, Source.CONDITIONS)


def test_conditions_asked_another_number_of_times_are_not_mixed_in():
    claim = model("D1", draws=["D1", "D1", "D3"])
    beside = [model("D3", how=FEW), model("D3", what=TV, draws=["D3", "D3", "D1"])]
    by_source = {one.source: one for one in confidences(claim, beside)}
    assert by_source[Source.DRAWS].value == 2 / 3
    assert (by_source[Source.CONDITIONS].value, by_source[Source.CONDITIONS].of) == (0.5, 2)


def test_an_earlier_word_of_a_coder_no_longer_counts():
    claim = model("D1")
    found = confidence_of(claim, [model("D3", how=FEW), claim, model("D1", how=FEW)])
    assert (found.value, found.of) == (1.0, 2)


def test_votes_count_coders_and_draws_apart():
    found = votes_on(
        [
            finder("D2"),
            model("D1", draws=["D1", "D1", "D3", "fail"]),
            model("D1", engine="two"),
            model("", engine="three", status="refusal"),
        ]
    )
    assert [(s.practice, s.coders, s.draws) for s in found.shares] == [
        ("D1", Proportion(2, 3), Proportion(3, 5)),
        ("D2", Proportion(1, 3), Proportion(1, 5)),
        ("D3", Proportion(0, 3), Proportion(1, 5)),
    ]
    assert found.agreement == Proportion(2, 3)
    assert found.failures == 2


def test_pairs_are_compared_only_where_one_thing_differs():
    found = votes_on(
        [
            model("D1"),
            model("D3", what=TV),
            model("D1", how=FEW),
            model("D3", what=TV, how=FEW),
            model("D3", engine="two"),
            finder("BI"),
        ]
    )
    inputs = found.between(Across.INPUTS)
    assert inputs.same == Proportion(0, 2)
    assert inputs.differing == (
        ("one T zero_shot", "one TV zero_shot"),
        ("one T few_shot", "one TV few_shot"),
    )
    assert found.between(Across.PROMPTINGS).same == Proportion(2, 2)
    assert found.between(Across.MODELS).same == Proportion(0, 1)


def test_one_coder_alone_agrees_with_nobody():
    found = votes_on([model("D1")])
    assert found.agreement is None
    assert found.across == ()


def test_nothing_said_is_nothing_counted():
    found = votes_on([])
    assert (found.votes, found.shares, found.agreement, found.failures) == ((), (), None, 0)
