"""The chat coder on real engines: a server on loopback, a tiny model that sees, a small one."""

from __future__ import annotations

import json
import re
import threading
from dataclasses import replace

import pytest
from fault_server import FaultServer, completion, send_json
from real_models import QWEN, put_together
from tiny_vision import write_eye, write_language

from app.__main__ import parts
from app.coding.chat_coder import ChatCoder
from app.coding.chat_lines import safe_tokens
from app.coding.conditions import CoderChoice, Condition, Input, Prompting
from app.coding.material import Material
from app.coding.records import Check
from app.desk import Desk
from app.lesson.clips import Clip
from app.lesson.media.probe import probe
from app.lesson.transcript.records import Role, Utterance
from app.running.protocols import no_report
from app.running.questions import Sampler
from app.scoring.scored import ANSWERED
from app.settings import Settings
from app.store.library import Library
from engines.endpoint_capabilities import Capabilities, Finding
from engines.endpoints import Endpoint
from engines.llama_cpp_chat import LlamaCppChat
from engines.llama_cpp_model import LlamaModel
from resources import resource

TALK = (
    "Why do you think the ice melts faster in the metal bowl?",
    "Because the metal is warmer.",
    "And how could we find out whether it is?",
)


def material(clips=None, media=None):
    lines = tuple(
        Utterance(n, text, (n - 1) * 1_000, n * 1_000, "A" if n % 2 else "B")
        for n, text in enumerate(TALK, 1)
    )
    clips = clips or (Clip("c1", 1, 3, 0, 3_000),)
    return Material("lesson-1", "Ice", clips, lines, {"A": Role.TEACHER}, media)


@pytest.fixture
def library(tmp_path):
    with Library.open(tmp_path / "a.clerestory", "Ann") as opened:
        yield opened


def coder(library, chat, condition, draws=1, **more):
    return ChatCoder(CoderChoice("model", condition, draws), chat, library.attempts, **more)


# A server on loopback, through the desk


def says(handler, body):
    """Answer with the first line that was said, and with a time if frames are shown."""
    parts = body["messages"][-1]["content"]
    parts = parts if isinstance(parts, list) else [{"type": "text", "text": parts}]
    words = "".join(part.get("text", "") for part in parts)
    number, quote = re.search(r'^(\d+) \| [^|]* \| [^|]* \| (".*")$', words, re.MULTILINE).groups()
    evidence = [{"quote": json.loads(quote), "utterances": [int(number)]}]
    moments = re.findall(r"Frame at ([\d:]+):", words)
    if moments:
        evidence.append({"seen": "a bowl", "from": moments[0], "to": moments[-1]})
    said = {"category": "D1", "level": 2, "evidence": evidence}
    send_json(handler, completion(json.dumps(said)))


def settings_for(server, images=4):
    yes = Finding("yes", "seen")
    found = Capabilities("now", "m", "", yes, yes, images, yes, 48_000, yes, None).to_json()
    stored = Endpoint("near", server.url, "tiny-1", is_on=True, max_in_flight=32).to_json()
    return Settings(endpoints=(stored,), endpoints_found={"near": found})


def test_a_server_codes_the_sample_lesson_by_words_and_by_frames(library):
    with FaultServer(always=says) as server:
        desk = Desk(library, parts(), settings_for(server))
        [choice] = [c for c in desk.engines() if c.name == "near"]
        assert (choice.images, choice.leaves, choice.trouble) == (4, False, "")
        lesson_id = desk.add_sample()
        for condition in (Condition(Input.T), Condition(Input.TV, Prompting.FEW_SHOT)):
            desk.code(lesson_id, CoderChoice("near", condition))
        desk.files.close()
    review = library.lesson(lesson_id)
    assert len(review.predictions) == 2 * len(review.clips) == len(server.bodies)
    assert {p.status for p in review.predictions} == {"ok"}
    assert all(p.evidence[0].check is Check.VERIFIED for p in review.predictions)
    seen = [p for p in review.predictions if p.coder == "near TV few_shot"]
    assert all(p.evidence[1].check is Check.SEEN for p in seen)
    shown = [
        part["image_url"]["url"]
        for body in server.bodies
        for part in body["messages"][-1]["content"]
        if isinstance(part, dict) and part["type"] == "image_url"
    ]
    assert len(shown) == sum(int(dict(p.provenance)["frames"].split()[0]) for p in seen) > 4
    assert all(url.startswith("data:image/jpeg;base64,") for url in shown)
    told = [dict(p.provenance) for p in review.predictions]
    assert {(t["endpoint"], t["model"]) for t in told} == {(server.url, "tiny-1")}
    assert {(t["answered by"], t["fingerprint of the server"]) for t in told} == {
        ("tiny-1", "fp_1")
    }
    names = {line.speaker for line in review.transcript.utterances if line.speaker}
    asked = json.dumps([body["messages"][-1]["content"] for body in server.bodies])
    assert names
    assert not [name for name in names if f"| {name}" in asked]


