"""Rating evidence on a real library: the draw, what a rater may see, what counts afterwards."""

import csv
import signal
import subprocess
import sys
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QListWidget, QTableWidget, QWidget

from app.benchmark.eqs import cards_for, make_draw
from app.benchmark.eqs_progress import progress_of
from app.benchmark.records import LessonDraft, SetDraft
from app.coding.records import Check, Citation, Decision, Evidence, Prediction, Verdict
from app.lesson.clips import Clip
from app.lesson.transcript.records import Transcript, Utterance
from app.scoring.scored import Code
from views.background import Background
from views.eqs.draw_dialog import DrawDialog
from views.eqs.page import EqsPage
from views.window import MainWindow

PRACTICES = ("BI", "D1", "D2", "D3")
MODELS = ("zebra-4b T zero_shot", "yak-8b TV cot")
CLIPS = tuple(Clip(f"c{n}", 3 * n - 2, 3 * n, n * 10_000, n * 10_000 + 9_000) for n in range(1, 17))
TRUTH = {clip.clip_id: (Code(PRACTICES[n % 4], 1),) for n, clip in enumerate(CLIPS)}
TALK = (
    "Why do you think the can gets wet on the outside?",
    "Because the water comes out through the metal.",
    "Who would say something else, and what did you see that makes you say so?",
)


def said(clip, coder, practice):
    line = clip.first + 2
    cited = [
        Evidence(Citation(TALK[2], (line,), None, None), Check.NOT_FOUND, reason="nobody said this")
    ]
    if coder == MODELS[1]:
        cited.append(
            Evidence(
                Citation(
                    "", (), clip.start_ms + 1000, clip.start_ms + 4000, "pupils point at the can"
                ),
                Check.SEEN,
            )
        )
    return Prediction(clip, coder, practice, 1, None, tuple(cited))


def fill(library, media=None):
    """Two models over sixteen clips: the first eight right, the others wrong."""
    lines = tuple(
        Utterance(n, TALK[(n - 1) % 3], n * 3000, n * 3000 + 2500, "Robin" if n % 3 == 2 else "T")
        for n in range(1, 49)
    )
    lesson = LessonDraft("Ice", media, Transcript(lines, "import:srt", "en"), {}, CLIPS)
    library.add_coded_set(SetDraft("Pilot", "folder", "d" * 64, (lesson,), TRUTH))
    (coded,) = library.coded_sets()
    for coder in MODELS:
        right = [said(c, coder, TRUTH[c.clip_id][0].practice) for c in CLIPS[:8]]
        wrong = [said(c, coder, PRACTICES[(n + 1) % 4]) for n, c in enumerate(CLIPS)][8:]
        library.add_run(coded.lesson_ids[0], coder, (), [*right, *wrong])
    return coded


@pytest.fixture
def coded(desk):
    return fill(desk.library)


@pytest.fixture
def draw(desk, coded):
    return desk.library.ratings.draw(make_draw(desk.library, coded, MODELS, per_cell=2))


@pytest.fixture
def page(desk, qtbot):
    background = Background()
    made = EqsPage(desk, background)
    qtbot.addWidget(made)
    made.troubles, made.tellings = [], []
    made.trouble.connect(made.troubles.append)
    made.told.connect(lambda message, hint: made.tellings.append(f"{message} {hint}"))
    made.resize(1000, 620)
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    yield made
    made.close_media()
    background.close()


def words_of(widget):
    """Give every word that a widget shows, or says to a screen reader."""
    told = []
    for one in [widget, *widget.findChildren(QWidget)]:
        told += [one.accessibleName(), one.accessibleDescription(), one.toolTip()]
        if isinstance(one, QLabel | QLineEdit):
            told.append(one.text())
        if isinstance(one, QListWidget):
            told += [one.item(n).text() for n in range(one.count())]
        if isinstance(one, QComboBox):
            told += [one.itemText(n) for n in range(one.count())]
        if isinstance(one, QTableWidget):
            told += [
                one.item(r, c).text()
                for r in range(one.rowCount())
                for c in range(one.columnCount())
                if one.item(r, c)
            ]
    return "\n".join(told)


def rate_all(desk, draw, rater, scores):
    for number, output in enumerate(draw.outputs):
        given = scores(number, output) if callable(scores) else scores
        desk.library.ratings.rate(draw.draw_id, output.prediction_id, rater, given)


def begin(page):
    """Say that one rates, as a person would before the first case."""
    page.rating.join()
    page.rating.setFocus()


