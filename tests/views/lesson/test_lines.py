import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QStyleOptionViewItem

from app.lesson.transcript.records import Flag, Role, Utterance
from views.lesson.line_painter import PAD_X_PX, PAD_Y_PX, _lay_out, _small
from views.lesson.lines import NOW_ROLE, REMARK_ROLE, Column, Lines, common_flags
from views.lesson.transcript import TranscriptPanel

LINES = (
    Utterance(1, "Why do you think so?", 1000, 3000, "T"),
    Utterance(2, "Because it melts.", 3500, 5000, "S1", flags=(Flag.LOW_PROBABILITY,)),
    Utterance(3, "Thanks for watching!", 9000, 9500, "S1", flags=(Flag.INVENTED,)),
    Utterance(4, "نعم، لأن الجليد يذوب", None, None, "S2", flags=(Flag.NO_TIME,)),
)
ROLES = {"T": Role.TEACHER}


@pytest.fixture
def panel(qtbot):
    made = TranscriptPanel()
    qtbot.addWidget(made)
    made.resize(500, 300)
    made.show_transcript(LINES, ROLES)
    made.show()
    return made


def cell(panel, row, column, role=Qt.ItemDataRole.DisplayRole):
    return panel.lines.index(row, column).data(role)


def test_each_line_shows_time_speaker_and_words(panel):
    assert [cell(panel, 0, column) for column in Column] == ["0:01", "T", "Why do you think so?"]
    assert cell(panel, 3, Column.TIME) == "–"
    assert cell(panel, 0, Column.SPEAKER, REMARK_ROLE) == "teacher"


def test_doubts_about_a_line_are_said_in_words(panel):
    assert cell(panel, 1, Column.WORDS, REMARK_ROLE) == "unsure hearing"
    assert "not used" in cell(panel, 2, Column.WORDS, REMARK_ROLE)


def test_cited_lines_say_what_the_check_found(panel):
    panel.lines.show_cited({2: "close"}, range(1, 3))
    assert cell(panel, 1, Column.WORDS, REMARK_ROLE) == "cited: close · unsure hearing"
    assert panel.lines.is_in_clip(LINES[0])
    assert not panel.lines.is_in_clip(LINES[2])


@pytest.mark.parametrize(
    ("time_ms", "row"), [(0, None), (1000, 0), (3499, 0), (3500, 1), (8999, 1), (20_000, 2)]
)
def test_the_line_being_spoken_follows_the_clock(panel, time_ms, row):
    panel.set_position(time_ms)
    marked = [r for r in range(len(LINES)) if cell(panel, r, Column.WORDS, NOW_ROLE)]
    assert marked == ([] if row is None else [row])


def test_a_click_on_a_line_goes_to_its_moment(panel, qtbot):
    place = panel.view.visualRect(panel.lines.index(1, Column.WORDS)).center()
    with qtbot.waitSignal(panel.moment_picked) as picked:
        qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert picked.args == [3500]


def test_words_are_typed_over_in_place(panel, qtbot):
    panel.view.setCurrentIndex(panel.lines.index(1, Column.WORDS))
    panel.edit_line()
    editor = panel.view.indexWidget(panel.view.currentIndex()) or panel.view.focusWidget()
    editor.selectAll()
    with qtbot.waitSignal(panel.text_typed) as typed:
        qtbot.keyClicks(editor, "Because it is warm.")
        qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert typed.args == [2, "Because it is warm."]


def test_a_search_counts_and_goes_round(panel):
    panel._find.setText("BECAUSE")
    assert panel._found_words.text() == "1 found"
    panel.find_next()
    assert panel.view.currentIndex().row() == 1
    assert panel._found_words.text() == "1 of 1"


def test_five_thousand_lines_are_moved_through_without_measuring_them_all(qtbot):
    many = tuple(
        Utterance(n, f"line {n} " * 12, n * 1000, n * 1000 + 900, "T") for n in range(5000)
    )
    panel = TranscriptPanel()
    qtbot.addWidget(panel)
    panel.resize(500, 400)
    panel.show_transcript(many, {})
    panel.show()
    measured = []
    view = panel.view
    whole = view._measure
    view._measure = lambda rows: (measured.extend(rows), whole(rows))
    panel.set_position(4_000_500)
    panel.resize(640, 420)
    qtbot.waitUntil(lambda: not view._soon.isActive())
    assert view.rowAt(view.viewport().height() // 2) == pytest.approx(4000, abs=6)
    assert len(measured) < 400


def test_a_change_to_one_line_is_told_of_that_line_alone(qtbot):
    lines = Lines()
    lines.show_lines(LINES, ROLES)
    told = []
    lines.dataChanged.connect(lambda first, last: told.append((first.row(), last.row())))
    changed = (LINES[0], Utterance(2, "It melts.", 3500, 5000, "S1"), *LINES[2:])
    assert lines.show_lines(changed, ROLES)
    assert told == [(1, 1)]
    assert not lines.show_lines(changed, ROLES)


def test_a_doubt_that_every_line_shares_is_not_repeated_on_each(panel):
    lines = tuple(Utterance(n, "So", n * 1000, None, "T", flags=(Flag.NO_END,)) for n in (1, 2, 3))
    panel.show_transcript(lines, {})
    assert [cell(panel, row, Column.WORDS, REMARK_ROLE) for row in range(3)] == ["", "", ""]
    assert common_flags(lines) == {Flag.NO_END}
    mixed = (*lines, Utterance(4, "Yes", 4000, 4500, "T"))
    panel.show_transcript(mixed, {})
    assert cell(panel, 0, Column.WORDS, REMARK_ROLE) == "no end in the file"
    assert common_flags(mixed) == frozenset()


def test_a_line_has_room_for_its_remark_while_it_is_spoken(panel):
    remark = "cited: verified"
    words = "word " * 60
    line = Utterance(1, words.strip(), 1000, 3000, "T")
    panel.show_transcript((line,), ROLES)
    panel.lines.show_cited({1: "verified"}, range(0))
    painter = panel.view.itemDelegate()
    option = QStyleOptionViewItem()
    option.font = panel.view.font()
    option.fontMetrics = panel.view.fontMetrics()
    spoken = QFont(option.font)
    spoken.setBold(True)
    # At some width the last word goes over to another line only when it is bold.
    for width in range(300, 460, 3):
        painter.set_widths(dict.fromkeys(Column, width))
        room = painter.sizeHint(option, panel.lines.index(0, Column.WORDS)).height()
        drawn = _lay_out(line.text, spoken, width - 2 * PAD_X_PX)[1]
        assert room >= int(drawn) + int(_lay_out(remark, _small(option.font), width)[1]) + PAD_Y_PX
