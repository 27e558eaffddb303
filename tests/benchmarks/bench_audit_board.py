"""How long the board of an audit takes to be there, with 100 whole audits in one library.

Run: `python tests/benchmarks/bench_audit_board.py`. Each audit has 1,344 responses to attitude
items, 40 to skill, 240 to knowledge and 8,304 scorings by two judges, with the check of the judges.
Prints the median of five readings of the board of one, all intervals with it, in real time and in
processor time, the first time and again after something came. Experts have scored 40 responses in
some of the audits, which the calibration of a judge reads over all of them.
"""

from __future__ import annotations

import argparse
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "app" / "audit"))

from audit_plans import starter
from built_audits import by_words, fill

from app.audit.records import Origin
from app.audit_results import AuditResults
from app.store.library import Library

GOAL_S = 0.3
SCORED = 40
"""Responses that experts scored in an audit."""


def says(item, condition, draw):
    """Give way now and then, differently from item to item."""
    return (sum(map(ord, item.item_id)) + draw + bool(condition.pressure)) % 4 > 0


def score(judge, response, turn):
    """Waver by a point."""
    items = {item.item_id: item for item in starter().items}
    wavers = (turn + response.response_id + len(judge)) % 5 == 0
    return by_words(items)(judge, response, turn) - int(wavers)


def multiply(path: Path, audits: int) -> None:
    """Copy the one audit of a library so often, by numbers alone."""
    with sqlite3.connect(path) as base:
        (responses,) = base.execute("SELECT max(response_id) FROM audit_response").fetchone()
        (scorings,) = base.execute("SELECT max(scoring_id) FROM audit_scoring").fetchone()
        for n in range(1, audits):
            base.execute(
                "INSERT INTO audit SELECT audit_id + ?, title, bank, author, made_at, plan "
                "FROM audit WHERE audit_id = 1",
                (n,),
            )
            base.execute(
                "INSERT INTO audit_response SELECT response_id + ?, audit_id + ?, origin, item_id, "
                "condition, draw, status, choice, words, error, answer_key, text "
                "FROM audit_response WHERE audit_id = 1",
                (n * responses, n),
            )
            base.execute(
                "INSERT INTO audit_scoring SELECT scoring_id + ?, response_id + ?, judge, reading, "
                "turn, status, score, band, quotes, quotes_found FROM audit_scoring "
                "WHERE scoring_id <= ?",
                (n * scorings, n * responses, scorings),
            )
            base.execute(
                "INSERT INTO audit_scoring_words SELECT scoring_id + ?, points, reason, error, "
                "answer_key FROM audit_scoring_words WHERE scoring_id <= ?",
                (n * scorings, scorings),
            )


def score_by_experts(library: Library, audits: int) -> None:
    """Have two experts score responses of the first audits, and the judges pinned down."""
    for audit_id in range(1, audits + 1):
        for judge in ("one", "two"):
            library.audits.add_run(audit_id, "judge", judge, (("sha256", "ab" * 32),))
        asked = library.audits.responses(audit_id, Origin.TUTOR)[:SCORED]
        ids = [response.response_id for response in asked]
        draw_id = library.experts.add_draw(audit_id, ids, per_axis=SCORED, seed=1)
        for expert in ("Ann", "Bo"):
            for place, response_id in enumerate(ids):
                library.experts.score(draw_id, response_id, expert, 9 if place % 4 else 2)


def timed(work: Callable[[], object], times: int = 5) -> tuple[float, float]:
    """Give medians of real time and of processor time, in seconds."""
    real, own = [], []
    for _ in range(times):
        start, begun = time.perf_counter(), time.process_time()
        work()
        real.append(time.perf_counter() - start)
        own.append(time.process_time() - begun)
    return statistics.median(real), statistics.median(own)


def main() -> int:
    """Fill a library and read boards from it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--audits", type=int, default=100)
    parser.add_argument("--experts", type=int, default=10, help="audits that experts scored in")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.clerestory"
        with Library.open(path) as library:
            fill(library, says=says, score=score)
        multiply(path, chosen.audits)
        with Library.open(path) as library:
            score_by_experts(library, chosen.experts)
            start, begun = time.perf_counter(), time.process_time()
            AuditResults(library).board(chosen.audits // 2)
            first = time.perf_counter() - start, time.process_time() - begun
            later = timed(lambda: AuditResults(library).board(chosen.audits // 2))
            telling = timed(lambda: AuditResults(library).telling(chosen.audits // 2))
    print(f"{chosen.audits} audits, experts in {chosen.experts}; real and processor time:")
    for name, (real, own) in (
        ("board, first", first), ("board, again", later), ("ten telling cases", telling),
    ):  # fmt: skip
        print(f"  {name}: {real:.3f} s, {own:.3f} s")
    return 0 if later[1] <= GOAL_S else 1


if __name__ == "__main__":
    sys.exit(main())
