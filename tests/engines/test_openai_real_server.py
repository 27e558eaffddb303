"""The engine against a real compatible server with a real small model, on this computer alone.

Needs the extra `vlm`, the group `real-models` and the packages of llama-cpp-python's server; it
skips where they are absent.
"""

from __future__ import annotations

import importlib.util
import json
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

import pytest

from app.running.protocols import no_report
from app.running.questions import Message, Question, Sampler
from engines.endpoints import Endpoint
from engines.openai_api import OpenAIChat

pytestmark = pytest.mark.slow
NEEDED = ("llama_cpp", "fastapi", "uvicorn", "starlette_context", "pydantic_settings")
SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {"practice": {"type": "string", "enum": ["BI", "D1"]}},
        "required": ["practice"],
        "additionalProperties": False,
    }
)


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory):
    from real_models import QWEN, put_together

    if not all(importlib.util.find_spec(name) for name in NEEDED):
        pytest.skip("llama-cpp-python and its server are not installed")
    model = put_together(QWEN, tmp_path_factory.mktemp("model"))
    if model is None:
        pytest.skip("the real models are not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "llama_cpp.server", "--model", str(model)]
    command += ["--host", "127.0.0.1", "--port", str(port), "--n_ctx", "1024"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}/v1"
    try:
        wait_for(f"{url}/models", server)
        yield Endpoint("here", url, "qwen", is_on=True)
    finally:
        server.terminate()
        server.wait(10)


def wait_for(url, server):
    end_s = time.monotonic() + 60
    while time.monotonic() < end_s and server.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=1).close()
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
        else:
            return
    raise AssertionError("the server did not start")


def ask(endpoint, schema="", max_tokens=12, found=None):
    question = Question(
        "greeting",
        (Message("user", ("Say good morning to the class.",)),),
        schema,
        Sampler(max_tokens=max_tokens),
    )
    return OpenAIChat(endpoint, found).ask(question, (0, 1), no_report, threading.Event())


def test_two_draws_at_temperature_zero_are_the_same_words(endpoint):
    first, second = ask(endpoint)
    assert first.finish in ("stop", "length")
    assert first.text == second.text != ""
    assert first.tokens_in
    assert first.tokens_out


def test_an_answer_that_reaches_the_limit_says_so(endpoint):
    (answer, _) = ask(endpoint, max_tokens=2)
    assert answer.finish == "length"
    assert answer.tokens_out == 2


def test_a_server_that_takes_no_schema_is_told_from_a_broken_one(endpoint):
    from app.errors import EngineMissing

    with pytest.raises(EngineMissing, match="does not take the form") as caught:
        ask(endpoint, SCHEMA)
    assert "Test it on the Models page" in caught.value.hint


def test_a_test_finds_the_form_in_which_the_server_takes_a_schema(endpoint):
    found = OpenAIChat(endpoint).probe("2026-11-30")
    assert found.schema.is_yes
    assert found.schema_form == "json_object"
    assert not found.images.is_yes
    first, second = ask(endpoint, SCHEMA, found=found)
    assert json.loads(first.text)["practice"] in ("BI", "D1")
    assert first.text == second.text
