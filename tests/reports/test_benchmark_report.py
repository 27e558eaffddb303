"""The benchmark's page, tables and JSON: the published figures, every count, readable by all."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pdfua
import pypdf
import pytest

from app.benchmark.records import CodedClip, CodedSet, Given, SaidOfSet
from app.benchmark.results import results_of
from app.benchmark.run import Outcome, wishes
from app.coding.conditions import Input, Prompting
from app.lesson.clips import Clip
from app.scoring.scored import Code
from reports.benchmark import write_benchmark

MADE_AT, PROGRAM = "2026-11-30T14:05:00+00:00", "Clerestory 0.1.0"
FIXTURE = json.loads(
    (Path(__file__).parents[1] / "data" / "scoring" / "sciibi_tables.json").read_text()
)
OTHER = {"BI": "D3", "D1": "D3", "D2": "D1", "D3": "BI"}


def clips_of(codes):
    return tuple(
        CodedClip(f"c{n:03}", f"l{n:03}", tuple(each), Clip(f"c{n:03}", 1, 4, None, None))
        for n, each in enumerate(codes)
    )


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """The files written from as many right, wrong and failed answers as the paper counts."""
    codes = [[Code(code, 2)] for code, n in FIXTURE["labels"].items() for _ in range(n)]
    coded = CodedSet(1, "SciIBI", "folder", "d" * 64, "", clips_of(codes))
    given, provenance = [], {}
    for row in FIXTURE["table2"]:
        coder = f"{row['model']} {row['modality']} {row['prompting']}"
        provenance[coder] = (("sha256 weights", "ab" * 32),)
        for number, clip in enumerate(coded.clips):
            true = clip.codes[0].practice
            code = Code(true, 2) if number < row["correct"] else Code(OTHER[true], 3)
            if number < row["scored"]:
                given.append(Given(clip.clip_id, coder, code, "ok", "", 0, 2, 1, 4, 1))
            else:
                given.append(Given(clip.clip_id, coder, None, "schema-fail", "broken", 0))
    folder = tmp_path_factory.mktemp("published")
    results = results_of(coded, SaidOfSet(tuple(given), provenance))
    write_benchmark(results, folder, MADE_AT, PROGRAM)
    return folder


def table(folder, name):
    text = (folder / name).read_text(encoding="utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def text_of(pdf):
    return " ".join(" ".join(p.extract_text() for p in pypdf.PdfReader(pdf).pages).split())


def test_the_csv_holds_the_published_counts_and_shares(published):
    rows = {(r["model"], r["input"], r["prompting"]): r for r in table(published, "table2.csv")}
    assert len(rows) == 36
    for each in FIXTURE["table2"]:
        row = rows[each["model"], each["modality"], each["prompting"]]
        assert (int(row["right"]), int(row["scored"])) == (each["correct"], each["scored"])
        assert float(row["accuracy"]) == each["correct"] / each["scored"]
        assert int(row["failed"]) == 113 - each["scored"]


def test_the_page_prints_the_published_figures(published):
    text = text_of(published / "benchmark.pdf")
    for each in FIXTURE["table2"]:
        share = f"{each['accuracy']:.1f}"
        assert f"{share}% [" in text
        assert f"{each['correct']}/{each['scored']}" in text
    for each in FIXTURE["table4"]:
        assert f"{each['delta_points']:+.1f} [" in text


def test_the_json_holds_every_answer_and_every_count(published):
    told = json.loads((published / "results.json").read_text(encoding="utf-8"))
    assert told["format"] == "clerestory-benchmark/1"
    assert told["set"]["by_main_code"] == FIXTURE["labels"]
    assert len(told["conditions"]) == 36
    for each, row in zip(FIXTURE["table2"], told["conditions"], strict=True):
        assert (row["right"], row["scored"]) == (each["correct"], each["scored"])
        assert sum(a["right"] is True for a in row["answers"]) == each["correct"]
        assert sum(a["status"] == "schema-fail" for a in row["answers"]) == 113 - each["scored"]
        assert row["failed"] == 113 - each["scored"]
    gains = {(r["model"], r["prompting"]): r["points"]["value"] for r in told["table4"]}
    for each in FIXTURE["table4"]:
        assert round(gains[each["model"], each["prompting"]], 1) == each["delta_points"]


def test_a_row_for_each_clip_and_condition_says_what_was_given(published):
    rows = table(published, "answers.csv")
    assert len(rows) == 113 * 36
    assert rows[0]["acceptable"] == "BI:2"
    assert (rows[0]["given"], rows[0]["right"], rows[0]["status"]) == ("BI:2", "yes", "ok")
    failed = [r for r in rows if r["status"] == "schema-fail"]
    assert {(r["given"], r["right"], r["note"]) for r in failed} == {("", "", "broken")}


def test_the_page_passes_as_pdf_ua(published):
    outcomes = pdfua.validate(str(published / "benchmark.pdf")).outcomes
    assert [str(f) for outcome in outcomes for f in outcome.findings] == []


@pytest.fixture
def odd(tmp_path):
    """Two conditions, odd names, a clip without a practice, and conditions that could not run."""
    coded = CodedSet(
        1, 'Coded #panic("x") $x$ *bold* 😀', "", "d" * 64, "",
        clips_of([[Code("BI", 1)], [Code("D1"), Code("D3", 2)], []]),
        ("c9 ended 5 ms after its recording.",),
    )  # fmt: skip
    one, other, seeing = wishes(["=one", "two"], (Input.T, Input.TV), (Prompting.COT,))[0:3]
    given = (
        Given("c000", one.choice.name, Code("BI", 1), "ok", "", 1, 1, 0, 1, 0),
        Given("c001", one.choice.name, Code("D3", 2), "ok", "", 2),
        Given("c002", one.choice.name, None, "ok", "Nothing to go by.", 3),
        Given("c000", seeing.choice.name, None, "refusal", "It refused.", 4),
        Given("c001", seeing.choice.name, Code("BI"), "ok", "", 5),
    )
    outcomes = (
        Outcome(one),
        Outcome(other, "=one cannot be shown frames."),
        Outcome(seeing, "", (("c002", "“c002” has no recording."),)),
    )
    said = SaidOfSet(given, {one.choice.name: (("prompt", "cip/1"),), seeing.choice.name: ()})
    results = results_of(coded, said, outcomes)
    write_benchmark(results, tmp_path, MADE_AT, PROGRAM)
    return tmp_path


def test_what_was_skipped_or_left_out_stands_on_the_page_with_its_reason(odd):
    text = text_of(odd / "benchmark.pdf")
    assert 'Coded #panic("x") $x$ *bold* 😀'.split(" 😀")[0] in text
    assert "=one cannot be shown frames." in text
    assert "1 clip left out: “c002” has no recording." in text
    assert "1 clip in which people found no practice" in text
    assert "c9 ended 5 ms after its recording." in text
    assert "1 refusal" in text


def test_a_name_that_looks_like_a_formula_is_no_formula(odd):
    assert {r["model"] for r in table(odd, "table2.csv")} == {"'=one", "two"}


def test_what_cannot_be_known_is_empty_and_not_zero(odd):
    rows = {r["model"] + r["input"]: r for r in table(odd, "table2.csv")}
    assert rows["'=oneTV"]["accuracy"] == ""
    assert rows["'=oneTV"]["reason"] == "'=one cannot be shown frames."
    told = json.loads((odd / "results.json").read_text(encoding="utf-8"))
    skipped = told["conditions"][1]
    assert skipped["accuracy"]["value"] is None
    assert skipped["accuracy"]["reason"] == "no clip was answered"


def test_two_conditions_apart_name_their_clips(odd):
    pairs = table(odd, "pairs.csv")
    assert [(p["compared"], p["only_first"], p["only_second"]) for p in pairs] == [("1", "1", "0")]
    apart = table(odd, "pairs_clips.csv")
    assert [(r["clip_id"], r["right"]) for r in apart] == [("c001", "'=one T cot")]


def test_a_benchmark_in_which_nothing_ran_still_has_a_page(tmp_path):
    coded = CodedSet(1, "Empty", "", "d" * 64, "", clips_of([[Code("BI")]]))
    wish = wishes(["gone"], (Input.T,), (Prompting.COT,))[0]
    results = results_of(coded, SaidOfSet(()), (Outcome(wish, "It is not there."),))
    write_benchmark(results, tmp_path, MADE_AT, PROGRAM)
    assert "It is not there." in text_of(tmp_path / "benchmark.pdf")
