"""When to wait, how long, and how many calls at once."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime

import pytest
from fault_server import FaultServer, answers, errors, slow
from hypothesis import given
from hypothesis import strategies as st

from app.errors import EngineStopped
from app.running.protocols import no_report
from app.running.questions import Message, Question
from engines.endpoint_door import Reply
from engines.endpoint_line import Gate, Patience, asked_wait, wait_before
from engines.endpoint_replies import Usage
from engines.endpoints import Endpoint
from engines.openai_api import OpenAIChat, cost_of

NOW = datetime(2026, 11, 29, 10, 0, 0, tzinfo=UTC)
ASKED = Question("q", (Message("user", ("Hello",)),), "")


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "Sun, 29 Nov 2026 10:00:30 GMT"}, 30.0),
        ({"retry-after": "Sun, 29 Nov 2026 11:00:30 +0100"}, 30.0),
        ({"retry-after": "Sun, 29 Nov 2026 09:00:00 GMT"}, 0.0),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "1e999"}, 1e9),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
def test_what_a_server_asks_to_wait_is_read_in_every_form(headers, seconds):
    assert asked_wait(Reply(429, headers, b"", 0.0), NOW) == seconds


@given(st.text(max_size=40))
def test_no_header_breaks_the_reading(text):
    found = asked_wait(Reply(429, {"retry-after": text, "retry-after-ms": text}, b"", 0.0), NOW)
    assert found is None or 0 <= found <= 1e12


@given(st.integers(1, 2000), st.none() | st.floats(0, 1e4), st.floats(0, 1))
def test_a_wait_is_never_shorter_than_asked_and_never_without_bound(tried, asked, lot):
    wait_s = wait_before(tried, asked, Patience(), lot)
    if asked is not None:
        assert asked <= wait_s <= asked * 1.25
    else:
        assert 0.25 <= wait_s <= 30


def test_waits_double_from_try_to_try():
    waits = [wait_before(tried, None, Patience(first_wait_s=0.5), 1.0) for tried in range(1, 9)]
    assert waits == [0.5, 1, 2, 4, 8, 16, 30, 30]


def chat_with(server, patience, **settings):
    endpoint = Endpoint("desk", server.url, "m", is_on=True, **settings)
    return OpenAIChat(endpoint, patience=patience)


def test_a_server_that_asks_for_a_second_gets_it():
    with FaultServer(errors(429, retry_after="1")) as server:
        told = []
        began = time.monotonic()
        chat = chat_with(server, Patience(first_wait_s=0.01))
        chat.ask(ASKED, (0,), lambda share, words: told.append((share, words)), threading.Event())
        assert 1.0 <= time.monotonic() - began < 2.5
    assert (0.0, "waiting 1 s for the server") in told


def test_a_server_that_asks_for_an_hour_is_not_waited_for():
    with FaultServer(always=errors(429, "daily limit", retry_after="3600")) as server:
        with pytest.raises(EngineStopped, match=r"too much to do.*daily limit"):
            chat_with(server, Patience()).ask(ASKED, (0,), no_report, threading.Event())
        assert len(server.seen) == 1


def test_a_busy_server_gets_half_as_many_calls_once_for_a_whole_round():
    gate = Gate(16)
    sent = time.monotonic()
    for _ in range(10):
        gate.is_busy(sent, 0.0)
    assert gate.limit == 8
    gate.is_busy(time.monotonic(), 0.0)
    assert gate.limit == 4
    for _ in range(10):
        gate.is_busy(time.monotonic(), 0.0)
    assert gate.limit == 1
    for _ in range(200):
        gate.went_well()
    assert gate.limit == 16


def test_calls_are_fewer_while_the_server_turns_them_away_and_all_are_answered():
    """A server with room for four; the draws come with sixteen."""

    def has_room_for_four(handler, body):
        with handler.server.lock:
            full = handler.server.now > 4
        (errors(429) if full else slow(0.05, answers("{}")))(handler, body)

    with FaultServer(always=has_room_for_four) as server:
        chat = chat_with(server, Patience(tries=30, first_wait_s=0.02), max_in_flight=16)
        found = chat.ask(ASKED, range(40), no_report, threading.Event())
        turned_away = len(server.seen) - 40
    assert [a.finish for a in found] == ["stop"] * 40
    # Sixteen at once without end would be turned away about 12 of 16 times: 120 and more.
    assert turned_away < 60


@pytest.mark.parametrize(
    ("usage", "cost"),
    [
        (Usage(1_000_000, None, 0), 3.0),
        (Usage(1_000_000, 1_000_000, 0), 0.3),
        (Usage(1000, 400, 100), (600 * 3 + 400 * 0.3 + 100 * 15) / 1e6),
        (Usage(10, 4000, 0), 10 * 0.3 / 1e6),
        (Usage(None, None, 100), None),
        (Usage(100, None, None), None),
    ],
)
def test_cost_follows_the_price_list(usage, cost):
    priced = Endpoint(
        "x", "https://a.example/v1", "m", price_in=3.0, price_cached=0.3, price_out=15.0
    )
    found = cost_of(usage, priced)
    assert found == (None if cost is None else pytest.approx(cost))
    assert cost_of(usage, Endpoint("x", "https://a.example/v1", "m", price_in=3.0)) is None
