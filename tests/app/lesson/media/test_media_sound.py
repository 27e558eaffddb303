"""Sound lies on the media's clock, with silence where there is none."""

from __future__ import annotations

import shutil
import subprocess
import threading
from fractions import Fraction

import av
import numpy as np
import pytest

from app.errors import Cancelled, MediaRefused
from app.lesson.media.probe import probe
from app.lesson.media.sound import SAMPLE_RATE, Waveform, cached_waveform, read_sound, waveform


def clicks(seconds: float, at_s: list[float], rate: int = 48_000) -> np.ndarray:
    """Give silence with short loud bursts."""
    sound = np.zeros(int(seconds * rate), np.float32)
    for moment in at_s:
        start = int(moment * rate)
        sound[start : start + rate // 200] = 0.9
    return sound


def first_loud_ms(sound, after_ms: float = 0) -> float:
    """Give the media time of the first loud sample after a moment."""
    skipped = max(0, round((after_ms - sound.start_ms) * 16))
    return sound.start_ms + (skipped + int(np.argmax(np.abs(sound.samples[skipped:]) > 0.3))) / 16


@pytest.mark.parametrize(
    ("ending", "codec"),
    [
        ("mkv", "pcm_s16le"),
        ("mp4", "aac"),
        ("mkv", "libopus"),
        ("mkv", "flac"),
        ("mp4", "libmp3lame"),
    ],
)
def test_a_click_is_heard_when_it_was_made(films, tmp_path, ending, codec):
    film = films.write(tmp_path / f"film.{ending}", sound=clicks(3, [0.5, 2.0]), sound_codec=codec)
    sound = read_sound(film)
    assert sound.samples.dtype == np.float32
    assert first_loud_ms(sound) == pytest.approx(500, abs=3)
    assert first_loud_ms(sound, 1000) == pytest.approx(2000, abs=3)
    assert sound.end_ms == pytest.approx(3000, abs=30)


def test_sound_that_starts_late_keeps_its_start(films, tmp_path):
    film = films.write(
        tmp_path / "film.mkv", films.count(100), sound=clicks(2, [1.0]),
        sound_start_ms=1500, sound_codec="pcm_s16le",
    )  # fmt: skip
    sound = read_sound(film)
    assert sound.start_ms == 1500
    assert first_loud_ms(sound) == pytest.approx(2500, abs=2)


def write_with_hole(path, sound: np.ndarray, hole: tuple[float, float], shift_s: float = 0.0):
    """Write sound whose packets between two moments are missing, or repeated with a shift."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("pcm_s16le", rate=48_000, layout="mono")
        for first in range(0, len(sound), 480):
            second = first / 48_000
            if hole[0] <= second < hole[1]:
                continue
            piece = (sound[first : first + 480] * 32767).astype(np.int16)
            frame = av.AudioFrame.from_ndarray(piece[np.newaxis], format="s16", layout="mono")
            frame.sample_rate = 48_000
            frame.pts, frame.time_base = first, Fraction(1, 48_000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def test_a_hole_becomes_silence_of_the_same_length(tmp_path):
    film = write_with_hole(tmp_path / "film.mkv", clicks(4, [0.5, 1.5, 3.0]), (1.0, 2.0))
    sound = read_sound(film)
    assert first_loud_ms(sound, 600) == pytest.approx(3000, abs=2)
    assert len(sound.samples) == pytest.approx(4 * SAMPLE_RATE, abs=32)
    assert np.abs(sound.samples[17_000:31_000]).max() == 0
    wave = waveform(film, 40)
    loud = np.flatnonzero(wave.peaks[:, 1] > 0.3)
    assert loud.tolist() == [5, 30]


@pytest.mark.skipif(
    shutil.which("ffmpeg") is None,
    reason="ffmpeg, whose samples are the known answer, is no part of the program",
)
def test_samples_are_those_of_ffmpeg(films, tmp_path):
    film = films.write(tmp_path / "film.mkv", sound=films.tone(1.0), sound_codec="pcm_s16le")
    command = [
        "ffmpeg",
        "-v",
        "error",
        "-i",
        str(film),
        "-f",
        "f32le",
        "-ac",
        "1",
        "-ar",
        "16000",
        "-",
    ]
    told = subprocess.run(command, capture_output=True, check=True).stdout
    expected, ours = np.frombuffer(told, np.float32), read_sound(film).samples
    assert abs(len(ours) - len(expected)) <= 32
    count = min(len(ours), len(expected))
    assert np.abs(ours[100 : count - 100] - expected[100 : count - 100]).max() < 0.01


@pytest.mark.parametrize("format_name", ["u8", "s16", "s32", "flt"])
def test_a_waveform_holds_the_lowest_and_highest_of_each_bin(tmp_path, format_name):
    codec = {"u8": "pcm_u8", "s16": "pcm_s16le", "s32": "pcm_s32le", "flt": "pcm_f32le"}[
        format_name
    ]
    scale = {"u8": (127, 128), "s16": (32767, 0), "s32": (2**31 - 128, 0), "flt": (1, 0)}[
        format_name
    ]
    dtype = {"u8": np.uint8, "s16": np.int16, "s32": np.int32, "flt": np.float32}[format_name]
    ramp = np.repeat([0.25, -0.5, 0.75, 0.0], 12_000)
    with av.open(str(tmp_path / "film.mkv"), "w") as container:
        stream = container.add_stream(codec, rate=48_000, layout="stereo")
        packed = np.stack([ramp, -ramp], axis=1).reshape(1, -1)
        stored = (packed * scale[0] + scale[1]).astype(dtype)
        frame = av.AudioFrame.from_ndarray(stored, format=format_name, layout="stereo")
        frame.sample_rate, frame.pts, frame.time_base = 48_000, 0, Fraction(1, 48_000)
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    wave = waveform(tmp_path / "film.mkv", 4)
    assert (wave.start_ms, wave.end_ms) == (0, 1000)
    assert wave.peaks == pytest.approx(
        np.array([[-0.25, 0.25], [-0.5, 0.5], [-0.75, 0.75], [0, 0]]), abs=0.01
    )


def test_a_waveform_may_have_more_bins_than_samples(films, tmp_path):
    film = films.write(tmp_path / "film.mkv", sound=films.tone(0.1), sound_codec="pcm_s16le")
    assert waveform(film, 20_000).peaks.max() == pytest.approx(0.5, abs=0.01)
    with pytest.raises(ValueError, match="0 bins"):
        waveform(film, 0)


def test_a_form_of_sound_that_changes_on_the_way_is_followed(films, tmp_path):
    # Broadcasts switch from one channel to two.
    parts = []
    for number, layout in enumerate(("mono", "stereo")):
        path = tmp_path / f"{layout}.ts"
        with av.open(str(path), "w") as container:
            stream = container.add_stream("aac", rate=48_000, layout=layout)
            wave = np.tile(films.tone(1.0), (number + 1, 1))
            for first in range(0, 48_000 - 1023, 1024):
                frame = av.AudioFrame.from_ndarray(
                    np.ascontiguousarray(wave[:, first : first + 1024]), "fltp", layout
                )
                frame.sample_rate = 48_000
                frame.pts, frame.time_base = first + number * 48_000, Fraction(1, 48_000)
                container.mux(stream.encode(frame))
            container.mux(stream.encode(None))
        parts.append(path.read_bytes())
    (tmp_path / "film.ts").write_bytes(b"".join(parts))
    sound = read_sound(tmp_path / "film.ts")
    assert len(sound.samples) == pytest.approx(2 * SAMPLE_RATE, abs=1200)
    assert np.abs(sound.samples[20_000:30_000]).max() > 0.4
    assert waveform(tmp_path / "film.ts", 20).peaks[4:16, 1].min() > 0.4


def test_a_waveform_is_kept_and_a_broken_one_made_anew(films, tmp_path, monkeypatch):
    film = films.write(tmp_path / "film.mp4", sound=films.tone(1.0))
    made = cached_waveform(film, tmp_path / "cache")
    assert made.peaks.shape == (50, 2)
    kept = next((tmp_path / "cache").iterdir())
    loaded = Waveform.load(kept)
    assert np.array_equal(loaded.peaks, made.peaks)
    assert (loaded.start_ms, loaded.end_ms) == (made.start_ms, made.end_ms)
    kept.write_bytes(kept.read_bytes()[:100])
    assert Waveform.load(kept) is None
    assert np.array_equal(cached_waveform(film, tmp_path / "cache").peaks, made.peaks)
    monkeypatch.setattr("app.lesson.media.sound.waveform", None)
    assert np.array_equal(cached_waveform(film, tmp_path / "cache").peaks, made.peaks)


def test_no_sound_is_refused(films, tmp_path):
    film = films.write(tmp_path / "film.mp4", films.count(3))
    for work in (read_sound, lambda path: waveform(path, 10)):
        with pytest.raises(MediaRefused, match=r"film\.mp4 has no sound"):
            work(film)


@pytest.mark.parametrize("work", [read_sound, lambda p, r, s: waveform(p, 10, r, s)])
def test_reading_sound_reports_and_can_be_stopped(films, tmp_path, work):
    film = films.write(tmp_path / "film.mp4", sound=films.tone(30))
    stop, shares = threading.Event(), []

    def report(share: float, doing: str) -> None:
        shares.append(share)
        assert doing
        if 0.2 < share < 0.9:
            stop.set()

    with pytest.raises(Cancelled):
        work(film, report, stop)
    assert shares[-1] < 0.9
    work(film, lambda share, _: shares.append(share), threading.Event())
    assert shares[-1] == 1.0


def test_sound_that_does_not_decode_is_silence_and_told(films, tmp_path):
    film = films.write(tmp_path / "film.mp4", sound=clicks(4, [0.5, 3.5]))
    content = bytearray(film.read_bytes())
    start = content.index(b"mdat") + 4
    middle = start + (content.index(b"moov") - start) // 2
    content[middle : middle + 40] = b"\xff" * 40
    film.write_bytes(content)
    told = "Parts of the sound do not decode; there is silence in their place."
    assert told in probe(film).notes
    sound = read_sound(film)
    assert first_loud_ms(sound) == pytest.approx(500, abs=3)
    assert first_loud_ms(sound, 3000) == pytest.approx(3500, abs=3)
