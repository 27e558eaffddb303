"""The command line as a whole: which commands there are, and how each ends.

Exit codes: 0 done, 1 refused with the reason, 2 wrong use.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path

from app.commands import journeys, reading
from app.commands.audit import audit, audit_arguments
from app.commands.benchmark import benchmark, benchmark_arguments, library_of
from app.commands.benchmark_confusion import (
    confusion_benchmark,
    confusion_benchmark_arguments,
    confusion_from_tables,
    reads,
)
from app.commands.coaching import coaching
from app.commands.coders import chosen_coder, coder_arguments, coders
from app.commands.confusion import confusion, confusion_arguments
from app.commands.confusion_report import confusion_report, confusion_report_arguments
from app.commands.curation import sets, sets_arguments
from app.commands.eqs import eqs, eqs_arguments
from app.commands.models import models, models_arguments
from app.commands.out import Out
from app.commands.probing import probing, probing_arguments
from app.commands.score import score, score_arguments
from app.commands.search import search, search_arguments
from app.desk import Desk
from app.errors import ClerestoryError, WrongUse
from app.files import Files
from app.models import ModelShelf
from app.parts import Parts
from app.places import default_library, log_folder
from app.settings import Settings
from app.store.library import Library

log = logging.getLogger(__name__)

OpenWindow = Callable[[Desk, str | None], int]
WindowTrouble = Callable[[], str | None]
MakeShelf = Callable[[], ModelShelf]


def run_line(
    arguments: Sequence[str],
    parts: Callable[[], Parts],
    open_window: OpenWindow,
    window_trouble: WindowTrouble,
    shelf: MakeShelf,
) -> int:
    """Run one command.

    Args:
        arguments: What was typed after `clerestory`.
        parts: Gives engines and reports; called only when a command needs them.
        open_window: Opens the window on a desk, perhaps at a lesson; gives the exit code.
        window_trouble: Says in a sentence why no window can open, or `None` when one can.
        shelf: Gives what can be done with models; called only for `models`.

    Returns:
        0 when done, 1 when something was refused, 2 for wrong use.
    """
    parser = _parser()
    chosen = parser.parse_args(_names_with_dash(arguments))
    out = Out(as_json=getattr(chosen, "json", False))
    _start_log()
    try:
        return _run(chosen, out, parts, open_window, window_trouble, shelf)
    except WrongUse as error:
        out.done()
        out.aside(str(error))
        return 2
    except ClerestoryError as error:
        out.done()
        out.aside(str(error))
        out.give({"error": error.message, "hint": error.hint})
        return 1
    except BrokenPipeError:
        # Whoever read along has heard enough, as `head` does; Python must not try to flush more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        out.done()
        out.aside("Stopped as you asked. What was done so far is kept.")
        return 1
    except Exception:  # the border of the program: a bug, which shows where its log lies
        log.exception("%s failed", " ".join(arguments))
        out.done()
        place = log_folder() / "clerestory.log"
        message = "Something went wrong in the program itself."
        hint = f"The details are in {place}; please send that file with a note on what you did."
        out.aside(f"{message} {hint}")
        out.give({"error": message, "hint": hint})
        return 1


def _run(
    chosen: argparse.Namespace,
    out: Out,
    parts: Callable[[], Parts],
    open_window: OpenWindow,
    window_trouble: WindowTrouble,
    shelf: MakeShelf,
) -> int:
    if chosen.command == "models":
        return models(
            chosen.action,
            chosen.name,
            shelf(),
            out,
            projector=Path(chosen.projector) if chosen.projector else None,
            title=chosen.title,
            copy=chosen.copy,
        )
    if chosen.command == "score":
        return score(chosen, out)
    settings = Settings.load()
    if chosen.command in ("probe", "transcript"):
        with Files(parts(), settings) as files:
            command = reading.probe if chosen.command == "probe" else reading.transcript
            return command(files, Path(chosen.file), out)
    if chosen.command == "benchmark" and chosen.what == "confusion" and not reads(chosen):
        with Files(parts(), settings) as files:
            return confusion_from_tables(files, chosen, out)
    path = Path(chosen.library) if chosen.library else default_library()
    if chosen.command == "benchmark":
        path = library_of(chosen)
    with Desk(Library.open(path, settings.author), parts(), settings) as desk:
        if chosen.command == "review":
            words = Path(chosen.transcript) if chosen.transcript else None
            folder = Path(chosen.out) if chosen.out else None
            choice = chosen_coder(chosen)
            if chosen.plan:
                return journeys.plan(
                    desk, Path(chosen.file), words, choice, out, probes=chosen.probes
                )
            return journeys.review(
                desk, Path(chosen.file), words, choice, folder, out, probes=chosen.probes
            )
        if chosen.command == "coders":
            return coders(desk, out)
        if chosen.command == "probe-evidence":
            return probing(desk, chosen, out)
        if chosen.command == "report":
            return journeys.report(desk, chosen.lesson, Path(chosen.out or "."), out)
        if chosen.command == "coaching":
            return coaching(desk, chosen.lesson, Path(chosen.out or "."), out)
        if chosen.command == "benchmark" and chosen.what == "confusion":
            return confusion_benchmark(desk, chosen, out)
        if chosen.command == "benchmark":
            return benchmark(desk, chosen, out)
        if chosen.command == "eqs":
            return eqs(desk, chosen, out)
        if chosen.command == "confusion-report":
            return confusion_report(desk, chosen, out)
        if chosen.command == "sets":
            return sets(desk, chosen, out)
        if chosen.command == "confusion":
            return confusion(desk, chosen, out)
        if chosen.command == "search":
            return search(desk, chosen, out)
        if chosen.command == "audit":
            return audit(desk, chosen, out)
        if chosen.command == "demo":
            folder = Path(chosen.out) if chosen.out else None
            lesson_id = journeys.demo(desk, folder, out)
            if chosen.no_window:
                return 0
            return _open(desk, lesson_id, out, open_window, window_trouble, needed=False)
        return _open(desk, None, out, open_window, window_trouble, needed=True)


def _open(
    desk: Desk,
    lesson_id: str | None,
    out: Out,
    open_window: OpenWindow,
    window_trouble: WindowTrouble,
    *,
    needed: bool,
) -> int:
    trouble = window_trouble()
    if trouble is None:
        return open_window(desk, lesson_id)
    out.aside(f"The window was not opened. {trouble}")
    return 1 if needed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="clerestory",
        description="A review desk for lesson recordings: what a coder claims, beside the "
        "evidence that was checked. Without a command the window opens.",
    )
    parser.add_argument("--version", action="version", version=version("clerestory"))
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--library", metavar="FILE", default=argparse.SUPPRESS, help="the library to work in"
    )
    shared.add_argument(
        "--json", action="store_true", default=argparse.SUPPRESS, help="print one JSON object"
    )
    parser.add_argument("--library", metavar="FILE", help="the library to open")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    probe = commands.add_parser("probe", parents=[shared], help="say what a recording is")
    probe.add_argument("file", metavar="FILE")

    words = commands.add_parser(
        "transcript",
        parents=[shared],
        help="read a transcript file, or write down what is said in a recording",
    )
    words.add_argument("file", metavar="FILE")

    review = commands.add_parser(
        "review",
        parents=[shared],
        help="go from a recording or a transcript to a lesson report",
    )
    review.add_argument("file", metavar="FILE", help="a recording, or a transcript alone")
    review.add_argument("--transcript", metavar="FILE", help="a transcript of the recording")
    coder_arguments(review)
    review.add_argument(
        "--probes",
        action="store_true",
        help="also ask the model again whether its evidence carries its labels",
    )
    review.add_argument("--out", metavar="DIR", help="where the report is written")

    tested = commands.add_parser(
        "probe-evidence",
        parents=[shared],
        help="ask a model again with less or other evidence, to test what it cited",
    )
    probing_arguments(tested)

    commands.add_parser("coders", parents=[shared], help="list what can code clips here")

    report = commands.add_parser(
        "report", parents=[shared], help="write the report of a lesson in the library"
    )
    report.add_argument("lesson", metavar="LESSON", help="its title, or the start of its id")
    report.add_argument("--out", metavar="DIR", help="where the report is written")

    talk = commands.add_parser(
        "coaching",
        parents=[shared],
        help="write the page for the talk with the teacher, from accepted evidence alone",
    )
    talk.add_argument("lesson", metavar="LESSON", help="its title, or the start of its id")
    talk.add_argument("--out", metavar="DIR", help="where the page is written")

    watched = commands.add_parser(
        "confusion",
        parents=[shared],
        help="say when signs of confusion show in a learner's video, and why",
    )
    confusion_arguments(watched)

    asked = commands.add_parser(
        "search", parents=[shared], help="find moments in all lessons, by words or by code"
    )
    search_arguments(asked)

    compared = commands.add_parser(
        "benchmark", parents=[shared], help="measure coders or readers on what people have labelled"
    )
    kinds = compared.add_subparsers(dest="what", metavar="WHAT", required=True)
    practices = kinds.add_parser(
        "cip", parents=[shared], help="run coders over coded clips and print the tables"
    )
    benchmark_arguments(practices)
    faces = kinds.add_parser(
        "confusion",
        parents=[shared],
        help="run readers over clips or videos whose confusion people have marked",
    )
    confusion_benchmark_arguments(faces)

    rated = commands.add_parser(
        "eqs",
        parents=[shared],
        help="say how far the rating of evidence has come, and write its page and tables",
    )
    eqs_arguments(rated)

    told = commands.add_parser(
        "confusion-report",
        parents=[shared],
        help="write the report on a learner video that is in the library",
    )
    confusion_report_arguments(told)

    made = commands.add_parser(
        "sets",
        parents=[shared],
        help="say how far candidate clips have come, and write sets of clips and videos for others",
    )
    sets_arguments(made)

    audited = commands.add_parser(
        "audit", help="find out whether an AI tutor may sit with a child, and where it breaks"
    )
    audit_arguments(audited, shared)

    scored = commands.add_parser(
        "score", parents=[shared], help="score events of confusion against people's, from tables"
    )
    score_arguments(scored)

    known = commands.add_parser(
        "models", parents=[shared], help="list, fetch, add, check or remove models"
    )
    models_arguments(known)

    demo = commands.add_parser(
        "demo", parents=[shared], help="review the sample lesson and open the window on it"
    )
    demo.add_argument("--no-window", action="store_true")
    demo.add_argument("--out", metavar="DIR", help="where the report is written")
    return parser


def _names_with_dash(arguments: Sequence[str]) -> list[str]:
    """Let a file whose name starts with a dash be named as it is: it is not an option."""
    return [
        f"./{word}" if word.startswith("-") and len(word) > 1 and Path(word).is_file() else word
        for word in arguments
    ]


def _start_log() -> None:
    logging.basicConfig(
        filename=log_folder() / "clerestory.log",
        level=logging.INFO,
        format="%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s",
        encoding="utf-8",
    )
    if not sys.warnoptions:
        logging.captureWarnings(True)
