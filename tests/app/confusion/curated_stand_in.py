"""Learner videos and people's words on them, made up for tests of curation and sets."""

from __future__ import annotations

from app.confusion.records import Bands, Cue, CueKind, Level, Reading
from app.confusion.review import CandidateWord, Learner, LearnerReview, Stage
from app.lesson.media.facts import MediaFacts, VideoFacts

LEVELS = {"-": Level.NONE, "l": Level.LOW, "m": Level.MEDIUM, "h": Level.HIGH}


def facts(path="video.mp4", duration_ms=20_000, start_ms=0):
    video = VideoFacts(
        0, "h264", 64, 48, 64, 48, 0, False, (1, 1), duration_ms // 40, start_ms,
        start_ms + duration_ms, False, "yuv420p", False,
    )  # fmt: skip
    mark = f"{path:0>64}"[-64:]
    return MediaFacts(str(path), 1000, mark, "mp4", start_ms, duration_ms, video, None)


def readings(signs, start_ms=0):
    """Make windows of 2 s: `-` none, `l` `m` `h` levels, `s` none with a smile, `.` not visible,
    `!` a failure."""
    made = []
    for number, sign in enumerate(signs):
        at = start_ms + 2000 * number
        if sign == ".":
            made.append(Reading(at, at + 2000, False, note="no face"))
        elif sign == "!":
            made.append(Reading(at, at + 2000, True, status="broken"))
        else:
            cues = {"s": (Cue(CueKind.SMILE, speaks_against=True),)}.get(sign, ())
            made.append(Reading(at, at + 2000, True, LEVELS.get(sign, Level.NONE), cues=cues))
    return tuple(made)


def review(lesson_id="v1", learner="l1", decisions=(), path="", **bands):
    """Make a video; each keyword names a reader and gives its windows as `readings` does."""
    runs = tuple(Bands(name, readings(signs)) for name, signs in bands.items())
    longest = max((len(signs) for signs in bands.values()), default=10)
    return LearnerReview(
        lesson_id,
        f"Title of {lesson_id}",
        "2026-01-01",
        facts(path or f"{lesson_id}.mp4", 2000 * longest),
        True,
        Learner(learner, f"Name of {learner}"),
        bands=runs,
        decisions=tuple(decisions),
    )


def word(verdict, author, stage=Stage.CURATE, at=0, lesson_id="v1", criteria=("brow_lids",)):
    """Make what somebody said of the window that starts at a moment in ms."""
    return CandidateWord(lesson_id, at, at + 2000, stage, verdict, tuple(criteria), author)


def both(verdict, at=0, lesson_id="v1", criteria=("brow_lids",)):
    """Make the same word of both researchers."""
    return [word(verdict, who, Stage.CURATE, at, lesson_id, criteria) for who in ("RA", "RB")]


def experts(one, other, at=0, lesson_id="v1"):
    """Make the words of two experts."""
    pairs = ((one, "EA"), (other, "EB"))
    return [word(said, who, Stage.VALIDATE, at, lesson_id, ()) for said, who in pairs]
