import json
from pathlib import Path

import pytest

from app.scoring.classification import (
    Coded,
    accuracy,
    confusion,
    label_scores,
    levels_right,
    macro,
    points_gained,
)
from app.scoring.proportions import Proportion

DATA = Path(__file__).parents[2] / "data" / "scoring"
TABLES = json.loads((DATA / "sciibi_tables.json").read_text(encoding="utf-8"))
VECTORS = json.loads((DATA / "reference_vectors.json").read_text(encoding="utf-8"))
FOUR = ("BI", "D1", "D2", "D3")


def plain(true, predicted):
    return [Coded((t,), p) for t, p in zip(true, predicted, strict=True)]


def table2(row):
    return Proportion(row["correct"], row["scored"])


def test_any_acceptable_code_counts_as_right():
    clips = [Coded(("D1", "D3"), "D3"), Coded(("D1", "D3"), "BI"), Coded(("BI",), "BI")]
    assert accuracy(clips) == Proportion(2, 3)
    assert [c.true for c in clips] == ["D3", "D1", "BI"]


def test_a_clip_without_an_acceptable_code_cannot_be_scored():
    with pytest.raises(ValueError, match="cannot be scored"):
        Coded((), "BI")


def test_accuracy_of_nothing_is_undefined():
    assert accuracy([]).share is None
    assert macro([], FOUR) is None


def test_no_prediction_is_wrong_and_has_its_own_column():
    clips = plain(["BI", "D1"], ["", "D1"])
    assert accuracy(clips) == Proportion(1, 2)
    assert confusion(clips, FOUR)["BI"] == {"BI": 0, "D1": 0, "D2": 0, "D3": 0, "": 1}


def test_the_macro_average_runs_over_all_four_codes():
    known = VECTORS["macro_f1"]
    clips = plain(known["true"], known["pred"])
    assert macro(clips, FOUR).f1 == pytest.approx(known["over_all_four"], abs=5e-5)
    assert macro(clips, FOUR[:3]).f1 == pytest.approx(known["over_present_labels"], abs=5e-5)


def test_precision_and_recall_follow_from_the_counts_and_may_be_undefined():
    clips = plain(["BI", "BI", "D1", "D2"], ["BI", "D1", "D1", "D1"])
    bi, d1, d2, d3 = label_scores(clips, FOUR)
    assert (bi.precision, bi.recall, bi.f1) == (1.0, 0.5, pytest.approx(2 / 3))
    assert (d1.precision, d1.recall) == (pytest.approx(1 / 3), 1.0)
    assert (d2.precision, d2.recall, d2.f1) == (None, 0.0, 0.0)
    assert (d3.precision, d3.recall, d3.f1) == (None, None, None)


def test_the_confusion_matrix_counts_each_clip_once():
    clips = [*plain(["D3", "D3", "D1"], ["BI", "D3", "D3"]), Coded(("D1", "D2"), "D2")]
    matrix = confusion(clips, FOUR)
    assert (matrix["D3"]["BI"], matrix["D3"]["D3"], matrix["D1"]["D3"]) == (1, 1, 1)
    assert matrix["D2"]["D2"] == 1
    assert sum(map(sum, (row.values() for row in matrix.values()))) == 4


@pytest.mark.parametrize("row", TABLES["table2"], ids=lambda r: "-".join(map(str, r.values())))
def test_table_2_follows_from_its_counts(row):
    assert round(100 * table2(row).share, 1) == row["accuracy"]


@pytest.mark.parametrize("row", TABLES["table4"], ids=lambda r: f"{r['model']}-{r['prompting']}")
def test_table_4_follows_from_unrounded_table_2(row):
    rows = {(r["model"], r["modality"], r["prompting"]): table2(r) for r in TABLES["table2"]}
    frames = rows[row["model"], "TV", row["prompting"]]
    words = rows[row["model"], "T", "zero_shot"]
    assert round(points_gained(frames, words), 1) == row["delta_points"]


def test_a_gain_over_nothing_is_undefined():
    assert points_gained(Proportion(1, 2), Proportion(0, 0)) is None


@pytest.mark.parametrize("row", TABLES["table3"], ids=lambda r: f"{r['condition']}-{r['practice']}")
def test_table_3_follows_from_level_pairs_with_its_counts(row):
    exact, side = row["four_level_correct"], row["binary_correct"] - row["four_level_correct"]
    wrong = row["n"] - row["binary_correct"]
    pairs = [(3, 3)] * exact + [(1, 2)] * side + [(1, 3)] * wrong
    level, low_high = levels_right(pairs)
    assert round(100 * level.share, 1) == row["four_level_accuracy"]
    assert round(100 * low_high.share, 1) == row["binary_accuracy"]


def test_table_3_over_all_practices_is_43_and_76_of_110():
    rows = [r for r in TABLES["table3"] if r["condition"] == "ignore_l1"]
    of = sum(r["n"] for r in rows)
    level = Proportion(sum(r["four_level_correct"] for r in rows), of)
    side = Proportion(sum(r["binary_correct"] for r in rows), of)
    assert (level, side) == (Proportion(43, 110), Proportion(76, 110))
    whole = TABLES["table3_overall_ignore_l1"]
    assert round(100 * level.share, 1) == whole["four_level_accuracy"]
    assert round(100 * side.share, 1) == whole["binary_accuracy"]


def test_levels_of_nothing_are_undefined():
    assert levels_right([])[0].share is None
