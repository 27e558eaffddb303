from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QScrollArea

from app.coding.practices import read_practices
from app.coding.records import Check
from resources import resource
from views.common.legend import Legend
from views.common.words import CHECK_WORDS


def test_every_practice_level_and_mark_is_explained_and_can_be_read_with_the_keyboard(qtbot):
    practices = read_practices(resource("practices.toml"))
    legend = Legend(practices)
    qtbot.addWidget(legend)
    legend.show()
    words = " ".join(label.text() for label in legend.findChildren(QLabel)).casefold()
    for practice in practices:
        assert practice.title.casefold() in words
        assert all(level.descriptor.casefold() in words for level in practice.levels)
    assert all(CHECK_WORDS[check].casefold() in words for check in Check)
    area = legend.findChild(QScrollArea)
    area.setFocus()
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
    qtbot.keyClick(area, Qt.Key.Key_PageDown)
    assert area.verticalScrollBar().value() > 0
