"""`benchmark cip`: coders over a folder of coded clips, and the tables that come of it."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.benchmark.condition_results import ConditionResult
from app.benchmark.problems import CodedSetRefused
from app.benchmark.records import CodedSet
from app.benchmark.results import BenchmarkResults
from app.benchmark.run import Planned, Wish, wishes
from app.benchmark.words import about, as_text, show_prompting, tables_of
from app.coding.conditions import Input, Prompting
from app.commands.out import Out
from app.desk import Desk
from app.errors import WrongUse
from app.imprint import now_in_seconds, program_name
from app.running.plan import estimate_in_words

LIBRARY = "benchmark.clerestory"
"""Name of a benchmark's own library, in the folder its files are written to."""


def benchmark_arguments(parser: argparse.ArgumentParser) -> None:
    """Add to a command's parser what `benchmark` takes."""
    parser.add_argument(
        "--data", metavar="FOLDER", required=True, help="coded clips: clips.csv, .json or .jsonl"
    )
    parser.add_argument(
        "--engines",
        metavar="NAMES",
        default="keyword-rule,evidence-finder",
        help="with commas: keyword-rule, evidence-finder, models, endpoints that are on",
    )
    parser.add_argument("--inputs", metavar="T,TV", default="T", help="T, TV or both")
    parser.add_argument(
        "--prompting", metavar="WAYS", default="zero_shot", help="zero_shot, few_shot, cot"
    )
    parser.add_argument(
        "--limit",
        metavar="N",
        type=_above_zero,
        help="only N clips: always the same, each main code in proportion to the table",
    )
    parser.add_argument("--split", metavar="NAME", default="", help="only rows of this split")
    parser.add_argument("--plan", action="store_true", help="say what it would take, and stop")
    parser.add_argument(
        "--out",
        metavar="DIR",
        help="where files are written, and the benchmark's own library unless --library names one",
    )


def folder_of(chosen: argparse.Namespace) -> Path:
    """Give the folder that a benchmark's files are written to."""
    if chosen.out:
        return Path(chosen.out)
    data = Path(chosen.data).resolve()
    return Path(f"{data.stem if data.is_file() else data.name} benchmark")


def library_of(chosen: argparse.Namespace) -> Path:
    """Give the library of a benchmark: the one that was named, else its own beside its files.

    Coded clips of others do not belong among a reviewer's lessons unless that is asked for.
    """
    if chosen.library:
        return Path(chosen.library)
    folder = folder_of(chosen)
    folder.mkdir(parents=True, exist_ok=True)
    return folder / LIBRARY


def benchmark(desk: Desk, chosen: argparse.Namespace, out: Out) -> int:
    """Bring the clips in, run what can run, print the tables and write the files.

    Returns:
        0; 1 where the set was refused or a condition could not go on.
    """
    wanted = wishes(
        _names(chosen.engines),
        _chosen(chosen.inputs, Input, "input"),
        _chosen(chosen.prompting, Prompting, "way of prompting"),
    )
    try:
        coded = desk.benchmark.bring_in(Path(chosen.data), chosen.split, out.report)
    except CodedSetRefused as error:
        return _refused(error, out)
    out.done()
    _say_what_leaves(desk, wanted, out)
    if chosen.plan:
        return _tell_plan(coded, desk.benchmark.plan(coded, wanted, chosen.limit), out)
    outcomes = desk.benchmark.run(coded, wanted, chosen.limit, out.report)
    results = desk.benchmark.results(coded, outcomes, chosen.limit)
    files = desk.benchmark.write(
        results,
        folder_of(chosen),
        now_in_seconds(),
        program_name(),
        out.report,
    )
    out.done()
    _tell(results, files, desk.library.path, out)
    return 1 if any(outcome.is_unfinished for outcome in outcomes) else 0


def _above_zero(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise WrongUse("No engine is named.", "Name one or more: --engines evidence-finder")
    return names


def _chosen(text: str, kind: type[Input] | type[Prompting], what: str) -> list[Any]:
    known = [str(each) for each in kind]
    found = _names(text)
    for name in found:
        if name not in known:
            raise WrongUse(f"“{name}” is no {what}.", f"There are {', '.join(known)}.")
    return [kind(name) for name in dict.fromkeys(found)]


def _refused(error: CodedSetRefused, out: Out) -> int:
    out.done()
    out.aside(str(error))
    out.give(
        {
            "error": error.message,
            "problems": [{"line": p.line or None, "what": p.what} for p in error.problems],
        }
    )
    return 1


def _say_what_leaves(desk: Desk, wanted: Sequence[Wish], out: Out) -> None:
    for engine in dict.fromkeys(w.choice.engine for w in wanted if w.choice.condition):
        place = desk.answering.goes_to(engine)
        if place:
            out.aside(f"{engine}: words and frames of the clips leave this computer for {place}.")


def _tell_plan(coded: CodedSet, planned: Sequence[Planned], out: Out) -> int:
    out.give(
        {
            "set": coded.name,
            "conditions": [
                {
                    "coder": each.outcome.coder,
                    "clips": each.clips,
                    "calls": each.expected.calls if each.expected else 0,
                    "seconds": each.expected.seconds if each.expected else None,
                    "cost": each.expected.cost if each.expected else None,
                    "reason": each.outcome.reason or None,
                }
                for each in planned
            ],
        }
    )
    out.say(f"{coded.name}: {len(coded.clips)} clips. Nothing was asked.")
    for each in planned:
        told = "no model is asked"
        if each.outcome.reason:
            told = f"cannot run: {each.outcome.reason}"
        elif each.expected is not None:
            told = estimate_in_words(each.expected)
        out.say(f"  {each.outcome.coder}, {each.clips} clips: {told}")
    return 0


def _tell(results: BenchmarkResults, files: Sequence[Path], library: Path, out: Out) -> None:
    out.give(
        {
            "set": results.name,
            "clips": len(results.clips),
            "library": str(library),
            "conditions": [_as_json(each) for each in results.conditions],
            "files": [str(file) for file in files],
        }
    )
    out.say(results.name)
    for sentence in about(results):
        out.say(textwrap.fill(sentence, 100, initial_indent="  ", subsequent_indent="  "))
    for table in tables_of(results):
        out.say("")
        out.say(as_text(table))
    _say_apart(results, out)
    out.say("")
    out.say(f"Kept in: {library}")
    for file in files:
        out.say(f"Written: {file}")


def _say_apart(results: BenchmarkResults, out: Out) -> None:
    """Name the clips that only one of two got right, while they are few enough to read."""
    if not results.pairs or len(results.pairs) > 6:
        return
    out.say("")
    out.say("Clips that only one of two got right")
    for pair in results.pairs:
        out.say(f"  {pair.one} against {pair.other}")
        out.say(f"    only the first: {', '.join(pair.only_one) or 'none'}")
        out.say(f"    only the second: {', '.join(pair.only_other) or 'none'}")


def _as_json(each: ConditionResult) -> dict[str, Any]:
    scores = each.scores
    return {
        "coder": each.coder,
        "model": each.condition.model,
        "input": each.condition.inputs,
        "prompting": show_prompting(each.condition.prompting),
        "right": scores.right.count,
        "scored": scores.right.of,
        "accuracy": scores.accuracy.value,
        "macro_f1": scores.macro_f1.value,
        "failed": scores.failed,
        "missing": len(each.missing),
        "reason": each.reason or None,
    }
