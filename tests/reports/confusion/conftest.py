"""Learner videos built by hand: levels written as letters, one for each window of 2 s."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from app.confusion.records import (
    Bands,
    Confidence,
    Cue,
    CueKind,
    EventDecision,
    EventVerdict,
    Level,
    Reading,
)
from app.confusion.review import Learner, LearnerReview
from app.lesson.media.facts import MediaFacts, VideoFacts
from reports.confusion import picture_times, write_confusion_report

MADE_AT = "2026-11-30T14:05:00+00:00"
PROGRAM = "Clerestory 0.1.0"
LETTERS = {"n": Level.NONE, "l": Level.LOW, "m": Level.MEDIUM, "h": Level.HIGH}


def facts(duration_ms: int) -> MediaFacts:
    video = VideoFacts(
        0, "h264", 640, 480, 640, 480, 0, False, (1, 1), duration_ms // 40, 0, duration_ms,
        False, "yuv420p", False,
    )  # fmt: skip
    return MediaFacts(
        "videos/monday.mp4", 5_000_000, "ab" * 32, "mov,mp4", 0, duration_ms, video, None,
        recorded_at="2026-11-02T09:30:00+00:00",
    )  # fmt: skip


def reading(letter: str, number: int, **more) -> Reading:
    """Give a reading for a letter: n l m h a level, `.` not visible, `x` a failure."""
    start_ms = 2000 * number
    given = {"start_ms": start_ms, "end_ms": start_ms + 2000, "is_visible": letter != "."}
    if letter == ".":
        return Reading(**given, note="no face is seen")
    if letter == "x":
        return Reading(**given, status="schema-fail")
    level = LETTERS[letter]
    if level.is_positive:
        given["evidence_ms"] = (start_ms + 900,)
        given["cues"] = (
            Cue(CueKind.BROW, (start_ms + 900,), 0.62, 0.21),
            Cue(CueKind.LIDS, (start_ms + 900,), 0.41, 0.18),
        )
    return Reading(**{**given, "level": level, "confidence": Confidence.MEDIUM, **more})


def bands_of(reader: str, letters: str, **more) -> Bands:
    """Give a run of a reader; a space is a window that was not read."""
    readings = tuple(reading(c, n) for n, c in enumerate(letters) if c != " ")
    given = {"made_at": MADE_AT, "provenance": (("thresholds SHA-256", "cd" * 32),), **more}
    return Bands(reader, readings, **given)


def decision(verdict: EventVerdict, start_ms: int, end_ms: int, **more) -> EventDecision:
    given = {"event_id": f"{start_ms}", "author": "R. Okafor", "made_at": MADE_AT, **more}
    return EventDecision(verdict=verdict, start_ms=start_ms, end_ms=end_ms, **given)


@pytest.fixture
def make_bands():
    return bands_of


@pytest.fixture
def make_reading():
    return reading


@pytest.fixture
def decide_on():
    return decision


@pytest.fixture
def make_review():
    """Give a function that builds a learner video from letters by reader."""

    def build(readers: dict[str, str], *decisions: EventDecision, **changes) -> LearnerReview:
        bands = tuple(bands_of(reader, letters) for reader, letters in readers.items())
        length = max((len(letters) for letters in readers.values()), default=10)
        given = {
            "lesson_id": "video-1",
            "title": "Fractions at home",
            "added_at": MADE_AT,
            "media": facts(2000 * length),
            "media_found": True,
            "learner": Learner("learner-1", "Learner K."),
            "bands": bands,
            "decisions": decisions,
            **changes,
        }
        return LearnerReview(**given)

    return build


@pytest.fixture
def pictures_for(tmp_path):
    """Give a function that draws a picture for each moment a report wants."""

    def draw(review: LearnerReview, full: bool) -> dict[int, Path]:
        found = {}
        for time_ms in picture_times(review, full):
            found[time_ms] = tmp_path / f"{time_ms}.png"
            shade = (time_ms // 100 % 256, 90, 140)
            Image.new("RGB", (320, 240), shade).save(found[time_ms])
        return found

    return draw


@pytest.fixture
def write_report(tmp_path, pictures_for):
    """Give a function that writes the report of a learner video and gives the PDF."""

    def write(review: LearnerReview, full: bool = False, **more) -> Path:
        pictures = more.pop("pictures", None)
        if pictures is None:
            pictures = pictures_for(review, full)
        folder = tmp_path / "report"
        files = write_confusion_report(
            review, pictures, folder, MADE_AT, PROGRAM, full=full, **more
        )
        return files[0]

    return write
