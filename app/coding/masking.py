"""Show only the cited words of a clip, or everything but them.

What is hidden becomes one mark, the same for a word and for a whole line, and takes along the signs
around it: neither its length nor a question mark tells what was there. The same words are hidden
wherever else they stand in the clip. A line keeps its number, its time and its speaker, so that
numbers mean what they meant before.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from itertools import groupby

from app.coding.folding import folded_words
from app.coding.quotes import Passage, WordIndex
from app.coding.records import Evidence
from app.lesson.clips import Clip
from app.lesson.transcript.records import Utterance

MARK = "[…]"
_BETWEEN_PARTS = " … "
# As the check writes a quote that it found in parts.


class CitedWords:
    """Where the cited words of a prediction stand in its clip.

    Only evidence that was found counts: what nobody said can be neither shown nor hidden.

    Args:
        utterances: The whole transcript, as it was when the clip was coded.
        clip: As it was then.
        evidence: As the check left it.
    """

    def __init__(
        self, utterances: Sequence[Utterance], clip: Clip, evidence: Sequence[Evidence]
    ) -> None:
        inside = [u for u in utterances if clip.first <= u.number <= clip.last and u.is_sound]
        self._index = WordIndex(sorted(inside, key=lambda u: u.number))
        self._cited: set[int] = set()
        self._same: set[int] = set()
        self.missing = 0
        """Pieces that are no longer where the check found them."""
        for piece in evidence:
            if piece.check.supports:
                self.missing += not self._place(piece)

    @property
    def is_empty(self) -> bool:
        """Whether no cited word was found."""
        return not self._cited

    def only(self) -> tuple[Utterance, ...]:
        """Give the lines that hold cited words, with nothing else of them to be read."""
        hidden = set(range(len(self._index.words))) - self._cited
        return self._written(hidden, keep_empty=False)

    def without(self) -> tuple[Utterance, ...]:
        """Give all lines of the clip, with the cited words hidden wherever they stand."""
        return self._written(self._same, keep_empty=True)

    def _place(self, piece: Evidence) -> bool:
        """Note where a piece stands; says whether all of it was found."""
        for part in piece.found.split(_BETWEEN_PARTS):
            places = self._index.find(folded_words(part), *self._index.everything)
            if not places:
                return False
            cited = set(piece.utterances)
            own = next((p for p in places if cited & self._numbers(p)), places[0])
            self._cited.update(range(own.first, own.end))
            for place in places:
                self._same.update(range(place.first, place.end))
        return True

    def _numbers(self, place: Passage) -> set[int]:
        return {line.number for line in self._index.lines_of(place)}

    def _written(self, hidden: Container[int], *, keep_empty: bool) -> tuple[Utterance, ...]:
        lines = []
        for at, line in enumerate(self._index.lines):
            first, end = self._index.tokens_of(at)
            if not keep_empty and all(token in hidden for token in range(first, end)):
                continue
            text = self._with_marks(line.text, range(first, end), hidden)
            lines.append(line if text == line.text else replace(line, text=text, words=()))
        return tuple(lines)

    def _with_marks(self, text: str, tokens: range, hidden: Container[int]) -> str:
        """Put a mark in the place of each run of hidden words and of the signs around it."""
        runs = [(is_hidden, list(run)) for is_hidden, run in groupby(tokens, hidden.__contains__)]
        if not any(is_hidden for is_hidden, _ in runs):
            return text
        parts = []
        for place, (is_hidden, run) in enumerate(runs):
            if is_hidden:
                parts.append(MARK)
                continue
            # At an end of the line there is no hidden word whose signs could be told.
            start = 0 if place == 0 else self._index.letters_of[run[0]][0]
            stop = len(text) if place == len(runs) - 1 else self._index.letters_of[run[-1]][1]
            parts.append(text[start:stop].strip())
        return " ".join(parts)
