"""The page of rated evidence and the tables beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from app.benchmark.eqs import EqsResults
from app.benchmark.eqs_records import DrawnOutput, GivenRating
from app.benchmark.eqs_rubric import RUBRIC
from app.benchmark.eqs_words import about_eqs, eqs_tables, output_words
from app.coding.records import Citation
from app.scoring.eqs import has_high_eqs
from app.scoring.figures import Figure
from reports.benchmark_page import table_block
from reports.benchmark_tables import show_code
from reports.tables import csv_bytes
from reports.typesetting import set_page
from reports.wording import count, listed, show_date
from reports.writing import write_all
from resources import resource

PDF = "evidence-quality.pdf"
_SCORES = ("alignment", "sufficiency", "specificity")


def write_eqs(results: EqsResults, folder: Path, made_at: str, program: str) -> list[Path]:
    """Write the page as tagged PDF/UA-1 and one CSV for each table.

    Call it in a child process.

    Args:
        results: What two people's ratings come to.
        folder: Where to write; made if need be, older files of the same names are replaced.
        made_at: ISO 8601, the date on the page.
        program: Name and version, e.g. `Clerestory 0.1.0`.

    Returns:
        The files written.

    Raises:
        ReportRefused: The folder cannot be written or the disk is full; older files are kept.
    """
    page = build_eqs_page(results, made_at, program)
    files = {
        PDF: set_page(resource("reports/eqs.typ"), page, {}, made_at),
        "eqs_outputs.csv": outputs_table(results),
        "eqs_table5.csv": table5_table(results),
        "eqs_agreement.csv": agreement_table(results),
        "eqs_cells.csv": cells_table(results),
    }
    return write_all(folder, files)


def build_eqs_page(results: EqsResults, made_at: str, program: str) -> dict[str, Any]:
    """Gather everything that the page prints, as plain data for the template."""
    draw = results.draw
    return {
        "title": draw.title,
        "facts": [
            ["Raters", listed(results.raters) or "none yet"],
            ["Rated by both", f"{results.rated} of {count(len(draw.outputs), 'output')}"],
            ["Models", listed(draw.settings.coders)],
            ["Drawn", f"{show_date(draw.made_at)}, seed {draw.settings.seed}"],
            ["Page made", f"{show_date(made_at)}, {program}"],
        ],
        "about": list(about_eqs(results)),
        "tables": [table_block(table) for table in eqs_tables(results) if table.rows],
        "rubric": [[one.title, one.question, list(one.scores)] for one in RUBRIC],
        "lists": [
            _list(results, "Reasonable mistakes", results.reasonable_mistakes),
            _list(results, "Right for the wrong reasons", results.right_for_wrong_reasons),
        ],
    }


def outputs_table(results: EqsResults) -> bytes:
    """Write one row for each drawn output, with every score that was given of it."""
    raters = (*results.raters, "", "")[:2]
    columns = (
        "prediction_id", "lesson_id", "clip_id", "model", "given", "acceptable", "right",
        *(f"{one}_{part}" for one in ("first", "second", "agreed") for part in _SCORES),
        "first_rater", "second_rater", "note_first", "note_second", "note_agreed", "mean", "high",
    )  # fmt: skip
    return csv_bytes(columns, _output_rows(results, raters))


def table5_table(results: EqsResults) -> bytes:
    """Write each model's mean scores with intervals."""
    columns = ["model", "outputs_rated"]
    for part in (*_SCORES, "mean"):
        columns += [part, f"{part}_low_95", f"{part}_high_95"]
    rows = (
        (
            row.model,
            row.mean.n,
            *_figure(row.alignment),
            *_figure(row.sufficiency),
            *_figure(row.specificity),
            *_figure(row.mean),
        )
        for row in results.models
    )
    return csv_bytes(columns, rows)


def agreement_table(results: EqsResults) -> bytes:
    """Write Cohen's kappa of each dimension, before discussion."""
    columns = (
        "dimension", "outputs", "kappa", "kappa_low_95", "kappa_high_95", "quadratic_kappa",
        "quadratic_low_95", "quadratic_high_95", "reason",
    )  # fmt: skip
    rows = (
        (f.dimension, f.plain.n, *_figure(f.plain), *_figure(f.quadratic), f.plain.reason)
        for f in results.agreement
    )
    return csv_bytes(columns, rows)


def cells_table(results: EqsResults) -> bytes:
    """Write the four cells of right and wrong by quality of evidence."""
    cells = results.cells
    rows = (
        (
            "yes" if cell.is_right else "no",
            "yes" if cell.is_high else "no",
            len(cell.output_ids),
            cell.share.n,
            *_figure(cell.share),
        )
        for cell in (cells.right_high, cells.right_low, cells.wrong_high, cells.wrong_low)
    )
    columns = ("right", "high", "outputs", "rated", "share", "low_95", "high_95")
    return csv_bytes(columns, rows)


def _output_rows(results: EqsResults, raters: Sequence[str]) -> Iterable[Sequence[object]]:
    own = {(one.rater, one.prediction_id): one for one in results.own}
    agreed = {one.prediction_id: one for one in results.consensus}
    for output in results.draw.outputs:
        said = [own.get((name, output.prediction_id)) for name in raters]
        said.append(agreed.get(output.prediction_id))
        counting = [one.rating for one in results.counting(output.prediction_id)]
        scores = [score for one in counting for score in one.scores]
        yield (
            output.prediction_id,
            output.lesson_id,
            output.clip.clip_id,
            output.coder,
            show_code(output.said),
            " | ".join(map(show_code, output.codes)),
            "yes" if output.is_right else "no",
            *(cell for one in said for cell in _scores(one)),
            *raters,
            *(one.note if one else "" for one in said),
            sum(scores) / len(scores) if scores else None,
            ("yes" if has_high_eqs(counting) else "no") if counting else "",
        )


def _scores(given: GivenRating | None) -> tuple[int | None, ...]:
    return given.scores if given else (None, None, None)


def _figure(figure: Figure) -> tuple[float | None, ...]:
    interval = figure.interval
    return (
        figure.value,
        interval.low if interval else None,
        interval.high if interval else None,
    )


def _list(results: EqsResults, title: str, outputs: Sequence[DrawnOutput]) -> dict[str, Any]:
    return {
        "title": title,
        "told": f"{len(outputs)} of {count(results.rated, 'rated output')}.",
        "rows": [
            {
                "told": output_words(results, output),
                "cited": [_cited(one) for one in output.cited],
            }
            for output in outputs
        ],
    }


def _cited(cited: Citation) -> str:
    return f"“{cited.quote}”" if cited.quote else f"seen: {cited.seen}"
