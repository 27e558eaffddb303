"""The shipped sample lesson is what its script and its transcript say it is."""

from __future__ import annotations

import itertools
import json
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import av
import numpy as np
import pytest
import webvtt

from resources import resource

REPOSITORY = Path(__file__).resolve().parents[2]
STEP_MS = 20


@pytest.fixture(scope="module")
def folder() -> Path:
    return resource("sample")


@pytest.fixture(scope="module")
def lesson(folder):
    return json.loads((folder / "lesson.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def cues(folder):
    return webvtt.read(str(folder / "lesson.vtt")).captions


@pytest.fixture(scope="module")
def loudness(folder) -> np.ndarray:
    """Root mean square of the sound in steps of 20 ms."""
    with av.open(str(folder / "lesson.mp4")) as media:
        audio = media.streams.audio[0]
        parts = []
        for frame in media.decode(audio):
            # The encoder's lead-in has times below zero and is not played.
            skip = max(0, round(-frame.time * frame.sample_rate))
            parts.append(frame.to_ndarray()[0][skip:])
        step = audio.rate * STEP_MS // 1000
    sound = np.concatenate(parts)
    whole = sound[: len(sound) // step * step].reshape(-1, step)
    return np.sqrt(np.mean(np.square(whole), axis=1))


def milliseconds(clock: str) -> int:
    hours, minutes, seconds = clock.split(":")
    return round((int(hours) * 3600 + int(minutes) * 60 + float(seconds)) * 1000)


def test_it_is_small_enough_to_ship(folder):
    assert sum(f.stat().st_size for f in folder.iterdir()) < 8_000_000


def test_it_lasts_three_and_a_half_to_four_and_a_half_minutes(lesson):
    assert 210_000 <= lesson["duration_ms"] <= 270_000


def test_picture_and_sound_are_of_the_kinds_every_player_has(folder, lesson):
    with av.open(str(folder / "lesson.mp4")) as media:
        video, audio = media.streams.video[0], media.streams.audio[0]
        assert (video.codec_context.name, audio.codec_context.name) == ("h264", "aac")
        assert (video.width, video.height) == (1280, 720)
        assert video.frames == lesson["duration_ms"] * 10 // 1000
        keys = [p.pts * video.time_base for p in media.demux(video) if p.is_keyframe]
    assert max(b - a for a, b in itertools.pairwise(keys)) <= 2


def test_every_practice_shows_low_and_high(lesson):
    levels = defaultdict(set)
    for activity in lesson["activities"]:
        levels[activity["practice"]].add(activity["level"])
    assert dict(levels) == {
        "": {None},
        "D1": {2, 3},
        "D2": {1, 4},
        "D3": {2, 4},
        "BI": {1, 3},
    }


def test_it_says_that_no_expert_coded_it(lesson):
    assert lesson["coded_by"] == "written by the project's authors, not expert-coded"


def test_every_line_lies_inside_the_lesson_and_in_order(cues, lesson):
    times = [(milliseconds(c.start), milliseconds(c.end)) for c in cues]
    assert all(start < end <= lesson["duration_ms"] for start, end in times)
    assert times == sorted(times)


def test_every_line_names_a_speaker_of_the_cast(cues, lesson):
    assert {c.voice for c in cues} == {p["name"] for p in lesson["cast"]}
    assert len(lesson["cast"]) == 4


def test_activities_hold_every_line_once_and_pause_between(cues, lesson):
    held = [n for a in lesson["activities"] for n in range(a["first"], a["last"] + 1)]
    assert held == list(range(1, len(cues) + 1))
    ends = [a["end_ms"] for a in lesson["activities"]]
    starts = [a["start_ms"] for a in lesson["activities"]]
    pauses = [start - end for end, start in zip(ends, starts[1:], strict=False)]
    assert all(3_000 <= pause <= 6_000 for pause in pauses)


def test_speech_is_heard_when_the_transcript_says_so(cues, loudness):
    for cue in cues:
        first, last = milliseconds(cue.start) // STEP_MS, milliseconds(cue.end) // STEP_MS
        assert np.mean(loudness[first:last] > 0.01) > 0.6, cue.text
        assert loudness[first : first + 5].max() > 0.01, f"late: {cue.text}"
        assert loudness[last - 5 : last + 1].max() > 0.003, f"early end: {cue.text}"


def test_nobody_is_heard_between_the_lines(cues, loudness):
    for one, other in itertools.pairwise(cues):
        first, last = milliseconds(one.end) // STEP_MS + 3, milliseconds(other.start) // STEP_MS - 3
        assert loudness[first:last].max() < 0.004, other.text


def test_the_board_differs_from_one_activity_to_the_next(folder, lesson):
    middles = [(a["start_ms"] + a["end_ms"]) // 2 for a in lesson["activities"]]
    with av.open(str(folder / "lesson.mp4")) as media:
        boards = []
        for time_ms in middles:
            media.seek(time_ms * 1000)
            for frame in media.decode(video=0):
                if frame.time * 1000 >= time_ms:
                    boards.append(frame.to_ndarray(format="gray")[40:530].astype(int))
                    break
    changed = [np.mean(np.abs(a - b) > 40) for a, b in itertools.pairwise(boards)]
    assert min(changed) > 0.01


@pytest.mark.slow
def test_the_same_script_makes_the_same_lesson(folder, tmp_path):
    if shutil.which("espeak-ng") is None:
        pytest.skip("espeak-ng is not installed")
    maker = REPOSITORY / "build" / "make_sample.py"
    subprocess.run([sys.executable, str(maker), str(tmp_path)], check=True, capture_output=True)
    for name in ("lesson.vtt", "lesson.json"):
        made, shipped = (tmp_path / name).read_text("utf-8"), (folder / name).read_text("utf-8")
        assert made == shipped
    shipped_size = (folder / "lesson.mp4").stat().st_size
    assert abs((tmp_path / "lesson.mp4").stat().st_size - shipped_size) < shipped_size // 50
