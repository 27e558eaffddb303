"""`sets`: how far candidates have come, what would be written, and what is."""

from __future__ import annotations

import json

import pytest
from curated_stand_in import facts, readings

from app.__main__ import parts
from app.commands.line import run_line
from app.confusion.review import Stage
from app.set_making import SetMaking
from app.store.library import Library


@pytest.fixture
def library(tmp_path):
    film = tmp_path / "film.mp4"
    film.write_bytes(b"x" * 1000)
    path = tmp_path / "a.clerestory"
    with Library.open(path) as opened:
        lesson_id = opened.add_lesson("Task", facts(str(film)), None)
        opened.learners.add_video(lesson_id, opened.learners.add_learner("KL"))
        for reader, signs in (("a/1", "mmmm------"), ("b/1", "----------")):
            run = opened.learners.start_run(lesson_id, reader, [])
            opened.learners.keep_readings(run, readings(signs))
            opened.learners.end_run(run)
        making = SetMaking(opened)
        for one in making.material().standings[:3]:
            for who in ("RA", "RB"):
                making.say(one.candidate, Stage.CURATE, "keep", who, ["hand"])
        for one, verdict in zip(making.material().standings, ("yes", "unsure", "no"), strict=False):
            for who in ("EA", "EB"):
                making.say(one.candidate, Stage.VALIDATE, verdict, who)
    return path


def line(library, *words):
    return run_line(["sets", *words, "--library", str(library)], parts, None, None, None)


def test_it_says_how_far_candidates_are_and_what_to_heed(library, capsys):
    assert line(library) == 0
    told = capsys.readouterr().out
    assert "4 candidates, 3 kept: 1 yes, 1 unsure, 1 no; 1 waiting for researchers" in told
    assert "     1 clips yes  (both experts: yes)" in told
    assert "Heed this: Consent is not noted for 1 video of 1." in told
    assert "left out:      1  an event that a reader found waits for a decision" in told


def test_figures_come_as_json(library, capsys):
    assert line(library, "--task", "recognition", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["recognition"]["candidates"] == 4
    assert told["recognition"]["validated"]["unsure"] == 1
    assert told["recognition"]["clips"] == {
        "both experts: yes": 1, "both experts: no": 1, "no criterion seen by any reader": 0,
    }  # fmt: skip
    assert told["files"] == []
    assert "localization" not in told


def test_candidates_of_one_reader_can_be_asked_for(library, capsys):
    assert line(library, "--readers", "b/1") == 0
    # What people judged stays; only what waits came from the other reader alone.
    assert "3 candidates, 3 kept" in capsys.readouterr().out
    assert line(library, "--readers", "a/1,ox") == 2
    assert "“ox” has read no learner video here. These have: a/1, b/1." in capsys.readouterr().err


def test_what_cannot_be_written_is_refused_with_the_reason(library, tmp_path, capsys):
    assert line(library, "--task", "localization", "--out", str(tmp_path / "set")) == 1
    assert "There is no video to write yet." in capsys.readouterr().err
    assert line(library, "--out", str(tmp_path / "set")) == 1
    assert "cannot be opened" in capsys.readouterr().err
    assert not (tmp_path / "set" / "recognition").exists()
