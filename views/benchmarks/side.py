"""The left side of the Benchmarks page: which set, what to look at, what can be done."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.benchmark.records import CodedSet
from views.benchmarks.results import VIEWS
from views.common.controls import page_button
from views.common.words import count_words


class SetsSide(QWidget):
    """Lists sets and views.

    Signals:
        set_chosen: The number of a set.
        view_chosen: Key of a view.
        bring_in_wanted, run_wanted, write_wanted: What the buttons offer.
    """

    set_chosen = Signal(int)
    view_chosen = Signal(str)
    bring_in_wanted = Signal()
    run_wanted = Signal()
    write_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sets, self.views = QListWidget(), QListWidget()
        self.sets.setAccessibleName("Sets of coded clips")
        self.sets.setWordWrap(True)
        self.views.setAccessibleName("What to look at")
        for key, name in VIEWS:
            item = QListWidgetItem(name)
            item.setData(Qt.ItemDataRole.UserRole, key)
            self.views.addItem(item)
        self.views.setCurrentRow(0)
        self.bring_in = page_button(
            "Bring in a folder…", "Coded clips: a table clips.csv, .json or .jsonl, and its files"
        )
        self.run = page_button("Run coders…", "Choose who codes these clips; the plan comes first")
        self.write = page_button("Write results…", "PDF, CSV, JSON and logs for Inspect")
        self.sets.currentItemChanged.connect(self._choose_set)
        self.views.currentItemChanged.connect(self._choose_view)
        self.bring_in.clicked.connect(self.bring_in_wanted)
        self.run.clicked.connect(self.run_wanted)
        self.write.clicked.connect(self.write_wanted)
        self._lay_out()
        self.fit_text()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to what is looked at."""
        self.views.setFocus(event.reason())

    def show_sets(self, sets: Sequence[CodedSet], chosen: int) -> None:
        """List other sets; nothing is told of the choice."""
        self.sets.blockSignals(True)
        self.sets.clear()
        for coded in sets:
            item = QListWidgetItem(set_words(coded))
            item.setData(Qt.ItemDataRole.UserRole, coded.set_id)
            item.setToolTip(coded.folder)
            self.sets.addItem(item)
            if coded.set_id == chosen:
                self.sets.setCurrentItem(item)
        self.sets.blockSignals(False)
        for made in (self.run, self.write):
            made.setEnabled(bool(sets))

    def show_view(self, key: str) -> None:
        """Choose a view."""
        self.views.setCurrentRow([k for k, _ in VIEWS].index(key))

    def fit_text(self) -> None:
        """Make room for larger text."""
        metrics = self.views.fontMetrics()
        self.setFixedWidth(metrics.horizontalAdvance("What could not run at all") + 40)
        self.sets.setFixedHeight(metrics.lineSpacing() * 7)

    def _choose_set(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.set_chosen.emit(int(item.data(Qt.ItemDataRole.UserRole)))

    def _choose_view(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.view_chosen.emit(str(item.data(Qt.ItemDataRole.UserRole)))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 4, 0)
        column.addWidget(_label("&Sets of coded clips", self.sets))
        column.addWidget(self.sets)
        column.addWidget(self.bring_in)
        column.addWidget(_label("&What to look at", self.views))
        column.addWidget(self.views, 1)
        column.addWidget(self.run)
        column.addWidget(self.write)


def set_words(coded: CodedSet) -> str:
    """Name a set with its counts."""
    clips = count_words(len(coded.clips), "clip")
    return f"{coded.name}\n{clips} in {count_words(len(coded.lesson_ids), 'lesson')}"


def _label(text: str, of: QWidget) -> QLabel:
    label = QLabel(text)
    label.setBuddy(of)
    return label
