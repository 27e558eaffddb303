"""How fast a library is. Run: `python tests/benchmarks/bench_store.py`; prints one table.

The figure for a decision is a ratio to a bare SQLite commit with the same pragmas, taken in turns
in one run, so that a busy or slow disk weighs on both.
"""

from __future__ import annotations

import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.coding.records import Check, Citation, Decision, Evidence, Prediction, Verdict
from app.lesson.clips import Clip
from app.lesson.transcript.records import Transcript, Utterance, Word
from app.store.connections import connect
from app.store.library import Library

WORDS = "why do you think the ice melts when it is warm outside".split()


def main() -> None:
    """Measure and print."""
    with (
        tempfile.TemporaryDirectory() as name,
        Library.open(Path(name) / "a.clerestory") as library,
    ):
        lesson_id = library.add_lesson("Long", None, transcript(5000))
        bare_id = library.add_lesson("Long, without words", None, transcript(5000, words=0))
        rows = [
            decision(library, lesson_id, Path(name)),
            ("lesson() of 5,000 lines, first time", first_read(library, bare_id), 150),
            ("the same with 50,000 timed words", first_read(library, lesson_id), None),
            ("and read again", milliseconds(lambda: library.lesson(lesson_id), 15), 150),
        ]
        fill(library, 500, 30)
        rows.append(("lessons(), 500 lessons x 30 clips", milliseconds(library.lessons, 15), 50))
        rows.append(
            ("search for one word", milliseconds(lambda: library.search("melts"), 15), None)
        )
        rows.append(
            ("search for a part of a word", milliseconds(lambda: library.search("elt"), 15), None)
        )
        rows.append(("edit of one line in 5,000", edit(library, lesson_id), None))
    for what, value, goal in rows:
        unit = "x" if "ratio" in what else "ms"
        sys.stdout.write(f"{what:42}{value:10.2f} {unit:4}{f'goal {goal}' if goal else ''}\n")


def transcript(lines: int, words: int = 10) -> Transcript:
    """Make a transcript with some timed words a line."""
    return Transcript(
        tuple(
            Utterance(
                n,
                f"{' '.join(WORDS)} {n}",
                n * 2000,
                n * 2000 + 1900,
                "T" if n % 2 else "S",
                tuple(
                    Word(w, n * 2000 + i * 100, n * 2000 + i * 100 + 90, 0.9)
                    for i, w in enumerate(WORDS[:words])
                ),
            )
            for n in range(1, lines + 1)
        ),
        "speech:whisper-base",
    )


def first_read(library: Library, lesson_id: str) -> float:
    """Take the median time of reading a lesson that was not read before."""
    times = []
    for _ in range(7):
        with Library.open(library.path) as fresh:
            times.append(cpu_seconds(lambda fresh=fresh: fresh.lesson(lesson_id)))
    return 1000 * statistics.median(times)


def fill(library: Library, lessons: int, clips: int) -> None:
    """Add lessons with coded clips, half of them decided."""
    for number in range(lessons):
        lesson_id = library.add_lesson(f"Lesson {number}", None, transcript(3))
        drawn = [Clip(f"c{n}", 1, 3, n * 1000, n * 1000 + 900) for n in range(clips)]
        cited = Evidence(Citation("why do you think"), Check.VERIFIED, "Why do you think", (1,))
        library.propose_clips(lesson_id, drawn)
        library.add_run(
            lesson_id, "e/1", (), [Prediction(c, "e/1", "D1", 2, 0.5, (cited,)) for c in drawn]
        )
        for clip in drawn[: clips // 2 if number % 10 == 0 else 1]:
            library.decide(lesson_id, made(clip, ""))


def made(clip: Clip, note: str) -> Decision:
    """Make a decision."""
    return Decision(clip, Verdict.ACCEPT, "D1", 2, "Ann", "2026-11-29T10:00:00.000Z", note)


def decision(library: Library, lesson_id: str, folder: Path) -> tuple[str, float, float]:
    """Compare the p95 of one decision with that of one bare commit, taken in turns."""
    bare = connect(folder / "bare.db", mode="rwc")
    bare.execute("PRAGMA journal_mode = WAL")
    bare.execute("CREATE TABLE decision (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
    clip = Clip("c1", 1, 3, 0, 5000)
    ours, theirs = [], []
    for number in range(400):
        ours.append(seconds(lambda n=number: library.decide(lesson_id, made(clip, f"note {n}"))))
        theirs.append(seconds(lambda: commit(bare)))
    bare.close()
    return "decision to bare commit, p95 (ratio)", p95(ours) / p95(theirs), 3


def commit(bare: sqlite3.Connection) -> None:
    """Commit one row."""
    bare.execute("BEGIN IMMEDIATE")
    bare.execute("INSERT INTO decision (text) VALUES (?)", ("D1 level 2 by Ann at 10:00" * 8,))
    bare.execute("COMMIT")


def edit(library: Library, lesson_id: str) -> float:
    """Take the median of thirty edits."""
    return 1000 * statistics.median(
        seconds(lambda n=n: library.edit_utterance(lesson_id, 100 + n, f"edited {n}"))
        for n in range(30)
    )


def p95(values: list[float]) -> float:
    """Give the value that 95 of 100 stay under."""
    return statistics.quantiles(values, n=20)[-1]


def milliseconds(work: Callable[[], object], times: int) -> float:
    """Give the median processor time of some work: reading waits for no disk here."""
    return 1000 * statistics.median(cpu_seconds(work) for _ in range(times))


def cpu_seconds(work: Callable[[], object]) -> float:
    """Give the processor time that some work takes, whatever else the computer does."""
    start = time.process_time()
    work()
    return time.process_time() - start


def seconds(work: Callable[[], object]) -> float:
    """Give the time that some work takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
