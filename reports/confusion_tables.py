"""The tables beside the student confusion report: every window and every event of every row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.confusion.events import decision_on, reviewer_events, standing_decisions
from app.confusion.records import Cue, Reading
from app.confusion.rows import Cell, Row
from app.confusion.stretches import all_found
from app.lesson.spans import show_time
from reports.confusion_figures import Gathered
from reports.tables import csv_bytes

WINDOW_COLUMNS = (
    "row", "start_ms", "end_ms", "start", "says", "visible", "level", "confidence", "cues",
    "against", "evidence_ms", "note", "status",
)  # fmt: skip
EVENT_COLUMNS = (
    "row", "start_ms", "end_ms", "start", "end", "length_ms", "word", "by", "made_at", "note",
    "reader", "found_start_ms", "found_end_ms",
)  # fmt: skip


def windows_table(gathered: Gathered) -> bytes:
    """Write one row for each window of each row of bands."""
    return csv_bytes(WINDOW_COLUMNS, _window_rows(gathered))


def events_table(gathered: Gathered) -> bytes:
    """Write the reviewer's events, then every word of a person, then every reader's event."""
    return csv_bytes(EVENT_COLUMNS, _event_rows(gathered))


def _window_rows(gathered: Gathered) -> Iterable[Sequence[object]]:
    by_reader = {
        bands.reader: {r.start_ms: r for r in bands.readings}
        for bands in gathered.review.latest_bands
    }
    for row in gathered.rows:
        readings = {} if row.is_reviewer else by_reader[row.name]
        for cell in row.cells:
            yield (*_cell(row, cell), *_reading(readings.get(cell.span.start_ms)))


def _cell(row: Row, cell: Cell) -> tuple[object, ...]:
    name = "reviewer" if row.is_reviewer else row.name
    start_ms = cell.span.start_ms
    return name, start_ms, cell.span.end_ms, show_time(start_ms, tenths=True), cell.sign.value


def _reading(reading: Reading | None) -> tuple[object, ...]:
    if reading is None:
        return ("", "", "", "", "", "", "", "")
    return (
        "" if reading.is_failure else "yes" if reading.is_visible else "no",
        reading.level.value if reading.level else "",
        reading.confidence.value if reading.confidence else "",
        "; ".join(_cue(cue) for cue in reading.cues if not cue.speaks_against),
        "; ".join(_cue(cue) for cue in reading.cues if cue.speaks_against),
        " ".join(str(at) for at in reading.evidence_ms),
        reading.note,
        reading.status,
    )


def _cue(cue: Cue) -> str:
    told = [cue.kind.value]
    if cue.value is not None:
        told.append(f"{cue.value:.3f}")
    if cue.baseline is not None:
        told.append(f"(usual {cue.baseline:.3f})")
    if cue.words:
        told.append(f"“{cue.words}”")
    return " ".join(told)


def _event_rows(gathered: Gathered) -> Iterable[Sequence[object]]:
    review = gathered.review
    for event in reviewer_events(review.decisions):
        place = _place(event.start_ms, event.end_ms)
        yield "reviewer", *place, "confirmed", "", "", "", "", None, None
    for word in standing_decisions(review.decisions):
        yield (
            "reviewer’s words", *_place(word.start_ms, word.end_ms), word.verdict.value,
            word.author, word.made_at, word.note, word.reader, word.found_start_ms,
            word.found_end_ms,
        )  # fmt: skip
    for found in all_found(review):
        decision = decision_on(found.event, found.reader, review.decisions)
        said = decision.verdict.value if decision else "suggestion"
        place = _place(found.event.start_ms, found.event.end_ms)
        yield found.reader, *place, said, "", "", "", found.reader, None, None


def _place(start_ms: int, end_ms: int) -> tuple[object, ...]:
    ends = show_time(start_ms, tenths=True), show_time(end_ms, tenths=True)
    return start_ms, end_ms, *ends, end_ms - start_ms
