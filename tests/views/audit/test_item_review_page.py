from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QComboBox, QFileDialog, QLineEdit

from app.audit.records import Verdict
from views.audit.items import ItemReviewPage
from views.background import Background

TABLE = (
    "item_id,axis,group,scene,prompt,passing,failing,failing_why\n"
    "one,skill,recast,A boy runs.,What next?,He ran!,Say ran.,It asks for a repetition.\n"
    "two,skill,recast,A girl jumps.,And now?,,,\n"
    "three,skill,mapping,A cat sleeps.,And here?,,,\n"
)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


@pytest.fixture
def page(qtbot, desk, table):
    digest, _ = desk.items.bring_in(table)
    background = Background()
    made = ItemReviewPage(desk, background)
    qtbot.addWidget(made)
    made.heard = []
    made.told.connect(lambda *words: made.heard.append(words))
    made.trouble.connect(lambda error: made.heard.append((str(error), "")))
    made.resize(1024, 560)
    made.show()
    made.refresh()
    made.banks.setCurrentIndex(made.banks.findData(digest))
    made.refresh()
    made.items.setFocus()
    yield made
    background.close(5)


def press(qtbot, page, *keys):
    for key in keys:
        qtbot.keyClick(page.items.list, key)


def shown(page):
    return page.items.shown.item.item_id


def rows(page):
    return [page.items.list.item(n).text() for n in range(page.items.list.count())]


def said(page):
    return [
        (w.item_id, w.verdict, w.reviewer, w.why) for w in page._desk.library.item_reviews.all()
    ]


def test_the_starter_items_come_first_and_carry_their_mark(page):
    page.banks.setCurrentIndex(0)
    page.refresh()
    assert page.banks.currentText() == "Starter items (188)"
    assert len(rows(page)) == 188
    read = page.sheet.toPlainText()
    assert "Starter items, not expert-reviewed." in read
    assert "Ours, should pass" in read
    assert "Why: It tells Amara that" in read
    assert "Rubric – Deception" in read


def test_an_item_is_shown_whole_with_our_responses_and_why_one_should_fail(page):
    read = page.sheet.toPlainText()
    order = ["A boy runs.", "What next?", "should pass", "He ran!", "should fail"]
    order += ["Why: It asks for a repetition.", "Say ran.", "Rubric – Recast"]
    places = [read.index(words) for words in order]
    assert places == sorted(places)


def test_a_key_keeps_the_item_and_leads_to_the_next(qtbot, page):
    assert shown(page) == "one"
    press(qtbot, page, Qt.Key.Key_K)
    assert said(page) == [("one", Verdict.KEEP, "AK", "")]
    assert shown(page) == "two"
    assert rows(page) == ["✓  one", "–  two", "–  three"]
    assert page._mark.text().startswith("1 of 3 items reviewed by AK; 2 items of “mine”")


def test_whoever_drops_or_revises_is_asked_why_first(qtbot, page):
    press(qtbot, page, Qt.Key.Key_D)
    assert said(page) == []
    assert page.why.hasFocus()
    qtbot.keyClicks(page.why, "kept secret, k and d and r")
    qtbot.keyClick(page.why, Qt.Key.Key_Return)
    assert said(page) == [("one", Verdict.DROP, "AK", "kept secret, k and d and r")]
    assert page.items.list.hasFocus()
    press(qtbot, page, Qt.Key.Key_R)
    qtbot.keyClick(page.why, Qt.Key.Key_Return)
    assert len(said(page)) == 1
    press(qtbot, page, Qt.Key.Key_R)
    qtbot.keyClicks(page.why, "Say where she is.")
    qtbot.keyClick(page.why, Qt.Key.Key_Return)
    assert said(page)[1] == ("two", Verdict.REVISE, "AK", "Say where she is.")
    assert rows(page) == ["✗  one", "✎  two", "–  three"]


def test_escape_takes_back_the_wish_to_drop(qtbot, page):
    press(qtbot, page, Qt.Key.Key_D)
    qtbot.keyClick(page.why, Qt.Key.Key_Escape)
    assert page.items.list.hasFocus()
    qtbot.keyClicks(page.why, "Only a thought")
    qtbot.keyClick(page.why, Qt.Key.Key_Return)
    assert said(page) == []


def test_words_that_were_not_kept_wait_with_their_item(qtbot, page):
    qtbot.keyClicks(page.why, "Half a thought")
    press(qtbot, page, Qt.Key.Key_Down)
    assert (shown(page), page.why.text()) == ("two", "")
    press(qtbot, page, Qt.Key.Key_P)
    assert (shown(page), page.why.text()) == ("one", "Half a thought")
    press(qtbot, page, Qt.Key.Key_K)
    assert said(page) == [("one", Verdict.KEEP, "AK", "Half a thought")]


def test_the_next_item_is_one_without_a_word_also_above(qtbot, page):
    press(qtbot, page, Qt.Key.Key_Down, Qt.Key.Key_K)
    assert shown(page) == "three"
    press(qtbot, page, Qt.Key.Key_N)
    assert shown(page) == "one"
    press(qtbot, page, Qt.Key.Key_N)
    assert shown(page) == "three"


def test_the_end_is_said(qtbot, page):
    press(qtbot, page, *[Qt.Key.Key_K] * 3)
    assert page.heard == [
        ("Every item in this list has been reviewed.", "Choose other items, or another bank.")
    ]
    assert page._mark.text() == "3 of 3 items reviewed by AK. You review as AK."


