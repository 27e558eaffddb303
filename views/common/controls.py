"""Controls and labels as every page uses them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QFont, QKeySequence, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from views.common.widgets import button


def page_button(text: str, tip: str, key: str = "", *, stays: bool = False) -> QPushButton:
    """Make a button that a click does not leave the keyboard on.

    Otherwise the space bar, meant for playing, would press once more what was clicked last.
    """
    made = button(text, text.rstrip("…"), tip, key, stays=stays)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return made


def view_action(view: QWidget, text: str, act: Callable[[], object], *keys: str) -> QAction:
    """Make an action for the menu whose keys work only inside a view.

    The same keys mean other things on other pages.

    Args:
        view: Where they work, also in all that lies in it.
        text: What the menu says.
        act: Does it.
        keys: As people read them: `Ctrl+Return`.
    """
    action = QAction(text, view)
    action.setShortcuts([QKeySequence(key) for key in keys])
    action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    action.triggered.connect(lambda _on=False: act())
    view.addAction(action)
    return action


class TextLabel(QLabel):
    """A label that wraps, never takes text for markup, and grows with the program's text size.

    Args:
        text: What it says.
        bold: Whether it stands out.
        larger: Size against the program's own.
        struck: Whether it is struck through, as words that do not hold are.
    """

    def __init__(
        self, text: str = "", *, bold: bool = False, larger: float = 1.0, struck: bool = False
    ) -> None:
        super().__init__(text)
        self._larger = larger
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        # A wrapping label must be free to become taller; a minimum of one word is enough across.
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        if bold or struck:
            font = QFont(self.font())
            if bold:
                font.setBold(True)
            font.setStrikeOut(struck)
            self.setFont(font)
        self.scale()

    def scale(self) -> None:
        """Follow the program's text size; a font with a size of its own hears of no change."""
        if self._larger != 1.0:
            font = QFont(self.font())
            font.setPointSizeF(QApplication.font().pointSizeF() * self._larger)
            self.setFont(font)


def text_label(
    text: str = "", *, bold: bool = False, larger: float = 1.0, struck: bool = False
) -> TextLabel:
    """Make a label that wraps and never takes text for markup."""
    return TextLabel(text, bold=bold, larger=larger, struck=struck)


def hairline(*, upright: bool = False) -> QFrame:
    """Make a line between two areas."""
    line = QFrame()
    line.setFrameShape(QFrame.Shape.VLine if upright else QFrame.Shape.HLine)
    line.setFrameShadow(QFrame.Shadow.Plain)
    line.setForegroundRole(QPalette.ColorRole.Mid)
    return line


def scrolling(inside: QWidget, name: str, *, by_keys: bool = False) -> QScrollArea:
    """Put a widget into an area that scrolls up and down only.

    Args:
        inside: What scrolls.
        name: What a screen reader calls the area.
        by_keys: Whether the area takes the keyboard itself: for pages to read, where no control
            inside would bring the rest into sight.
    """
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.TabFocus if by_keys else Qt.FocusPolicy.NoFocus)
    area.setAccessibleName(name)
    area.setWidget(inside)
    return area


def page_actions(
    page: QWidget,
    come: Callable[[], object],
    specs: Iterable[tuple[str, str, Callable[[], object]]],
) -> list[QAction]:
    """Make actions for the menu bar that bring a page into view and then do something there.

    Args:
        page: Owns them.
        come: Brings it into view.
        specs: Words, key (empty for none), and what is done.
    """
    return [_page_action(page, come, *spec) for spec in specs]


def _page_action(
    page: QWidget, come: Callable[[], object], words: str, key: str, act: Callable[[], object]
) -> QAction:
    action = QAction(words, page)
    if key:
        action.setShortcut(QKeySequence(key))
    action.triggered.connect(lambda _on=False: (come(), act()))
    return action
