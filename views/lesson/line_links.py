"""Numbers of cited lines as links, for the mouse and for the keyboard."""

from __future__ import annotations

from collections.abc import Container

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from app.coding.records import Evidence
from views.common.controls import text_label

MOST_LINKS = 4
"""More lines than this are named by their first and last."""

_LOOK = (
    "QPushButton { border: 1px solid transparent; padding: 0 2px; text-decoration: underline; "
    "background: transparent; } "
    "QPushButton:focus, QPushButton:hover { border: 1px solid palette(highlight); }"
)


class LineLink(QPushButton):
    """One line of the transcript; pressing it goes there and plays from it.

    Signals:
        followed: The number of the line.
    """

    followed = Signal(int)

    def __init__(self, number: int) -> None:
        super().__init__(f"line {number}")
        told = f"Go to line {number} and play from it"
        self.setAccessibleName(told)
        self.setToolTip(f"{told} (Enter)")
        self.setFlat(True)
        self.setAutoDefault(False)
        self.setStyleSheet(_LOOK)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.clicked.connect(lambda _on=False: self.followed.emit(number))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Enter follow the link, as the space bar does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)


class LinkRow(QWidget):
    """The lines in which evidence stands or, where it was not found, those that were cited.

    Args:
        evidence: What was cited and what the check found.
        lines: Lines of the transcript that can be gone to.
    """

    def __init__(self, evidence: Evidence, lines: Container[int]) -> None:
        super().__init__()
        numbers = evidence.utterances or evidence.citation.utterances
        there = [number for number in numbers if number in lines]
        if len(there) > MOST_LINKS:
            there = [there[0], there[-1]]
        self.links = [LineLink(number) for number in there]
        gone = [str(number) for number in numbers if number not in lines]
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        if self.links and not evidence.utterances:
            row.addWidget(QLabel("cites"))
        for link in self.links:
            row.addWidget(link)
        told = _missing_words(evidence, gone, is_all=not self.links)
        self.is_empty = not self.links and not told
        if told:
            row.addWidget(text_label(told), 1)
        else:
            row.addStretch()


def _missing_words(evidence: Evidence, gone: list[str], *, is_all: bool) -> str:
    """Say which of the cited lines there are not; empty where all are there."""
    if not gone or evidence.utterances:
        return ""
    be = "are" if len(gone) > 1 else "is"
    lead = "cites" if is_all else "and"
    return f"{lead} line {', '.join(gone)}, which {be} not in the transcript"
