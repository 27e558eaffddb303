"""`eqs`: lists draws, and writes what the page writes once everything is rated and opened."""

from __future__ import annotations

import csv
import json

import pytest

from app.__main__ import _shelf, parts
from app.benchmark.eqs import make_draw
from app.benchmark.records import LessonDraft, SetDraft
from app.coding.records import Check, Citation, Evidence, Prediction
from app.commands.line import run_line
from app.lesson.clips import Clip
from app.lesson.transcript.records import Transcript, Utterance
from app.scoring.scored import Code
from app.store.library import Library

pytestmark = pytest.mark.usefixtures("warm_children")

CLIPS = tuple(Clip(f"c{n}", n, n, n * 1000, n * 1000 + 900) for n in range(1, 5))
CITED = Evidence(Citation("What do you think?", (1,)), Check.NOT_FOUND, reason="not said")


@pytest.fixture
def run(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str):
        told_all = ["eqs", *arguments, "--library", "l.db"]
        code = run_line(told_all, parts, lambda *_: 0, lambda: None, _shelf)
        told = capsys.readouterr()
        return code, told.out, told.err

    return run


@pytest.fixture
def draw(tmp_path):
    """Draw two right and two wrong outputs of one model; gives a function that rates as AK."""
    lines = tuple(Utterance(n, "What do you think?", n * 1000, n * 1000 + 900) for n in range(1, 5))
    lesson = LessonDraft("Ice", None, Transcript(lines, "import:srt", "en"), {}, CLIPS)
    truth = {clip.clip_id: (Code("D3", 1),) for clip in CLIPS}
    with Library.open(tmp_path / "l.db") as library:
        library.add_coded_set(SetDraft("set", "folder", "d" * 64, (lesson,), truth))
        (coded,) = library.coded_sets()
        said = [
            Prediction(clip, "one", "D3" if n < 2 else "BI", 1, None, (CITED,))
            for n, clip in enumerate(CLIPS)
        ]
        library.add_run(coded.lesson_ids[0], "one", (), said)
        number = make_draw(library, coded, ("one",), per_cell=2)

    def rate(who, scores):
        with Library.open(tmp_path / "l.db") as library:
            for output in library.ratings.draw(number).outputs:
                library.ratings.rate(number, output.prediction_id, who, scores)

    return rate


def test_draws_are_listed_with_what_is_left(run, draw):
    draw("AK", (3, 3, 3))
    code, told, _ = run("--json")
    (found,) = json.loads(told)["draws"]
    assert code == 0
    assert (found["draw"], found["outputs"], found["rated"]) == (1, 4, {"AK": 4})
    assert found["names_opened_by"] is None
    assert "AK has rated 4 of 4; a second person has not begun." in run()[1]


def test_nothing_is_written_before_both_have_rated_and_the_names_are_opened(run, draw, tmp_path):
    draw("AK", (3, 3, 3))
    code, _, told = run("1", "--out", "found")
    assert (code, "not rated yet" in told) == (1, True)
    draw("BM", (1, 1, 1))
    code, _, told = run("1", "--out", "found")
    assert code == 1
    assert "4 outputs on which the raters differ are left to talk over" in told
    assert not (tmp_path / "found").exists()
    with Library.open(tmp_path / "l.db") as library:
        assert library.ratings.opened(1) is None


def test_the_page_and_its_tables_are_written(run, draw, tmp_path):
    draw("AK", (3, 3, 3))
    draw("BM", (1, 3, 3))
    code, told, _ = run("1", "--out", "found", "--open-names")
    assert code == 0
    assert "Evidence quality, 1 to 3 (Table 5)" in told
    names = {"evidence-quality.pdf", *(f"eqs_{n}.csv" for n in ("outputs", "table5", "agreement"))}
    assert names | {"eqs_cells.csv"} == {file.name for file in (tmp_path / "found").iterdir()}
    assert (tmp_path / "found" / "evidence-quality.pdf").read_bytes().startswith(b"%PDF")
    with (tmp_path / "found" / "eqs_outputs.csv").open(encoding="utf-8-sig", newline="") as file:
        assert len(list(csv.DictReader(file))) == 4
    with Library.open(tmp_path / "l.db") as library:
        assert library.ratings.opened(1).left == 4


def test_a_draw_that_is_not_there_is_named(run, draw):
    code, _, told = run("2")
    assert (code, "There is no draw 2." in told) == (1, True)
