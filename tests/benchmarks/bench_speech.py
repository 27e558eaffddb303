"""Speech to text against faster-whisper called directly, with the same model and settings.

    python tests/benchmarks/bench_speech.py [RECORDING]

Prints seconds (wall and processor) and their ratios, the best of three turns each, taken in
turn in one run. Goal: 1.05.
"""

from __future__ import annotations

import sys
import threading
import time
import wave
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from engines import whisper  # noqa: E402 - the script is run from anywhere
from engines.weights import whisper_folder  # noqa: E402 - the same

TURNS = 3
REPEATS = 2


def main() -> None:
    """Measure and print."""
    with TemporaryDirectory() as folder:
        made = Path(folder) / "lesson.wav"
        recording = Path(sys.argv[1]) if len(sys.argv) > 1 else _make(made)
        ways = {"faster-whisper directly": _direct, "Clerestory": _ours}
        best = {name: (float("inf"), float("inf")) for name in ways}
        for _ in range(TURNS):
            for name, way in ways.items():
                taken = _timed(way, str(recording))
                best[name] = (min(best[name][0], taken[0]), min(best[name][1], taken[1]))
    direct, ours = best.values()
    rows = [f"{'':26}{'wall s':>10}{'processor s':>14}"]
    rows += [f"{name:26}{wall:10.2f}{cpu:14.2f}" for name, (wall, cpu) in best.items()]
    rows.append(f"{'ratio (goal 1.05)':26}{ours[0] / direct[0]:10.3f}{ours[1] / direct[1]:14.3f}")
    sys.stdout.write("\n".join(rows) + "\n")


def _make(path: Path) -> Path:
    """Say the test lines several times over, as a recording of 46 s."""
    from faster_whisper.audio import decode_audio

    said = decode_audio(str(ROOT / "tests/data/speech/ice.ogg"))
    samples = (np.tile(said, REPEATS) * 32767).astype(np.int16)
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, whisper.RATE, 0, "NONE", ""))
        file.writeframes(samples.tobytes())
    return path


def _timed(way: Callable[[str], Any], recording: str) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    way(recording)
    return time.perf_counter() - wall, time.process_time() - cpu


def _ours(recording: str) -> None:
    whisper.FasterWhisper().transcribe(recording, lambda *_: None, threading.Event())


def _direct(recording: str) -> None:
    model = whisper._load(str(whisper_folder()))
    segments, _ = model.transcribe(recording, vad_filter=True, **whisper.SETTINGS)
    list(segments)


if __name__ == "__main__":
    main()
