"""`confusion`: from a learner's video to windows, events and a report."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from app.commands.learner_face import choose_face, face_asked_for, faces_in_words
from app.commands.out import Out
from app.confusion.events import FoundEvent, found_events
from app.confusion.face_choice import SEVERAL_FACES, SeenFace
from app.confusion.reader_names import FACE_CUES, ReaderChoice, parse_reader
from app.confusion.records import Bands, Cue, Level, Reading
from app.confusion.screening import was_read_again
from app.confusion_desk import ReadingPlan
from app.desk import Desk
from app.errors import WrongUse
from app.lesson.spans import show_time
from app.running.plan import estimate_in_words
from app.scoring.proportions import Proportion

CLAIM = "What a model says is a claim, and may be wrong."
CUES = "Levels come from what is measured on the face alone: brows, lids, lips, a smile."
SAY_WHOSE = (
    "Say which face is the learner's, and have it read again: point at it on the page Learner, or "
    "name one of these."
)
_COUNTED = re.compile(r" \(in \d+ of \d+ pictures\)")
LIMITS = (
    "This can support a talk about the learner; it is no basis for a decision of consequence. "
    "Each event is a suggestion that waits for a person."
)


def confusion_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `confusion` takes."""
    parser.add_argument("file", metavar="VIDEO", help="a video of one learner at work")
    parser.add_argument(
        "--reader",
        metavar="NAME",
        default=FACE_CUES.split("/")[0],
        help="face-cues (if nothing is said), a model, or “face-cues then MODEL”, where the model "
        "reads again what the face cues find; `clerestory coders` lists models",
    )
    parser.add_argument("--draws", metavar="N", type=int, default=1, help="ask a model N times")
    parser.add_argument(
        "--learner",
        metavar="NAME",
        help="a pseudonym or initials; without it a number, or whose video it is already",
    )
    parser.add_argument(
        "--face",
        metavar="AT_MS,X,Y",
        help="which of several faces is the learner's: a time in ms and a point of the face then, "
        "in pixels; it is kept",
    )
    parser.add_argument("--out", metavar="DIR", help="where the report is written; none without")
    parser.add_argument("--full", action="store_true", help="the long report, with every event")
    parser.add_argument("--blur", action="store_true", help="blur faces in the report's pictures")
    parser.add_argument(
        "--plan", action="store_true", help="say what reading would take, ask nothing, and stop"
    )


def confusion(desk: Desk, chosen: argparse.Namespace, out: Out) -> int:
    """Read a learner's video, print what was found, and write the report where one is wanted."""
    choice, face = parse_reader(chosen.reader, chosen.draws), face_asked_for(chosen.face)
    if face is not None and chosen.plan:
        raise WrongUse("--plan looks at nothing, so no face can be chosen with it.")
    # Before anything is added: a reader that is not there is no reason to add a video.
    desk.confusion.reader(choice)
    file = Path(chosen.file)
    lesson_id = desk.confusion.add_video(file, chosen.learner or "", out.report)
    if face is not None:
        choose_face(desk, lesson_id, face, out)
    tell_where_frames_go(desk, choice, out)
    plan = desk.confusion.plan(lesson_id, choice)
    if chosen.plan:
        out.done()
        _tell_plan(plan, lesson_id, out)
        return 0
    if plan.screening is not None or plan.estimate is not None:
        for line in plan_in_words(plan):
            out.aside(line)
    bands = desk.confusion.read(lesson_id, choice, out.report)
    files: list[Path] = []
    if chosen.out:
        files = desk.confusion.report(
            lesson_id, Path(chosen.out), full=chosen.full, blurred=chosen.blur, report=out.report
        )
    out.done()
    review = desk.library.learners.video(lesson_id)
    screened = desk.confusion.plan(lesson_id, choice)
    told = bands_as_json(bands)
    faces = desk.confusion.faces_seen(lesson_id) if _sees_several(bands) else ()
    out.give(
        {
            "video": review.title,
            "lesson_id": lesson_id,
            "learner": review.learner.name,
            **told,
            "screening": _screening_as_json(screened),
            "faces": [asdict(one) for one in faces],
            "files": [str(file) for file in files],
        }
    )
    _tell(bands, told["summary"], choice, screened, faces, out)
    for file in files:
        out.say(f"Written: {file}")
    return 0