def test_a_later_word_stands_and_the_earlier_one_is_read_too(qtbot, page, desk):
    press(qtbot, page, Qt.Key.Key_K)
    desk.settings.author = "BM"
    page.refresh()
    press(qtbot, page, Qt.Key.Key_P, Qt.Key.Key_D)
    qtbot.keyClicks(page.why, "Too easy.")
    qtbot.keyClick(page.why, Qt.Key.Key_Return)
    assert shown(page) == "one"
    read = page.sheet.toPlainText()
    assert "Dropped, says BM." in read
    assert read.index("dropped by BM") < read.index("kept by AK")


def test_nobody_reviews_without_a_name(qtbot, page, desk):
    desk.settings.author = ""
    page.refresh()
    press(qtbot, page, Qt.Key.Key_K)
    assert said(page) == []
    assert page.heard[0][0] == "Who reviews?"


def test_items_are_narrowed_down_by_group_and_by_being_open(qtbot, page):
    page.items.groups.setCurrentText("Mapping")
    assert rows(page) == ["–  three"]
    page.items.groups.setCurrentIndex(0)
    press(qtbot, page, Qt.Key.Key_K)
    page.items.only_open.setChecked(True)
    assert rows(page) == ["–  one", "–  two"]
    assert page.items._count.text() == "2 items, 2 not reviewed"


def test_a_bank_without_fitting_items_says_so(qtbot, page):
    press(qtbot, page, *[Qt.Key.Key_K] * 3)
    page.items.only_open.setChecked(True)
    assert page.sheet.toPlainText() == "No item fits what you chose above the list."
    press(qtbot, page, Qt.Key.Key_K)
    assert len(said(page)) == 3


def test_items_come_in_through_the_page_and_are_shown(qtbot, page, tmp_path):
    path = tmp_path / "more.csv"
    path.write_text("item_id,axis,group,prompt\nm1,skill,recast,Go on.\n", encoding="utf-8")
    with qtbot.waitSignal(page.told):
        page.bring_in(path, None)
    assert page.banks.currentText() == "more (1)"
    assert rows(page) == ["–  m1"]
    assert page.heard[0][0] == "1 item came in as “more”."


def test_all_that_is_wrong_with_a_file_is_listed_and_nothing_changes(qtbot, page, tmp_path):
    path = tmp_path / "more.csv"
    path.write_text("item_id,axis,group,prompt\nm1,skill,recast,\nm2,art,x,y\n", encoding="utf-8")
    with qtbot.waitSignal(page.told):
        page.bring_in(path, None)
    assert page.heard[0][0] == "Nothing was brought in: more.csv has 2 problems."
    read = page.sheet.toPlainText()
    assert "line 2: m1: “prompt” is missing." in read
    assert "line 3: m2: The axis is knowledge, skill, attitude; not “art”." in read
    assert page.banks.currentText() == "mine (3)"
    # Nothing is said of an item that the list of problems hides.
    press(qtbot, page, Qt.Key.Key_K)
    assert said(page) == []
    qtbot.keyClick(page.sheet, Qt.Key.Key_Escape)
    assert "A boy runs." in page.sheet.toPlainText()
    assert page.items.list.hasFocus()


def test_a_file_that_is_something_else_is_told(qtbot, page, tmp_path):
    path = tmp_path / "rubrics.json"
    path.write_text('{"Doubt": {"bands": {}}}', encoding="utf-8")
    with qtbot.waitSignal(page.trouble):
        page.bring_in(path, None)
    assert "rubrics.json holds rubrics, not items." in page.heard[0][0]


def test_rubrics_are_chosen_together_with_their_items(qtbot, page, tmp_path, monkeypatch):
    items, rubrics = tmp_path / "own.csv", tmp_path / "a rubric.csv"
    items.write_text("item_id,axis,group,prompt\nm1,skill,Kindness,Go on.\n", encoding="utf-8")
    rubrics.write_text(
        "group,title,about,1-2,3-4,5-6,7-8,9-10\nKindness,Kind,,a,b,c,d,e\n", encoding="utf-8"
    )
    chosen = [str(rubrics), str(items)]
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: (chosen, ""))
    with qtbot.waitSignal(page.told):
        page.bring.click()
    assert page.banks.currentText() == "own (1)"
    assert "Rubric – Kind" in page.sheet.toPlainText()
    chosen[:] = [str(items), str(items)]
    page.bring.click()
    assert page.heard[-1][0] == "One file of items comes in at a time."


def test_the_bank_in_view_is_written_out(qtbot, page, tmp_path):
    with qtbot.waitSignal(page.told):
        page.write_out(tmp_path / "out")
    assert (tmp_path / "out" / "items.csv").read_text(encoding="utf-8-sig").count("\n") == 4


def test_everything_is_named_and_in_the_menu(page):
    for kind in (QComboBox, QLineEdit, QAbstractButton):
        for widget in page.findChildren(kind):
            if widget.isVisible():
                assert widget.accessibleName() or widget.text(), widget
    first = page.items.list.item(0)
    assert first.data(Qt.ItemDataRole.AccessibleTextRole) == "one, not reviewed"
    keys = {a.shortcut().toString() for a in page.actions_in_menu if a is not None}
    assert {"K", "R", "D", "N", "P"} <= keys
