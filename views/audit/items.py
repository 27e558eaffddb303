"""The item-review page: people read what an audit asks, and say what may stay."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app.audit.bank import STARTER
from app.audit.bringing_in import BankDraft
from app.audit.records import Verdict
from app.audit.reviewing_items import mark_of_items
from app.benchmark.problems import TableRefused
from app.errors import Cancelled, ClerestoryError
from views.audit.item_lines import item_lines
from views.audit.items_list import ItemsList
from views.audit.sheet import Sheet, head, quote, text
from views.background import Background, Job, Lane
from views.common.controls import page_button, text_label, view_action
from views.common.words import count_words

if TYPE_CHECKING:
    from app.desk import Desk

BUTTONS = (
    (Verdict.KEEP, "Keep", "K"),
    (Verdict.REVISE, "Revise", "R"),
    (Verdict.DROP, "Drop", "D"),
)
ASK_WHY = {
    Verdict.REVISE: "What should change? Enter marks it.",
    Verdict.DROP: "Why should it go? Enter marks it.",
}
WHY = "Why, or what should change (kept with your name)"
WHO = ("Who reviews?", "Say who you are at the bottom of the window (Ctrl+U).")
ALL_DONE = ("Every item in this list has been reviewed.", "Choose other items, or another bank.")
NOTHING_KEPT = (
    "Put these right in the file and bring it in again. README-audit.md says what stands in each "
    "column; “clerestory audit import” can also leave single items out. Escape leads back to the "
    "item."
)
FILES = "Items (*.csv *.tsv *.jsonl *.json);;All files (*)"


class ItemReviewPage(QWidget):
    """Shows each item of a bank whole, and keeps what people say of it.

    Args:
        desk: The library, and who sits here.
        background: Brings in and writes out.

    Signals:
        reviewed: Somebody said something of an item, or items were brought in.
        told: Something to tell: message and hint.
        trouble: An error to tell.
    """

    reviewed = Signal()
    told = Signal(str, str)
    trouble = Signal(object)

    def __init__(self, desk: Desk, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._background = desk, background
        self._pending: Verdict | None = None
        """What is said once it is written why."""
        self._drafts: dict[str, str] = {}
        """Words typed and not kept, by the item's id."""
        self._typed_for = ""
        self.banks = QComboBox()
        self.bring = page_button("Bring in…", "Bring in items from a file, with rubrics if need be")
        self.write = page_button("Write out…", "Write all items of the bank into a folder")
        self._mark = text_label()
        self.items = ItemsList()
        self.sheet = Sheet("The item chosen")
        self.why = QLineEdit()
        self.buttons = {
            verdict: page_button(f"{words} ({key})", f"Say “{words.lower()}” and go on", key)
            for verdict, words, key in BUTTONS
        }
        self.next = page_button("Next (N)", "Go to the next item that nobody reviewed", "N")
        self.next.setAccessibleName("Next item not reviewed")
        self._lay_out()
        self._connect()
        self.actions_in_menu = self._make_actions()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the list."""
        self.items.setFocus(event.reason())

    def refresh(self) -> None:
        """Bring the page up to date: it comes into view, or somebody else sits here."""
        try:
            self._list_banks()
            self._show_bank()
        except ClerestoryError as error:
            self.trouble.emit(error)

    def leave(self) -> None:
        """Nothing runs here that would have to stand still."""

    def say(self, verdict: Verdict) -> None:
        """Keep what the person says of the item in view and go on, or ask first why."""
        shown, words = self.items.shown, self.why.text().strip()
        if shown is None or not self.why.isEnabled():
            return
        if not self._desk.author:
            self.told.emit(*WHO)
            return
        if verdict is not Verdict.KEEP and not words:
            self._pending = verdict
            self.why.setPlaceholderText(ASK_WHY[verdict])
            self.why.setFocus()
            return
        try:
            after = self._desk.items.say(shown.item, verdict, self._desk.author, words)
        except ClerestoryError as error:
            self.trouble.emit(error)
            return
        self._drafts.pop(shown.item.item_id, None)
        self._typed_for = ""
        self.items.update_item(after)
        self.reviewed.emit()
        self._say_mark()
        if shown.latest is None:
            self.go_on()
        # Who changed an earlier word sees what came of it; nothing else is chosen then.
        self._show_item()
        self.items.setFocus()

    def go_on(self) -> None:
        """Go to the next item that nobody reviewed."""
        if not self.items.to_next_open():
            self.told.emit(*ALL_DONE)

    def bring_in(self, items: Path, rubrics: Path | None) -> None:
        """Bring in a file of items, and show them."""
        job = Job(f"Bring in {items.name}", Lane.FILES)
        work = partial(_bring_in, self._desk, items, rubrics)
        self._background.start(job, work, self._came, self._failed)

    def write_out(self, folder: Path) -> None:
        """Write the bank in view into a folder."""
        job = Job("Write out items", Lane.FILES)
        work = partial(_write_out, self._desk, self.banks.currentData(), folder)
        told = f"The items are saved to {folder}."
        self._background.start(job, work, lambda _files: self.told.emit(told, ""), self._failed)

    def _came(self, found: tuple[str, BankDraft]) -> None:
        digest, draft = found
        self._list_banks()
        self.banks.setCurrentIndex(self.banks.findData(digest))
        self._show_bank()
        self.reviewed.emit()
        came = count_words(len(draft.bank.items), "item")
        self.told.emit(f"{came} came in as “{draft.name}”.", " ".join(draft.notes))

    def _failed(self, error: Exception) -> None:
        if isinstance(error, TableRefused):
            # A notice has no room for hundreds of lines, and they are to be copied.
            lines = [quote(str(problem)) for problem in error.problems]
            self.sheet.show_lines([head(error.message), text(NOTHING_KEPT), *lines])
            self._allow(False)
            self.sheet.setFocus()
            self.told.emit(error.message, "All of it is listed beside the items.")
        elif not isinstance(error, Cancelled):
            self.trouble.emit(error)

    def _ask_to_bring_in(self) -> None:
        title = "Items; choose a file of rubrics with them if there is one"
        chosen, _ = QFileDialog.getOpenFileNames(self, title, "", FILES)
        paths = sorted(map(Path, chosen), key=_is_rubrics)
        if len(paths) > 2 or (len(paths) == 2 and not _is_rubrics(paths[1])):
            self.told.emit(
                "One file of items comes in at a time.",
                "A file of rubrics beside it has “rubric” in its name.",
            )
        elif paths:
            self.bring_in(paths[0], paths[1] if len(paths) == 2 else None)

    def _ask_to_write_out(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, "Folder for the items and their rubrics")
        if folder:
            self.write_out(Path(folder))

    def _list_banks(self) -> None:
        starter = self._desk.items.starter()
        rows = sorted(self._desk.items.banks(), key=lambda row: row.digest != starter)
        chosen = self.banks.currentData()
        self.banks.blockSignals(True)
        self.banks.clear()
        for row in rows:
            name = row.name if row.name != STARTER else "Starter items"
            older = row.name == STARTER and row.digest != starter
            day = f", as of {row.added_at[:10]}" if older else ""
            self.banks.addItem(f"{name}{day} ({row.items})", row.digest)
        self.banks.setCurrentIndex(max(self.banks.findData(chosen), 0))
        self.banks.blockSignals(False)

    def _show_bank(self) -> None:
        self.items.show_items(self._desk.items.standings(self.banks.currentData()))
        self._say_mark()

    def _say_mark(self) -> None:
        mark = mark_of_items(self.items.standings)
        author = self._desk.author
        who = f"You review as {author}." if author else " ".join(WHO)
        self._mark.setText(f"{mark[:1].upper()}{mark[1:]}. {who}" if mark else who)

    def _show_item(self) -> None:
        shown = self.items.shown
        self._keep_draft(shown.item.item_id if shown else "")
        self._allow(shown is not None)
        if shown is None:
            self.sheet.show_lines([text("No item fits what you chose above the list.")])
            return
        try:
            bank = self._desk.library.audits.bank(self.banks.currentData())
            self.sheet.show_lines(item_lines(shown, bank.rubrics.get(shown.item.group)))
        except ClerestoryError as error:
            self.trouble.emit(error)

    def _allow(self, may_say: bool) -> None:
        """Let words be said only of an item that can be read."""
        for widget in (*self.buttons.values(), self.why):
            widget.setEnabled(may_say)

    def _keep_draft(self, item_id: str) -> None:
        """Put away what was typed for the item before, and take out what was typed for this one."""
        if self._typed_for:
            self._drafts[self._typed_for] = self.why.text()
        self._typed_for, self._pending = item_id, None
        self.why.setText(self._drafts.get(item_id, ""))
        self.why.setPlaceholderText(WHY)

    def _enter(self) -> None:
        if self._pending is not None and self.why.text().strip():
            self.say(self._pending)
        else:
            self.items.setFocus()

    def _back_to_list(self) -> None:
        if self.why.isEnabled():
            self._pending = None
            self.why.setPlaceholderText(WHY)
        else:
            self._show_item()
        self.items.setFocus()

    def _scroll(self, pages: int) -> None:
        bar = self.sheet.verticalScrollBar()
        bar.setValue(bar.value() + pages * bar.pageStep())

    def _lay_out(self) -> None:
        self.banks.setAccessibleName("Bank of items")
        self.banks.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.banks.setMinimumContentsLength(18)
        self.why.setAccessibleName("Why, or what should change")
        self.why.setPlaceholderText(WHY)
        self.why.setMaxLength(2000)
        top, said = QHBoxLayout(), QHBoxLayout()
        for widget in (self.banks, self.bring, self.write):
            top.addWidget(widget)
        top.addWidget(self._mark, 1)
        for button in (*self.buttons.values(), self.next):
            said.addWidget(button)
        said.addStretch()
        right = QWidget()
        on_right = QVBoxLayout(right)
        on_right.setContentsMargins(4, 0, 0, 0)
        on_right.addWidget(self.sheet, 1)
        on_right.addWidget(self.why)
        on_right.addLayout(said)
        both = QSplitter(Qt.Orientation.Horizontal)
        both.setChildrenCollapsible(False)
        for part, width in ((self.items, 240), (right, 380)):
            part.setMinimumWidth(width)
            both.addWidget(part)
        both.setSizes([300, 600])
        both.setStretchFactor(1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 6, 8, 6)
        column.addLayout(top)
        column.addWidget(both, 1)

    def _connect(self) -> None:
        self.banks.activated.connect(lambda _place: self.refresh())
        self.bring.clicked.connect(self._ask_to_bring_in)
        self.write.clicked.connect(self._ask_to_write_out)
        self.items.chosen.connect(self._show_item)
        self.why.returnPressed.connect(self._enter)
        for verdict, button in self.buttons.items():
            button.clicked.connect(partial(self.say, verdict))
        self.next.clicked.connect(self.go_on)

    def _make_actions(self) -> list[QAction | None]:
        made = partial(view_action, self)
        return [
            *(made(f"{words} the item", partial(self.say, v), key) for v, words, key in BUTTONS),
            made("Next item not reviewed", self.go_on, "N"),
            made("Item before", partial(self.items.step, -1), "P"),
            made("Read on", partial(self._scroll, 1), "Ctrl+Down"),
            made("Read back", partial(self._scroll, -1), "Ctrl+Up"),
            made("Write why", self.why.setFocus, "Ctrl+Return"),
            made("Back to the list", self._back_to_list, "Esc"),
            None,
            made("Bring in items…", self._ask_to_bring_in),
            made("Write out items…", self._ask_to_write_out),
        ]


def _is_rubrics(path: Path) -> bool:
    return "rubric" in path.name.lower()


def _bring_in(
    desk: Desk, items: Path, rubrics: Path | None, _report: Any, _stop: Any
) -> tuple[str, BankDraft]:
    return desk.items.bring_in(items, rubrics=rubrics)


def _write_out(desk: Desk, digest: str, folder: Path, _report: Any, _stop: Any) -> list[Path]:
    return desk.items.write_out(digest, folder)
