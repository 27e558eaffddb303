"""How long the Agreement page takes to open, and its figures to come.

    uv run --group dev python tests/benchmarks/bench_people.py

A library of 20 lessons with 50 clips each, coded by 3 people, each clip with 10 predictions and
3 pieces of evidence, 200 lines a lesson. The page must be in view within 300 ms; what people coded
is then read, and the figures worked out, off the window's thread.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ["CLERESTORY_HOME"] = tempfile.mkdtemp()

from PySide6.QtWidgets import QApplication

from app.__main__ import parts
from app.coding.records import Check, Citation, Decision, Evidence, Prediction, Verdict
from app.desk import Desk
from app.lesson.clips import Clip
from app.lesson.transcript.records import Transcript, Utterance
from app.settings import Settings
from app.store.library import Library
from views.places import AGREEMENT
from views.window import MainWindow

LESSONS, CLIPS, LINES, RUNS = 20, 50, 200, 10
CODES = (("BI", 1), ("D1", 2), ("D2", 3), ("D3", 4), ("", None))
GOAL_MS = 300


def main() -> None:
    app = QApplication(sys.argv)
    chance = random.Random(20261130)
    with tempfile.TemporaryDirectory() as folder:
        library = Library.open(Path(folder) / "bench.clerestory")
        for number in range(LESSONS):
            fill(library, number, chance)
        desk = Desk(library, parts(), Settings(author="AK"))
        window = MainWindow(desk)
        window.show()
        app.processEvents()
        print("| what | ms | goal |")
        print("|---|---|---|")
        for what in ("first opening", "opening again"):
            begun = time.perf_counter()
            window.show_page(AGREEMENT)
            app.processEvents()
            window.people.grab()
            opened_ms = (time.perf_counter() - begun) * 1000
            print(f"| {what}: the page is in view | {opened_ms:.0f} | {GOAL_MS} |")
            wait(app, lambda: window.people.talk.shown is not None)
            print(f"| {what}: clips are listed | {(time.perf_counter() - begun) * 1000:.0f} | – |")
            wait(app, lambda: window.people.figures.worked is not None)
            print(f"| {what}: figures with intervals | {since(begun):.0f} | – |")
            window.show_page(0)
        window.close()


def since(begun: float) -> float:
    return (time.perf_counter() - begun) * 1000


def wait(app: QApplication, is_done) -> None:
    while not is_done():
        app.processEvents()
        time.sleep(0.002)


def fill(library: Library, number: int, chance: random.Random) -> None:
    lines = tuple(
        Utterance(n, f"Why do you think so, number {n}?", n * 4000, n * 4000 + 3500, "T")
        for n in range(1, LINES + 1)
    )
    lesson_id = library.add_lesson(f"Lesson {number}", None, Transcript(lines, "import:srt"))
    each = LINES // CLIPS
    clips = tuple(
        Clip(
            f"c{n}",
            n * each + 1,
            (n + 1) * each,
            (n * each + 1) * 4000,
            ((n + 1) * each + 1) * 4000,
        )
        for n in range(CLIPS)
    )
    library.propose_clips(lesson_id, clips)
    for run in range(RUNS):
        coder = f"model-{run}/1"
        library.add_run(lesson_id, coder, (), [said(clip, coder, chance) for clip in clips])
    for author in ("AK", "BM", "CO"):
        for clip in clips:
            practice, level = chance.choice(CODES)
            verdict = Verdict.CORRECT if practice else Verdict.REJECT
            cited = (Citation("so", (clip.first,), clip.start_ms, clip.start_ms + 3500),)
            library.decide(
                lesson_id,
                Decision(clip, verdict, practice, level, author, "", blind=True, evidence=cited),
            )


def said(clip: Clip, coder: str, chance: random.Random) -> Prediction:
    practice, level = chance.choice(CODES)
    pieces = tuple(
        Evidence(
            Citation("so", (clip.first + n,)),
            Check.VERIFIED,
            "so",
            (clip.first + n,),
            clip.start_ms,
            clip.start_ms + 3500,
            100.0,
        )
        for n in range(3)
    )
    return Prediction(clip, coder, practice, level, 0.2, pieces)


if __name__ == "__main__":
    main()
