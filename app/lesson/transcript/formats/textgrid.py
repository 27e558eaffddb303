"""Praat's TextGrid, long and short, by Praat's own rule: only numbers, texts and flags count.

pympi loses the minus sign and the exponent of a number (1e-05 is read as 5), so the file is read
here, into intervals.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from app.errors import TranscriptRefused
from app.lesson.transcript.formats.drafts import Draft, Found, clean_text
from app.lesson.transcript.records import Word

_TOKEN = re.compile(
    r'"((?:[^"]++|"")*+)"|!.*|(?:(?<=\s)|^)([-+]?\d[\d.]*(?:[eE][-+]?\d+)?%?)(?=\s|$)|<(exists|absent)>',
    re.MULTILINE | re.ASCII,
)
_SILENCES = frozenset(("", "sp", "sil", "<sil>", "<p:>", "#", "silence", "_", "spn", "<eps>"))
_PHONES = re.compile(r"\b(?:phones?|phonemes?|segments?|mau|kan|syllables?|ipa)\b", re.IGNORECASE)
_WORDS = re.compile(r"[\s\-_:/]*\b(?:words?|ort)\b[\s\-_:/]*", re.IGNORECASE)
_SPEECH = re.compile(
    r"\b(?:phrases?|utterances?|sentences?|transcript(?:ion)?|text|speech|intervals?)\b",
    re.IGNORECASE,
)
_MOST_S = 10_000_000.0
PAUSE_MS = 500
"""A silence this long between words ends a line where the file has no tier of utterances."""


@dataclass(frozen=True, slots=True)
class _Interval:
    start_ms: int
    end_ms: int
    text: str


@dataclass(frozen=True, slots=True)
class _Tier:
    name: str
    intervals: list[_Interval]
    is_points: bool = False

    @property
    def spoken(self) -> list[_Interval]:
        return [i for i in self.intervals if i.text.lower() not in _SILENCES]


class _Tokens:
    """The numbers and texts of a file, taken one after the other."""

    def __init__(self, text: str, name: str) -> None:
        self._found = [m for m in _TOKEN.finditer(text) if not m[0].startswith("!")]
        self._text, self._name, self._next = text, name, 0

    def take_text(self) -> str:
        match = self._take()
        if match[1] is None:
            raise self._fault(match)
        return match[1].replace('""', '"')

    def take_ms(self) -> int:
        match = self._take()
        try:
            seconds = float(match[2].rstrip("%")) if match[2] else _MOST_S
        except ValueError:
            raise self._fault(match) from None
        if not abs(seconds) < _MOST_S:
            raise self._fault(match)
        return round(seconds * 1000)

    def take_count(self) -> int:
        match = self._take()
        if not match[2] or not match[2].isdecimal() or int(match[2][:9]) > len(self._found):
            raise self._fault(match)
        return int(match[2])

    def take_flag(self) -> bool:
        match = self._take()
        if match[3] is None:
            raise self._fault(match)
        return match[3] == "exists"

    def _take(self) -> re.Match[str]:
        if self._next >= len(self._found):
            raise TranscriptRefused(
                f"{self._name} ends before all its intervals are there.",
                "It may be cut off; copy it again or save it anew in Praat.",
            )
        self._next += 1
        return self._found[self._next - 1]

    def _fault(self, match: re.Match[str]) -> TranscriptRefused:
        line = self._text.count("\n", 0, match.start()) + 1
        return TranscriptRefused(
            f"{self._name}, line {line}, does not hold what a TextGrid has there.",
            "Open it in Praat and save it anew as a text file.",
        )


def looks_like_textgrid(text: str) -> bool:
    """Say whether text begins as Praat's TextGrids do."""
    head = text[:200]
    return "ooTextFile" in head and "TextGrid" in head


