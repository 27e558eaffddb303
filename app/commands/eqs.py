"""`eqs`: how far the rating of evidence has come, and its page and tables once it is done."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.benchmark.eqs import results_of_draw
from app.benchmark.eqs_progress import EqsProgress, open_results, progress_of
from app.benchmark.eqs_words import about_eqs, eqs_tables, left_words
from app.benchmark.words import as_text
from app.commands.out import Out
from app.desk import Desk
from app.errors import Refused
from app.imprint import now_in_seconds, program_name


def eqs_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument(
        "draw", metavar="DRAW", nargs="?", type=int, help="its number in the list; none lists all"
    )
    parser.add_argument(
        "--open-names",
        action="store_true",
        help="bring models and what is right into view: from then on nobody rates the draw alone",
    )
    parser.add_argument("--out", metavar="DIR", default=".", help="where page and tables go")


def eqs(desk: Desk, chosen: argparse.Namespace, out: Out) -> int:
    """List the draws of a library, or write the page and the tables of one.

    Raises:
        Refused: There is no such draw, it is not rated yet, or its names are still closed.
        ReportRefused: The folder cannot be written, or the page cannot be made.
    """
    draws = [progress_of(desk.library, draw.draw_id) for draw in desk.library.ratings.draws()]
    if chosen.draw is None:
        return _list(draws, out)
    if not 1 <= chosen.draw <= len(draws):
        raise Refused(f"There is no draw {chosen.draw}.", "See which there are: clerestory eqs")
    return _write(desk, draws[chosen.draw - 1], chosen, out)


def _list(draws: list[EqsProgress], out: Out) -> int:
    out.give(
        {
            "draws": [
                {
                    "draw": number,
                    "title": one.draw.title,
                    "made_at": one.draw.made_at,
                    "outputs": len(one.draw.outputs),
                    "rated": {name: len(own) for name, own in one.own.items()},
                    "left_to_agree": len(one.to_agree),
                    "names_opened_by": one.opened.by if one.opened else None,
                }
                for number, one in enumerate(draws, 1)
            ]
        }
    )
    if not draws:
        out.say("Nothing is drawn for rating yet. Draw outputs on the Benchmarks page.")
    for number, one in enumerate(draws, 1):
        day = one.draw.made_at[:10]
        out.say(f"{number}  {one.draw.title}, {len(one.draw.outputs)} outputs, {day}")
        out.say(f"   {left_words(one)}")
    return 0


def _write(desk: Desk, progress: EqsProgress, chosen: argparse.Namespace, out: Out) -> int:
    if not progress.is_rated:
        raise Refused(
            f"Draw {chosen.draw} is not rated yet. {left_words(progress)}",
            "The figures come once two people have rated everything, each alone.",
        )
    if progress.opened is None and not chosen.open_names:
        raise Refused(
            f"The models' names of draw {chosen.draw} have not been opened, and the page names "
            f"them. {len(progress.to_agree)} outputs on which the raters differ are left to talk "
            "over.",
            "Talk those over first, then add --open-names: from then on nobody rates it alone.",
        )
    open_results(desk.library, progress, desk.author)
    results = results_of_draw(desk.library, progress.draw.draw_id)
    files = desk.files.eqs_report(
        results,
        Path(chosen.out),
        made_at=now_in_seconds(),
        program=program_name(),
    )
    out.give({"draw": chosen.draw, "title": progress.draw.title, "files": [str(f) for f in files]})
    for sentence in about_eqs(results):
        out.say(sentence)
    for table in eqs_tables(results):
        out.say("")
        out.say(as_text(table))
    out.say("")
    for file in files:
        out.say(f"Written: {file}")
    return 0
