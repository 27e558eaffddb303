"""`probe-evidence` and `review --probes`, by a scripted model on a desk with a real library."""

import argparse
import json
import shutil
from dataclasses import replace

import pytest
from pypdf import PdfReader

from app.__main__ import parts
from app.coding.conditions import CoderChoice, Condition
from app.commands import journeys
from app.commands.out import Out
from app.commands.probing import probing
from app.desk import Desk
from app.errors import Refused
from app.models import Fit, Fits, ModelState, Origin
from app.settings import Settings
from app.store.library import Library
from engines.scripted import Scripted
from resources import resource

pytestmark = pytest.mark.usefixtures("warm_children")

SMALL = CoderChoice("small", Condition())
CITED = "Bags under the tables, please"


class Shelf:
    """Stands for one model on this computer."""

    def states(self):
        fit = Fit(Fits.MEMORY, "fits")
        return (
            ModelState(
                "small", "Small", "text", "gguf", "MIT", "", (), 1, 1, fit, False, False, "", "",
                Origin.LINKED,
            ),
        )  # fmt: skip


def script(question, _draw):
    """Say D3 to whole clips and to those with the evidence masked, and D1 to evidence alone."""
    lines = [row for row in question.messages[-1].parts[-1].splitlines() if row.count(" | ") == 3]
    return json.dumps(
        {
            "category": "D3" if len(lines) > 1 else "D1",
            "level": 2,
            "evidence": [{"quote": CITED, "utterances": [1]}],
        }
    )


@pytest.fixture
def desk(tmp_path):
    engine = Scripted(script)
    changed = replace(parts(), shelf=Shelf, local_chat=lambda _child, _name: engine)
    with Desk(Library.open(tmp_path / "a.clerestory", "Ann"), changed, Settings()) as opened:
        opened.engine = engine
        yield opened


@pytest.fixture
def words(tmp_path):
    path = tmp_path / "words" / "ice.vtt"
    path.parent.mkdir()
    shutil.copy(resource("sample") / "lesson.vtt", path)
    return path


@pytest.fixture
def lesson(desk, words):
    return desk.add_lesson(None, words)


def typed(lesson, coder=None, plan=False):
    return argparse.Namespace(lesson=lesson, coder=coder, plan=plan)


def test_the_plan_is_told_and_nothing_is_asked(desk, lesson, capsys):
    desk.code(lesson, SMALL)
    before = len(desk.engine.asked)
    assert probing(desk, typed(lesson, plan=True), Out()) == 0
    said = capsys.readouterr().out
    assert "small T zero_shot: predictions to test: " in said
    assert "answers" in said
    assert len(desk.engine.asked) == before


def test_what_follows_is_told_for_each_clip_and_for_all(desk, lesson, capsys):
    desk.code(lesson, SMALL)
    assert probing(desk, typed(lesson), Out()) == 0
    said = capsys.readouterr().out
    assert "Right for the wrong reason?" in said
    assert "From the cited evidence alone it says D1 instead of D3." in said
    assert "enough by itself:             0% of 1 (95%: 0% to 79%)" in said


def test_a_program_gets_one_object(desk, lesson, capsys):
    desk.code(lesson, SMALL)
    probing(desk, typed(lesson, SMALL.name), Out(as_json=True))
    told = json.loads(capsys.readouterr().out)
    assert told["coder"] == SMALL.name
    assert told["predictions"][0]["flag"] in ("raised", "clear", "unknown")
    assert told["figures"][0]["flagged"]["n"] == 1


def test_a_lesson_no_model_has_coded_is_refused(desk, lesson):
    desk.code(lesson)
    with pytest.raises(Refused, match="No model has coded this lesson"):
        probing(desk, typed(lesson), Out())


def test_several_models_have_to_be_told_apart(desk, lesson):
    desk.code(lesson, SMALL)
    desk.code(lesson, CoderChoice("small", Condition(), 2))
    with pytest.raises(Refused, match="Several models"):
        probing(desk, typed(lesson), Out())


def test_a_review_with_probes_writes_the_flag_into_the_report(desk, words, tmp_path, capsys):
    folder = tmp_path / "out"
    assert journeys.review(desk, words, None, SMALL, folder, Out(), probes=True) == 0
    said = capsys.readouterr()
    assert "predictions to test" in said.err
    assert "Evidence of small T zero_shot" in said.out
    pages = PdfReader(folder / "lesson-report.pdf").pages
    text = " ".join(" ".join(page.extract_text() for page in pages).split())
    assert "Right for the wrong reason?" in text


def test_a_plan_with_probes_says_what_they_may_take(desk, words, capsys):
    journeys.plan(desk, words, None, SMALL, Out(), probes=True)
    assert "up to 2 more answers a clip" in capsys.readouterr().out
    assert desk.engine.asked == []
