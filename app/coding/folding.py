"""Words as the evidence check compares them: case, punctuation and white space folded away.

What is kept, because it changes what was said: every letter and accent, the order of words, decimal
points and a minus sign that stands right before a number.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

# Scripts written without spaces: each sign counts as a word, so that part of a line can be quoted.
_UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x3040, 0x30FF),  # hiragana, katakana
    (0x31F0, 0x31FF),  # more katakana
    (0x3400, 0x4DBF),  # ideographs
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F),  # half-width katakana
    (0x20000, 0x3FFFF),
)
_APOSTROPHES = frozenset("'’‘ʼ＇`´′")
_MINUSES = frozenset("-−－")
_ZERO_WIDTH_SPACE = "\u200b"

# A word over the shapes of `_Shapes`: a number with its sign and unit, letters, or one sign of
# an unspaced script.
_WORD = re.compile(
    r"(?<![a0mx])-?(?:0+(?:[.,]0+)*|(?<!\.)[.,]0+)[a0m]*(?:'[a0m]+)*"
    r"|[a0][a0m]*(?:'[a0m]+)*"
    r"|xm*"
)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


@dataclass(frozen=True, slots=True)
class FoldedWord:
    """One folded word and the letters of the original it was made of: `text[start:end]`."""

    text: str
    start: int
    end: int


def fold(text: str) -> tuple[FoldedWord, ...]:
    """Give the folded words of a text in order; none when it holds no letter and no digit."""
    shape = text.translate(_SHAPES)
    return tuple(
        FoldedWord(word, found.start(), found.end())
        for found in _WORD.finditer(shape)
        for word in _fold_word(text[found.start() : found.end()])
    )


def folded_words(text: str) -> tuple[str, ...]:
    """Give only the folded words of a text."""
    return tuple(word.text for word in fold(text))


@lru_cache(maxsize=65_536)
def _fold_word(raw: str) -> tuple[str, ...]:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", raw).casefold())
    shape = folded.translate(_SHAPES)
    # One sign can unfold into several words: ½ becomes 1 and 2.
    pieces = (folded[found.start() : found.end()] for found in _WORD.finditer(shape))
    return tuple(word for word in map(_plain, pieces) if word)


def _plain(word: str) -> str:
    kept = "".join(c for c in word if c not in _APOSTROPHES and unicodedata.category(c) != "Cf")
    if not any(c.isdecimal() for c in kept[:3]):
        return kept
    kept = _THOUSANDS.sub("", kept).replace(",", ".").replace("−", "-")
    return re.sub(r"^(-?)\.", r"\g<1>0.", kept)


class _Shapes(dict[int, str]):
    """What each sign is to a word, one letter for each so that places stay the same.

    `a` letter, `0` digit, `m` mark that belongs to the sign before it, `x` a sign of a script
    without spaces, and apostrophe, hyphen, point and comma as themselves; the rest parts words.
    """

    def __missing__(self, code: int) -> str:
        self[code] = shape = _shape(chr(code))
        return shape


def _shape(sign: str) -> str:
    if sign in _APOSTROPHES:
        return "'"
    if sign in _MINUSES:
        return "-"
    if sign in ".,":
        return sign
    category = unicodedata.category(sign)
    if category[0] == "M" or (category == "Cf" and sign != _ZERO_WIDTH_SPACE):
        return "m"
    if any(first <= ord(sign) <= last for first, last in _UNSPACED):
        return "x" if category[0] in "LN" else " "
    if sign.isdecimal():
        return "0"
    return "a" if category[0] in "LN" else " "


_SHAPES = _Shapes()
