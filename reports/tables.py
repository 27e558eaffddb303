"""The tables that lie beside a page, for spreadsheets and for researchers."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from app.coding.records import Decision, Prediction
from app.coding.review import LessonReview
from app.lesson.clips import Clip
from app.lesson.spans import show_time
from app.lesson.transcript.records import Role, Utterance
from reports.lesson_differences import code_name, who_decided
from reports.moments import suggestions

CLIP_COLUMNS = (
    "clip", "clip_id", "start_ms", "end_ms", "start", "end", "first_line", "last_line",
    "proposed_by", "coder", "suggested_practice", "suggested_level", "margin",
    "evidence_cited", "evidence_counting", "quotes", "decision", "decided_practice",
    "decided_level", "decided_by", "decided_at", "blind", "decision_note", "suggestion_note",
    "suggestion_status", "further_codes", "people_differ",
)  # fmt: skip
UTTERANCE_COLUMNS = (
    "line", "start_ms", "end_ms", "start", "speaker", "role", "text", "text_as_imported",
    "flags", "clip",
)  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def clips_table(review: LessonReview) -> bytes:
    """Write one row for each clip and coder; a clip that nobody coded has a row all the same."""
    return csv_bytes(CLIP_COLUMNS, _clip_rows(review))


def utterances_table(review: LessonReview) -> bytes:
    """Write the transcript as it stands, beside the words as they were imported or heard."""
    lines = review.transcript.utterances if review.transcript else ()
    before = {u.number: u for u in review.original.utterances} if review.original else {}
    rows = (_utterance_row(review, line, before.get(line.number)) for line in lines)
    return csv_bytes(UTTERANCE_COLUMNS, rows)


def _clip_rows(review: LessonReview) -> Iterable[Sequence[object]]:
    for number, clip in enumerate(review.clips, 1):
        decision = review.decision_for(clip.clip_id)
        shown: list[Prediction | None] = [*suggestions(review, clip.clip_id)]
        for prediction in shown or [None]:
            note = prediction.note if prediction else ""
            status = prediction.status if prediction else ""
            yield (
                *_place_cells(number, clip),
                *_suggestion_cells(prediction),
                *_decision_cells(decision),
                note,
                status,
                "; ".join(map(code_name, decision.also)) if decision else "",
                "; ".join(map(who_decided, review.disputed_words(clip.clip_id))),
            )


def _place_cells(number: int, clip: Clip) -> tuple[object, ...]:
    return (
        number,
        clip.clip_id,
        clip.start_ms,
        clip.end_ms,
        show_time(clip.start_ms),
        show_time(clip.end_ms),
        clip.first or None,
        clip.last or None,
        clip.proposed_by,
    )


def _suggestion_cells(prediction: Prediction | None) -> tuple[object, ...]:
    if prediction is None:
        return ("", "", None, None, 0, 0, "")
    counting = [e for e in prediction.evidence if e.check.supports]
    return (
        prediction.coder,
        prediction.practice,
        prediction.level,
        prediction.margin,
        len(prediction.evidence),
        len(counting),
        " | ".join(e.found for e in counting),
    )


def _decision_cells(decision: Decision | None) -> tuple[object, ...]:
    if decision is None:
        return ("", "", None, "", "", "", "")
    return (
        decision.verdict.value,
        decision.practice,
        decision.level,
        decision.author,
        decision.made_at,
        "yes" if decision.blind else "no",
        decision.note,
    )


def _utterance_row(
    review: LessonReview, line: Utterance, before: Utterance | None
) -> tuple[object, ...]:
    clips = [n for n, c in enumerate(review.clips, 1) if c.first <= line.number <= c.last]
    return (
        line.number,
        line.start_ms,
        line.end_ms,
        show_time(line.start_ms),
        line.speaker,
        review.roles.get(line.speaker, Role.UNKNOWN).value,
        line.text,
        before.text if before else "",
        "; ".join(flag.value for flag in line.flags),
        " ".join(str(n) for n in clips),
    )


def csv_bytes(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """Write a table so that every spreadsheet reads it as it was meant."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow([_cell(name) for name in columns])
    writer.writerows([_cell(value) for value in row] for row in rows)
    # The mark at the start makes Excel read the file as UTF-8; lone surrogates cannot be written.
    return text.getvalue().encode("utf-8-sig", errors="replace")


def _cell(value: object) -> object:
    """Keep a spreadsheet from taking words for a formula: `- Hello` or `=1+1` get a leading `'`."""
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return value
