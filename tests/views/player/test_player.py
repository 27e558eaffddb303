from fractions import Fraction

import av
import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QWidget

from app.lesson.spans import Span
from views.common.theme import apply_theme
from views.player import Player
from views.player import player as player_module
from views.player.controls import TIME_SCALE
from views.player.playback import Playback

FRAMES = 40
STEP_MS = 100


def grey(frame):
    """Each frame of the test video has its own grey, so that a picture names its frame."""
    return 20 + 5 * frame


def write_video(path, first_ms=0, codec="mpeg4"):
    with av.open(str(path), "w") as out:
        stream = out.add_stream(codec, rate=10)
        stream.width, stream.height, stream.pix_fmt = 160, 120, "yuv420p"
        stream.time_base = stream.codec_context.time_base = Fraction(1, 1000)
        stream.codec_context.gop_size = 12
        for number in range(FRAMES):
            picture = np.full((120, 160, 3), grey(number), np.uint8)
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts, frame.time_base = first_ms + number * STEP_MS, Fraction(1, 1000)
            out.mux(stream.encode(frame))
        out.mux(stream.encode())
    return path


def write_sound(path, seconds=2):
    with av.open(str(path), "w") as out:
        stream = out.add_stream("pcm_s16le", rate=16_000, layout="mono")
        sound = np.zeros((1, 16_000 * seconds), np.int16)
        frame = av.AudioFrame.from_ndarray(sound, format="s16", layout="mono")
        frame.sample_rate = 16_000
        out.mux(stream.encode(frame))
        out.mux(stream.encode())
    return path


def times(first_ms=0):
    return [first_ms + number * STEP_MS for number in range(FRAMES)]


