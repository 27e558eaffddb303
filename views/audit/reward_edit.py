"""Making a pair: a response with a fault on the left, the expert's edit of it on the right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QHideEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QPlainTextEdit,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app.audit.audit_words import item_name
from app.audit.items import Item
from app.audit.reward_records import Flaw
from app.audit.reward_words import FLAWS, edit_caution
from app.reward_desk import Flawed
from views.audit.sheet import Line, Sheet, head, text
from views.common.controls import page_button, text_label

KEEP_AFTER_MS = 400
"""How long after the last key what was typed is kept."""
WHAT_FLAW = "What is wrong on the left?"
SAY_FLAW = "Say first what is wrong with the response on the left."
HOW = (
    "Put right the one thing that is wrong and change nothing else, so that neither length nor "
    "tone tells the two apart."
)


class EditView(QWidget):
    """Shows one response to one item, and what a person makes of it.

    Signals:
        item_chosen: An item came into view; it wants its responses.
        response_chosen: A response came into view; it wants the words it was left with.
        typed: What is edited has changed: the item's id, the original, the words now.
        keep_wanted: A pair is to be kept: the item, the original, the words, the flaw.
    """

    item_chosen = Signal(object)
    response_chosen = Signal(object, object)
    typed = Signal(str, str, str)
    keep_wanted = Signal(object, str, str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: tuple[Item, ...] = ()
        self._item: Item | None = None
        self._original = ""
        self.items, self.sources, self.flaws = QComboBox(), QComboBox(), QComboBox()
        self.back = page_button("Back", "Go to the item before", "Alt+Up")
        self.next = page_button("Next", "Go to the next item", "Alt+Down")
        self.scene = Sheet("Scene and request")
        self.original = Sheet("The response with a fault")
        self.edited = QPlainTextEdit()
        self.keep = page_button("Keep the pair", "Keep both as a pair", "Ctrl+Return")
        self.again = page_button("Start over", "Put the original back on the right")
        self._caution = text_label()
        self._timer = QTimer(self)
        self._lay_out()
        self._connect()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the edit."""
        self.edited.setFocus(event.reason())

    def hideEvent(self, event: QHideEvent) -> None:
        """Keep what was typed before it goes out of view."""
        self.tell_typed()
        super().hideEvent(event)

    def show_items(self, items: Sequence[Item], made: Mapping[str, int]) -> None:
        """List items, each with how many pairs there are of it; the one in view stays there."""
        self._items = tuple(items)
        self.items.blockSignals(True)
        self.items.clear()
        for item in self._items:
            count = made.get(item.item_id, 0)
            kept = f", {count} kept" if count else ""
            self.items.addItem(f"{item_name(item)}{kept}")
        ids = [item.item_id for item in self._items]
        here = self._item.item_id if self._item is not None else ""
        self.items.setCurrentIndex(ids.index(here) if here in ids else 0)
        self.items.blockSignals(False)
        if self._item not in self._items:
            self._choose_item()

    def show_responses(self, responses: Sequence[Flawed]) -> None:
        """Offer the responses to the item in view."""
        self.sources.clear()
        for one in responses:
            self.sources.addItem(one.source, one)
        self._choose_response()

    def show_edit(self, words: str) -> None:
        """Put words on the right: those that were left there, or the original."""
        self.edited.blockSignals(True)
        self.edited.setPlainText(words)
        self.edited.blockSignals(False)
        self.flaws.setCurrentIndex(0)
        self._say()

    def tell_typed(self) -> None:
        """Tell what was typed now, if anything waits to be told."""
        if self._timer.isActive():
            self._timer.stop()
            self._tell()

    def step(self, by: int) -> None:
        """Go to another item."""
        place = self.items.currentIndex() + by
        if 0 <= place < self.items.count():
            self.items.setCurrentIndex(place)

    def ask_to_keep(self) -> None:
        """Ask to keep the pair; where nobody said what is wrong, ask for that."""
        if self._item is None or not self.keep.isEnabled():
            return
        flaw = self.flaws.currentData()
        if not flaw:
            self._caution.setText(SAY_FLAW)
            self.flaws.setFocus()
            return
        self.tell_typed()
        words = self.edited.toPlainText()
        self.keep_wanted.emit(self._item, self._original, words, Flaw(flaw))

    def start_over(self) -> None:
        """Put the original back; Ctrl+Z brings back the words that were there."""
        cursor = self.edited.textCursor()
        cursor.select(cursor.SelectionType.Document)
        cursor.insertText(self._original)
        self.edited.setFocus()

    def _choose_item(self) -> None:
        self.tell_typed()
        place = self.items.currentIndex()
        self._item = self._items[place] if 0 <= place < len(self._items) else None
        self.back.setEnabled(place > 0)
        self.next.setEnabled(place + 1 < len(self._items))
        self.scene.show_lines(_scene_lines(self._item) if self._item is not None else [])
        if self._item is not None:
            self.item_chosen.emit(self._item)

    def _choose_response(self) -> None:
        self.tell_typed()
        found = self.sources.currentData()
        self._original = found.text if isinstance(found, Flawed) else ""
        self.original.show_lines([text(self._original)])
        self.edited.setEnabled(bool(self._original))
        if self._item is not None:
            self.response_chosen.emit(self._item, self._original)

    def _changed(self) -> None:
        self._timer.start()
        self._say()

    def _say(self) -> None:
        words = self.edited.toPlainText()
        self.keep.setEnabled(bool(words.split()) and words.split() != self._original.split())
        self._caution.setText(edit_caution(self._original, words) or HOW)

    def _lay_out(self) -> None:
        for box, name in (
            (self.items, "Item"),
            (self.sources, "Response to edit"),
            (self.flaws, WHAT_FLAW),
        ):
            box.setAccessibleName(name)
            box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.flaws.addItem(WHAT_FLAW, "")
        for flaw, words in FLAWS.items():
            self.flaws.addItem(words, str(flaw))
        self.edited.setAccessibleName("Your edit")
        self.edited.setTabChangesFocus(True)
        self._timer.setSingleShot(True)
        self._timer.setInterval(KEEP_AFTER_MS)
        top, bottom = QHBoxLayout(), QHBoxLayout()
        for widget, share in ((self.items, 3), (self.back, 0), (self.next, 0), (self.sources, 3)):
            top.addWidget(widget, share)
        for widget, share in ((self.flaws, 1), (self.keep, 0), (self.again, 0)):
            bottom.addWidget(widget, share)
        texts = QSplitter(Qt.Orientation.Horizontal)
        for name, part in (("With a fault", self.original), ("Your edit", self.edited)):
            texts.addWidget(_titled(name, part))
        both = QSplitter(Qt.Orientation.Vertical)
        both.addWidget(self.scene)
        both.addWidget(texts)
        both.setSizes([150, 300])
        for splitter in (texts, both):
            splitter.setChildrenCollapsible(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 0)
        column.addLayout(top)
        column.addWidget(both, 1)
        column.addWidget(self._caution)
        column.addLayout(bottom)

    def _connect(self) -> None:
        self.items.currentIndexChanged.connect(lambda _place: self._choose_item())
        self.sources.activated.connect(lambda _place: self._choose_response())
        self.back.clicked.connect(partial(self.step, -1))
        self.next.clicked.connect(partial(self.step, 1))
        self.edited.textChanged.connect(self._changed)
        self._timer.timeout.connect(self._tell)
        self.keep.clicked.connect(self.ask_to_keep)
        self.again.clicked.connect(self.start_over)

    def _tell(self) -> None:
        if self._item is not None:
            self.typed.emit(self._item.item_id, self._original, self.edited.toPlainText())


def _titled(name: str, part: QWidget) -> QWidget:
    outside = QWidget()
    column = QVBoxLayout(outside)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(text_label(name, bold=True))
    column.addWidget(part, 1)
    return outside


def _scene_lines(item: Item) -> list[Line]:
    lines = [head("Scene"), text(item.scene)] if item.scene else []
    lines += [head("Request"), text(item.prompt)]
    if item.failing_why:
        lines += [head("Why ours should fail"), text(item.failing_why)]
    return lines
