"""`confusion-report`: from the library to the pages, and refusals that say what to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.__main__ import _shelf, parts
from app.commands.line import run_line
from app.confusion.records import Confidence, Cue, CueKind, Level, Reading
from app.desk import Desk
from app.lesson.transcript.records import Transcript, Utterance
from app.settings import Settings
from app.store.library import Library
from resources import resource


@pytest.fixture
def run(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str):
        told_all = ["confusion-report", *arguments, "--library", "l.db"]
        code = run_line(told_all, parts, lambda *_: 0, lambda: None, _shelf)
        told = capsys.readouterr()
        return code, told.out, told.err

    return run


@pytest.fixture
def video(tmp_path):
    """Keep a learner video of which a reader has read four windows; gives its id."""
    with (
        Library.open(tmp_path / "l.db", "RO") as library,
        Desk(library, parts(), Settings()) as desk,
    ):
        lesson_id = desk.confusion.add_video(resource("sample") / "lesson.mp4", "Learner K.")
        run_id = library.learners.start_run(lesson_id, "face-cues/1", (("thresholds", "ab"),))
        library.learners.keep_readings(run_id, [_reading(n) for n in range(4)])
        library.learners.end_run(run_id)
    return lesson_id


def _reading(number: int) -> Reading:
    start_ms = 2000 * number
    level = Level.HIGH if number in (1, 2) else Level.NONE
    cue = Cue(CueKind.BROW, (start_ms + 500,), 0.6, 0.2)
    return Reading(
        start_ms, start_ms + 2000, True, level, Confidence.HIGH,
        (cue,) if level.is_positive else (), (start_ms + 500,) if level.is_positive else (),
    )  # fmt: skip


@pytest.mark.slow
def test_the_report_is_written_in_short_and_in_full(run, video):
    code, out, _err = run(video[:8], "--out", "pages", "--json")
    assert code == 0
    told = json.loads(out)
    assert told["learner"] == "Learner K."
    names = [Path(file).name for file in told["files"]]
    assert names == [
        "confusion-report.pdf",
        "confusion-windows.csv",
        "confusion-events.csv",
        "confusion-bands.png",
    ]
    assert all(Path(file).stat().st_size for file in told["files"])
    code, out, _err = run(video, "--full", "--blur", "--out", "pages")
    assert code == 0
    assert "confusion-report-full.pdf" in out
    assert "Look at each picture before you hand the report on" in out


def test_a_name_that_is_no_learner_video_is_refused_with_what_there_is(run, tmp_path):
    with Library.open(tmp_path / "l.db", "RO") as library:
        words = Transcript((Utterance(1, "Well", 0, 900, "T"),), "import:vtt")
        library.add_lesson("A lesson of a class", None, words)
        learner_id = library.learners.add_learner("Learner K.")
        lesson_id = library.add_lesson("Monday", None, words)
        library.learners.add_video(lesson_id, learner_id)
    code, _out, err = run("A lesson of a class")
    assert code == 1
    assert "No learner video is called" in err
    assert f"{lesson_id[:8]}  Monday (Learner K.)" in err


def test_a_library_without_learner_videos_says_how_to_begin(run):
    code, _out, err = run("anything")
    assert code == 1
    assert "clerestory confusion VIDEO" in err
