"""What a person does to a lesson: every change is written down, searchable and undoable.

Each function runs inside a transaction of its caller.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from app.coding.records import Decision
from app.errors import StoreRefused
from app.lesson.clips import Clip
from app.lesson.transcript.records import Role
from app.store import changes, edits, lessons, search, transcripts
from app.store.changes import Entry, Kind
from app.store.clip_sets import add_clip_set
from app.store.decisions import add_decision, decision_label, find_decision
from app.store.event_decisions import find_event_note
from app.store.records import HitKind
from app.store.rows import sound_text


def decide(connection: sqlite3.Connection, lesson_id: str, decision: Decision) -> int:
    """Write down a decision beside whatever was predicted or decided before."""
    lessons.require_lesson(connection, lesson_id)
    label = decision_label(decision)
    entry = changes.append_change(connection, lesson_id, Kind.DECISION, label, decision.author, {})
    add_decision(connection, lesson_id, entry.change_id, decision)
    _find_again(connection, lesson_id, entry, stands=True)
    return entry.change_id


def set_clips(
    connection: sqlite3.Connection, lesson_id: str, clips: Sequence[Clip], author: str, label: str
) -> None:
    """Put a person's clips in place of those that stand."""
    lessons.require_lesson(connection, lesson_id)
    entry = changes.append_change(connection, lesson_id, Kind.CLIPS, label, author, {})
    add_clip_set(connection, lesson_id, clips, entry.change_id)


def edit_utterance(
    connection: sqlite3.Connection, lesson_id: str, number: int, text: str, author: str
) -> None:
    """Put another wording on a line; the original stays beneath. The same wording is no change."""
    lessons.require_lesson(connection, lesson_id)
    transcript_id = transcripts.require_transcript(connection, lesson_id)
    sound = sound_text(text)
    if _text_of(connection, lesson_id, transcript_id, number) == sound:
        return
    detail = {"transcript": transcript_id, "number": number, "text": sound}
    subject = _line(transcript_id, number)
    _make(connection, lesson_id, Kind.TEXT, f"Edit line {number}", author, detail, subject)


def set_utterance_speaker(
    connection: sqlite3.Connection, lesson_id: str, number: int, speaker: str, author: str
) -> None:
    """Say that somebody else speaks a line. The same speaker is no change."""
    transcript_id, speakers, _ = _speakers_and_roles(connection, lesson_id)
    transcripts.original_line(connection, transcript_id, number)
    sound = sound_text(speaker)
    if speakers[number] == sound:
        return
    detail = {"transcript": transcript_id, "number": number, "speaker": sound}
    label = f"Give line {number} to {_named(sound)}"
    _make(connection, lesson_id, Kind.SPEAKER, label, author, detail)


def rename_speaker(
    connection: sqlite3.Connection, lesson_id: str, old: str, new: str, author: str
) -> None:
    """Give a speaker another name on every line; a name that is taken joins the two.

    Raises:
        StoreRefused: Nobody of the old name speaks in this lesson.
    """
    transcript_id, speakers, roles = _speakers_and_roles(connection, lesson_id)
    before, after = sound_text(old), sound_text(new)
    if before not in speakers.values() and before not in roles:
        raise StoreRefused(f"Nobody called {_named(before)} speaks in this lesson.", "")
    if before == after:
        return
    detail = {"transcript": transcript_id, "old": before, "new": after}
    label = f"Rename speaker {_named(before)} to {_named(after)}"
    _make(connection, lesson_id, Kind.RENAME, label, author, detail)


def set_role(
    connection: sqlite3.Connection, lesson_id: str, speaker: str, role: Role, author: str
) -> None:
    """Say who a speaker is in the lesson. The same role is no change."""
    transcript_id, _, roles = _speakers_and_roles(connection, lesson_id)
    sound = sound_text(speaker)
    if roles.get(sound) is role:
        return
    detail = {"transcript": transcript_id, "speaker": sound, "role": role.value}
    label = f"Set {_named(sound)} to {role.value}"
    _make(connection, lesson_id, Kind.ROLE, label, author, detail)


def set_note(connection: sqlite3.Connection, lesson_id: str, text: str, author: str) -> None:
    """Put another note on the lesson. The same note is no change."""
    lessons.require_lesson(connection, lesson_id)
    sound = sound_text(text)
    if lessons.note_of(connection, lesson_id) != sound:
        detail = {"text": sound}
        _make(connection, lesson_id, Kind.NOTE, "Change the note", author, detail)


def retitle(connection: sqlite3.Connection, lesson_id: str, title: str, author: str) -> None:
    """Give the lesson another title. The same title is no change."""
    sound = sound_text(title)
    if lessons.title_of(connection, lesson_id) != sound:
        detail = {"title": sound}
        _make(connection, lesson_id, Kind.TITLE, f"Rename the lesson to {sound}", author, detail)


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
    subject: str = "",
) -> None:
    entry = changes.append_change(connection, lesson_id, kind, label, author, detail, subject)
    _find_again(connection, lesson_id, entry, stands=True)


def _find_again(
    connection: sqlite3.Connection, lesson_id: str, entry: Entry, *, stands: bool
) -> None:
    """Bring the search up to what stands after a change, an undo or a redo."""
    match entry.kind:
        case Kind.DECISION:
            find_decision(connection, lesson_id, entry.change_id, stands=stands)
        case Kind.EVENT:
            find_event_note(connection, lesson_id, entry.change_id, stands=stands)
        case Kind.TEXT:
            _find_line(connection, lesson_id, entry)
        case Kind.NOTE:
            note = lessons.note_of(connection, lesson_id)
            search.put_text(connection, lesson_id, HitKind.NOTE, 0, note)
        case Kind.TITLE:
            title = lessons.title_of(connection, lesson_id)
            search.put_text(connection, lesson_id, HitKind.TITLE, 0, title)


def _find_line(connection: sqlite3.Connection, lesson_id: str, entry: Entry) -> None:
    transcript_id, number = entry.detail["transcript"], entry.detail["number"]
    if transcripts.latest_transcript(connection, lesson_id) != transcript_id:
        return  # the edit belongs to a transcript that another one has replaced
    text = _text_of(connection, lesson_id, transcript_id, number)
    _, start_ms = transcripts.original_line(connection, transcript_id, number)
    search.put_text(connection, lesson_id, HitKind.UTTERANCE, number, text, start_ms, number)


def _text_of(
    connection: sqlite3.Connection, lesson_id: str, transcript_id: int, number: int
) -> str:
    subject = _line(transcript_id, number)
    found = changes.standing(connection, lesson_id, (Kind.TEXT,), subject)
    if found:
        return str(found[-1].detail["text"])
    return transcripts.original_line(connection, transcript_id, number)[0]


def _line(transcript_id: int, number: int) -> str:
    return f"{transcript_id}:{number}"


def _speakers_and_roles(
    connection: sqlite3.Connection, lesson_id: str
) -> tuple[int, dict[int, str], dict[str, Role]]:
    lessons.require_lesson(connection, lesson_id)
    transcript_id = transcripts.require_transcript(connection, lesson_id)
    spoken_by, roles = transcripts.original_speakers(connection, transcript_id)
    edited = changes.standing(connection, lesson_id, edits.SPEAKER_KINDS)
    return transcript_id, *edits.replay_speakers(spoken_by, roles, edited, transcript_id)


def _named(speaker: str) -> str:
    return speaker or "an unnamed speaker"
