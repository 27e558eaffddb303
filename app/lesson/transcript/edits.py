"""What a person may change in a transcript. Each change gives a new one; the old one stays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from difflib import SequenceMatcher

from app.errors import Refused
from app.lesson.transcript.formats.drafts import clean_text
from app.lesson.transcript.records import Flag, Transcript, Utterance, Word


def edit_text(transcript: Transcript, number: int, text: str) -> Transcript:
    """Correct the words of one utterance.

    Words that stay keep their times; new ones have none, and the line is flagged for it.

    Raises:
        Refused: There is no such utterance, or no text is left.
    """
    cleaned = clean_text(text)
    if not cleaned:
        raise Refused(
            f"Utterance {number} cannot be left without words.",
            "To keep it from being coded, mark it instead of emptying it.",
        )

    def corrected(line: Utterance) -> Utterance:
        if cleaned == line.text:
            return line
        words = _kept_words(line.words, cleaned.split())
        flags: list[Flag] = [flag for flag in line.flags if flag is not Flag.UNTIMED_WORDS]
        if any(word.start_ms is None for word in words) or (line.words and not words):
            flags.append(Flag.UNTIMED_WORDS)
        return replace(line, text=cleaned, words=words, flags=tuple(flags))

    return _changed(transcript, number, corrected)


def edit_speaker(transcript: Transcript, number: int, speaker: str) -> Transcript:
    """Say who speaks one utterance; an empty name means that nobody knows.

    Raises:
        Refused: There is no such utterance.
    """
    name = clean_text(speaker).replace("\n", " ")
    return _changed(transcript, number, lambda line: replace(line, speaker=name))


def rename_speaker(transcript: Transcript, old: str, new: str) -> Transcript:
    """Give a speaker another name in every line; a name already in use joins the two.

    Raises:
        Refused: Nobody of the old name speaks, or the new name is empty.
    """
    name = clean_text(new).replace("\n", " ")
    if not name:
        raise Refused("A speaker needs a name.", "Type at least one letter.")
    if not any(line.speaker == old for line in transcript.utterances):
        raise Refused(f"Nobody called “{old}” speaks in this transcript.", "Choose from the list.")
    lines = (
        replace(line, speaker=name) if line.speaker == old else line
        for line in transcript.utterances
    )
    return replace(transcript, utterances=tuple(lines))


def _changed(
    transcript: Transcript, number: int, change: Callable[[Utterance], Utterance]
) -> Transcript:
    if not any(line.number == number for line in transcript.utterances):
        raise Refused(
            f"There is no utterance {number} in this transcript.",
            "It may have been changed elsewhere; open the lesson again.",
        )
    lines = (change(line) if line.number == number else line for line in transcript.utterances)
    return replace(transcript, utterances=tuple(lines))


def _kept_words(old: tuple[Word, ...], tokens: list[str]) -> tuple[Word, ...]:
    """Carry times over to the words that stayed; nothing when none did."""
    before = [_bare(word.text) for word in old]
    after = [_bare(token) for token in tokens]
    words = [Word(token) for token in tokens]
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    kept = 0
    for block in matcher.get_matching_blocks():
        for step in range(block.size):
            words[block.b + step] = replace(old[block.a + step], text=tokens[block.b + step])
            kept += 1
    return tuple(words) if kept else ()


def _bare(word: str) -> str:
    return "".join(letter for letter in word.casefold() if letter.isalnum())
