"""Each way a server can do well or badly, with what the runner gets to see of it."""

from __future__ import annotations

import json
import re
import socket
import threading
import time

import pytest
from fault_server import (
    FaultServer,
    answers,
    answers_in_chunks,
    cut_chunks,
    cut_half_way,
    errors,
    hangs_up,
    not_http,
    pictures_in,
    sends,
    slow,
    text_in,
)

from app.errors import Cancelled, EngineMissing, EngineStopped, MediaRefused
from app.running.protocols import no_report
from app.running.questions import FrameRef, Message, Question, Sampler
from engines.endpoint_capabilities import Capabilities, Finding
from engines.endpoint_line import Patience
from engines.endpoints import Endpoint
from engines.openai_api import OpenAIChat, Used

SCHEMA = '{"properties":{"level":{"type":"integer"}},"required":["level"],"type":"object"}'
QUICK = Patience(tries=3, first_wait_s=0.01, longest_wait_s=5.0)
JPEG = b"\xff\xd8\xff\xe0 not much of a picture"


def question(*parts, schema=SCHEMA, draws=1):
    shown = (Message("system", ("Be brief.",)), Message("user", parts or ("How is it?",)))
    return Question("a question", shown, schema, Sampler(0.7, 300, 40, 0.9), draws)


def chat_with(server, pictures=None, capabilities=None, **settings):
    given = {"is_on": True, "silence_s": 5.0, "connect_s": 2.0, **settings}
    endpoint = Endpoint("bench", server.url, "tiny", **given)
    return OpenAIChat(endpoint, capabilities, pictures, QUICK)


def ask(chat, asked=None, draws=(0,), stop=None):
    stop = stop if stop is not None else threading.Event()
    return chat.ask(asked if asked is not None else question(), draws, no_report, stop)


def one(*acts, always=None, **settings):
    """Ask once with the given acts; give the answer and what the server saw."""
    with FaultServer(*acts, always=always) as server:
        return ask(chat_with(server, **settings))[0], server.bodies


def test_a_question_reaches_the_server_with_its_schema_sampler_and_seed():
    answer, bodies = one()
    assert answer.text == '{"level": 2}'
    assert answer.finish == "stop"
    assert bodies == [
        {
            "model": "tiny",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "How is it?"},
            ],
            "temperature": 0.7,
            "top_p": 0.9,
            "max_tokens": 300,
            "seed": 40,
            "stream": False,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "answer", "strict": True, "schema": json.loads(SCHEMA)},
            },
        }
    ]


def test_free_text_is_asked_for_without_a_schema():
    with FaultServer() as server:
        ask(chat_with(server), question(schema=""))
    assert "response_format" not in server.bodies[0]


def test_tokens_cost_and_the_servers_own_words_come_with_the_answer():
    prices = {"price_in": 2.0, "price_cached": 0.5, "price_out": 10.0, "currency": "EUR"}
    with FaultServer() as server:
        chat = chat_with(server, **prices)
        answer = ask(chat)[0]
        ask(chat)
    assert (answer.tokens_in, answer.tokens_cached, answer.tokens_out) == (1000, 600, 20)
    # 400 at 2, 600 at 0.5 and 20 at 10 for a million
    assert answer.details == (
        ("model", "tiny-1"),
        ("fingerprint", "fp_1"),
        ("cost", "0.001300 EUR"),
    )
    assert 0 < answer.seconds < 5
    used = chat.used()
    assert used.cost == pytest.approx(0.0026)
    assert (used.calls, used.tokens_in, used.tokens_cached, used.tokens_out) == (2, 2000, 1200, 40)


def test_a_server_that_counts_nothing_leaves_the_counts_unknown():
    with FaultServer(answers("{}", usage=None)) as server:
        chat = chat_with(server, price_in=1.0, price_out=1.0)
        answer = ask(chat)[0]
    assert (answer.tokens_in, answer.tokens_cached, answer.tokens_out) == (None, None, None)
    assert chat.used() == Used(calls=1, uncounted=1, cost=0.0)


