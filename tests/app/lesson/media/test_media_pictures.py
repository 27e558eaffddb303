"""Picture files and the moments they are taken at."""

from __future__ import annotations

import threading

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import Cancelled, MediaRefused, Refused
from app.lesson.media.frames import frame_at
from app.lesson.media.pictures import poster_time, write_pictures
from app.lesson.media.probe import probe
from app.lesson.media.sampling import sample_times
from app.lesson.spans import Span


def test_one_picture_a_second_from_the_start_of_the_clip():
    assert sample_times(Span(7_500, 11_000), 1, 30) == (7_500, 8_500, 9_500, 10_500)
    assert len(sample_times(Span(0, 30_000), 1, 30)) == 30


def test_more_than_the_cap_is_spread_evenly_over_the_whole_clip():
    times = sample_times(Span(10_000, 100_000), 1, 30)
    assert times == tuple(range(10_000, 100_000, 3_000))
    assert len(sample_times(Span(0, 30_001), 1, 30)) == 30


def test_sampling_starts_at_the_clip_and_not_at_zero():
    # An offset of 7 s and a look every 30 s: 7, 37, 67, 97 s.
    assert sample_times(Span(7_000, 100_000), 1 / 30, None) == (7_000, 37_000, 67_000, 97_000)


def test_a_clip_shorter_than_a_step_gives_its_start():
    assert sample_times(Span(-400, -399), 1, 30) == (-400,)


@pytest.mark.parametrize(("rate", "cap"), [(0, 30), (-1, 30), (1, 0), (float("nan"), 1)])
def test_no_moments_are_refused(rate, cap):
    with pytest.raises(ValueError, match="cannot take"):
        sample_times(Span(0, 10), rate, cap)


@given(
    start=st.integers(-(10**6), 10**8),
    length=st.integers(1, 10**6),
    rate=st.floats(0.01, 60),
    cap=st.none() | st.integers(1, 60),
)
def test_moments_rise_lie_inside_and_never_pass_the_cap(start, length, rate, cap):
    span = Span(start, start + length)
    times = sample_times(span, rate, cap)
    assert times[0] == start
    assert list(times) == sorted(set(times))
    assert all(span.holds(ms) for ms in times)
    assert cap is None or len(times) <= cap
    gaps = np.diff([*times, span.end_ms])
    assert gaps.max() <= max(1000 / rate, length / cap if cap else 0) + 1


def test_pictures_are_written_once_and_show_their_moment(films, tmp_path):
    film = films.write(tmp_path / "film.mp4", films.count(50), key_every=10)
    files = write_pictures(film, [1000, 40, 1000], tmp_path / "cache", 320)
    assert sorted(files) == [40, 1000]
    shown = {ms: films.number_on(cv2.imread(name)) for ms, name in files.items()}
    assert shown == {40: 1, 1000: 25}
    stamps = {name: (tmp_path / name).stat().st_mtime_ns for name in files.values()}
    again = write_pictures(film, [40, 1000, 1040], tmp_path / "cache", 320)
    assert {name: (tmp_path / name).stat().st_mtime_ns for name in stamps} == stamps
    assert sorted(again) == [40, 1000, 1040]
    assert not list((tmp_path / "cache").glob("*.part"))


def test_sizes_and_kinds_do_not_share_a_file(films, tmp_path):
    film = films.write(tmp_path / "film.mp4", films.count(50), key_every=10)
    exact = write_pictures(film, [1040], tmp_path, 320)[1040]
    small = write_pictures(film, [1040], tmp_path, 32)[1040]
    near = write_pictures(film, [1040], tmp_path, 320, exact=False)[1040]
    assert len({exact, small, near}) == 3
    assert cv2.imread(small).shape == (24, 32, 3)
    assert films.number_on(cv2.imread(exact)) == 26
    assert films.number_on(cv2.imread(near)) == 20


@pytest.mark.parametrize("ending", ["mp4", "mkv", "ts", "avi"])
def test_key_pictures_come_from_any_container(films, tmp_path, ending):
    from fractions import Fraction

    codec, base = ("mpeg4", Fraction(1, 25)) if ending == "avi" else ("libx264", Fraction(1, 1000))
    film = films.write(
        tmp_path / f"film.{ending}", films.count(100), codec=codec, base=base, key_every=25
    )
    start = probe(film).start_ms
    files = write_pictures(film, [start + 2500, start - 10], tmp_path, 320, exact=False)
    assert 40 <= films.number_on(cv2.imread(files[start + 2500])) <= 62
    assert films.number_on(cv2.imread(files[start - 10])) == 0


def test_writing_can_be_stopped_and_keeps_what_is_done(films, tmp_path):
    film = films.write(tmp_path / "film.mp4", films.count(50))
    stop, shares = threading.Event(), []

    def report(share: float, _doing: str) -> None:
        shares.append(share)
        if share >= 0.5:
            stop.set()

    with pytest.raises(Cancelled):
        write_pictures(film, range(0, 400, 40), tmp_path / "cache", 320, report=report, stop=stop)
    assert len(list((tmp_path / "cache").glob("*.jpg"))) == 6
    assert shares == sorted(shares)


def test_a_folder_that_cannot_be_written_is_told(films, tmp_path):
    film = films.write(tmp_path / "film.mp4", films.count(3))
    (tmp_path / "taken").write_text("a file is in the way")
    with pytest.raises(Refused, match="could not be written"):
        write_pictures(film, [0], tmp_path / "taken", 320)


@pytest.mark.parametrize("key_every", [10, 1000])
def test_the_poster_is_not_a_black_picture(films, tmp_path, key_every):
    black = np.zeros((48, 64, 3), np.uint8)
    pictures = [black] * 45 + [films.corners()] * 15 + [black] * 40
    film = films.write(tmp_path / "film.mp4", pictures, key_every=key_every)
    assert frame_at(film, poster_time(probe(film))).image.std() > 60


def test_a_recording_without_picture_has_no_poster(media):
    with pytest.raises(MediaRefused, match="has no picture"):
        poster_time(probe(media / "media3_sample_audio_only.mp4"))
