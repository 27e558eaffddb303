"""Cut what is said in a clip into passages that can be compared with exemplars and quoted.

A passage is a run of words by one speaker, long enough to mean something and short enough to quote:
neighbouring short lines of one speaker are joined, long ones are cut at the ends of sentences.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.lesson.clips import Clip
from app.lesson.transcript.records import Role, Utterance

ENOUGH_WORDS = 8
"""A line with fewer is joined with the next of the same speaker."""
MOST_WORDS = 40
"""A longer line is cut at the ends of its sentences, a longer sentence is left whole."""

_SENTENCE_END = re.compile(r"(?<=[.!?…。！？।])\s+|(?<=[。！？])")
# What a transcriber notes in square brackets is not said by anyone; the brackets may begin or end
# on another line.
_NOTE = re.compile(r"\[[^\]]*(?:\]|$)|^[^\[]*\]")


@dataclass(frozen=True, slots=True)
class Passage:
    """Words of one speaker, exactly as the transcript has them."""

    text: str
    numbers: tuple[int, ...]
    """Utterances they stand in; neighbours."""
    role: Role


def cut_passages(
    utterances: Sequence[Utterance], clip: Clip, roles: Mapping[str, Role]
) -> list[Passage]:
    """Cut the sound lines of a clip into passages, in order of speech."""
    passages: list[Passage] = []
    speaker, before = None, 0
    for at, line in enumerate(utterances):
        if not clip.first <= line.number <= clip.last or not line.is_sound:
            continue
        role = roles.get(line.speaker, Role.UNKNOWN)
        joins = speaker == line.speaker and before == at - 1
        spoken = _NOTE.split(line.text)
        joins = joins and len(spoken) == 1
        pieces = [piece for part in spoken for piece in _cut(part)]
        is_run = len(spoken) == 1 and (joins or bool(pieces))
        for text in pieces:
            last = passages[-1] if passages else None
            if last and joins and _may_join(last, text):
                numbers = tuple(dict.fromkeys((*last.numbers, line.number)))
                passages[-1] = Passage(f"{last.text} {text}", numbers, role)
            else:
                passages.append(Passage(text, (line.number,), role))
            joins = False
        # Across a transcriber's note the words are no run, so nothing is joined there, nor over an
        # empty line after it.
        speaker, before = (line.speaker if is_run else None), at
    return passages


def _cut(text: str) -> list[str]:
    """Give the pieces of some words: all of them, or as many whole sentences as go together."""
    if len(text.split()) <= MOST_WORDS:
        return [text.strip()] if any(sign.isalnum() for sign in text) else []
    pieces: list[str] = []
    for sentence in _SENTENCE_END.split(text):
        if pieces and len(pieces[-1].split()) + len(sentence.split()) <= MOST_WORDS:
            pieces[-1] = f"{pieces[-1]} {sentence}"
        elif sentence.strip():
            pieces.append(sentence.strip())
    return pieces


def _may_join(last: Passage, text: str) -> bool:
    words, more = len(last.text.split()), len(text.split())
    return min(words, more) < ENOUGH_WORDS and words + more <= MOST_WORDS
