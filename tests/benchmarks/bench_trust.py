"""How much work it is to set ten coders beside a thousand decided clips (processor time).

Run: python tests/benchmarks/bench_trust.py
"""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path

from app.coding.calibration import trust_in
from app.coding.conditions import CoderChoice, Condition, Input, Prompting
from app.coding.records import Decision, Prediction, Said, Verdict
from app.lesson.clips import Clip
from app.scoring.scored import Code
from app.store.library import Library

LESSONS, CLIPS = 50, 20
PRACTICES = ("BI", "D1", "D2", "D3")
RUNS = [
    CoderChoice(engine, Condition(what, how), draws)
    for engine, draws in (("one", 5), ("two", 1))
    for what, how in (
        (Input.T, Prompting.ZERO_SHOT),
        (Input.T, Prompting.FEW_SHOT),
        (Input.T, Prompting.COT),
        (Input.TV, Prompting.ZERO_SHOT),
        (Input.TV, Prompting.FEW_SHOT),
    )
]


def main() -> None:
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as folder, Library.open(Path(folder) / "l.db") as library:
        for _ in range(LESSONS):
            fill(library, chance)
        print(f"{LESSONS * CLIPS} clips, {len(RUNS)} runs, 3 people")
        for _ in range(3):
            began = time.process_time()
            decided = library.decided_clips()
            print(f"read: {1000 * (time.process_time() - began):.0f} ms")
        for coder in (RUNS[0].name, RUNS[5].name):
            began = time.process_time()
            trust_in(decided, coder)
            print(f"figures of {coder}: {1000 * (time.process_time() - began):.0f} ms")


def fill(library: Library, chance: random.Random) -> None:
    """Add a lesson whose clips every run coded and three people decided on blind."""
    lesson = library.add_lesson("Lesson", None, None)
    clips = [Clip(f"c{n}", n, n, n * 1000, n * 1000 + 1000) for n in range(1, CLIPS + 1)]
    library.propose_clips(lesson, clips)
    for choice in RUNS:
        library.add_run(lesson, choice.name, (), [said(choice, clip, chance) for clip in clips])
    for clip in clips:
        practice = chance.choice(PRACTICES)
        for person in ("A", "B", "C"):
            word = Decision(
                clip, Verdict.CORRECT, practice, 1, person, "2026-01-01T00:00:00.000Z", blind=True
            )
            library.decide(lesson, word)


def said(choice: CoderChoice, clip: Clip, chance: random.Random) -> Prediction:
    """Make up what a model said, with as much beside it as a real one has."""
    draws = tuple(Said(Code(chance.choice(PRACTICES), 1), "ok", "k") for _ in range(choice.draws))
    code = draws[0].code
    pairs = (
        ("engine", choice.engine),
        ("input", str(choice.condition.input)),
        ("prompting", str(choice.condition.prompting)),
        *((f"pair {n}", "0123456789" * 4) for n in range(15)),
    )
    return Prediction(clip, choice.name, code.practice, 1, None, (), pairs, said=draws)


if __name__ == "__main__":
    main()
