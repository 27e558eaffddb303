"""Make the sample lesson: voices by espeak-ng, board pictures by code, one MP4 and its transcript.

Run as `python build/make_sample.py [FOLDER]`; without a folder it writes into `resources/sample`.
Needs espeak-ng on the path. The same espeak-ng gives the same lesson.
"""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import tomllib
import wave
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray
from sample_board import MARKS, MOVING, STILL, Scene, draw_scene

HERE = Path(__file__).resolve().parent
RATE = 22_050
FPS = 10
KEYFRAME_S = 2
TURN_PAUSE_MS = 550
END_PAUSE_MS = 1_800
LOUDNESS = 0.09
"""Root mean square of every voice, of full scale 1."""
ROOM_TONE = 0.0006

Sound = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Line:
    """One utterance of the script, once its sound is known."""

    speaker: str
    text: str
    sound: Sound
    start_ms: int
    end_ms: int
    scene: Scene
    activity: str


def main(folder: Path) -> None:
    """Write `lesson.mp4`, `lesson.vtt` and `lesson.json` into the folder."""
    if shutil.which("espeak-ng") is None:
        sys.exit("espeak-ng is missing; on Debian and Ubuntu: apt-get install espeak-ng")
    script = tomllib.loads((HERE / "sample_lesson.toml").read_text(encoding="utf-8"))
    lines = list(speak(script))
    folder.mkdir(parents=True, exist_ok=True)
    length_ms = _whole_frames(lines[-1].end_ms + END_PAUSE_MS)
    write_video(lines, length_ms, folder / "lesson.mp4")
    (folder / "lesson.vtt").write_text(transcript(script, lines), encoding="utf-8")
    (folder / "lesson.json").write_text(meant(script, lines, length_ms), encoding="utf-8")
    size = sum(f.stat().st_size for f in folder.glob("lesson.*"))
    print(f"{length_ms / 1000:.1f} s, {len(lines)} utterances, {size / 1e6:.2f} MB in {folder}")


def speak(script: dict[str, Any]) -> Iterator[Line]:
    """Give every utterance with its sound and its place in the lesson."""
    cast = {person["name"]: person for person in script["cast"]}
    now_ms = 0
    for activity in script["activity"]:
        now_ms += activity["pause_before_ms"]
        shown, notes = list(activity["show"]), list[str]()
        for line in activity["line"]:
            shown += [part for part in line.get("show", []) if part not in shown]
            notes += [line[key] for key in ("note", "note_2", "note_3") if key in line]
            _check_parts(shown)
            sound = say(line.get("say", line["text"]), cast[line["speaker"]])
            end_ms = now_ms + len(sound) * 1000 // RATE
            hands = tuple(line.get("hands", []))
            scene = Scene(activity["title"], tuple(shown), tuple(notes), line["speaker"], hands)
            yield Line(line["speaker"], line["text"], sound, now_ms, end_ms, scene, activity["id"])
            now_ms = end_ms + TURN_PAUSE_MS
        now_ms -= TURN_PAUSE_MS


def say(text: str, person: dict[str, Any]) -> Sound:
    """Give the voice, (n,) float32 at 22,050 Hz, silence cut from both ends."""
    command = ["espeak-ng", "-v", person["voice"], "-s", str(person["speed"])]
    command += ["-p", str(person["pitch"]), "--stdin", "--stdout"]
    spoken = subprocess.run(command, input=text.encode(), capture_output=True, check=True).stdout
    with wave.open(io.BytesIO(spoken)) as reader:
        if reader.getframerate() != RATE:
            raise ValueError(f"espeak-ng speaks at {reader.getframerate()} Hz, not {RATE}")
        data = reader.readframes(reader.getnframes())
    sound = np.frombuffer(data, "<i2").astype(np.float32) / 32768
    loud = np.flatnonzero(np.abs(sound) > 0.004)
    sound = sound[loud[0] : loud[-1] + 1]
    level = float(np.sqrt(np.mean(np.square(sound))))
    return np.clip(sound * np.float32(LOUDNESS / level), -1, 1).astype(np.float32)


