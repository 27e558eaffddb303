"""Responses in a list, and beside it the one chosen, whole and with both judges' words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QSplitter, QVBoxLayout, QWidget

from app.audit.audit_words import item_name
from app.audit.items import Axis
from app.errors import ClerestoryError
from views.audit.case_lines import where_words
from views.audit.listed import Listed, Score
from views.audit.sheet import Line, Sheet, text
from views.audit.words import LOST_WORDS
from views.common.controls import text_label
from views.common.words import count_words

NO_CHOICE = (
    "Choose a response to read it whole, with what each judge said of it and whether the words "
    "that a judge cites stand in it."
)
FEWEST_PX = 260


class ListedView(QWidget):
    """Lists responses and reads one of them out.

    Args:
        lines_of: Gives all that is known of a response, in lines to read.
    """

    def __init__(
        self, lines_of: Callable[[Listed], list[Line]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._lines_of = lines_of
        self.what = ""
        """What the responses have in common, without their number."""
        self._title = text_label(bold=True)
        self.list = QListWidget()
        self.list.setAccessibleName("Responses")
        self.list.setUniformItemSizes(True)
        self.list.setSpacing(2)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.sheet = Sheet("The response chosen")
        self.list.currentItemChanged.connect(self._show_case)
        both = QSplitter(Qt.Orientation.Horizontal)
        both.setChildrenCollapsible(False)
        for part in (self.list, self.sheet):
            part.setMinimumWidth(FEWEST_PX)
            both.addWidget(part)
        both.setStretchFactor(0, 2)
        both.setStretchFactor(1, 3)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._title)
        column.addWidget(both, 1)
        self.show_responses("", ())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the list."""
        self.list.setFocus(event.reason())

    @property
    def title(self) -> str:
        """What is said over the list."""
        return self._title.text()

    @property
    def shown(self) -> Listed | None:
        """The response that is read out."""
        item = self.list.currentItem()
        one = None if item is None else item.data(Qt.ItemDataRole.UserRole)
        return one if isinstance(one, Listed) else None

    def show_responses(
        self, title: str, responses: Sequence[Listed], judges: Sequence[str] = ()
    ) -> None:
        """List other responses; the first is read out.

        Args:
            title: What they have in common.
            responses: In the order in which they are read.
            judges: In the order in which their scores stand in each line.
        """
        self.what = title
        count = count_words(len(responses), "response")
        order = f". Scores by {', then '.join(judges)}." if judges else ""
        self._title.setText(f"{title}: {count}{order}" if title else "")
        self._title.setVisible(bool(title))
        self.list.blockSignals(True)
        self.list.clear()
        for one in responses:
            item = QListWidgetItem(line_words(one, judges))
            told = line_words(one, judges, is_named=True)
            item.setToolTip(told)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, told)
            item.setData(Qt.ItemDataRole.UserRole, one)
            self.list.addItem(item)
        if responses:
            self.list.setCurrentRow(0)
        self.list.blockSignals(False)
        self._show_case()

    def choose(self, response_id: int) -> bool:
        """Read another response of the list out; says whether it is there."""
        for row in range(self.list.count()):
            item = self.list.item(row)
            one = item.data(Qt.ItemDataRole.UserRole) if item is not None else None
            if isinstance(one, Listed) and one.response_id == response_id:
                self.list.setCurrentRow(row)
                return True
        return False

    def _show_case(self) -> None:
        one = self.shown
        if one is None:
            self.sheet.show_lines([text(NO_CHOICE)])
            return
        try:
            self.sheet.show_lines(self._lines_of(one))
        except ClerestoryError as error:
            self.sheet.show_lines([text(str(error))])


def line_words(one: Listed, judges: Sequence[str] = (), *, is_named: bool = False) -> str:
    """Write a response in two lines: what it is worth to each judge, and what it answers.

    Args:
        one: The response.
        judges: In the order in which their scores stand.
        is_named: Whether each score stands with the name of its judge.
    """
    parts = [item_name(one.item), where_words(one.place)]
    worth = "  |  ".join(_worth(one, judges, is_named=is_named))
    return f"{worth}\n{'  ·  '.join(parts)}"


def _worth(one: Listed, judges: Sequence[str], *, is_named: bool) -> list[str]:
    if not one.has_text:
        return [LOST_WORDS.get(one.status, str(one.status))]
    if one.item.axis is Axis.KNOWLEDGE:
        return [_answer_words(one)]
    if one.is_hidden:
        return ["scores not shown while you score blind"]
    if not judges:
        return ["not scored"]
    return [score_words(one.score(judge), is_named=is_named) for judge in judges]


def score_words(score: Score, *, is_named: bool) -> str:
    """Write what one judge gave, e.g. `6.7 borderline`, with words made up marked."""
    told = str(score.fared) if score.mean is None else f"{score.mean:.1f} {score.fared}"
    if score.made_up:
        told = f"{told}, {count_words(score.made_up, 'quote')} made up"
    return f"{score.judge}: {told}" if is_named else told


def _answer_words(one: Listed) -> str:
    if not one.choice:
        return "no letter, wrong"
    return f"{one.choice}, {'right' if one.choice == one.item.key else f'wrong: {one.item.key}'}"