def test_draws_are_in_flight_together_each_with_a_seed_of_its_own():
    with FaultServer(always=slow(0.3, answers("{}"))) as server:
        began = time.monotonic()
        found = ask(chat_with(server), question(draws=5), draws=range(5))
        took = time.monotonic() - began
    assert [a.finish for a in found] == ["stop"] * 5
    assert sorted(body["seed"] for body in server.bodies) == [40, 41, 42, 43, 44]
    assert server.most == 5
    assert took < 1.2


def test_answers_come_in_the_order_of_the_draws_asked_for():
    def by_seed(handler, body):
        slow((44 - body["seed"]) / 20, answers(str(body["seed"])))(handler, body)

    with FaultServer(always=by_seed) as server:
        found = ask(chat_with(server), question(draws=5), draws=[4, 1, 3])
    assert [a.text for a in found] == ["44", "41", "43"]


def test_frames_travel_inside_the_question_in_their_order(tmp_path):
    frames = [FrameRef("lesson.mp4", "f" * 64, ms, 448) for ms in (1000, 2000)]

    def pictures(frame):
        path = tmp_path / f"{frame.time_ms}.jpg"
        path.write_bytes(JPEG + str(frame.time_ms).encode())
        return path

    with FaultServer() as server:
        ask(chat_with(server, pictures), question("At 1 s:", frames[0], "At 2 s:", frames[1], "?"))
    kinds = [part["type"] for part in server.bodies[0]["messages"][1]["content"]]
    assert kinds == ["text", "image_url", "text", "image_url", "text"]
    assert pictures_in(server.bodies[0]) == [JPEG + b"1000", JPEG + b"2000"]
    assert text_in(server.bodies[0]) == "Be brief.\nAt 1 s:\nAt 2 s:\n?"


def test_a_file_that_is_no_picture_is_not_sent(tmp_path):
    path = tmp_path / "1000.jpg"
    path.write_text("private notes")
    with FaultServer() as server:
        chat = chat_with(server, lambda _frame: path)
        with pytest.raises(MediaRefused, match=r"1000 ms of lesson\.mp4 is neither JPEG nor PNG"):
            ask(chat, question(FrameRef("x/lesson.mp4", "f" * 64, 1000, 448)))
        path.unlink()
        with pytest.raises(MediaRefused, match="cannot be read"):
            ask(chat, question(FrameRef("x/lesson.mp4", "f" * 64, 1000, 448)))
        assert server.seen == []


REFUSES = {"message": {"refusal": "I cannot say that."}}


@pytest.mark.parametrize(
    ("act", "text", "finish", "told"),
    [
        (answers("{", "length"), "{", "length", ""),
        (answers(None, "length"), "", "length", ""),
        (answers("half", "content_filter"), "half", "content_filter", ""),
        (answers(None, **REFUSES), "I cannot say that.", "refusal", ""),
        (answers("I'm sorry, but no."), "I'm sorry, but no.", "stop", ""),
        (answers("```json\n{}\n```"), "```json\n{}\n```", "stop", ""),
        (answers("<think>hm</think>{}"), "<think>hm</think>{}", "stop", ""),
        (answers("The level is two."), "The level is two.", "stop", ""),
        (answers([{"type": "text", "text": "{}"}]), "{}", "stop", ""),
        (answers_in_chunks, '{"level": 2}', "stop", ""),
        (answers(""), "", "error", "empty answer"),
        (answers(None), "", "error", "empty answer"),
        (answers(" \n"), " \n", "error", "empty answer"),
        (
            answers(None, "tool_calls"),
            "",
            "error",
            r"not come to an end that is known \(tool_calls",
        ),
        (answers("{}", None), "{}", "error", "it did not say how"),
        (sends(b'{"choices": []}', "application/json"), "", "error", "no answer in what it sent"),
        (sends(b'{"choices": [7]}', "application/json"), "", "error", "no answer in what it sent"),
        (sends(b"[1, 2]", "application/json"), "", "error", "not an answer in JSON"),
        (sends(b"<h1>Sign in</h1>", "text/html"), "", "error", "sent text/html"),
        (sends(b"", "application/json"), "", "error", "not an answer in JSON"),
        (sends(b"[" * 100_000, "application/json"), "", "error", "not an answer in JSON"),
        (sends(b"data: {}\n\n", "text/event-stream"), "", "error", "sent text/event-stream"),
        (
            errors(400, "maximum context length is 4096 tokens"),
            "",
            "error",
            "longer than tiny takes",
        ),
        (errors(413), "", "error", "longer than tiny takes"),
        (errors(400, "odd request"), "", "error", r"refused the question \(status 400\).*odd req"),
        (errors(200, "model crashed", 400), "", "error", "model crashed"),
    ],
)
def test_what_comes_back_is_passed_on_untouched_or_named_for_what_it_is(act, text, finish, told):
    answer, bodies = one(act)
    assert (answer.text, answer.finish) == (text, finish)
    assert re.search(told, answer.error) if told else answer.error == ""
    assert len(bodies) == 1


