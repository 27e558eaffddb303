import json

import pytest

from app.__main__ import parts
from app.commands.line import run_line

HEAD = "item_id,axis,group,prompt\n"


@pytest.fixture
def line(tmp_path):
    def run(*words):
        place = ["--library", str(tmp_path / "a.clerestory")]
        return run_line(["audit", *words, *place], parts, None, None, None)

    return run


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(f"{HEAD}s1,skill,recast,One?\ns2,skill,mapping,Two?\n", encoding="utf-8")
    return path


def test_items_come_in_and_are_listed(line, table, capsys):
    assert line("import", str(table)) == 0
    told = capsys.readouterr().out
    assert "mine: 2 items (2 of skill)" in told
    assert "Mark: items of “mine”, not expert-reviewed here" in told
    assert line("banks", "--json") == 0
    banks = json.loads(capsys.readouterr().out)["banks"]
    assert [(bank["name"], bank["items"], bank["from"]) for bank in banks] == [
        ("mine", 2, "mine.csv"),
        ("starter", 188, None),
    ]


def test_all_that_is_wrong_with_a_file_is_told_and_the_command_fails(line, table, capsys):
    table.write_text(f"{HEAD}s1,skill,recast,\ns2,art,recast,Two?\n", encoding="utf-8")
    assert line("import", str(table)) == 1
    told = capsys.readouterr().err
    assert "Nothing was brought in: mine.csv has 2 problems." in told
    assert "line 2: s1: “prompt” is missing." in told
    assert "line 3: s2: The axis is knowledge, skill, attitude; not “art”." in told


def test_a_bank_goes_out_and_comes_in_again(line, table, tmp_path, capsys):
    out = tmp_path / "out"
    assert line("import", str(table), "--json") == 0
    digest = json.loads(capsys.readouterr().out)["digest"]
    assert line("export", "mine", "--out", str(out), "--json") == 0
    assert [name.name for name in sorted(out.iterdir())] == [
        "items.csv",
        "items.jsonl",
        "rubrics.json",
    ]
    assert json.loads(capsys.readouterr().out)["digest"] == digest
    again = ("--name", "mine", "--rubrics", str(out / "rubrics.json"), "--json")
    assert line("import", str(out / "items.jsonl"), *again) == 0
    assert json.loads(capsys.readouterr().out)["digest"] == digest


def test_the_starter_items_go_out_when_no_bank_is_named(line, tmp_path, capsys):
    assert line("export", "--out", str(tmp_path / "out")) == 0
    lines = (tmp_path / "out" / "items.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 188
    assert line("export", "--out", str(tmp_path / "out")) == 1
    assert "already" in capsys.readouterr().err


def test_items_that_a_person_names_are_left_out(line, table, capsys):
    assert line("import", str(table), "--without", "s1, ", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["items"] == {"knowledge": 0, "skill": 1, "attitude": 0}
    assert told["notes"] == ["Left out as you asked: s1."]
