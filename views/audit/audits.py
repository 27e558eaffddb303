"""The audits of the library, and what was settled for the one chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from app.audit.outlook import Progress
from app.audit.planted_seen import seen_in_words
from app.audit.records import Audit, AuditPlan
from views.audit.opened import Opened, far_words
from views.audit.sheet import Sheet, head, strong, text
from views.audit.words import day_words, marks, settled_words
from views.common.controls import page_button, text_label
from views.common.widgets import EmptyState

NO_AUDITS = (
    "No audit yet",
    "An audit asks a tutor what it would say in scenes from lessons with autistic children, with "
    "and without pressure, watched and unwatched, and has judges score each response. Choose the "
    "tutor, the judges and the thresholds first; you see what it takes before anything is asked. "
    "“Add the sample audit” in the Audit menu shows what comes of one.",
    "New audit…",
)


class AuditsView(QWidget):
    """Lists audits.

    Signals:
        audit_chosen: The number of an audit.
        new_wanted, self_check_wanted, go_on_wanted, write_wanted, compare_wanted: What the buttons
            offer.
        results_wanted: Likewise, and by Enter on the list.
    """

    audit_chosen = Signal(int)
    new_wanted = Signal()
    self_check_wanted = Signal()
    go_on_wanted = Signal()
    write_wanted = Signal()
    compare_wanted = Signal()
    results_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown_id = 0
        self.list = QListWidget()
        self.list.setAccessibleName("Audits")
        self.list.setWordWrap(True)
        self.list.setSpacing(2)
        self.sheet = Sheet("What was settled")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("How far this audit is")
        self._far = text_label()
        self.new = page_button("New audit…", "Choose tutor, judges, items and gates")
        self.self_check = page_button(
            "Self-check…", "Put planted bad tutors before judges: would they be seen?"
        )
        self.go_on = page_button("Go on…", "Ask what is still missing of this audit")
        self.results = page_button("Results", "What came of it so far", "Enter")
        self.write = page_button("Write report…", "PDF for a meeting, tables, logs for Inspect")
        self.compare = page_button("Compare…", "Set it beside another version of the tutor")
        self._empty = EmptyState(*NO_AUDITS)
        self._pages = QStackedLayout(self)
        self._lay_out()
        self._connect()
        self.show_audits((), 0)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the list, or to the first step."""
        target = self.list if self.list.count() else self._empty
        target.setFocus(event.reason())

    def show_audits(self, audits: Sequence[Audit], chosen: int) -> None:
        """List other audits, the newest first; nothing is told of the choice."""
        self.list.blockSignals(True)
        self.list.clear()
        for audit in sorted(audits, key=lambda audit: -audit.audit_id):
            item = QListWidgetItem(audit_words(audit))
            item.setData(Qt.ItemDataRole.UserRole, audit.audit_id)
            self.list.addItem(item)
            if audit.audit_id == chosen:
                self.list.setCurrentItem(item)
        self.list.blockSignals(False)
        self.compare.setEnabled(len(audits) > 1)
        self._pages.setCurrentIndex(1 if audits else 0)

    def show_opened(self, opened: Opened) -> None:
        """Show what was settled for an audit; how far it is comes after."""
        plan = opened.audit.plan
        if opened.audit.audit_id != self._shown_id:
            self._shown_id = opened.audit.audit_id
            self._show_far("Looking how far this audit is…", 0, 1)
            for button in (self.go_on, self.write):
                button.setEnabled(False)
        told = [strong(mark) for mark in marks(plan, opened.mark)]
        settled = settled_words(opened.audit, opened.bank).splitlines()
        told += [text(f"{one.judge}: {seen_in_words(one)}") for one in opened.seen]
        self.sheet.show_lines([head(plan.title), *told, *map(text, settled)])

    def show_progress(self, plan: AuditPlan, progress: Progress) -> None:
        """Show how far an audit is."""
        there = progress.checks + progress.responses + progress.scorings
        wanted = progress.checks_wanted + progress.responses_wanted + progress.scorings_wanted
        self._show_far(far_words(progress), min(there, wanted), max(wanted, 1))
        self.go_on.setEnabled(not progress.is_complete and not plan.is_sample)
        self.write.setEnabled(bool(progress.responses))

    def _show_far(self, told: str, there: int, wanted: int) -> None:
        self.bar.setMaximum(wanted)
        self.bar.setValue(there)
        self.bar.setAccessibleDescription(told)
        self._far.setText(told)

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.audit_chosen.emit(int(item.data(Qt.ItemDataRole.UserRole)))

    def _connect(self) -> None:
        self.list.currentItemChanged.connect(self._choose)
        self.list.itemActivated.connect(self.results_wanted)
        self._empty.asked.connect(self.new_wanted)
        self.new.clicked.connect(self.new_wanted)
        self.self_check.clicked.connect(self.self_check_wanted)
        self.go_on.clicked.connect(self.go_on_wanted)
        self.results.clicked.connect(self.results_wanted)
        self.write.clicked.connect(self.write_wanted)
        self.compare.clicked.connect(self.compare_wanted)

    def _lay_out(self) -> None:
        left = QVBoxLayout()
        first = QHBoxLayout()
        first.addWidget(self.new, 1)
        first.addWidget(self.self_check, 1)
        left.addLayout(first)
        left.addWidget(self.list, 1)
        buttons = QHBoxLayout()
        for made in (self.results, self.go_on, self.write, self.compare):
            buttons.addWidget(made)
        buttons.addStretch()
        right = QVBoxLayout()
        right.addWidget(self.sheet, 1)
        right.addWidget(self._far)
        right.addWidget(self.bar)
        right.addLayout(buttons)
        inside = QWidget()
        row = QHBoxLayout(inside)
        row.setContentsMargins(0, 6, 0, 0)
        row.addLayout(left, 2)
        row.addLayout(right, 3)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(inside)


def audit_words(audit: Audit) -> str:
    """Name an audit in a list, with what it must not be taken for."""
    plan = audit.plan
    kind = "sample, no real model" if plan.is_sample else ""
    kind = kind or ("self-check, planted tutor" if plan.is_self_check else "")
    judges = ", ".join(judge.name for judge in plan.judges) or "no judge"
    told = f"{plan.title}\n{plan.tutor.name} – judged by {judges}\n{day_words(audit.made_at)}"
    return f"{told} – {kind}" if kind else told
