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


def test_a_reviewer_is_chosen_or_typed_and_handed_on(dialog, qtbot):
    dialog.show_reviewers(["AK", "BM"])
    assert dialog._author.currentText() == "AK"
    dialog._author.setCurrentIndex(1)
    with qtbot.waitSignal(dialog.author_picked) as picked:
        dialog._author.activated.emit(1)
    assert picked.args == ["BM"]
    dialog._author.setCurrentText("  CO ")
    with qtbot.waitSignal(dialog.author_picked) as picked:
        dialog._author.lineEdit().editingFinished.emit()
    assert picked.args == ["CO"]
    # Who takes over is decided elsewhere: the name may have to be put on the list first.
    assert dialog._settings.author == "AK"


def test_nothing_is_told_when_nothing_changed(dialog, qtbot):
    with qtbot.assertNotEmitted(dialog.changed), qtbot.assertNotEmitted(dialog.author_picked):
        dialog._author.lineEdit().editingFinished.emit()
        dialog._folder.editingFinished.emit()


def test_a_text_size_between_the_offered_ones_shows_the_nearest(qtbot):
    dialog = SettingsDialog(Settings(text_scale=1.45))
    qtbot.addWidget(dialog)
    assert dialog._scale.currentData() == 1.5
