"""A transcript as people edited it: the original with the standing changes laid over it.

The original is never touched. An edit names the transcript it was made on, so that it never lands
on the lines of another one that came later.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from app.lesson.transcript.records import Role, Transcript, Utterance
from app.store.changes import Entry, Kind

KINDS = (Kind.TEXT, Kind.SPEAKER, Kind.RENAME, Kind.ROLE)
"""Kinds of change that touch a transcript."""


def replay(
    original: Transcript, roles: dict[str, Role], edits: Iterable[Entry], transcript_id: int
) -> tuple[Transcript, dict[str, Role]]:
    """Give the transcript and the roles as the edits of one transcript, in order, leave them."""
    mine = [entry for entry in edits if entry.detail["transcript"] == transcript_id]
    if not mine:
        return original, dict(roles)
    texts: dict[int, str] = {}
    speakers = [line.speaker for line in original.utterances]
    places = {line.number: place for place, line in enumerate(original.utterances)}
    standing_roles = dict(roles)
    for entry in mine:
        detail = entry.detail
        match entry.kind:
            case Kind.TEXT:
                texts[detail["number"]] = detail["text"]
            case Kind.SPEAKER:
                speakers[places[detail["number"]]] = detail["speaker"]
            case Kind.RENAME:
                speakers = [detail["new"] if s == detail["old"] else s for s in speakers]
                standing_roles = rename_role(standing_roles, detail["old"], detail["new"])
            case Kind.ROLE:
                standing_roles[detail["speaker"]] = Role(detail["role"])
    lines = tuple(
        _edited(line, texts.get(line.number, line.text), speaker)
        for line, speaker in zip(original.utterances, speakers, strict=True)
    )
    return replace(original, utterances=lines), standing_roles


def rename_role(roles: dict[str, Role], old: str, new: str) -> dict[str, Role]:
    """Give the roles after a speaker was renamed; a name that has a role already keeps it."""
    left = {speaker: role for speaker, role in roles.items() if speaker != old}
    if old in roles and old != new:
        left.setdefault(new, roles[old])
    return left


def _edited(line: Utterance, text: str, speaker: str) -> Utterance:
    if text == line.text:
        return line if speaker == line.speaker else replace(line, speaker=speaker)
    # Times of single words belong to the words that were heard, not to the ones typed in.
    return replace(line, text=text, speaker=speaker, words=())
