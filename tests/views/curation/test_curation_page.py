"""The curation page: judged by keyboard, blind, stored with each key; sets with their warnings."""

from __future__ import annotations

import pytest
from curated_stand_in import facts, readings
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QTableWidget, QWidget

from app.confusion.blind import marking_name
from app.confusion.review import Stage
from app.errors import Refused
from views.background import Background
from views.curation.page import CurationPage

READER = "zebra-reader/1"


def fill(desk, signs="mmm-------", name="Mia", title="Secret title"):
    """Put a learner's video into the library that one reader has read."""
    library = desk.library
    path = desk.folder / f"{title}.mp4"
    path.write_bytes(b"x" * 1000)
    lesson_id = library.add_lesson(title, facts(str(path)), None)
    library.learners.add_video(lesson_id, library.learners.add_learner(name))
    if signs:
        run = library.learners.start_run(lesson_id, READER, [("weights", "abc")])
        library.learners.keep_readings(run, readings(signs))
        library.learners.end_run(run)
    return lesson_id


class QuietPlayer:
    """Takes what the page asks of a player, since the films here are none."""

    def __init__(self):
        self.opened, self.sought = [], []

    def open_media(self, path, *_how, **_more):
        self.opened.append(path.name)

    def seek(self, time_ms):
        self.sought.append(time_ms)


@pytest.fixture
def page(desk, qtbot, monkeypatch):
    background = Background()
    made = CurationPage(desk, background)
    made.quiet = QuietPlayer()
    for view in made.judging:
        monkeypatch.setattr(view.clip.player, "open_media", made.quiet.open_media)
        monkeypatch.setattr(view.clip.player, "seek", made.quiet.seek)
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


@pytest.fixture
def shown(page, qtbot):
    """Give what reads everything anew and waits until it is there."""

    def show():
        page.material = None
        page.refresh()
        qtbot.waitUntil(lambda: page.material is not None)
        page.setFocus()
        return page

    return show


def words_of(widget):
    """Give every word that a widget shows, or says to a screen reader."""
    told = []
    for one in [widget, *widget.findChildren(QWidget)]:
        told += [one.accessibleName(), one.accessibleDescription(), one.toolTip()]
        if isinstance(one, QLabel | QLineEdit | QAbstractButton):
            told.append(one.text())
        if isinstance(one, QTableWidget):
            cells = [(r, c) for r in range(one.rowCount()) for c in range(one.columnCount())]
            told += [one.item(*cell).text() for cell in cells]
    return "\n".join(told)


def press(qtbot, page, *keys):
    for key in keys:
        qtbot.keyClick(page.window().focusWidget() or page, key)


def say(page, who, stage, verdict, number=0, criteria=("hand",)):
    """Let somebody else speak of a candidate."""
    candidate = page.making.material().standings[number].candidate
    page.making.say(candidate, stage, verdict, who, criteria if stage is Stage.CURATE else ())


def keep(page, *numbers):
    for number in numbers:
        for who in ("RA", "RB"):
            say(page, who, Stage.CURATE, "keep", number)


def verdicts(desk, who="AK"):
    return [
        (w.start_ms, w.verdict) for w in desk.library.learners.candidate_words() if w.author == who
    ]


def test_without_videos_readings_or_a_name_it_is_said_what_to_do(page, shown, desk):
    shown()
    assert "no learner video yet" in words_of(page.researchers.empty)
    fill(desk, signs="")
    shown()
    assert "No reader has read" in words_of(page.researchers.empty)
    fill(desk, signs="---", title="Other")
    shown()
    assert "No reader has found confusion" in words_of(page.researchers.empty)
    desk.settings.author = ""
    shown()
    assert "Who judges?" in words_of(page.researchers.empty)


def test_a_researcher_judges_with_keys_and_each_is_stored_at_once(page, shown, desk, qtbot):
    fill(desk)
    shown()
    assert page.tabs.tabText(0) == "Researchers (3)"
    press(qtbot, page, Qt.Key.Key_1, Qt.Key.Key_4, Qt.Key.Key_A)
    (word,) = desk.library.learners.candidate_words()
    assert (word.start_ms, word.verdict, word.author) == (0, "keep", "AK")
    assert word.criteria == ("brow_lids", "hand")
    assert page.tabs.tabText(0) == "Researchers (2)"
    assert "you kept it" in words_of(page.researchers)
    press(qtbot, page, Qt.Key.Key_6, Qt.Key.Key_X, Qt.Key.Key_X)
    assert verdicts(desk) == [(0, "keep"), (2000, "drop"), (4000, "drop")]
    assert "AK has judged 3 clips" in words_of(page.researchers.empty)
    assert page.troubles == []


