"""Real language models through llama.cpp, beside llama-cpp-python's own road as a peer."""

from __future__ import annotations

import json
import threading
from dataclasses import replace

import pytest
from real_models import GEMMA, QWEN, put_together

from app.errors import EngineMissing
from app.running.protocols import no_report
from app.running.questions import Message, Question, Sampler
from app.running.schemas import schema_error
from engines.llama_cpp_chat import LlamaCppChat
from engines.llama_cpp_model import LlamaModel

llama_cpp = pytest.importorskip(
    "llama_cpp", reason="llama-cpp-python is not installed (the extra vlm)"
)
pytestmark = pytest.mark.slow

SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {
            "kind": {"enum": ["question", "statement"]},
            "level": {"type": "integer", "minimum": 1, "maximum": 4},
        },
        "required": ["kind", "level"],
        "additionalProperties": False,
    }
)
FIRST = 12
"""Tokens that are the same though the peer reads a prompt in other batches: its scores are rounded
otherwise, and after some 16 of these a near tie falls to the other side."""
TEACHER = "Why do you think the ice melted faster in the metal bowl?"


def model_of(sha256, folder, **settings):
    path = put_together(sha256, folder)
    if path is None:
        pytest.skip("the packages of the group real-models are not installed")
    return LlamaModel(path, context_tokens=1024, **settings)


@pytest.fixture(scope="module")
def qwen(tmp_path_factory):
    return model_of(QWEN, tmp_path_factory.mktemp("qwen"))


@pytest.fixture(scope="module")
def chat(qwen):
    made = LlamaCppChat(qwen)
    yield made
    made.close()


def question(words, schema="", **sampler):
    messages = (Message("system", ("You label what teachers say.",)), Message("user", (words,)))
    return Question("test", messages, schema, Sampler(**{"max_tokens": 24} | sampler))


def answers(chat, asked, draws=(0,)):
    return chat.ask(asked, draws, no_report, threading.Event())


def test_the_first_words_are_those_of_llama_cpp_itself(chat, qwen):
    asked = question(TEACHER)
    ours = answers(chat, asked)[0]
    peer = llama_cpp.Llama(str(qwen.weights), n_ctx=1024, verbose=False)
    theirs = peer.create_chat_completion(
        [{"role": m.role, "content": m.parts[0]} for m in asked.messages],
        temperature=0.0,
        max_tokens=FIRST,
        repeat_penalty=1.0,
    )
    peer.close()
    assert ours.tokens_in == theirs["usage"]["prompt_tokens"]
    words = theirs["choices"][0]["message"]["content"]
    assert len(words) > 3 * FIRST
    assert ours.text.startswith(words)


def test_every_draw_keeps_the_schema(chat):
    first = answers(chat, question(TEACHER, SCHEMA, temperature=1.0, max_tokens=60), range(4))
    for each in first:
        assert schema_error(json.loads(each.text), SCHEMA) == ""


def test_a_warm_model_writes_to_the_letter_what_a_cold_one_writes(chat, qwen):
    rules = "You label what teachers say, as a question or as a statement, with its level. " * 8
    before = replace(
        question(f"{TEACHER} Tell me."), messages=spoken(rules, f"{TEACHER} Tell me more of it.")
    )
    asked = replace(question(TEACHER, max_tokens=60), messages=spoken(rules, f"{TEACHER} Tell me."))
    alone = LlamaCppChat(qwen)
    cold = answers(alone, asked)[0]
    alone.close()
    answers(chat, before)
    warm, again = answers(chat, asked)[0], answers(chat, asked)[0]
    assert cold.tokens_cached == 0
    # All but the part that differs; then all but the last token.
    assert 0.7 * warm.tokens_in < warm.tokens_cached < warm.tokens_in - 1
    assert again.tokens_cached == again.tokens_in - 1
    assert cold.text == warm.text == again.text


def spoken(rules, words):
    return (Message("system", (rules,)), Message("user", (words,)))


def test_labels_are_read_with_nearly_all_the_weight_on_the_letters(chat):
    read = chat.read_labels(question(f"What is this: “{TEACHER}”"), ("question", "statement"))
    assert read.coverage > 0.5


def test_the_base_model_is_refused_as_it_is_and_goes_on_in_the_plain_form(tmp_path):
    blank = model_of(GEMMA, tmp_path)
    with pytest.raises(EngineMissing, match="no chat template"):
        answers(LlamaCppChat(blank), question("The capital of France is"))
    plain = LlamaCppChat(LlamaModel(blank.weights, context_tokens=1024, plain=True))
    words = (Message("user", ("The capital of France is Paris, and",)),)
    asked = Question("test", words, SCHEMA, Sampler(max_tokens=100))
    given = answers(plain, asked, (0, 1))
    assert schema_error(json.loads(given[0].text), SCHEMA) == ""
    assert given[0].text == given[1].text
    plain.close()
