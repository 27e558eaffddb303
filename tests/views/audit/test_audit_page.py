"""The Tutor audit page on a real library with a small audit of known scores."""

from audit_page_calls import ONE, look_at, look_at_results, refreshed, table_row

from app.audit.items import Axis
from app.audit.planted import Planted
from app.audit.records import Seat
from views.audit.compare import SAME, CompareDialog
from views.audit.doing import RUN
from views.audit.page import (
    AUDITS,
    CASES,
    EXPERTS,
    ITEMS,
    REFRESH_EVERY_S,
    RESULTS,
)
from views.audit.results import NO_AUDIT
from views.audit.short import FOR_PEOPLE, NOT_KNOWN, NOTHING_BROKE
from views.background import Job, Lane, State


def test_a_library_without_audits_leads_to_the_first_one(page, qtbot):
    with qtbot.waitSignal(page.gathering.audits_came):
        page.refresh()
    assert page.audits.list.count() == 0
    with qtbot.waitSignal(page.audits.new_wanted, raising=False) as asked:
        page.work.ask = lambda: None
        page.audits._empty.asked.emit()
    assert asked.signal_triggered


def test_what_was_settled_stands_beside_the_list_with_its_marks(page, kept, qtbot):
    kept(is_sample=True)
    refreshed(page, qtbot)
    told = page.audits.sheet.toPlainText()
    assert "A sample that came with the program: no real model was asked." in told
    assert "starter items, not expert-reviewed" in told
    assert "Attitude: at least 80% of responses pass" in told
    assert "sample, no real model" in page.audits.list.item(0).text()
    # A sample is never asked of anybody.
    assert not page.audits.go_on.isEnabled()


def test_pass_shares_of_a_judge_that_no_expert_was_held_against_are_withheld(page, kept, qtbot):
    kept()
    look_at_results(page, qtbot, "attitude")
    row = page.results.cell().table.rows[table_row(page, "Deception", "under pressure, unwatched")]
    assert row[2] == "withheld"
    # The mean score of a judge stays: 3 for each response of that cell.
    assert row[4] == "3.0"
    assert page.results.experts.isVisible()


def test_how_many_fail_cannot_be_asked_for_while_shares_are_withheld(page, kept, qtbot):
    kept()
    look_at_results(page, qtbot, "attitude")
    down = table_row(page, "Deception", "under pressure")
    page.results.table.table.setCurrentCell(down, 8)
    assert page.results.cell().head == "Fail"
    # Eight draws are under pressure: all of them, whatever came of them.
    assert page.results._point.text().endswith("8 responses. Enter reads them.")
    assert "fail" not in page.results._point.text()


def test_each_judge_has_a_board_of_its_own(page, kept, qtbot):
    kept()
    look_at_results(page, qtbot, "attitude")
    found = []
    for place in range(2):
        page.results.judge.setCurrentIndex(place)
        down = table_row(page, "Deception", "under pressure, unwatched")
        found.append(page.results.cell().table.rows[down][4])
    assert found == ["3.0", "2.0"]
    assert page.results.judge.itemText(0) == f"{ONE} (mistral)"


def test_the_gates_stand_first_and_cannot_be_told_without_experts(page, kept, qtbot):
    kept()
    look_at_results(page, qtbot, "gates")
    assert [row[2] for row in page.results.cell().table.rows] == ["cannot tell"] * 2


def test_the_page_is_reached_from_the_list_by_enter(page, kept, qtbot):
    kept()
    refreshed(page, qtbot)
    assert page.tabs.currentIndex() == AUDITS
    page.audits.list.setCurrentRow(0)
    page.audits.list.itemActivated.emit(page.audits.list.item(0))
    assert page.tabs.currentIndex() == RESULTS


def compared(dialog, qtbot):
    qtbot.waitUntil(lambda: dialog.views.count() > 0, timeout=20_000)


def test_two_audits_are_compared_with_what_got_worse_first(page, desk, kept, qtbot):
    earlier = kept(title="Before")
    later = kept(title="After", seed=1)
    with qtbot.waitSignal(page.gathering.audits_came):
        page.refresh()
    audits = desk.library.audits.audits()
    dialog = CompareDialog(audits, later, page.work.compare)
    qtbot.addWidget(dialog)
    assert dialog._chosen() == (earlier, later)
    compared(dialog, qtbot)
    # The same responses on both sides: nothing got worse, so only the changes have rows.
    assert all("Changes in" in dialog.views.item(n).text() for n in range(dialog.views.count()))
    with qtbot.waitSignal(dialog.write_wanted) as written:
        dialog.write.click()
    assert written.args == [earlier, later]
    dialog.earlier.setCurrentIndex(dialog.later.currentIndex())
    assert dialog.table._empty._title.text() == SAME
    assert not dialog.write.isEnabled()


def test_what_got_worse_leads_to_the_responses_of_now(page, kept, qtbot):
    first = kept(title="Before")
    kept(title="After", seed=1)
    refreshed(page, qtbot)
    item_id = next(iter(page.opened.items))
    with qtbot.waitSignal(page.gathering.opened_came):
        page._show_item(first, item_id)
    assert page.opened.audit.audit_id == first
    assert page.tabs.currentIndex() == CASES
    assert page.cases.title.startswith(f"{item_id}: 8 responses.")


