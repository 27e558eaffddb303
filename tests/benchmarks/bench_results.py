"""How long the figures of a benchmark take to be there: 1,000 clips, 3 people, 10 model runs.

Run: `python tests/benchmarks/bench_results.py`. Prints medians of five readings. What a page needs
at once goes without what is drawn 10,000 times (intervals of macro-F1, pairs), which comes later.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.benchmark.records import LessonDraft, SetDraft
from app.benchmark.results import results_of
from app.coding.records import Check, Citation, Decision, Evidence, Prediction, Verdict
from app.lesson.clips import Clip
from app.lesson.transcript.records import Transcript, Utterance
from app.scoring.scored import Code
from app.store.library import Library

PRACTICES = ("BI", "D1", "D2", "D3")
GOAL_S = 0.3


def draft(lessons: int, clips: int) -> SetDraft:
    """Make a set: so many lessons of ten-line clips."""
    chance = random.Random(1)
    made, codes = [], {}
    for lesson in range(lessons):
        lines = tuple(
            Utterance(n, f"What do you think of number {n}?", n * 4000, n * 4000 + 3000, "T")
            for n in range(1, 10 * clips + 1)
        )
        cut = tuple(
            Clip(f"c{lesson}-{n}", 10 * n + 1, 10 * n + 10, n * 40_000 + 4000, n * 40_000 + 44_000)
            for n in range(clips)
        )
        codes |= {c.clip_id: (Code(chance.choice(PRACTICES), 2),) for c in cut}
        made.append(LessonDraft(f"Lesson {lesson}", None, Transcript(lines, "x"), {}, cut))
    return SetDraft("bench", "", "d" * 64, tuple(made), codes)


def fill(library: Library, people: int, runs: int) -> int:
    """Bring the set in with what people and models say of it; gives its number."""
    chance = random.Random(2)
    set_id = library.add_coded_set(draft(100, 10))
    by_lesson: dict[str, list[Clip]] = {}
    for clip in library.coded_sets()[0].clips:
        by_lesson.setdefault(clip.lesson_id, []).append(clip.clip)
    for lesson_id, clips in by_lesson.items():
        for number in range(runs):
            coder = f"model-{number} T zero_shot"
            said = [predict(clip, coder, chance) for clip in clips]
            library.add_run(lesson_id, coder, said[0].provenance, said)
        for person in range(people):
            for clip in clips:
                library.decide(lesson_id, decision(clip, f"Person {person}", chance))
    return set_id


def predict(clip: Clip, coder: str, chance: random.Random) -> Prediction:
    """Make what a model might say, with three quotes and as much provenance as a real one."""
    cited = tuple(
        Evidence(Citation(quote=f"What do you think {n}"), Check.CLOSE, "What do you think", (n,))
        for n in range(3)
    )
    told = tuple((f"fact {n}", "0123456789abcdef" * 4) for n in range(20))
    if chance.random() < 0.02:
        return Prediction(clip, coder, "", None, None, (), told, "", "schema-fail")
    return Prediction(clip, coder, chance.choice(PRACTICES), 2, None, cited, told)


def decision(clip: Clip, author: str, chance: random.Random) -> Decision:
    """Make what a person might decide."""
    moment = "2026-11-30T10:00:00.000Z"
    return Decision(clip, Verdict.CORRECT, chance.choice(PRACTICES), 2, author, moment, blind=True)


def median_s(
    work: Callable[[], object], times: int = 5, clock: Callable[[], float] = time.perf_counter
) -> float:
    """Give the median time of some work."""
    taken = []
    for _ in range(times):
        began = clock()
        work()
        taken.append(clock() - began)
    return statistics.median(taken)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=3)
    parser.add_argument("--runs", type=int, default=10)
    asked = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        Library.open(Path(folder) / "bench.clerestory", "Ann") as library,
    ):
        set_id = fill(library, asked.people, asked.runs)
        coded = library.coded_sets()[0]
        said = library.said_of_set(set_id)
        print(f"{len(coded.clips)} clips, {asked.people} people, {asked.runs} runs")
        sets = median_s(library.coded_sets)
        latest = median_s(lambda: library.said_of_set(set_id, cited=False))
        whole = median_s(lambda: library.said_of_set(set_id))
        print(f"  sets with their clips: {sets * 1000:.0f} ms")
        print(f"  latest word of every coder on every clip: {latest * 1000:.0f} ms")
        print(f"  the same with all evidence counted: {whole * 1000:.0f} ms")
        figures = median_s(lambda: results_of(coded, said, quick=True))
        print(f"  figures of every condition: {figures * 1000:.0f} ms")
        whole = median_s(lambda: results_of(coded, said), 1)
        print(f"  the same with what is drawn 10,000 times, 45 pairs among it: {whole:.1f} s")
        print(f"  list of lessons: {median_s(library.lessons) * 1000:.0f} ms")

        def page() -> object:
            standing = library.coded_sets()[0]
            return results_of(standing, library.said_of_set(set_id, cited=False), quick=True)

        print(
            f"  a page as it opens: {median_s(page) * 1000:.0f} ms, of processor time "
            f"{median_s(page, clock=time.process_time) * 1000:.0f} ms "
            f"(goal {GOAL_S * 1000:.0f} ms)"
        )


if __name__ == "__main__":
    main()
