"""How much the runner adds. Run: `python tests/benchmarks/bench_runner.py`; prints one table.

The figures are ratios within one run, taken in turns, so that a busy computer weighs on both sides.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.running.attempts import Attempt
from app.running.plan import estimate, make_plan
from app.running.questions import FrameRef, Message, Question, RawAnswer, Sampler, Status
from app.running.run import RunSummary, run
from app.store.attempts import Attempts
from app.store.connections import connect
from app.store.library import Library
from engines.scripted import Scripted

RESUMED = 10_000
SERVED = 1_344
SERVER_S = 0.05
IN_FLIGHT = 32
ROUNDS = 5

SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {
            "category": {"enum": ["BI", "D1", "D2", "D3"]},
            "level": {"type": "integer", "minimum": 1, "maximum": 4},
            "evidence": {
                "type": "array",
                "items": {"type": "object", "properties": {"quote": {"type": "string"}}},
            },
        },
        "required": ["category", "level", "evidence"],
    }
)
ANSWER = json.dumps(
    {
        "category": "D1",
        "level": 2,
        "evidence": [{"quote": "why do you think the ice melts when it is warm outside"}],
    }
)
SHARED = Message("system", ("Definitions, exemplars and instructions. " * 100,))


def main() -> None:
    """Measure and print."""
    rows: list[tuple[str, float, str, str]] = []
    with tempfile.TemporaryDirectory() as name:
        with Library.open(Path(name) / "a.clerestory") as library:
            rows += cached(library)
        with Library.open(Path(name) / "b.clerestory") as library:
            rows.append(served(library.attempts))
    for what, value, unit, goal in rows:
        sys.stdout.write(f"{what:58}{value:10.2f} {unit:4}{goal}\n")


def cached(library: Library) -> list[tuple[str, float, str, str]]:
    """Measure a run with everything there, against bare reads of the same rows."""
    store = library.attempts
    engine = Scripted(lambda *_: ANSWER)
    keys = fill(store, engine)
    asked = questions(RESUMED)
    plan = make_plan("cached", asked, engine.facts())
    bare, whole, alone, planned = [], [], [], []
    for _ in range(ROUNDS):
        bare.append(seconds(lambda: read_bare(library.path, keys)))
        whole.append(seconds(lambda: all_there(resume(asked, store, engine))))
        alone.append(seconds(lambda: all_there(run(plan, engine, store, json.loads))))
        planned.append(seconds(lambda: expect(asked, store, engine)))
    middle = statistics.median

    def ratio(took: list[float]) -> float:
        return middle([one / other for one, other in zip(took, bare, strict=True)])

    return [
        ("bare SQLite read of one answer by its key", middle(bare) / RESUMED * 1e6, "µs", ""),
        (
            "planned, looked up, checked and read: one answer",
            middle(whole) / RESUMED * 1e6,
            "µs",
            "",
        ),
        ("runner per cached question, ratio to the bare read", ratio(alone), "x", "goal 5"),
        ("the same with making its key", ratio(whole), "x", ""),
        (f"{RESUMED:,} questions resumed with all there", middle(whole), "s", "goal 3"),
        (f"plan and estimate of {RESUMED:,} questions", middle(planned), "s", ""),
    ]


def served(store: Attempts) -> tuple[str, float, str, str]:
    """Measure many questions to a server, against the arithmetic minimum."""
    engine = Scripted(lambda *_: ANSWER, seconds=SERVER_S, in_flight=IN_FLIGHT)
    plan = make_plan("served", questions(SERVED), engine.facts())
    took = seconds(lambda: run(plan, engine, store, json.loads))
    what = f"{SERVED:,} questions, {SERVER_S * 1000:.0f} ms each, {IN_FLIGHT} in flight, ratio"
    return (what, took / (SERVED * SERVER_S / IN_FLIGHT), "x", "goal 1.1")


def questions(count: int) -> list[Question]:
    """Make questions that share their instructions, with six frames and some lines each."""
    return [
        Question(
            f"clip {number}",
            (
                SHARED,
                Message(
                    "user",
                    (
                        *(FrameRef("/a.mp4", "f" * 64, number + t, 448) for t in range(6)),
                        f"{number}. " + "Why do you think the ice melts? " * 15,
                    ),
                ),
            ),
            SCHEMA,
            Sampler(),
        )
        for number in range(count)
    ]


def fill(store: Attempts, engine: Scripted) -> list[str]:
    """Answer everything in one go, so that it does not take a minute; gives the keys."""
    plan = make_plan("cached", questions(RESUMED), engine.facts())
    run_id = store.start_run(plan.title, engine.facts(), len(plan.draws))
    raw = RawAnswer(ANSWER, "stop", 812, 700, 40, 1.2)
    store.keep(
        run_id,
        [
            Attempt(draw.key, draw.question, draw.draw, 1, Status.OK, raw, is_sound=True)
            for draw in plan.draws
        ],
    )
    return [draw.key for draw in plan.draws]


def resume(asked: Sequence[Question], store: Attempts, engine: Scripted) -> RunSummary:
    """Plan and run as a program that was just started does: no key and no answer is in memory."""
    plan = make_plan("cached", asked, engine.facts())
    return run(plan, engine, store, json.loads)


def expect(asked: Sequence[Question], store: Attempts, engine: Scripted) -> None:
    """Plan and estimate."""
    estimate(make_plan("cached", asked, engine.facts()), store)


def all_there(summary: RunSummary) -> None:
    """Make sure that the figure is one of a run that asked nothing."""
    if summary.attempts or len(summary.results) != RESUMED:
        raise SystemExit("not everything was there")


def read_bare(path: Path, keys: Sequence[str]) -> None:
    """Read each answer by its key on a connection of its own, and do nothing with it."""
    connection = connect(path)
    for key in keys:
        connection.execute(
            "SELECT text FROM attempt WHERE stands = 1 AND key = ?", (key,)
        ).fetchone()
    connection.close()


def seconds(work: Callable[[], object]) -> float:
    """Say how long something takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