# Models on this computer


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    pytest.importorskip("llama_cpp", reason="llama-cpp-python is not installed (the extra vlm)")
    folder = tmp_path_factory.mktemp("tiny")
    # Its vocabulary has one token for each letter, so the definitions alone take 6,000.
    weights = write_language(folder / "tiny.gguf", context=24_576)
    chat = LlamaCppChat(
        LlamaModel(weights, write_eye(folder / "mmproj.gguf"), context_tokens=24_576)
    )
    yield chat
    chat.close()


@pytest.mark.slow
@pytest.mark.parametrize("wanted", [Input.T, Input.TV])
def test_a_tiny_model_that_sees_goes_through_the_same_code(library, tiny, wanted):
    media = probe(resource("sample") / "lesson.mp4")
    made = coder(library, tiny, Condition(wanted), frame_px=112)
    [[found]] = made.code_all([material(media=media)], no_report, threading.Event())
    # Its weights are chance: what it writes is held to the form, and rarely ends in time.
    assert found.status in (*ANSWERED, "truncated", "schema-fail")
    assert found.is_failure or found.evidence
    [run] = library.attempts.runs()
    # The first attempt: a second one, where there is one, finds the frames encoded.
    attempt = library.attempts.of_run(run.run_id)[0]
    assert attempt.raw.tokens_out > 0
    if wanted is Input.TV:
        assert dict(found.provenance)["frames"] == "3 at 0, 1000, 2000 ms"
        assert dict(attempt.raw.details)["frames encoded"] == "3"


@pytest.fixture(scope="module")
def qwen(tmp_path_factory):
    pytest.importorskip("llama_cpp", reason="llama-cpp-python is not installed (the extra vlm)")
    path = put_together(QWEN, tmp_path_factory.mktemp("qwen"))
    if path is None:
        pytest.skip("the packages of the group real-models are not installed")
    chat = LlamaCppChat(LlamaModel(path, context_tokens=8_192))
    yield chat
    chat.close()


@pytest.mark.slow
@pytest.mark.parametrize("prompting", Prompting)
def test_a_real_small_model_codes_and_its_quotes_are_checked(library, qwen, prompting):
    made = coder(library, qwen, Condition(Input.T, prompting))
    [[found]] = made.code_all([material()], no_report, threading.Event())
    assert found.status in (*ANSWERED, "truncated", "schema-fail")
    for evidence in found.evidence:
        known = any(evidence.citation.quote in text for text in TALK)
        assert evidence.check is Check.VERIFIED or not known
    question = made.plan([material()]).draws[0].question
    words = "".join(p for m in question.messages for p in m.parts)
    really = int(dict(found.provenance)["tokens in"])
    if dict(found.provenance)["retry"] == "no":
        # The figure that decides what fits must never lie below what it takes.
        assert really < safe_tokens(words) < 2 * really


@pytest.mark.slow
def test_draws_of_a_real_model_share_what_they_read(library, qwen):
    made = coder(library, qwen, Condition(Input.T), draws=3)
    [[found]] = made.code_all([material()], no_report, threading.Event())
    assert len(found.said) == 3
    attempts = library.attempts.of_keys([said.key for said in found.said])
    assert sum(a.raw.tokens_cached > 0.9 * a.raw.tokens_in for a in attempts if a.place == 1) >= 2


@pytest.mark.slow
def test_what_does_not_fit_the_real_model_is_cut_and_still_fits(library, qwen):
    long = [f"Line {n}: why would the bowl number {n} melt it faster, and how?" for n in range(400)]
    lines = tuple(Utterance(n, t, n * 1_000, n * 1_000 + 900) for n, t in enumerate(long, 1))
    lesson = replace(material((Clip("c1", 1, 400, 1_000, 401_000),)), utterances=lines)
    short = LlamaCppChat(replace(qwen.model, context_tokens=4_608))
    plan = coder(library, short, Condition(Input.T)).plan([lesson])
    # Only whether it fits is looked at, so a few words of the answer will do.
    question = replace(plan.draws[0].question, sampler=Sampler(max_tokens=8))
    [raw] = short.ask(question, [0], no_report, threading.Event())
    short.close()
    assert raw.finish != "error"
    assert raw.tokens_in + 2 * 1_024 < 4_608
    assert "Left out because the clip is too long: utterances" in question.messages[-1].parts[0]
