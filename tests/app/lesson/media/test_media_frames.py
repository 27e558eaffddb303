"""The picture at a moment is the one a decoder gives there when it reads from the start."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from app.errors import MediaRefused
from app.lesson.media.clock import to_ms
from app.lesson.media.frames import FrameReader, frame_at, frame_times, frames_at
from app.lesson.media.probe import probe

UNEVEN = [0, 33, 67, 100, 500, 517, 533, 2000, 2040, 2045, 2050, 9000]


def in_order(path: Path, stream: int) -> dict[int, np.ndarray]:
    """Decode from the start with bare PyAV; grey pictures by their milliseconds."""
    with av.open(f"file:{path}") as container:
        pictures = container.streams[stream]
        return {
            to_ms(frame.pts, pictures.time_base): frame.to_ndarray(format="gray")
            for frame in container.decode(pictures)
        }


def grey(reader: FrameReader) -> np.ndarray:
    """Give the picture a reader stands on, before anything is done to it."""
    return reader._walk.frame.to_ndarray(format="gray")


def test_a_listed_time_gives_the_picture_listed_there(films, tmp_path):
    film = films.write(tmp_path / "film.mp4", films.count(len(UNEVEN)), UNEVEN)
    assert frame_times(film) == tuple(UNEVEN)
    for number, ms in enumerate(UNEVEN):
        frame = frame_at(film, ms)
        assert (frame.time_ms, films.number_on(frame.image)) == (ms, number)


def test_between_two_pictures_the_earlier_one_is_on_the_screen(films, tmp_path):
    film = films.write(tmp_path / "film.mp4", films.count(len(UNEVEN)), UNEVEN)
    asked = [34, 499, 501, 1999, 2046, 8999]
    shown = [frame.time_ms for frame in frames_at(film, asked)]
    assert shown == [33, 100, 500, 533, 2045, 2050]


def test_before_the_first_picture_is_the_first_and_after_the_last_the_last(films, tmp_path):
    film = films.write(tmp_path / "film.mkv", films.count(5), [1000, 1040, 1080, 1120, 1160])
    assert [f.time_ms for f in frames_at(film, [-5, 0, 999, 1161, 10**9])] == [
        1000, 1000, 1000, 1160, 1160,
    ]  # fmt: skip


def test_times_are_rounded_half_up_from_the_exact_stamps():
    assert to_ms(1, Fraction(1, 2000)) == 1
    assert to_ms(-1, Fraction(1, 2000)) == 0
    assert to_ms(1001, Fraction(1, 30_000)) == 33
    assert to_ms(2002, Fraction(1, 30_000)) == 67


def test_steps_lead_through_every_picture_and_stop_at_the_ends(films, tmp_path):
    film = films.write(tmp_path / "film.mp4", films.count(60), key_every=7)
    with FrameReader(film) as reader:
        forward = [films.number_on(reader.at(0).image)]
        while (frame := reader.step(1)) is not None:
            forward.append(films.number_on(frame.image))
        back = []
        while (frame := reader.step(-1)) is not None:
            back.append(films.number_on(frame.image))
        assert reader.step(-1) is None
        assert reader.step(2).time_ms == 80
    assert forward == list(range(60))
    assert back == list(range(58, -1, -1))


def test_stepping_back_goes_further_than_what_is_kept(films, tmp_path, monkeypatch):
    monkeypatch.setattr("app.lesson.media.walk._KEPT_BYTES", 30_000)
    film = films.write(tmp_path / "film.mp4", films.count(60), key_every=25)
    with FrameReader(film) as reader:
        reader.at(59 * 40)
        back = [reader.step(-1).time_ms for _ in range(59)]
        assert back == [40 * n for n in range(58, -1, -1)]
        assert reader.step(-1) is None


@pytest.mark.parametrize("ending", ["mp4", "mkv", "webm", "avi", "ts", "flv", "mov"])
def test_jumps_in_any_container_show_what_reading_in_order_shows(films, tmp_path, ending):
    codec = {"webm": "libvpx-vp9", "avi": "mpeg4"}.get(ending, "libx264")
    base = Fraction(1, 25) if ending == "avi" else Fraction(1, 1000)
    film = films.write(
        tmp_path / f"film.{ending}", films.count(150), codec=codec, key_every=40, base=base
    )
    expected = in_order(film, 0)
    times = frame_times(film)
    assert times == tuple(expected)
    picks = random.Random(3).sample(times, 25)
    with FrameReader(film) as reader:
        for ms in [*picks, times[-1], times[0]]:
            assert reader.at(ms).time_ms == ms
            assert np.array_equal(grey(reader), expected[ms]), ms


def test_a_missing_list_of_key_pictures_does_not_lead_astray(films, tmp_path):
    film = films.write(tmp_path / "film.mp4", films.count(100), key_every=30)
    # `stss` lists the key pictures; without it every picture claims to be one.
    film.write_bytes(film.read_bytes().replace(b"stss", b"free"))
    expected = in_order(film, 0)
    with FrameReader(film) as reader:
        for ms in random.Random(4).sample(frame_times(film), 20):
            reader.at(ms)
            assert np.array_equal(grey(reader), expected[ms])


@pytest.mark.parametrize("tried", range(3))
def test_open_groups_of_pictures_are_searched_right(films, tmp_path, tried):
    codec, options = [
        ("libx264", {"x264-params": "open-gop=1:keyint=12:bframes=3:scenecut=0"}),
        ("libx265", {"x265-params": "open-gop=1:keyint=12:bframes=3:log-level=none"}),
        ("libx264", {"x264-params": "intra-refresh=1:keyint=12"}),
    ][tried]
    film = films.write(tmp_path / "film.mp4", films.count(80), codec=codec, options=options)
    expected = in_order(film, 0)
    with FrameReader(film) as reader:
        for ms in random.Random(5).sample(frame_times(film), 30):
            assert reader.at(ms).time_ms == ms
            assert np.array_equal(grey(reader), expected[ms]), ms


@pytest.mark.parametrize(
    "name", ["torchcodec_h265_frame_numbers.mp4", "torchcodec_av1_video.mkv",
             "decord_unordered.mov", "media3_android_slow_motion.mp4",
             "media3_bear-vp9-odd-dimensions.webm", "torchcodec_h264_10bits.mp4"]
)  # fmt: skip
def test_real_recordings_show_the_same_jumping_and_in_order(media, name):
    expected = in_order(media / name, 0)
    with FrameReader(media / name) as reader:
        for ms in random.Random(6).sample(frame_times(media / name), min(20, len(expected))):
            reader.at(ms)
            assert np.array_equal(grey(reader), expected[ms])


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["timing/mediabunny_cursed-vfr.mp4", "timing/mediabunny_video-h265_burned_frame_numbers.mp4",
     "timing/moviepy_smpte-2997.mp4", "timing/moviepy_no_duration.webm",
     "broken/media3_without_stss.mp4", "timing/media3_firstpts_10_sec.mp4",
     "timing/media3_sample_fragmented.mp4", "codec/media3_roadtrip-vp92-10bit.webm"],
)  # fmt: skip
def test_the_collection_shows_the_same_jumping_and_in_order(shared, name):
    path = shared / "data/4_video_quirks" / name
    expected = in_order(path, 0)
    with FrameReader(path, 64) as reader:
        for ms in random.Random(7).sample(frame_times(path), 10):
            reader.at(ms)
            assert np.array_equal(grey(reader), expected[ms])


def test_a_damaged_picture_leaves_the_one_before_on_the_screen(media):
    path = media / "decord_corrupted.mp4"
    times = frame_times(path)
    missing = sorted(set(range(0, 5000, 100)) - set(times))
    assert len(missing) == 1
    assert frame_at(path, missing[0]).time_ms == missing[0] - 100


def test_pictures_never_grow_and_shrink_to_the_longest_side(films, tmp_path):
    film = films.write(tmp_path / "film.mp4", [films.corners(64, 48)] * 2)
    assert frame_at(film, 0, 1000).image.shape == (48, 64, 3)
    assert frame_at(film, 0, 32).image.shape == (24, 32, 3)


def test_sound_alone_has_no_picture_to_show(media):
    assert frame_times(media / "media3_sample_audio_only.mp4") == ()
    with pytest.raises(MediaRefused, match="has no picture"):
        frame_at(media / "media3_sample_audio_only.mp4", 0)


@pytest.mark.parametrize("name", ["-first.mp4", "Stunde Übung 3 – 教室.mp4", "a:b.mp4", "100%d.mp4",
                                  "film.wav", "no_ending"])  # fmt: skip
def test_any_name_will_do(films, tmp_path, monkeypatch, name):
    film = films.write(tmp_path / "film.mp4", films.count(3))
    film.rename(tmp_path / name)
    monkeypatch.chdir(tmp_path)
    assert probe(name).video.frames == 3
    assert films.number_on(frame_at(name, 40).image) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="names are Unicode there")
def test_a_name_that_is_no_text_will_do(films, tmp_path):
    film = films.write(tmp_path / "film.mp4", films.count(3))
    odd = film.rename(tmp_path / os.fsdecode(b"\xff\xfe.mp4"))
    assert probe(odd).video.frames == 3


@pytest.mark.skipif(sys.platform == "win32", reason="only some people may make links there")
def test_a_way_back_out_of_a_linked_folder_is_gone_as_the_system_goes_it(films, tmp_path):
    (tmp_path / "disk" / "day").mkdir(parents=True)
    film = films.write(tmp_path / "disk" / "film.mp4", films.count(3))
    (tmp_path / "today").symlink_to(tmp_path / "disk" / "day")
    facts = probe(tmp_path / "today" / ".." / "film.mp4")
    assert (facts.video.frames, facts.path) == (3, str(film))


def test_decoders_say_nothing_on_the_error_stream(media):
    names = ["decord_corrupted.mp4", "media3_invalid-bitstream.webm", "small_WindowsMediaVideo.wmv"]
    code = (
        "import sys\n"
        "from app.errors import MediaRefused\n"
        "from app.lesson.media.frames import frame_at\n"
        "for name in sys.argv[1:]:\n"
        "    try:\n"
        "        frame_at(name, 4500)\n"
        "    except MediaRefused:\n"
        "        pass\n"
    )
    command = [sys.executable, "-c", code, *(str(media / name) for name in names)]
    ended = subprocess.run(command, capture_output=True, check=True)
    assert ended.stdout + ended.stderr == b""
