"""Right of the bands: the events, what speaks for and against the one in view, and the decision."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.lesson.spans import show_time
from views.common.controls import page_button, scrolling, text_label
from views.common.words import count_words
from views.learner.items import Item
from views.learner.marks import EventState
from views.learner.reasons import reasons_words
from views.learner.words import STATE_WORDS
from views.timeline.view import single_shot

SIGNS = {
    EventState.SUGGESTED: "?",
    EventState.CONFIRMED: "✓",
    EventState.ADJUSTED: "✓",
    EventState.DISMISSED: "✗",
    EventState.ADDED: "+",
}
NO_EVENT = "No event is picked. N goes to the next one that waits; B begins one of your own."
NOTHING_FOUND = (
    "No reader found confusion where the face can be seen. That is no proof that there was none: "
    "B begins an event that they missed."
)
LIST_LINES = 3
NOTE_PAUSE_MS = 600
"""A note is handed on this long after the last key."""


class EventList(QListWidget):
    """The events in order of time; the arrow keys go through them.

    Signals:
        event_picked: The name of the event a person went to.
    """

    event_picked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Events")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrap(True)
        self._is_filling = False
        self.currentRowChanged.connect(self._picked)

    def show_items(self, items: Sequence[Item], picked: str) -> None:
        """List events; the picked one stays so."""
        self._is_filling = True
        self.clear()
        for number, item in enumerate(items, 1):
            row = QListWidgetItem(item_words(item, number))
            row.setData(Qt.ItemDataRole.UserRole, item.event_id)
            row.setData(Qt.ItemDataRole.AccessibleTextRole, spoken_words(item, number))
            self.addItem(row)
            if item.event_id == picked:
                self.setCurrentItem(row)
        self._is_filling = False

    def pick(self, event_id: str) -> None:
        """Move to an event without telling of it."""
        self._is_filling = True
        for place in range(self.count()):
            if self.item(place).data(Qt.ItemDataRole.UserRole) == event_id:
                self.setCurrentRow(place)
        if not event_id:
            self.setCurrentRow(-1)
        self._is_filling = False

    def minimumSizeHint(self) -> QSize:
        """Keep a few lines in view."""
        return QSize(120, LIST_LINES * (self.fontMetrics().height() + 4))

    def _picked(self, place: int) -> None:
        row = self.item(place) if place >= 0 else None
        if row is not None and not self._is_filling:
            self.event_picked.emit(str(row.data(Qt.ItemDataRole.UserRole)))


class LearnerSide(QWidget):
    """Takes the decision on the event in view; says what was pressed, decides nothing itself.

    Signals:
        confirmed: Confusion shows there.
        dismissed: None shows there.
        note_kept: The note is to be kept with what stands.
        note_typed: The typing of a note has paused.
    """

    confirmed = Signal()
    dismissed = Signal()
    note_kept = Signal()
    note_typed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._without = NO_EVENT
        self._count = text_label(bold=True)
        self.events = EventList()
        self._head = text_label(bold=True)
        self._reasons = text_label()
        self.now = text_label()
        self.note = QLineEdit()
        self._pause = single_shot(self, NOTE_PAUSE_MS, self.note_typed.emit)
        self.confirm = page_button("Confirm", "Confusion shows here", "A")
        self.dismiss = page_button("Dismiss", "No confusion shows here", "X")
        self.start = page_button("Start here", "The event starts at the playhead", "[")
        self.end = page_button("End here", "The event ends at the playhead", "]")
        self.add = page_button("Begin event", "Begin an event of your own at the playhead", "B")
        self.next = page_button("Next", "Go to the event most worth a look", "N")
        self.next.setAccessibleName("Next uncertain event")
        self._on_event = (self.confirm, self.dismiss, self.start, self.end, self.note)
        self._set_up()
        self._lay_out()
        self.show_item(None)

    def show_items(self, items: Sequence[Item], picked: str, without: str = NO_EVENT) -> None:
        """List the events and count them; `without` is said while none is picked."""
        self._count.setText(counted_words(items))
        self._without = without
        self.events.show_items(items, picked)
        self.next.setEnabled(any(item.waits for item in items))

    def show_item(self, item: Item | None, note: str = "") -> None:
        """Show one event, first what speaks for and against it, and the note on it."""
        for widget in self._on_event:
            widget.setEnabled(item is not None)
        if item is None:
            self._head.setText("")
            self._reasons.setText(self._without)
            self.forget_typing()
            return
        self._head.setText(head_words(item))
        self._reasons.setText(reasons_words(item))
        if not self._pause.isActive() and self.note.text().strip() != note:
            self.note.setText(note)
        self.confirm.setEnabled(not item.stands)
        self.dismiss.setEnabled(item.state is not EventState.DISMISSED)

    def forget_typing(self) -> None:
        """Empty the note, before another event comes into view."""
        self._pause.stop()
        self.note.clear()

    def show_beginning(self, at_ms: int | None) -> None:
        """Say whether an event of one's own was begun, and where."""
        words = "Begin event" if at_ms is None else f"End event begun at {show_time(at_ms)}"
        self.add.setText(words)
        self.add.setAccessibleName(words)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of text."""
        if event.type() is QEvent.Type.FontChange:
            self.events.updateGeometry()
        super().changeEvent(event)

    def _set_up(self) -> None:
        self.note.setPlaceholderText("Note on this event")
        self.note.setAccessibleName("Note on this event")
        self.note.setToolTip("Kept with your decision (Ctrl+Enter goes here, Enter keeps it)")
        self.now.setAccessibleName("Under the playhead")
        self.confirm.clicked.connect(self.confirmed)
        self.dismiss.clicked.connect(self.dismissed)
        self.note.returnPressed.connect(self._pause.stop)
        self.note.returnPressed.connect(self.note_kept)
        self.note.textEdited.connect(self._pause.start)

    def _lay_out(self) -> None:
        inside = QWidget()
        told = QVBoxLayout(inside)
        told.setContentsMargins(0, 0, 0, 0)
        for label in (self._head, self._reasons, self.now):
            told.addWidget(label)
        told.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 0, 0, 0)
        column.setSpacing(5)
        column.addWidget(self._count)
        column.addWidget(self.events, 1)
        column.addWidget(scrolling(inside, "The event in view", by_keys=True), 2)
        column.addWidget(self.note)
        for pair in ((self.confirm, self.dismiss), (self.start, self.end), (self.add, self.next)):
            row = QHBoxLayout()
            for made in pair:
                row.addWidget(made, 1)
            column.addLayout(row)


def counted_words(items: Sequence[Item]) -> str:
    """Write how many events there are of each kind: `2 wait for you, 1 yours, 1 dismissed`."""
    waiting = sum(item.waits for item in items)
    own = sum(item.stands for item in items)
    gone = len(items) - waiting - own
    parts = [f"{waiting} {'waits' if waiting == 1 else 'wait'} for you"] if waiting else []
    parts += [f"{own} confirmed or added"] if own else []
    parts += [f"{gone} dismissed"] if gone else []
    return f"{count_words(len(items), 'event')}: {', '.join(parts)}" if parts else "No events"


def item_words(item: Item, number: int) -> str:
    """Write an event for the list: `? 3  0:12.0–0:18.0  face-cues/1`."""
    span = f"{show_time(item.start_ms, tenths=True)}–{show_time(item.end_ms, tenths=True)}"
    who = item.reader if item.waits else item.author
    return f"{SIGNS[item.state]}  {number}   {span}   {who}".rstrip()


def spoken_words(item: Item, number: int) -> str:
    """Write an event as a screen reader says it, without signs."""
    start, end = (show_time(t, tenths=True) for t in (item.start_ms, item.end_ms))
    return f"Event {number}, {start} to {end}, {STATE_WORDS[item.state]}, {item.reader}".rstrip(
        ", "
    )


def head_words(item: Item) -> str:
    """Write what the event in view is and whose word stands on it."""
    start, end = (show_time(t, tenths=True) for t in (item.start_ms, item.end_ms))
    length = (item.end_ms - item.start_ms) / 1000
    state = STATE_WORDS[item.state]
    who = f" by {item.author}" if item.author else ""
    return f"{start} to {end} ({length:.1f} s): {state}{who}"
