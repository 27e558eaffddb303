"""`confusion-report`: the report on a learner video that has been read or marked already."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.commands.out import Out
from app.desk import Desk
from app.errors import Refused


def confusion_report_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `confusion-report` takes."""
    parser.add_argument(
        "lesson", metavar="VIDEO", help="its title in the library, or the start of its id"
    )
    parser.add_argument("--out", metavar="DIR", help="where the report is written")
    parser.add_argument("--full", action="store_true", help="all of it, not one page")
    parser.add_argument(
        "--blur",
        action="store_true",
        help="blur faces; where no face is known at a moment, the whole picture",
    )


def confusion_report(desk: Desk, chosen: argparse.Namespace, out: Out) -> int:
    """Write the report on a learner video from what is in the library; reads nothing anew.

    Raises:
        Refused: There is no such learner video.
        ReportRefused: Neither a reader nor a person has looked at it, or it cannot be written.
    """
    lesson_id = video_named(desk, chosen.lesson)
    folder = Path(chosen.out or ".")
    files = desk.confusion.report(
        lesson_id, folder, full=chosen.full, blurred=chosen.blur, report=out.report
    )
    out.done()
    review = desk.library.learners.video(lesson_id)
    out.give(
        {
            "video": review.title,
            "lesson_id": lesson_id,
            "learner": review.learner.name,
            "files": [str(file) for file in files],
        }
    )
    for file in files:
        out.say(f"Written: {file}")
    if chosen.blur:
        out.say("Look at each picture before you hand the report on: a face may have been missed.")
    return 0


def video_named(desk: Desk, name: str) -> str:
    """Find the learner video a person names by its title or the start of its id; gives its id.

    Raises:
        Refused: None or several are called so; the hint lists what there is.
    """
    rows = desk.library.learners.videos()
    exact = [row for row in rows if name in (row.lesson_id, row.title)]
    found = exact or [row for row in rows if row.lesson_id.startswith(name)]
    if len(found) == 1:
        return found[0].lesson_id
    if not rows:
        raise Refused("The library has no learner videos.", "Add one: clerestory confusion VIDEO")
    known = "\n".join(
        f"  {row.lesson_id[:8]}  {row.title} ({row.learner.name})" for row in found or rows
    )
    what = "More than one learner video is" if found else "No learner video is"
    raise Refused(f"{what} called “{name}”.", f"Name one by the start of its id:\n{known}")
