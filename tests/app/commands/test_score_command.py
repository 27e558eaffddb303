"""`score confusion` from two tables to figures."""

import json

import pytest

from app.__main__ import main

TRUTH = """video,duration_ms,start_ms,end_ms
001,60000,0,4000
001,60000,30000,36000
002,40000,,
003,60001,10000,20000
"""
FOUND = """video,duration_ms,start_ms,end_ms,what
001,60000,2000,8000,
001,60000,28000,34000,
001,60000,50000,60000,not visible
002,40000,,,
003,60001,12000,14000,
003,60001,20000,24000,failed
"""


@pytest.fixture
def run(tmp_path, capsys):
    def score(truth, found, *more):
        (tmp_path / "truth.csv").write_text(truth)
        (tmp_path / "found.csv").write_text(found)
        names = ["--truth", str(tmp_path / "truth.csv"), "--pred", str(tmp_path / "found.csv")]
        code = main(["score", "confusion", *names, *more])
        return code, capsys.readouterr()

    return score


def test_every_figure_of_a_video_comes_with_what_it_is_out_of(run):
    code, told = run(TRUTH, FOUND, "--json")
    assert code == 0
    found = json.loads(told.out)
    first = found["videos"][0]
    counts = {key: first[key] for key in ("windows", "judged", "tp", "fp", "fn", "tn")}
    # Windows 0-1 and 15-17 are confused, 1-3 and 14-16 were predicted, 25-29 were not visible.
    assert counts == {"windows": 30, "judged": 25, "tp": 3, "fp": 3, "fn": 2, "tn": 17}
    assert (first["not_visible"], first["failed"]) == (5, 0)
    assert (first["accuracy"], first["precision"], first["recall"]) == (0.8, 0.5, 0.6)
    assert (first["tiou"], first["f1"]) == (3 / 8, 6 / 11)
    # 2 s of 8 s shared: 0.25; 4 s of 8 s: 0.5.
    assert (first["matched_at_0.1"], first["matched_at_0.3"]) == (2, 1)
    assert first["out_of"]["recall"] == [3, 5]
    assert first["interval_95"]["recall"][0] < 0.6 < first["interval_95"]["recall"][1]


def test_a_figure_with_nothing_to_divide_by_is_null_with_its_reason(run):
    found = json.loads(run(TRUTH, FOUND, "--json")[1].out)
    empty = found["videos"][1]
    assert (empty["accuracy"], empty["precision"], empty["r_at_0.1"]) == (1.0, None, None)
    assert empty["undefined"]["precision"] == "no window was predicted to be confused"
    macro = found["macro_avg"]
    assert (macro["precision"], macro["videos"]["precision"]) == (0.75, 2)
    assert found["macro_avg_undefined_as_0"]["precision"] == 0.5
    assert (macro["gt_events"], found["micro_avg"]["gt_events"]) == (1, 3)
    assert found["micro_avg"]["precision"] == 4 / 7


def test_the_keys_are_those_of_the_published_tables(run):
    found = json.loads(run(TRUTH, FOUND, "--json")[1].out)
    wanted = {"accuracy", "precision", "recall", "f1", "gt_events", "pred_events", "tiou"}
    wanted |= {f"{rate}_at_{at}" for rate in ("p", "r", "f1") for at in (0.1, 0.3)}
    for part in (*found["videos"], found["micro_avg"], found["macro_avg"]):
        assert wanted <= part.keys()


def test_a_person_gets_a_table_with_the_reasons_below(run):
    code, told = run(TRUTH, FOUND)
    assert code == 0
    lines = told.out.splitlines()
    assert lines[0] == "found against truth"
    assert lines[2].split()[:6] == ["Source", "Acc", "Prec", "Rec", "F1", "GT_ev"]
    assert lines[4].split() == ["002", "1.0000", *"–––", "0", "0", *"–––––––"]
    assert "–: no window was predicted to be confused (Prec of 002)." in told.out
    assert "3 videos are few" in told.out


def test_tables_that_are_wrong_are_refused_with_one_list(run):
    code, told = run(TRUTH + "001,60000,1000,2000\n", FOUND + "009,1000,,,\n", "--json")
    assert code == 1
    problems = json.loads(told.out)["problems"]
    assert [(p["table"], p["line"]) for p in problems] == [("truth.csv", 6), ("found.csv", 8)]
    assert "truth.csv, line 6: The event from 1000 to 2000 ms overlaps" in told.err


def test_no_library_is_opened(run, own_home):
    run(TRUTH, FOUND)
    assert not list(own_home.rglob("*.clerestory"))
