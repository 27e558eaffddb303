"""The part of the Models page where servers are set up, tested and turned on."""

from __future__ import annotations

from models_window import AWAY, HERE, KEY, button, click, told, words
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit

from app.errors import EngineStopped
from app.places import settings_file
from app.settings import Settings
from views.models.page import ENDPOINTS

# Endpoints


def test_without_endpoints_the_page_says_what_one_is_and_offers_to_add_one(window):
    window.models.show_part(ENDPOINTS)
    assert "No endpoint is set up, and nothing is sent anywhere." in words(window.models.endpoints)
    assert QApplication.focusWidget() is button(window, "Add endpoint")


def add_endpoint(window, qtbot, stored=AWAY):
    form = window.models_work.form
    window.models.show_part(ENDPOINTS)
    click(qtbot, window, "Add endpoint")
    form._name.setText(stored["name"])
    form._url.setText(stored["base_url"])
    form._model.setText(stored["model"])
    return form


def test_an_endpoint_is_added_and_is_off(window, desk, qtbot):
    form = add_endpoint(window, qtbot)
    qtbot.keyClick(form._name, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not form.isVisible())
    assert "Off. Nothing is sent to it." in words(window.models.endpoints)
    assert window._network.text() == "Nothing leaves this computer"
    assert not button(window, "Test: lab").isEnabled()
    assert [stored["is_on"] for stored in Settings.load().endpoints] == [False]


def test_an_address_that_makes_no_sense_is_told_in_the_form(window, desk, qtbot):
    form = add_endpoint(window, qtbot, AWAY | {"base_url": "vllm"})
    qtbot.keyClick(form._name, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "is not one of the web" in words(form))
    assert form.isVisible()
    assert desk.settings.endpoints == ()
    form.reject()


def test_turning_on_says_first_what_leaves_and_where_to(window, desk, person, qtbot):
    desk.servers.keep(AWAY)
    window.models_work.show_endpoints()
    window.models.show_part(ENDPOINTS)
    person.says_yes = False
    click(qtbot, window, "Turn on: lab")
    [(_, text, _)] = person.asked
    assert "frames and words go to https://vllm.example.org, to the model m" in text
    assert "pictures of the people in a lesson and what they say" in text
    assert desk.endpoints() == ()
    person.says_yes = True
    click(qtbot, window, "Turn on: lab")
    assert window._network.text() == "Sends data to: lab (https://vllm.example.org/v1)"
    click(qtbot, window, "Turn off: lab")
    assert window._network.text() == "Nothing leaves this computer"


def test_an_endpoint_on_this_computer_is_said_to_stay_here(window, desk, person, qtbot):
    desk.servers.keep(HERE)
    window.models_work.show_endpoints()
    window.models.show_part(ENDPOINTS)
    click(qtbot, window, "Turn on: here")
    assert "stay on this computer" in person.asked[0][1]
    assert window._network.text() == (
        "Nothing leaves this computer; in use on this computer: here (http://127.0.0.1:8000/v1)"
    )


def test_every_endpoint_is_named_in_the_status_bar_however_many_there_are(window, desk, qtbot):
    for number in range(6):
        name = f"endpoint of room {number}"
        desk.servers.keep(AWAY | {"name": name})
        desk.servers.turn(name, on=True)
    window.resize(1024, 640)
    window._show_endpoints()
    line = window._network
    qtbot.waitUntil(lambda: line.height() >= line.heightForWidth(line.width()))
    assert line.height() >= 2 * line.fontMetrics().height()
    assert window.statusBar().height() < 200
    assert line.text().count("endpoint of room") == 6


def test_a_test_is_told_in_words(window, desk, qtbot):
    desk.servers.keep(HERE)
    desk.servers.turn("here", on=True)
    window.models_work.show_endpoints()
    window.models.show_part(ENDPOINTS)
    click(qtbot, window, "Test: here")
    qtbot.waitUntil(lambda: "Is the schema kept? Yes: both." in words(window.models.endpoints))
    said = words(window.models.endpoints)
    assert "Are pictures seen? Yes: two drawn shapes were named rightly." in said
    assert "How many pictures at once? At least 8." in said
    assert "Do long texts arrive whole? No: the first words of a long text did not" in said
    assert "Does it give probabilities? Not known: the server did not say." in said


def test_a_server_that_goes_away_in_a_test_is_told(window, desk, qtbot):
    desk.servers.keep(HERE)
    desk.servers.turn("here", on=True)
    window.models_work.show_endpoints()
    desk.child.refuse = EngineStopped("here does not answer.", "Start the server.")
    window.models_work.test("here")
    qtbot.waitUntil(lambda: "here does not answer. Start the server." in told(window))
    assert button(window.models.endpoints, "Test: here").isEnabled()


def test_an_edited_address_turns_the_endpoint_off_in_the_status_bar_too(window, desk, qtbot):
    desk.servers.keep(AWAY)
    desk.servers.turn("lab", on=True)
    window.models_work.show_endpoints()
    window._show_endpoints()
    window.models.show_part(ENDPOINTS)
    click(qtbot, window, "Edit: lab")
    form = window.models_work.form
    assert "turned off until you turn it on again" in words(form)
    form._url.setText("https://other.example.org/v1")
    qtbot.keyClick(form._url, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not form.isVisible())
    assert window._network.text() == "Nothing leaves this computer"


def test_removing_an_endpoint_asks_first(window, desk, person, qtbot):
    desk.servers.keep(HERE)
    window.models_work.show_endpoints()
    window.models.show_part(ENDPOINTS)
    click(qtbot, window, "Remove: here")
    qtbot.waitUntil(lambda: desk.servers.states() == ())
    qtbot.waitUntil(lambda: button(window.models.endpoints, "Remove: here") is None)
    assert [title for title, _, _ in person.asked] == ["Remove here?"]


