"""A planted key is looked for in everything that is written, whatever goes wrong."""

from __future__ import annotations

import logging
import pickle
import threading
import traceback

import fault_server
import keyring
import pytest
from fault_server import FaultServer, answers, echoes_the_key, errors
from keyring.backend import KeyringBackend

from app.errors import ClerestoryError, EngineMissing, Refused
from app.running.protocols import no_report
from app.running.questions import Message, Question
from engines.endpoint_line import Patience
from engines.endpoints import Endpoint
from engines.keys import Secret, forget_key, keyring_trouble, read_key, save_key
from engines.openai_api import OpenAIChat

KEY = "sk-PLANTED-0123456789"
QUICK = Patience(tries=2, first_wait_s=0.01, longest_wait_s=1.0)
ASKED = Question("q", (Message("user", ("Private words of a child",)),), '{"type":"object"}')

FAULTS = {
    "well": answers("{}"),
    **{
        f"echoes-{status}": echoes_the_key(status) for status in (200, 400, 401, 404, 429, 500, 503)
    },
    "echoes-in-answer": lambda h, b: answers(h.headers["authorization"])(h, b),
    "echoes-in-type": lambda h, b: fault_server.send(h, 200, b"<p>", h.headers["authorization"]),
    "redirects": lambda h, b: fault_server.send(
        h, 302, b"", "text/plain", location=f"https://{KEY}.example.org/{KEY}"
    ),
    "cut": fault_server.cut_half_way,
    "chunks": fault_server.cut_chunks,
    "hangs-up": fault_server.hangs_up,
    "not-http": fault_server.not_http,
    "echoes-raw": lambda h, _b: h.wfile.write(h.headers["authorization"].encode() + b"\r\n\r\n"),
    "silent": fault_server.slow(2, answers("{}")),
    "schema": errors(400, "response_format"),
}


@pytest.fixture
def written(tmp_path):
    """Collect all that is logged, down to the last detail, by everybody."""
    file = tmp_path / "log.txt"
    handler = logging.FileHandler(file)
    root = logging.getLogger()
    names = ("openai", "openai._base_client", "httpx2", "httpcore2", "engines", "keyring")
    loggers = [root, *map(logging.getLogger, names)]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
    root.addHandler(handler)
    yield file
    root.removeHandler(handler)
    handler.close()
    for logger, level in zip(loggers, before, strict=True):
        logger.setLevel(level)


def everything_said(chat, work):
    """Do some work; give all words that come of it: results, errors, causes and tracebacks."""
    try:
        result = work()
    except ClerestoryError as error:
        said = [str(error), repr(error)]
        met = error
        while met is not None:
            # Also what Python hides of the causes when it prints them.
            told = traceback.TracebackException.from_exception(met, capture_locals=True)
            said += ["".join(told.format()), repr(met)]
            met = met.__cause__ or met.__context__
    else:
        said = [repr(result)]
    return "\n".join([*said, repr(chat), repr(chat.facts()), repr(chat.used()), repr(vars(chat))])


@pytest.mark.parametrize("fault", FAULTS)
def test_a_key_appears_nowhere_but_in_the_header_it_is_sent_in(fault, written, monkeypatch, caplog):
    monkeypatch.setenv("DESK_KEY", KEY)
    with FaultServer(always=FAULTS[fault]) as server:
        endpoint = Endpoint("desk", server.url, "m", is_on=True, key_from="environment",
                            key_variable="DESK_KEY", silence_s=0.5)  # fmt: skip
        chat = OpenAIChat(endpoint, patience=QUICK)
        said = everything_said(chat, lambda: chat.ask(ASKED, (0, 1), no_report, threading.Event()))
        said += everything_said(chat, lambda: chat.probe("now"))
        chat.close()
        assert {headers["authorization"] for _, _, headers, _ in server.seen} == {f"Bearer {KEY}"}
    for text in (said, repr(endpoint.to_json()), written.read_text(), caplog.text):
        assert KEY not in text
    for text in (written.read_text(), caplog.text):
        assert "Private words" not in text


