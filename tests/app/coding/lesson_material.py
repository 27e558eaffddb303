"""A short lesson for tests of coders that ask a model."""

from __future__ import annotations

import json

from app.coding.material import Material
from app.lesson.clips import Clip
from app.lesson.media.facts import MediaFacts, VideoFacts
from app.lesson.transcript.records import Role, Utterance

ROLES = {"Ms Okoro": Role.TEACHER, "Leila": Role.STUDENT, "Tom": Role.STUDENT}
TALK = (
    ("Ms Okoro", "Why do you think the ice melts faster in the metal bowl?"),
    ("Leila", "Because the metal is warmer."),
    ("Ms Okoro", "And how could we find out whether it is?"),
    ("Tom", "Put your hand on both."),
)


def material(*clips, talk=TALK, media=None, roles=ROLES, lesson_id="lesson-1", **more):
    """Give a lesson of four lines of five seconds each, as one clip unless told otherwise."""
    lines = tuple(
        said
        if isinstance(said, Utterance)
        else Utterance(n, said[1], (n - 1) * 5_000, n * 5_000, said[0])
        for n, said in enumerate(talk, 1)
    )
    clips = clips or (Clip("c1", 1, len(lines), 0, 5_000 * len(lines)),)
    return Material(lesson_id, "Ice", clips, lines, roles, media, **more)


def recording(end_ms=20_000, *, video=True, width=1280, height=720, path="/lessons/ice.mp4"):
    """Give the facts of a recording that is never opened."""
    seen = VideoFacts(
        0, "h264", width, height, width, height, 0, False, (1, 1), 500, 0, end_ms, False,
        "yuv420p", False,
    )  # fmt: skip
    return MediaFacts(path, 1, "f" * 64, "mov,mp4", 0, end_ms, seen if video else None, None)


def answer(category="D3", level=2, quote="Why do you think the ice melts", lines=(1,), **more):
    """Write an answer that keeps the schema."""
    evidence = more.pop("evidence", [{"quote": quote, "utterances": list(lines)}])
    told = {**more, "category": category, "level": level, "evidence": evidence}
    return json.dumps(told)
