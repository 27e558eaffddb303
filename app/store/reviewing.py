"""What a person does to a lesson: every change is written down, searchable and undoable.

Each function runs inside a transaction of its caller.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from app.coding.records import Decision, Verdict
from app.errors import StoreRefused
from app.lesson.clips import Clip
from app.lesson.spans import show_time
from app.lesson.transcript.records import Role
from app.store import changes, edits, lessons, rows, search
from app.store.changes import Entry, Kind
from app.store.lessons import StoredTranscript
from app.store.records import HitKind
from app.store.rows import sound_text


def decide(connection: sqlite3.Connection, lesson_id: str, decision: Decision) -> int:
    """Write down a decision beside whatever was predicted or decided before."""
    lessons.require_lesson(connection, lesson_id)
    label = decision_label(decision)
    entry = changes.append_change(connection, lesson_id, Kind.DECISION, label, decision.author, {})
    connection.execute(
        f"INSERT INTO decision (change_id, lesson_id, clip_id, {rows.DECISION_COLUMNS}) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            entry.change_id,
            lesson_id,
            sound_text(decision.clip.clip_id),
            *rows.decision_to_row(decision),
        ),
    )
    _find_again(connection, lesson_id, entry, stands=True)
    return entry.change_id


def decision_label(decision: Decision) -> str:
    """Name a decision in a few words, as undo and the history show it."""
    clip = decision.clip
    where = f"line {clip.first}" if clip.start_ms is None else show_time(clip.start_ms)
    if decision.verdict is Verdict.REJECT:
        return f"Reject the clip at {where}"
    verb = "Accept" if decision.verdict is Verdict.ACCEPT else "Correct to"
    level = "" if decision.level is None else f", level {decision.level}"
    return f"{verb} {decision.practice}{level} at {where}"


def set_clips(
    connection: sqlite3.Connection, lesson_id: str, clips: Sequence[Clip], author: str, label: str
) -> None:
    """Put a person's clips in place of those that stand."""
    lessons.require_lesson(connection, lesson_id)
    entry = changes.append_change(connection, lesson_id, Kind.CLIPS, label, author, {})
    lessons.add_clip_set(connection, lesson_id, clips, entry.change_id)


def edit_utterance(
    connection: sqlite3.Connection, lesson_id: str, number: int, text: str, author: str
) -> None:
    """Put another wording on a line; the original stays beneath. The same wording is no change."""
    stored = _require_transcript(connection, lesson_id)
    _require_line(stored, number)
    if _text_of(connection, lesson_id, stored, number) == text:
        return
    detail = {"transcript": stored.transcript_id, "number": number, "text": sound_text(text)}
    _make(connection, lesson_id, Kind.TEXT, f"Edit line {number}", author, detail)


def set_utterance_speaker(
    connection: sqlite3.Connection, lesson_id: str, number: int, speaker: str, author: str
) -> None:
    """Say that somebody else speaks a line. The same speaker is no change."""
    stored = _require_transcript(connection, lesson_id)
    place = _require_line(stored, number)
    speakers, _ = _speakers_and_roles(connection, lesson_id, stored)
    if speakers[place] == speaker:
        return
    detail = {"transcript": stored.transcript_id, "number": number, "speaker": sound_text(speaker)}
    label = f"Give line {number} to {_named(speaker)}"
    _make(connection, lesson_id, Kind.SPEAKER, label, author, detail)


def rename_speaker(
    connection: sqlite3.Connection, lesson_id: str, old: str, new: str, author: str
) -> None:
    """Give a speaker another name on every line; a name that is taken joins the two.

    Raises:
        StoreRefused: Nobody of the old name speaks in this lesson.
    """
    stored = _require_transcript(connection, lesson_id)
    speakers, roles = _speakers_and_roles(connection, lesson_id, stored)
    if old not in speakers and old not in roles:
        raise StoreRefused(f"Nobody called {_named(old)} speaks in this lesson.", "")
    if old == new:
        return
    detail = {"transcript": stored.transcript_id, "old": old, "new": sound_text(new)}
    label = f"Rename speaker {_named(old)} to {_named(new)}"
    _make(connection, lesson_id, Kind.RENAME, label, author, detail)


def set_role(
    connection: sqlite3.Connection, lesson_id: str, speaker: str, role: Role, author: str
) -> None:
    """Say who a speaker is in the lesson. The same role is no change."""
    stored = _require_transcript(connection, lesson_id)
    _, roles = _speakers_and_roles(connection, lesson_id, stored)
    if roles.get(speaker) is role:
        return
    detail = {
        "transcript": stored.transcript_id,
        "speaker": sound_text(speaker),
        "role": role.value,
    }
    label = f"Set {_named(speaker)} to {role.value}"
    _make(connection, lesson_id, Kind.ROLE, label, author, detail)


