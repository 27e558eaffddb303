"""A transcript as people edited it: the original with the standing changes laid over it.

The original is never touched. An edit names the transcript it was made on, so that it never lands
on the lines of another one that came later.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from app.lesson.transcript.records import Role, Transcript, Utterance
from app.store.changes import Entry, Kind

KINDS = (Kind.TEXT, Kind.SPEAKER, Kind.RENAME, Kind.ROLE)
"""Kinds of change that touch a transcript."""
SPEAKER_KINDS = (Kind.SPEAKER, Kind.RENAME, Kind.ROLE)
"""Those of them that touch who speaks."""


def replay(
    original: Transcript, roles: Mapping[str, Role], edits: Sequence[Entry], transcript_id: int
) -> tuple[Transcript, dict[str, Role]]:
    """Give the transcript and the roles as the standing edits, in order, leave them."""
    texts = {
        entry.detail["number"]: entry.detail["text"]
        for entry in edits
        if entry.kind is Kind.TEXT and entry.detail["transcript"] == transcript_id
    }
    spoken_by = {line.number: line.speaker for line in original.utterances}
    speakers, standing_roles = replay_speakers(spoken_by, roles, edits, transcript_id)
    lines = tuple(
        [
            _edited(line, texts.get(line.number, line.text), speakers[line.number])
            for line in original.utterances
        ]
    )
    return replace(original, utterances=lines), standing_roles


def replay_speakers(
    spoken_by: Mapping[int, str],
    roles: Mapping[str, Role],
    edits: Iterable[Entry],
    transcript_id: int,
) -> tuple[dict[int, str], dict[str, Role]]:
    """Give who speaks each line, by its number, and the roles as the standing edits leave them."""
    speakers, standing_roles = dict(spoken_by), dict(roles)
    for entry in edits:
        detail = entry.detail
        if detail["transcript"] != transcript_id:
            continue
        match entry.kind:
            case Kind.SPEAKER:
                speakers[detail["number"]] = detail["speaker"]
            case Kind.RENAME:
                old, new = detail["old"], detail["new"]
                speakers = {n: new if name == old else name for n, name in speakers.items()}
                standing_roles = rename_role(standing_roles, old, new)
            case Kind.ROLE:
                standing_roles[detail["speaker"]] = Role(detail["role"])
    return speakers, standing_roles


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
