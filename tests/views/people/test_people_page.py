"""The Agreement page on a real library: talking over, figures, what a blind coder may see."""

import csv

import pytest
from PySide6.QtCore import Qt

from app.coding.people import Side
from app.coding.people_clips import Which
from app.coding.records import Citation, Decision, Stage, Verdict
from app.scoring.scored import Code
from views.background import Background
from views.lesson.kept import read_kept
from views.people.figures import FiguresView, cells
from views.people.page import PeoplePage


@pytest.fixture
def lesson_id(desk, stand_in):
    """Give the sample: AK and BM differ on clips 1 and 3, are the same on clip 2."""
    made = stand_in.add_sample(desk.library)
    clips = stand_in.CLIPS
    cited = (Citation("a wet can", (5,), 22_000, 24_000),)
    told = (
        (0, "AK", "D1", 2, {"evidence": cited}),
        (0, "BM", "D3", 1, {}),
        (1, "AK", "D1", 3, {}),
        (1, "BM", "D1", 3, {}),
        (2, "AK", "D2", 1, {}),
        (2, "BM", "D2", 2, {}),
    )
    for place, author, practice, level, more in told:
        decision = Decision(
            clips[place], Verdict.CORRECT, practice, level, author, "", blind=True, **more
        )
        desk.library.decide(made, decision)
    return made


@pytest.fixture
def page(desk, lesson_id, qtbot):
    background = Background()
    made = PeoplePage(desk, background)
    qtbot.addWidget(made)
    made.troubles, made.tellings = [], []
    made.trouble.connect(made.troubles.append)
    made.told.connect(lambda message, hint: made.tellings.append(f"{message} {hint}"))
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    with qtbot.waitSignal(made.gathering.came):
        made.refresh()
    made.talk.setFocus()
    yield made
    made.close_media()
    background.close()


def listed(page):
    return [page.talk.ui.list.item(n).text() for n in range(page.talk.ui.list.count())]


def press(qtbot, page, key, modifier=Qt.KeyboardModifier.NoModifier):
    qtbot.keyClick(page.talk.ui.list, key, modifier)


def test_clips_on_which_people_differ_are_listed_with_who_said_what(page):
    assert listed(page) == [
        "Sample lesson, clip 1\nAK: D1, level 2; BM: D3, level 1",
        "Sample lesson, clip 3\nAK: D2, level 1; BM: D2, level 2",
    ]
    assert [card.told[0] for card in page.talk.ui.cards] == ["D1, level 2", "D3, level 1"]
    assert "line 5: “a wet can”" in page.talk.ui.cards[0].told
    assert "Cites nothing." in page.talk.ui.cards[1].told
    assert page.talk.ui.lines.count() > 0


