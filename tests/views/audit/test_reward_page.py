"""Making pairs, looking through them, and seeing what a reward model is worth."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from reward_planted import Planted, audited, pairs_told_apart

from app.audit.reward_model import train
from app.audit.reward_records import Flaw
from app.audit.reward_words import READS_ON
from app.running.questions import Status
from views.audit.reward import RewardPage
from views.audit.reward_edit import HOW, SAY_FLAW
from views.audit.reward_model import NO_MODEL
from views.background import Background


@pytest.fixture
def told():
    return []


@pytest.fixture
def page(desk, qtbot, told):
    background = Background()
    desk.files.embedder = Planted
    made = RewardPage(desk, background)
    qtbot.addWidget(made)
    made.told.connect(lambda message, _hint: told.append(message))
    made.trouble.connect(lambda error: told.append(error.message))
    made.resize(900, 560)
    made.show()
    made.refresh()
    yield made
    background.close()


def edit_words(page, words):
    page.edit.edited.setPlainText(words)


def choose_flaw(page, flaw=Flaw.TURNED_INTO_QUIZ):
    page.edit.flaws.setCurrentIndex(page.edit.flaws.findData(str(flaw)))


def test_each_starter_item_of_skill_offers_our_response_with_a_fault(page):
    assert page.edit.items.count() == 40
    first = page.rewards.items()[0]
    assert page.edit.original.toPlainText() == first.failing
    assert page.edit.edited.toPlainText() == first.failing
    assert first.prompt in page.edit.scene.toPlainText()


def test_an_unchanged_response_cannot_be_kept(page):
    assert not page.edit.keep.isEnabled()
    edit_words(page, "I wait.")
    assert page.edit.keep.isEnabled()


def test_a_pair_is_kept_by_its_key_once_the_flaw_is_named(page, qtbot, told):
    first, second = page.rewards.items()[:2]
    edit_words(page, "I wait.")
    page.edit.edited.setFocus()
    qtbot.keyClick(page.edit.edited, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert page.edit._caution.text() == SAY_FLAW
    assert page.rewards.pairs() == ()
    choose_flaw(page)
    qtbot.keyClick(page.edit.flaws, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    (pair,) = page.rewards.pairs()
    assert (pair.item_id, pair.chosen, pair.flaw, pair.author) == (
        first.item_id,
        "I wait.",
        Flaw.TURNED_INTO_QUIZ,
        "AK",
    )
    assert told == ["The pair is kept."]
    assert page.edit.edited.toPlainText() == second.failing
    assert page.edit.items.itemText(0).endswith("1 kept")


def test_without_a_name_nothing_is_kept(page, desk, told):
    desk.settings.author = ""
    edit_words(page, "I wait.")
    choose_flaw(page)
    page.edit.ask_to_keep()
    assert told == ["Who edits?"]
    assert page.rewards.pairs() == ()


def test_what_was_begun_is_there_after_a_restart(page, desk, qtbot):
    edit_words(page, "I wait, half")
    page.edit.step(1)
    page.edit.step(-1)
    assert page.edit.edited.toPlainText() == "I wait, half"
    edit_words(page, "I wait, half a")
    page.leave()
    other = RewardPage(desk, Background())
    qtbot.addWidget(other)
    other.refresh()
    assert other.edit.edited.toPlainText() == "I wait, half a"


def test_drafts_of_another_person_are_not_shown(page, desk):
    first = page.rewards.items()[0]
    edit_words(page, "I wait, half")
    page.leave()
    desk.settings.author = "BM"
    page.refresh()
    page.edit.step(1)
    page.edit.step(-1)
    assert page.edit.edited.toPlainText() == first.failing


def test_what_is_typed_is_kept_after_a_moment(page, desk, qtbot):
    edit_words(page, "I wait, half")
    qtbot.waitUntil(lambda: "I wait, half" in desk.library.setting("reward drafts of AK"))


def test_an_edit_that_is_much_longer_is_pointed_out(page):
    assert page.edit._caution.text() == HOW
    edit_words(page, "I wait. " * 200)
    assert "longer is better" in page.edit._caution.text()


def test_start_over_brings_the_original_back_and_can_be_undone(page):
    edit_words(page, "I wait.")
    page.edit.start_over()
    assert page.edit.edited.toPlainText() == page.rewards.items()[0].failing
    page.edit.edited.undo()
    assert page.edit.edited.toPlainText() == "I wait."


def test_pairs_are_listed_read_and_withdrawn(page, desk, told, qtbot):
    desk.library.rewards.add_pairs(pairs_told_apart(3), "BM")
    page.refresh()
    page.tabs.setCurrentWidget(page.pairs)
    assert page.pairs.list.count() == 3
    assert "I wait" in page.pairs.sheet.toPlainText()
    page.setFocus()
    qtbot.keyClick(page.pairs.list, Qt.Key.Key_Delete)
    assert told == ["The pair is withdrawn."]
    assert [pair.pair_id for pair in page.rewards.pairs()] == [1, 2]
    assert page.pairs.list.count() == 2


def test_starter_pairs_can_be_looked_at_and_not_withdrawn(page):
    page.pairs.with_starter.setChecked(True)
    assert page.pairs.list.count() == 40
    assert not page.pairs.withdraw.isEnabled()
    assert "not expert-edited" in page.pairs.sheet.toPlainText()


def test_pairs_go_out_and_come_in(page, desk, told, tmp_path):
    desk.library.rewards.add_pairs(pairs_told_apart(3), "BM")
    page.refresh()
    page.write_out(tmp_path / "p.jsonl")
    page.bring_in(tmp_path / "p.jsonl")
    page.bring_in(tmp_path / "nowhere.jsonl")
    assert told[0].startswith("3 pairs are saved")
    assert told[1] == "0 new pairs came in from p.jsonl."
    assert told[2].startswith("Nothing was brought in: nowhere.jsonl")


def test_too_few_pairs_cannot_teach(page, desk):
    assert not page.model.train.isEnabled()
    assert page.model._enough.text() == "Pairs of 0 items; 15 are needed."
    page.model.with_starter.setChecked(True)
    assert page.model.train.isEnabled()
    assert page.model.sheet.toPlainText() == NO_MODEL


def test_a_model_is_trained_and_says_what_it_is_worth(page, desk, qtbot, told):
    desk.library.rewards.add_pairs(pairs_told_apart(20), "BM")
    page.refresh()
    page.train(False)
    assert not page.model.train.isEnabled()
    qtbot.waitUntil(lambda: bool(told), timeout=20_000)
    assert told == ["The reward model is trained and may rank."]
    shown = page.model.sheet.toPlainText()
    assert "It may put responses in order" in shown
    assert "Pairs told apart: 100.0% [83.9, 100.0], 20 of 20 pairs" in shown
    assert page.model.train.isEnabled()
    assert not page.model.hold.isEnabled()


def test_a_refused_model_says_why_where_its_figures_stand(page, desk, qtbot, told):
    desk.files.embedder = lambda: Planted(beside=1.0)
    page.train(True)
    qtbot.waitUntil(lambda: bool(told), timeout=20_000)
    shown = page.model.sheet.toPlainText()
    assert READS_ON in shown
    assert "Rests on starter pairs, not expert-edited." in shown


def test_a_tutor_is_compared_where_the_model_may_rank(page, desk, qtbot):
    one, two = page.rewards.items()[:2]
    audited(
        desk.library,
        {one.item_id: (Status.OK, "I wait."), two.item_id: (Status.OK, "I ask. I ask.")},
    )
    desk.library.rewards.add_model(train(pairs_told_apart(), Planted()))
    page.refresh()
    assert page.model.audits.currentText() == "tutor, “first”"
    page.model.hold.click()
    shown = page.model.sheet
    qtbot.waitUntil(lambda: "against the better responses" in shown.toPlainText(), timeout=20_000)
    assert "Put above them: 50.0% [9.5, 90.5], 1 of 2 responses" in shown.toPlainText()
    assert "0 were held against experts’ edits" in shown.toPlainText()


def test_after_a_pair_the_keyboard_is_on_the_next_edit(page):
    edit_words(page, "I wait.")
    choose_flaw(page)
    page.edit.flaws.setFocus()
    page.edit.ask_to_keep()
    assert page.edit.edited.hasFocus()
