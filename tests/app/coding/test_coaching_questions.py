"""The questions of the coaching page: open, about the moment, and the same each time."""

from __future__ import annotations

import re

import pytest

from app.coding.coaching_questions import WHEN, choose_question, read_talk
from app.coding.practices import read_practices
from resources import resource

TALK = read_talk(resource("coaching.toml"))
ALL = [question for questions in TALK.values() for question in questions]


def test_every_practice_and_level_has_several_and_so_has_a_code_without_a_level():
    for practice in read_practices(resource("practices.toml")):
        for level in practice.levels:
            assert len(TALK[practice.id, level.level]) >= 3
        assert len(TALK[practice.id, None]) >= 2
    assert len(TALK) == 3 + 3 + 4 + 4 + 4


def test_no_question_stands_twice():
    assert len(set(ALL)) == len(ALL)


@pytest.mark.parametrize("question", ALL)
def test_a_question_is_open_and_about_the_moment_and_never_about_the_person(question):
    assert question.count(WHEN) == 1
    assert "{" not in question.replace(WHEN, "")
    assert question.rstrip("”").endswith("?")
    asked = re.sub("“.*?”", "", question)
    assert re.search(r"\b(what|which|how|where|whose)\b", asked, re.IGNORECASE)
    judging = r"\b(you|your|teacher|good|bad|better|best|poor|fail\w*|mistake|should|must)\b"
    assert not re.search(judging, asked, re.IGNORECASE)


def test_the_same_moment_is_asked_the_same():
    chosen = {choose_question(TALK, "D3", 2, "lesson clip-4", ()) for _ in range(5)}
    assert len(chosen) == 1
    assert chosen < set(TALK["D3", 2])


def test_moments_of_one_kind_are_asked_different_things_while_there_are_any():
    asked: list[str] = []
    for clip in ("a", "b", "c", "d"):
        asked.append(choose_question(TALK, "D1", 2, f"lesson {clip}", asked))
    assert set(asked[:3]) == set(TALK["D1", 2])
    assert asked[3] in asked[:3]


def test_lessons_do_not_all_begin_with_the_same_question():
    chosen = {choose_question(TALK, "BI", 1, f"lesson-{n} clip", ()) for n in range(20)}
    assert chosen == set(TALK["BI", 1])


def test_a_code_without_a_level_has_its_own_questions():
    assert choose_question(TALK, "D2", None, "x", ()) in TALK["D2", None]
