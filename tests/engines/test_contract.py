"""What every engine keeps to, whoever wrote it; runs over all that are registered."""

from __future__ import annotations

import contextlib
import inspect
import json
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from fault_server import FaultServer, answers
from tiny_vision import write_language

from app.confusion.faces import FaceReader
from app.errors import Cancelled, EngineMissing, EngineStopped
from app.running.protocols import Embedder, EngineFacts, Transcriber, no_report
from app.running.questions import Chat, FrameRef, Message, Question, Sampler
from app.running.schemas import schema_error
from engines.base import engine, engine_names, make_engine
from engines.endpoints import Endpoint
from engines.llama_cpp_chat import LlamaCppChat
from engines.llama_cpp_model import LlamaModel
from engines.openai_api import OpenAIChat
from engines.scripted import Scripted

ROOT = Path(__file__).parents[2]
PROTOCOLS = {
    "embed": Embedder.embed,
    "transcribe": Transcriber.transcribe,
    "ask": Chat.ask,
    "read": FaceReader.read,
}
LEVEL = '{"level": 2}'
LEVEL_SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {"level": {"enum": [1, 2, 3, 4]}},
        "required": ["level"],
        "additionalProperties": False,
    }
)
FINISHES = {"stop", "length", "refusal", "content_filter", "error"}
SETTLED = {"minilm", "faster-whisper"}


def engines_that(can):
    return [name for name in engine_names() if hasattr(make_engine(name), can)]


def test_both_engines_of_the_first_journey_are_there():
    assert set(engine_names()) >= SETTLED


def test_an_unknown_engine_is_refused_with_the_names_there_are():
    with pytest.raises(EngineMissing, match="no engine called gpt") as caught:
        make_engine("gpt")
    assert "minilm" in caught.value.hint


def test_two_engines_cannot_share_a_name():
    engine_names()
    with pytest.raises(ValueError, match="two engines are called minilm"):

        @engine("minilm")
        class Other:
            pass


