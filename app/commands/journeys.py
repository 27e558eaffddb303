"""`review`, `report` and `demo`: whole journeys, from a file to a printed page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from app.audit.sample import add_sample_audit
from app.coding.conditions import EVIDENCE_FINDER, CoderChoice
from app.coding.probe_records import EvidenceProof
from app.coding.proofs import proofs_of
from app.coding.records import Evidence, Prediction
from app.coding.review import LessonReview
from app.commands.coders import run_in_words, tell_plan, tell_where
from app.commands.confusion import counts_in_words, summary_of
from app.commands.out import Out
from app.commands.probe_words import later_in_words, plan_in_words, table_in_words
from app.confusion.reader_names import FACE_CUES
from app.desk import Desk
from app.errors import MediaRefused, Refused, TranscriptRefused
from app.lesson.clips import Clip
from app.lesson.file_names import is_recording
from app.lesson.spans import show_time

FINDER = CoderChoice(EVIDENCE_FINDER)


def review(
    desk: Desk,
    file: Path,
    transcript: Path | None,
    coder: CoderChoice,
    folder: Path | None,
    out: Out,
    *,
    probes: bool = False,
) -> int:
    """Take a recording, or a transcript alone, all the way to a lesson report.

    With `probes` the model is also asked again whether its evidence carries its labels.
    """
    # Before the long work: a coder that is not there is no reason to write down an hour of speech.
    desk.coding.coder(coder)
    lesson_id = _add(desk, file, transcript, out)
    folder = folder or Path(f"{file.stem} review")
    files, missing = _review_lesson(desk, lesson_id, coder, folder, out, probes=probes)
    _tell(desk.library.lesson(lesson_id), files, coder, out, missing)
    for table in desk.probing.tables([lesson_id]) if probes else ():
        for line in table_in_words(table):
            out.say(line)
    return 0


def plan(
    desk: Desk,
    file: Path,
    transcript: Path | None,
    coder: CoderChoice,
    out: Out,
    *,
    probes: bool = False,
) -> int:
    """Add a lesson, with its words, and say what coding it would take; asks no model."""
    desk.coding.coder(coder)
    lesson_id = _add(desk, file, transcript, out)
    if desk.library.lesson(lesson_id).transcript is None:
        desk.hear(lesson_id, out.report)
    code = tell_plan(desk, lesson_id, coder, out)
    if probes:
        out.say(later_in_words(coder))
    return code


def report(desk: Desk, lesson: str, folder: Path, out: Out) -> int:
    """Write the report of a lesson that is in the library."""
    lesson_id = lesson_named(desk, lesson)
    files = desk.write_report(lesson_id, folder, out.report)
    out.done()
    title = desk.library.lesson(lesson_id).title
    out.give({"lesson": title, "lesson_id": lesson_id, "files": [str(f) for f in files]})
    for file in files:
        out.say(f"Written: {file}")
    return 0


def demo(desk: Desk, folder: Path | None, out: Out) -> str:
    """Review the sample lesson, read the sample learner video, and add the sample audit.

    Gives the id of the lesson, so that the window can open on it.
    """
    lesson_id = desk.add_sample(out.report)
    folder = folder or Path("sample-review")
    files, missing = _review_lesson(desk, lesson_id, FINDER, folder, out)
    learner = _read_sample_learner(desk, out)
    more = {**learner, **_add_sample_audit(desk, out)}
    _tell(desk.library.lesson(lesson_id), files, FINDER, out, missing, more)
    return lesson_id


def _add_sample_audit(desk: Desk, out: Out) -> Mapping[str, Any]:
    """Add the audit that comes along; no model is asked, and everything in it says so."""
    audit_id = add_sample_audit(desk.library, desk.items.starter())
    title = desk.library.audits.audit(audit_id).plan.title
    out.say(f"{title}: look at it on the Tutor audit page.")
    return {"audit": {"audit_id": audit_id, "title": title}}


def _read_sample_learner(desk: Desk, out: Out) -> Mapping[str, Any]:
    """Read the sample learner video by face cues, on this computer, as any other video."""
    lesson_id = desk.confusion.add_sample(out.report)
    bands = desk.confusion.read(lesson_id, FACE_CUES, out.report)
    out.done()
    told = summary_of(bands.readings)
    out.say(f"Sample learner video, {bands.reader}: {counts_in_words(told)}")
    return {"learner_video": {"lesson_id": lesson_id, "reader": bands.reader, "summary": told}}


def _add(desk: Desk, file: Path, transcript: Path | None, out: Out) -> str:
    """Add a file for what it is: a recording, or a transcript alone."""
    if transcript is not None or is_recording(file):
        return desk.add_lesson(file, transcript, report=out.report)
    try:
        return desk.add_lesson(None, file, report=out.report)
    except TranscriptRefused as refused:
        # A recording may have any ending; what is neither is refused as the transcript it claims.
        try:
            return desk.add_lesson(file, None, report=out.report)
        except MediaRefused:
            raise refused from None


def _review_lesson(
    desk: Desk,
    lesson_id: str,
    coder: CoderChoice,
    folder: Path,
    out: Out,
    *,
    probes: bool = False,
) -> tuple[list[Path], str]:
    """Hear what is said if nothing is written yet, find evidence unless it was found, and print.

    A recording without sound, or without a word in it, still gets its page; the second value says
    what it went without, and is empty when it had all.
    """
    missing = ""
    try:
        if desk.library.lesson(lesson_id).transcript is None:
            desk.hear(lesson_id, out.report)
        lesson = desk.library.lesson(lesson_id)
        # A model is asked only for what is missing, so that it need not be known here what is.
        done = coder.condition is None and lesson.clips
        if not done or any(_prediction(lesson, c, coder) is None for c in lesson.clips):
            tell_where(desk, coder, out)
            desk.code(lesson_id, coder, out.report)
        if probes:
            for line in plan_in_words(desk.probing.plan([lesson_id], coder)):
                out.aside(line)
            desk.probing.probe([lesson_id], coder, report=out.report)
    except (MediaRefused, TranscriptRefused) as error:
        missing = f"Nothing was looked for: {error.message}"
    files = desk.write_report(lesson_id, folder, out.report)
    out.done()
    return files, missing


def lesson_named(desk: Desk, name: str) -> str:
    """Find the lesson a person names by its title or the start of its id; gives its id.

    Raises:
        Refused: None or several are called so; the hint lists what there is.
    """
    rows = desk.library.lessons()
    exact = [row for row in rows if name in (row.lesson_id, row.title)]
    found = exact or [row for row in rows if row.lesson_id.startswith(name)]
    if len(found) == 1:
        return found[0].lesson_id
    if not rows:
        raise Refused("The library has no lessons.", "Add one: clerestory review FILE")
    titles = "\n".join(f"  {row.lesson_id[:8]}  {row.title}" for row in found or rows)
    what = "More than one lesson is" if found else "No lesson is"
    raise Refused(f"{what} called “{name}”.", f"Name one by the start of its id:\n{titles}")


def _tell(
    lesson: LessonReview,
    files: list[Path],
    coder: CoderChoice,
    out: Out,
    missing: str,
    more: Mapping[str, Any] | None = None,
) -> None:
    notes = [*_notes(lesson), *([missing] if missing else [])]
    clips = [(clip, _prediction(lesson, clip, coder)) for clip in lesson.clips]
    proofs = proofs_of(lesson)
    out.give(
        {
            "lesson": lesson.title,
            "lesson_id": lesson.lesson_id,
            "clips": [
                _clip_as_json(clip, found, proofs.get(found.prediction_id) if found else None)
                for clip, found in clips
            ],
            "files": [str(file) for file in files],
            "notes": notes,
            **(more or {}),
        }
    )
    count = "1 clip" if len(clips) == 1 else f"{len(clips) or 'no'} clips"
    out.say(f"{lesson.title}: {count}.")
    if clips:
        for line in run_in_words(coder, [found for _, found in clips if found]):
            out.say(line)
        out.say("Each line is a suggestion that waits for a person.")
    for clip, found in clips:
        when = f"{show_time(clip.start_ms):>8} – {show_time(clip.end_ms):<8}"
        out.say(f"  {when}  {_in_words(found)}")
        for cited in (found.evidence if found else ())[:2]:
            quote = cited.found or cited.citation.quote or cited.citation.seen
            out.say(f"      {show_time(cited.start_ms):>8}  “{quote}” ({cited.check})")
        proof = proofs.get(found.prediction_id) if found else None
        for sentence in proof.words if proof else ():
            out.say(f"      {sentence}")
    for note in notes:
        out.say(f"  note: {note}")
    for file in files:
        out.say(f"Written: {file}")


def _in_words(found: Prediction | None) -> str:
    if found is None:
        return "not looked at"
    if not found.practice:
        return f"– {found.note}"
    return f"{found.practice}, level {found.level if found.level is not None else '–'}"


def _prediction(lesson: LessonReview, clip: Clip, coder: CoderChoice) -> Prediction | None:
    return lesson.prediction_for(clip.clip_id, coder.name)


def _clip_as_json(
    clip: Clip, found: Prediction | None, proof: EvidenceProof | None
) -> dict[str, Any]:
    return {
        "clip_id": clip.clip_id,
        "start_ms": clip.start_ms,
        "end_ms": clip.end_ms,
        "first_utterance": clip.first,
        "last_utterance": clip.last,
        "practice": (found.practice or None) if found else None,
        "level": found.level if found else None,
        "margin": found.margin if found else None,
        "note": found.note if found else "not looked at",
        "coder": found.coder if found else None,
        "status": found.status if found else None,
        "evidence": [_evidence_as_json(cited) for cited in found.evidence] if found else [],
        "probes": asdict(proof) if proof else None,
    }


def _evidence_as_json(cited: Evidence) -> dict[str, Any]:
    return {
        "quote": cited.citation.quote,
        "seen": cited.citation.seen,
        "found": cited.found,
        "utterances": list(cited.utterances or cited.citation.utterances),
        "start_ms": cited.start_ms,
        "end_ms": cited.end_ms,
        "check": str(cited.check),
        "score": round(cited.score, 1),
        "reason": cited.reason,
    }


def _notes(lesson: LessonReview) -> tuple[str, ...]:
    """Say everything odd once: about the recording first, then about the words."""
    media = lesson.media.notes if lesson.media else ("There is no recording, only a transcript.",)
    words = lesson.transcript.notes if lesson.transcript else ("There is no transcript.",)
    return tuple(dict.fromkeys((*media, *words)))
