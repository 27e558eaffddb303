"""The one door for everything the program tells a person: what happened, to what, what to do."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.errors import Cancelled, ClerestoryError
from app.places import log_folder
from views.common.signs import Sign, SignMark

log = logging.getLogger(__name__)

KEPT = 200
"""Notices kept for looking back at; older ones are in the log."""


class Kind(StrEnum):
    """How much a notice matters."""

    DONE = "done"
    NOTE = "note"
    TROUBLE = "trouble"


SIGNS = {Kind.DONE: Sign.TICK, Kind.NOTE: Sign.DOT, Kind.TROUBLE: Sign.WARNING}


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing that was told."""

    kind: Kind
    message: str
    """What happened and to which thing, as a full sentence."""
    hint: str
    """What to do next, as a full sentence; may be empty."""
    told_at: str
    """Local time, `14:05`."""
    action: str = ""
    """Words on a button that does what the hint says; empty for none."""
    act: Callable[[], None] | None = None

    @property
    def text(self) -> str:
        """All of it in one line, as a screen reader says it."""
        return f"{self.message} {self.hint}".strip()


class Notices(QObject):
    """Takes what is to be told and keeps it.

    Signals:
        told: A new notice.
    """

    told = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.kept: list[Notice] = []

    def tell(
        self,
        message: str,
        hint: str = "",
        kind: Kind = Kind.NOTE,
        action: str = "",
        act: Callable[[], None] | None = None,
    ) -> None:
        """Tell a person something, without stopping them."""
        notice = Notice(kind, message, hint, datetime.now().strftime("%H:%M"), action, act)
        self.kept = [*self.kept[-(KEPT - 1) :], notice]
        self.told.emit(notice)

    def trouble(self, error: Exception) -> None:
        """Tell of an error: known ones in their own words, others as a fault of the program."""
        if isinstance(error, Cancelled):
            self.tell(error.message, error.hint)
        elif isinstance(error, ClerestoryError):
            log.info("told: %s", error)
            self.tell(error.message, error.hint, Kind.TROUBLE)
        else:
            self.tell(
                f"Something went wrong inside the program ({type(error).__name__}).",
                f"Your decisions are kept. Details are in the log in {log_folder()}.",
                Kind.TROUBLE,
            )


class NoticeStrip(QFrame):
    """Shows the latest notice above the page until it is dismissed.

    Signals:
        all_wanted: The person asks for the earlier notices.
    """

    all_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self._notice: Notice | None = None
        self._unseen = 0
        self._sign = SignMark(Sign.DOT, "")
        self._message = _wrapping(bold=True)
        self._hint = _wrapping()
        self._act = QPushButton()
        self._earlier = QPushButton()
        self._dismiss = QPushButton("Dismiss")
        self._dismiss.setAccessibleName("Dismiss this notice")
        self._act.clicked.connect(self._do)
        self._earlier.clicked.connect(self.all_wanted)
        self._dismiss.clicked.connect(self.dismiss)
        self._lay_out()
        self.hide()

    def show_notice(self, notice: Notice) -> None:
        """Show a notice in place of the one before, and have screen readers say it."""
        self._unseen = self._unseen + 1 if self.isVisible() else 0
        self._notice = notice
        self._sign.show_sign(SIGNS[notice.kind], notice.kind.value)
        self._message.setText(notice.message)
        self._hint.setText(notice.hint)
        self._hint.setVisible(bool(notice.hint))
        self._act.setText(notice.action)
        self._act.setVisible(bool(notice.action))
        self._earlier.setText(f"{self._unseen} earlier")
        self._earlier.setAccessibleName(f"Show {self._unseen} earlier notices")
        self._earlier.setVisible(self._unseen > 0)
        self.show()
        announce(self, notice.text, urgent=notice.kind is Kind.TROUBLE)

    def dismiss(self) -> None:
        """Take the notice away; it stays in the list under Jobs."""
        self._unseen = 0
        self.hide()

    def _do(self) -> None:
        if self._notice is not None and self._notice.act is not None:
            self._notice.act()

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._message)
        words.addWidget(self._hint)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 6, 10, 6)
        row.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        for button in (self._act, self._earlier, self._dismiss):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)


def announce(widget: QWidget, text: str, *, urgent: bool = False) -> None:
    """Have a screen reader say a sentence."""
    event = QAccessibleAnnouncementEvent(widget, text)
    if urgent:
        event.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
    QAccessible.updateAccessibility(event)


def _wrapping(*, bold: bool = False) -> QLabel:
    label = QLabel()
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    font = label.font()
    font.setBold(bold)
    label.setFont(font)
    return label
