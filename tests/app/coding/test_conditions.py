"""How a coder is named, and what is known of a prediction's condition from its name's parts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.coding.conditions import (
    CoderChoice,
    Condition,
    Input,
    Prompting,
    condition_of,
    parse_choice,
)
from app.coding.records import Prediction
from app.errors import WrongUse
from app.lesson.clips import Clip

ENGINES = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1)


@given(
    engine=st.lists(ENGINES, min_size=1, max_size=3).map(" ".join),
    condition=st.builds(Condition, st.sampled_from(Input), st.sampled_from(Prompting)),
    draws=st.integers(1, 20),
)
def test_the_name_of_a_coder_reads_back_as_the_same_coder(engine, condition, draws):
    choice = CoderChoice(engine, condition, draws)
    assert parse_choice(choice.name) == choice


def test_the_finder_needs_no_condition_and_no_version():
    assert parse_choice("evidence-finder").name == "evidence-finder/1"
    assert parse_choice(" evidence-finder/1 ") == CoderChoice("evidence-finder/1")


def test_several_draws_are_a_coder_of_their_own():
    condition = Condition(Input.TV, Prompting.COT)
    assert CoderChoice("qwen 3", condition).name == "qwen 3 TV cot"
    assert CoderChoice("qwen 3", condition, 5).name == "qwen 3 TV cot x5"


@pytest.mark.parametrize(
    "text", ["qwen", "qwen T", "qwen T few", "T zero_shot", "", "qwen TV cot x0"]
)
def test_a_model_without_its_condition_is_refused(text):
    with pytest.raises(WrongUse, match="does not name a coder"):
        parse_choice(text)


def test_no_coder_is_asked_less_than_once():
    with pytest.raises(ValueError, match="0 times"):
        CoderChoice("qwen", Condition(), 0)


def test_the_condition_of_a_prediction_stands_in_its_provenance():
    clip = Clip("c", 1, 2, None, None)
    told = (("engine", "qwen"), ("input", "TV"), ("prompting", "few_shot"))
    made = Prediction(clip, "qwen TV few_shot", "D1", 1, None, (), told)
    assert condition_of(made) == ("qwen", Condition(Input.TV, Prompting.FEW_SHOT))
    found = Prediction(clip, "evidence-finder/1", "D1", 1, 0.1, ())
    assert condition_of(found) is None
