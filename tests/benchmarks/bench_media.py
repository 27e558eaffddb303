"""Measure reading a long recording against the bare tools doing the same reading.

    .venv/bin/python tests/benchmarks/bench_media.py [--minutes 120] [--folder PLACE]

Makes the recording it needs (ffmpeg, less than a minute) and keeps it for the next time. Prints a
table; goals are ratios within one run, as the machine is never quiet.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import av

from app.lesson.media import probe as probing
from app.lesson.media.frames import FrameReader, frame_times
from app.lesson.media.pictures import write_pictures
from app.lesson.media.probe import probe
from app.lesson.media.sound import waveform

SEEKS, STEPS, ROUNDS = 15, 200, 3


def make_recording(folder: Path, minutes: int) -> Path:
    """Make H.264 720p with AAC sound: one minute is encoded, then repeated without encoding."""
    whole = folder / f"lesson_{minutes}min_720p.mp4"
    if whole.exists():
        return whole
    folder.mkdir(parents=True, exist_ok=True)
    minute, part = folder / "minute.mp4", folder / f"part_{minutes}.mp4"
    ffmpeg = ["ffmpeg", "-v", "error", "-y"]
    pictures = ["-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=25:duration=60"]
    sound = [
        "-f",
        "lavfi",
        "-i",
        "anoisesrc=amplitude=0.1:color=pink:sample_rate=48000:duration=60",
    ]
    coding = ["-c:v", "libx264", "-preset", "veryfast", "-b:v", "800k", "-g", "250"]
    coding += ["-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "96k", "-ac", "2", "-shortest"]
    subprocess.run([*ffmpeg, *pictures, *sound, *coding, str(minute)], check=True)
    repeat = ["-stream_loop", str(minutes - 1), "-i", str(minute), "-c", "copy", str(part)]
    subprocess.run([*ffmpeg, *repeat], check=True)
    part.replace(whole)
    return whole


def seconds(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Give the median time of several runs."""
    taken = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return median(taken)


def import_ours(path: Path) -> None:
    """Probe, with the table of all picture times."""
    probing.forget()
    probe(path)
    frame_times(path)


def import_bare(path: Path) -> None:
    """List streams and packets with ffprobe."""
    entries = "format:stream:packet=stream_index,pts,dts,duration,flags"
    command = ["ffprobe", "-v", "error", "-show_entries", entries, "-of", "csv", str(path)]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)


def sound_bare(path: Path) -> None:
    """Decode the sound with ffmpeg and throw it away."""
    command = ["ffmpeg", "-v", "error", "-i", str(path), "-map", "0:a:0", "-f", "null", "-"]
    subprocess.run(command, check=True)


def seek_ours(reader: FrameReader, times: list[int]) -> None:
    """Show the picture at each moment."""
    for time_ms in times:
        assert reader.at(time_ms).time_ms == time_ms


def seek_bare(container: av.container.InputContainer, times: list[int], base_ms: float) -> None:
    """Show the picture at each moment, as one writes it with PyAV for a file known to be good."""
    stream = container.streams.video[0]
    for time_ms in times:
        target = round(time_ms * base_ms)
        container.seek(target, stream=stream)
        for frame in container.decode(stream):
            if frame.pts >= target:
                frame.to_ndarray(format="rgb24")
                break


def step_ours(reader: FrameReader, start_ms: int) -> None:
    """Show one picture after another."""
    reader.at(start_ms)
    for _ in range(STEPS):
        assert reader.step(1) is not None


def step_bare(container: av.container.InputContainer, start_ms: int, base_ms: float) -> None:
    """Show one picture after another with PyAV."""
    stream = container.streams.video[0]
    target = round(start_ms * base_ms)
    container.seek(target, stream=stream)
    shown = 0
    for frame in container.decode(stream):
        if frame.pts >= target:
            frame.to_ndarray(format="rgb24")
            shown += 1
            if shown > STEPS:
                break


def row(name: str, ours: float, bare: float, goal: float) -> None:
    """Write one line of the table."""
    ratio = ours / bare
    verdict = "met" if ratio <= goal else "MISSED"
    say(f"{name:<34}{ours:>10.3f}{bare:>10.3f}{ratio:>8.2f}{goal:>7.1f}  {verdict}")


def say(line: str) -> None:
    """Write one line."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def compare_pictures(path: Path, times: list[int], threads: str) -> None:
    """Measure seeks and steps; bare PyAV decodes with one kind of threads or the other."""
    picks = random.Random(1).sample(times, SEEKS)
    middle = times[len(times) // 2]
    with av.open(str(path)) as container, FrameReader(path) as reader:
        container.streams.video[0].thread_type = threads
        base_ms = float(1 / (container.streams.video[0].time_base * 1000))
        row(
            f"{SEEKS} exact seeks (PyAV: {threads})",
            seconds(lambda: seek_ours(reader, picks)),
            seconds(lambda: seek_bare(container, picks, base_ms)),
            1.3,
        )
        row(
            f"{STEPS} steps (PyAV: {threads})",
            seconds(lambda: step_ours(reader, middle)),
            seconds(lambda: step_bare(container, middle, base_ms)),
            1.3,
        )


def main() -> None:
    """Make the recording, measure, write the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=int, default=120)
    place = Path(tempfile.gettempdir()) / "clerestory-benchmarks"
    parser.add_argument("--folder", type=Path, default=place)
    asked = parser.parse_args()
    path = make_recording(asked.folder, asked.minutes)
    times = list(frame_times(path))
    size_mb = path.stat().st_size / 1e6
    say(f"{path.name}: {asked.minutes} minutes, {len(times):,} pictures, {size_mb:,.0f} MB")
    say(f"{'':<34}{'ours s':>10}{'bare s':>10}{'ratio':>8}{'goal':>7}")
    ours, bare = seconds(lambda: import_ours(path)), seconds(lambda: import_bare(path))
    row("import (probe and all times)", ours, bare, 1.5)
    bins = max(1, asked.minutes * 60 * 50)
    ours, bare = seconds(lambda: waveform(path, bins)), seconds(lambda: sound_bare(path))
    row("waveform", ours, bare, 1.5)
    for threads in ("SLICE", "AUTO"):
        compare_pictures(path, times, threads)
    moments = range(0, asked.minutes * 60_000, 10_000)
    with tempfile.TemporaryDirectory() as folder:
        taken = seconds(lambda: write_pictures(path, moments, folder, 160, exact=False), 1)
    say(f"{len(moments)} thumbnails from key pictures: {taken:.2f} s")


if __name__ == "__main__":
    main()
