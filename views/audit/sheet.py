"""A sheet to read: headings, paragraphs and quoted words, without any markup of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtGui import QFont, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit, QWidget

QUOTE_INDENT_PX = 18.0


class Kind(StrEnum):
    """What a line of a sheet is."""

    HEAD = "head"
    TEXT = "text"
    QUOTE = "quote"
    """Somebody's words, set in from the left."""
    STRONG = "strong"


@dataclass(frozen=True, slots=True)
class Line:
    """One line; a quote may run over several."""

    kind: Kind
    text: str


class Sheet(QTextEdit):
    """Shows lines to be read and copied; the keyboard walks through the text.

    What models write is put in letter by letter: nothing in it can pass for markup or fetch
    anything.

    Args:
        name: What a screen reader calls it.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setTabChangesFocus(True)
        self.setAccessibleName(name)
        self.setUndoRedoEnabled(False)

    def show_lines(self, lines: Iterable[Line]) -> None:
        """Show other lines, from the top."""
        self.clear()
        cursor = QTextCursor(self.document())
        for number, line in enumerate(lines):
            block, letters = _formats(line.kind, is_first=number == 0)
            if number == 0:
                cursor.setBlockFormat(block)
                cursor.setCharFormat(letters)
            else:
                cursor.insertBlock(block, letters)
            # A line break of a quote stays within its block.
            cursor.insertText(line.text.replace("\r", "").replace("\n", "\u2028"), letters)
        self.moveCursor(QTextCursor.MoveOperation.Start)


def _formats(kind: Kind, *, is_first: bool) -> tuple[QTextBlockFormat, QTextCharFormat]:
    block, letters = QTextBlockFormat(), QTextCharFormat()
    block.setBottomMargin(3.0)
    if kind is Kind.HEAD and not is_first:
        block.setTopMargin(12.0)
    if kind is Kind.QUOTE:
        block.setLeftMargin(QUOTE_INDENT_PX)
    if kind in (Kind.HEAD, Kind.STRONG):
        letters.setFontWeight(QFont.Weight.Bold)
    return block, letters


def head(text: str) -> Line:
    """Make a heading."""
    return Line(Kind.HEAD, text)


def text(words: str) -> Line:
    """Make a paragraph."""
    return Line(Kind.TEXT, words)


def quote(words: str) -> Line:
    """Make a line of somebody's own words."""
    return Line(Kind.QUOTE, words)


def strong(words: str) -> Line:
    """Make a paragraph that stands out."""
    return Line(Kind.STRONG, words)