def shown_frame(player):
    """Say which frame of the test video is on the screen, by its grey."""
    picture = player.picture.picture
    if picture is None:
        return None
    return round((picture.pixelColor(picture.width() // 2, 60).lightness() - 20) / 5)


@pytest.fixture
def player(qtbot):
    made = Player()
    qtbot.addWidget(made, before_close_func=lambda widget: widget.close_media())
    made.resize(480, 360)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def plain_player(player, monkeypatch):
    """A player on a computer without QtMultimedia."""
    said = "This computer lacks what is needed for sound."
    monkeypatch.setattr(player_module, "make_playback", lambda parent: (Playback(parent), said))
    return player


def answer(player, folder):
    """Answer like the page: with a file for each frame that is wanted."""

    def give(time_ms):
        path = folder / f"{time_ms}.png"
        image = QImage(16, 12, QImage.Format.Format_RGB32)
        number = time_ms // STEP_MS
        image.fill(QColor(grey(number), grey(number), grey(number)))
        image.save(str(path))
        player.show_frame(time_ms, path)

    player.frame_wanted.connect(give, Qt.ConnectionType.QueuedConnection)


def shown_small(player):
    picture = player.picture.picture
    return round((picture.pixelColor(2, 2).red() - 20) / 5) if picture else None


@pytest.fixture
def video(tmp_path):
    return write_video(tmp_path / "lesson.mp4")


def opened(player, path, first_ms=0):
    player.open_media(path, Span(first_ms, first_ms + FRAMES * STEP_MS), True, False)
    player.set_frame_times(times(first_ms))


def test_a_still_picture_of_the_playback_is_shown_only_when_its_stamp_proves_it(
    qtbot, player, video
):
    opened(player, video)
    qtbot.waitUntil(lambda: shown_frame(player) == 0)
    player.seek(2_730)
    qtbot.waitUntil(lambda: shown_frame(player) == 27, timeout=8_000)


def test_what_is_played_at_once_after_opening_begins_where_it_was_asked_for(qtbot, player, video):
    opened(player, video)
    player.seek(3_000)
    player.play()
    with qtbot.waitSignal(
        player.position_changed, timeout=8_000, check_params_cb=lambda ms: ms > 3_200
    ):
        pass
    assert player.position_ms > 3_200
    assert shown_frame(player) >= 30


def test_a_recording_that_starts_at_ten_seconds_keeps_its_own_clock(qtbot, player, tmp_path):
    late = write_video(tmp_path / "late.mkv", 10_000)
    opened(player, late, 10_000)
    player.seek(11_250)
    qtbot.waitUntil(lambda: shown_frame(player) == 12, timeout=8_000)
    assert player.controls.time.text() == "0:11.2 / 0:14"


def test_a_mirrored_recording_is_never_shown_as_qt_turns_it(qtbot, player, video, tmp_path):
    answer(player, tmp_path)
    with qtbot.waitSignal(player.trouble) as said:
        player.open_media(video, Span(0, FRAMES * STEP_MS), True, False, is_mirrored=True)
    player.set_frame_times(times())
    assert "stored mirrored" in said.args[0]
    player.play()
    qtbot.waitUntil(lambda: player.position_ms > 800, timeout=8_000)
    # What the page gives is 16 pixels wide, what Qt plays 160.
    assert player.picture.picture.width() == 16
    player.pause()
    qtbot.waitUntil(lambda: shown_small(player) == player.position_ms // STEP_MS)
    assert player.picture.picture.width() == 16


def test_playing_moves_along_and_a_pause_stands_on_the_picture_on_the_screen(qtbot, player, video):
    opened(player, video)
    with qtbot.waitSignal(player.playing_changed) as started:
        player.play()
    qtbot.waitUntil(lambda: player.position_ms > 500, timeout=8_000)
    player.pause()
    assert started.args == [True]
    assert not player.is_playing
    assert player.position_ms % STEP_MS == 0
    qtbot.waitUntil(lambda: shown_frame(player) == player.position_ms // STEP_MS)


def test_playing_ends_on_the_last_picture_and_starts_again_from_the_first(qtbot, player, video):
    opened(player, video)
    player.seek(3_700)
    player.play()
    qtbot.waitUntil(lambda: not player.is_playing, timeout=10_000)
    assert player.position_ms == 3_900
    player.play()
    qtbot.waitUntil(lambda: 0 < player.position_ms < 3_000, timeout=8_000)


def test_the_exact_picture_is_asked_for_after_every_seek_and_step(qtbot, player, video):
    wanted = []
    player.frame_wanted.connect(wanted.append)
    opened(player, video)
    player.show_frame(0, "")
    player.seek(1_250)
    assert wanted == [0, 1_200]
    player.show_frame(1_200, "")
    player.step(1)
    assert (player.position_ms, wanted[-1]) == (1_300, 1_300)
    player.show_frame(1_300, "")
    player.step(-2)
    assert (player.position_ms, wanted[-1]) == (1_100, 1_100)


def test_one_picture_is_asked_for_at_a_time_and_the_last_wish_wins(player, video):
    wanted = []
    player.frame_wanted.connect(wanted.append)
    opened(player, video)
    for time_ms in range(0, 3_000, 50):
        player.seek(time_ms)
    assert wanted == [0]
    player.show_frame(0, "")
    assert wanted == [0, 2_900]


def test_a_picture_that_is_no_longer_wanted_is_not_shown(qtbot, plain_player, tmp_path):
    player = plain_player
    opened(player, tmp_path / "none.mp4")
    player.seek(2_000)
    path = tmp_path / "0.png"
    QImage(16, 12, QImage.Format.Format_RGB32).save(str(path))
    player.show_frame(0, path)
    assert player.picture.picture is None


def test_a_picture_that_cannot_be_read_is_said_and_not_made_up(plain_player, tmp_path):
    opened(plain_player, tmp_path / "none.mp4")
    plain_player.show_frame(0, tmp_path / "missing.jpg")
    assert plain_player.picture.picture is None
    assert plain_player.picture._note == "The picture of this moment cannot be read."


def test_without_multimedia_it_goes_frame_by_frame_and_says_so(qtbot, plain_player, tmp_path):
    player = plain_player
    answer(player, tmp_path)
    with qtbot.waitSignal(player.trouble) as said:
        opened(player, tmp_path / "any.mp4")
    assert said.args == ["This computer lacks what is needed for sound."]
    qtbot.waitUntil(lambda: shown_small(player) == 0)
    player.play()
    qtbot.waitUntil(lambda: (shown_small(player) or 0) >= 5, timeout=8_000)
    player.pause()
    qtbot.waitUntil(lambda: shown_small(player) == player.position_ms // STEP_MS)


def test_a_file_that_qt_cannot_play_is_said_and_goes_frame_by_frame(qtbot, player, tmp_path):
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"not a recording")
    answer(player, tmp_path)
    with qtbot.waitSignal(player.trouble, timeout=8_000) as said:
        opened(player, broken)
    assert said.args == ["This recording cannot be played here; it is shown frame by frame."]
    player.seek(1_500)
    qtbot.waitUntil(lambda: shown_small(player) == 15)
    player.play()
    qtbot.waitUntil(lambda: player.position_ms > 1_700, timeout=8_000)


def test_after_a_file_that_cannot_be_played_the_next_one_plays(qtbot, player, tmp_path, video):
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"not a recording")
    with qtbot.waitSignal(player.trouble, timeout=8_000):
        opened(player, broken)
    opened(player, video)
    qtbot.waitUntil(lambda: shown_frame(player) == 0, timeout=8_000)


def test_pressing_forward_again_doubles_the_speed_up_to_four(player, video):
    opened(player, video)
    for expected in (1.0, 2.0, 4.0, 4.0):
        player.shuttle(1)
        assert player._rate == expected
    assert player.controls.speed.currentText() == "4×"
    player.shuttle(0)
    player.shuttle(1)
    assert player._rate == 1.0


def test_backwards_goes_from_picture_to_picture_to_the_start(qtbot, plain_player, tmp_path):
    player = plain_player
    answer(player, tmp_path)
    opened(player, tmp_path / "any.mp4")
    player.seek(500)
    player.shuttle(-1)
    seen = set()

    def is_back():
        seen.add(shown_small(player))
        return not player.is_playing

    qtbot.waitUntil(is_back, timeout=8_000)
    assert player.position_ms == 0
    assert len(seen) > 2


@pytest.mark.parametrize(
    ("key", "expected"),
    [(Qt.Key.Key_Period, 1_100), (Qt.Key.Key_Comma, 900)],
)
def test_comma_and_full_stop_step_by_one_picture(qtbot, player, video, key, expected):
    opened(player, video)
    player.seek(1_000)
    qtbot.keyClick(player, key)
    assert player.position_ms == expected


def test_space_and_the_letters_play_and_pause(qtbot, player, video):
    opened(player, video)
    for key, plays in (
        (Qt.Key.Key_Space, True),
        (Qt.Key.Key_Space, False),
        (Qt.Key.Key_L, True),
        (Qt.Key.Key_K, False),
        (Qt.Key.Key_J, True),
        (Qt.Key.Key_K, False),
    ):
        qtbot.keyClick(player, key)
        assert player.is_playing is plays or player.position_ms == 0


def test_steps_stop_at_the_first_and_the_last_picture(player, video):
    opened(player, video)
    player.step(-1)
    assert player.position_ms == 0
    player.step(1_000)
    assert player.position_ms == 3_900


def test_a_seek_outside_the_recording_stops_at_its_ends(player, video):
    opened(player, video)
    player.seek(99_000)
    assert player.position_ms == FRAMES * STEP_MS - 1
    player.seek(-5)
    assert player.position_ms == 0


def test_a_lesson_with_sound_alone_shows_calm_words_and_still_runs(qtbot, player, tmp_path):
    sound = write_sound(tmp_path / "lesson.wav")
    wanted = []
    player.frame_wanted.connect(wanted.append)
    player.open_media(sound, Span(0, 2_000), False, True)
    assert player.picture.accessibleDescription() == "This lesson has sound and no picture."
    assert not player.controls.on.isEnabled()
    player.play()
    qtbot.waitUntil(lambda: player.position_ms > 300, timeout=8_000)
    player.pause()
    assert not wanted


def test_before_anything_is_open_nothing_can_be_pressed_and_it_says_what_comes(player):
    player.play()
    player.seek(5)
    player.step(1)
    player.shuttle(1)
    assert not player.is_playing
    assert not player.controls.play.isEnabled()
    assert player.picture.accessibleDescription() == "The recording appears here."
    assert player.controls.time.text() == "– / –"


def test_every_control_has_a_name_in_words_and_says_its_key(player):
    controls = player.controls
    for widget in (controls.play, controls.back, controls.on, controls.mute):
        assert widget.accessibleName().replace(" ", "").isalpha()
    assert controls.speed.accessibleName() == "Speed"
    assert controls.volume.accessibleName() == "Loudness"
    assert "Space" in controls.play.toolTip()
    assert "(.)" in controls.on.toolTip()


@pytest.mark.parametrize("theme", ["light", "dark", "high-contrast"])
def test_it_can_be_looked_at_in_every_theme_and_large_text(qtbot, qapp, player, video, theme):
    apply_theme(qapp, theme, 2.0)
    opened(player, video)
    assert not player.grab().isNull()
    controls = player.controls
    for widget in (controls.time, controls.play):
        qtbot.waitUntil(lambda w=widget: w.width() >= w.sizeHint().width() - 1)
        assert widget.isVisible()
    player.resize(1200, 500)
    qtbot.waitUntil(controls.volume.isVisible)
    apply_theme(qapp, "light", 1.0)


def test_when_text_grows_and_shrinks_the_time_does_and_nothing_is_cut(qtbot, qapp, player, video):
    opened(player, video)
    player.resize(543, 360)  # as wide as it is in a window of 1024
    time = player.controls.time
    for scale in (1.0, 1.5, 2.0, 1.0):
        apply_theme(qapp, "light", scale)
        wanted = qapp.font().pointSizeF() * TIME_SCALE
        qtbot.waitUntil(lambda size=wanted: time.font().pointSizeF() == pytest.approx(size))
        qtbot.waitUntil(lambda: not cut(player.controls))


def cut(controls):
    """Give what is in view and not wholly so."""
    shown = [w for w in controls.findChildren(QWidget) if w.parent() is controls and w.isVisible()]
    return [
        widget
        for widget in shown
        if widget.width() < widget.minimumSizeHint().width()
        or widget.geometry().right() >= controls.width()
    ]
