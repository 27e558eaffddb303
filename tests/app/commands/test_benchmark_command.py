"""`benchmark cip` from a folder to its files, with the program's own parts."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from app.__main__ import main
from resources import resource

CLIPS = Path(__file__).parents[2] / "data" / "coded_clips" / "clips.jsonl"


@pytest.fixture
def folder(tmp_path):
    """Six of the published clips."""
    place = tmp_path / "six clips"
    place.mkdir()
    lines = CLIPS.read_text(encoding="utf-8").splitlines()
    (place / "clips.jsonl").write_text("\n".join(lines[:9]) + "\n", encoding="utf-8")
    return place


def run(*words):
    return main(["benchmark", "cip", *map(str, words)])


@pytest.mark.slow
def test_from_a_folder_to_tables_page_and_logs(folder, tmp_path, capsys):
    out = tmp_path / "out"
    told = ["--data", folder, "--split", "published", "--inputs", "T,TV", "--out", out]
    assert run(*told, "--engines", "keyword-rule,evidence-finder,gone") == 0
    text = capsys.readouterr().out
    assert "six clips (published)" in text
    assert "Accuracy and macro-F1 (Table 2)" in text
    assert "There is no model called “gone” here" in text
    assert "looks at no frames" in text
    names = {str(p.relative_to(out)) for p in out.rglob("*") if p.is_file()}
    assert {"benchmark.pdf", "results.json", "answers.csv", "benchmark.clerestory"} <= names
    assert sum(name.startswith("inspect") for name in names) == 2
    first = json.loads((out / "results.json").read_text(encoding="utf-8"))
    again = ["--engines", "keyword-rule,evidence-finder,gone"]
    assert run(*told, *again) == 0
    second = json.loads((out / "results.json").read_text(encoding="utf-8"))
    assert first["conditions"] == second["conditions"]
    assert sum(p.suffix == ".json" for p in (out / "inspect").iterdir()) == 2


def test_a_bad_table_is_one_list_and_nothing_is_kept(folder, tmp_path, capsys):
    rows = [json.loads(line) for line in (folder / "clips.jsonl").read_text().splitlines()]
    rows[1]["codes"] = [{"practice": "D1", "level": 7}]
    rows[3]["id"] = rows[0]["id"]
    rows[4]["oops"] = 1
    (folder / "clips.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert run("--data", folder, "--out", tmp_path / "out", "--json") == 1
    told = capsys.readouterr()
    problems = json.loads(told.out)["problems"]
    assert [p["line"] for p in problems] == [2, 4, 5]
    assert "  line 2: D1 has no level 7; its levels are 1 to 3." in told.err
    assert not (tmp_path / "out" / "results.json").exists()


def test_a_plan_asks_nothing_and_writes_no_tables(folder, tmp_path, capsys):
    out = tmp_path / "out"
    told = ["--data", folder, "--engines", "keyword-rule", "--limit", "2", "--plan"]
    assert run(*told, "--out", out) == 0
    assert "keyword-rule/1, 2 clips: no model is asked" in capsys.readouterr().out
    assert (out / "benchmark.clerestory").exists()
    assert not (out / "results.json").exists()


def test_another_library_may_be_named(folder, tmp_path, capsys):
    library = tmp_path / "mine.clerestory"
    told = ["--data", folder, "--engines", "keyword-rule", "--out", tmp_path / "out"]
    assert run(*told, "--library", library, "--json") == 0
    given = json.loads(capsys.readouterr().out)
    assert given["library"] == str(library)
    assert given["clips"] == 9
    assert not (tmp_path / "out" / "benchmark.clerestory").exists()


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["--inputs", "V"], "“V” is no input."),
        (["--prompting", "nicely"], "“nicely” is no way of prompting."),
        (["--engines", " , "], "No engine is named."),
    ],
)
def test_wrong_use_is_told(folder, tmp_path, capsys, words, what):
    assert run("--data", folder, "--out", tmp_path / "out", *words) == 2
    assert what in capsys.readouterr().err


def test_a_folder_without_a_table_is_refused(tmp_path, capsys):
    assert run("--data", tmp_path, "--out", tmp_path / "out") == 1
    assert "has no coded table" in capsys.readouterr().err


@pytest.mark.slow
def test_real_recordings_with_transcripts_come_in_and_moved_ones_are_found(tmp_path, capsys):
    folder = tmp_path / "videos"
    folder.mkdir()
    shutil.copy(resource("sample") / "lesson.mp4", folder / "a.mp4")
    cues = "WEBVTT\n\n00:00.000 --> 00:03.000\n<v Teacher>Why?\n\n00:04.000 --> 00:07.000\nMelt.\n"
    (folder / "a.vtt").write_text(cues)
    table = "id,media,start,end,codes\none,a.mp4,0:00,0:04,D3:4\ntwo,a.mp4,0:04,0:08,BI:1\n"
    (folder / "clips.csv").write_text(table)
    told = ["--engines", "keyword-rule", "--out", tmp_path / "out", "--json"]
    assert run("--data", folder, *told) == 0
    first = json.loads(capsys.readouterr().out)
    assert first["clips"] == 2
    moved = folder.rename(tmp_path / "elsewhere")
    assert run("--data", moved, *told) == 0
    assert json.loads(capsys.readouterr().out)["set"] == first["set"]