def test_listing_engines_loads_no_heavy_library():
    code = (
        "import sys; from engines.base import engine_names; engine_names();"
        "print(*sorted({'onnxruntime', 'faster_whisper', 'ctranslate2', 'av', 'cv2', 'tokenizers',"
        " 'huggingface_hub', 'PySide6'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""


@pytest.mark.parametrize("name", engine_names())
def test_an_engine_says_what_it_is_and_pins_its_model_down(name):
    facts = make_engine(name).facts()
    assert isinstance(facts, EngineFacts)
    assert facts.name == name
    assert facts.version
    assert facts.images >= 0
    assert facts.identity
    hashes = [value for key, value in facts.identity if key.startswith("sha256")]
    assert all(len(value) == 64 for value in hashes)


@pytest.mark.parametrize("name", engine_names())
def test_an_engine_can_do_something_as_its_protocol_says(name):
    made = make_engine(name)
    can = [method for method in PROTOCOLS if hasattr(made, method)]
    assert can
    for method in can:
        wanted = list(inspect.signature(PROTOCOLS[method]).parameters)[1:]
        given = inspect.signature(getattr(made, method)).parameters
        assert list(given)[: len(wanted)] == wanted
        more = list(given.values())[len(wanted) :]
        assert all(extra.default is not inspect.Parameter.empty for extra in more)


@pytest.mark.parametrize("name", engines_that("embed"))
def test_an_embedder_gives_rows_of_length_one_in_order(name):
    made = make_engine(name)
    texts = [
        "Why do you think so?",
        "",
        "Water boils at a hundred degrees.",
        "Why do you think so?",
    ]
    vectors = made.embed(texts)
    assert vectors.dtype == np.float32
    assert vectors.shape[0] == len(texts)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(vectors[0], vectors[3], atol=1e-5)
    assert np.allclose(made.embed(texts[2:3])[0], vectors[2], atol=1e-4)
    assert made.embed([]).shape == (0, vectors.shape[1])
    assert np.array_equal(vectors, made.embed(texts))


@contextlib.contextmanager
def scripted(_folder):
    yield Scripted(lambda _question, _draw: LEVEL)


@contextlib.contextmanager
def openai(_folder):
    with FaultServer(always=answers(LEVEL)) as server:
        chat = OpenAIChat(Endpoint("here", server.url, "tiny", is_on=True))
        yield chat
        chat.close()


@contextlib.contextmanager
def llama_cpp(folder):
    pytest.importorskip("llama_cpp", reason="llama-cpp-python is not installed (the extra vlm)")
    weights = write_language(folder / "tiny.gguf")
    chat = LlamaCppChat(LlamaModel(weights, context_tokens=512, threads=1))
    yield chat
    chat.close()


CHATS = {"scripted": scripted, "openai": openai, "llama-cpp": llama_cpp}
"""How each chat is given something to answer from."""


@pytest.fixture(scope="module", params=sorted(CHATS))
def chat(request, tmp_path_factory):
    with CHATS[request.param](tmp_path_factory.mktemp("chat")) as made:
        yield made


def asked(schema="", *parts):
    words = Message("user", (*parts, "Which level, from 1 to 4?"))
    return Question("contract", (words,), schema, Sampler(max_tokens=20))


def test_every_chat_is_tried_here():
    assert set(CHATS) == set(engines_that("ask"))


@pytest.mark.parametrize("name", engines_that("ask"))
def test_a_chat_that_was_given_nothing_to_ask_says_so(name):
    with pytest.raises((EngineMissing, EngineStopped)) as caught:
        make_engine(name).ask(asked(), (0,), no_report, threading.Event())
    assert caught.value.message
    assert caught.value.hint


def test_a_chat_gives_one_answer_a_draw_that_can_be_kept_and_sent_on(chat):
    given = chat.ask(asked(LEVEL_SCHEMA), (0, 1, 2), no_report, threading.Event())
    assert len(given) == 3
    assert pickle.loads(pickle.dumps(given)) == given
    for answer in given:
        assert answer.finish in FINISHES
        assert answer.text
        assert answer.error == ""
        assert answer.seconds >= 0
        counts = (answer.tokens_in, answer.tokens_cached, answer.tokens_out)
        assert all(count is None or count >= 0 for count in counts)
        assert (answer.tokens_cached or 0) <= (answer.tokens_in or 0)
        assert all(isinstance(name, str) and isinstance(told, str) for name, told in answer.details)


def test_a_chat_that_holds_to_a_schema_does_so(chat):
    [answer] = chat.ask(asked(LEVEL_SCHEMA), (0,), no_report, threading.Event())
    if chat.facts().has_schema:
        assert schema_error(json.loads(answer.text), LEVEL_SCHEMA) == ""


def test_a_chat_that_is_asked_for_no_draws_gives_none(chat):
    assert chat.ask(asked(), (), no_report, threading.Event()) == []


def test_a_chat_tells_how_far_it_is_in_shares_and_words(chat):
    told = []
    chat.ask(asked(), (0, 1), lambda *now: told.append(now), threading.Event())
    assert all(0 <= share <= 1 and doing for share, doing in told)


def test_a_chat_that_is_stopped_before_it_starts_says_so(chat):
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        chat.ask(asked(), (0,), no_report, stop)


def test_a_chat_is_the_same_before_and_after_it_is_asked(chat):
    before = chat.facts()
    chat.ask(asked(), (0,), no_report, threading.Event())
    assert chat.facts() == before
    assert before.in_flight >= 1
    assert before.context_tokens is None or before.context_tokens > 0
    names = [name for name, _ in before.identity]
    assert len(set(names)) == len(names)
    assert all(isinstance(value, str) and value for _, value in before.identity)
    # The key of a question rests on it, and must not hang on where the engine was made.
    assert asked().key(before.identity, 0) == asked().key(tuple(reversed(before.identity)), 0)


def test_a_chat_that_sees_nothing_never_answers_as_if_it_had_seen(chat):
    if chat.facts().images:
        pytest.skip("it sees frames")
    frame = FrameRef(str(ROOT / "resources/sample/lesson.mp4"), "a" * 64, 1000, 96)
    with pytest.raises(EngineMissing):
        chat.ask(asked("", frame), (0,), no_report, threading.Event())


@pytest.mark.parametrize("name", engines_that("transcribe"))
def test_a_transcriber_that_is_stopped_before_it_starts_says_so(name):
    stop = threading.Event()
    stop.set()
    recording = ROOT / "tests/data/speech/ice.ogg"
    with pytest.raises(Cancelled):
        make_engine(name).transcribe(str(recording), lambda *_: None, stop)
