from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent

from app.store.records import MARK_END, MARK_START, Hit, HitKind, LessonRow
from views.library.hits import HIT_ROLE, split_marks
from views.library.lessons import done_words, missing_words, waiting_words
from views.library.page import LibraryPage


def row(lesson_id="a", *, path="", found=True, clips=0, decided=0, has_transcript=True):
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


def test_a_hit_opens_its_lesson_at_the_moment(page, qtbot):
    page.show_lessons([row("a")])
    hit = Hit("a", "Lesson a", HitKind.UTTERANCE, "It leaks", "It leaks", 29_500, 6)
    page.searched.connect(lambda words: page.show_hits(words, [hit]))
    with qtbot.waitSignal(page.searched):
        qtbot.keyClicks(page._search, "leak")
    qtbot.keyClick(page._search, Qt.Key.Key_Return)
    with qtbot.waitSignal(page.lesson_opened) as opened:
        qtbot.keyClick(page._found, Qt.Key.Key_Return)
    assert opened.args == ["a", 29_500]
    assert page._found.currentIndex().data(HIT_ROLE) == hit


def test_a_search_without_hits_says_where_it_looked(page):
    page.show_lessons([row("a")])
    page._search.setText("zebra")
    page.show_hits("zebra", [])
    assert "Nothing found for “zebra”" in page._said.text()


def test_found_words_are_known_by_their_marks():
    snippet = f"it {MARK_START}leaks{MARK_END} or\n{MARK_START}leaked{MARK_END}"
    assert split_marks(snippet) == ("it leaks or leaked", [(3, 5), (12, 6)])
