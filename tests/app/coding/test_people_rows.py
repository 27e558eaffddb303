import csv
import io

import pytest
from people_lessons import PRACTICES, decide_all, lesson, predict

from app.coding.people import Side, agreement_report
from app.coding.people_anchoring import anchoring
from app.coding.people_rows import agreement_rows, anchoring_rows, clip_lines, code_text, table_text
from app.coding.practices import read_practices
from app.scoring.scored import Code
from resources import resource

AK, BM = Side(False, "AK"), Side(False, "BM")
TOLD = read_practices(resource("practices.toml"))


def rows_of(review):
    report = agreement_report([review], AK, BM, PRACTICES)
    return {(r.part.split(":")[0], r.name): r for r in agreement_rows(report, TOLD)}


def test_each_figure_names_the_clips_behind_it_those_that_differ_first():
    made = decide_all(lesson(4), "AK", "D1.1 D1.2 D2.1 -", blind=True)
    made = decide_all(made, "BM", "D1.1 D3.2 D2.2 -")
    rows = rows_of(made)
    same = rows["Main practice", "Same practice"]
    assert (same.figure.value, same.figure.n) == (0.75, 4)
    assert same.clips == ("1 c1", "1 c0", "1 c2", "1 c3")
    assert same.about == "1 differ; 0 coded blind on both sides."
    d3 = rows["D3 against the rest", "Same answer"]
    assert d3.clips == ("1 c1",)
    assert d3.about == "Both 0, only AK 0, only BM 1, neither 3."
    levels = rows["Level, where the practice is the same", "Same level"]
    assert (levels.figure.value, levels.clips) == (0.5, ("1 c0", "1 c2"))
    time = rows["Over time, weighed by milliseconds", "Same practice"]
    assert time.about == "0.5 of 0.7 min coded by both."


def test_the_table_has_numbers_in_full_and_reasons_where_there_are_none():
    made = decide_all(decide_all(lesson(3), "AK", "D1 D1 D1"), "BM", "D1 D1 D2")
    report = agreement_report([made], AK, BM, PRACTICES)
    text = table_text(Side(False, "=AK"), BM, agreement_rows(report, TOLD))
    table = list(csv.DictReader(io.StringIO(text)))
    first = table[0]
    assert (first["first"], first["second"]) == ("'=AK", "BM")
    assert (float(first["value"]), first["n"], first["of"]) == (2 / 3, "3", "clips")
    missing = [row for row in table if not row["value"]]
    assert missing
    assert all(row["reason"] for row in missing)


def test_anchoring_tells_how_many_moved_and_how_many_were_left():
    made = predict(lesson(3), "x/1", "D1 D1 D1")
    made = decide_all(made, "AK", "D2 D2 D1", blind=True, coder="x/1")
    made = decide_all(made, "AK", "D1 . .", coder="x/1")
    rows = anchoring_rows(anchoring([made], "AK", "x/1"))
    before, after, change, _, after_all, change_all = rows
    assert (before.figure.value, after.figure.value) == (0.0, 1.0)
    assert after.about == "1 moved to the suggestion, 0 away from it."
    assert after_all.about == "2 of these were left as they were."
    assert after_all.clips == ("1 c0", "1 c1", "1 c2")
    assert (change.figure.value, change.figure.n) == (1.0, 1)
    assert (change_all.figure.value, change_all.figure.n) == (pytest.approx(1 / 3), 3)


def test_codes_are_written_shortly():
    assert code_text([Code("D1", 2), Code("D3")]) == "D1·2 + D3"
    assert code_text([]) == "–"


def test_the_clips_behind_a_figure_say_what_both_said():
    made = predict(lesson(2), "x/1", "D1.1 -")
    made = decide_all(made, "AK", "D2.1 -", blind=True, coder="x/1")
    made = decide_all(made, "AK", "D1.2 .", coder="x/1")
    report = agreement_report([made], AK, Side(True, "x/1"), PRACTICES)
    lines = clip_lines(report)
    assert lines["1 c0"].words == "Lesson 1, clip 1, 0:00: AK D2·1, x/1 D1·1"
    assert (lines["1 c1"].clip_id, lines["1 c1"].start_ms) == ("c1", 10_000)
    told = clip_lines(report, anchoring([made], "AK", "x/1"))
    assert told["1 c0"].words.endswith("suggested D1; AK blind D2·1, then D1·2")
    assert told["1 c1"].words.endswith("suggested –; AK blind –, then left as it was")
