"""Each way a server can do well or badly, with what the runner gets to see of it."""

from __future__ import annotations

import json
import re
import time

import pytest
from endpoint_calls import JPEG, SCHEMA, ask, chat_with, one, question
from fault_server import (
    FaultServer,
    answers,
    answers_in_chunks,
    errors,
    pictures_in,
    sends,
    slow,
    text_in,
)

from app.errors import EngineMissing, MediaRefused
from app.running.questions import FrameRef
from engines.endpoint_capabilities import Capabilities, Finding
from engines.openai_api import Used


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
