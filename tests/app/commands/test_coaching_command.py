"""`coaching`: from the library to the page, and the refusal that says what to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.__main__ import _shelf, parts
from app.coding.records import Citation, Decision, Verdict
from app.commands.line import run_line
from app.desk import Desk
from app.errors import ReportRefused
from app.lesson.clips import Clip
from app.lesson.transcript.records import Transcript, Utterance
from app.settings import Settings
from app.store.library import Library

pytestmark = pytest.mark.usefixtures("warm_children")

SAID = "What do you think makes the water appear on the can?"


@pytest.fixture
def run(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str):
        told_all = ["coaching", *arguments, "--library", "l.db"]
        code = run_line(told_all, parts, lambda *_: 0, lambda: None, _shelf)
        told = capsys.readouterr()
        return code, told.out, told.err

    return run


@pytest.fixture
def lesson(tmp_path):
    """Keep a lesson of one clip; gives a function that decides on it, citing its line."""
    clip = Clip("c1", 1, 1, 1_000, 4_000, "AB")
    words = Transcript((Utterance(1, SAID, 1_000, 4_000, "Ms Linden"),), "import:vtt")
    with Library.open(tmp_path / "l.db") as library:
        lesson_id = library.add_lesson("A can", None, words)
        library.set_clips(lesson_id, [clip], "AB", "Draw a clip")

    def decide():
        cited = (Citation(quote=SAID, utterances=(1,)),)
        decision = Decision(
            clip, Verdict.ACCEPT, "D1", 2, "AB", "2026-11-30T10:00:00.000Z", evidence=cited
        )
        with Library.open(tmp_path / "l.db") as library:
            library.decide(lesson_id, decision)

    return decide


def test_the_page_is_written_from_what_a_person_accepted(run, lesson, tmp_path):
    lesson()
    code, out, _err = run("A can", "--out", "talk", "--json")
    assert code == 0
    (page,) = json.loads(out)["files"]
    assert Path(page).name == "coaching-page.pdf"
    assert (tmp_path / page).read_bytes().startswith(b"%PDF")


def test_before_anybody_decided_it_is_refused_with_what_to_do(run, lesson, tmp_path):
    code, out, err = run("A can", "--out", "talk", "--json")
    assert code == 1
    assert "nobody has decided on any of its clips yet (0 of 1)" in err
    assert "accept or correct its code" in json.loads(out)["hint"]
    assert not (tmp_path / "talk").exists()


def test_an_unknown_lesson_lists_what_there_is(run, lesson):
    code, _out, err = run("A cup")
    assert code == 1
    assert "A can" in err


def test_whoever_codes_blind_gets_no_page_from_the_codes_of_others(lesson, tmp_path):
    lesson()
    with Library.open(tmp_path / "l.db") as library:
        [row] = library.lessons()
        other = Desk(library, parts(), Settings(author="CD", blind=True))
        with pytest.raises(ReportRefused, match="codes blind") as refused:
            other.write_coaching(row.lesson_id, tmp_path / "talk")
        assert refused.value.hint == "Code the clips yourself first."
        own = Desk(library, parts(), Settings(author="AB", blind=True))
        assert own.write_coaching(row.lesson_id, tmp_path / "talk")
        other.files.close()
        own.files.close()
