"""The confusion benchmark's files: the published tables to the digit, readable by all."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pdfua
import pypdf
import pytest

from app.benchmark.confusion_clips import ClipAnswer, LabelledClip, recognition_from
from app.benchmark.confusion_common import on_common_ground
from app.benchmark.confusion_results import (
    ConfusionResults,
    ReaderResult,
    result_of_answers,
    result_of_marks,
)
from app.benchmark.confusion_scores import localization_from, score_tables
from app.benchmark.confusion_sets import Task
from app.benchmark.confusion_tables import MarkedVideo
from app.lesson.spans import Span
from app.scoring.events import EventCounts
from app.scoring.localization import VideoScore
from app.scoring.windows import WindowCounts
from reports.benchmark_confusion import write_confusion_benchmark
from reports.benchmark_confusion_tables import file_names

MADE_AT, PROGRAM = "2026-11-30T14:05:00+00:00", "Clerestory 0.1.0"
FIXTURE = json.loads(
    (Path(__file__).parents[1] / "data" / "scoring" / "confusionbench_tables.json").read_text()
)
TABLES = FIXTURE["localization"]
COLUMNS = list(TABLES[0]["micro_avg"])


def counts_of(row):
    return WindowCounts(*(row[key] for key in ("tp", "fp", "fn", "tn")))


def score_of(row):
    matched = (row["matched_at_0.1"], row["matched_at_0.3"])
    events = EventCounts(row["gt_events"], row["pred_events"], matched)
    return VideoScore(row["video"], counts_of(row), events)


def table(folder, name):
    text = (folder / name).read_text(encoding="utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def words_of(folder):
    pages = pypdf.PdfReader(folder / "benchmark.pdf").pages
    return " ".join(" ".join(p.extract_text() for p in pages).split())


def findings(folder):
    outcomes = pdfua.validate(str(folder / "benchmark.pdf")).outcomes
    return [str(f) for outcome in outcomes for f in outcome.findings]


@pytest.fixture(scope="module")
def localized(tmp_path_factory):
    """The files written from the counts of Tables 2 and 3."""
    readers = [
        ReaderResult(
            t["model"], localization=localization_from([*map(score_of, t["videos"])], t["model"])
        )
        for t in TABLES
    ]
    results = ConfusionResults("Ten", Task.LOCALIZATION, "d" * 64, 794, 1500, (), 10, (*readers,))
    folder = tmp_path_factory.mktemp("localized")
    write_confusion_benchmark(results, folder, MADE_AT, PROGRAM)
    return folder


@pytest.fixture(scope="module")
def recognized(tmp_path_factory):
    """The files written from the counts of Table 1."""
    readers = [
        ReaderResult(row["model"], recognition=recognition_from(row["model"], counts_of(row)))
        for row in FIXTURE["recognition_table1"]
    ]
    gone = ReaderResult("gone", "There is no reader called “gone” here.")
    readers = (*readers, gone)
    results = ConfusionResults("Set", Task.RECOGNITION, "d" * 64, 224, 450, (), 0, readers)
    folder = tmp_path_factory.mktemp("recognized")
    write_confusion_benchmark(results, folder, MADE_AT, PROGRAM)
    return folder


def printed(row):
    """A line of the published table: counts whole but for the average video, rates to 4 places."""
    cells = []
    for key in COLUMNS:
        value = row[key]
        is_count = key.endswith("events")
        cells.append(
            (f"{value:g}" if value % 1 else str(int(value))) if is_count else f"{value:.4f}"
        )
    return " ".join(cells)


@pytest.mark.parametrize("published", TABLES, ids=["table 2", "table 3"])
def test_the_page_prints_tables_2_and_3_whole(localized, published):
    text = words_of(localized)
    assert f"Localization by {published['model']} (as Tables 2 and 3)" in text
    for video in published["videos"]:
        assert f"{video['video']} {printed(video['expected'])}" in text
    assert f"[Micro-Avg] {printed(published['micro_avg'])}" in text
    assert f"[Macro-Avg] {printed(published['macro_avg'])}" in text


@pytest.mark.parametrize("published", TABLES, ids=["table 2", "table 3"])
def test_the_csv_and_the_json_hold_them_unrounded(localized, published):
    rows = {r["source"]: r for r in table(localized, "localization.csv")
            if r["reader"] == published["model"]}  # fmt: skip
    told = json.loads((localized / "results.json").read_text(encoding="utf-8"))
    reader = next(r for r in told["readers"] if r["reader"] == published["model"])
    in_json = {v["video"]: v for v in reader["videos"]}
    in_json |= {"[Micro-Avg]": reader["micro_avg"], "[Macro-Avg]": reader["macro_avg"]}
    wanted = {v["video"]: v["expected"] for v in published["videos"]}
    wanted |= {"[Micro-Avg]": published["micro_avg"], "[Macro-Avg]": published["macro_avg"]}
    for source, expected in wanted.items():
        for key, value in expected.items():
            assert round(float(rows[source][key]), 4) == value
            assert round(in_json[source][key], 4) == value
    micro = rows["[Micro-Avg]"]
    ends = [float(micro[f"accuracy{end}"]) for end in ("_low_95", "", "_high_95")]
    assert ends == sorted(set(ends))


def test_the_page_prints_table_1_whole(recognized):
    text = words_of(recognized)
    for row in FIXTURE["recognition_table1"]:
        rates = " ".join(f"{row[key]:.4f}" for key in ("accuracy", "precision", "recall", "f1"))
        counts = " ".join(str(row[key]) for key in ("tp", "fp", "fn", "tn"))
        assert f"{row['model']} {rates} 450 {counts} 0 0 0" in text
    assert "Always saying no would be right in 226/450 = 50.2%" in text
    assert "There is no reader called “gone” here." in text
    rows = table(recognized, "table1.csv")
    assert float(rows[0]["accuracy"]) == 311 / 450
    assert (rows[2]["accuracy"], rows[2]["reason"]) == (
        "",
        "There is no reader called “gone” here.",
    )


def test_both_pages_pass_as_pdf_ua(localized, recognized):
    assert findings(localized) == findings(recognized) == []


@pytest.fixture
def small(tmp_path):
    """Two videos, one without events; a reader with an odd name that could not see it all."""
    truth = (
        MarkedVideo("a", 20_000, (Span(0, 4000), Span(8000, 12_000))),
        MarkedVideo("=b", 5000, ()),
    )
    found = (
        MarkedVideo("a", 20_000, (Span(2000, 4000),), (("not visible", Span(8000, 14_000)),)),
        MarkedVideo("=b", 5000, (), (("failed", Span(0, 2000)), ("not read", Span(2000, 4000)))),
    )
    name = "=M #panic() / x5 😀"
    one = result_of_marks(name, truth, found, (("prompt", "confusion/1"),), "It stopped early.")
    results = ConfusionResults(
        "Two *videos*",
        Task.LOCALIZATION,
        "d" * 64,
        4,
        13,
        truth,
        2,
        (one, ReaderResult("x", "No.")),
    )
    write_confusion_benchmark(results, tmp_path, MADE_AT, PROGRAM)
    return tmp_path


def test_what_is_undefined_prints_as_0_in_the_published_layout_and_is_named_below(small):
    text = words_of(small)
    assert "=b 1.0000 0.0000 0.0000 0.0000 0 0 0.0000" in text
    assert "0 stands for nothing to divide by: no window was predicted to be confused" in text
    row = next(r for r in table(small, "localization.csv") if r["source"] == "'=b")
    assert (row["accuracy"], row["precision"]) == ("1.0", "")
    assert (row["judged"], row["failed"], row["not_read"]) == ("1", "1", "1")
    assert findings(small) == []


def test_what_a_reader_marked_can_be_scored_again(small, tmp_path):
    (name,) = [p for p in small.iterdir() if p.name.startswith("events_")]
    assert name.name == "events_M-panic-x5.csv"
    truth = tmp_path / "truth.csv"
    truth.write_text(
        "video,duration_ms,start_ms,end_ms\na,20000,0,4000\na,20000,8000,12000\n=b,5000,,\n"
    )
    again = score_tables(truth, name)
    told = json.loads((small / "results.json").read_text(encoding="utf-8"))["readers"][0]
    assert again.pooled.windows == WindowCounts(
        *(told["micro_avg"][key] for key in ("tp", "fp", "fn", "tn"))
    )
    assert again.pooled.left_out == {"not visible": 3, "failed": 1, "not read": 1}


def test_each_window_stands_with_everybodys_word(small):
    rows = table(small, "windows.csv")
    assert len(rows) == 13
    said = [row["'=M #panic() / x5 😀"] for row in rows]
    assert said[:8] == ["no", "yes", "no", "no", *["not visible"] * 3, "no"]
    assert [row["truth"] for row in rows[:6]] == ["yes", "yes", "no", "no", "yes", "yes"]


def test_clips_stand_each_with_its_answer_and_failures_are_in_no_figure(tmp_path):
    clips = [LabelledClip(f"c{n}", "", n < 2, learner="ab"[n % 2]) for n in range(4)]
    said = ["yes", "not visible", "yes", "failed"]
    answers = [ClipAnswer(clip, word) for clip, word in zip(clips, said, strict=True)]
    one = result_of_answers("m", answers)
    results = ConfusionResults("S", Task.RECOGNITION, "d" * 64, 2, 4, (), 0, (one,))
    write_confusion_benchmark(results, tmp_path, MADE_AT, PROGRAM)
    (row,) = table(tmp_path, "table1.csv")
    assert (row["accuracy"], row["answered"], row["not_visible"]) == ("0.5", "2", "1")
    assert row["learners_drawn"] == "2"
    assert [r["right"] for r in table(tmp_path, "answers.csv")] == ["yes", "", "no", ""]
    told = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert told["readers"][0]["answers"][1]["right"] is None
    assert "drawing whole learners (2)" in words_of(tmp_path)
    other = result_of_answers("n", [ClipAnswer(c, "yes") for c in clips])
    (fewer, more) = on_common_ground(replace(results, readers=(one, other)))
    assert (fewer.windows, more.windows) == (WindowCounts(tp=1, fp=1), WindowCounts(tp=1, fp=1))


def test_readers_that_saw_different_windows_are_compared_on_those_that_all_saw(tmp_path):
    truth = (MarkedVideo("a", 20_000, (Span(0, 4000), Span(8000, 12_000))),)
    one = MarkedVideo("a", 20_000, (Span(2000, 4000),), (("not visible", Span(8000, 14_000)),))
    other = MarkedVideo("a", 20_000, (Span(0, 4000), Span(8000, 10_000)), ())
    readers = (result_of_marks("one", truth, [one]), result_of_marks("other", truth, [other]))
    results = ConfusionResults("S", Task.LOCALIZATION, "d" * 64, 4, 10, truth, 1, readers)
    write_confusion_benchmark(results, tmp_path, MADE_AT, PROGRAM)
    # Seven windows are left, of which two are confused; the other event nobody is asked about.
    assert "one 7 0.8571 1.0000 0.5000 0.6667 0.5000 1.0000 1.0000" in words_of(tmp_path)
    told = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    shared = {each["reader"]: each for each in told["on_what_all_judged"]}
    assert (shared["other"]["accuracy"], shared["other"]["judged"]) == (1.0, 7)
    assert told["readers"][1]["micro_avg"]["accuracy"] == 0.9
    same = replace(results, readers=(readers[0], replace(readers[0], reader="twin")))
    assert on_common_ground(same) == ()


def test_readers_whose_names_differ_in_odd_signs_only_get_files_of_their_own():
    assert file_names(["a/b", "a b", "A-B", "…"]) == ["a-b", "a-b-2", "A-B-3", "reader"]
