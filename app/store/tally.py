"""What the runs of a job came to: calls, tokens, failures by their status, cost."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from app.running.questions import Status


@dataclass(frozen=True, slots=True)
class Tally:
    """The attempts of some runs, summed up."""

    engines: tuple[str, ...] = ()
    """Names of the engines that were asked."""
    calls: int = 0
    """Attempts that were made, whatever came of them."""
    counts: tuple[tuple[Status, int], ...] = ()
    """How many attempts ended each way; only what occurred, in the order of `Status`."""
    tokens_in: int = 0
    tokens_out: int = 0
    """Sums over the calls for which the engine told them."""
    untold: int = 0
    """Calls that were answered, but of which the engine told no tokens."""
    costs: tuple[tuple[str, float], ...] = ()
    """Pairs of currency and amount, by currency."""
    priced: int = 0
    """Calls of which the cost is known; all others are not in `costs`."""


@dataclass(frozen=True, slots=True)
class TokensRead:
    """Tokens of questions, over those answers whose engine told them."""

    answers: int
    tokens_in: int
    cached: int
    """Of `tokens_in`, those that the engine had kept from an earlier question."""


def read_tokens(connection: sqlite3.Connection, keys: Iterable[str]) -> TokensRead:
    """Sum up the tokens of the answers that stand under some keys; any number of them."""
    row = connection.execute(
        "SELECT count(*), coalesce(sum(tokens_in), 0), coalesce(sum(tokens_cached), 0) "
        "FROM attempt WHERE key IN (SELECT value FROM json_each(?)) AND stands = 1 "
        "AND tokens_in IS NOT NULL AND tokens_cached IS NOT NULL",
        (json.dumps(list(keys)),),
    ).fetchone()
    return TokensRead(*row)


def read_tally(connection: sqlite3.Connection, runs: Sequence[int]) -> Tally:
    """Sum up the attempts of some runs; any number of them."""
    numbers = {"runs": json.dumps(list(runs))}
    of_runs = "run_id IN (SELECT value FROM json_each(:runs))"
    engines = connection.execute(
        f"SELECT engine FROM engine_run WHERE {of_runs} GROUP BY engine ORDER BY min(run_id)",
        numbers,
    ).fetchall()
    # By status in one go: the attempts carry their texts, so that each further go costs as much.
    by_status = connection.execute(
        "SELECT status, count(*), coalesce(sum(tokens_in), 0), coalesce(sum(tokens_out), 0), "
        f"sum(tokens_in IS NULL OR tokens_out IS NULL) FROM attempt WHERE {of_runs} "
        "GROUP BY status",
        numbers,
    ).fetchall()
    counts = {row[0]: row[1] for row in by_status}
    told = connection.execute(
        "SELECT json_extract(pair.value, '$[1]') FROM attempt, json_each(details) AS pair "
        f"WHERE {of_runs} AND json_extract(pair.value, '$[0]') = 'cost'",
        numbers,
    )
    costs, priced = _sum_costs(cost for (cost,) in told)
    return Tally(
        tuple(name for (name,) in engines),
        sum(counts.values()),
        tuple((status, counts[status.value]) for status in Status if status.value in counts),
        sum(row[2] for row in by_status),
        sum(row[3] for row in by_status),
        sum(row[4] for row in by_status if row[0] != Status.BACKEND_ERROR.value),
        costs,
        priced,
    )


def _sum_costs(told: Iterable[object]) -> tuple[tuple[tuple[str, float], ...], int]:
    """Add up what calls cost, told as `0.001200 USD`; what is told otherwise is left out."""
    sums: Counter[str] = Counter()
    found: dict[str, float] = {}
    for cost in told:
        amount, _, currency = str(cost).partition(" ")
        with suppress(ValueError):
            found[currency] = found.get(currency, 0.0) + float(amount)
            sums[currency] += 1
    return tuple(sorted(found.items())), sum(sums.values())
