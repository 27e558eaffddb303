import pytest

from app.scoring.proportions import Proportion
from app.scoring.scored import Code, Scored
from app.scoring.tables import (
    Condition,
    Mistake,
    Run,
    accuracy_by_practice,
    aggregated_confusion,
    most_common_confusions,
    table2,
    table3,
    table4,
)

FOUR = ("BI", "D1", "D2", "D3")
WORDS = Condition("m", "T", "zero_shot")
FRAMES = Condition("m", "TV", "cot")


def clip(name, true, predicted, status="ok"):
    return Scored(name, (Code(true),), predicted and Code(predicted), status)


def test_failures_stand_beside_and_no_code_counts_as_wrong():
    run = Run(
        WORDS,
        (
            clip("a", "BI", "BI"),
            clip("b", "BI", None),
            clip("c", "BI", None, "schema-fail"),
            clip("d", "BI", None, "refusal"),
            clip("e", "BI", None, "schema-fail"),
        ),
    )
    (row,) = table2([run], FOUR)
    assert row.right == Proportion(1, 2)
    assert (row.accuracy.value, row.accuracy.n) == (0.5, 2)
    assert (row.without_code, row.failed) == (1, 3)
    assert row.failures == (("refusal", 1), ("schema-fail", 2))
    # F1 of BI is 2 * 1 / (2 + 1); three practices were never met.
    assert row.macro_f1.value == pytest.approx(2 / 3 / 4)
    assert row.macro_f1.interval.low <= row.macro_f1.value <= row.macro_f1.interval.high


def test_a_run_in_which_everything_failed_has_no_accuracy():
    (row,) = table2([Run(WORDS, (clip("a", "BI", None, "backend-error"),))], FOUR)
    assert (row.accuracy.value, row.macro_f1.value) == (None, None)
    assert row.accuracy.reason == "no clip was answered"
    assert row.failed == 1


def test_a_clip_twice_in_one_run_is_a_mistake():
    with pytest.raises(ValueError, match="clip a is 2 times in one run"):
        Run(WORDS, (clip("a", "BI", "BI"), clip("a", "BI", "D1")))


D3_AT_2 = (Code("D3", 2),)


def levels(*told, codes=D3_AT_2):
    return Run(WORDS, tuple(Scored(f"c{n}", codes, said) for n, said in enumerate(told)))


def rows_of(run):
    return {(row.condition, row.practice): row for row in table3(run, FOUR)}


def test_levels_are_exact_on_one_side_or_wrong():
    rows = rows_of(levels(Code("D3", 2), Code("D3", 1), Code("D3", 3), Code("BI", 2)))
    assert rows["ignore_l1", "D3"].exact == Proportion(2, 4)
    assert rows["ignore_l1", "D3"].side == Proportion(3, 4)
    assert rows["require_l1", "D3"].exact == Proportion(1, 3)
    assert rows["require_l1", "D3"].side == Proportion(2, 3)
    assert rows["ignore_l1", ""].exact == rows["ignore_l1", "D3"].exact
    assert rows["ignore_l1", "BI"].exact_figure.reason == (
        "no clip has both a true and a predicted level"
    )


def test_no_code_has_the_wrong_level_and_a_code_without_a_level_has_none():
    rows = rows_of(levels(None, Code("D3"), Code("D3", 2)))
    assert rows["ignore_l1", "D3"].exact == Proportion(1, 2)
    assert rows["ignore_l1", "D3"].side == Proportion(1, 2)
    assert rows["ignore_l1", "D3"].without_level == 1
    assert rows["require_l1", "D3"].exact == Proportion(1, 1)


def test_a_clip_stays_with_its_main_practice_and_is_held_to_the_level_of_the_code_that_was_met():
    rows = rows_of(levels(Code("D1", 3), codes=(Code("D3", 1), Code("D1", 3))))
    assert rows["require_l1", "D3"].exact == Proportion(1, 1)
    assert rows["require_l1", "D1"].exact == Proportion(0, 0)


def test_failures_have_no_level():
    run = Run(WORDS, (clip("a", "BI", None, "schema-fail"),))
    assert rows_of(run)["ignore_l1", ""].exact == Proportion(0, 0)


def test_frames_are_held_against_words_zero_shot_whatever_the_prompting():
    words = Run(WORDS, (clip("a", "BI", "BI"), clip("b", "BI", "D1"), clip("c", "BI", "D1")))
    few_words = Run(Condition("m", "T", "few_shot"), (clip("a", "BI", "BI"),))
    frames = Run(FRAMES, (clip("a", "BI", "BI"), clip("b", "BI", "BI"), clip("c", "BI", "D1")))
    (row,) = table4([words, few_words, frames])
    assert (row.model, row.prompting) == ("m", "cot")
    assert (row.frames, row.words) == (Proportion(2, 3), Proportion(1, 3))
    assert row.points.value == pytest.approx(100 / 3)
    # One clip of three leads: it is drawn between no and three times of three.
    assert (row.points.interval.low, row.points.interval.high) == (0.0, 100.0)


def test_the_same_answers_gain_nothing_for_sure():
    clips = tuple(clip(f"c{n}", "BI", "BI" if n % 2 else "D1") for n in range(20))
    (row,) = table4([Run(WORDS, clips), Run(FRAMES, clips)])
    assert (row.points.value, row.points.interval.low, row.points.interval.high) == (0, 0, 0)


def test_without_the_words_run_there_is_no_gain():
    frames = Run(FRAMES, (clip("a", "BI", "BI"),))
    other = Run(Condition("other", "T", "zero_shot"), (clip("a", "BI", "BI"),))
    (row,) = table4([frames, other])
    assert (row.points.value, row.exact_points) == (None, None)
    assert row.points.reason == "the same model was not asked zero-shot with the transcript alone"
    failed = Run(WORDS, (clip("a", "BI", None, "schema-fail"),))
    (row,) = table4([frames, failed])
    assert row.points.reason == "no clip was answered"


def test_one_condition_twice_is_a_mistake():
    with pytest.raises(ValueError, match="two runs"):
        table4([Run(WORDS, ()), Run(WORDS, ())])


def test_practices_are_met_by_the_main_code_or_by_any_acceptable_one():
    both = (Code("D1"), Code("D3"))
    clips = [
        Scored("a", both, Code("D1")),
        Scored("b", both, Code("D3")),
        Scored("c", both, Code("BI")),
        Scored("d", both, None),
        Scored("e", both, None, "truncated"),
    ]
    _, d1, _, d3 = accuracy_by_practice(clips, FOUR)
    assert (d1.main, d1.accepted) == (Proportion(1, 4), Proportion(2, 4))
    assert (d3.main, d3.main_figure.value) == (Proportion(0, 0), None)
    assert "D3" in d3.main_figure.reason


def test_confusions_are_added_up_over_runs_and_no_code_is_none_of_them():
    one = Run(WORDS, (clip("a", "D3", "BI"), clip("b", "D1", "D3"), clip("c", "D1", None)))
    two = Run(FRAMES, (clip("a", "D3", "BI"), clip("b", "D1", None, "refusal")))
    matrix = aggregated_confusion([one, two], FOUR)
    assert matrix["D1"] == {"BI": 0, "D1": 0, "D2": 0, "D3": 1, "": 1}
    assert most_common_confusions(matrix) == (Mistake("D3", "BI", 2), Mistake("D1", "D3", 1))
    assert most_common_confusions(matrix, 1) == (Mistake("D3", "BI", 2),)
