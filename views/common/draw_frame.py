"""The frame of a page on which people score what was drawn: the draws, and the views on one."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from views.common.controls import page_button, text_label
from views.common.widgets import EmptyState


class DrawFrame(QStackedWidget):
    """Shows the views on the draw chosen, or what comes before there is one.

    Args:
        empty: Says what comes first.
        views: On a draw, by the words on their tabs.
        named: What a screen reader calls the list of draws, and the tabs.
        new_tip: What making another draw does.
    """

    def __init__(
        self, empty: EmptyState, views: Mapping[str, QWidget], named: tuple[str, str], new_tip: str
    ) -> None:
        super().__init__()
        self.empty = empty
        self.draws, self.tabs = QComboBox(), QTabWidget()
        self.new = page_button("New draw…", new_tip)
        self.who = text_label()
        self.draws.setAccessibleName(named[0])
        self.draws.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName(named[1])
        for words, view in views.items():
            self.tabs.addTab(view, words)
        head = QHBoxLayout()
        head.addWidget(self.draws)
        head.addWidget(self.new)
        head.addWidget(self.who, 1)
        work = QWidget()
        on_work = QVBoxLayout(work)
        on_work.setContentsMargins(0, 0, 0, 0)
        on_work.addLayout(head)
        on_work.addWidget(self.tabs, 1)
        self.addWidget(empty)
        self.addWidget(work)

    def show_work(self, *, on: bool) -> None:
        """Show the views, or what comes first."""
        self.setCurrentIndex(int(on))

    def bring(self, reason: Qt.FocusReason) -> None:
        """Put the keyboard on the view in front, or on what is offered first."""
        if self.currentIndex():
            self.tabs.currentWidget().setFocus(reason)
        else:
            self.empty.focusNextChild()
