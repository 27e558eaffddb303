"""What is found out about servers that do well, that pretend, and that refuse."""

from __future__ import annotations

import json
import re
import struct
import threading
import time
import zlib

import pytest
from fault_server import (
    FaultServer,
    answers,
    completion,
    errors,
    pictures_in,
    send_json,
    slow,
    text_in,
)

from app.errors import Cancelled, EngineMissing, EngineStopped, Refused
from engines.endpoint_capabilities import SCHEMA_FORMS, Capabilities, Finding
from engines.endpoint_line import Patience
from engines.endpoint_pictures import COLOURS, SHAPES, SIDE_PX, picture_of
from engines.endpoint_probe import NEEDLE, long_text
from engines.endpoints import Endpoint
from engines.openai_api import OpenAIChat

QUICK = Patience(tries=2, first_wait_s=0.01)
DRAWN = {picture_of(colour, shape): (colour, shape) for colour in COLOURS for shape in SHAPES}


class Model:
    """Stands for a server and its model: reads the pictures, keeps the schema, or does not."""

    def __init__(self, **can):
        self.can = {
            "schema": True, "sees": True, "pictures": 32, "chars": 10**6, "logprobs": True,
            "counts": True, **can,
        }  # fmt: skip

    def __call__(self, handler, body):
        text, pictures = text_in(body), pictures_in(body)
        if len(pictures) > self.can["pictures"]:
            most = self.can["pictures"]
            return errors(400, f"At most {most} image(s) may be provided in one prompt.")(
                handler, body
            )
        seen = text[-self.can["chars"] :]
        reply = completion(self.written(body, seen, pictures))
        shown = len(pictures) if self.can["sees"] else 0
        counted = len(seen) // 5 + 64 * min(shown, self.can.get("counted", 99))
        reply["usage"] = {"prompt_tokens": counted} if self.can["counts"] else None
        if body.get("logprobs") and self.can["logprobs"]:
            likely = [{"token": t, "logprob": -1.0} for t in "abcde"]
            reply["choices"][0]["logprobs"] = {"content": [{"top_logprobs": likely}]}
        return send_json(handler, reply)

    def schema_of(self, asked):
        forms = {True: SCHEMA_FORMS, False: ()}.get(self.can["schema"], (self.can["schema"],))
        if asked.get("type") not in forms:
            return None
        return asked["schema"] if "schema" in asked else asked["json_schema"]["schema"]

    def written(self, body, text, pictures):
        schema = self.schema_of(body.get("response_format", {}))
        if schema is not None:
            return json.dumps({n: p["enum"][0] for n, p in schema["properties"].items()})
        if "What is drawn" in text and pictures:
            return "A {} {}.".format(*DRAWN[pictures[0]]) if self.can["sees"] else "A red circle."
        found = re.search(r"password is (\w+ \d+)", text)
        return found[1] if found else "blue"


def found_by(act, models=None, patience=QUICK, **settings):
    with FaultServer(always=act) as server:
        server.models = models
        endpoint = Endpoint("desk", server.url, "tiny", is_on=True, **settings)
        chat = OpenAIChat(endpoint, patience=patience)
        return chat.probe("2026-11-29"), chat, server


def test_a_server_that_does_all_of_it_is_found_to():
    listed = [{"id": "other"}, {"id": "tiny", "max_model_len": 32768}]
    found, chat, server = found_by(Model(), listed)
    assert [f.answer for f in (found.schema, found.images, found.long_prompt, found.logprobs)] == (
        ["yes"] * 4
    )
    assert (found.image_count, found.kept_chars, found.context_tokens) == (32, 48_000, 32768)
    assert (found.when, found.model, found.fingerprint) == ("2026-11-29", "tiny-1", "fp_1")
    assert (chat.facts().images, chat.facts().has_schema, chat.facts().has_logprobs) == (
        32,
        True,
        True,
    )
    assert len(server.seen) < 20
    assert all(body["temperature"] == 0 and body["model"] == "tiny" for body in server.bodies)


def test_a_schema_that_is_ignored_is_noticed():
    found, _, _ = found_by(Model(schema=False))
    assert found.schema == Finding("no", "the answer did not keep the schema")


def test_a_server_that_knows_only_the_other_form_of_schema_is_asked_in_it():
    def refuses(handler, body):
        if body.get("response_format", {}).get("type") == "json_schema":
            errors(500, "1 validation error: Input should be 'text' or 'json_object'")(
                handler, body
            )
        else:
            Model(schema="json_object")(handler, body)

    for act in (refuses, Model(schema="json_object")):
        found, chat, server = found_by(act)
        assert found.schema.is_yes
        assert "llama-cpp-python" in found.schema.reason
        assert found.schema_form == "json_object"
        assert chat.facts().has_schema
        assert Capabilities.from_json(found.to_json()) == found
        asked = [b["response_format"] for b in server.bodies if "response_format" in b]
        assert asked[-1].keys() == {"type", "schema"}
        assert len(server.seen) < 20


def test_what_was_found_before_there_were_two_forms_was_found_with_the_first():
    stored = found_by(Model())[0].to_json()
    del stored["schema_form"]
    assert Capabilities.from_json(stored).schema_form == "json_schema"
    with pytest.raises(Refused):
        Capabilities.from_json({**stored, "schema_form": "xml"})


