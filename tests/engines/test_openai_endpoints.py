"""Endpoints as records, and that nothing goes out before one is turned on."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from fault_server import FaultServer
from hypothesis import given
from hypothesis import strategies as st

from app.errors import EngineMissing, Refused
from app.running.protocols import no_report
from app.running.questions import Message, Question
from engines.endpoints import Endpoint, notice
from engines.openai_api import OpenAIChat

ROOT = Path(__file__).parents[2]
NEAR = Endpoint("desk", "http://127.0.0.1:8000/v1", "qwen", is_on=True)
FAR = Endpoint("cloud", "https://api.example.org/v1", "big", is_on=True, price_in=2.5)


def test_an_endpoint_survives_the_settings():
    for endpoint in (NEAR, FAR, replace(FAR, key_from="environment", key_variable="MY_KEY")):
        assert Endpoint.from_json(json.loads(json.dumps(endpoint.to_json()))) == endpoint


def test_an_endpoint_is_off_until_it_is_turned_on():
    assert not Endpoint("desk", "http://127.0.0.1:8000/v1", "qwen").is_on
    told = NEAR.to_json()
    del told["is_on"]
    assert not Endpoint.from_json(told).is_on


@pytest.mark.parametrize("value", [1, "true", None, [True]])
def test_only_a_plain_yes_turns_an_endpoint_on(value):
    with pytest.raises(Refused, match="cannot be read: is_on"):
        Endpoint.from_json({**NEAR.to_json(), "is_on": value})


ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20), st.just([1])
)


@given(st.dictionaries(st.sampled_from([*NEAR.to_json(), "more"]), ANYTHING))
def test_settings_that_were_spoilt_are_refused_or_read_and_nothing_else(spoilt):
    try:
        read = Endpoint.from_json({**NEAR.to_json(), **spoilt})
    except Refused:
        return
    assert Endpoint.from_json(read.to_json()) == read


@pytest.mark.parametrize(
    ("address", "is_local"),
    [
        ("http://127.0.0.1:8000/v1", True),
        ("http://127.9.9.9/v1", True),
        ("http://localhost:11434/v1", True),
        ("http://[::1]:8080/v1", True),
        ("https://127.0.0.1.example.org/v1", False),
        ("https://localhost.example.org/v1", False),
        ("https://0.0.0.0:8000/v1", False),
        ("https://192.168.1.4:8000/v1", False),
        ("https://api.example.org/v1", False),
    ],
)
def test_only_loopback_is_this_computer(address, is_local):
    assert Endpoint("x", address, "m").is_local is is_local


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("ftp://127.0.0.1/v1", "not one of the web"),
        ("127.0.0.1:8000/v1", "not one of the web"),
        ("http:///v1", "not one of the web"),
        ("http://127.0.0.1:99999/v1", "not one of the web"),
        ("http://127.0.0.1/v1 \r\nHost: x", "not one of the web"),
        ("http://127.0.0.1\\@example.org/v1", "not one of the web"),
        ("http://127.0.0.1@example.org/v1", "holds a name, a key"),
        ("https://example.org/v1?key=sk-1", "holds a name, a key"),
        ("https://example.org/v1#sk-1", "holds a name, a key"),
        ("http://192.168.1.4:8000/v1", "would go to 192.168.1.4 unencrypted"),
    ],
)
def test_addresses_that_are_none_or_hide_something_are_refused(address, told):
    with pytest.raises(Refused, match=told) as caught:
        Endpoint("x", address, "m")
    assert "sk-1" not in str(caught.value)


@pytest.mark.parametrize(
    "wrong",
    [
        {"max_in_flight": 0},
        {"max_in_flight": 5000},
        {"silence_s": 0},
        {"connect_s": float("nan")},
        {"price_in": -1.0},
        {"price_out": float("inf")},
        {"key_from": "file"},
        {"key_from": "environment", "key_variable": "sk-secret"},
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong):
    with pytest.raises(Refused) as caught:
        replace(NEAR, **wrong)
    assert "sk-secret" not in str(caught.value)


def test_one_address_is_written_in_one_way():
    a = Endpoint("x", "http://LOCALHOST:8000/v1/", "m")
    assert a.base_url == "http://localhost:8000/v1"
    assert OpenAIChat(a).facts().identity == OpenAIChat(replace(a, name="y")).facts().identity


def test_the_status_bar_says_where_things_go():
    assert notice([replace(NEAR, is_on=False), replace(FAR, is_on=False)]) == (
        "Nothing leaves this computer."
    )
    assert notice([NEAR]) == "desk: this computer only (http://127.0.0.1:8000)"
    tunnel = replace(NEAR, leads_elsewhere=True)
    assert notice([tunnel]) == (
        "desk: frames and words go to another computer, by way of http://127.0.0.1:8000"
    )
    assert not OpenAIChat(tunnel).facts().offline
    plain = Endpoint("lab", "http://10.0.0.5:8000/v1", "m", is_on=True, allows_plain=True)
    assert notice([FAR, plain]) == (
        "cloud: frames and words go to https://api.example.org; "
        "lab: frames and words go to http://10.0.0.5:8000, unencrypted"
    )


def test_an_endpoint_that_is_off_is_sent_nothing():
    asked = Question("q", (Message("user", ("Private words",)),), "")
    with FaultServer() as server:
        chat = OpenAIChat(Endpoint("desk", server.url, "m"))
        with pytest.raises(EngineMissing, match="turned off, so nothing was sent"):
            chat.ask(asked, (0,), no_report, threading.Event())
        with pytest.raises(EngineMissing, match="turned off, so nothing was sent"):
            chat.probe("now")
        assert server.seen == []


def test_importing_listing_and_describing_open_no_socket():
    code = """
import sys
def no_sockets(event, _args):
    if event.startswith("socket."):
        raise SystemExit(f"a socket was touched: {event}")
sys.addaudithook(no_sockets)
from engines.base import engine_names, make_engine
from engines.endpoints import Endpoint, notice
import engines.endpoint_probe, engines.keys
far = Endpoint("cloud", "https://api.example.org/v1", "big", is_on=True)
print("openai" in engine_names(), make_engine("openai", far).facts().offline, notice([far]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("True False cloud: frames")


def test_proxies_of_the_environment_are_left_alone_unless_asked_for(monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("all_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    asked = Question("q", (Message("user", ("Hello",)),), "")
    with FaultServer() as server:
        chat = OpenAIChat(Endpoint("desk", server.url, "m", is_on=True, uses_system_proxy=True))
        assert chat.ask(asked, (0,), no_report, threading.Event())[0].finish == "stop"


def test_a_proxy_that_was_asked_for_gets_the_whole_address(monkeypatch):
    with FaultServer() as proxy:
        monkeypatch.setenv("http_proxy", proxy.url.removesuffix("/v1"))
        monkeypatch.setenv("no_proxy", "")
        far = Endpoint("lab", "http://lab.invalid:8000/v1", "m", is_on=True, allows_plain=True,
                       uses_system_proxy=True)  # fmt: skip
        asked = Question("q", (Message("user", ("Hello",)),), "")
        answer = OpenAIChat(far).ask(asked, (0,), no_report, threading.Event())[0]
        assert answer.finish == "stop"
        _, path, headers, _ = proxy.seen[0]
    assert path == "http://lab.invalid:8000/v1/chat/completions"
    assert headers["host"] == "lab.invalid:8000"