def test_what_a_thinking_model_wrote_before_is_kept_apart():
    answer, _ = one(answers("{}", message={"reasoning_content": "Let me see."}))
    assert answer.text == "{}"
    assert ("reasoning", "Let me see.") in answer.details


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


def test_no_more_calls_are_under_way_than_the_endpoint_allows():
    with FaultServer(always=slow(0.05, answers("{}"))) as server:
        chat = chat_with(server, max_in_flight=3)
        found = ask(chat, question(draws=12), draws=range(12))
    assert len(found) == 12
    assert server.most == 3


def test_a_connection_that_the_server_closed_in_the_meantime_costs_nothing():
    def closes(handler, body):
        answers("{}")(handler, body)
        handler.close_connection = True  # without telling in the headers

    with FaultServer(always=closes) as server:
        chat = chat_with(server)
        for _ in range(3):
            answer = ask(chat)[0]
            time.sleep(0.05)
            assert (answer.finish, dict(answer.details).get("tries")) == ("stop", None)
        assert len(server.seen) == 3


def found_out(
    images="yes", count=2, long="yes", kept=48_000, schema="yes", schema_form="json_schema"
):
    return Capabilities(
        "2026-11-29", "tiny-1", "fp", Finding(schema, "so"), Finding(images, "so"), count,
        Finding(long, "so"), kept, Finding("no", "so"), 4096, schema_form,
    )  # fmt: skip


def test_frames_that_would_not_be_seen_are_not_sent(tmp_path):
    frame = FrameRef("lesson.mp4", "f" * 64, 1000, 448)
    with FaultServer() as server:
        with pytest.raises(EngineMissing, match="no pictures to show"):
            ask(chat_with(server), question(frame))
        blind = chat_with(server, lambda _: tmp_path, found_out(images="no", count=None))
        with pytest.raises(EngineMissing, match="does not see pictures: so"):
            ask(blind, question(frame))
        few = chat_with(server, lambda _: tmp_path, found_out())
        with pytest.raises(EngineMissing, match="takes 2 pictures, not 3"):
            ask(few, question(frame, frame, frame))
        assert server.seen == []


def test_a_text_longer_than_the_server_was_seen_to_keep_is_not_asked():
    with FaultServer() as server:
        chat = chat_with(server, capabilities=found_out(long="no", kept=4000))
        assert ask(chat, question("word " * 700))[0].finish == "stop"
        answer = ask(chat, question("word " * 900))[0]
    assert answer.finish == "error"
    assert "seen to cut longer texts than 4000" in answer.error
    assert len(server.seen) == 1


def test_a_server_that_keeps_no_schema_is_asked_in_words_under_another_key():
    with FaultServer() as server:
        plain = chat_with(server)
        told = chat_with(server, capabilities=found_out(schema="no"))
        ask(told)
    assert "response_format" not in server.bodies[0]
    assert plain.facts().identity != told.facts().identity
    assert not told.facts().has_schema
    assert told.facts().images == 2


def test_the_form_in_which_a_schema_is_asked_for_is_part_of_every_key():
    with FaultServer() as server:
        plain, found = chat_with(server), chat_with(server, capabilities=found_out())
        other = chat_with(server, capabilities=found_out(schema_form="json_object"))
        ask(found)
        ask(other)
    assert server.bodies[0]["response_format"]["type"] == "json_schema"
    assert server.bodies[1]["response_format"] == {
        "type": "json_object",
        "schema": json.loads(SCHEMA),
    }
    assert plain.facts().identity == found.facts().identity != other.facts().identity
