"""Work that is started again sends nothing to where nobody agreed to have it sent."""

import pytest

from app.coding.conditions import parse_choice
from views.background import Background
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
