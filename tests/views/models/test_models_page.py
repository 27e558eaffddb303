from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QWidget

from app.errors import EngineStopped, Refused
from app.models import LoadedModel
from app.places import settings_file
from app.settings import Settings
from app.store.records import JobState
from views.common.theme import apply_theme
from views.models.page import ENDPOINTS, SHELF, TRY
from views.places import LIBRARY, MODELS, PAGES
from views.window import MainWindow

KEY = "sk-planted-0123456789"
AWAY = {"name": "lab", "base_url": "https://vllm.example.org/v1", "model": "m"}
FETCHING = "Fetching weights.gguf: 1.0 of 4.0 GB."
HERE = {"name": "here", "base_url": "http://127.0.0.1:8000/v1", "model": "m"}


class Person:
    """Answers questions as told, and keeps what was asked."""

    def __init__(self):
        self.says_yes = True
        self.asked = []

    def __call__(self, _parent, title, text, yes):
        self.asked.append((title, text, yes))
        return self.says_yes


@pytest.fixture
def person():
    return Person()


@pytest.fixture
def window(desk, qtbot, person):
    apply_theme(QApplication.instance(), "light", 1.0)
    made = MainWindow(desk)
    made.models_work.confirm = person
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    made.show_page(MODELS)
    qtbot.waitUntil(lambda: button(made, "Check Small 4B") is not None)
    yield made
    desk.go_on.set()
    made.close()
    made.deleteLater()
    apply_theme(QApplication.instance(), "light", 1.0)


def button(widget, name):
    found = [
        b
        for b in widget.findChildren(QPushButton)
        if b.accessibleName() == name and not b.isHidden()
    ]
    return found[0] if found else None


def click(qtbot, widget, name):
    qtbot.mouseClick(button(widget, name), Qt.MouseButton.LeftButton)


def words(widget):
    return " | ".join(label.text() for label in widget.findChildren(QLabel) if not label.isHidden())


def told(window):
    return [notice.text for notice in window.notices.kept]


# Models


def test_models_say_whether_they_fit_with_the_numbers(window):
    said = words(window.models.shelf)
    assert "This computer has 16.0 GB of memory" in said
    assert "Fits this computer. It needs about 6.4 GB of the computer's 16.0 GB" in said
    assert "Too large for this computer. It needs about 45.0 GB" in said
    assert "Sees pictures; 3.0 GB; licence: Apache-2.0; installed, fetched by this program." in said
    assert "serve it with vLLM and add it as an endpoint" in said
    assert button(window, "Get Server 235B") is None


def test_fetching_says_first_that_it_uses_the_network_and_how_much(window, desk, person, qtbot):
    person.says_yes = False
    click(qtbot, window, "Get Middle 8B")
    [(title, text, _)] = person.asked
    assert title == "Get Middle 8B?"
    assert "goes to the network: about 3.0 GB" in text
    assert desk.calls == []


def test_a_model_is_fetched_with_progress_and_then_installed(window, desk, qtbot):
    desk.go_on.clear()
    click(qtbot, window, "Get Middle 8B")
    qtbot.waitUntil(lambda: FETCHING in words(window.jobs))
    assert FETCHING in words(window.models)
    assert not button(window, "Get Middle 8B").isEnabled()
    desk.go_on.set()
    qtbot.waitUntil(lambda: button(window, "Remove Middle 8B") is not None)
    assert any("Middle 8B is installed." in text for text in told(window))


def test_a_stopped_fetch_is_carried_on_from_the_jobs_page(window, desk, person, qtbot):
    desk.go_on.clear()
    click(qtbot, window, "Get Middle 8B")
    qtbot.waitUntil(lambda: bool(desk.calls))
    click(qtbot, window.models, "Stop: Get Middle 8B")
    qtbot.waitUntil(lambda: not window.background.running())
    assert "stopped as you asked" in told(window)[-1]
    desk.go_on.set()
    window.show_page(MODELS + 1)
    click(qtbot, window.jobs, "Start again: Get Middle 8B")
    qtbot.waitUntil(lambda: desk.calls == [("get", "middle-8b")] * 2)
    qtbot.waitUntil(lambda: not window.background.running())
    assert len(person.asked) == 1


def test_a_fetch_that_the_program_ended_under_can_be_started_again(window, desk, qtbot):
    number = desk.library.add_job("get-model", "", "Get Middle 8B", {"model": "middle-8b"})
    [kept] = [job for job in desk.library.jobs() if job.job_id == number]
    window._start_again(kept)
    qtbot.waitUntil(lambda: desk.calls == [("get", "middle-8b")])
    qtbot.waitUntil(lambda: not window.background.running())
    # It goes on as the same job, and no second one stands beside it.
    [only] = desk.library.jobs()
    assert (only.job_id, only.state) == (number, JobState.DONE)


