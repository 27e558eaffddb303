"""The confusion benchmark's page and the tables beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from app.benchmark.confusion_json import results_json
from app.benchmark.confusion_pages import about, main_figure, not_run, tables_of
from app.benchmark.confusion_results import ConfusionResults
from app.benchmark.confusion_sets import Task
from app.benchmark.words import show_interval
from app.scoring.proportions import Proportion
from app.scoring.rounding import printed
from reports.benchmark_confusion_tables import tables_to_write
from reports.benchmark_page import table_block
from reports.typesetting import set_page
from reports.wording import count, show_date
from reports.writing import write_all
from resources import resource

PDF, JSON = "benchmark.pdf", "results.json"
FORMAT = "clerestory-confusion-benchmark/1"
"""Changed when a reader of an older file would misread a newer one."""

_METHOD = (
    "Every figure stands with what it is out of and with a 95% interval. “–” means that there is "
    "nothing to divide by, which is not the same as zero; only in the tables laid out as the "
    "published ones it is printed as 0, and the note below says where. What a reader says is a "
    "claim about a face, no measure of understanding, and no ground for a decision of weight."
)

Block = dict[str, Any]


def write_confusion_benchmark(
    results: ConfusionResults, folder: Path, made_at: str, program: str
) -> list[Path]:
    """Write the page as tagged PDF/UA-1, the results as JSON, and the tables as CSV.

    Call it in a child process.

    Args:
        results: What came of the benchmark.
        folder: Where to write; made if need be, older files of the same names are replaced.
        made_at: ISO 8601, the date on the page.
        program: Name and version.

    Returns:
        The files written.

    Raises:
        ReportRefused: The folder cannot be written or the disk is full; older files are kept.
    """
    page = build_page(results, made_at, program)
    pdf = set_page(resource("reports/benchmark.typ"), page, {}, made_at)
    told = json.dumps(
        {"format": FORMAT, "made_at": made_at, "program": program, **results_json(results)},
        ensure_ascii=False,
        indent=1,
        allow_nan=False,
    )
    files = {PDF: pdf, JSON: f"{told}\n".encode("utf-8", "replace")}
    return write_all(folder, files | tables_to_write(results))


def build_page(results: ConfusionResults, made_at: str, program: str) -> Block:
    """Gather everything that the page prints, as plain data for the template."""
    tables = tables_of(results)
    missing = not_run(results)
    return {
        "kind": f"Confusion benchmark: {results.task}",
        "method": _METHOD,
        "title": results.name,
        "facts": [
            ["Set", _size(results)],
            ["Readers", _readers(results)],
            ["Page made", f"{show_date(made_at)}, {program}"],
            ["Labels", f"sha256 {results.sha256}"],
        ],
        "about": list(about(results)),
        "glance": _glance(results),
        "tables": [table_block(t) for t in tables if t.key != missing.key],
        "matrices": [],
        "apart": [],
        "not_run": table_block(missing) if missing.rows else None,
        "provenance": [
            {"coder": each.reader, "pairs": [list(pair) for pair in each.provenance]}
            for each in results.readers
            if each.provenance
        ],
    }


def _size(results: ConfusionResults) -> str:
    if results.task is Task.RECOGNITION:
        return count(results.items, "clip")
    return f"{count(results.video_count, 'video')}, {count(results.items, 'window')}"


def _readers(results: ConfusionResults) -> str:
    ran = sum(each.windows is not None for each in results.readers)
    left = len(results.readers) - ran
    return f"{ran} ran, {left} could not" if left else f"{ran} ran"


def _glance(results: ConfusionResults) -> Block:
    """Give one figure a reader as marks on a line, with what saying one thing would reach."""
    rows, told = [], ""
    for each in results.readers:
        found = main_figure(each)
        if found is None:
            continue
        key, line, told = found
        figure, share = line.figures[key], line.shares[key]
        if figure.value is None:
            continue
        low, high = figure.value, figure.value
        if figure.interval is not None:
            low, high = figure.interval.low, figure.interval.high
        shown = f"{printed(figure.value, 4)} {show_interval(figure.interval, places=4)}".strip()
        rows.append(
            {
                "name": each.reader,
                "low": low,
                "value": figure.value,
                "high": high,
                "told": f"{shown}, {share.count:,} of {share.of:,}",
            }
        )
    return {
        "title": f"At a glance: {told}",
        "heads": ["Reader", "0 to 1", told[:1].upper() + told[1:]],
        "rows": rows,
        **_guess(results),
    }


def _guess(results: ConfusionResults) -> Block:
    confused, items = results.confused, results.items
    if not items:
        return {"guess": -1, "guess_told": ""}
    if results.task is Task.RECOGNITION:
        best = Proportion(max(confused, items - confused), items)
        word = "yes" if 2 * confused > items else "no"
        told = f"The thin upright line is always saying {word}: {best.count:,} of {best.of:,}."
        return {"guess": best.share, "guess_told": told}
    always = Proportion(2 * confused, confused + items)
    told = f"The thin upright line is marking all of every video: {printed(always.share, 4)}."
    return {"guess": always.share, "guess_told": told}