def test_keys_of_a_tab_are_heard_only_while_it_is_in_front(page, qtbot):
    page.refresh()
    assert not any(action.isEnabled() for action in page.items.actions_in_menu if action)
    page.tabs.setCurrentIndex(ITEMS)
    assert all(action.isEnabled() for action in page.items.actions_in_menu if action)
    page.leave()
    assert not any(action.isEnabled() for action in page.items.actions_in_menu if action)


def test_the_sample_is_added_from_the_menu_and_shown(page, desk, qtbot):
    with qtbot.waitSignal(page.gathering.board_came, timeout=30_000):
        page.add_sample()
    assert page.opened.audit.plan.is_sample
    assert [audit.plan.is_sample for audit in desk.library.audits.audits()] == [True]


def test_withheld_pass_shares_lead_to_the_experts_and_a_case_of_theirs_opens(
    page, desk, kept, qtbot
):
    audit_id = kept()
    refreshed(page, qtbot)
    page.show_results()
    page.results.experts.click()
    assert page.tabs.currentIndex() == EXPERTS
    assert page.experts.isVisible()
    desk.audit_experts.draw(audit_id, per_axis=2)
    (draw,) = desk.audit_experts.draws(audit_id)
    wanted = draw.response_ids[1]
    with qtbot.waitSignal(page.gathering.opened_came, timeout=10_000):
        page.experts.case_wanted.emit(audit_id, wanted)
    assert page.tabs.currentIndex() == CASES
    assert page.cases.shown.response_id == wanted


def test_a_self_check_says_what_each_judge_saw_of_the_planted_tutor(page, kept, qtbot):
    kept(is_self_check=True, tutor=Seat(Planted.YIELDS_UNWATCHED.tutor), items=8)
    refreshed(page, qtbot)
    told = page.audits.sheet.toPlainText()
    assert "A self-check: the tutor is a planted one, which is no model." in told
    # All that was planted to fail was failed, and nothing else.
    assert f"{ONE}: seen. 15 of 15 responses planted to fail were failed. 48 of 48 others" in told
    assert "self-check, planted tutor" in page.audits.list.item(0).text()


def test_an_audit_in_short_stands_first_and_does_not_call_unknown_good(page, kept, qtbot):
    kept()
    refreshed(page, qtbot)
    page.show_results()
    assert page.results.sheet.isVisible()
    told = page.results.sheet.toPlainText()
    assert told.startswith(FOR_PEOPLE)
    # No expert has scored, so that nothing is known; that must not read as good news.
    assert f"What broke\n{NOT_KNOWN}" in told
    assert NOTHING_BROKE not in told
    assert "Pass shares in attitude, and what pressure changes: withheld." in told
    assert not page.results.open.isEnabled()


def test_an_audit_of_knowledge_alone_needs_no_judge(page, kept, qtbot):
    kept(items=0, axes=(Axis.KNOWLEDGE,), judges=(), gates=())
    refreshed(page, qtbot)
    page.show_results()
    assert not page.results.judge.isVisible()
    assert "What broke" not in page.results.sheet.toPlainText()
    look_at(page, "knowledge")
    assert page.results.cell().table.key == "knowledge"
    assert page.audits._far.text() == "3 of 3 responses."


def test_a_board_stands_before_the_responses_behind_it_are_listed(page, kept, qtbot):
    kept()
    page.show_results()
    order = []
    page.gathering.figures_came.connect(lambda *_: order.append(page.so_far))
    page.gathering.so_far_came.connect(lambda *_: order.append(len(page.so_far.responses)))
    refreshed(page, qtbot)
    assert order == [None, 19]
    look_at(page, "attitude")
    assert page.results.open.isEnabled()


def test_names_of_tables_are_read_whole_at_large_text(page, kept, qtbot):
    kept()
    refreshed(page, qtbot)
    page.show_results()
    font = page.font()
    font.setPointSizeF(font.pointSizeF() * 2)
    page.setFont(font)
    page.fit_text()
    views = page.results.views
    widest = max(
        views.fontMetrics().horizontalAdvance(views.item(n).text()) for n in range(views.count())
    )
    assert views.width() > widest


def test_figures_come_while_an_audit_goes_on(page, kept, qtbot, monkeypatch):
    kept()
    refreshed(page, qtbot)
    asked = []
    monkeypatch.setattr(page, "refresh", lambda: asked.append(True))
    job = Job("Audit: Spring", Lane.LONG, kind=RUN)
    job.state = State.RUNNING
    page.show_job(job)
    assert page._strip.isVisible()
    # Just looked; the next look is a few seconds away.
    assert asked == []
    page._read_s -= REFRESH_EVERY_S
    page.show_job(job)
    assert asked == [True]


def test_a_sample_is_never_asked_of_a_model_from_the_menu_either(page, kept, qtbot, monkeypatch):
    asked = []
    monkeypatch.setattr(page.work, "go_on", asked.append)
    with qtbot.waitSignal(page._notices.told) as told:
        page.go_on()
    assert told.args[0].message == NO_AUDIT[0]
    kept(is_sample=True)
    refreshed(page, qtbot)
    with qtbot.waitSignal(page._notices.told) as told:
        page.go_on()
    assert told.args[0].message == "A sample is asked of nobody."
    own = kept(title="Own")
    page._choose(own)
    qtbot.waitUntil(lambda: page.opened.audit.audit_id == own)
    page.go_on()
    assert asked == [own]
