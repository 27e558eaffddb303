"""Lesson reviews built by hand for the pages, also one from the sample lesson."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pdfua
import pypdf
import pytest
import webvtt
from PIL import Image

from app.coding.evidence import check_evidence
from app.coding.practices import Practice, read_practices
from app.coding.records import Citation, Decision, Prediction, Verdict
from app.coding.review import LessonReview
from app.lesson.clips import Clip
from app.lesson.media.facts import AudioFacts, MediaFacts, VideoFacts
from app.lesson.transcript.records import Role, Transcript, Utterance
from reports.lesson import picture_times, write_lesson_report
from resources import resource

MADE_AT = "2026-11-30T14:05:00+00:00"
PROGRAM = "Clerestory 0.1.0"


@pytest.fixture(scope="session")
def practices() -> tuple[Practice, ...]:
    return read_practices(resource("practices.toml"))


def facts(duration_ms: int, path: str = "lessons/cold can.mp4") -> MediaFacts:
    video = VideoFacts(
        0, "h264", 1280, 720, 1280, 720, 0, False, (1, 1), duration_ms // 100, 0, duration_ms,
        False, "yuv420p", False,
    )  # fmt: skip
    audio = AudioFacts(1, "aac", 22050, 1, 0, duration_ms)
    return MediaFacts(path, 5_000_000, "ab" * 32, "mov,mp4", 0, duration_ms, video, audio)


def line(number: int, text: str, start_ms: int | None = None, **more) -> Utterance:
    end_ms = None if start_ms is None else start_ms + 4_000
    return Utterance(number, text, start_ms, end_ms, **more)


@pytest.fixture
def make_review():
    """Give a function that builds a review of untold clips: each clip is three lines long."""

    def build(clips: int = 2, timed: bool = True, **changes) -> LessonReview:
        words = ("What do you notice here?", "The drops are clear.", "Why would that be so?")
        lines = tuple(
            line(
                n + 1,
                f"{words[n % 3]} This is line {n + 1}.",
                n * 5_000 if timed else None,
                speaker="Ms Linden" if n % 3 != 1 else "Robin",
            )
            for n in range(3 * clips)
        )
        cut = tuple(
            Clip(
                f"clip-{n}", 3 * n + 1, 3 * n + 3,
                n * 15_000 if timed else None, n * 15_000 + 14_000 if timed else None,
                "pauses-topics/1",
            )
            for n in range(clips)
        )  # fmt: skip
        words_heard = Transcript(lines, "import:vtt", language="en", encoding="utf-8")
        review = LessonReview(
            "lesson-1", "A cold can", "2026-11-29T09:00:00+00:00",
            facts(15_000 * max(clips, 1)) if timed else None, timed, words_heard, words_heard,
            {"Ms Linden": Role.TEACHER, "Robin": Role.STUDENT}, cut,
        )  # fmt: skip
        return replace(review, **changes)

    return build


def suggest(
    review: LessonReview, clip: Clip, practice: str, level: int | None, *quotes: str, **more
) -> Prediction:
    cited = [Citation(quote=quote) for quote in quotes]
    found = check_evidence(cited, review.transcript.utterances, clip)
    settings = {"coder": "evidence-finder/1", "margin": 0.08, **more}
    return Prediction(clip=clip, practice=practice, level=level, evidence=found, **settings)


def decide(clip: Clip, verdict: Verdict, practice: str = "", level: int | None = None, **more):
    settings = {"author": "R. Okafor", "made_at": "2026-11-30T10:15:00.000+00:00", **more}
    return Decision(clip, verdict, practice, level, **settings)


@pytest.fixture
def suggest_for():
    return suggest


@pytest.fixture
def decide_on():
    return decide


@pytest.fixture
def sample_review() -> LessonReview:
    """The sample lesson, a clip an activity, coded as written; some decided, one quote invented."""
    folder = resource("sample")
    told = json.loads((folder / "lesson.json").read_text(encoding="utf-8"))
    cues = webvtt.read(str(folder / "lesson.vtt")).captions
    lines = tuple(
        Utterance(n, c.text, _ms(c.start), _ms(c.end), c.voice) for n, c in enumerate(cues, 1)
    )
    heard = Transcript(lines, "import:vtt", "en", "utf-8")
    clips = tuple(
        Clip(a["id"], a["first"], a["last"], a["start_ms"], a["end_ms"], "pauses-topics/1")
        for a in told["activities"]
    )
    review = LessonReview(
        "sample", told["title"], "2026-11-29T09:00:00+00:00",
        facts(told["duration_ms"], str(folder / "lesson.mp4")), True, heard, heard,
        {p["name"]: Role(p["role"]) for p in told["cast"]}, clips,
        note="We agreed to talk about the second half first.",
    )  # fmt: skip
    predictions = tuple(
        _as_written(review, clip, activity)
        for clip, activity in zip(clips, told["activities"], strict=True)
    )
    decisions = (
        decide(clips[1], Verdict.ACCEPT, "D1", 2, coder="evidence-finder/1"),
        decide(
            clips[2], Verdict.CORRECT, "D1", 2, coder="evidence-finder/1",
            note="The plan changes, but only one student is heard.",
        ),
        decide(clips[0], Verdict.REJECT, blind=True, note="Settling down."),
        decide(clips[6], Verdict.ACCEPT, "BI", 3, author="J. Adeyemi", blind=True),
    )  # fmt: skip
    return replace(review, predictions=predictions, decisions=decisions)


def _as_written(review: LessonReview, clip: Clip, activity: dict) -> Prediction:
    lines = [u for u in review.transcript.utterances if clip.first <= u.number <= clip.last]
    if not activity["practice"]:
        return suggest(review, clip, "", None, margin=None, note="No line is like any example.")
    quotes = [lines[0].text, lines[-1].text.rstrip(".") + " then."]
    if activity["id"] == "explain":
        quotes.append("We proved it with a microscope on the moon")
    return suggest(
        review, clip, activity["practice"], activity["level"], *quotes,
        margin=0.02 if activity["id"] == "words" else 0.21,
        provenance=(("weights SHA-256", "cd" * 32), ("practices SHA-256", "ef" * 32)),
    )  # fmt: skip


def _ms(clock: str) -> int:
    hours, minutes, seconds = clock.split(":")
    return round((int(hours) * 3600 + int(minutes) * 60 + float(seconds)) * 1000)


@pytest.fixture
def write_report(tmp_path, practices):
    """Give a function that writes the report of a review, with a drawn picture for each moment."""

    def write(review: LessonReview, pictures: dict[int, Path] | None = None) -> Path:
        if pictures is None:
            pictures = {t: _picture(tmp_path, t) for t in picture_times(review)}
        folder = tmp_path / "report"
        write_lesson_report(review, practices, pictures, folder, made_at=MADE_AT, program=PROGRAM)
        return folder / "lesson-report.pdf"

    return write


def _picture(folder: Path, time_ms: int) -> Path:
    path = folder / f"{time_ms}.png"
    if not path.exists():
        Image.new("RGB", (320, 180), (time_ms // 100 % 256, 90, 140)).save(path)
    return path


@pytest.fixture
def findings_of():
    """Give a function that says where a page falls short of PDF/UA."""

    def check(pdf: Path) -> list[str]:
        return [str(f) for outcome in pdfua.validate(str(pdf)).outcomes for f in outcome.findings]

    return check


@pytest.fixture
def parts_of():
    """Give a function that reads a page as a screen reader does: each part with its alt text."""

    def read(pdf: Path) -> list[tuple[str, str]]:
        return list(_walk(pypdf.PdfReader(pdf).trailer["/Root"]["/StructTreeRoot"]["/K"]))

    return read


def _walk(node):
    node = node.get_object() if hasattr(node, "get_object") else node
    if isinstance(node, list):
        for kid in node:
            yield from _walk(kid)
    elif isinstance(node, dict):
        if "/S" in node:
            yield str(node["/S"])[1:], str(node.get("/Alt", ""))
        if "/K" in node:
            yield from _walk(node["/K"])
