"""Lessons made by hand for the tests of agreement: ten seconds a clip unless said otherwise."""

from __future__ import annotations

from dataclasses import replace

from app.coding.records import Decision, Prediction, Stage, Verdict
from app.coding.review import LessonReview
from app.lesson.clips import Clip

PRACTICES = ("BI", "D1", "D2", "D3")


def lesson(count: int, lesson_id: str = "1", length_ms: int = 10_000) -> LessonReview:
    """Give a lesson with so many clips and nothing said of them."""
    clips = tuple(
        Clip(f"c{n}", n + 1, n + 1, n * length_ms, (n + 1) * length_ms) for n in range(count)
    )
    return LessonReview(lesson_id, f"Lesson {lesson_id}", "", None, False, None, None, clips=clips)


def decide(review: LessonReview, author: str, place: int, code: str, **more) -> LessonReview:
    """Add a decision, the code written `D1.2`; an empty one rejects the clip."""
    practice, _, level = code.partition(".")
    made = Decision(
        more.pop("clip", review.clips[place]),
        Verdict.CORRECT if practice else Verdict.REJECT,
        practice,
        int(level) if level else None,
        author,
        "",
        **more,
    )
    return replace(review, decisions=(*review.decisions, made))


def decide_all(review: LessonReview, author: str, codes: str, **more) -> LessonReview:
    """Add a decision on each clip: codes with spaces between, `-` for none, `.` for no word."""
    for place, code in enumerate(codes.split()):
        if code != ".":
            review = decide(review, author, place, "" if code == "-" else code, **more)
    return review


def agree(review: LessonReview, place: int, code: str) -> LessonReview:
    """Add a consensus of AK and BM."""
    return decide(review, "AK & BM", place, code, stage=Stage.CONSENSUS)


def predict(review: LessonReview, coder: str, codes: str, status: str = "ok") -> LessonReview:
    """Add a prediction for each clip: codes as for `decide_all`, `!` for a failure."""
    made = []
    for clip, code in zip(review.clips, codes.split(), strict=True):
        practice, _, level = ("" if code in "-!" else code).partition(".")
        ended = "schema-fail" if code == "!" else status
        made.append(
            Prediction(clip, coder, practice, int(level) if level else None, None, (), status=ended)
        )
    return replace(review, predictions=(*review.predictions, *made))
