from __future__ import annotations

import threading

import pytest

from app.errors import Cancelled, Paused
from app.running.plan import make_plan
from app.running.protocols import no_report
from app.running.questions import Message, Question
from app.running.run import Ended, run
from app.store.library import Library
from engines.scripted import Fault, Scripted

QUESTIONS = [Question(f"clip {n}", (Message("user", (f"Clip {n}",)),), "") for n in range(4)]


@pytest.fixture
def store(tmp_path):
    with Library.open(tmp_path / "a.clerestory") as library:
        yield library.attempts


def go(engine, store, stop=None):
    return run(make_plan("levels", QUESTIONS, engine.facts()), engine, store, str, no_report, stop)


def test_a_run_that_is_done_lets_its_job_go_on(store):
    done = go(Scripted(["1", "2", "3", "4"]), store)
    assert done.ended is Ended.DONE
    done.require_done()


def test_a_run_that_was_stopped_ends_its_job_as_stopped(store):
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        go(Scripted(["1"]), store, stop).require_done()


def test_a_run_whose_engine_failed_again_and_again_ends_its_job_as_paused(store):
    summary = go(Scripted(["1", *[Fault.CRASH] * 3]), store)
    with pytest.raises(Paused, match="failed 3 times in a row") as paused:
        summary.require_done()
    assert "then resume" in paused.value.hint
    resumed = go(Scripted(["2", "3", "4"]), store)
    assert (resumed.cached, resumed.ended) == (1, Ended.DONE)
