"""Getting a chat by name: what is refused, what is told without loading anything."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from tiny_vision import write_eye, write_language

from app.errors import EngineMissing, Refused
from app.running.child import Child
from app.running.protocols import Price
from app.running.questions import Message, Question
from engines.chats import context_tokens, endpoint_chat, local_chat, runnable
from engines.endpoint_capabilities import Capabilities, Finding
from engines.endpoints import Endpoint
from engines.fits import Card, Computer
from engines.llama_cpp_api import VERSION
from engines.local_models import add_local

GIB = 1 << 30
HELLO = Question("hello", (Message("user", ("Hello",)),), "")


@pytest.fixture
def seeing(tmp_path):
    return add_local(
        write_language(tmp_path / "tiny.gguf"), write_eye(tmp_path / "mmproj.gguf"), "Tiny"
    )


@pytest.fixture
def has_library(monkeypatch):
    monkeypatch.setattr("engines.llama_cpp_api.installed_version", lambda: VERSION)
    monkeypatch.setattr("engines.llama_cpp_model.installed_version", lambda: VERSION)
    monkeypatch.setattr("engines.llama_cpp_chat.installed_version", lambda: VERSION)


class NoChild(Child):
    """A child that must not be called."""

    def __init__(self):
        pass

    def call(self, *_args, **_more):
        raise AssertionError("the child was called")


def test_a_model_tells_what_it_is_without_being_loaded(seeing, has_library, monkeypatch):
    def read(*_args):
        raise AssertionError("the whole file was read")

    monkeypatch.setattr("hashlib.file_digest", read)
    facts = local_chat(NoChild(), "tiny").facts()
    assert dict(facts.identity)["sha256 weights"] == seeing.weights.sha256
    assert dict(facts.identity)["sha256 projector"] == seeing.projector.sha256
    assert facts.images > 0
    assert facts.offline
    assert facts.price is None
    # The file says that it was made for fewer than the computer has room for.
    assert facts.context_tokens == 4096


def test_a_model_without_a_projector_sees_nothing(tmp_path, has_library):
    add_local(write_language(tmp_path / "tiny.gguf"), None, "Blind")
    assert local_chat(NoChild(), "blind").facts().images == 0


def test_a_name_that_is_not_installed_is_refused_with_those_that_are(seeing):
    with pytest.raises(EngineMissing, match="No model called huge") as caught:
        local_chat(NoChild(), "huge")
    assert "tiny" in caught.value.hint


def test_without_llama_cpp_the_line_that_installs_it_is_given(seeing, monkeypatch):
    monkeypatch.setattr("engines.llama_cpp_api.installed_version", lambda: "")
    with pytest.raises(EngineMissing, match="is not installed") as caught:
        local_chat(NoChild(), "tiny")
    assert "pip install llama-cpp-python" in caught.value.hint


@pytest.mark.parametrize(
    ("computer", "tokens"),
    [
        (Computer(16 * GIB, None), 16_384),
        # 2 GiB for the system, 1 GiB for the work, 4 GiB of files: 1 GiB stays, at 128 KiB each.
        (Computer(8 * GIB, None), 8_192),
        (Computer(8 * GIB, 0), 8_192),
        (Computer(8 * GIB, None, (Card("a card", 24 * GIB, 0),)), 16_384),
        (Computer(8 * GIB, None, shared=True), 8_192),
        (Computer(None, None), 16_384),
    ],
)
def test_a_model_keeps_in_mind_what_the_computer_has_room_for(seeing, computer, tokens):
    assert context_tokens(_of_size(seeing, 4 * GIB), computer) == tokens


def test_a_model_that_does_not_fit_is_refused_with_both_sizes(seeing):
    with pytest.raises(EngineMissing, match=r"needs about 11\.3 GB.*at most 6\.4 GB"):
        runnable(_of_size(seeing, 9 * GIB), Computer(8 * GIB, None))


def _of_size(model, size_bytes):
    weights, *more = model.files
    rest = sum(file.size_bytes for file in more)
    files = (replace(weights, size_bytes=size_bytes - rest), *more)
    return replace(model, files=files, context_bytes_per_token=128 * 1024)


def test_an_endpoint_tells_what_it_may_be_asked_without_being_asked():
    stored = Endpoint(
        "here", "http://127.0.0.1:9/v1", "m", max_in_flight=32, price_in=1.0, price_out=4.0
    ).to_json()
    facts = endpoint_chat(stored, _found(), _no_pictures).facts()
    assert facts.in_flight == 32
    assert facts.price == Price(1.0, 4.0, "USD")
    assert facts.images == 8
    assert facts.context_tokens == 32_768
    untested = endpoint_chat(stored, None, _no_pictures).facts()
    assert (untested.images, untested.context_tokens) == (0, None)
    free = endpoint_chat({**stored, "price_out": None}, None, _no_pictures).facts()
    assert free.price is None


def test_an_endpoint_that_is_off_is_not_asked():
    chat = endpoint_chat(
        Endpoint("here", "http://127.0.0.1:9/v1", "m").to_json(), None, _no_pictures
    )
    with pytest.raises(EngineMissing, match="turned off"):
        chat.ask(HELLO, [0], lambda *_: None, threading.Event())


def test_tables_that_make_no_sense_are_refused():
    with pytest.raises(Refused):
        endpoint_chat({"name": "here"}, None, _no_pictures)


def _no_pictures(_frame):
    raise AssertionError("a picture was asked for")


def _found():
    yes = Finding("yes", "seen")
    return Capabilities("now", "m", "", yes, yes, 8, yes, 48_000, yes, 32_768).to_json()
