"""Everything the benchmark's page prints, as plain data for the template."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.benchmark.condition_results import ConditionResult
from app.benchmark.results import BenchmarkResults, Pair
from app.benchmark.words import (
    Table,
    about,
    show_interval,
    show_prompting,
    show_share,
    tables_of,
)
from app.palette import Palette
from app.scoring.rounding import percent
from reports.wording import count, show_date, some_names

Block = dict[str, Any]
_METHOD = (
    "Every share stands with what it is out of and with a 95% interval: Wilson’s for shares, "
    "10,000 draws of whole clips for the rest. “–” means that there is nothing to divide by, which "
    "is not the same as zero."
)
_MOST_PAIRS_SPELT = 6
"""Pairs whose clips are named on the page; beyond, they stand in `pairs_clips.csv` alone."""


def build_page(
    results: BenchmarkResults, palette: Palette, made_at: str, program: str
) -> tuple[Block, dict[str, bytes]]:
    """Gather the page.

    Args:
        results: What came of the benchmark.
        palette: Colours of the practices on paper.
        made_at: ISO 8601.
        program: Name and version.

    Returns:
        The data for the template, and pictures by name (there are none).
    """
    tables = tables_of(results)
    matrices = [t for t in tables if t.key.startswith("confusion")]
    page = {
        "kind": "Practice benchmark",
        "method": _METHOD,
        "title": results.name,
        "facts": [
            ["Clips", _clips(results)],
            ["Conditions", _conditions(results)],
            ["Page made", f"{show_date(made_at)}, {program}"],
            ["Set", f"sha256 {results.digest}"],
        ],
        "about": list(about(results)),
        "glance": _glance(results),
        "tables": [table_block(t) for t in tables if t not in matrices and t.key != "not_run"],
        "matrices": [_matrix(t, palette) for t in matrices],
        "apart": [_apart(pair) for pair in results.pairs[:_MOST_PAIRS_SPELT]]
        if len(results.pairs) <= _MOST_PAIRS_SPELT
        else [],
        "not_run": next((table_block(t) for t in tables if t.key == "not_run"), None),
        "provenance": [_provenance(c) for c in results.conditions if c.provenance],
    }
    return page, {}


def _clips(results: BenchmarkResults) -> str:
    empty = len(results.clips) - len(results.coded)
    told = count(len(results.coded), "clip that shows a practice", "clips that show a practice")
    return f"{told}, {empty} that {'shows' if empty == 1 else 'show'} none" if empty else told


def _conditions(results: BenchmarkResults) -> str:
    ran = sum(each.has_answers for each in results.conditions)
    left = len(results.conditions) - ran
    return f"{ran} ran, {left} could not" if left else f"{ran} ran"


def _glance(results: BenchmarkResults) -> Block:
    """Accuracies as marks on a line from 0 to 100, with what one guess would reach."""
    rows = []
    for each in results.conditions:
        accuracy = each.scores.accuracy
        if not each.has_answers or accuracy.value is None or accuracy.interval is None:
            continue
        rows.append(
            {
                "name": _name(each),
                "low": accuracy.interval.low,
                "value": accuracy.value,
                "high": accuracy.interval.high,
                "told": f"{percent(each.scores.right)}% "
                f"{show_interval(accuracy.interval, 100)}, "
                f"{each.scores.right.count} of {each.scores.right.of}",
            }
        )
    best, guess = results.best_guess
    return {
        "title": "Accuracy at a glance",
        "heads": ["Condition", "0 to 100%", "Accuracy"],
        "rows": rows,
        "guess": guess.share if guess.share is not None else -1,
        "guess_told": f"The thin upright line is always saying {best}: {show_share(guess)}.",
    }


def _name(each: ConditionResult) -> str:
    how = each.condition
    prompting = show_prompting(how.prompting) if how.prompting else ""
    return ", ".join(part for part in (how.model, how.inputs, prompting) if part)


def table_block(table: Table) -> Block:
    """Give a table as the template sets it."""
    return {
        "title": table.title,
        "heads": list(table.heads),
        "rows": [list(row) for row in table.rows],
        "notes": list(table.notes),
        "words": table.words,
        "wide": [_is_wide(table, at) for at in range(len(table.heads))],
    }


def _is_wide(table: Table, at: int) -> bool:
    """Say whether a column holds words that may have to run over several lines."""
    return at < table.words and (at == 0 or any(len(row[at]) > 24 for row in table.rows))


def _matrix(table: Table, palette: Palette) -> Block:
    """Add to each row the deepest shade of its counts, so that the page may tint them."""
    rows = []
    for code, *cells in table.rows:
        total = sum(map(int, cells))
        shares = [int(cell) / total if total else 0.0 for cell in cells]
        colours = palette.of(code)
        rows.append(
            {"id": code, "fill": colours.fill, "ink": colours.ink, "cells": cells, "shares": shares}
        )
    return {
        "title": table.title,
        "heads": list(table.heads),
        "rows": rows,
        "notes": list(table.notes),
    }


def _apart(pair: Pair) -> Block:
    return {
        "one": pair.one,
        "other": pair.other,
        "only_one": _named(pair.only_one),
        "only_other": _named(pair.only_other),
    }


def _named(clips: Sequence[str]) -> str:
    return some_names(clips, 40) if clips else "none"


def _provenance(each: ConditionResult) -> Block:
    return {"coder": each.coder, "pairs": [list(pair) for pair in each.provenance]}
