from __future__ import annotations

import importlib.util
import json
import pickle
import sys
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend

from app.__main__ import parts
from app.desk import Desk
from app.endpoint_fields import WrongEndpoint, WrongField, wrong_endpoint
from app.endpoints import read_schema
from app.errors import EngineMissing, MediaRefused, Refused
from app.places import log_folder, settings_file
from app.settings import Settings
from app.store.library import Library

KEY = "sk-planted-0123456789"
SERVER = Path(__file__).parents[1] / "engines" / "fault_server.py"


def load_server():
    spec = importlib.util.spec_from_file_location("fault_server_here", SERVER)
    module = importlib.util.module_from_spec(spec)
    sys.modules["fault_server_here"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def server():
    served = load_server()
    with served.FaultServer() as running:
        yield running


@pytest.fixture
def desk(tmp_path):
    with Desk(Library.open(tmp_path / "a.clerestory"), parts(), Settings.load()) as made:
        yield made


class Held(KeyringBackend):
    """A keyring in memory that passes for the system's."""

    priority = 1

    def __init__(self):
        self.keys = {}

    def get_password(self, service, username):
        return self.keys.get((service, username))

    def set_password(self, service, username, password):
        self.keys[service, username] = password

    def delete_password(self, service, username):
        if self.keys.pop((service, username), None) is None:
            raise keyring.errors.PasswordDeleteError


@pytest.fixture
def held(monkeypatch):
    kept = Held()
    monkeypatch.setattr(Held, "__module__", "keyring.backends.SecretService")
    before = keyring.get_keyring()
    keyring.set_keyring(kept)
    yield kept
    keyring.set_keyring(before)


def table(url="http://127.0.0.1:9/v1", **more):
    return {"name": "lab", "base_url": url, "model": "m", **more}


def written(tmp_path):
    """Give every byte that was written: settings, logs, library."""
    places = (settings_file().parent, log_folder(), tmp_path)
    files = {f for place in places for f in place.rglob("*") if f.is_file()}
    return b"".join(file.read_bytes() for file in files)


def test_without_endpoints_none_is_in_use(desk):
    assert desk.endpoints() == ()
    assert desk.servers.states() == ()


def test_a_new_endpoint_is_off_even_if_it_says_that_it_is_on(desk):
    desk.servers.keep(table(is_on=True))
    assert [state.is_on for state in desk.servers.states()] == [False]
    assert desk.endpoints() == ()


def test_endpoints_come_back_with_the_next_start(desk, tmp_path):
    desk.servers.keep(table())
    desk.servers.turn("lab", on=True)
    with Desk(Library.open(tmp_path / "b.clerestory"), parts(), Settings.load()) as later:
        assert later.endpoints() == ("lab (http://127.0.0.1:9/v1)",)
        assert later.endpoints_here() == later.endpoints()


def test_an_endpoint_elsewhere_is_not_said_to_stay_here(desk):
    desk.servers.keep(table("https://api.example.org/v1"))
    desk.servers.turn("lab", on=True)
    assert desk.endpoints() == ("lab (https://api.example.org/v1)",)
    assert desk.endpoints_here() == ()


def test_a_tunnel_is_not_said_to_stay_here(desk):
    desk.servers.keep(table(leads_elsewhere=True))
    desk.servers.turn("lab", on=True)
    assert desk.endpoints_here() == ()


@pytest.mark.parametrize(
    "change",
    [
        {"base_url": "https://b.example.org/v1"},
        {"model": "n"},
        {"leads_elsewhere": True},
        {"uses_system_proxy": True},
    ],
)
def test_another_way_turns_an_endpoint_off_and_forgets_what_was_found(desk, change):
    desk.servers.keep(table())
    desk.servers.turn("lab", on=True)
    desk.settings.endpoints_found["lab"] = {}
    desk.servers.keep(table() | change, was="lab")
    assert desk.endpoints() == ()
    assert desk.settings.endpoints_found == {}


def test_another_name_leaves_an_endpoint_on(desk):
    desk.servers.keep(table())
    desk.servers.turn("lab", on=True)
    desk.servers.keep(table() | {"name": "ours"}, was="lab")
    assert desk.endpoints() == ("ours (http://127.0.0.1:9/v1)",)


def test_a_name_is_given_once(desk):
    desk.servers.keep(table())
    with pytest.raises(Refused, match="called lab already"):
        desk.servers.keep(table())


def test_what_cannot_be_an_endpoint_is_refused_and_not_kept(desk):
    with pytest.raises(Refused, match="not one of the web"):
        desk.servers.keep(table("lab.example.org"))
    assert desk.settings.endpoints == ()


def test_an_endpoint_of_a_broken_settings_file_is_named_and_never_asked(desk):
    stored = {"endpoints": [table(is_on="yes"), 3, {"no": "name"}], "endpoints_found": 5}
    settings_file().write_text(json.dumps(stored), encoding="utf-8")
    desk.settings.endpoints = Settings.load().endpoints
    assert Settings.load().endpoints_found == {}
    assert desk.servers.states() == ()
    [broken] = desk.servers.unreadable()
    assert broken.name == "lab"
    assert broken.reason == "The switch that turns it on is not yes or no."
    with pytest.raises(Refused, match="no endpoint called lab"):
        desk.try_it("lab", "Hello")


def test_a_key_goes_to_the_keyring_and_nowhere_else(desk, held, tmp_path):
    stored = table("https://api.example.org/v1", key_from="keyring", api_key=KEY, key_variable=KEY)
    state = desk.servers.keep(stored, key=KEY)
    assert list(held.keys.values()) == [KEY]
    assert KEY not in repr(state)
    assert KEY not in repr(desk.settings)
    assert KEY.encode() not in written(tmp_path)


def test_all_that_is_wrong_is_named_field_by_field(desk):
    stored = table("lab.example.org", price_in="2,5", max_in_flight=0, silence_s=-1, currency=" ")
    with pytest.raises(WrongEndpoint, match="has no name") as caught:
        desk.servers.keep(stored | {"name": "", "price_out": 4.0})
    wrong = {field.name: field.words for field in caught.value.fields}
    assert set(wrong) == {
        "name",
        "base_url",
        "price_in",
        "max_in_flight",
        "silence_s",
        "currency",
    }
    assert wrong["price_in"].endswith("Write it with a point, such as 2.50, or leave it empty.")
    assert desk.settings.endpoints == ()


def test_a_key_that_cannot_be_one_is_told_at_its_field(desk, held):
    with pytest.raises(WrongEndpoint) as caught:
        desk.servers.keep(table(key_from="keyring"), key="abc")
    assert [field.name for field in caught.value.fields] == ["key"]
    assert "abc" not in str(caught.value)


def test_what_is_wrong_with_an_endpoint_comes_through_the_pipe():
    error = wrong_endpoint([WrongField("name", "It has none.", "Give it one.")])
    back = pickle.loads(pickle.dumps(error))
    assert (type(back), str(back), back.fields) == (type(error), str(error), error.fields)


def test_an_endpoint_that_makes_no_sense_is_removed_with_its_key(desk, held):
    desk.servers.keep(table(key_from="keyring"), key=KEY)
    [stored] = desk.settings.endpoints
    desk.settings.endpoints = ({**stored, "silence_s": "long"},)
    [broken] = desk.servers.unreadable()
    assert broken.has_key
    assert broken.reason == "The time of silence is not a number."
    desk.servers.remove("lab")
    assert held.keys == {}
    assert Settings.load().endpoints == ()


def test_a_key_that_nobody_can_find_any_more_is_said_to_be_left(desk, held):
    desk.settings.endpoints = ({"name": "lab", "base_url": 3, "key_from": "keyring"},)
    with pytest.raises(Refused, match="cannot be told") as caught:
        desk.servers.remove("lab")
    assert "under the name clerestory" in caught.value.hint
    assert Settings.load().endpoints == ()


def test_the_key_of_a_removed_endpoint_is_forgotten(desk, held):
    desk.servers.keep(table(key_from="keyring"), key=KEY)
    desk.servers.remove("lab")
    assert held.keys == {}
    assert Settings.load().endpoints == ()


def test_a_key_does_not_follow_an_endpoint_to_another_address(desk, held):
    desk.servers.keep(table(key_from="keyring"), key=KEY)
    desk.servers.keep(table("https://b.example.org/v1", key_from="keyring"), was="lab")
    assert held.keys == {}


def test_without_a_keyring_a_key_is_refused_and_nothing_is_written(desk, tmp_path):
    if not desk.servers.keyring_trouble():
        pytest.skip("this computer has a keyring")
    with pytest.raises(Refused, match="keyring cannot be used") as told:
        desk.servers.keep(table(key_from="keyring"), key=KEY)
    assert KEY not in str(told.value)
    assert desk.servers.states() == ()
    assert KEY.encode() not in written(tmp_path)


def test_an_endpoint_that_is_off_is_not_asked(desk, server):
    desk.servers.keep(table(server.url))
    with pytest.raises(EngineMissing, match="turned off, so nothing was sent"):
        desk.try_it("lab", "Hello")
    assert server.seen == []


def test_a_question_is_tried_with_a_picture_and_a_schema(desk, server, tmp_path):
    from PIL import Image

    picture = tmp_path / "red.png"
    Image.new("RGB", (8, 8), "red").save(picture)
    desk.servers.keep(table(server.url))
    desk.servers.turn("lab", on=True)
    schema = '{"type": "object", "properties": {"level": {"type": "integer"}}}'
    answer = desk.try_it("lab", "Which level?", picture, schema)
    assert answer.text == '{"level": 2}'
    assert answer.finish == "stop"
    assert answer.seconds > 0
    [(_, path, _, body)] = server.seen
    assert path.endswith("/chat/completions")
    shown, asked = body["messages"][0]["content"]
    assert shown["image_url"]["url"].startswith("data:image/png;base64,")
    assert asked["text"] == "Which level?"
    assert body["response_format"]["type"] == "json_schema"


def test_a_picture_that_is_none_is_refused_before_anything_is_sent(desk, server, tmp_path):
    (tmp_path / "a.png").write_text("no picture", encoding="utf-8")
    desk.servers.keep(table(server.url))
    desk.servers.turn("lab", on=True)
    with pytest.raises(MediaRefused, match="neither JPEG nor PNG"):
        desk.try_it("lab", "What is this?", tmp_path / "a.png")
    assert server.seen == []


def test_what_a_test_finds_is_kept_in_words(desk, server):
    desk.servers.keep(table(server.url))
    desk.servers.turn("lab", on=True)
    told = []
    state = desk.probe_endpoint("lab", lambda _share, doing: told.append(doing))
    # The server always answers {"level": 2}, so it can neither keep a schema nor see.
    answers = {found.question: found.answer for found in state.found}
    assert answers["Is the schema kept?"] == "no"
    assert answers["Are pictures seen?"] == "no"
    assert all(found.words for found in state.found)
    assert state.found_at
    assert told
    assert Settings.load().endpoints_found["lab"]["schema"]["answer"] == "no"


def test_a_key_is_sent_and_written_nowhere(desk, server, tmp_path, monkeypatch):
    monkeypatch.setenv("CLERESTORY_TEST_KEY", KEY)
    desk.servers.keep(table(server.url, key_from="environment", key_variable="CLERESTORY_TEST_KEY"))
    desk.servers.turn("lab", on=True)
    answer = desk.try_it("lab", "Hello")
    assert server.seen[0][2]["authorization"] == f"Bearer {KEY}"
    assert KEY not in repr(answer)
    assert KEY.encode() not in written(tmp_path)


@pytest.mark.parametrize("text", ["{", "[1]", "level"])
def test_a_schema_that_is_no_json_object_is_refused(text):
    with pytest.raises(Refused, match="schema"):
        read_schema(text)
    assert read_schema('{ "type":\n"object"}') == '{"type":"object"}'
    assert read_schema(" ") == ""


def test_a_model_that_is_not_installed_is_named(desk):
    with pytest.raises(EngineMissing, match="nowhere"):
        desk.try_it("this computer: nowhere", "Hello")


def test_an_endpoint_is_not_taken_for_a_model_on_this_computer(desk):
    with pytest.raises(Refused, match="stands for installed models"):
        desk.servers.keep(table() | {"name": "this computer: gemma"})
