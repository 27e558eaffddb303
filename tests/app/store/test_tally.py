from __future__ import annotations

import sqlite3
import threading

import pytest

from app.running.attempts import Attempt
from app.running.protocols import EngineFacts
from app.running.questions import Message, Question, RawAnswer, Status
from app.store import attempts
from app.store.library import Library
from app.store.tally import Tally, TokensRead

FACTS = EngineFacts("small-4b", "1", True, 0, False, False, (("script", "a"),))
OTHER = EngineFacts("served", "1", False, 0, False, False, (("script", "b"),))
QUESTION = Question("clip 1", (Message("user", ("Which level?",)),), "")


def attempt(number, status, tokens=(None, None), cost="", finish="stop"):
    raw = RawAnswer("2", finish, tokens[0], None, tokens[1], 1.0, "", (("cost", cost),))
    return Attempt(f"{number:064d}", QUESTION, number, 1, status, raw)


def ask(store, facts, *attempts):
    run_id = store.start_run("levels", facts, len(attempts))
    store.keep(run_id, attempts)
    return run_id


def test_a_question_that_was_not_kept_in_the_end_is_kept_the_next_time(library, monkeypatch):
    store = library.attempts
    run_id = store.start_run("levels", FACTS, 2)
    add = attempts._add

    def full(*_args):
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(attempts, "_add", full)
    with pytest.raises(sqlite3.OperationalError, match="full"):
        store.keep(run_id, [attempt(1, Status.OK)])
    monkeypatch.setattr(attempts, "_add", add)
    store.keep(run_id, [attempt(1, Status.OK)])
    # The second draw of a question finds it kept already.
    store.keep(run_id, [attempt(2, Status.OK)])
    kept = store.of_run(run_id)
    assert [one.draw for one in kept] == [1, 2]
    for one in kept:
        assert store.question_of(one.attempt_id).messages == (["user", [["text", "Which level?"]]],)


def test_calls_tokens_failures_and_cost_of_a_job_are_summed_over_its_runs(library):
    job_id = library.add_job("practice", "a", "Code “Water”", {"lesson": "a"})
    store = library.attempts
    with store.for_job(job_id):
        first = ask(
            store,
            FACTS,
            attempt(1, Status.OK, (1000, 20)),
            attempt(2, Status.REFUSAL, (900, 5)),
            attempt(3, Status.BACKEND_ERROR, finish="error"),
        )
        second = ask(
            store,
            OTHER,
            attempt(4, Status.OK, (100, 10), "0.001500 USD"),
            attempt(5, Status.OK, (100, 10), "0.000500 USD"),
            attempt(6, Status.RETRY_OK),
        )
    ask(store, FACTS, attempt(7, Status.OK, (5000, 5000)))  # nobody's
    assert library.jobs()[0].runs == (first, second)
    assert library.jobs()[0].arguments["lesson"] == "a"
    tally = store.tally_of_job(job_id)
    assert tally == store.tally([first, second])
    assert tally.engines == ("small-4b", "served")
    assert tally.calls == 6
    assert tally.counts == (
        (Status.OK, 3),
        (Status.RETRY_OK, 1),
        (Status.REFUSAL, 1),
        (Status.BACKEND_ERROR, 1),
    )
    assert (tally.tokens_in, tally.tokens_out, tally.untold) == (2100, 45, 1)
    assert tally.costs == (("USD", pytest.approx(0.002)),)
    assert tally.priced == 2


def test_a_job_that_asked_no_model_has_an_empty_tally(library):
    job_id = library.add_job("hear", "a", "Write down", {})
    assert library.attempts.tally_of_job(job_id) == Tally()
    assert library.jobs()[0].runs == ()


def test_a_run_of_another_thread_is_not_taken_for_that_of_the_job(library):
    job_id = library.add_job("practice", "a", "Code “Water”", {})
    with library.attempts.for_job(job_id):
        other = threading.Thread(target=ask, args=(library.attempts, FACTS))
        other.start()
        other.join()
    ask(library.attempts, FACTS)
    assert library.jobs()[0].runs == ()


def test_the_runs_of_a_job_are_known_after_the_program_ended_under_it(path):
    with Library.open(path) as library:
        job_id = library.add_job("practice", "a", "Code “Water”", {})
        with library.attempts.for_job(job_id):
            run_id = ask(library.attempts, FACTS, attempt(1, Status.OK, (10, 1)))
    with Library.open(path) as library:
        assert library.jobs()[0].runs == (run_id,)
        assert library.attempts.tally([run_id]).calls == 1


def test_a_cost_that_is_told_in_another_way_is_left_out_and_counted_so(library):
    run_id = ask(
        library.attempts,
        OTHER,
        attempt(1, Status.OK, (1, 1), "much"),
        attempt(2, Status.OK, (1, 1), "0.250000 EUR"),
        attempt(3, Status.OK, (1, 1), "0.250000 USD"),
    )
    tally = library.attempts.tally([run_id])
    assert tally.costs == (("EUR", 0.25), ("USD", 0.25))
    assert (tally.calls, tally.priced) == (3, 2)


def test_tokens_kept_from_before_are_counted_where_the_engine_tells_them(library):
    told = [
        Attempt(f"{number:064d}", QUESTION, 0, 1, Status.OK, RawAnswer("2", "stop", read, kept, 5))
        for number, (read, kept) in enumerate([(1000, 600), (1000, 0), (1000, None), (None, None)])
    ]
    ask(library.attempts, FACTS, *told)
    keys = [attempt.key for attempt in told]
    assert library.attempts.tokens_read(keys) == TokensRead(2, 2000, 600)
    assert library.attempts.tokens_read(keys[:1]) == TokensRead(1, 1000, 600)
    assert library.attempts.tokens_read([]) == TokensRead(0, 0, 0)