def press(qtbot, widget, *keys):
    for key in keys:
        qtbot.keyClick(widget.window().focusWidget() or widget, key)


def test_without_a_set_the_page_says_what_is_needed(page):
    page.refresh()
    assert "bring a set in and run the models first" in words_of(page.empty)
    page.ask_draw()
    assert page.tellings == ["There is no set of coded clips yet. Bring one in first."]


def test_with_a_set_the_next_step_is_to_draw(page, coded):
    page.refresh()
    assert "Draw outputs…" in words_of(page.empty)


def test_the_dialog_asks_for_two_models_and_says_what_is_short(desk, coded, qtbot):
    dialog = DrawDialog([coded], lambda set_id: desk.library.said_of_set(set_id).given)
    qtbot.addWidget(dialog)
    assert set(dialog.chosen) == set(MODELS)
    assert f"Short: right outputs of {MODELS[0]}: 8 of 15." in dialog.told.text()
    dialog.per_cell.setValue(4)
    assert dialog.told.text() == "16 outputs would be drawn.\nNothing is short."
    dialog.coders.item(0).setCheckState(Qt.CheckState.Unchecked)
    assert not dialog.draw.isEnabled()
    assert dialog.told.text() == "Choose two models (Space)."


def test_more_than_two_models_may_be_drawn_and_it_is_said(desk, coded, qtbot):
    third = [said(c, "ox", "D1") for c in CLIPS]
    desk.library.add_run(coded.lesson_ids[0], "ox", (), third)
    dialog = DrawDialog([coded], lambda set_id: desk.library.said_of_set(set_id).given)
    qtbot.addWidget(dialog)
    for place in range(3):
        dialog.coders.item(place).setCheckState(Qt.CheckState.Checked)
    assert dialog.draw.isEnabled()
    assert "The paper rates two models; here there are 3." in dialog.told.text()


def test_a_draw_from_the_dialog_is_rated_next(page, desk, coded, qtbot):
    dialog = DrawDialog([coded], lambda set_id: desk.library.said_of_set(set_id).given)
    qtbot.addWidget(dialog)
    dialog.per_cell.setValue(2)
    page.draw_from(dialog)
    assert "Rate as AK?" in words_of(page.rating)
    page.rating.join()
    (made,) = desk.library.ratings.draws()
    assert len(made.outputs) == 8
    assert "Draw 1: Pilot, 8 outputs" in page.draws.currentText()
    assert page.tabs.currentWidget() is page.rating
    assert "Case 1 of 8" in words_of(page.rating)


def test_nothing_on_the_page_names_a_model_or_what_is_right(page, desk, draw, qtbot):
    rate_all(desk, draw, "BM", (3, 1, 2))
    page.refresh()
    begin(page)
    for place in range(len(draw.outputs)):
        page.rating._show(place)
        for tab in (page.rating, page.talk, page.results):
            page.tabs.setCurrentWidget(tab)
        shown = words_of(page)
        card = cards_for(draw, "AK")[place]
        output = next(o for o in draw.outputs if o.prediction_id == card.prediction_id)
        assert f"Predicted practice {output.said.practice}" in shown
        for hidden in (*MODELS, "zebra", "yak", "not found", "nobody said this"):
            assert hidden not in shown
        own = words_of(page.rating)
        for hidden in ("people accept", "Wrong", "wrong", "BM 3"):
            assert hidden not in own
        if not output.is_right:
            assert f"Predicted practice {output.codes[0].practice}" not in shown


def test_a_case_is_rated_with_three_keys_and_stored_at_once(page, desk, draw, qtbot):
    page.refresh()
    begin(page)
    first = cards_for(draw, "AK")[0].prediction_id
    press(qtbot, page, Qt.Key.Key_3, Qt.Key.Key_2, Qt.Key.Key_1)
    (given,) = desk.library.ratings.own(draw.draw_id)
    assert (given.prediction_id, given.rater, given.scores) == (first, "AK", (3, 2, 1))
    assert "1 of 8 rated" in words_of(page.rating)
    press(qtbot, page, Qt.Key.Key_Return)
    assert "Case 2 of 8" in words_of(page.rating)
    press(qtbot, page, Qt.Key.Key_Return)
    assert page.tellings[-1].startswith("Not scored yet: Alignment, Sufficiency, Specificity.")


