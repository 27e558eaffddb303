"""Results are handed over part by part: each once, when it is complete."""

import threading

import pytest

from app.errors import Paused
from app.running.attempts import read_text
from app.running.handing import HandingOver
from app.running.in_parts import run_in_parts
from app.running.plan import make_plan
from app.running.protocols import no_report
from app.running.questions import Message, Question
from app.running.run import run
from app.store.library import Library
from engines.scripted import Fault, Scripted


@pytest.fixture
def store(tmp_path):
    with Library.open(tmp_path / "a.clerestory") as library:
        yield library.attempts


def question(name, draws=1):
    return Question(name, (Message("user", (name,)),), "", draws=draws)


def run_handing(store, engine, parts, hand, look_s=None):
    """Put the parts to an engine; gives what hands them over, with all results taken in."""
    plan = make_plan("parts", [q for part in parts for q in part], engine.facts())
    over = HandingOver(plan, parts, hand, look_s)
    stop = threading.Event()
    run(plan, engine, store, read_text, lambda *_: over.look(), stop, over.take)
    return over


def test_each_part_is_handed_over_once_with_its_own_results(store):
    parts = [(question("a"), question("b", draws=2)), (), (question("c"),)]
    engine, found = Scripted(lambda q, draw: f"{q.name}{draw}"), []
    over = run_handing(store, engine, parts, found.extend)
    over.hand_over(complete_only=False)
    over.hand_over(complete_only=False)
    told = [(place, [result.value for result in results]) for place, results in found]
    assert told == [(0, ["a0", "b0", "b1"]), (1, []), (2, ["c0"])]


def test_while_it_runs_parts_are_handed_over_as_they_become_complete(store):
    parts = [(question("a"),), (question("b"),), (question("c"),)]
    seen = []
    over = run_handing(store, Scripted(lambda q, _draw: q.name), parts, seen.append, look_s=0.0)
    over.look()
    assert [place for parts in seen for place, _ in parts] == [0, 1, 2]
    assert len(seen) > 1


def test_a_part_in_which_the_engine_failed_waits_unless_all_is_wanted(store):
    parts = [(question("a"),), (question("b"), question("c")), (question("d"),)]
    engine = Scripted(["a", "b", Fault.SERVER_ERROR, "d"])
    found = []
    over = run_handing(store, engine, parts, found.extend)
    over.hand_over(complete_only=True)
    assert [place for place, _ in found] == [0, 2]
    over.hand_over(complete_only=False)
    assert [place for place, _ in found] == [0, 2, 1]
    assert [result.status for result in found[-1][1]] == ["ok", "backend-error"]


def test_after_a_pause_what_is_complete_can_be_handed_over(store):
    parts = [(question(name),) for name in "abcde"]
    engine = Scripted(["a", *[Fault.CRASH] * 3, "e"])
    found = []
    over = run_handing(store, engine, parts, found.extend)
    over.hand_over(complete_only=True)
    assert [place for place, _ in found] == [0]


def test_what_was_answered_in_an_earlier_run_is_handed_over_as_well(store):
    parts = [(question("a"),), (question("b"),)]
    run_handing(store, Scripted(["A"]), parts[:1], list)
    found = []
    over = run_handing(store, Scripted(["B"]), parts, found.extend)
    over.hand_over(complete_only=True)
    assert [results[0].value for _, results in found] == ["A", "B"]


def test_questions_that_are_the_same_are_asked_once_and_handed_over_under_their_own_names(store):
    same = [Question(name, (Message("user", ("the same",)),), "") for name in "ab"]
    engine, found = Scripted(["once"]), []
    over = run_handing(store, engine, [(same[0],), (same[1],)], found.extend)
    over.hand_over(complete_only=True)
    assert [(r[0].question.name, r[0].value) for _, r in found] == [("a", "once"), ("b", "once")]
    assert len(engine.asked) == 1


def test_a_run_in_parts_hands_over_before_it_ends_in_trouble(store):
    parts = [(question(name),) for name in "abcde"]
    engine = Scripted(["a", *[Fault.CRASH] * 3, "e"])
    plan = make_plan("parts", [q for part in parts for q in part], engine.facts())
    found, stop = [], threading.Event()
    summary = run_in_parts(
        plan, parts, engine, store, read_text, found.extend, no_report, stop, 60.0
    )
    assert [place for place, _ in found] == [0]
    with pytest.raises(Paused):
        summary.require_done()