def tell_where_frames_go(desk: Desk, choice: ReaderChoice, out: Out) -> None:
    """Say, before anything is asked, where frames go if they leave this computer."""
    for engine in choice.models:
        goes_to = desk.answering.goes_to(engine)
        if goes_to:
            out.aside(f"Frames of this video leave this computer: they go to {goes_to}.")


def plan_in_words(plan: ReadingPlan) -> list[str]:
    """Say what reading will take."""
    told = []
    if plan.screening is not None:
        told.append(f"{plan.reader}: {plan.screening.in_words}")
    if plan.estimate is None:
        told.append(f"{plan.reader} asks no model; nothing is to be planned.")
    else:
        most = "at most " if plan.screening is not None and not plan.screening.is_known else ""
        told.append(f"{plan.reader}: {most}{estimate_in_words(plan.estimate)}")
    return told


def bands_as_json(bands: Bands) -> dict[str, Any]:
    """Give windows, events and summary of a run, as `--json` prints them.

    Every share comes with its numerator and denominator; where there is nothing to divide by,
    the share is `null`. A window that failed is no statement about visibility: its `visible` is
    true, its level `null`, and its `status` says how it failed.
    """
    return {
        "reader": bands.reader,
        "provenance": [list(pair) for pair in bands.provenance],
        "windows": [_window_as_json(reading) for reading in bands.readings],
        "events": [_event_as_json(found) for found in found_events(bands)],
        "summary": summary_of(bands.readings),
    }


def summary_of(readings: Sequence[Reading]) -> dict[str, Any]:
    """Count windows and time; each share names what it is a share of.

    Windows that are not visible, or that failed, are in no denominator and stand beside.
    """
    failed = [r for r in readings if r.is_failure]
    hidden = [r for r in readings if not r.is_failure and not r.is_visible]
    known = [r for r in readings if r.level is not None]
    positive = [r for r in known if r.is_positive]
    events = found_events(Bands("", tuple(readings)))
    lengths = [f.event.end_ms - f.event.start_ms for f in events]
    visible_ms = _length(known)
    return {
        "windows": len(readings),
        "visible_windows": len(known),
        "not_visible_windows": len(hidden),
        "failed_windows": len(failed),
        "levels": {str(level): sum(r.level is level for r in known) for level in Level},
        "positive_windows": _share(len(positive), len(known)),
        "duration_ms": _length(readings),
        "visible_ms": visible_ms,
        "not_visible_ms": _length(hidden),
        "failed_ms": _length(failed),
        "confused_ms": _share(_length(positive), visible_ms),
        "events": len(events),
        "longest_event_ms": max(lengths, default=None),
        "events_per_visible_minute": round(len(events) * 60_000 / visible_ms, 3)
        if visible_ms
        else None,
    }


def _share(count: int, of: int) -> dict[str, Any]:
    found = Proportion(count, of)
    share = None if found.share is None else round(found.share, 4)
    return {"count": count, "of": of, "share": share}


def _length(readings: Sequence[Reading]) -> int:
    return sum(r.end_ms - r.start_ms for r in readings)


def _window_as_json(reading: Reading) -> dict[str, Any]:
    return {
        "start_ms": reading.start_ms,
        "end_ms": reading.end_ms,
        "visible": reading.is_visible,
        "level": None if reading.level is None else str(reading.level),
        "confidence": None if reading.confidence is None else str(reading.confidence),
        "cues": [_cue_as_json(cue) for cue in reading.cues],
        "evidence_ms": list(reading.evidence_ms),
        "status": reading.status,
        "note": reading.note,
        "draws": [
            {"level": draw.level, "confidence": draw.confidence, "status": draw.status}
            for draw in reading.draws
        ],
    }


