"""Work that is started again sends nothing to where nobody agreed to have it sent."""

from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QWidget

from app.benchmark.run import Wish
from app.coding.conditions import parse_choice
from views.background import Background
from views.benchmarks.doing import BenchmarkWork
from views.notices import Notices
from views.work import LessonWork

CODER = "Small TV zero_shot"
LAB = {"name": "Small", "base_url": "https://vllm.example.org/v1", "model": "m"}
OTHER = "https://other.example.org/v1"


@pytest.fixture
def work(desk, qtbot):
    made = LessonWork(desk, Background(), Notices())
    yield made
    made._background.close(5)


def finish(work, desk, qtbot):
    qtbot.waitUntil(lambda: not work._background.running())
    told = " ".join(notice.text for notice in work._notices.kept)
    return told, [call for call in desk.calls if call[0] == "code"]


def turn_on(desk, **more):
    desk.servers.keep(LAB | more)
    desk.servers.turn("Small", on=True)


def add_water(desk):
    return desk.library.add_lesson("Water", None, None, {})


@pytest.mark.parametrize("kind", ["code-model", "probe-evidence"])
@pytest.mark.parametrize("agreed", ["", OTHER])
def test_work_of_an_earlier_time_is_not_sent_to_another_address(work, desk, qtbot, kind, agreed):
    lesson_id = add_water(desk)
    turn_on(desk)
    kept = {"lesson": lesson_id, "coder": CODER} | ({"goes_to": agreed} if agreed else {})
    assert work._start_like(kind, lesson_id, kept)
    told, asked = finish(work, desk, qtbot)
    assert "would now be asked at https://vllm.example.org/v1" in told
    assert "Nothing was sent." in told
    assert asked == []


def test_work_goes_on_where_it_was_agreed_to(work, desk, qtbot):
    lesson_id = add_water(desk)
    turn_on(desk)
    work.code_with(lesson_id, "Water", parse_choice(CODER))
    _told, asked = finish(work, desk, qtbot)
    assert len(asked) == 1
    [kept] = desk.library.jobs()
    assert kept.arguments["goes_to"] == LAB["base_url"]
    assert work._start_like("code-model", lesson_id, kept.arguments)
    assert len(finish(work, desk, qtbot)[1]) == 2


@pytest.mark.parametrize(
    ("agreed", "runs"), [({}, 0), ({"Small": OTHER}, 0), ({"Small": LAB["base_url"]}, 1)]
)
def test_clips_go_to_no_address_that_nobody_agreed_to(work, desk, qtbot, agreed, runs):
    turn_on(desk)
    window, ran = QWidget(), []
    qtbot.addWidget(window)
    desk.benchmark = SimpleNamespace(run=lambda *given: ran.append(given) or ())
    doing = BenchmarkWork(desk, work._background, work._notices, work, window)
    coded = SimpleNamespace(set_id=1, name="Clips")
    doing.run(coded, [Wish(parse_choice(CODER))], None, agreed)
    told, _ = finish(work, desk, qtbot)
    assert len(ran) == runs
    assert ("Nothing was sent." in told) == (runs == 0)
    assert desk.library.jobs()[0].arguments.get("goes_to", {}) == agreed