def test_a_model_is_checked(window, desk, qtbot):
    click(qtbot, window, "Check Small 4B")
    qtbot.waitUntil(lambda: "Small 4B is as it was when it came." in told(window))
    desk.shelf.wrong = ("weights.gguf has other bytes.",)
    click(qtbot, window, "Check Small 4B")
    qtbot.waitUntil(lambda: "weights.gguf has other bytes" in told(window)[-1])


def test_removing_asks_first(window, desk, person, qtbot):
    person.says_yes = False
    click(qtbot, window, "Remove Small 4B")
    assert "3.0 GB become free" in person.asked[0][1]
    assert desk.calls == []
    person.says_yes = True
    click(qtbot, window, "Remove Small 4B")
    qtbot.waitUntil(lambda: button(window, "Get Small 4B") is not None)
    assert "No model is installed." in words(window.models.shelf)


def test_a_file_of_ones_own_is_added_where_it_lies(window, desk, qtbot):
    window.models_work.add_file(Path("/there/mine.gguf"), None)
    qtbot.waitUntil(lambda: button(window, "Remove own") is not None)
    assert desk.calls == [("add", Path("/there/mine.gguf"), None)]
    assert "your own file, used where it lies" in words(window.models.shelf)


def test_a_folder_of_a_speech_model_is_known_by_its_file(window, desk, qtbot):
    window.models_work.add_file(Path("/there/whisper/model.bin"), None)
    qtbot.waitUntil(lambda: desk.calls == [("add", Path("/there/whisper"), None)])


def test_what_the_shelf_refuses_is_told(window, desk, qtbot):
    desk.refuse = Refused("The hub could not be reached.", "Try again later.")
    click(qtbot, window, "Get Middle 8B")
    qtbot.waitUntil(lambda: "The hub could not be reached. Try again later." in told(window))


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


# Try it


def test_with_nobody_to_ask_the_box_leads_to_the_endpoints(window, qtbot):
    window.models.trying.show_models(())
    window.models.show_part(TRY)
    assert "There is nobody to ask yet" in words(window.models.trying)
    click(qtbot, window, "Show endpoints")
    assert window.models._tabs.currentIndex() == ENDPOINTS


@pytest.fixture
def trying(window, desk):
    desk.servers.keep(HERE)
    desk.servers.turn("here", on=True)
    window.models_work.show_endpoints()
    window.models.show_part(TRY)
    window.models.trying._whom.setCurrentText("here")
    return window.models.trying


def test_a_question_is_tried_and_its_answer_shown_as_it_came(trying, window, desk, qtbot):
    qtbot.keyClicks(QApplication.focusWidget(), "Which level?")
    trying._schema.setPlainText('{"type": "object", "required": ["level"]}')
    qtbot.keyClick(
        QApplication.focusWidget(), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier
    )
    qtbot.waitUntil(lambda: trying._answer.toPlainText() == '{"level": 2}')
    said = words(trying)
    assert "1.2 s; 1,000 tokens shown to the model, 600 of them cached; 20 tokens written." in said
    assert "How it ended: stop. The answer: keeps the schema." in said
    assert "Your question and picture stay on this computer." in said
    assert desk.calls[-1][1:3] == ("here", "Which level?")


def test_an_answer_that_breaks_the_schema_is_said_to(trying, qtbot):
    trying._text.setPlainText("Which level?")
    trying._schema.setPlainText('{"type": "object", "required": ["score"]}')
    click(qtbot, trying, "Ask")
    qtbot.waitUntil(lambda: "not in the form that was asked for" in words(trying))
    assert trying._answer.toPlainText() == '{"level": 2}'


def test_what_goes_wrong_stands_where_the_answer_would(trying, desk, qtbot):
    desk.child.refuse = EngineStopped("here does not answer.", "Start the server.")
    trying._text.setPlainText("Hello")
    click(qtbot, trying, "Ask")
    qtbot.waitUntil(lambda: "here does not answer. Start the server." in words(trying))
    trying._schema.setPlainText("{")
    click(qtbot, trying, "Ask")
    qtbot.waitUntil(lambda: "The schema is not JSON" in words(trying))


def test_an_installed_model_is_tried_too(trying, desk, qtbot):
    trying._whom.setCurrentText("this computer: small-4b")
    assert "needs llama-cpp-python" in words(trying)
    assert "stay here" in words(trying)
    trying._text.setPlainText("Hello")
    click(qtbot, trying, "Ask")
    qtbot.waitUntil(lambda: trying._answer.toPlainText() == '{"level": 2}')
    assert desk.calls[-1][1:3] == ("this computer: small-4b", "Hello")


