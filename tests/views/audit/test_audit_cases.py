"""The responses behind the figures of an audit, and what is hidden from whoever scores blind."""

from audit_page_calls import ONE, TWO, look_at_results, refreshed, table_row
from PySide6.QtCore import Qt

from app.audit.items import Axis
from app.audit.records import Seat
from views.audit.case_lines import CHECK_WORDS
from views.audit.listed import Behind
from views.audit.page import CASES, RESULTS


def test_enter_on_a_number_lists_the_responses_behind_it(page, kept, qtbot):
    kept()
    look_at_results(page, qtbot, "attitude")
    down = table_row(page, "Deception", "under pressure, unwatched")
    page.results.table.table.setCurrentCell(down, 4)
    qtbot.keyClick(page.results.table.table, Qt.Key.Key_Return)
    assert page.tabs.currentIndex() == CASES
    told = "Deception, under pressure, unwatched: 4 responses. Scores by judge one, then judge two."
    assert page.cases.title == told
    first = page.cases.list.item(0)
    assert first.text().startswith("3.0 failed  |  2.0 failed, 3 quotes made up\n")
    spoken = first.data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("judge one: 3.0 failed  |  judge two: 2.0 failed")
    assert page.cases.shown.item.axis is Axis.ATTITUDE


def test_a_case_shows_the_words_first_and_tells_quotes_that_are_made_up(page, kept, qtbot):
    kept()
    look_at_results(page, qtbot, "attitude")
    page.results.table.table.setCurrentCell(table_row(page, "Deception", "all conditions"), 4)
    page.results._open()
    told = page.cases.sheet.toPlainText()
    order = [told.index(word) for word in ("Scene", "Asked", "Response, whole", ONE, TWO)]
    assert order == sorted(order)
    assert "“nobody wrote this” ✗ NOT IN THE RESPONSE" in told
    assert "“two words” ✓ stands there word for word" in told
    # Its last scoring gave nothing usable, so that there is no score by this judge.
    assert f"{TWO}: no score" in told


def test_a_response_that_was_cut_off_says_so_and_is_in_no_share(page, kept, qtbot):
    kept()
    look_at_results(page, qtbot, "attitude")
    page.results.table.table.setCurrentCell(table_row(page, "Deception", "all conditions"), 4)
    page.results._open()
    page.cases.list.setCurrentRow(page.cases.list.count() - 1)
    assert page.cases.list.currentItem().text().startswith("cut off")
    assert "None that counts: cut off." in page.cases.sheet.toPlainText()


def test_answers_on_knowledge_open_with_the_letter_and_the_key(page, kept, qtbot):
    kept()
    look_at_results(page, qtbot, "knowledge")
    page.results.table.table.setCurrentCell(0, 1)
    page.results._open()
    assert page.cases.list.count() == 3
    key = page.cases.shown.item.key
    assert page.cases.list.item(1).text().startswith(f"{key}, right")
    assert f"the key is {key}." in page.cases.sheet.toPlainText()


def test_who_scores_blind_sees_no_score_before_closing_the_own(page, desk, kept, qtbot):
    audit_id = kept()
    ids = [one.response_id for one in desk.library.audits.responses(audit_id) if not one.choice][:2]
    draw = desk.library.experts.add_draw(audit_id, ids, per_axis=2, seed=1)
    desk.library.experts.score(draw, ids[0], "AK", 6)
    refreshed(page, qtbot)
    by_id = {one.response_id: one for one in page.so_far.responses}
    # A score of one's own can be changed until the talk, so that one given is hidden as well.
    assert [by_id[each].is_hidden for each in ids] == [True, True]
    assert by_id[ids[1]].scores == ()
    page.cases.show_responses("Both", [by_id[each] for each in ids], (ONE, TWO))
    page.cases.choose(ids[1])
    told = page.cases.sheet.toPlainText()
    assert "without knowing what others gave" in told
    assert ONE not in told
    assert page.cases.list.item(1).text().startswith("scores not shown while you score blind")
    desk.library.experts.score(draw, ids[1], "AK", 6)
    refreshed(page, qtbot)
    assert all(one.is_hidden for one in page.so_far.responses if one.response_id in ids)
    (kept_draw,) = desk.audit_experts.draws(audit_id)
    desk.audit_experts.see_judges(kept_draw, "AK")
    page.refresh()
    qtbot.waitUntil(
        lambda: page.so_far is not None and not any(o.is_hidden for o in page.so_far.responses)
    )
    assert not any(one.is_hidden for one in page.so_far.responses)


def test_every_check_of_a_quote_that_can_come_has_words():
    assert {"✓", "≈", "✗"} == {words[0] for words in CHECK_WORDS.values()}


def test_esc_leads_from_the_responses_back_to_the_number(page, kept, qtbot):
    kept()
    look_at_results(page, qtbot, "attitude")
    grid = page.results.table.table
    grid.setCurrentCell(table_row(page, "Deception", "under pressure, unwatched"), 4)
    with qtbot.waitActive(page):
        page.activateWindow()
    page.results._open()
    qtbot.keyClick(page.cases.list, Qt.Key.Key_Escape)
    assert page.tabs.currentIndex() == RESULTS
    assert page.results.cell().row_words[1] == "under pressure, unwatched"


def test_a_number_opened_before_the_responses_are_listed_has_them_all_the_same(page, kept, qtbot):
    kept()
    with qtbot.waitSignal(page.gathering.figures_came, timeout=10_000):
        page.refresh()
    page.so_far = None
    page.show_behind(Behind("Deception", ONE, Axis.ATTITUDE, "deception"))
    assert page.cases.title.startswith("Deception: 16 responses.")


def test_what_tells_most_tells_nothing_of_scores_that_are_hidden(page, desk, kept, qtbot):
    audit_id = kept()
    refreshed(page, qtbot)
    listed = [page.cases.list.item(n) for n in range(page.cases.list.count())]
    first = listed[0].data(Qt.ItemDataRole.UserRole).response_id
    other = next(
        one for one in page.so_far.responses if one.response_id != first and not one.choice
    )
    ids = [first, other.response_id]
    draw = desk.library.experts.add_draw(audit_id, ids, per_axis=2, seed=1)
    desk.library.experts.score(draw, other.response_id, "AK", 6)
    refreshed(page, qtbot)
    hidden = next(one for one in page.so_far.responses if one.response_id == first)
    assert hidden.is_hidden
    assert not page.cases.choose(first)
    page.cases.show_responses("One", [hidden], (ONE, TWO))
    assert "Why it is here" not in page.cases.sheet.toPlainText()


def test_a_key_that_every_tutor_contradicts_is_listed_and_leads_to_the_answers(
    page, bank, kept, qtbot
):
    key = next(item.key for item in bank.items if item.axis is Axis.KNOWLEDGE)
    other = "B" if key != "B" else "C"
    for name in ("first tutor", "second tutor"):
        kept(always=other, tutor=Seat(name))
    look_at_results(page, qtbot, "stale")
    (row,) = page.results.cell().table.rows
    assert row[2:] == (key, f"{other} 6×", other)
    page.results._open()
    assert page.cases.list.count() == 3
    assert page.cases.list.item(0).text().startswith(f"{other}, wrong: {key}")
