"""What each odd recording is read as: a table, checked here against independent measurements."""

from __future__ import annotations

import json
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

from app.errors import MediaRefused
from app.lesson.media.clock import to_ms
from app.lesson.media.frames import frame_times
from app.lesson.media.probe import probe

DATA = Path(__file__).resolve().parents[3] / "data" / "media"
OUTCOMES = json.loads((DATA / "outcomes.json").read_text(encoding="utf-8"))
COPIED = [name for name in OUTCOMES if (DATA / Path(name).name).exists()]
SHOWN = [name for name, told in OUTCOMES.items() if "frames" in told]


def outcome_of(path: Path) -> dict[str, object]:
    try:
        facts = probe(path)
    except MediaRefused as refused:
        return {"refused": refused.message if refused.hint else "a hint is missing"}
    told: dict[str, object] = {"start_ms": facts.start_ms, "duration_ms": facts.duration_ms}
    if facts.video:
        video = facts.video
        times = frame_times(path)
        assert len(times) == video.frames
        assert times[0] == video.first_ms
        told |= {
            "stream": video.stream,
            "frames": video.frames,
            "first_ms": video.first_ms,
            "last_ms": times[-1],
            "width": video.width,
            "height": video.height,
            "rotation": video.rotation,
            "mirrored": video.mirrored,
            "variable": video.variable_frame_rate,
        }
    if facts.audio:
        told["sound_ms"] = [facts.audio.start_ms, facts.audio.end_ms]
    return told | {"notes": list(facts.notes)}


def expected(name: str) -> dict[str, object]:
    return {key: value for key, value in OUTCOMES[name].items() if key != "differs"}


@pytest.mark.parametrize("name", COPIED)
def test_a_copied_recording_is_read_as_the_table_says(name):
    assert outcome_of(DATA / Path(name).name) == expected(name)


@pytest.mark.shared
@pytest.mark.parametrize("name", OUTCOMES)
def test_a_real_recording_is_read_as_the_table_says(shared, name):
    assert outcome_of(shared / "data" / name) == expected(name)


@pytest.mark.shared
def test_the_table_holds_every_recording_of_the_collection(shared):
    folder = shared / "data" / "4_video_quirks"
    found = {
        path.relative_to(folder.parent).as_posix()
        for path in folder.glob("*/*")
        if path.suffix not in (".json", ".md")
    }
    assert found == {name for name in OUTCOMES if name.startswith("4_video_quirks/")}


@pytest.mark.shared
def test_counts_times_and_shapes_are_those_measured_by_others(shared):
    measured = json.loads((shared / "data/4_video_quirks/measured_decode.json").read_text())[
        "files"
    ]
    for name, told in OUTCOMES.items():
        if "differs" in told or name not in measured:
            continue
        other = measured[name]
        assert other["ffmpeg_decoded_frames"] == told.get("frames", 0), name
        if "frames" not in told:
            continue
        assert abs(other["first_pts"] * 1000 - told["first_ms"]) <= 0.5, name
        assert abs(other["last_pts"] * 1000 - told["last_ms"]) <= 0.5, name
        stream = next(s for s in other["streams"] if s["type"] == "video")
        wide, high = (int(part) for part in (stream["sar"] or "1:1").split(":"))
        shape = (stream["w"] * wide + high // 2) // high, stream["h"]
        turned = told["rotation"] in (90, 270)
        assert (shape[::-1] if turned else shape) == (told["width"], told["height"]), name


@pytest.mark.shared
def test_most_of_the_table_agrees_with_ffprobe_and_the_rest_says_why():
    reasons = {name: told["differs"] for name, told in OUTCOMES.items() if "differs" in told}
    assert set(reasons) == {
        "4_video_quirks/codec/media3_sample_vvc.mp4",
        "4_video_quirks/streams/torchcodec_nasa_13013.mp4",
    }
    assert all(reason.endswith(".") for reason in reasons.values())


def ffprobe_times(path: Path, stream: int) -> list[int]:
    """Give the milliseconds of each picture that ffprobe decodes."""
    asked = ["-select_streams", str(stream), "-show_entries", "frame=pts:stream=time_base"]
    command = ["ffprobe", "-v", "quiet", *asked, "-of", "json", f"file:{path}"]
    told = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    base = Fraction(told["streams"][0]["time_base"])
    return sorted(to_ms(frame["pts"], base) for frame in told["frames"])


needs_ffprobe = pytest.mark.skipif(
    shutil.which("ffprobe") is None,
    reason="ffprobe, whose times are the known answer, is no part of the program",
)


@needs_ffprobe
@pytest.mark.parametrize("name", [name for name in COPIED if name in SHOWN])
def test_every_single_time_is_the_one_ffprobe_decodes(name):
    path = DATA / Path(name).name
    assert list(frame_times(path)) == ffprobe_times(path, OUTCOMES[name]["stream"])


@needs_ffprobe
@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in SHOWN if "vvc" not in name])
def test_every_single_time_in_the_collection_is_the_one_ffprobe_decodes(shared, name):
    path = shared / "data" / name
    assert list(frame_times(path)) == ffprobe_times(path, OUTCOMES[name]["stream"])


@pytest.mark.shared
def test_the_second_picture_of_a_recording_has_the_times_its_makers_list(shared):
    folder = shared / "data" / "4_video_quirks" / "streams"
    listed = json.loads((folder / "torchcodec_nasa_13013.stream3.frames.json").read_text())
    ours = frame_times(folder / "torchcodec_nasa_13013.mp4")
    assert len(ours) == len(listed)
    first = listed[0]
    key = next(k for k in ("pts_seconds", "pts_time", "pts") if k in first)
    assert all(
        abs(ms - 1000 * float(frame[key])) <= 0.51 for ms, frame in zip(ours, listed, strict=True)
    )


@pytest.mark.shared
@pytest.mark.parametrize("name", ["mediabunny_cursed-vfr.mp4", "media3_trim_vfr.mp4"])
def test_uneven_recordings_have_the_listed_times(shared, name):
    listed = json.loads((shared / "data/6_bugs/vfr_event_jump/expected_pts.json").read_text())
    ours = frame_times(shared / "data/4_video_quirks/timing" / name)
    assert len(ours) == len(listed[name])
    assert all(abs(ms - 1000 * s) <= 0.51 for ms, s in zip(ours, listed[name], strict=True))


@pytest.mark.shared
def test_a_recording_without_a_stated_length_is_measured(shared):
    listed = json.loads((shared / "data/6_bugs/webm_without_duration/expected.json").read_text())
    path = shared / "data/4_video_quirks/timing/moviepy_no_duration.webm"
    facts = probe(path)
    assert facts.video is not None
    assert facts.video.frames == listed["decoded_frames"]
    assert frame_times(path)[-1] == round(1000 * listed["last_pts"])
    assert 4900 < facts.duration_ms < 4980
