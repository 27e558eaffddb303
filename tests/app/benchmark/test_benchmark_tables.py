"""The published tables come out of our own writers to the digit, from the counts behind them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.benchmark.records import CodedClip, CodedSet, Given, SaidOfSet
from app.benchmark.results import compare, results_of
from app.benchmark.words import about, as_text, show_share, tables_of
from app.lesson.clips import Clip
from app.scoring.proportions import Proportion
from app.scoring.scored import Code

FIXTURE = json.loads(
    (Path(__file__).parents[2] / "data" / "scoring" / "sciibi_tables.json").read_text()
)
PROMPTED = {"zero_shot": "zero-shot", "few_shot": "few-shot", "cot": "chain of thought"}


def table(results, key):
    return next(t for t in tables_of(results) if t.key == key)


def cells(found, *start):
    """The row that begins with these cells, by the heads of its columns."""
    row = next(r for r in found.rows if r[: len(start)] == start)
    return dict(zip(found.heads, row, strict=True))


@pytest.mark.parametrize(
    "published", FIXTURE["table2"], ids=lambda r: f"{r['model']} {r['modality']} {r['prompting']}"
)
def test_table_2_prints_the_published_accuracy_with_its_counts(published_results, published):
    row = cells(
        table(published_results, "table2"),
        published["model"],
        published["modality"],
        PROMPTED[published["prompting"]],
    )
    assert row["Accuracy"] == f"{published['accuracy']:.1f}"
    assert row["Right"] == f"{published['correct']}/{published['scored']}"
    failed = 113 - published["scored"]
    assert row["Failed"] == (f"{failed} schema-fail" if failed else "0")
    assert (row["No code"], row["Missing"]) == ("0", "0")


@pytest.mark.parametrize(
    "published", FIXTURE["table4"], ids=lambda r: f"{r['model']} {r['prompting']}"
)
def test_table_4_prints_the_published_gain_of_frames(published_results, published):
    found = table(published_results, "table4")
    row = cells(found, published["model"], PROMPTED[published["prompting"]])
    assert row["Points"] == f"{published['delta_points']:+.1f}"


def told(results, key):
    return as_text(table(results, key))


@pytest.fixture(scope="module")
def levels():
    """A run with the counts of Table 3: right practice, exact level and side by practice."""
    rows = {(r["condition"], r["practice"]): r for r in FIXTURE["table3"]}
    clips, given = [], []
    for practice in ("BI", "D1", "D2", "D3"):
        every, right = rows["ignore_l1", practice], rows["require_l1", practice]
        for number in range(every["n"]):
            true, said = _pair(number, every, right)
            name = f"{practice}-{number:02}"
            clip = Clip(name, 1, 2, None, None)
            clips.append(CodedClip(name, name, (Code(practice, true),), clip))
            other = "D3" if practice != "D3" else "D2"
            code = Code(practice if number < right["n"] else other, said)
            given.append(Given(name, "InternVL3-78B TV zero_shot", code, "ok", "", 0))
    coded = CodedSet(1, "levels", "", "", "", tuple(clips))
    return results_of(coded, SaidOfSet(tuple(given), {"InternVL3-78B TV zero_shot": ()}))


def _pair(number, every, right):
    """Give a true and a predicted level, so that exact and sides add up in both conditions."""
    inside = number < right["n"]
    at = number if inside else number - right["n"]
    counts = right if inside else {
        key: every[key] - right[key] for key in ("four_level_correct", "binary_correct")
    }  # fmt: skip
    if at < counts["four_level_correct"]:
        return 2, 2
    return (1, 2) if at < counts["binary_correct"] else (2, 3)


@pytest.mark.parametrize(
    "published", FIXTURE["table3"], ids=lambda r: f"{r['condition']} {r['practice']}"
)
def test_table_3_prints_the_published_levels(levels, published):
    over = {"ignore_l1": "all clips", "require_l1": "practice right"}[published["condition"]]
    start = ("InternVL3-78B", "TV", "zero-shot", over)
    for what, key in (("exact level", "four_level"), ("low or high", "binary")):
        row = cells(table(levels, "table3"), *start, what)
        share = f"{published[f'{key}_accuracy']:.1f}"
        assert row[published["practice"]] == (
            f"{share} ({published[f'{key}_correct']}/{published['n']})"
        )


def test_table_3_prints_the_published_totals(levels):
    start = ("InternVL3-78B", "TV", "zero-shot")
    found = table(levels, "table3")
    overall = FIXTURE["table3_overall_ignore_l1"]
    exact = cells(found, *start, "all clips", "exact level")["All"]
    side = cells(found, *start, "all clips", "low or high")["All"]
    assert exact == f"{overall['four_level_accuracy']} (43/110)"
    assert side == f"{overall['binary_accuracy']} (76/110)"
    assert cells(found, *start, "practice right", "exact level")["All"].endswith("/59)")


def test_a_terminal_shows_every_table_with_columns_in_line(published_results):
    text = told(published_results, "table2")
    heads = next(line for line in text.splitlines() if line.startswith("Model"))
    row = next(line for line in text.splitlines() if "GPT-OSS-20B" in line and "zero-shot" in line)
    assert "39.1" in row
    assert "43/110" in row
    assert "3 schema-fail" in row
    assert row.index("39.1") + 4 == heads.index("Accuracy") + len("Accuracy")


def test_shares_show_what_they_are_out_of_and_an_empty_one_is_no_number():
    # Wilson by hand: (49 + 1.9208) / (108 + 3.8415) = 0.45530, and 9.22 to either side.
    assert show_share(Proportion(49, 108)) == "49/108 = 45.4% [36.3, 54.8]"
    assert show_share(Proportion(0, 0)) == "– (none of 0)"


# By hand: four clips with codes, one without

CODES = [[Code("BI", 1)], [Code("D1", 2), Code("D3", 3)], [Code("D3", 4)], [Code("D2")], []]


def small(*runs):
    clips = [
        CodedClip(f"c{n}", f"l{n}", tuple(codes), Clip(f"c{n}", 1, 2, None, None))
        for n, codes in enumerate(CODES)
    ]
    coded = CodedSet(1, "small", "", "", "", tuple(clips))
    given = [
        Given(f"c{n}", coder, said if isinstance(said, Code) else None, status, "", 0)
        for coder, answers in runs
        for n, (said, status) in enumerate(answers)
        if status
    ]
    return coded, SaidOfSet(tuple(given), {coder: () for coder, _ in runs})


ONE = ("one T zero_shot", [
    (Code("BI", 2), "ok"), (Code("D3", 3), "ok"), (None, "refusal"), (Code("BI", 1), "ok"),
    (None, "ok"),
])  # fmt: skip
OTHER = ("other T zero_shot", [
    (Code("D3", 2), "ok"), (Code("D1", 2), "retry-ok"), (Code("D3", 4), "ok"), (None, "ok"),
    (Code("BI"), "ok"),
])  # fmt: skip


def test_failures_and_answers_without_a_code_are_kept_apart():
    one, other = results_of(*small(ONE, OTHER)).conditions
    assert (one.scores.right, one.scores.failures) == (Proportion(2, 3), (("refusal", 1),))
    assert one.scores.without_code == 0
    assert (other.scores.right, other.scores.without_code) == (Proportion(2, 4), 1)


def test_a_clip_without_a_practice_is_in_no_accuracy_and_is_counted_beside():
    results = results_of(*small(ONE, OTHER))
    one, other = results.conditions
    assert one.rightly_silent == Proportion(1, 1)
    assert other.rightly_silent == Proportion(0, 1)
    assert len(results.coded) == 4
    said = " ".join(about(results))
    assert "4 clips that show a practice (main code: BI 1, D1 1, D2 1, D3 1)." in said
    assert "1 clip in which people found no practice" in said
    assert "Always saying D3 would be right in 2/4 = 50.0%" in said


def test_two_conditions_are_compared_on_the_clips_both_answered():
    results = results_of(*small(ONE, OTHER))
    pair = results.pairs[0]
    assert (pair.one, pair.other) == ("one T zero_shot", "other T zero_shot")
    found = pair.comparison
    assert (found.compared, found.one_failed) == (3, 1)
    assert (pair.only_one, pair.only_other) == (("c0",), ())
    # One discordant clip: both tails of a fair coin thrown once.
    assert found.test.p == 1.0
    back = compare(results.conditions[1], results.conditions[0])
    assert (back.only_one, back.only_other) == ((), ("c0",))
    assert back.comparison.accuracy.value == -found.accuracy.value


def test_a_coder_that_gives_every_clip_the_same_code_is_named():
    same = ("same T cot", [(Code("BI"), "ok")] * 5)
    notes = " ".join(table(results_of(*small(same, ONE)), "table2").notes)
    assert "same T cot gave BI for every clip it answered, whatever was said in it." in notes
    assert "one T zero_shot gave" not in notes


def test_a_run_with_missing_clips_says_how_many():
    coder, answers = OTHER
    part = (coder, [*answers[:2], (None, ""), (None, ""), (None, "")])
    results = results_of(*small(part))
    row = cells(table(results, "table2"), "other", "T", "zero-shot")
    assert (row["Right"], row["Missing"]) == ("1/2", "3")


def test_a_limit_takes_a_balanced_choice_and_says_so():
    results = results_of(*small(ONE), limit=2)
    assert results.conditions[0].scores.right == Proportion(2, 2)
    assert (
        "Only 2 of 5 clips were taken, by chance (seed 20261130), each main code in proportion to "
        "the table."
    ) in about(results)


def test_the_quick_figures_are_those_of_the_whole_ones(published_set, published_said):
    quick = results_of(published_set, published_said, quick=True)
    whole = results_of(published_set, published_said)
    assert quick.gains == quick.pairs == ()
    for fast, slow in zip(quick.conditions, whole.conditions, strict=True):
        macro_f1 = replace(slow.scores.macro_f1, interval=None)
        assert fast == replace(slow, scores=replace(slow.scores, macro_f1=macro_f1))


def test_the_confusions_of_text_runs_are_added_up():
    results = results_of(*small(ONE, OTHER, ("x TV zero_shot", OTHER[1])))
    assert results.matrix_of == ("one T zero_shot", "other T zero_shot")
    assert results.matrix["BI"] == {"BI": 1, "D1": 0, "D2": 0, "D3": 1, "": 0}
    assert results.matrix["D2"] == {"BI": 1, "D1": 0, "D2": 0, "D3": 0, "": 1}
    assert results.matrix["D3"] == {"BI": 0, "D1": 0, "D2": 0, "D3": 2, "": 0}


def test_with_many_conditions_each_is_compared_with_the_best():
    runs = [(f"m{n:02} T zero_shot", ONE[1]) for n in range(12)]
    results = results_of(*small(*runs, OTHER))
    assert len(results.pairs) == 12
    assert {pair.one for pair in results.pairs} == {"m00 T zero_shot"}