def test_what_was_said_may_be_changed_until_the_other_has_spoken(page, shown, desk, qtbot):
    fill(desk)
    shown()
    press(qtbot, page, Qt.Key.Key_X, Qt.Key.Key_P)
    assert "You said: dropped. Say it again to change it." in words_of(page.researchers)
    press(qtbot, page, Qt.Key.Key_2, Qt.Key.Key_A)
    assert verdicts(desk) == [(0, "drop"), (0, "keep")]
    say(page, "BM", Stage.CURATE, "drop")
    press(qtbot, page, Qt.Key.Key_P, Qt.Key.Key_X)
    assert verdicts(desk) == [(0, "drop"), (0, "keep")]
    assert "Both researchers have spoken" in str(page.troubles[0])


def test_a_clip_is_not_kept_without_a_sign(page, shown, desk, qtbot):
    fill(desk)
    shown()
    press(qtbot, page, Qt.Key.Key_3, Qt.Key.Key_A)
    assert verdicts(desk) == []
    assert "none is ticked" in str(page.troubles[0])


def test_a_skipped_clip_comes_again_at_the_end(page, shown, desk, qtbot):
    fill(desk)
    shown()
    press(qtbot, page, Qt.Key.Key_S, Qt.Key.Key_X, Qt.Key.Key_X, Qt.Key.Key_X)
    assert verdicts(desk) == [(2000, "drop"), (4000, "drop"), (0, "drop")]


def test_whoever_judges_sees_no_reader_no_learner_and_nobody_elses_word(page, shown, desk, qtbot):
    fill(desk)
    keep(page, 0)
    say(page, "BM", Stage.CURATE, "keep", 1, ("lips",))
    shown()
    for tab in (0, 1):
        page.tabs.setCurrentIndex(tab)
        told = words_of(page.judging[tab])
        assert "Clip 1 of" in told
        for hidden in (READER, "medium", "Mia", "Secret", "RA", "BM"):
            assert hidden not in told


def test_an_expert_says_yes_no_or_unsure(page, shown, desk, qtbot):
    fill(desk)
    keep(page, 0, 1, 2)
    shown()
    page.tabs.setCurrentIndex(1)
    page.setFocus()
    press(qtbot, page, Qt.Key.Key_Y, Qt.Key.Key_N, Qt.Key.Key_U)
    assert sorted(verdict for _at, verdict in verdicts(desk)) == ["no", "unsure", "yes"]
    assert "AK has judged 3 clips" in words_of(page.experts.empty)


def test_a_researcher_is_no_expert_on_the_same_clip(page, shown, desk):
    fill(desk)
    for who in ("AK", "RB"):
        say(page, who, Stage.CURATE, "keep")
    shown()
    assert page.tabs.tabText(1) == "Experts"
    assert "did not judge as researchers" in words_of(page.experts.empty)


def test_experts_who_differ_see_both_words_and_may_say_again(page, shown, desk, qtbot):
    fill(desk)
    keep(page, 0)
    for who, said in (("AK", "unsure"), ("EB", "yes")):
        say(page, who, Stage.VALIDATE, said)
    shown()
    assert page.tabs.tabText(2) == "Talk over (1)"
    page.tabs.setCurrentIndex(2)
    page.setFocus()
    assert "AK: unsure   EB: yes" in words_of(page.talk)
    press(qtbot, page, Qt.Key.Key_Y)
    assert verdicts(desk) == [(0, "unsure"), (0, "yes")]
    assert page.tabs.tabText(2) == "Talk over"
    assert "Nothing to talk over" in words_of(page.talk.empty)


def test_who_sits_down_sees_own_clips(page, shown, desk, qtbot):
    fill(desk)
    shown()
    press(qtbot, page, Qt.Key.Key_X)
    desk.settings.author = "BM"
    press(qtbot, page, Qt.Key.Key_X)
    qtbot.waitUntil(lambda: page.tabs.tabText(0) == "Researchers (3)")
    assert verdicts(desk, "BM") == []


def test_who_works_blind_marks_a_video_before_judging_its_candidates(page, shown, desk):
    lesson_id = fill(desk)
    desk.settings.blind = True
    shown()
    assert page.tabs.tabText(0) == "Researchers"
    assert "1 recording wait" in words_of(page.researchers.empty)
    desk.library.set_setting(marking_name("AK", lesson_id), "2026-11-30T10:00:00+00:00")
    shown()
    assert page.tabs.tabText(0) == "Researchers (3)"


def test_only_the_two_seconds_are_shown(page, shown, desk):
    fill(desk)
    shown()
    clip = page.researchers.clip
    assert page.quiet.opened == ["Secret title.mp4"]
    assert page.quiet.sought == [0]
    clip._hold(1999)
    assert page.quiet.sought == [0]
    clip._hold(2000)
    clip._hold(-40)
    assert page.quiet.sought == [0, 1999, 0]


