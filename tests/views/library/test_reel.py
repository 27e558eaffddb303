from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from app.coding.moments import Moment, MomentKind
from app.scoring.scored import Code
from views.background import Background
from views.library.playing import Playing
from views.library.reel import Reel
from views.player.playback import Playback


@pytest.fixture
def reel(qtbot, desk, monkeypatch):
    """Give a reel over a library, with a plain clock for a player."""
    monkeypatch.setattr("views.player.player.make_playback", lambda parent: (Playback(parent), ""))
    made = Reel()
    qtbot.addWidget(made)
    background = Background()
    playing = Playing(desk, background, made)
    made.playing = playing
    made.resize(600, 500)
    made.show()
    yield made
    playing.stop()
    background.close(5)


def moment(lesson_id, clip, *, practice="D3", timed=True, **more):
    about = {
        "codes": (Code(practice, 2),),
        "by": "AK",
        "clip_id": clip.clip_id,
        "first": clip.first,
        "last": clip.last,
        "start_ms": clip.start_ms if timed else None,
        "end_ms": clip.end_ms if timed else None,
        "at_ms": clip.start_ms if timed else None,
    }
    day = date(2026, 9, 3)
    text = "Why do you think so?"
    return Moment(lesson_id, "Water", day, True, MomentKind.CODE, text, text, **(about | more))


@pytest.fixture
def recorded(desk, stand_in):
    return stand_in.add_sample(desk.library, with_media=True)


def test_a_moment_plays_from_its_start_with_its_code_and_quote_above(reel, recorded, stand_in):
    first, second = stand_in.CLIPS[:2]
    reel.play([moment(recorded, first), moment(recorded, second, practice="D1")])
    assert reel.player.is_playing
    assert reel.player.position_ms == first.start_ms
    assert reel.title.text() == "Water"
    assert "1 of 2" in reel.where.text()
    assert "D3, level 2, by AK" in reel.where.text()
    assert "recorded 3 September 2026" in reel.where.text()
    assert reel.quote.text() == "“Why do you think so?”"


def test_the_next_moment_follows_when_one_is_over(qtbot, reel, recorded, stand_in):
    first, second = stand_in.CLIPS[:2]
    reel.play([moment(recorded, first), moment(recorded, second)])
    reel.player.seek(first.end_ms - 100)
    qtbot.waitUntil(lambda: "2 of 2" in reel.where.text())
    assert reel.player.is_playing
    assert second.start_ms <= reel.player.position_ms < second.start_ms + 3_000
    reel.player.seek(second.end_ms - 100)
    qtbot.waitUntil(lambda: reel.said.text() == "That was the last one.")
    assert not reel.player.is_playing
    assert not reel.on.isEnabled()


def test_a_moment_at_the_end_of_the_recording_ends_too(qtbot, reel, recorded, stand_in):
    last = replace(stand_in.CLIPS[-1], end_ms=228_600)
    reel.play([moment(recorded, last), moment(recorded, stand_in.CLIPS[0])])
    reel.player.seek(228_500)
    qtbot.waitUntil(lambda: "2 of 2" in reel.where.text())


def test_keys_go_on_back_and_pause(qtbot, reel, recorded, stand_in):
    reel.play([moment(recorded, clip) for clip in stand_in.CLIPS[:3]])
    reel.player.setFocus()
    qtbot.keyClick(reel.player, Qt.Key.Key_N)
    assert "2 of 3" in reel.where.text()
    qtbot.keyClick(reel.player, Qt.Key.Key_P)
    assert "1 of 3" in reel.where.text()
    qtbot.keyClick(reel.player, Qt.Key.Key_P)
    assert "This is the first one." in reel.said.text()
    reel.player.play()
    qtbot.keyClick(reel.player, Qt.Key.Key_Space)
    assert not reel.player.is_playing
    with qtbot.waitSignal(reel.lesson_opened) as opened:
        qtbot.keyClick(reel.player, Qt.Key.Key_O)
    assert opened.args[0] == recorded
    with qtbot.waitSignal(reel.closed):
        qtbot.keyClick(reel.player, Qt.Key.Key_Escape)


def test_a_pause_stays_a_pause(qtbot, reel, recorded, stand_in):
    reel.play([moment(recorded, clip) for clip in stand_in.CLIPS[:2]])
    reel.player.pause()
    qtbot.wait(200)
    assert "1 of 2" in reel.where.text()
    assert not reel.player.is_playing


def test_a_lesson_without_a_recording_shows_what_was_said(qtbot, reel, desk, stand_in):
    bare = stand_in.add_sample(desk.library)
    clip = stand_in.CLIPS[0]
    reel.play([moment(bare, clip), moment(bare, stand_in.CLIPS[1])])
    line = stand_in.spoken().utterances[clip.first - 1]
    assert f"{line.speaker}: {line.text}" in reel.lines.text()
    assert "has no recording" in reel.said.text()
    assert "Press N" in reel.said.text()
    reel.lines.parentWidget().setFocus()
    qtbot.keyClick(reel, Qt.Key.Key_N)
    assert "2 of 2" in reel.where.text()


def test_missing_recordings_are_passed_over_and_counted(qtbot, reel, desk, recorded, stand_in):
    gone = desk.library.add_lesson(
        "Lost", stand_in.media(Path("/nowhere/lost.mp4")), stand_in.spoken(), {}
    )
    clip = stand_in.CLIPS[0]
    reel.play([moment(gone, clip), moment(gone, clip), moment(recorded, clip), moment(gone, clip)])
    assert "3 of 4" in reel.where.text()
    told = "2 moments left out: the recording of “Lost” is not where it was. Keys: N next"
    assert reel.said.text().startswith(told)
    reel.next()
    assert reel.said.text().startswith("That was the last one. 3 moments left out")


def test_when_nothing_can_be_shown_that_is_said(reel, desk, stand_in):
    gone = desk.library.add_lesson(
        "Lost", stand_in.media(Path("/nowhere/lost.mp4")), stand_in.spoken(), {}
    )
    reel.play([moment(gone, stand_in.CLIPS[0])] * 2000)
    assert reel.said.text().startswith("None of these moments can be shown. 2000 moments left out")
    reel.play([])
    assert reel.said.text() == "None of these moments can be shown."


def test_playing_starts_at_the_chosen_moment(reel, recorded, stand_in):
    title = Moment(recorded, "Water", date(2026, 9, 3), True, MomentKind.TITLE, "Water", "Water")
    chosen = [title, *(moment(recorded, clip) for clip in stand_in.CLIPS[:3])]
    reel.play(chosen, 2)
    assert "2 of 3" in reel.where.text()