def test_an_endpoint_that_cannot_be_read_is_named_with_the_reason_and_removed(
    window, desk, person, qtbot
):
    desk.settings.endpoints = ({"name": "old", "base_url": 3},)
    window.models_work.show_endpoints()
    window.models.show_part(ENDPOINTS)
    said = words(window.models.endpoints)
    assert "None of the endpoints in the settings can be used" in said
    told = "It cannot be read, and is never asked. The model is missing. The address is not text."
    assert f"old | {told}" in said
    click(qtbot, window, "Remove: old")
    qtbot.waitUntil(lambda: button(window.models.endpoints, "Remove: old") is None)
    assert person.asked == [
        (
            "Remove old?",
            "The program forgets “old” and what a test found out.",
            "Remove it",
        )
    ]
    assert Settings.load().endpoints == ()


def test_limits_prices_and_proxy_are_kept_with_an_endpoint(window, desk, qtbot):
    form = add_endpoint(window, qtbot)
    for name, typed in (("price_in", "0.25"), ("price_out", "2"), ("silence_s", "90")):
        form._numbers[name].setText(typed)
    form._numbers["max_in_flight"].setText("64")
    form._currency.setText("EUR")
    form._proxy.setChecked(True)
    qtbot.keyClick(form._name, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not form.isVisible())
    [stored] = Settings.load().endpoints
    kept = {"price_in", "price_out", "price_cached", "silence_s", "connect_s", "max_in_flight"}
    assert {name: stored[name] for name in kept} == {
        "price_in": 0.25,
        "price_out": 2,
        "price_cached": None,
        "silence_s": 90,
        "connect_s": 10,
        "max_in_flight": 64,
    }
    assert (stored["currency"], stored["uses_system_proxy"]) == ("EUR", True)
    click(qtbot, window, "Edit: lab")
    shown = {name: field.text() for name, field in form._numbers.items()}
    assert shown == {
        "max_in_flight": "64",
        "silence_s": "90",
        "connect_s": "10",
        "price_in": "0.25",
        "price_out": "2",
        "price_cached": "",
    }
    assert form._proxy.isChecked()
    form.reject()


def test_each_field_that_is_wrong_says_so_below_itself(window, desk, qtbot):
    form = add_endpoint(window, qtbot, AWAY | {"model": ""})
    form._numbers["price_in"].setText("2,50")
    form._numbers["max_in_flight"].setText("5000")
    qtbot.keyClick(form._name, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "The model has no name." in form._entries["model"].trouble)
    told = {name: entry.trouble for name, entry in form._entries.items() if entry.trouble}
    assert set(told) == {"model", "price_in", "max_in_flight"}
    assert told["price_in"] == (
        "The price of tokens read is not a number. Write it with a point, such as 2.50, or leave "
        "it empty."
    )
    assert form._model.accessibleDescription() == told["model"]
    assert QApplication.focusWidget() is form._model
    assert form._numbers["price_in"].text() == "2,50"
    assert desk.settings.endpoints == ()
    form._model.setText("m")
    form._numbers["price_in"].setText("2.50")
    form._numbers["max_in_flight"].setText("500")
    qtbot.keyClick(form._model, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not form.isVisible())


def test_another_way_through_the_network_turns_an_endpoint_off(window, desk, qtbot):
    desk.servers.keep(AWAY)
    desk.servers.turn("lab", on=True)
    window.models_work.show_endpoints()
    window.models.show_part(ENDPOINTS)
    click(qtbot, window, "Edit: lab")
    form = window.models_work.form
    form._proxy.setChecked(True)
    qtbot.keyClick(form._url, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not form.isVisible())
    assert window._network.text() == "Nothing leaves this computer"


# Keys


def test_a_key_goes_to_the_keyring_and_is_nowhere_else(window, desk, qtbot, monkeypatch, tmp_path):
    kept = []
    monkeypatch.setattr(type(desk.servers._rules), "keyring_trouble", lambda self: "")
    monkeypatch.setattr(
        type(desk.servers._rules), "save_key", lambda self, stored, key: kept.append(key)
    )
    form = add_endpoint(window, qtbot)
    form._key_from.setCurrentIndex(form._key_from.findData("keyring"))
    form._show_key_fields()
    assert form._key.isVisible()
    assert form._key.echoMode() is QLineEdit.EchoMode.Password
    assert "goes into the system's keyring" in words(form)
    form._key.setText(KEY)
    qtbot.keyClick(form._key, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not form.isVisible())
    assert kept == [KEY]
    assert form._key.text() == ""
    assert "Its key lies in the system's keyring." in words(window.models.endpoints)
    assert KEY not in words(window)
    assert KEY not in settings_file().read_text(encoding="utf-8")
    files = [f for f in [*tmp_path.rglob("*"), *settings_file().parent.rglob("*")] if f.is_file()]
    assert not any(KEY.encode() in f.read_bytes() for f in files)


def test_without_a_keyring_the_form_asks_for_an_environment_variable(window, qtbot, monkeypatch):
    servers = window._desk.servers
    monkeypatch.setattr(type(servers), "keyring_trouble", lambda self: "there is none")
    form = add_endpoint(window, qtbot)
    form._key_from.setCurrentIndex(form._key_from.findData("keyring"))
    form._show_key_fields()
    qtbot.waitUntil(lambda: "Keys cannot be kept here: there is none." in words(form))
    assert not form._key.isVisible()
    form._key_from.setCurrentIndex(form._key_from.findData("environment"))
    form._show_key_fields()
    assert form._variable.isVisible()
    form._variable.setText("LAB_KEY")
    qtbot.keyClick(form._variable, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not form.isVisible())
    assert "read from the environment variable LAB_KEY" in words(window.models.endpoints)
