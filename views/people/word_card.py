"""What one person said of a clip, with what they cite, side by side with the others."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.coding.records import Decision
from views.common.controls import text_label
from views.common.signs import PracticeBadge
from views.common.words import citation_words, codes_words


class WordCard(QFrame):
    """One person's first word, and their latest where it is another.

    Args:
        first: What they said first.
        latest: What they say now.
    """

    def __init__(self, first: Decision, latest: Decision, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.told = _told(first, latest)
        self.setAccessibleName(f"{first.author}: {' '.join(self.told)}")
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 6, 8, 6)
        column.setAlignment(Qt.AlignmentFlag.AlignTop)
        head = QHBoxLayout()
        badge = PracticeBadge()
        badge.show_practice(first.practice)
        head.addWidget(badge, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(text_label(f"{first.author}: {codes_words(first.codes)}", bold=True), 1)
        column.addLayout(head)
        for words in self.told[1:]:
            column.addWidget(text_label(words))


def _told(first: Decision, latest: Decision) -> list[str]:
    told = [codes_words(first.codes)]
    told.append(
        "Set before seeing any label." if first.blind else "Set after labels could be seen."
    )
    if latest.codes != first.codes:
        told.append(f"Later: {codes_words(latest.codes)}.")
    note = latest.note or first.note
    if note:
        told.append(f"Note: {note}")
    cited = latest.evidence or first.evidence
    told += [citation_words(one) for one in cited] or ["Cites nothing."]
    return told