def test_a_consensus_is_made_by_keys_and_the_first_words_stay(page, desk, lesson_id, qtbot):
    press(qtbot, page, Qt.Key.Key_4)
    press(qtbot, page, Qt.Key.Key_2, Qt.KeyboardModifier.ShiftModifier)
    press(qtbot, page, Qt.Key.Key_2, Qt.KeyboardModifier.AltModifier)
    with qtbot.waitSignal(page.lesson_changed):
        press(qtbot, page, Qt.Key.Key_Return)
    review = desk.library.lesson(lesson_id)
    made = review.decision_for(review.clips[0].clip_id)
    assert (made.author, made.stage) == ("AK & BM", Stage.CONSENSUS)
    assert made.codes == (Code("D3", 2), Code("D1"))
    assert [d.practice for d in review.own_decisions(review.clips[0].clip_id)] == ["D1", "D3"]
    # The next difference is in view.
    assert page.talk.shown.number == 3
    press(qtbot, page, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert desk.library.lesson(lesson_id).is_disputed(review.clips[0].clip_id)
    assert len(listed(page)) == 2


def test_next_and_previous_go_through_the_differences(page, qtbot):
    press(qtbot, page, Qt.Key.Key_N)
    assert page.talk.shown.number == 3
    assert page.talk.panel.pick.practice == "D2"
    press(qtbot, page, Qt.Key.Key_N)
    press(qtbot, page, Qt.Key.Key_P)
    assert page.talk.shown.number == 1


def test_nothing_is_agreed_while_the_level_is_missing(page, desk, lesson_id, qtbot):
    press(qtbot, page, Qt.Key.Key_1)
    press(qtbot, page, Qt.Key.Key_Return)
    assert "Pick a level" in page.tellings[-1]
    assert len(desk.library.lesson(lesson_id).decisions) == 6


def test_people_can_agree_that_nothing_shows(page, desk, lesson_id, qtbot):
    press(qtbot, page, Qt.Key.Key_X)
    review = desk.library.lesson(lesson_id)
    assert review.decision_for(review.clips[0].clip_id).verdict is Verdict.REJECT


def test_a_consensus_under_which_something_else_changed_is_not_undone(page, desk, lesson_id, qtbot):
    press(qtbot, page, Qt.Key.Key_X)
    desk.library.set_note(lesson_id, "A calm lesson.", "BM")
    press(qtbot, page, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert "Something else was changed" in page.troubles[-1].message
    assert desk.library.lesson(lesson_id).note == "A calm lesson."


def test_what_was_begun_outlives_the_program(page, desk, lesson_id, qtbot):
    press(qtbot, page, Qt.Key.Key_4)
    page.talk.panel.focus_note()
    qtbot.keyClicks(page.talk.panel._note, "12 lines on")
    page.leave()
    clip_id = page.talk.shown.clip.clip_id
    draft = read_kept(desk.library, "AK & BM", lesson_id).draft(clip_id)
    assert (draft.note, draft.pick.practice) == ("12 lines on", "D3")
    page.talk.step(1)
    page.talk.step(-1)
    assert page.talk.panel.note == "12 lines on"
    assert page.talk.panel.pick.practice == "D3"


def test_who_codes_blind_sees_no_clip_they_have_not_coded(page, desk, qtbot):
    desk.settings.author, desk.settings.blind = "CO", True
    with qtbot.waitSignal(page.gathering.came):
        page.refresh()
    assert listed(page) == []
    assert "3 more are left out" in page.talk.ui._told.text()
    with qtbot.waitSignal(page.lesson_changed, raising=False, timeout=50) as changed:
        pass
    assert not changed.signal_triggered


def test_who_sees_the_codes_here_is_no_longer_blind_to_them(page, desk, lesson_id, qtbot):
    desk.settings.author = "CO"
    with qtbot.waitSignal(page.gathering.came):
        page.refresh()
    first, second, third = (c.clip_id for c in desk.library.lesson(lesson_id).clips[:3])
    assert read_kept(desk.library, "CO", lesson_id).seen == {first, third}
    # The second clip is not among those that differ; the figures list it once they are in sight.
    worked(page, qtbot)
    page.tabs.setCurrentWidget(page.figures)
    page.figures.table.setCurrentCell(1, 0)
    assert read_kept(desk.library, "CO", lesson_id).seen == {first, second, third}


def worked(page, qtbot):
    qtbot.waitUntil(lambda: page.figures.worked is not None, timeout=20_000)
    return page.figures.worked


def test_figures_come_with_interval_and_denominator_and_open_their_clips(page, qtbot, lesson_id):
    found = worked(page, qtbot)
    assert (found.asked.first, found.asked.second) == (Side(False, "AK"), Side(False, "BM"))
    same = found.rows[0]
    # Two of three have the same practice; Wilson's interval of 2 out of 3.
    assert cells(same)[:4] == ("Same practice", "66.7 %", "20.8 % to 93.9 %", "3 clips")
    page.tabs.setCurrentWidget(page.figures)
    page.figures.table.setCurrentCell(1, 0)
    assert "those that differ first" in page.figures._clips_told.text()
    assert page.figures.clips.count() == 3
    assert "AK D1·2, BM D3·1" in page.figures.clips.item(0).text()
    with qtbot.waitSignal(page.lesson_opened) as opened:
        page.figures.clips.itemActivated.emit(page.figures.clips.item(0))
    assert opened.args == [lesson_id, page.talk._clips[0].clip.start_ms]


def test_figures_hide_codes_from_who_still_codes_blind(page, desk, qtbot):
    desk.settings.author, desk.settings.blind = "CO", True
    with qtbot.waitSignal(page.gathering.came):
        page.refresh()
    worked(page, qtbot)
    page.figures.table.setCurrentCell(1, 0)
    page.figures._show_clips()
    assert page.figures.clips.count() == 0
    assert "3 are left out" in page.figures._clips_told.text()


def test_an_undefined_figure_is_a_dash_with_the_reason(page, qtbot):
    rows = {(r.part[:2], r.name): r for r in worked(page, qtbot).rows}
    name, value, interval, n, told = cells(rows["BI", "Cohen kappa"])
    assert (name, value, interval, n) == ("Cohen kappa", "–", "–", "3 clips")
    assert told.startswith("All ratings are the same")


def test_a_person_against_a_coder_shows_what_changed_after_it_was_seen(page, qtbot):
    worked(page, qtbot)
    page.figures._second.setCurrentIndex(2)
    page.figures._ask()
    found = worked(page, qtbot)
    assert found.asked.second.is_coder
    assert found.rows[-1].part == "Before and after the suggestion was shown"


def test_the_table_is_saved_as_it_was_worked_out(page, qtbot, tmp_path):
    found = worked(page, qtbot)
    path = tmp_path / "agreement.csv"
    page.save_table(path, found)
    with path.open(encoding="utf-8-sig", newline="") as file:
        table = list(csv.DictReader(file))
    assert (float(table[0]["value"]), table[0]["n"]) == (2 / 3, "3")
    assert len(table) == len(found.rows)
    page.save_table(tmp_path / "nowhere" / "agreement.csv", found)
    assert "could not be saved" in page.troubles[-1].message


def test_every_list_can_be_chosen(page, qtbot):
    box = page.talk.ui._which
    box.setCurrentIndex(box.findData(Which.ALL.value))
    box.activated.emit(box.currentIndex())
    assert len(listed(page)) == 3
    assert listed(page)[1].endswith("(the same)")


def test_without_two_sides_the_figures_say_what_is_needed(qtbot):
    view = FiguresView()
    qtbot.addWidget(view)
    view.show_sides([Side(False, "AK")], frozenset())
    assert view.asked is None
    assert "Two different people" in view._told.text()
    view.show_sides([], frozenset())
    assert view.asked is None