def write_video(lines: list[Line], length_ms: int, path: Path) -> None:
    """Encode pictures (H.264) and voices (AAC) into an MP4 that can be read while it loads."""
    options = {"movflags": "+faststart", "fflags": "+bitexact"}
    with av.open(str(path), "w", options=options) as out:
        video = out.add_stream("libx264", rate=FPS)
        video.width, video.height, video.pix_fmt = 1280, 720, "yuv420p"
        video.options = {"crf": "30", "preset": "slow", "threads": "1", "tune": "animation"}
        video.codec_context.gop_size = FPS * KEYFRAME_S
        audio = out.add_stream("aac", rate=RATE, layout="mono", options={"b": "48k"})
        audio.codec_context.bit_rate = 48_000
        for frame in _pictures(lines, length_ms):
            out.mux(video.encode(frame))
        out.mux(video.encode(None))
        for block in _blocks(mix(lines, length_ms)):
            out.mux(audio.encode(block))
        out.mux(audio.encode(None))


def mix(lines: list[Line], length_ms: int) -> Sound:
    """Lay the voices over a faint, always equal room tone."""
    count = length_ms * RATE // 1000
    sound = np.random.default_rng(5).normal(0, ROOM_TONE, count).astype(np.float32)
    for line in lines:
        start = line.start_ms * RATE // 1000
        sound[start : start + len(line.sound)] += line.sound
    return sound


def transcript(script: dict[str, Any], lines: list[Line]) -> str:
    """Write the WebVTT file, speakers in voice tags."""
    note = f"{script['title']} Written by the authors of Clerestory; the voices are espeak-ng."
    cues = [
        f"{number}\n{_clock(line.start_ms)} --> {_clock(line.end_ms)}\n"
        f"<v {line.speaker}>{line.text}</v>\n"
        for number, line in enumerate(lines, 1)
    ]
    return "\n".join([f"WEBVTT\n\nNOTE {note}\n", *cues])


def meant(script: dict[str, Any], lines: list[Line], length_ms: int) -> str:
    """Write what the script means to show, activity by activity."""
    activities = []
    for activity in script["activity"]:
        numbers = [n for n, line in enumerate(lines, 1) if line.activity == activity["id"]]
        activities.append(
            {
                "id": activity["id"],
                "title": activity["title"],
                "first": numbers[0],
                "last": numbers[-1],
                "start_ms": lines[numbers[0] - 1].start_ms,
                "end_ms": lines[numbers[-1] - 1].end_ms,
                "practice": activity["practice"],
                "level": activity.get("level"),
                "means": activity["means"],
            }
        )
    lesson = {
        "title": script["title"],
        "coded_by": "written by the project's authors, not expert-coded",
        "duration_ms": length_ms,
        "cast": [{"name": p["name"], "role": p["role"]} for p in script["cast"]],
        "activities": activities,
    }
    return json.dumps(lesson, indent=2, ensure_ascii=False) + "\n"


def _pictures(lines: list[Line], length_ms: int) -> Iterator[av.VideoFrame]:
    for number in range(length_ms * FPS // 1000):
        scene = _scene_at(lines, number * 1000 // FPS)
        frame = av.VideoFrame.from_image(draw_scene(scene, number))
        frame.pts, frame.time_base = number, Fraction(1, FPS)
        yield frame


def _scene_at(lines: list[Line], time_ms: int) -> Scene:
    """The scene of the line being spoken; in a pause the last one, with nobody speaking."""
    past = [line for line in lines if line.start_ms <= time_ms] or lines[:1]
    last = past[-1]
    coming = lines[len(past)] if len(past) < len(lines) else last
    if last.start_ms <= time_ms < last.end_ms:
        return last.scene
    # The board is wiped a second before the next activity begins.
    if coming.activity != last.activity and coming.start_ms - time_ms < 1000:
        return Scene(coming.scene.title, (), ())
    return Scene(last.scene.title, last.scene.shown, last.scene.notes)


def _blocks(sound: Sound) -> Iterator[av.AudioFrame]:
    for start in range(0, len(sound), 1024):
        block = np.ascontiguousarray(sound[start : start + 1024]).reshape(1, -1)
        frame = av.AudioFrame.from_ndarray(block, format="fltp", layout="mono")
        frame.sample_rate, frame.pts, frame.time_base = RATE, start, Fraction(1, RATE)
        yield frame


def _whole_frames(time_ms: int) -> int:
    return -(-time_ms * FPS // 1000) * 1000 // FPS


def _clock(time_ms: int) -> str:
    whole_s, rest_ms = divmod(time_ms, 1000)
    return f"{whole_s // 3600:02}:{whole_s // 60 % 60:02}:{whole_s % 60:02}.{rest_ms:03}"


def _check_parts(parts: list[str]) -> None:
    unknown = set(parts) - set(STILL) - set(MOVING) - MARKS
    if unknown:
        raise ValueError(f"the board cannot draw {sorted(unknown)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / "resources" / "sample")
