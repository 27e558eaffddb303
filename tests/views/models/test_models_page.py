from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from models_window import AWAY, FETCHING, button, click, told, words
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QWidget

from app.errors import Refused
from app.models import LoadedModel
from app.store.records import JobState
from views.models.page import ENDPOINTS, SHELF, TRY
from views.places import LIBRARY, MODELS, PAGES

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


def test_a_fetch_is_paused_and_resumed_on_the_models_page(window, desk, qtbot):
    desk.go_on.clear()
    click(qtbot, window, "Get Middle 8B")
    qtbot.waitUntil(lambda: bool(desk.calls))
    click(qtbot, window.models, "Pause: Get Middle 8B")
    qtbot.waitUntil(lambda: not window.background.running())
    assert not button(window, "Get Middle 8B").isEnabled()
    desk.go_on.set()
    click(qtbot, window.models, "Resume: Get Middle 8B")
    qtbot.waitUntil(lambda: button(window, "Remove Middle 8B") is not None)
    assert desk.calls == [("get", "middle-8b")] * 2


def test_a_fetch_that_the_program_ended_under_can_be_started_again(window, desk, qtbot):
    number = desk.library.add_job("get-model", "", "Get Middle 8B", {"model": "middle-8b"})
    [kept] = [job for job in desk.library.jobs() if job.job_id == number]
    window._again.start_again(kept)
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
