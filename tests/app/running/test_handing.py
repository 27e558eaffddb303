"""Results are handed over part by part: each once, when it is complete."""

import threading

import pytest

from app.errors import Paused
from app.running.attempts import read_text
from app.running.handing import HandingOver
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


def handing(store, engine, parts, hand, **more):
    plan = make_plan("parts", [q for part in parts for q in part], engine.facts())
    return plan, HandingOver(plan, parts, store, read_text, hand, **more)


def test_each_part_is_handed_over_once_with_its_own_results(store):
    parts = [(question("a"), question("b", draws=2)), (), (question("c"),)]
    engine, found = Scripted(lambda q, draw: f"{q.name}{draw}"), []
    plan, over = handing(store, engine, parts, found.extend)
    summary = run(plan, engine, store, read_text, no_report, threading.Event())
    over.hand_over(summary.results, complete_only=False)
    over.hand_over(summary.results, complete_only=False)
    told = [(place, [result.value for result in results]) for place, results in found]
    assert told == [(0, ["a0", "b0", "b1"]), (1, []), (2, ["c0"])]


def test_while_it_runs_parts_are_handed_over_from_the_front(store):
    parts = [(question("a"),), (question("b"),), (question("c"),)]
    engine, seen = Scripted(lambda q, _draw: q.name), []
    plan, over = handing(store, engine, parts, seen.append, look_s=0.0)

    def told(_share, _doing):
        over.look()

    run(plan, engine, store, read_text, told, threading.Event())
    over.look()
    assert [place for parts in seen for place, _ in parts] == [0, 1, 2]
    assert len(seen) > 1


def test_a_part_in_which_the_engine_failed_waits_unless_all_is_wanted(store):
    parts = [(question("a"),), (question("b"), question("c")), (question("d"),)]
    engine = Scripted(["a", "b", Fault.SERVER_ERROR, "d"])
    found = []
    plan, over = handing(store, engine, parts, found.extend)
    summary = run(plan, engine, store, read_text, no_report, threading.Event())
    over.hand_over(summary.results, complete_only=True)
    assert [place for place, _ in found] == [0, 2]
    over.hand_over(summary.results, complete_only=False)
    assert [place for place, _ in found] == [0, 2, 1]
    assert [result.status for result in found[-1][1]] == ["ok", "backend-error"]


def test_after_a_pause_what_is_complete_is_read_from_the_store(store):
    parts = [(question(name),) for name in "abcde"]
    engine = Scripted(["a", *[Fault.CRASH] * 3, "e"])
    found = []
    plan, over = handing(store, engine, parts, found.extend)
    with pytest.raises(Paused):
        run(plan, engine, store, read_text, no_report, threading.Event()).require_done()
    over.hand_over(complete_only=True)
    assert [place for place, _ in found] == [0]


def test_many_parts_are_looked_up_a_few_at_a_time(store):
    parts = [(question(f"q{number}"),) for number in range(450)]
    engine, found = Scripted(lambda q, _draw: q.name), []
    plan, over = handing(store, engine, parts, found.extend, look_s=0.0)
    run(plan, engine, store, read_text, no_report, threading.Event())
    over.look()
    assert [results[0].value for _, results in found] == [f"q{n}" for n in range(450)]