def test_a_schema_in_markdown_fences_is_not_kept():
    def fenced(handler, body):
        text = f"```json\n{Model().written(body, text_in(body), [])}\n```"
        answers(text)(handler, body)

    assert found_by(fenced)[0].schema.is_no


def test_a_schema_that_is_refused_is_noticed_with_the_servers_words():
    def refuses(handler, body):
        act = (
            errors(400, "response_format is not supported")
            if "response_format" in body
            else Model()
        )
        act(handler, body)

    found, _, _ = found_by(refuses)
    assert found.schema.is_no
    assert "response_format is not supported" in found.schema.reason


def test_a_server_that_drops_pictures_is_noticed():
    found, chat, _ = found_by(Model(sees=False))
    assert found.images.is_no
    assert "may be dropped" in found.images.reason
    assert found.image_count is None
    assert chat.facts().images == 0


def test_one_lucky_guess_is_not_taken_for_seeing():
    def guesses(handler, body):
        is_asked = "What is drawn" in text_in(body)
        (answers("purple square") if is_asked else Model())(handler, body)

    found, chat, _ = found_by(guesses)
    assert found.images.answer == "unknown"
    assert chat.facts().images == 0


def test_naming_every_colour_and_shape_is_not_seeing():
    everything = f"{' '.join(COLOURS)} {' '.join(SHAPES)}"
    assert found_by(answers(everything))[0].images.is_no


@pytest.mark.parametrize(("most", "count"), [(1, 1), (4, 4), (5, 5), (24, 24)])
def test_the_number_of_pictures_is_found_from_the_refusal(most, count):
    found, _, _ = found_by(Model(pictures=most))
    assert found.image_count == count
    assert "at once were refused" in found.images.reason


def test_pictures_that_are_dropped_beyond_a_number_are_noticed():
    found, _, _ = found_by(Model(counted=4))
    assert found.image_count == 4
    assert found.images.reason.endswith("of 8 at once not all were counted")


def test_a_server_that_cuts_long_texts_is_noticed():
    found, _, _ = found_by(Model(chars=8000))
    assert found.long_prompt == Finding(
        "no", "the start of a text of 16000 characters was cut without a word"
    )
    assert found.kept_chars == 4000


def test_a_forgetful_model_is_not_taken_for_a_cut():
    def forgets(handler, body):
        text = text_in(body)
        told = {"usage": {"prompt_tokens": len(text) // 4}}
        (answers("no idea", **told) if NEEDLE in text else Model())(handler, body)

    found, _, _ = found_by(forgets)
    assert found.long_prompt.answer == "unknown"
    assert found.kept_chars is None


def test_a_server_that_refuses_long_texts_does_not_cut_them():
    def refuses(handler, body):
        act = errors(
            400, "This model's maximum context length is 8192 tokens. You asked for 12345."
        )
        (act if len(text_in(body)) > 20_000 else Model())(handler, body)

    found, _, _ = found_by(refuses)
    assert found.long_prompt == Finding("yes", "what is too long is refused, not cut")
    assert (found.kept_chars, found.context_tokens) == (16_000, 8192)


def test_no_logprobs_are_noticed():
    assert found_by(Model(logprobs=False))[0].logprobs.is_no


def test_a_server_that_cannot_be_used_at_all_is_not_probed():
    with pytest.raises(EngineMissing, match="does not accept the key"):
        found_by(errors(401))
    with pytest.raises(EngineStopped, match="not ready"):
        found_by(errors(503))


def test_probing_can_be_stopped_within_a_second():
    stop = threading.Event()
    with FaultServer(always=slow(5, answers("hi"))) as server:
        chat = OpenAIChat(Endpoint("desk", server.url, "tiny", is_on=True), patience=QUICK)
        threading.Timer(0.3, stop.set).start()
        chat_began = time.monotonic()
        with pytest.raises(Cancelled):
            chat.probe("now", stop=stop)
        # Loading the openai package takes its time, once.
        assert time.monotonic() - chat_began < 5


def test_what_was_found_survives_the_settings():
    found, _, _ = found_by(Model())
    assert Capabilities.from_json(json.loads(json.dumps(found.to_json()))) == found
    for spoilt in (
        {},
        {**found.to_json(), "schema": "yes"},
        {**found.to_json(), "image_count": "8"},
    ):
        with pytest.raises(Refused, match="found out again"):
            Capabilities.from_json(spoilt)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_drawn_picture_is_a_png_of_what_it_says(shape):
    data = picture_of("green", shape)
    assert struct.unpack(">II", data[16:24]) == (SIDE_PX, SIDE_PX)
    size = struct.unpack(">I", data[33:37])[0]
    rows = zlib.decompress(data[41 : 41 + size])
    assert len(rows) == SIDE_PX * (1 + 3 * SIDE_PX)
    wide = 1 + 3 * SIDE_PX
    starts = [at for y in range(SIDE_PX) for at in range(y * wide + 1, (y + 1) * wide, 3)]
    ink = sum(rows[at : at + 3] == bytes(COLOURS["green"]) for at in starts)
    side = 2 * (SIDE_PX // 3)
    area = {"square": side**2, "circle": 3.14159 * (side / 2) ** 2, "triangle": side**2 / 2}[shape]
    assert ink == pytest.approx(area, rel=0.03)


def test_the_long_text_holds_its_password_once_at_the_start():
    text = long_text(4000)
    assert 4000 <= len(text) < 4300
    assert text.count(NEEDLE) == 1
    assert text.index(NEEDLE) < 40
