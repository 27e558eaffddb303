"""The reward model on the command line, over the sentence model that the program ships."""

from __future__ import annotations

import json

import pytest

from app.__main__ import parts
from app.commands.line import run_line
from app.settings import Settings


@pytest.fixture
def line(tmp_path):
    Settings(author="AK").save()

    def run(*words):
        place = ["--library", str(tmp_path / "a.clerestory")]
        return run_line(["audit", "reward", *words, *place], parts, None, None, None)

    return run


def test_pairs_come_in_are_listed_and_taken_back(line, tmp_path, capsys):
    path = tmp_path / "pairs.jsonl"
    pair = {"prompt": "A scene.", "chosen": "I wait.", "rejected": "I ask.", "item_id": "one"}
    path.write_text(json.dumps({**pair, "flaw": "turned_into_quiz"}))
    assert line("import", str(path)) == 0
    assert "1 new pairs were brought in; 1 stand now." in capsys.readouterr().out
    assert line("pairs") == 0
    told = capsys.readouterr().out
    assert "one" in told
    assert "Turns the strategy into a quiz  (brought in by AK," in told
    assert line("withdraw", "1", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"withdrawn": 1, "pairs": 0}


def test_what_an_action_lacks_is_said(line, capsys):
    assert line("export") == 2
    assert "needs the file to write" in capsys.readouterr().err
    assert line("score", "first") == 2
    assert "“first” is not the number of the audit." in capsys.readouterr().err


def test_without_a_model_there_is_nothing_to_show(line, capsys):
    assert line("show") == 1
    assert "No reward model has been trained here." in capsys.readouterr().err
    assert line("train") == 1
    assert "needs pairs of 15 items; there are 0" in capsys.readouterr().err


def test_starter_pairs_go_out_for_other_programs(line, tmp_path, capsys):
    path = tmp_path / "out.jsonl"
    assert line("export", str(path), "--starter") == 0
    first = json.loads(path.read_text().splitlines()[0])
    assert {"prompt", "chosen", "rejected"} <= first.keys()
    assert first["origin"] == "starter"
    assert len(path.read_text().splitlines()) == 40


@pytest.mark.slow
def test_a_model_of_starter_pairs_is_trained_and_says_what_its_guards_found(line, capsys):
    assert line("train", "--starter", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["figures"]["accuracy"]["n"] == 40
    assert told["figures"]["batch"]["value"] == pytest.approx(0.0, abs=1e-5)
    assert told["may_rank"] is (told["refused_for"] == [])
    assert line("show") == 0
    shown = capsys.readouterr().out
    assert "40 starter, not expert-edited" in shown
    assert "Pairs told apart" in shown
