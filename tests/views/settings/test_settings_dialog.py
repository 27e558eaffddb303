import pytest
from PySide6.QtCore import Qt

from app.settings import Settings
from views.settings.dialog import SettingsDialog


@pytest.fixture
def dialog(qtbot):
    made = SettingsDialog(Settings(author="AK"))
    qtbot.addWidget(made)
    made.show()
    return made


def test_a_change_holds_at_once(dialog, qtbot):
    with qtbot.waitSignal(dialog.changed):
        qtbot.mouseClick(
            dialog._blind, Qt.MouseButton.LeftButton, pos=dialog._blind.rect().center() * 0.1
        )
    assert dialog._settings.blind
    dialog._author.setText("  BM ")
    with qtbot.waitSignal(dialog.changed):
        dialog._author.editingFinished.emit()
    assert dialog._settings.author == "BM"


def test_nothing_is_told_when_nothing_changed(dialog, qtbot):
    with qtbot.assertNotEmitted(dialog.changed):
        dialog._author.editingFinished.emit()


def test_a_text_size_between_the_offered_ones_shows_the_nearest(qtbot):
    dialog = SettingsDialog(Settings(text_scale=1.45))
    qtbot.addWidget(dialog)
    assert dialog._scale.currentData() == 1.5