def test_what_the_environment_holds_for_other_programs_goes_nowhere(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, KEY)
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", f"X-Other: {KEY}")
    with FaultServer() as server:
        chat = OpenAIChat(Endpoint("desk", server.url, "m", is_on=True), patience=QUICK)
        chat.ask(ASKED, (0,), no_report, threading.Event())
        chat.probe("now")
        assert len(server.seen) > 5
        for _, _, headers, _ in server.seen:
            assert set(headers) <= {
                "host", "accept", "accept-encoding", "user-agent", "content-type", "content-length",
            }  # fmt: skip
            assert headers["user-agent"] == "clerestory"


def test_a_secret_does_not_show_itself():
    secret = Secret(KEY)
    assert f"{secret} {secret!r} {[secret]}" == "(key) (key) [(key)]"
    assert secret.hide_in(f"Bearer {KEY}!") == "Bearer (key)!"
    with pytest.raises(TypeError, match="never pickled"):
        pickle.dumps(secret)


def endpoint_from(source, **more):
    return Endpoint("desk", "https://api.example.org/v1", "m", key_from=source, **more)


def test_a_variable_that_is_not_set_is_named(monkeypatch):
    monkeypatch.delenv("DESK_KEY", raising=False)
    with pytest.raises(EngineMissing, match="no key for the endpoint desk") as caught:
        read_key(endpoint_from("environment", key_variable="DESK_KEY"))
    assert "DESK_KEY" in caught.value.hint


@pytest.mark.parametrize(
    "key", ["short", "with space 12345", f"{KEY}\r\nX-Evil: 1", "schlüssel-123"]
)
def test_what_cannot_be_a_key_is_refused_without_repeating_it(key, monkeypatch):
    monkeypatch.setenv("DESK_KEY", key)
    with pytest.raises(Refused, match="cannot be one") as caught:
        read_key(endpoint_from("environment", key_variable="DESK_KEY"))
    assert key not in str(caught.value)


class Kept(KeyringBackend):
    """A keyring in memory."""

    priority = 1

    def __init__(self):
        super().__init__()
        self.held = {}

    def set_password(self, service, username, password):
        self.held[service, username] = password

    def get_password(self, service, username):
        return self.held.get((service, username))

    def delete_password(self, service, username):
        if self.held.pop((service, username), None) is None:
            raise keyring.errors.PasswordDeleteError


@pytest.fixture
def use_keyring():
    before = keyring.get_keyring()

    def use(backend, module):
        type(backend).__module__ = module
        keyring.set_keyring(backend)
        return backend

    yield use
    keyring.set_keyring(before)
    Kept.__module__ = __name__


def test_a_key_is_kept_in_the_keyring_for_one_address_only(use_keyring):
    kept = use_keyring(Kept(), "keyring.backends.SecretService")
    endpoint = endpoint_from("keyring")
    save_key(endpoint, KEY)
    assert kept.held == {("clerestory", "desk at https://api.example.org:443"): KEY}
    assert read_key(endpoint).reveal() == KEY
    moved = Endpoint("desk", "https://evil.example.net/v1", "m", key_from="keyring")
    with pytest.raises(EngineMissing, match="no key for the endpoint desk"):
        read_key(moved)
    forget_key(endpoint)
    forget_key(endpoint)
    assert kept.held == {}


@pytest.mark.parametrize(
    ("module", "told"),
    [
        ("keyring.backends.fail", "no keyring that is running"),
        ("keyring.backends.null", "no keyring that is running"),
        ("keyrings.alt.file", "may keep keys in plain files"),
        ("somebodys.own", "may keep keys in plain files"),
    ],
)
def test_a_key_never_falls_back_to_a_file(module, told, use_keyring):
    kept = use_keyring(Kept(), module)
    assert told in keyring_trouble()
    for work in (
        lambda: save_key(endpoint_from("keyring"), KEY),
        lambda: read_key(endpoint_from("keyring")),
    ):
        with pytest.raises(Refused, match=told) as caught:
            work()
        assert "environment variable" in caught.value.hint
        assert KEY not in str(caught.value)
    assert kept.held == {}


def test_a_keyring_that_breaks_repeats_nothing(use_keyring, monkeypatch):
    kept = use_keyring(Kept(), "keyring.backends.kwallet")

    def breaks(_service, _name, password):
        raise keyring.errors.PasswordSetError(f"cannot store {password}")

    monkeypatch.setattr(kept, "set_password", breaks)
    with pytest.raises(Refused, match="did not take the key") as caught:
        save_key(endpoint_from("keyring"), KEY)
    assert KEY not in "".join(traceback.format_exception(caught.value))
