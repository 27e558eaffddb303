"""`benchmark confusion` from a folder to its files, with the program's own parts."""

import json
import shutil

import pytest

from app.__main__ import main
from resources import resource

TRUTH = "video,duration_ms,start_ms,end_ms\n001,30600,2000,6000\n002,20000,,\n"
FOUND = "video,duration_ms,start_ms,end_ms\n002,20000,,\n001,30600,2000,4000\n"


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "two videos"
    place.mkdir()
    (place / "truth.csv").write_text(TRUTH)
    (place / "found.csv").write_text(FOUND)
    return place


def run(*words):
    return main(["benchmark", "confusion", *map(str, words)])


def test_tables_of_predictions_need_neither_videos_nor_a_library(folder, tmp_path, capsys):
    out = tmp_path / "out"
    named = ["--predictions", folder / "found.csv", "--predictions", f"mine={folder / 'found.csv'}"]
    assert run("--data", folder, *named, "--out", out) == 0
    text = capsys.readouterr().out
    assert "Localization by found (as Tables 2 and 3)" in text
    assert "Localization by mine (as Tables 2 and 3)" in text
    assert "[Micro-Avg]  0.9615  1.0000  0.5000  0.6667      1      1  0.5000" in text
    names = sorted(path.name for path in out.iterdir())
    assert names == [
        "benchmark.pdf", "events_found.csv", "events_mine.csv", "localization.csv",
        "results.json", "windows.csv",
    ]  # fmt: skip
    told = json.loads((out / "results.json").read_text(encoding="utf-8"))
    assert [reader["micro_avg"]["recall"] for reader in told["readers"]] == [0.5, 0.5]


def test_tables_that_are_wrong_are_one_list_and_nothing_is_written(folder, tmp_path, capsys):
    (folder / "found.csv").write_text(FOUND + "003,1,,\n002,20000,5,5\n")
    out = tmp_path / "out"
    assert run("--data", folder, "--predictions", folder / "found.csv", "--out", out, "--json") == 1
    told = capsys.readouterr()
    assert [p["line"] for p in json.loads(told.out)["problems"]] == [4, 5]
    assert "found.csv, line 4: Video “003” is not in truth.csv." in told.err
    assert not (out / "results.json").exists()


def test_videos_that_are_not_there_are_told_before_any_is_read(folder, tmp_path, capsys):
    assert run("--data", folder, "--out", tmp_path / "out") == 1
    assert "truth.csv, line 3: There is no file of video “002”" in capsys.readouterr().err


def test_options_of_the_other_benchmark_are_not_taken(folder):
    with pytest.raises(SystemExit):
        run("--data", folder, "--engines", "keyword-rule")


@pytest.mark.slow
def test_the_face_cues_read_a_folder_and_a_plan_says_so_first(tmp_path, capsys):
    place, out = tmp_path / "one", tmp_path / "out"
    (place / "videos").mkdir(parents=True)
    shutil.copy(resource("sample") / "learner.mp4", place / "videos" / "001.mp4")
    (place / "truth.csv").write_text(TRUTH.splitlines()[0] + "\n001,30600,2000,6000\n")
    told = ["--data", place, "--readers", "face-cues,face-cues/1,gone", "--out", out]
    assert run(*told, "--plan") == 0
    assert "face-cues/1: 16 windows of 1 recording; no model is asked." in capsys.readouterr().out
    assert run(*told) == 0
    assert "There is no model called “gone” here" in capsys.readouterr().out
    told = json.loads((out / "results.json").read_text(encoding="utf-8"))
    faces, gone = told["readers"]
    assert faces["micro_avg"]["windows"] == 16
    assert gone["reason"]
    found = out / "events_face-cues-1.csv"
    assert main(["score", "confusion", "--truth", str(place / "truth.csv"), "--pred", str(found),
                 "--json"]) == 0  # fmt: skip
    again = json.loads(capsys.readouterr().out)
    assert again["micro_avg"] == faces["micro_avg"]
