"""Experts on a real library: the draw, what each may see, the talk, and what counts afterwards."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QListWidget

from app.audit.items import Axis
from app.errors import Refused
from views.audit.experts import ExpertPage
from views.audit.experts_draw import ExpertDrawDialog, drawn_words
from views.background import Background

ONE, TWO = "judge one", "judge two"
KEYS = Qt.Key


@pytest.fixture
def page(qtbot, desk):
    background = Background()
    made = ExpertPage(desk, background)
    qtbot.addWidget(made)
    made.heard, made.cases = [], []
    made.told.connect(lambda *words: made.heard.append(" ".join(words)))
    made.trouble.connect(lambda error: made.heard.append(str(error)))
    made.case_wanted.connect(lambda *case: made.cases.append(case))
    made.resize(1024, 560)
    made.show()
    yield made
    made.leave()
    background.close(5)


@pytest.fixture
def audit_id(kept, desk):
    made = kept()
    for judge in (ONE, TWO):
        desk.library.audits.add_run(made, "judge", judge, [("weights", judge)])
    return made


@pytest.fixture
def drawn(page, desk, audit_id):
    """Give a draw of four responses, two of which judges did not pass, in view of the page."""
    desk.audit_experts.draw(audit_id, per_axis=4)
    page.show_audit(audit_id)
    (draw,) = desk.audit_experts.draws(audit_id)
    return draw


def words_of(widget):
    return " ".join(label.text() for label in widget.findChildren(QLabel))


def sit_down(page, desk, name):
    desk.settings = replace(desk.settings, author=name)
    page.refresh()


def begin(page):
    page.scoring.join()
    page.scoring.setFocus()


def press(qtbot, page, *keys):
    for key in keys:
        qtbot.keyClick(page.window().focusWidget() or page, key)


def own(desk, draw, name):
    return {k: one.score for k, one in desk.audit_experts.drawn_for(draw, name).own.items()}


def bad_ones(desk, draw, judge=ONE):
    """Give the drawn responses that a judge did not pass."""
    rows = desk.library.audits.board_rows(draw.audit_id)
    return {
        row.response_id
        for row in rows
        if row.judge == judge and row.response_id in draw.response_ids and max(row.scores) < 7
    }


def everybody_scores(desk, draw, bad, **by):
    for name, (good, poor) in by.items():
        for each in draw.response_ids:
            desk.audit_experts.score(draw, each, name, poor if each in bad else good)


def look_at_judges(qtbot, page):
    page.tabs.setCurrentWidget(page.figures)
    qtbot.waitUntil(lambda: page._job is None, timeout=10_000)


def test_without_an_audit_the_next_step_is_said(page):
    page.refresh()
    assert "Choose one under Audits" in words_of(page.empty)


def test_as_long_as_judges_have_not_scored_nothing_can_be_drawn(page, desk, bank, plan_for):
    digest = desk.library.audits.add_bank("starter", bank)
    page.show_audit(desk.library.audits.add_audit(plan_for(digest), "AK"))
    assert "The tutor has no response yet that experts could score." in words_of(page.empty)
    assert not [b for b in page.empty.findChildren(QAbstractButton) if b.isVisible()]


def test_what_would_be_drawn_is_said_before(page, desk, audit_id, qtbot):
    page.show_audit(audit_id)
    assert "Draw responses…" in [b.text() for b in page.empty.findChildren(QAbstractButton)]
    dialog = ExpertDrawDialog(desk.audit_experts, audit_id)
    qtbot.addWidget(dialog)
    dialog.per_axis.setValue(4)
    assert dialog.told.text() == (
        "Attitude: 4 of 15 responses, 2 of them not passed by a judge.\n"
        "Each expert scores 4 responses."
    )
    page.draw_from(dialog)
    assert "Score as AK?" in words_of(page.scoring)
    assert page.draws.currentText().startswith("Draw 1: 4 responses, ")


def test_an_expert_sees_scene_request_response_and_rubric_and_nothing_else(page, drawn, bank):
    begin(page)
    card = page.scoring.shown
    read = page.scoring.ui.sheet.toPlainText()
    order = ["Scene", card.scene, "Asked", card.request, "Response, whole", card.text]
    places = [read.index(words) for words in order]
    assert places == sorted(places)
    rubric = bank.rubrics["deception"]
    shown = words_of(page.scoring.ui.picker)
    assert all(band.text in shown for band in rubric.bands)
    everything = read + words_of(page)
    for hidden in (bank.notices.monitored, bank.notices.unmonitored, "small tutor", ONE, TWO):
        assert hidden not in everything


def test_keys_choose_band_and_point_and_enter_keeps_and_goes_on(page, drawn, desk, qtbot):
    begin(page)
    first = page.scoring.shown.response_id
    press(qtbot, page, KEYS.Key_2)
    assert page.scoring.ui.picker.score is None
    assert page.window().focusWidget().accessibleName().startswith("Band 2, 3 to 4: ")
    press(qtbot, page, KEYS.Key_U)
    assert page.window().focusWidget().accessibleName() == "Upper point of band 2: 4"
    assert page.scoring.ui.picker.score == 4
    assert own(desk, drawn, "AK") == {}
    press(qtbot, page, KEYS.Key_Return)
    assert own(desk, drawn, "AK") == {first: 4}
    assert page.scoring.shown.response_id != first
    assert "1 of 4 scored." in words_of(page.scoring)


def test_the_same_key_again_takes_the_lower_and_then_the_upper_point(page, drawn, qtbot):
    begin(page)
    picker = page.scoring.ui.picker
    seen = []
    for _ in range(4):
        press(qtbot, page, KEYS.Key_5)
        seen.append(picker.score)
    assert seen == [None, 9, 10, 9]
    press(qtbot, page, KEYS.Key_1, KEYS.Key_L)
    assert picker.score == 1


def test_nothing_is_kept_without_a_point(page, drawn, desk, qtbot):
    begin(page)
    press(qtbot, page, KEYS.Key_3, KEYS.Key_Return)
    assert own(desk, drawn, "AK") == {}
    assert "has no score yet" in page.heard[0]


def test_letters_of_a_note_score_nothing_and_it_is_kept_with_the_score(page, drawn, desk, qtbot):
    begin(page)
    first = page.scoring.shown.response_id
    press(qtbot, page, KEYS.Key_4, KEYS.Key_L, KEYS.Key_N)
    qtbot.keyClicks(page.window().focusWidget(), "Lulls 1 of 5, u know")
    press(qtbot, page, KEYS.Key_Return)
    kept = desk.audit_experts.drawn_for(drawn, "AK").own[first]
    assert (kept.score, kept.note) == (7, "Lulls 1 of 5, u know")
    assert page.scoring.ui.note == ""


def test_one_goes_back_and_changes_a_score_and_the_first_word_stays(page, drawn, desk, qtbot):
    begin(page)
    first = page.scoring.shown.response_id
    press(qtbot, page, KEYS.Key_2, KEYS.Key_U, KEYS.Key_Return, KEYS.Key_Backspace)
    assert page.scoring.shown.response_id == first
    assert page.scoring.ui.picker.score == 4
    press(qtbot, page, KEYS.Key_1, KEYS.Key_L)
    assert "Not kept yet: Enter keeps it." in words_of(page.scoring)
    press(qtbot, page, KEYS.Key_Return)
    assert own(desk, drawn, "AK") == {first: 1}
    said = [one.score for one in desk.library.experts.scores(drawn.draw_id)]
    assert said == [4, 1]


def test_what_was_begun_is_there_again_and_scoring_goes_on_where_it_was_left(
    page, drawn, desk, qtbot
):
    begin(page)
    order = [card.response_id for card in page.scoring._cards]
    press(qtbot, page, KEYS.Key_5, KEYS.Key_U, KEYS.Key_Return, KEYS.Key_3)
    background = Background()
    again = ExpertPage(desk, background)
    qtbot.addWidget(again)
    again.show_audit(drawn.audit_id)
    again.refresh()
    assert [card.response_id for card in again.scoring._cards] == order
    assert again.scoring.shown.response_id == order[1]
    assert (again.scoring.ui.picker.band, again.scoring.ui.picker.score) == (3, None)
    background.close(5)


def test_nobody_becomes_an_expert_without_a_name_or_by_a_look(page, drawn, desk):
    assert desk.audit_experts.experts(drawn) == {}
    sit_down(page, desk, "")
    assert "Say who you are" in words_of(page.scoring)


def test_nothing_is_stored_for_who_has_just_sat_down(page, drawn, desk, qtbot):
    begin(page)
    press(qtbot, page, KEYS.Key_3, KEYS.Key_L)
    desk.settings = replace(desk.settings, author="BM")
    press(qtbot, page, KEYS.Key_Return)
    assert desk.library.experts.scores(drawn.draw_id) == ()
    assert "Score as BM?" in words_of(page.scoring)


def test_the_talk_waits_until_two_have_scored_everything(page, drawn, desk):
    bad = bad_ones(desk, drawn)
    everybody_scores(desk, drawn, bad, AK=(8, 3))
    page.refresh()
    assert "AK has scored 4 of 4; a second person has not begun." in words_of(page.talk)
    desk.audit_experts.score(drawn, drawn.response_ids[0], "BM", 9)
    page.refresh()
    assert "BM has scored 1 of 4." in words_of(page.talk)
    assert page.talk._cards == ()


def test_both_scores_stand_in_their_bands_and_the_furthest_apart_come_first(
    page, drawn, desk, qtbot
):
    ids = drawn.response_ids
    for each, (ann, ben) in zip(ids, ((8, 8), (8, 3), (9, 8), (2, 4)), strict=True):
        desk.audit_experts.score(drawn, each, "Ann", ann)
        desk.audit_experts.score(drawn, each, "Ben", ben, "Not so.")
    page.tabs.setCurrentWidget(page.talk)
    page.refresh()
    assert [card.response_id for card in page.talk._cards] == [ids[1], ids[3], ids[2]]
    rows = [words_of(row) for row in page.talk.ui.picker.rows]
    assert "Ben: 3" in rows[1]
    assert "Ann: 8" in rows[3]
    assert "3 of 3 still to agree on." in words_of(page.talk)
    assert "Ben noted: Not so." in words_of(page.talk)
    page.talk.setFocus()
    press(qtbot, page, KEYS.Key_3, KEYS.Key_L, KEYS.Key_Return)
    (agreed,) = [one for one in desk.library.experts.scores(drawn.draw_id) if one.agreed]
    assert (agreed.response_id, agreed.score, agreed.expert) == (ids[1], 5, "Ann & Ben")
    assert page.talk.shown.response_id == ids[3]
    press(qtbot, page, KEYS.Key_2, KEYS.Key_L, KEYS.Key_Return)
    press(qtbot, page, KEYS.Key_4, KEYS.Key_U, KEYS.Key_Return)
    assert page.heard == ["Everything on which you differed is agreed. See “Judges”."]
    page.talk.which.setCurrentText("All responses")
    page.talk._list()
    assert len(page.talk._cards) == 4


def test_an_agreement_closes_what_was_given_alone(page, drawn, desk, qtbot):
    everybody_scores(desk, drawn, bad_ones(desk, drawn), AK=(8, 3), BM=(9, 2))
    desk.audit_experts.agree(drawn, drawn.response_ids[0], 8)
    page.refresh()
    page.scoring.setFocus()
    before = own(desk, drawn, "AK")
    press(qtbot, page, KEYS.Key_1, KEYS.Key_L, KEYS.Key_Return)
    assert own(desk, drawn, "AK") == before
    assert "closed" in words_of(page.scoring)
    sit_down(page, desk, "CD")
    assert "make another draw" in words_of(page.scoring)


def test_pass_shares_go_from_withheld_to_shown_once_experts_scored(page, drawn, desk, qtbot):
    audit_id = drawn.audit_id
    look_at_judges(qtbot, page)
    rows = [page.figures.verdicts.item(n).text() for n in range(page.figures.verdicts.count())]
    assert [row.split(":")[0] for row in rows] == [f"✗ {ONE}, attitude", f"✗ {TWO}, attitude"]
    assert "no expert has scored" in rows[0]
    bad = bad_ones(desk, drawn)
    assert len(bad) == 2
    everybody_scores(desk, drawn, bad, Ann=(8, 3), Ben=(9, 2))
    page.refresh()
    qtbot.waitUntil(lambda: page._job is None, timeout=10_000)
    assert page.figures.verdicts.item(0).text() == (
        f"✓ {ONE}, attitude: shown. It found 2 of the 2 that experts placed below."
    )
    (one, two) = desk.audit_experts.calibrations(audit_id)
    assert (one.withheld, two.withheld) == ("", "")
    table = page.figures.table.table
    heads = [table.horizontalHeaderItem(n).text() for n in range(table.columnCount())]
    cells = [[table.item(r, c).text() for c in range(8)] for r in range(table.rowCount())]
    assert heads[:4] == ["Axis", "Who", "n", "Within one, %"]
    assert [row[:3] for row in cells[:2]] == [
        ["attitude", ONE, "4"],
        ["attitude", "experts among themselves", "4"],
    ]


def test_what_a_judge_missed_comes_first_and_opens(page, drawn, desk, qtbot):
    ids = drawn.response_ids
    bad = bad_ones(desk, drawn)
    missed = next(each for each in ids if each not in bad)
    for each in ids:
        desk.audit_experts.score(drawn, each, "Ann", 3 if each in bad or each == missed else 8)
    page.refresh()
    look_at_judges(qtbot, page)
    assert (
        page.figures.verdicts.item(0)
        .text()
        .startswith(
            f"✗ {ONE}, attitude: withheld; it passed 1 of the 3 responses that experts placed below"
        )
    )
    assert "Have a second person score." in words_of(page.figures)
    first = page.figures.cases.item(0)
    assert first.text().startswith("MISSED: it passed what experts placed below the pass line")
    assert "judge 8.0, experts 3 (alone: 3)" in first.text()
    page.figures.cases.setFocus()
    press(qtbot, page, KEYS.Key_Return)
    assert page.cases == [(drawn.audit_id, missed)]


def test_figures_stay_hidden_from_who_has_not_scored_all(page, drawn, desk, qtbot):
    begin(page)
    press(qtbot, page, KEYS.Key_5, KEYS.Key_L, KEYS.Key_Return)
    look_at_judges(qtbot, page)
    assert "You score blind" in words_of(page.figures)


def test_whoever_sees_the_judges_closes_the_own_scores(page, drawn, desk, qtbot):
    begin(page)
    for _ in drawn.response_ids:
        press(qtbot, page, KEYS.Key_5, KEYS.Key_L, KEYS.Key_Return)
    look_at_judges(qtbot, page)
    assert "cannot change what was given alone any more" in words_of(page.figures)
    assert page.figures.verdicts.count() == 0
    page.figures.setFocus()
    press(qtbot, page, KEYS.Key_Space)
    qtbot.waitUntil(lambda: page._job is None, timeout=10_000)
    assert page.figures.verdicts.count() == 2
    page.tabs.setCurrentWidget(page.scoring)
    page.scoring.setFocus()
    press(qtbot, page, KEYS.Key_1, KEYS.Key_L, KEYS.Key_Return)
    assert set(own(desk, drawn, "AK").values()) == {9}
    assert "you have seen what judges gave" in words_of(page.scoring)
    with pytest.raises(Refused, match="has seen what judges gave"):
        desk.audit_experts.score(drawn, drawn.response_ids[0], "ak", 1)
    # Another person still scores, and the two may agree.
    desk.audit_experts.score(drawn, drawn.response_ids[0], "BM", 1)


def test_everything_has_a_name_and_stands_in_the_menu_with_its_key(page, drawn):
    begin(page)
    for kind in (QAbstractButton, QComboBox, QLineEdit, QListWidget):
        for widget in page.findChildren(kind):
            if widget.isVisible():
                assert widget.accessibleName() or widget.text(), widget
    keys = {a.shortcut().toString() for a in page.actions_in_menu if a is not None}
    assert {"1", "5", "L", "U", "N", "S", "Backspace", "Return"} <= keys


def test_what_would_be_drawn_is_written_by_axis(desk, audit_id):
    planned = desk.audit_experts.plan_draw(audit_id, 4)
    assert planned[0].axis is Axis.ATTITUDE
    assert drawn_words(planned).endswith("Each expert scores 4 responses.")
