import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog

from app.running.plan import Estimate
from views.plan.dialog import PlanDialog
from views.plan.summary import PlanSummary
from views.plan.words import QUANTITIES, PlanPart, part_words, plan_notes, together_words

HERE = ("Nothing leaves this computer: small-4b runs on it.",)
AWAY = ("12 frames are sent to “cluster” (https://vllm.school.example/v1).",)
MEASURED = Estimate(48, 12, 61_200, 5_400, 320.0, None, "", True)
ROUGH = Estimate(144, 0, 172_800, 147_456, None, None, "", False)
PRICED = Estimate(48, 12, 61_200, 5_400, 90.0, 0.184, "USD", True)
CHEAP = Estimate(10, 0, 900, 100, 30.0, 0.0032, "USD", True)
ALL_THERE = Estimate(48, 48, 0, 0, 0.0, None, "", True)


def said(words):
    return dict(zip(QUANTITIES, words, strict=True))


@pytest.fixture
def make_dialog(qtbot):
    made = []  # held, since Qt deletes a dialog that nobody holds

    def make(*parts, where=HERE, leaves=False):
        labelled = [PlanPart(f"Part {n}", part) for n, part in enumerate(parts, 1)]
        dialog = PlanDialog("Code “Water”", labelled, where, leaves=leaves)
        qtbot.addWidget(dialog)
        made.append(dialog)
        dialog.show()
        return dialog

    return make


def test_a_measured_part_is_told_in_figures_one_can_plan_with():
    assert said(part_words(MEASURED)) == {
        "Answers wanted": "48",
        "There already": "12",
        "Calls to make": "36",
        "Time": "about 5 min",
        "Tokens to read": "about 61,200",
        "Tokens to write": "about 5,400",
        "Cost": "–",
        "These figures are": "measured on this model",
    }


def test_a_rough_part_makes_no_claim_on_time_and_gives_the_most_it_may_write():
    words = said(part_words(ROUGH))
    assert words["Time"] == "– not known yet"
    assert words["Tokens to write"] == "at most 147,456"
    assert words["These figures are"] == "rough"


def test_several_parts_are_added_up_one_after_another():
    words = said(together_words([PlanPart("a", PRICED), PlanPart("b", CHEAP)]))
    assert words["Calls to make"] == "46"
    assert words["Time"] == "about 2 min"
    assert words["Tokens to read"] == "about 62,100"
    assert words["Cost"] == "about 0.19 USD"


def test_what_is_unknown_of_one_part_is_unknown_of_the_whole():
    words = said(together_words([PlanPart("a", PRICED), PlanPart("b", ROUGH)]))
    assert words["Time"] == "– not known yet"
    assert words["Cost"] == "–"
    assert words["Tokens to write"] == "up to about 152,856"
    assert words["These figures are"] == "partly rough"


def test_two_currencies_are_never_added():
    euro = Estimate(10, 0, 900, 100, 30.0, 2.5, "EUR", True)
    words = said(together_words([PlanPart("a", PRICED), PlanPart("b", euro)]))
    assert words["Cost"] == "about 2.50 EUR and 0.18 USD"


def test_a_small_cost_is_not_written_as_nothing():
    assert said(part_words(CHEAP))["Cost"] == "under 0.01 USD"


def test_a_plan_with_everything_there_says_that_nothing_is_asked():
    words = said(part_words(ALL_THERE))
    assert (words["Calls to make"], words["Time"], words["Cost"]) == ("0", "none", "none")
    assert "Nothing is asked" in plan_notes([PlanPart("a", ALL_THERE)])[0]


def test_a_part_that_is_there_already_does_not_make_the_sum_rough():
    done = Estimate(48, 48, 0, 0, 0.0, None, "", False)
    words = said(together_words([PlanPart("a", done), PlanPart("b", PRICED)]))
    assert words["These figures are"] == "measured on this model"
    assert words["Cost"] == "about 0.18 USD"


def test_where_it_goes_stands_first_with_a_sign_that_has_a_word(make_dialog):
    away = make_dialog(PRICED, where=AWAY, leaves=True).summary
    assert away._where.text() == AWAY[0]
    assert away._where_sign.accessibleName() == "leaves this computer"
    assert make_dialog(MEASURED).summary._where_sign.accessibleName() == "stays here"


@pytest.mark.parametrize(("parts", "where"), [([], HERE), ([PlanPart("a", MEASURED)], ())])
def test_a_plan_is_never_shown_without_saying_where_it_goes(qtbot, parts, where):
    summary = PlanSummary()
    qtbot.addWidget(summary)
    with pytest.raises(ValueError, match="where it goes"):
        summary.show_plan(parts, where, leaves=False)


def test_several_parts_stand_side_by_side_with_their_sum(make_dialog):
    table = make_dialog(PRICED, CHEAP).summary.table
    heads = [table.horizontalHeaderItem(n).text() for n in range(table.columnCount())]
    assert heads == ["Part 1", "Part 2", "Together"]
    cell = table.item(2, 2)
    assert cell.text() == "46"
    assert cell.data(Qt.ItemDataRole.AccessibleTextRole) == "Together, Calls to make: 46"
    assert make_dialog(PRICED).summary.table.columnCount() == 1


def test_enter_starts_only_from_the_start_button(make_dialog, qtbot):
    dialog = make_dialog(MEASURED)
    assert dialog.focusWidget() is dialog.summary.table
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
        qtbot.keyClick(dialog.focusWidget(), key)
    assert dialog.isVisible()
    for _ in range(4):
        qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
        if dialog.focusWidget() is dialog._start:
            break
    qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Return)
    assert dialog.result() == QDialog.DialogCode.Accepted


def test_enter_on_not_now_and_esc_anywhere_leave(make_dialog, qtbot):
    dialog = make_dialog(MEASURED)
    dialog._not_now.setFocus()
    qtbot.keyClick(dialog._not_now, Qt.Key.Key_Return)
    assert not dialog.isVisible()
    assert dialog.result() == QDialog.DialogCode.Rejected
    other = make_dialog(MEASURED)
    other._start.setFocus()
    qtbot.keyClick(other._start, Qt.Key.Key_Escape)
    assert other.result() == QDialog.DialogCode.Rejected


def test_all_of_it_is_in_sight_at_once_and_has_a_name(make_dialog):
    dialog = make_dialog(PRICED, ROUGH, where=AWAY, leaves=True)
    QApplication.processEvents()
    assert not dialog._area.verticalScrollBar().isVisible()
    assert dialog.accessibleName() == "Code “Water”"
    assert AWAY[0] in dialog.accessibleDescription()
    for widget in (dialog._start, dialog._not_now, dialog.summary.table):
        assert widget.accessibleName()