def set_note(connection: sqlite3.Connection, lesson_id: str, text: str, author: str) -> None:
    """Put another note on the lesson. The same note is no change."""
    lessons.require_lesson(connection, lesson_id)
    if lessons.note_of(connection, lesson_id) != text:
        detail = {"text": sound_text(text)}
        _make(connection, lesson_id, Kind.NOTE, "Change the note", author, detail)


def retitle(connection: sqlite3.Connection, lesson_id: str, title: str, author: str) -> None:
    """Give the lesson another title. The same title is no change."""
    if lessons.title_of(connection, lesson_id) != title:
        detail = {"title": sound_text(title)}
        _make(connection, lesson_id, Kind.TITLE, f"Rename the lesson to {title}", author, detail)


def undo(connection: sqlite3.Connection, lesson_id: str, author: str) -> str | None:
    """Take back the last change; gives what it was, or `None` when nothing is left."""
    lessons.require_lesson(connection, lesson_id)
    entry = changes.undo_last(connection, lesson_id, author)
    if entry is None:
        return None
    _find_again(connection, lesson_id, entry, stands=False)
    return entry.label


def redo(connection: sqlite3.Connection, lesson_id: str, author: str) -> str | None:
    """Bring back the change undone last; gives what it was, or `None` when there is none."""
    lessons.require_lesson(connection, lesson_id)
    entry = changes.redo_last(connection, lesson_id, author)
    if entry is None:
        return None
    _find_again(connection, lesson_id, entry, stands=True)
    return entry.label


def _make(
    connection: sqlite3.Connection,
    lesson_id: str,
    kind: Kind,
    label: str,
    author: str,
    detail: Mapping[str, object],
) -> None:
    entry = changes.append_change(connection, lesson_id, kind, label, author, detail)
    _find_again(connection, lesson_id, entry, stands=True)


def _find_again(
    connection: sqlite3.Connection, lesson_id: str, entry: Entry, *, stands: bool
) -> None:
    """Bring the search up to what stands after a change, an undo or a redo."""
    match entry.kind:
        case Kind.DECISION:
            _find_decision(connection, lesson_id, entry.change_id, stands=stands)
        case Kind.TEXT:
            _find_line(connection, lesson_id, entry)
        case Kind.NOTE:
            note = lessons.note_of(connection, lesson_id)
            search.put_text(connection, lesson_id, HitKind.NOTE, 0, note)
        case Kind.TITLE:
            title = lessons.title_of(connection, lesson_id)
            search.put_text(connection, lesson_id, HitKind.TITLE, 0, title)


def _find_decision(
    connection: sqlite3.Connection, lesson_id: str, change_id: int, *, stands: bool
) -> None:
    note, clip_text = connection.execute(
        "SELECT note, clip FROM decision WHERE change_id = ?", (change_id,)
    ).fetchone()
    clip = rows.clip_from_json(clip_text)
    search.put_text(
        connection,
        lesson_id,
        HitKind.NOTE,
        change_id,
        note if stands else "",
        clip.start_ms,
        clip.first or None,
    )


def _find_line(connection: sqlite3.Connection, lesson_id: str, entry: Entry) -> None:
    stored = lessons.stored_transcript(connection, lesson_id)
    if stored is None or stored.transcript_id != entry.detail["transcript"]:
        return  # the edit belongs to a transcript that another one has replaced
    number = entry.detail["number"]
    line = stored.original.utterances[_require_line(stored, number)]
    text = _text_of(connection, lesson_id, stored, number)
    search.put_text(connection, lesson_id, HitKind.UTTERANCE, number, text, line.start_ms, number)


def _text_of(
    connection: sqlite3.Connection, lesson_id: str, stored: StoredTranscript, number: int
) -> str:
    for entry in reversed(changes.standing(connection, lesson_id, (Kind.TEXT,))):
        detail = entry.detail
        if detail["transcript"] == stored.transcript_id and detail["number"] == number:
            return str(detail["text"])
    return stored.original.utterances[_require_line(stored, number)].text


def _speakers_and_roles(
    connection: sqlite3.Connection, lesson_id: str, stored: StoredTranscript
) -> tuple[list[str], dict[str, Role]]:
    edited = changes.standing(connection, lesson_id, edits.KINDS)
    transcript, roles = edits.replay(stored.original, stored.roles, edited, stored.transcript_id)
    return [line.speaker for line in transcript.utterances], roles


def _require_transcript(connection: sqlite3.Connection, lesson_id: str) -> StoredTranscript:
    lessons.require_lesson(connection, lesson_id)
    stored = lessons.stored_transcript(connection, lesson_id)
    if stored is None:
        raise StoreRefused("This lesson has no transcript yet.", "Import or make one first.")
    return stored


def _require_line(stored: StoredTranscript, number: int) -> int:
    for place, line in enumerate(stored.original.utterances):
        if line.number == number:
            return place
    raise StoreRefused(f"The transcript has no line {number}.", "")


def _named(speaker: str) -> str:
    return speaker or "an unnamed speaker"
