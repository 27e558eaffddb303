"""`benchmark confusion`: readers over labelled clips or videos, and the tables that come of it."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Sequence
from pathlib import Path

from app.benchmark.confusion_benchmark import PlannedReader
from app.benchmark.confusion_json import results_json
from app.benchmark.confusion_pages import about, tables_of
from app.benchmark.confusion_results import (
    ConfusionResults,
    ReaderResult,
    result_of_table,
    results_of,
)
from app.benchmark.confusion_sets import ConfusionSet, Task, read_set
from app.benchmark.confusion_tables import TableProblem, TablesRefused
from app.benchmark.words import as_text
from app.commands.benchmark import folder_of
from app.commands.out import Out
from app.commands.score import refused
from app.confusion.reader_names import FACE_CUES, parse_reader
from app.desk import Desk
from app.errors import WrongUse
from app.files import Files
from app.imprint import now_in_seconds, program_name
from app.running.plan import estimate_in_words


def confusion_benchmark_arguments(parser: argparse.ArgumentParser) -> None:
    """Add to a command's parser what `benchmark confusion` takes."""
    parser.add_argument(
        "--data", metavar="FOLDER", required=True, help="clips.csv or truth.csv, and the files"
    )
    parser.add_argument(
        "--readers",
        metavar="NAMES",
        help="with commas: face-cues, models, endpoints that are on, “face-cues then MODEL”, "
        "“MODEL x5”; face-cues where neither readers nor predictions are named",
    )
    parser.add_argument(
        "--predictions",
        metavar="[NAME=]FILE",
        action="append",
        default=[],
        help="what a reader said elsewhere, as a CSV table; may be given several times",
    )
    parser.add_argument(
        "--task", choices=[str(task) for task in Task], default="", help="where there are both"
    )
    parser.add_argument("--plan", action="store_true", help="say what it would take, and stop")
    parser.add_argument(
        "--out",
        metavar="DIR",
        help="where files are written, and the benchmark's own library unless --library names one",
    )


def reads(chosen: argparse.Namespace) -> bool:
    """Say whether any reader is to look at recordings; tables alone need no library."""
    return bool(_readers(chosen))


def confusion_from_tables(files: Files, chosen: argparse.Namespace, out: Out) -> int:
    """Score tables of predictions, print the tables and write the files.

    Returns:
        0; 1 where a table was refused.
    """
    try:
        found = read_set(Path(chosen.data), chosen.task, with_media=False)
        tables = _from_tables(found, chosen)
    except TablesRefused as error:
        return refused(error, out)
    return _finish(files, results_of(found, tables), chosen, out)


def confusion_benchmark(desk: Desk, chosen: argparse.Namespace, out: Out) -> int:
    """Have readers look at every recording, print the tables and write the files.

    Returns:
        0; 1 where a table was refused or a reader could not go on.
    """
    names = _readers(chosen)
    try:
        found = read_set(Path(chosen.data), chosen.task)
        tables = _from_tables(found, chosen)
        brought = desk.confusion_benchmark.bring_in(found, out.report)
    except TablesRefused as error:
        return refused(error, out)
    out.done()
    _say_what_leaves(desk, names, out)
    if chosen.plan:
        return _tell_plan(found, desk.confusion_benchmark.plan(brought, names), out)
    ran = desk.confusion_benchmark.run(brought, names, out.report)
    out.done()
    results = results_of(found, [*ran, *tables])
    return _finish(desk.files, results, chosen, out, desk.library.path)


def _readers(chosen: argparse.Namespace) -> list[str]:
    if chosen.readers is None:
        return [] if chosen.predictions else [FACE_CUES]
    names = [name.strip() for name in chosen.readers.split(",") if name.strip()]
    if not names:
        raise WrongUse("No reader is named.", "Name one or more: --readers face-cues")
    # Two spellings of one reader are one reader.
    return list(dict.fromkeys(parse_reader(name).name for name in names))


def _from_tables(found: ConfusionSet, chosen: argparse.Namespace) -> list[ReaderResult]:
    results: list[ReaderResult] = []
    problems: list[TableProblem] = []
    for given in chosen.predictions:
        name, _, file = given.rpartition("=")
        table = Path(given) if Path(given).is_file() else Path(file)
        name = name if name and table != Path(given) else table.stem
        try:
            results.append(result_of_table(found, name, table))
        except TablesRefused as error:
            problems += error.problems
    if problems:
        raise TablesRefused(problems)
    return results


def _say_what_leaves(desk: Desk, names: Sequence[str], out: Out) -> None:
    models = [model for name in names for model in parse_reader(name).models]
    for model in dict.fromkeys(models):
        place = desk.answering.goes_to(model)
        if place:
            out.aside(f"{model}: frames of the recordings leave this computer for {place}.")


def _tell_plan(found: ConfusionSet, planned: Sequence[PlannedReader], out: Out) -> int:
    out.give(
        {
            "set": found.name,
            "task": str(found.task),
            "readers": [
                {
                    "reader": each.reader,
                    "recordings": len(each.plans),
                    "windows": sum(plan.windows for plan in each.plans),
                    "calls": sum(p.estimate.calls for p in each.plans if p.estimate),
                    "reason": each.reason or None,
                }
                for each in planned
            ],
        }
    )
    out.say(f"{found.name}: {found.task}. Nothing was asked.")
    for each in planned:
        if each.plans:
            out.say(f"  {each.reader}: {_plan_in_words(each)}")
        if each.reason:
            out.say(f"  {each.reader} cannot run: {each.reason}")
    return 0


def _plan_in_words(each: PlannedReader) -> str:
    windows = sum(plan.windows for plan in each.plans)
    recordings = "1 recording" if len(each.plans) == 1 else f"{len(each.plans):,} recordings"
    told = f"{windows:,} windows of {recordings}"
    estimates = [plan.estimate for plan in each.plans if plan.estimate is not None]
    if not estimates:
        return f"{told}; no model is asked."
    if len(estimates) == 1:
        return f"{told}. {estimate_in_words(estimates[0])}"
    calls, answers = sum(e.calls for e in estimates), sum(e.answers for e in estimates)
    costs = [e.cost for e in estimates if e.cost is not None]
    cost = f", about {sum(costs):,.2f} {estimates[0].currency}" if costs else ""
    return f"{told}. {answers:,} answers, {calls:,} to ask{cost}."


def _finish(
    files: Files,
    results: ConfusionResults,
    chosen: argparse.Namespace,
    out: Out,
    library: Path | None = None,
) -> int:
    out.report(0.95, "writing the page and the tables")
    made_at = now_in_seconds()
    program = program_name()
    written = files.benchmark_report(results, folder_of(chosen), made_at=made_at, program=program)
    out.done()
    out.give(
        {
            **results_json(results),
            "library": str(library) if library else None,
            "files": [str(file) for file in written],
        }
    )
    out.say(f"{results.name}: {results.task}")
    for sentence in about(results):
        out.say(textwrap.fill(sentence, 100, initial_indent="  ", subsequent_indent="  "))
    for table in tables_of(results):
        out.say("")
        out.say(as_text(table))
    out.say("")
    if library:
        out.say(f"Kept in: {library}")
    for file in written:
        out.say(f"Written: {file}")
    return 1 if any(each.is_unfinished for each in results.readers) else 0
