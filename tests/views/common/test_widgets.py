from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from views.common.widgets import MOST_LETTERS, EmptyState, button


def test_a_button_with_a_sign_still_has_words_and_names_its_key(qtbot):
    made = button("▶", "Play", "Play or pause", "Space")
    qtbot.addWidget(made)
    assert made.accessibleName() == "Play"
    assert made.toolTip() == "Play or pause (Space)"


def test_the_empty_state_leads_somewhere(qtbot):
    empty = EmptyState("No lessons yet", "Drop a recording here.", "Open the sample lesson")
    qtbot.addWidget(empty)
    empty.show()
    offered = empty.findChild(QPushButton)
    with qtbot.waitSignal(empty.asked):
        qtbot.mouseClick(offered, Qt.MouseButton.LeftButton)
    assert [label.text() for label in empty.findChildren(QLabel)] == [
        "No lessons yet",
        "Drop a recording here.",
    ]


def test_without_a_step_to_offer_there_is_no_button(qtbot):
    empty = EmptyState("Nothing found", "No lesson has these words.")
    qtbot.addWidget(empty)
    empty.show()
    assert not empty.findChild(QPushButton).isVisible()


def test_lines_of_an_empty_page_stay_short_in_a_wide_window_and_at_large_text(qtbot):
    empty = EmptyState("Nothing yet", "A sentence that goes on for long. " * 12)
    qtbot.addWidget(empty)
    empty.resize(1800, 600)
    empty.show()
    letter = empty.fontMetrics().averageCharWidth()
    assert empty._text.width() <= MOST_LETTERS * letter
    middle = empty._text.mapTo(empty, empty._text.rect().center()).x()
    assert abs(middle - 900) <= 2
    font = empty.font()
    font.setPointSizeF(font.pointSizeF() * 2)
    empty.setFont(font)
    qtbot.waitUntil(lambda: empty._text.width() > MOST_LETTERS * letter)
    empty.resize(500, 600)
    qtbot.waitUntil(lambda: empty._text.width() <= 500)
    assert empty._text.height() >= empty._text.heightForWidth(empty._text.width())