def test_a_clip_that_cannot_be_seen_cannot_be_judged(page, shown, desk, qtbot):
    fill(desk)
    (desk.folder / "Secret title.mp4").unlink()
    shown()
    assert "cannot be judged now" in words_of(page.researchers)
    press(qtbot, page, Qt.Key.Key_X)
    assert verdicts(desk) == []


def test_the_sets_say_what_is_in_them_and_what_to_heed(page, shown, desk, qtbot):
    fill(desk)
    keep(page, 0)
    for who in ("EA", "EB"):
        say(page, who, Stage.VALIDATE, "yes")
    shown()
    told = page.sets.clips.text()
    assert told.startswith("2 clips: 1 yes (both experts: yes)")
    assert "Heed this: Consent is not noted for 1 video of 1." in told
    assert "3 candidates: 1 kept by both researchers" in page.sets.counts.text()
    page.sets.consents.item(0, 1).setText("signed for research")
    qtbot.waitUntil(lambda: "Consent" not in page.sets.clips.text())
    page.sets.consents.item(0, 1).setText("Mia signed")
    qtbot.waitUntil(lambda: bool(page.troubles))
    assert isinstance(page.troubles[0], Refused)
    qtbot.waitUntil(lambda: page.sets.consents.item(0, 1).text() == "signed for research")


def test_readers_can_be_chosen(page, shown, desk, qtbot):
    fill(desk)
    run = desk.library.learners.start_run(desk.library.lessons()[0].lesson_id, "ox/2", [])
    desk.library.learners.keep_readings(run, readings("---------m"))
    desk.library.learners.end_run(run)
    shown()
    assert page.tabs.tabText(0) == "Researchers (4)"
    page.sets.boxes[READER].click()
    qtbot.waitUntil(lambda: page.tabs.tabText(0) == "Researchers (1)")


def test_nothing_is_written_against_a_warning_that_is_heeded(page, shown, desk, qtbot):
    fill(desk)
    keep(page, 0)
    for who in ("EA", "EB"):
        say(page, who, Stage.VALIDATE, "yes")
    shown()
    asked = []
    page.agree = lambda warnings: asked.extend(warnings) and False
    page.sets.write_clips.click()
    assert "Consent is not noted" in asked[0]
    assert page.tellings == []


def test_what_cannot_be_cut_is_told(page, shown, desk, qtbot, tmp_path):
    fill(desk)
    keep(page, 0)
    for who in ("EA", "EB"):
        say(page, who, Stage.VALIDATE, "yes")
    shown()
    page.write(page.making.recognition(page.making.material()), tmp_path / "set")
    qtbot.waitUntil(lambda: bool(page.troubles), timeout=20_000)
    assert "cannot be opened" in str(page.troubles[0])
    assert not (tmp_path / "set" / "recognition").exists()


def test_escape_goes_back(page, shown, desk, qtbot):
    fill(desk)
    shown()
    with qtbot.waitSignal(page.closed):
        press(qtbot, page, Qt.Key.Key_Escape)


def test_escape_leaves_a_note_that_is_typed_before_the_page(page, shown, desk, qtbot):
    fill(desk)
    shown()
    left = []
    page.closed.connect(lambda: left.append(True))
    page.researchers._note.setFocus()
    qtbot.keyClicks(page.researchers._note, "a x 1")
    press(qtbot, page, Qt.Key.Key_Escape)
    assert (page.researchers._note.text(), left, verdicts(desk)) == ("a x 1", [], [])
    press(qtbot, page, Qt.Key.Key_X)
    (word,) = desk.library.learners.candidate_words()
    assert (word.verdict, word.note) == ("drop", "a x 1")


def test_keys_are_one_each_in_a_view_and_all_have_words(page):
    for view in page.judging:
        actions = [action for action in view.actions_in_menu if action is not None]
        keys = [action.shortcut().toString() for action in actions]
        assert len(set(keys)) == len(keys)
        assert all(action.text() for action in actions)


def test_the_menu_names_all_that_can_be_done_in_the_view_in_front(page, shown, desk):
    fill(desk)
    shown()
    page._fill_menu()
    told = [f"{a.text()}: {a.shortcut().toString()}" for a in page._menu.actions() if a.text()]
    assert "Keep: A" in told
    assert "Tick “Brows and lids”: 1" in told
    page.tabs.setCurrentIndex(1)
    page._fill_menu()
    told = [f"{a.text()}: {a.shortcut().toString()}" for a in page._menu.actions() if a.text()]
    assert ("Unsure: U" in told, "Keep: A" in told) == (True, False)
    assert told[-1] == "Back to the learner videos: Esc"
