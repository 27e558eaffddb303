"""`score confusion`: a reader's events against people's, from two tables."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.benchmark.confusion_json import localization_json
from app.benchmark.confusion_scores import Localization, score_tables
from app.benchmark.confusion_tables import TablesRefused
from app.benchmark.confusion_words import intervals_table, rests_table, scored_table
from app.benchmark.words import as_text
from app.commands.out import Out


def score_arguments(parser: argparse.ArgumentParser) -> None:
    """Add to a command's parser what `score` takes."""
    parser.add_argument("what", choices=("confusion",), help="confusion: events in videos")
    parser.add_argument(
        "--truth", metavar="FILE", required=True, help="people's events, as a CSV table"
    )
    parser.add_argument(
        "--pred", metavar="FILE", required=True, help="a reader's events of the same videos"
    )


def score(chosen: argparse.Namespace, out: Out) -> int:
    """Score one table against the other and print every figure.

    Returns:
        0; 1 where either table was refused, with all that is wrong.
    """
    truth, predicted = Path(chosen.truth), Path(chosen.pred)
    try:
        found = score_tables(truth, predicted)
    except TablesRefused as error:
        return refused(error, out)
    out.give({"truth": str(truth), "predicted": str(predicted), **localization_json(found)})
    _tell(found, truth, out)
    return 0


def refused(error: TablesRefused, out: Out) -> int:
    """Tell all that is wrong with tables, once for a person and once for a program."""
    out.done()
    out.aside(str(error))
    out.give(
        {
            "error": error.message,
            "problems": [
                {"table": p.table, "line": p.problem.line or None, "what": p.problem.what}
                for p in error.problems
            ],
        }
    )
    return 1


def _tell(found: Localization, truth: Path, out: Out) -> None:
    title = f"{found.reader} against {truth.stem}"
    tables = (scored_table(found, title), intervals_table([found]), rests_table(found))
    for table in tables:
        out.say(as_text(table))
        out.say("")