def _cue_as_json(cue: Cue) -> dict[str, Any]:
    return {
        "cue": str(cue.kind),
        "at_ms": list(cue.at_ms),
        "value": cue.value,
        "baseline": cue.baseline,
        "speaks_against": cue.speaks_against,
        "words": cue.words,
    }


def _event_as_json(found: FoundEvent) -> dict[str, Any]:
    against = [cue for r in found.readings for cue in r.cues if cue.speaks_against]
    return {
        "start_ms": found.event.start_ms,
        "end_ms": found.event.end_ms,
        "evidence": {
            "at_ms": list(found.evidence_ms),
            "cues": sorted({str(cue.kind) for r in found.readings for cue in r.cues}),
            "speaks_against": sorted({str(cue.kind) for cue in against}),
        },
    }


def _screening_as_json(plan: ReadingPlan) -> dict[str, Any] | None:
    if plan.screening is None:
        return None
    return {**asdict(plan.screening), "saved": plan.screening.saved}


def _tell_plan(plan: ReadingPlan, lesson_id: str, out: Out) -> None:
    for line in plan_in_words(plan):
        out.say(line)
    expected = plan.estimate
    out.give(
        {
            "reader": plan.reader,
            "lesson_id": lesson_id,
            "windows": plan.windows,
            "plan": None if expected is None else {**asdict(expected), "calls": expected.calls},
            "screening": _screening_as_json(plan),
        }
    )


def _tell(
    bands: Bands,
    summary: dict[str, Any],
    choice: ReaderChoice,
    plan: ReadingPlan,
    faces: Sequence[SeenFace],
    out: Out,
) -> None:
    out.say(f"{bands.reader}: {counts_in_words(summary)}")
    out.say(CLAIM if choice.models else CUES)
    if plan.screening is not None:
        again = sum(was_read_again(reading) for reading in bands.readings)
        out.say(f"Screening: {plan.screening.in_words}")
        out.say(f"Levels of {again} of {summary['windows']} windows are the second reader's.")
    for why, count in _reasons(bands.readings):
        windows = "1 window" if count == 1 else f"{count} windows"
        out.say(f"  not visible in {windows}: {why}")
    if _sees_several(bands):
        out.say(SAY_WHOSE)
        for line in faces_in_words(faces):
            out.say(line)
    for found in found_events(bands):
        when = f"{show_time(found.event.start_ms):>8} – {show_time(found.event.end_ms):<8}"
        out.say(f"  {when}  {_event_in_words(found)}")
    out.say(LIMITS)


def _sees_several(bands: Bands) -> bool:
    return any(SEVERAL_FACES in reading.note for reading in bands.readings)


def counts_in_words(summary: Mapping[str, Any]) -> str:
    """Say a summary in a sentence, with its denominators."""
    positive = summary["positive_windows"]
    if not positive["of"]:
        told = "no window could be read, so nothing is known of confusion"
    else:
        told = f"{positive['count']} of {positive['of']} windows that could be read show confusion"
    beside = [
        f"{summary[key]} {words}"
        for key, words in (("not_visible_windows", "not visible"), ("failed_windows", "failed"))
        if summary[key]
    ]
    events = summary["events"]
    counted = "1 event" if events == 1 else f"{events or 'no'} events"
    return "; ".join([told, *beside, counted]) + "."


def _event_in_words(found: FoundEvent) -> str:
    highest = max((r.level for r in found.readings if r.level), key=lambda level: level.rank)
    cues = dict.fromkeys(
        f"{cue.kind}{' (speaks against)' if cue.speaks_against else ''}"
        for reading in found.readings
        for cue in reading.cues
    )
    return f"{highest}: {', '.join(cues) or 'no single sign named'}"


def _reasons(readings: Sequence[Reading]) -> list[tuple[str, int]]:
    counted: dict[str, int] = {}
    for reading in readings:
        if not reading.is_visible and not reading.is_failure:
            why = _COUNTED.sub("", reading.note) or "no reason given"
            counted[why] = counted.get(why, 0) + 1
    return sorted(counted.items(), key=lambda pair: -pair[1])