def test_arrows_go_between_the_dimensions_and_a_rating_can_be_revised(page, desk, draw, qtbot):
    page.refresh()
    begin(page)
    press(qtbot, page, Qt.Key.Key_3, Qt.Key.Key_3, Qt.Key.Key_3, Qt.Key.Key_Return, Qt.Key.Key_P)
    page.rating.ui.picker.go_to(0)
    press(qtbot, page, Qt.Key.Key_Down, Qt.Key.Key_1)
    (given,) = desk.library.ratings.own(draw.draw_id)
    assert given.scores == (3, 1, 3)


def test_one_score_of_three_is_there_again_after_the_program_ended(page, desk, draw, qtbot):
    page.refresh()
    begin(page)
    press(qtbot, page, Qt.Key.Key_2)
    assert desk.library.ratings.own(draw.draw_id) == []
    background = Background()
    again = EqsPage(desk, background)
    qtbot.addWidget(again)
    again.refresh()
    assert again.rating.ui.picker.scores == (2, None, None)
    again.close_media()
    background.close()


KILLED = """
import os, signal, sys
from app.store.library import Library
from pathlib import Path
library = Library.open(Path(sys.argv[1]))
library.ratings.rate(int(sys.argv[2]), int(sys.argv[3]), "AK", (3, 2, 1), "thin")
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
def test_a_rating_is_there_although_the_program_was_killed_right_after_it(desk, draw):
    output = draw.outputs[0].prediction_id
    arguments = [str(desk.library.path), str(draw.draw_id), str(output)]
    child = subprocess.run([sys.executable, "-c", KILLED, *arguments], check=False)
    assert child.returncode == -signal.SIGKILL
    (given,) = desk.library.ratings.own(draw.draw_id)
    assert (given.scores, given.note) == ((3, 2, 1), "thin")


def test_nobody_and_a_third_person_are_told_why_they_cannot_rate(page, desk, draw):
    rate_all(desk, draw, "AK", (3, 3, 3))
    desk.library.ratings.rate(draw.draw_id, draw.outputs[0].prediction_id, "BM", (1, 1, 1))
    desk.settings.author = "CN"
    page.refresh()
    assert "AK and BM rate this draw." in words_of(page.rating)
    desk.settings.author = ""
    page.refresh()
    assert "Who rates?" in words_of(page.rating)


def test_a_rater_who_coded_the_clips_is_told_so(page, desk, draw):
    output = draw.outputs[0]
    desk.library.decide(output.lesson_id, Decision(output.clip, Verdict.REJECT, "", None, "AK", ""))
    page.refresh()
    assert "AK has also coded 1 of the drawn clips" in words_of(page)
    assert "AK has also coded 1 of the drawn clips" in words_of(page.rating.ui.empty)


def test_a_look_at_the_page_makes_nobody_a_rater(page, desk, draw, qtbot):
    page.refresh()
    page.rating.setFocus()
    press(qtbot, page, Qt.Key.Key_3, Qt.Key.Key_3, Qt.Key.Key_3)
    assert desk.library.ratings.own(draw.draw_id) == []
    press(qtbot, page, Qt.Key.Key_Space)
    assert "Case 1 of 8" in words_of(page.rating)


def test_talk_and_figures_wait_until_both_have_rated_everything(page, desk, draw):
    rate_all(desk, draw, "AK", (3, 3, 3))
    page.refresh()
    assert "a second person has not begun" in words_of(page.talk)
    assert "The figures come once two people have rated everything." in words_of(page.results)


def differ(number, _output):
    return (1, 2, 3) if number < 2 else (3, 3, 3)


def test_the_talk_shows_both_side_by_side_and_closes_what_was_rated_alone(page, desk, draw, qtbot):
    rate_all(desk, draw, "AK", (3, 3, 3))
    rate_all(desk, draw, "BM", differ)
    page.refresh()
    page.tabs.setCurrentWidget(page.talk)
    page.talk.setFocus()
    shown = words_of(page.talk)
    assert "Case 1 of 2" in shown
    assert "AK 3, BM 1 – you differ" in shown
    assert "AK 3, BM 3" in shown
    assert page.talk.ui.picker.scores == (None, None, 3)
    assert not any(model in shown for model in MODELS)
    press(qtbot, page, Qt.Key.Key_2, Qt.Key.Key_2, Qt.Key.Key_Return)
    (agreed,) = desk.library.ratings.agreed(draw.draw_id)
    assert (agreed.rater, agreed.scores) == ("AK & BM", (2, 2, 3))
    assert "1 of 2 still to agree on." in words_of(page.talk)
    assert "Ratings made alone are closed" in words_of(page.rating)
    page.rating.ui.picker.pick(1)
    assert len(desk.library.ratings.own(draw.draw_id, "AK")) == 8
    press(qtbot, page, Qt.Key.Key_1, Qt.Key.Key_1, Qt.Key.Key_Return)
    assert page.tellings[-1] == "Everything on which you differed is agreed. See “Results”."


def shown_results(page, qtbot):
    page.refresh()
    page.tabs.setCurrentWidget(page.results)
    qtbot.waitUntil(lambda: page._results is not None and page._job is None, timeout=30_000)
    return page._results


def test_figures_show_agreement_first_and_names_only_when_asked(page, desk, draw, qtbot):
    rate_all(desk, draw, "AK", lambda _n, o: (1, 1, 1) if o.is_right else (3, 3, 3))
    rate_all(desk, draw, "BM", lambda _n, o: (1, 1, 1) if o.is_right else (3, 3, 3))
    shown_results(page, qtbot)
    table = page.results.agreement.table
    # Both gave the same throughout, four 1s and four 3s of each dimension.
    assert [table.item(r, 1).text() for r in range(3)] == ["1.00"] * 3
    assert not any(model in words_of(page) for model in MODELS)
    page.results.names.click()
    qtbot.waitUntil(lambda: page._job is None, timeout=30_000)
    shown = words_of(page.results)
    assert all(model in shown for model in MODELS)
    assert "4/8 = 50.0%" in shown
    assert page.results.mistakes.list.count() == 4
    assert page.results.wrong_reasons.list.count() == 4
    item = page.results.mistakes.list.item(0)
    output = item.data(Qt.ItemDataRole.UserRole)
    with qtbot.waitSignal(page.case_opened) as opened:
        page.results.mistakes.list.itemActivated.emit(item)
    assert opened.args == [output.lesson_id, output.clip.start_ms]
    assert progress_of(desk.library, draw.draw_id).opened.by == "AK"


def test_what_is_saved_is_what_is_shown(page, desk, draw, qtbot, tmp_path):
    from app.__main__ import parts
    from app.files import Files

    rate_all(desk, draw, "AK", (3, 3, 3))
    rate_all(desk, draw, "BM", differ)
    shown_results(page, qtbot)
    page.results.names.click()
    results = shown_results(page, qtbot)
    with Files(parts(), desk.settings) as files:
        desk.files = files
        with qtbot.waitSignal(page.told, timeout=60_000):
            page.save(tmp_path)
    with (tmp_path / "eqs_table5.csv").open(encoding="utf-8-sig", newline="") as file:
        saved = {row["model"]: float(row["mean"]) for row in csv.DictReader(file)}
    assert saved == {row.model: row.mean.value for row in results.models}
    assert (tmp_path / "evidence-quality.pdf").read_bytes().startswith(b"%PDF")


def test_a_clip_without_video_shows_its_words_and_no_player(page, draw):
    page.refresh()
    begin(page)
    case = page.rating.ui.case
    assert case.player.isHidden()
    assert case.lines.count() == 3
    assert case.lines.item(2).text().startswith("▸")


def test_nothing_is_stored_for_who_has_just_sat_down(page, desk, draw, qtbot):
    page.refresh()
    begin(page)
    desk.settings = replace(desk.settings, author="BM")
    press(qtbot, page, Qt.Key.Key_3)
    assert "Rate as BM?" in words_of(page.rating)
    assert desk.library.ratings.own(draw.draw_id) == []
    assert desk.library.setting(f"eqs drafts of BM: {draw.draw_id}") == ""


def test_another_person_at_the_desk_has_an_order_and_scores_of_their_own(page, desk, draw, qtbot):
    page.refresh()
    begin(page)
    press(qtbot, page, Qt.Key.Key_3, Qt.Key.Key_3, Qt.Key.Key_3)
    desk.settings = replace(desk.settings, author="BM")
    page.refresh()
    begin(page)
    assert page.rating._cards == cards_for(draw, "BM")
    assert page.rating.ui.picker.scores == (None, None, None)
    assert "0 of 8 rated" in words_of(page.rating)


def test_a_case_that_is_opened_is_the_clip_in_view_on_its_lesson(stand_in, desk, coded, qtbot):
    window = MainWindow(desk)
    qtbot.addWidget(window)
    (lesson_id,) = coded.lesson_ids
    window.open_lesson(lesson_id, CLIPS[14].start_ms)
    assert window.lesson.clip() == CLIPS[14]
    window.lesson.go_to_moment(CLIPS[3].start_ms)
    assert window.lesson.clip() == CLIPS[3]
    assert window.lesson.position_ms == CLIPS[3].start_ms
