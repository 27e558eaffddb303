"""What a plan is expected to take, and what a run says it took."""

from __future__ import annotations

import pytest
from scripted_runs import GOOD, ask_about, go

from app.running.plan import estimate, estimate_in_words, make_plan
from app.running.protocols import Price
from app.running.questions import RawAnswer
from engines.scripted import Scripted

# Before and while


def test_the_estimate_knows_nothing_of_a_model_that_never_answered(store):
    engine = Scripted([])
    plan = make_plan("levels", ask_about(1, 2, draws=5), engine.facts())
    found = estimate(plan, store)
    assert (found.answers, found.cached, found.calls) == (10, 0, 10)
    # 15 and 6 characters, at 4 a token, ten times; and all the tokens that may be written.
    assert (found.tokens_in, found.tokens_out, found.measured) == (50, 10_240, False)
    assert (found.seconds, found.cost) == (None, None)
    assert engine.asked == []
    assert "time unknown until the first answers" in estimate_in_words(found)


def test_the_estimate_goes_by_what_the_model_took_before(store):
    raw = RawAnswer(GOOD, "stop", 1000, 0, 50, 4.0)
    priced = {"in_flight": 2, "price": Price(3.0, 15.0, "EUR")}
    go(ask_about(1, 2), Scripted([raw, raw], **priced), store)
    plan = make_plan("levels", ask_about(1, 2, 3, 4, 5, 6), Scripted(**priced).facts())
    found = estimate(plan, store)
    assert (found.answers, found.cached, found.calls) == (6, 2, 4)
    assert (found.tokens_in, found.tokens_out, found.measured) == (4000, 200, True)
    assert found.seconds == 8.0
    assert found.cost == pytest.approx(0.015)
    assert estimate_in_words(found) == (
        "6 answers, 2 of them there already; 4 to ask: about 8 s, "
        "roughly 4,000 tokens in and 200 out, about 0.01 EUR. "
        "Answers that break the format are asked once more."
    )


def test_a_plan_with_everything_there_takes_nothing(store):
    go(ask_about(1), Scripted([GOOD]), store)
    found = estimate(make_plan("levels", ask_about(1), Scripted().facts()), store)
    assert (found.calls, found.seconds, found.tokens_in) == (0, 0.0, 0)
    assert estimate_in_words(found) == "Every answer is there already; nothing is asked."


def test_progress_tells_how_much_is_left(store):
    told = []
    engine = Scripted(lambda *_: GOOD, seconds=0.02)
    go(ask_about(*range(4)), engine, store, report=lambda share, doing: told.append((share, doing)))
    shares = [share for share, _ in told]
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert shares == sorted(shares)
    assert told[0][1] == "0 of 4 answered"
    assert any(doing.startswith("2 of 4 answered, about 1 s left") for _, doing in told)


def test_tokens_and_cost_of_a_run_are_added_up(store):
    raw = RawAnswer(GOOD, "stop", 1_000_000, 0, 100_000)
    engine = Scripted([raw, raw], price=Price(1.0, 10.0))
    done = go(ask_about(1, 2), engine, store)
    assert (done.tokens_in, done.tokens_out, done.cost) == (2_000_000, 200_000, 4.0)
