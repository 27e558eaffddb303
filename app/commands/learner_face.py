"""`--face`: which of several faces is the learner's, said on the command line."""

from __future__ import annotations

import re
from collections.abc import Sequence

from app.commands.out import Out
from app.confusion.face_choice import ChosenFace, SeenFace
from app.desk import Desk
from app.errors import Refused, WrongUse
from app.lesson.spans import show_time

MOST_TOLD = 12
"""Faces that are listed; more is a room."""
_FACE = re.compile(r"(\d+),(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)")


def face_asked_for(words: str | None) -> ChosenFace | None:
    """Read `AT_MS,X,Y`.

    Raises:
        WrongUse: It is anything else.
    """
    if words is None:
        return None
    found = _FACE.fullmatch(words.replace(" ", ""))
    if found is None:
        raise WrongUse(
            f"“{words}” is no moment and point: --face takes a time in milliseconds and a point of "
            "the face in pixels of the picture, as in --face 12400,310,205."
        )
    return int(found[1]), float(found[2]), float(found[3])


def choose_face(desk: Desk, lesson_id: str, face: ChosenFace, out: Out) -> None:
    """Keep which face is the learner's, once it is seen there.

    Raises:
        Refused: Nobody has given a name, or no face is seen there; the hint lists those that are.
    """
    if not desk.author:
        raise Refused(
            "A chosen face is kept with the name of who chose it, and yours is not set yet.",
            "Open the window and set your name or initials (Ctrl+U).",
        )
    seen = desk.confusion.choose_face(lesson_id, face, desk.author, out.report)
    if seen is not None:
        title = desk.library.lesson(lesson_id).title
        raise Refused(
            f"No face is seen in “{title}” at {show_time(face[0], tenths=True)} at "
            f"{face[1]:g}, {face[2]:g}, so none was chosen.",
            "\n".join(["Faces that are seen:", *faces_in_words(seen)])
            if seen
            else "No face is seen in it long enough to be followed.",
        )


def faces_in_words(seen: Sequence[SeenFace]) -> list[str]:
    """List faces, each as `--face` takes it."""
    told = [
        f"  --face {one.at_ms},{one.x},{one.y}   seen from {show_time(one.start_ms, tenths=True)} "
        f"to {show_time(one.end_ms, tenths=True)}, {one.width_px} pixels wide"
        for one in seen[:MOST_TOLD]
    ]
    more = len(seen) - len(told)
    return [*told, f"  and {more} more"] if more else told