def test_without_a_question_nothing_is_asked(trying, desk, qtbot):
    click(qtbot, trying, "Ask")
    assert "Type a question first." in words(trying)
    assert desk.calls == []


# Memory


def test_without_a_model_in_memory_nothing_is_said_of_it(window, desk, qtbot):
    looked = []
    desk.files.loaded_model = lambda _stop: looked.append(None)
    window.models_work.show_all()
    qtbot.waitUntil(lambda: bool(looked))
    assert not window.models.memory.isVisible()


def test_a_model_in_memory_is_named_and_let_go(window, desk, qtbot):
    desk.files.loaded = LoadedModel("Small 4B", 3_400_000_000)
    window.models_work.show_all()
    memory = window.models.memory
    qtbot.waitUntil(memory.isVisible)
    assert "In memory for the next question: Small 4B, about 3.4 GB." in words(memory)
    click(qtbot, memory, "Free its memory")
    qtbot.waitUntil(lambda: not memory.isVisible())
    assert desk.files.loaded is None
    assert "Small 4B is no longer in memory." in told(window)


def test_a_model_that_is_answering_is_not_taken_away(window, desk, qtbot):
    desk.files.loaded = LoadedModel("", 0, is_busy=True)
    window.models_work.show_all()
    memory = window.models.memory
    qtbot.waitUntil(memory.isVisible)
    assert "is answering" in words(memory)
    assert button(memory, "Free its memory") is None


def test_a_model_shows_in_memory_once_it_was_tried(trying, window, desk, qtbot):
    desk.files.loaded = LoadedModel("Small 4B", 3_400_000_000)
    trying._text.setPlainText("Hello")
    click(qtbot, trying, "Ask")
    qtbot.waitUntil(window.models.memory.isVisible)


# The page as a whole


def test_the_page_is_reached_by_its_key(window, qtbot):
    window.show_page(LIBRARY)
    _title, _icon, key = PAGES[MODELS]
    qtbot.keyClick(window, key[-1], Qt.KeyboardModifier.ControlModifier)
    assert window._pages.currentWidget() is window.models


@pytest.mark.parametrize("theme", ["light", "dark", "high-contrast"])
def test_at_one_and_a_half_times_the_text_nothing_is_wider_than_the_page(window, desk, theme):
    desk.servers.keep(AWAY | {"name": "the server of the lab in the other building"})
    desk.servers.turn("the server of the lab in the other building", on=True)
    window.models_work.show_endpoints()
    desk.settings.theme, desk.settings.text_scale = theme, 1.5
    window.choices.take()
    window.resize(1024, 640)
    for part in (SHELF, ENDPOINTS, TRY):
        window.models.show_part(part)
        QApplication.processEvents()
        assert (window.width(), window.height()) == (1024, 640)
        see_that_all_fits(window.models._tabs.currentWidget())


def see_that_all_fits(shown):
    for widget in shown.findChildren(QWidget):
        if not widget.isVisible() or not isinstance(widget, QPushButton | QLabel | QLineEdit):
            continue
        assert widget.mapTo(shown, widget.rect().topRight()).x() <= shown.width()
        if isinstance(widget, QPushButton):
            assert widget.width() >= widget.minimumSizeHint().width()
        elif isinstance(widget, QLabel) and widget.wordWrap():
            assert widget.height() >= widget.heightForWidth(widget.width())


def test_no_engine_is_in_the_windows_process(tmp_path):
    code = """
import os, sys, time
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from pathlib import Path
from PySide6.QtWidgets import QApplication
from app.__main__ import parts
from app.desk import Desk
from app.store.library import Library
from views.places import MODELS
from views.window import MainWindow
app = QApplication([])
desk = Desk(Library.open(Path(sys.argv[1]) / "a.clerestory"), parts())
desk.servers.keep({"name": "a", "base_url": "http://127.0.0.1:9/v1", "model": "m"})
desk.servers.turn("a", on=True)
window = MainWindow(desk)
window.show()
window.show_page(MODELS)
window.models_work.ask("a", "Hello", None, "")
shown = lambda: window.models.trying._worth.text() and window.models_work._states
until = time.monotonic() + 100
while not shown() and time.monotonic() < until:
    app.processEvents()
    time.sleep(0.01)
assert shown(), "no answer was shown"
window.close()
engines = {"openai_api", "whisper", "minilm", "llama_cpp_chat", "scripted"}
heavy = {"openai", "llama_cpp", "onnxruntime", "faster_whisper", "huggingface_hub", "httpx2"}
found = {f"engines.{name}" for name in engines} | heavy
sys.exit(", ".join(sorted(found & set(sys.modules))) or 0)
"""
    ran = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=Path(__file__).parents[3],
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
