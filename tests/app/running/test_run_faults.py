"""What a failing engine, a fault of ours and a stop cost a run."""

from __future__ import annotations

import threading
import time

import pytest
from scripted_runs import GOOD, ask_about, asked_clips, go, statuses

from app.errors import EngineMissing, EngineStopped, StoreRefused
from app.places import log_folder
from app.running.questions import Status
from app.running.run import Ended
from app.store.library import Library
from engines.scripted import Fault, Scripted, Slow

# When the engine fails


def test_a_crash_costs_one_question_and_resuming_asks_it_again(store):
    done = go(ask_about(1, 2, 3), Scripted([GOOD, Fault.CRASH, GOOD]), store)
    assert statuses(done) == [Status.OK, Status.BACKEND_ERROR, Status.OK]
    later = Scripted([GOOD])
    assert statuses(go(ask_about(1, 2, 3), later, store)) == [Status.OK] * 3
    assert asked_clips(later) == ["clip 2"]


def test_a_crash_at_the_second_attempt_asks_only_that_again(store):
    go(ask_about(1), Scripted(["?", Fault.CRASH]), store)
    later = Scripted([GOOD])
    assert statuses(go(ask_about(1), later, store)) == [Status.RETRY_OK]
    assert len(later.asked) == 1


@pytest.mark.parametrize("fault", [Fault.CRASH, Fault.SERVER_ERROR])
def test_three_failures_in_a_row_pause_the_work_and_name_the_log(store, fault):
    engine = Scripted([GOOD, fault, GOOD, fault, fault, fault, GOOD])
    done = go(ask_about(*range(8)), engine, store)
    assert (done.ended, done.left) == (Ended.PAUSED, 2)
    assert isinstance(done.notice, EngineStopped)
    assert "“levels” is paused" in done.notice.message
    assert "The script says that the" in done.notice.message
    assert str(log_folder() / "engines.log") in done.notice.hint


def test_questions_that_bring_the_engine_down_do_not_keep_the_rest_from_being_asked(store):
    def script(question, _draw):
        return Fault.CRASH if question.name in ("clip 0", "clip 1", "clip 2") else GOOD

    assert go(ask_about(*range(6)), Scripted(script), store).ended == Ended.PAUSED
    done = go(ask_about(*range(6)), Scripted(script), store)
    assert [result.value for result in done.results] == [None, None, None, 2, 2, 2]


def test_a_missing_model_ends_the_run_and_what_was_answered_is_kept(store):
    def script(question, _draw):
        if question.name == "clip 2":
            raise EngineMissing("The weights are gone.", "Add them again.")
        return GOOD

    with pytest.raises(EngineMissing, match="weights are gone"):
        go(ask_about(1, 2, 3), Scripted(script), store)
    later = Scripted([GOOD, GOOD])
    assert go(ask_about(1, 2, 3), later, store).cached == 1


def test_a_fault_of_ours_is_not_taken_for_an_engines(store):
    def script(_question, _draw):
        raise KeyError("oops")

    with pytest.raises(KeyError, match="oops"):
        go(ask_about(1), Scripted(script), store)
    assert store.of_run(1) == []


def test_a_fault_in_a_reader_ends_the_run_but_loses_no_answer(store):
    def faulty(_text):
        raise KeyError("oops")

    with pytest.raises(KeyError, match="oops"):
        go(ask_about(1, 2), Scripted([GOOD, GOOD]), store, read=faulty)
    later = Scripted([GOOD])
    assert statuses(go(ask_about(1, 2), later, store)) == [Status.OK, Status.OK]
    assert asked_clips(later) == ["clip 2"]


def test_an_answer_that_cannot_be_kept_ends_the_run(tmp_path):
    library = Library.open(tmp_path / "b.clerestory", "Ann", wait_ms=50)
    engine = Scripted(lambda *_: (library.close(), GOOD)[1])
    with pytest.raises(StoreRefused):
        go(ask_about(1, 2), engine, library.attempts)


# Stopping


@pytest.mark.parametrize("in_flight", [1, 4])
@pytest.mark.parametrize("entry", [Slow(30, GOOD), Fault.DEAF])
def test_stopping_takes_less_than_a_second_whatever_the_engine_does(store, in_flight, entry):
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    began = time.monotonic()
    engine = Scripted(lambda *_: entry, in_flight=in_flight)
    done = go(ask_about(*range(5)), engine, store, stop=stop)
    assert time.monotonic() - began < 1.2
    assert (done.ended, done.left) == (Ended.STOPPED, 5)


def test_an_answer_that_comes_just_after_the_stop_is_kept(store):
    stop = threading.Event()

    def script(_question, _draw):
        stop.set()
        time.sleep(0.2)
        return GOOD

    done = go(ask_about(1, 2), Scripted(script), store, stop=stop)
    assert (done.ended, statuses(done)) == (Ended.STOPPED, [Status.OK])


def test_a_stop_after_the_last_answer_changes_nothing(store):
    stop = threading.Event()
    engine = Scripted(lambda *_: (stop.set(), GOOD)[1])
    assert go(ask_about(1), engine, store, stop=stop).ended == Ended.DONE


def test_a_stop_that_meets_the_very_last_question_is_not_taken_for_the_end(store):
    stop = threading.Event()

    def script(question, _draw):
        if question.name == "clip 2":
            stop.set()
            return Slow(9, GOOD)
        return GOOD

    summary = go(ask_about(1, 2), Scripted(script), store, stop=stop)
    assert (summary.ended, summary.left) == (Ended.STOPPED, 1)
