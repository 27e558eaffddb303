from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent

from app.coding.moments import Found, Moment, MomentKind, Order
from app.store.records import MARK_END, MARK_START, LessonRow
from views.library.hits import HIT_ROLE, split_marks
from views.library.lessons import HEAD_ROLE, done_words, missing_words, waiting_words
from views.library.page import LibraryPage


def row(
    lesson_id="a", *, path="", found=True, clips=0, decided=0, has_transcript=True, coded_set=""
):
    return LessonRow(
        lesson_id,
        f"Lesson {lesson_id}",
        path,
        found,
        60_000,
        "2026-01-01",
        clips,
        clips,
        decided,
        has_transcript,
        "f" if path else "",
        coded_set,
    )


@pytest.fixture
def page(qtbot):
    made = LibraryPage()
    qtbot.addWidget(made)
    made.resize(800, 600)
    made.show()
    return made


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (row(path="/a.mp4", has_transcript=False), "Recording. Nothing is written down yet"),
        (row(), "Transcript alone. No evidence looked for yet"),
        (
            row(path="/a.mp4", clips=12),
            "Recording and transcript. 12 clips, 12 looked at by the finder",
        ),
    ],
)
def test_a_lesson_says_what_has_been_done(given, words):
    assert done_words(given) == words


@pytest.mark.parametrize(
    ("clips", "decided", "words"),
    [
        (0, 0, "Nothing to review yet"),
        (12, 3, "3 of 12 clips reviewed"),
        (12, 12, "All 12 clips reviewed"),
    ],
)
def test_a_lesson_says_what_waits(clips, decided, words):
    assert waiting_words(row(clips=clips, decided=decided)) == words


def test_a_recording_that_is_gone_is_named_and_can_be_looked_for(page, qtbot):
    gone = row("b", path="/lessons/maths.mp4", found=False)
    assert "maths.mp4 is not where it was" in missing_words(gone)
    page.show_lessons([row("a"), gone])
    assert page._find.isHidden()
    page.choose("b")
    assert page._find.isVisible()
    with qtbot.waitSignal(page.media_wanted) as wanted:
        qtbot.mouseClick(page._find, Qt.MouseButton.LeftButton)
    assert wanted.args == ["b"]


def test_the_first_start_offers_the_sample_and_opening_a_file(page, qtbot):
    page.show_lessons([])
    with qtbot.waitSignal(page.sample_wanted):
        qtbot.mouseClick(page._welcome._sample, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(page.files_wanted):
        qtbot.mouseClick(page._welcome._files, Qt.MouseButton.LeftButton)


def test_enter_opens_the_chosen_lesson(page, qtbot):
    page.show_lessons([row("a"), row("b")])
    page._list.setFocus()
    qtbot.keyClick(page._list, Qt.Key.Key_Down)
    with qtbot.waitSignal(page.lesson_opened) as opened:
        qtbot.keyClick(page._list, Qt.Key.Key_Return)
    assert opened.args == ["b", -1]


def test_a_title_is_typed_over_with_f2(page, qtbot):
    page.show_lessons([row("a")])
    page._list.setFocus()
    qtbot.keyClick(page._list, Qt.Key.Key_F2)
    editor = page._list.focusWidget()
    with qtbot.waitSignal(page.retitled) as typed:
        editor.selectAll()
        qtbot.keyClicks(editor, "Water")
        qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert typed.args == ["a", "Water"]


def test_dropped_files_are_handed_on(page, qtbot):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/a/maths.mp4"), QUrl("https://example.org/x.mp4")])
    event = QDropEvent(
        QPointF(5, 5),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    with qtbot.waitSignal(page.files_dropped) as dropped:
        page.dropEvent(event)
    assert dropped.args == [[Path("/a/maths.mp4")]]


def hit(text="It leaks", at_ms=29_500, **more):
    return Moment(
        "a",
        "Lesson a",
        date(2026, 9, 3),
        False,
        MomentKind.UTTERANCE,
        text,
        text,
        at_ms=at_ms,
        **more,
    )


def test_a_hit_opens_its_lesson_at_the_moment(page, qtbot):
    page.show_lessons([row("a")])
    page.searched.connect(lambda wanted: page.show_found(wanted, Found((hit(),))))
    with qtbot.waitSignal(page.searched) as searched:
        qtbot.keyClicks(page.asking.box, "leak")
    assert (searched.args[0].words, searched.args[0].order) == ("leak", Order.LESSON)
    qtbot.keyClick(page.asking.box, Qt.Key.Key_Return)
    with qtbot.waitSignal(page.lesson_opened) as opened:
        qtbot.keyClick(page.results.list, Qt.Key.Key_Return)
    assert opened.args == ["a", 29_500]
    assert page.results.list.currentIndex().data(HIT_ROLE) == hit()


def test_a_search_without_hits_says_where_it_looked(page):
    page.show_lessons([row("a")])
    page.asking.box.setText("zebra")
    page.show_found(page.asking.wanted, Found())
    assert "Nothing found for “zebra”" in page.results.said.text()


def test_a_blind_coder_is_told_what_was_left_out(page):
    page.show_lessons([row("a")])
    page.asking.box.setText("leak")
    page.show_found(page.asking.wanted, Found((hit(),), hidden_clips=3))
    assert "3 clips were left out, whatever their code" in page.results.said.text()


def test_another_order_is_asked_for_anew(page, qtbot):
    page.show_lessons([row("a")])
    page.asking.box.setText("leak")
    with qtbot.waitSignal(page.searched) as searched:
        page.results.order.setCurrentIndex(1)
    assert searched.args[0].order is Order.RELEVANCE


def test_lessons_of_a_coded_set_stand_folded_under_its_name(page, qtbot):
    rows = [
        row("s1", coded_set="SciIBI", clips=2),
        row("a"),
        row("s2", coded_set="SciIBI", clips=1),
    ]
    page.show_lessons(rows)
    head = page.lessons.index(1).data(HEAD_ROLE)
    assert page.lessons.rowCount() == 2
    assert head.words == "Coded set “SciIBI”: 2 lessons, 3 clips"
    page._list.setFocus()
    page._list.setCurrentIndex(page.lessons.index(1))
    qtbot.keyClick(page._list, Qt.Key.Key_Return)
    assert page.lessons.rowCount() == 4
    assert page._list.currentIndex().row() == 1
    assert not page._open.isEnabled()
    page.show_lessons(rows)
    assert page.lessons.rowCount() == 4
    qtbot.keyClick(page._list, Qt.Key.Key_Return)
    assert page.lessons.rowCount() == 2
    page.choose("s2")
    assert page.chosen_lesson() == "s2"


def test_posters_of_folded_lessons_are_not_asked_for(page):
    page.show_lessons([row("s1", coded_set="S", path="/a.mp4"), row("a", path="/b.mp4")])
    assert [one.lesson_id for one in page.lessons.without_poster()] == ["a"]


def test_found_words_are_known_by_their_marks():
    snippet = f"it {MARK_START}leaks{MARK_END} or\n{MARK_START}leaked{MARK_END}"
    assert split_marks(snippet) == ("it leaks or leaked", [(3, 5), (12, 6)])
