"""`coaching`: the page for the talk with the teacher."""

from __future__ import annotations

from pathlib import Path

from app.commands.journeys import lesson_named
from app.commands.out import Out
from app.desk import Desk


def coaching(desk: Desk, lesson: str, folder: Path, out: Out) -> int:
    """Write the coaching page of a lesson that is in the library.

    Raises:
        Refused: There is no such lesson.
        ReportRefused: Nothing was accepted that has evidence; the hint says what to do next.
    """
    lesson_id = lesson_named(desk, lesson)
    files = desk.write_coaching(lesson_id, folder, out.report)
    out.done()
    title = desk.library.lesson(lesson_id).title
    out.give({"lesson": title, "lesson_id": lesson_id, "files": [str(f) for f in files]})
    for file in files:
        out.say(f"Written: {file}")
    return 0
