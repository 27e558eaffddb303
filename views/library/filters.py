"""Filters of the search: plain choices, each with a name in front."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import partial

from PySide6.QtCore import QDate, QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QDateEdit, QGridLayout, QLabel, QWidget

from app.coding.moments import Term, Wanted
from app.coding.practices import Practice
from app.store.records import LessonRow
from views.common.controls import page_button

ANY_DAY, TERM, MONTH, BETWEEN = "any", "term", "month", "between"
MONTH_DAYS = 30


class Filters(QWidget):
    """What narrows a search.

    Signals:
        changed: Another choice was made.
        term_wanted: The days of this term are to be said.
    """

    changed = Signal()
    term_wanted = Signal()

    def __init__(self, practices: Sequence[Practice] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._term: Term | None = None
        self.practice, self.level, self.codes = QComboBox(), QComboBox(), QComboBox()
        self.by, self.lesson, self.days = QComboBox(), QComboBox(), QComboBox()
        self.first_day, self.last_day = _day_edit("From"), _day_edit("To")
        self.set_term = page_button("Set term…", "Say once which days this term has")
        self._fill(practices)
        self._lay_out()
        self._connect()
        self._show_days()

    @property
    def wanted(self) -> Wanted:
        """What is chosen, without words."""
        first, last = self._span()
        level = self.level.currentData()
        return Wanted(
            practice=self.practice.currentData(),
            level=level or None,
            with_suggestions=bool(self.codes.currentData()),
            author=self.by.currentData() or "",
            lesson_id=self.lesson.currentData() or "",
            first_day=first,
            last_day=last,
        )

    def active(self) -> Iterator[tuple[str, partial[None]]]:
        """Give each choice that narrows, in words, with what takes it away."""
        for box, words in (
            (self.practice, "{}"),
            (self.level, "{}"),
            (self.by, "Decided by {}"),
            (self.lesson, "In {}"),
            (self.days, "{}"),
        ):
            if box.currentIndex() > 0:
                yield words.format(box.currentText()), partial(box.setCurrentIndex, 0)
        if self.codes.currentIndex() > 0 and self.wanted.is_about_codes:
            yield "With suggestions", partial(self.codes.setCurrentIndex, 0)

    def show_choices(self, authors: Sequence[str], rows: Sequence[LessonRow]) -> None:
        """Offer people and lessons to choose from."""
        _refill(self.by, [("Anybody", ""), *((name, name) for name in authors)])
        _refill(self.lesson, [("All lessons", ""), *((row.title, row.lesson_id) for row in rows)])

    def show_term(self, term: Term | None) -> None:
        """Learn which days this term has."""
        is_new = term != self._term
        self._term = term
        self.set_term.setToolTip(
            f"This term: {_day_words(term.first_day)} to {_day_words(term.last_day)}"
            if term
            else "Say once which days this term has"
        )
        if is_new and self.days.currentData() == TERM:
            self.changed.emit()

    def pick_term(self) -> bool:
        """Choose this term; says whether its days are known."""
        if self._term is not None:
            self.days.setCurrentIndex(self.days.findData(TERM))
        return self._term is not None

    def pick_code(self, practice: str, level: int | None) -> None:
        """Choose a practice, and a level where one is given."""
        with QSignalBlocker(self.level):
            self.level.setCurrentIndex(self.level.findData(level or 0))
        self.practice.setCurrentIndex(self.practice.findData(practice))

    def _fill(self, practices: Sequence[Practice]) -> None:
        self.practice.addItem("Any practice", "")
        for practice in practices:
            self.practice.addItem(f"{practice.id}  {practice.title}", practice.id)
        self.level.addItem("Any level", 0)
        for level in range(1, 5):
            self.level.addItem(f"Level {level}", level)
        self.codes.addItem("People's codes only", False)
        self.codes.addItem("Also suggestions", True)
        self.days.addItem("Any day", ANY_DAY)
        self.days.addItem("This term", TERM)
        self.days.addItem(f"Last {MONTH_DAYS} days", MONTH)
        self.days.addItem("From … to …", BETWEEN)
        self.show_choices((), ())

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        named: tuple[tuple[str, QWidget], ...] = (
            ("Practice", self.practice),
            ("Level", self.level),
            ("Codes", self.codes),
            ("Decided by", self.by),
            ("Lesson", self.lesson),
            ("Day of the lesson", self.days),
        )
        for place, (name, box) in enumerate(named):
            box.setAccessibleName(name)
            label = QLabel(name)
            label.setBuddy(box)
            grid.addWidget(label, place // 3 * 2, place % 3)
            grid.addWidget(box, place // 3 * 2 + 1, place % 3)
            grid.setColumnStretch(place % 3, 1)
        for box in (self.practice, self.by, self.lesson):
            box.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            box.setMinimumContentsLength(16)
        grid.addWidget(self.first_day, 4, 0)
        grid.addWidget(self.last_day, 4, 1)
        grid.addWidget(self.set_term, 4, 2)

    def _connect(self) -> None:
        for box in (self.practice, self.level, self.codes, self.by, self.lesson):
            box.currentIndexChanged.connect(lambda _place: self.changed.emit())
        self.days.currentIndexChanged.connect(self._pick_days)
        for edit in (self.first_day, self.last_day):
            edit.dateChanged.connect(lambda _day: self.changed.emit())
        self.set_term.clicked.connect(self.term_wanted)

    def _pick_days(self) -> None:
        self._show_days()
        if self.days.currentData() == TERM and self._term is None:
            self.term_wanted.emit()
        self.changed.emit()

    def _show_days(self) -> None:
        chosen = self.days.currentData()
        for edit in (self.first_day, self.last_day):
            edit.setVisible(chosen == BETWEEN)
        self.set_term.setVisible(chosen == TERM)

    def _span(self) -> tuple[date | None, date | None]:
        chosen = self.days.currentData()
        if chosen == TERM and self._term is not None:
            return self._term.first_day, self._term.last_day
        if chosen == MONTH:
            today = date.today()
            return today - timedelta(days=MONTH_DAYS - 1), today
        if chosen == BETWEEN:
            return day_in(self.first_day), day_in(self.last_day)
        return None, None


def day_in(edit: QDateEdit) -> date:
    """Give the day that stands in a field."""
    return date.fromisoformat(edit.date().toString("yyyy-MM-dd"))


def _day_edit(name: str) -> QDateEdit:
    made = QDateEdit(QDate.currentDate())
    made.setCalendarPopup(True)
    made.setDisplayFormat(f"'{name}' d MMMM yyyy")
    made.setAccessibleName(name)
    made.setToolTip(f"{name} this day")
    return made


def _day_words(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _refill(box: QComboBox, choices: Sequence[tuple[str, str]]) -> None:
    """Put other choices into a box; what is chosen stays, and nothing is told when it does."""
    chosen = box.currentData()
    with QSignalBlocker(box):
        box.clear()
        for words, value in choices:
            box.addItem(words, value)
        box.setCurrentIndex(max(0, box.findData(chosen)))
