import pytest
from PySide6.QtCore import Qt

from views.lesson.speakers import SpeakersDialog


@pytest.fixture
def dialog(qtbot, stand_in, tmp_path):
    made = SpeakersDialog()
    qtbot.addWidget(made)
    with stand_in.Library.open(tmp_path / "a.clerestory") as library:
        made.show_speakers(library.lesson(stand_in.add_sample(library)))
    made.show()
    return made


def test_speakers_stand_in_order_of_how_much_they_say(dialog):
    assert list(dialog._rows) == ["Ms Linden", "Robin", "Maya", "Oscar"]
    name, role, told = dialog._rows["Ms Linden"]
    assert (name.text(), role.currentText(), told.text()) == ("Ms Linden", "teacher", "19 lines")


def test_a_new_name_is_handed_on_once(dialog, qtbot):
    name = dialog._rows["Robin"][0]
    name.setFocus()
    name.selectAll()
    with qtbot.waitSignal(dialog.renamed) as renamed:
        qtbot.keyClicks(name, "Student A")
        qtbot.keyClick(name, Qt.Key.Key_Return)
    assert renamed.args == ["Robin", "Student A"]


def test_an_empty_name_is_not_taken(dialog, qtbot):
    name = dialog._rows["Robin"][0]
    name.clear()
    with qtbot.assertNotEmitted(dialog.renamed):
        name.editingFinished.emit()
    assert name.text() == "Robin"
