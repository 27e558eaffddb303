"""Look words up in a transcript: word for word, or as the nearest wording there is.

The transcript is folded and indexed once; a quote is then found by its rarest word. Places are
token numbers: the n-th folded word of all lines that may be coded from, in order.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from rapidfuzz import fuzz

from app.coding.folding import fold, folded_words
from app.lesson.transcript.records import Utterance

CLOSE_FROM = 90.0
"""Best alignment, of 100, from which a wording counts as close (protocols.md, part 1)."""

_SHORTEST_CLOSE = 10
# Under ten letters a single changed letter already costs more than a tenth, so an alignment of 90
# can then only come from a window that cuts through words ("art" in "party").
_WHOLE_WORDS_FROM = 80.0
# The aligned window may cut through words at its ends; the whole words must still look alike.


@dataclass(frozen=True, slots=True)
class Passage:
    """Tokens `first` up to, not including, `end`, and how well they match (0 to 100)."""

    first: int
    end: int
    score: float = 100.0


class WordIndex:
    """The folded words of some lines, and where each of them stands."""

    def __init__(self, lines: Iterable[Utterance]) -> None:
        self.lines = tuple(lines)
        self.words: list[str] = []
        self.line_of: list[int] = []
        self.letters_of: list[tuple[int, int]] = []
        self._first_of_line: list[int] = []
        for number, line in enumerate(self.lines):
            self._first_of_line.append(len(self.words))
            for word in fold(line.text):
                self.words.append(word.text)
                self.line_of.append(number)
                self.letters_of.append((word.start, word.end))
        self._first_of_line.append(len(self.words))
        self._numbers = [line.number for line in self.lines]
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        for place, text in enumerate(self.words):
            self._places[text].append(place)
        self._text = " ".join(self.words)
        self._letter_at = list(accumulate((len(word) + 1 for word in self.words), initial=0))

    @property
    def everything(self) -> tuple[int, int]:
        """The range of all tokens."""
        return 0, len(self.words)

    def range_of(self, first_number: int, last_number: int) -> tuple[int, int]:
        """Give the token range of the utterances with these numbers; lines are in that order."""
        starts = self._first_of_line
        return (
            starts[bisect_left(self._numbers, first_number)],
            starts[bisect_right(self._numbers, last_number)],
        )

    def tokens_of(self, line: int) -> tuple[int, int]:
        """Give the token range of the line at this index."""
        return self._first_of_line[line], self._first_of_line[line + 1]

    def find(self, words: Sequence[str], first: int, end: int) -> list[Passage]:
        """Find every place in a token range where these words stand one after another."""
        if not words:
            return []
        offset = min(range(len(words)), key=lambda i: len(self._places.get(words[i], ())))
        places = self._places.get(words[offset], [])
        inside = places[bisect_left(places, first + offset) : bisect_left(places, end)]
        length, wanted = len(words), list(words)
        starts = (place - offset for place in inside)
        return [
            Passage(start, start + length)
            for start in starts
            if start + length <= end and self.words[start : start + length] == wanted
        ]

    def nearest(self, words: Sequence[str], first: int, end: int) -> Passage | None:
        """Give the best aligned passage in a token range, when it reaches `CLOSE_FROM`."""
        quote = " ".join(words)
        if len(quote) < _SHORTEST_CLOSE or first >= end:
            return None
        here = self._letter_at[first]
        text = self._text[here : self._letter_at[end] - 1]
        if len(quote) >= len(text):
            # A partial alignment would slide the clip along the quote and take any quote that
            # merely contains the clip; here all of the quote must be there.
            score = fuzz.ratio(quote, text, score_cutoff=CLOSE_FROM)
            return Passage(first, end, score) if score else None
        aligned = fuzz.partial_ratio_alignment(quote, text, score_cutoff=CLOSE_FROM)
        if aligned is None:
            return None
        start = bisect_right(self._letter_at, here + aligned.dest_start) - 1
        stop = bisect_left(self._letter_at, here + aligned.dest_end)
        return self._whole_words(quote, start, min(stop, end), aligned.score)

    def _whole_words(self, quote: str, start: int, stop: int, score: float) -> Passage | None:
        """Take the cut words at both ends in or out, whichever is more like the quote."""
        choices = [(a, b) for a in (start, start + 1) for b in (stop, stop - 1) if a < b]
        likeness = {(a, b): fuzz.ratio(quote, " ".join(self.words[a:b])) for a, b in choices}
        best = max(choices, key=lambda choice: likeness[choice], default=None)
        if best is None or likeness[best] < _WHOLE_WORDS_FROM:
            return None
        return Passage(*best, score)

    def wording(self, passage: Passage) -> str:
        """Give the true words of a passage, as the lines write them, lines parted by a space."""
        parts = []
        for line in sorted(set(self.line_of[passage.first : passage.end])):
            first, end = self.tokens_of(line)
            first, end = max(first, passage.first), min(end, passage.end)
            parts.append(self._with_marks(line, first, end))
        return " ".join(parts)

    def _with_marks(self, line: int, first: int, end: int) -> str:
        """Give tokens of one line with the marks that hang on them: `Why not?`."""
        text = self.lines[line].text
        start, stop = self.letters_of[first][0], self.letters_of[end - 1][1]
        before = text[:start].split(" ")[-1]
        after = text[stop:].split(" ")[0]
        # Marks that tie on another word, as in "well—like", belong to neither.
        if not folded_words(before):
            start -= len(before)
        if not folded_words(after):
            stop += len(after)
        return text[start:stop].strip()

    def lines_of(self, passage: Passage) -> tuple[Utterance, ...]:
        """Give the lines that a passage runs over."""
        at = sorted(set(self.line_of[passage.first : passage.end]))
        return tuple(self.lines[line] for line in at)
