"""The part of the Models page where one question is tried."""

from __future__ import annotations

from models_window import click, words
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.errors import EngineStopped
from views.models.page import ENDPOINTS, TRY

# Try it


def test_with_nobody_to_ask_the_box_leads_to_the_endpoints(window, qtbot):
    window.models.trying.show_models(())
    window.models.show_part(TRY)
    assert "There is nobody to ask yet" in words(window.models.trying)
    click(qtbot, window, "Show endpoints")
    assert window.models._tabs.currentIndex() == ENDPOINTS


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