def read_textgrid(text: str, name: str) -> Found:
    """Read a TextGrid; each tier is a speaker unless its name says what it holds.

    Raises:
        TranscriptRefused: The file is damaged or holds no speech.
    """
    tiers = _read_tiers(text.replace("\r\n", "\n").replace("\r", "\n"), name)
    found = Found("import:textgrid", [], sort=True, line_name="interval")
    spoken = [tier for tier in tiers if tier.spoken and not tier.is_points]
    phones = [tier for tier in spoken if _PHONES.search(tier.name)]
    words = [tier for tier in spoken if tier not in phones and _WORDS.search(tier.name)]
    whole = [tier for tier in spoken if tier not in phones and tier not in words]
    if _count_words(whole) * 2 < _count_words(words):
        whole = []  # remarks beside the words: the speech is in the words
    for tier in whole:
        found.lines.extend(_utterances(tier, words))
    if not whole:
        _add_word_lines(words, found)
    if not found.lines:
        raise TranscriptRefused(
            f"There is no speech in {name}: no interval tier of it holds words.",
            "Check that it is the right file; tiers of points and of phones hold no utterances.",
        )
    read = whole or words
    others = [tier.name or "(no name)" for tier in tiers if tier not in read and tier.intervals]
    if others:
        found.notes.append(f"Tiers not read as speech: {', '.join(others)}.")
    return found


def _read_tiers(text: str, name: str) -> list[_Tier]:
    tokens = _Tokens(text, name)
    tokens.take_text()
    tokens.take_text()
    tokens.take_ms()
    tokens.take_ms()
    if not tokens.take_flag():
        return []
    return [_read_tier(tokens) for _ in range(tokens.take_count())]


def _read_tier(tokens: _Tokens) -> _Tier:
    is_points = tokens.take_text() != "IntervalTier"
    name = clean_text(tokens.take_text()).replace("\n", " ").strip('" ')
    tokens.take_ms()
    tokens.take_ms()
    intervals = []
    for _ in range(tokens.take_count()):
        start_ms = tokens.take_ms()
        end_ms = start_ms if is_points else tokens.take_ms()
        intervals.append(_Interval(start_ms, end_ms, clean_text(tokens.take_text())))
    return _Tier(name, intervals, is_points)


def _count_words(tiers: Sequence[_Tier]) -> int:
    return sum(len(interval.text.split()) for tier in tiers for interval in tier.spoken)


def _utterances(tier: _Tier, words: Sequence[_Tier]) -> list[Draft]:
    speaker = _SPEECH.sub("", tier.name).strip(" -_:/()")
    lines = []
    for interval in tier.spoken:
        own = _words_within(interval, words)
        lines.append(Draft(interval.text, interval.start_ms, interval.end_ms, speaker, own))
    return lines


def _words_within(interval: _Interval, tiers: Sequence[_Tier]) -> tuple[Word, ...]:
    """Give the words of a tier of words that spell an interval; nothing when they do not."""
    wanted = "".join(interval.text.split()).casefold()
    for tier in tiers:
        inside = [
            i
            for i in tier.spoken
            if interval.start_ms <= i.start_ms and i.end_ms <= interval.end_ms
        ]
        if "".join(i.text for i in inside).casefold() == wanted:
            return tuple(Word(i.text, i.start_ms, i.end_ms) for i in inside)
    return ()


def _add_word_lines(tiers: Sequence[_Tier], found: Found) -> None:
    for tier in tiers:
        speaker = _WORDS.sub("", tier.name).strip(" -_:/()")
        for group in _between_pauses(tier.spoken):
            words = tuple(Word(" ".join(i.text.split()), i.start_ms, i.end_ms) for i in group)
            text = " ".join(word.text for word in words)
            found.lines.append(Draft(text, group[0].start_ms, group[-1].end_ms, speaker, words))
    if tiers:
        found.notes.append(
            "The file gives single words; they were put into lines at pauses of half a second."
        )


def _between_pauses(words: Sequence[_Interval]) -> list[list[_Interval]]:
    groups = [[word] for word in words[:1]]
    for last, word in pairwise(words):
        if word.start_ms - last.end_ms >= PAUSE_MS:
            groups.append([])
        groups[-1].append(word)
    return groups
