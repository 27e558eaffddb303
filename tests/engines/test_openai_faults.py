"""What becomes of a call when the server fails, is slow or away, or the person stops."""

from __future__ import annotations

import re
import socket
import threading
import time

import pytest
from endpoint_calls import ask, chat_with, one, question
from fault_server import (
    FaultServer,
    answers,
    cut_chunks,
    cut_half_way,
    errors,
    hangs_up,
    not_http,
    sends,
    slow,
)

from app.errors import Cancelled, EngineMissing, EngineStopped
from engines.endpoint_line import Patience
from engines.endpoints import Endpoint
from engines.openai_api import OpenAIChat


@pytest.mark.parametrize(
    "fault",
    [
        errors(429),
        errors(500, "out of luck"),
        errors(503, "loading the model"),
        errors(200, "upstream is busy", 429),
        errors(200, "upstream failed"),
        sends(b"<h1>502</h1>", "text/html", 502),
        cut_half_way,
        cut_chunks,
        hangs_up,
        not_http,
    ],
)
def test_what_may_pass_is_tried_again(fault):
    answer, bodies = one(fault, fault)
    assert answer.text == '{"level": 2}'
    assert ("tries", "3") in answer.details
    assert len(bodies) == 3
    assert bodies[0] == bodies[2]


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (errors(500, "out of luck"), "status 500.*out of luck"),
        (errors(200, "upstream failed"), "met a fault.*upstream failed"),
        (cut_half_way, "broke off half way"),
        (cut_chunks, "broke off half way"),
        (hangs_up, "broke off half way"),
        (not_http, "is not HTTP"),
    ],
)
def test_a_call_that_keeps_failing_is_an_answer_that_says_so(fault, told):
    answer, bodies = one(always=fault)
    assert (answer.text, answer.finish) == ("", "error")
    assert re.search(told, answer.error)
    assert len(bodies) == 3


@pytest.mark.parametrize(
    ("fault", "told"),
    [(errors(429), "too much to do"), (errors(503, "loading"), "not ready.*loading")],
)
def test_a_server_that_stays_busy_or_away_has_stopped(fault, told):
    with FaultServer(always=fault) as server, pytest.raises(EngineStopped, match=told):
        ask(chat_with(server))
    assert len(server.seen) == 3


def test_a_server_that_is_gone_has_stopped():
    with FaultServer() as server:
        chat = chat_with(server)
        ask(chat)
    chat.close()
    with pytest.raises(EngineStopped, match="cannot be reached: nothing listens there"):
        ask(chat)


def test_a_server_that_says_nothing_is_given_up_and_not_asked_twice():
    with FaultServer(always=slow(3, answers("{}"))) as server:
        began = time.monotonic()
        with pytest.raises(EngineStopped, match=r"sent nothing for 0\.4 s"):
            ask(chat_with(server, silence_s=0.4))
        assert time.monotonic() - began < 1.5
        assert len(server.seen) == 1


def test_a_slow_server_that_keeps_sending_is_waited_for():
    def drips(handler, _body):
        whole = b'{"choices": [{"finish_reason": "stop", "message": {"content": "{}"}}]}'
        handler.send_response(200)
        handler.send_header("content-length", str(len(whole)))
        handler.end_headers()
        for at in range(0, len(whole), 10):
            time.sleep(0.15)
            handler.wfile.write(whole[at : at + 10])

    answer, _ = one(drips, silence_s=0.5)
    assert answer.text == "{}"
    assert answer.seconds > 0.9


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (errors(401, "bad key"), "does not accept the key"),
        (errors(403), "does not accept the key"),
        (errors(404, "model 'tiny' not found"), "no model called tiny"),
        (errors(402, "pay"), "no credit left"),
        (errors(429, "You exceeded your current quota", "insufficient_quota"), "no credit left"),
        (errors(400, "response_format is not supported"), "does not take the form"),
        (errors(400, "failed to parse grammar"), "does not take the form"),
        (
            errors(
                500, "1 validation error: Input should be 'text' or 'json_object' (response_format)"
            ),
            "does not take the form",
        ),
        (errors(500, "image input is not supported - hint: provide the mmproj"), None),
        (errors(400, "tiny is not a multimodal model"), "does not take these pictures"),
    ],
)
def test_what_no_question_can_get_past_stops_the_work_at_once(fault, told):
    with FaultServer(always=fault) as server:
        if told is None:
            assert ask(chat_with(server))[0].finish == "error"
            return
        with pytest.raises(EngineMissing, match=told):
            ask(chat_with(server))
    assert len(server.seen) == 1


def test_nothing_is_sent_to_where_a_server_redirects():
    with FaultServer() as other:
        moved = sends(b"", "text/plain", 307, location=f"{other.url}/chat/completions")
        with (
            FaultServer(always=moved) as server,
            pytest.raises(EngineMissing, match=r"sends us on to 127\.0\.0\.1; nothing was"),
        ):
            ask(chat_with(server))
        assert other.seen == []


def test_an_answer_that_was_paid_for_is_kept_when_another_draw_fails():
    def by_seed(handler, body):
        act = {40: answers("{}"), 41: errors(401, "key was withdrawn"), 42: hangs_up}
        act[body["seed"]](handler, body)

    with FaultServer(always=by_seed) as server:
        chat = chat_with(server)
        found = ask(chat, question(draws=3), draws=range(3))
    assert [a.finish for a in found] == ["stop", "error", "error"]
    assert "key was withdrawn" in found[1].error
    assert (chat.used().calls, chat.used().failed) == (1, 2)


def test_the_newer_name_of_the_token_limit_is_used_where_the_server_asks_for_it():
    refused = errors(400, "Unsupported parameter: use 'max_completion_tokens' instead")
    with FaultServer(refused) as server:
        chat = chat_with(server)
        assert ask(chat)[0].finish == "stop"
        ask(chat)
    limits = [body.get("max_completion_tokens") for body in server.bodies]
    assert limits == [None, 300, 300]
    assert ["max_tokens" in body for body in server.bodies] == [True, False, False]


@pytest.mark.parametrize(
    "fault",
    [slow(5, answers("{}")), errors(429, retry_after="4"), errors(503)],
    ids=["silent", "busy", "away"],
)
def test_stopping_takes_effect_within_a_second_whatever_is_waited_for(fault):
    stop = threading.Event()
    with FaultServer(always=fault) as server:
        chat = chat_with(server)
        chat._patience = Patience(tries=50, first_wait_s=4.0)
        threading.Timer(0.3, stop.set).start()
        began = time.monotonic()
        with pytest.raises(Cancelled):
            ask(chat, question(draws=3), draws=range(3), stop=stop)
        assert time.monotonic() - began < 1.0


def test_stopping_while_connecting_does_not_wait_for_the_name_to_be_found(monkeypatch):
    answered = threading.Event()

    def slow_to_find(*_args, **_more):
        answered.wait(3)
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr("socket.getaddrinfo", slow_to_find)
    stop = threading.Event()
    chat = OpenAIChat(Endpoint("far", "https://far.invalid/v1", "tiny", is_on=True))
    threading.Timer(0.2, stop.set).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        ask(chat, stop=stop)
    assert time.monotonic() - began < 1.0
    answered.set()


def test_work_that_was_stopped_before_sends_nothing():
    stop = threading.Event()
    stop.set()
    with FaultServer() as server:
        with pytest.raises(Cancelled):
            ask(chat_with(server), stop=stop)
        assert server.seen == []
