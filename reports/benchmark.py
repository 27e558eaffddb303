"""The benchmark's page and the tables beside it, for a meeting, a spreadsheet and a program."""

from __future__ import annotations

from pathlib import Path

from app.benchmark.results import BenchmarkResults
from app.palette import read_palette
from reports.benchmark_json import results_json
from reports.benchmark_page import build_page
from reports.benchmark_tables import TABLES
from reports.typesetting import set_page
from reports.writing import write_all
from resources import resource

PDF, JSON = "benchmark.pdf", "results.json"


def write_benchmark(
    results: BenchmarkResults, folder: Path, made_at: str, program: str
) -> list[Path]:
    """Write the page as tagged PDF/UA-1, the results as JSON, and one CSV for each table.

    Call it in a child process.

    Args:
        results: What came of the benchmark.
        folder: Where to write; made if need be, older files of the same names are replaced.
        made_at: ISO 8601, the date on the page.
        program: Name and version, e.g. `Clerestory 0.1.0`.

    Returns:
        The files written: `benchmark.pdf`, `results.json`, and the tables of `TABLES`.

    Raises:
        ReportRefused: The folder cannot be written or the disk is full; older files are kept.
    """
    page, figures = build_page(results, read_palette(resource("palette.toml")), made_at, program)
    pdf = set_page(resource("reports/benchmark.typ"), page, figures, made_at)
    files = {PDF: pdf, JSON: results_json(results, made_at, program)}
    files |= {name: write(results) for name, write in TABLES.items()}
    return write_all(folder, files)
