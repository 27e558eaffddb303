import json
from datetime import date

import pytest

from app.__main__ import parts
from app.coding.moments import Term
from app.coding.records import Decision, Verdict
from app.commands.line import run_line
from app.lesson.clips import Clip
from app.lesson.transcript.records import Transcript, Utterance
from app.store.library import Library

CLIP = Clip("c1", 1, 2, 0, 9_000)


@pytest.fixture
def library(tmp_path):
    path = tmp_path / "a.clerestory"
    with Library.open(path) as opened:
        lines = (
            Utterance(1, "How do you know it melts?", 1_500, 4_000, "T"),
            Utterance(2, "The puddle was ice.", 4_000, 9_000, "S"),
        )
        lesson_id = opened.add_lesson("Ice", None, Transcript(lines, "x"))
        opened.propose_clips(lesson_id, [CLIP])
        opened.decide(lesson_id, Decision(CLIP, Verdict.CORRECT, "D3", 3, "Ann", "2026"))
    return path


def line(library, *words):
    return run_line(["search", *words, "--library", str(library)], parts, None, None, None)


def test_words_are_printed_with_time_lesson_code_and_quote(library, capsys):
    assert line(library, "melts") == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == f"Ice  (added {date.today()})"
    assert told[1].split() == "0:01 D3, level 3 “How do you know it melts?”".split()


def test_a_code_finds_its_clips(library, capsys):
    assert line(library, "--practice", "D3", "--by", "Ann") == 0
    assert "no quote; the clip begins: “How do you know it melts?”" in capsys.readouterr().out
    assert line(library, "--practice", "D1") == 0
    assert capsys.readouterr().out == "  note: Nothing was found.\n"


def test_a_practice_in_the_words_is_offered_and_not_taken(library, capsys):
    assert line(library, "press for evidence about ice this term") == 0
    told = capsys.readouterr().out
    assert "Nothing was found" in told
    assert 'clerestory search "ice" --practice D3 --term' in told


def test_days_hold_lessons_back(library, capsys):
    assert line(library, "melts", "--to", "2020-01-01") == 0
    assert "Nothing was found" in capsys.readouterr().out
    assert line(library, "melts", "--from", "2020-01-01", "--lesson", "Ice") == 0
    assert "melts?" in capsys.readouterr().out


def test_the_term_is_said_once(library, capsys):
    assert line(library, "melts", "--term") == 1
    assert "--set-term" in capsys.readouterr().err
    assert line(library, "--set-term", "2020-01-01", "2090-12-31") == 0
    assert line(library, "melts", "--term") == 0
    assert "melts?" in capsys.readouterr().out
    with Library.open(library) as opened:
        assert opened.moments.term() == Term(date(2020, 1, 1), date(2090, 12, 31))


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--from", "yesterday", "x"),
        ("--set-term", "2026-02-01", "2026-01-01"),
        ("--lesson", "Ice"),
    ],
)
def test_what_cannot_be_looked_for_is_wrong_use(library, capsys, words):
    assert line(library, *words) == 2
    assert capsys.readouterr().err


def test_a_program_gets_every_field(library, capsys):
    assert line(library, "melts", "--json") == 0
    (moment,) = json.loads(capsys.readouterr().out)["moments"]
    assert moment["codes"] == [{"practice": "D3", "level": 3}]
    assert (moment["start_ms"], moment["at_ms"], moment["end_ms"]) == (500, 1_500, 6_000)
    assert (moment["by"], moment["day_is"], moment["clip_id"]) == ("Ann", "added", "c1")
