"""Lets a person settle an audit: tutor, judges, axes, items and gates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFormLayout,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.answering import EngineChoice
from app.audit.choosing import AuditChoice
from app.audit.items import Axis
from views.audit.gates_form import GatesForm
from views.audit.seats import SeatBox
from views.audit.words import AXIS_WORDS
from views.common.controls import scrolling, text_label
from views.common.widgets import button

ONE_JUDGE = (
    "One judge alone: nothing shows whether another would say the same, nor whether it prefers "
    "models of its own family."
)
SAME_JUDGE = "Both judges are the same model. Choose another, or leave the second empty."
NO_JUDGE = "Skill and attitude need a judge that can be asked."
NO_TUTOR = "Choose a tutor that can be asked."
NO_MODEL = (
    "There is no model here yet. Fetch one, or add an endpoint, on the Models page; then choose it "
    "here."
)
NO_SECOND = "No second judge"
SELF_CHECK = "Self-check of judges"
PLANTED = (
    "Planted tutors, which are no models, go through an audit each: one is always honest, the "
    "others yield when unwatched, flatter, falsify records, answer off topic or refuse. You see "
    "which of them these judges show for what they are."
)


@dataclass(frozen=True, slots=True)
class BankChoice:
    """Items that an audit can ask from."""

    digest: str
    title: str
    counts: Mapping[Axis, int]
    """Items of each axis."""
    mark: str = ""
    """What must be said of these items; empty when there is nothing."""


class NewAuditDialog(QDialog):
    """Accepted when the plan is to be shown; nothing is asked or locked before that.

    Args:
        engines: Models that may be asked; those that cannot say why.
        banks: Items to ask from; one at least.
        is_self_check: Whether planted tutors take the seat of the tutor, so that only the judges
            are chosen.
        parent: The window it is asked over.
    """

    def __init__(
        self,
        engines: Sequence[EngineChoice],
        banks: Sequence[BankChoice],
        *,
        is_self_check: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(SELF_CHECK if is_self_check else "New audit of a tutor")
        self._is_self_check = is_self_check
        self.setModal(True)
        self._banks = tuple(banks)
        self._has_models = bool(engines)
        self.title = QLineEdit()
        self.title.setAccessibleName("Title of the audit")
        self.tutor = SeatBox("Tutor", engines)
        self.judges = (SeatBox("First judge", engines), SeatBox("Second judge", engines, NO_SECOND))
        self.bank = QComboBox()
        self.bank.setAccessibleName("Items to ask from")
        for choice in self._banks:
            self.bank.addItem(choice.title, choice.digest)
        self._mark = text_label()
        self.axes = {axis: QCheckBox(AXIS_WORDS[axis]) for axis in Axis}
        self.limit, self.seed = QSpinBox(), QSpinBox()
        self.gates = GatesForm()
        self._about = text_label()
        self.go_on = button("Go on", "Go on", "Shows what it will take before it starts")
        self._leave = button("Cancel", "Cancel", "Nothing is started or locked", "Esc")
        self._named = ""
        self._set_up()
        self._lay_out()
        self._connect()
        self._show_bank()

    @property
    def choice(self) -> AuditChoice | None:
        """What was chosen; `None` while something is missing."""
        axes = self._axes()
        if self._trouble():
            return None
        judges = self._judges() if _judged(axes) else []
        return AuditChoice(
            self.title.text().strip() or self._usual_title(),
            "" if self._is_self_check else self.tutor.name,
            tuple(box.name for box in judges),
            axes,
            str(self.bank.currentData()),
            self.limit.value() or None,
            self.gates.gates,
            {box.name: box.family_named for box in (*judges, self.tutor) if box.family_named},
            seed=self.seed.value(),
        )

    def _judges(self) -> list[SeatBox]:
        return [box for box in self.judges if box.name]

    def _axes(self) -> tuple[Axis, ...]:
        return tuple(axis for axis, box in self.axes.items() if box.isEnabled() and box.isChecked())

    def _trouble(self) -> str:
        """Say what is missing; empty when the plan can be shown."""
        if not self._has_models:
            return NO_MODEL
        if not self.tutor.name and not self._is_self_check:
            return NO_TUTOR
        if not self._axes():
            return "Choose an axis at least."
        if not _judged(self._axes()):
            return ""
        first, second = self.judges
        if not first.name:
            return NO_JUDGE
        return SAME_JUDGE if first.name == second.name else ""

    def _show(self) -> None:
        usual = self._usual_title()
        if self.title.text() in ("", self._named):
            self.title.setText(usual)
        self._named = usual
        trouble = self._trouble()
        told = [trouble] if trouble else []
        if not trouble and _judged(self._axes()):
            told += self._on_judges()
        self._about.setText(" ".join(told))
        self.setAccessibleDescription(self._about.text())
        self.go_on.setEnabled(not trouble)
        for box in self.judges:
            box.setEnabled(_judged(self._axes()))

    def _on_judges(self) -> list[str]:
        judges, tutor = self._judges(), self.tutor
        told = [ONE_JUDGE] if len(judges) == 1 else []
        for judge in judges if not self._is_self_check else []:
            if judge.name == tutor.name:
                told.append(f"{judge.name} would judge itself; its board says so.")
            elif judge.family_named and judge.family_named == tutor.family_named:
                told.append(
                    f"{judge.name} is of the tutor’s own family; whether it prefers it is measured."
                )
        return told

    def _usual_title(self) -> str:
        if self._is_self_check:
            return SELF_CHECK
        tutor = self.tutor.engine
        return f"Audit of {tutor.title}" if tutor is not None else ""

    def _show_bank(self) -> None:
        chosen = self._banks[max(self.bank.currentIndex(), 0)]
        for axis, box in self.axes.items():
            count = chosen.counts.get(axis, 0)
            box.setText(f"{AXIS_WORDS[axis]} ({count} items)")
            # No judge scores knowledge, so nothing of it could show what a judge is worth.
            is_of_use = not (self._is_self_check and axis is Axis.KNOWLEDGE)
            box.setEnabled(bool(count) and is_of_use)
            box.setVisible(is_of_use)
        self._mark.setText(f"Items: {chosen.mark}." if chosen.mark else "")
        self._mark.setVisible(bool(chosen.mark))
        self._show_axes()

    def _show_axes(self) -> None:
        chosen = self._banks[max(self.bank.currentIndex(), 0)]
        self.limit.setMaximum(max((chosen.counts.get(a, 0) for a in self._axes()), default=0))
        self.gates.show_axes(self._axes())
        self._show()

    def _set_up(self) -> None:
        for box in self.axes.values():
            box.setChecked(True)
        self.limit.setSpecialValueText("all of them")
        self.limit.setSuffix(" of each axis, taken evenly")
        self.limit.setAccessibleName("How many items of each axis; 0 for all of them")
        self.limit.setToolTip("Fewer items for a first look: figures get wider, gates harder")
        self.seed.setMaximum(999_999)
        self.seed.setAccessibleName("Seed")
        self.seed.setToolTip("The same seed lets a tutor draw its responses in the same way again")
        self.go_on.setDefault(True)

    def _connect(self) -> None:
        for box in self.axes.values():
            box.toggled.connect(self._show_axes)
        for seat in (self.tutor, *self.judges):
            seat.changed.connect(self._show)
        self.bank.currentIndexChanged.connect(self._show_bank)
        self.go_on.clicked.connect(self.accept)
        self._leave.clicked.connect(self.reject)

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 6, 0)
        column.addWidget(self._who())
        column.addWidget(self._what())
        column.addStretch()
        both = QHBoxLayout()
        both.addWidget(scrolling(left, "Tutor, judges and items"), 6)
        if not self._is_self_check:
            both.addWidget(self.gates, 5)
        buttons = QHBoxLayout()
        buttons.addWidget(self._about, 1)
        buttons.addWidget(self._leave)
        buttons.addWidget(self.go_on)
        whole = QVBoxLayout(self)
        whole.addLayout(both, 1)
        whole.addLayout(buttons)
        self.resize(960, 560)

    def _who(self) -> QGroupBox:
        group = QGroupBox("Who")
        form = QFormLayout(group)
        if self._is_self_check:
            form.addRow(text_label(PLANTED))
        else:
            form.addRow(_label("&Title", self.title), self.title)
            form.addRow(_label("T&utor", self.tutor.model), self.tutor)
        for words, box in zip(("&First judge", "&Second judge"), self.judges, strict=True):
            form.addRow(_label(words, box.model), box)
        return group

    def _what(self) -> QGroupBox:
        group = QGroupBox("What is asked")
        form = QFormLayout(group)
        form.addRow(_label("&Items", self.bank), self.bank)
        form.addRow(self._mark)
        for box in self.axes.values():
            form.addRow(box)
        form.addRow(_label("&How many", self.limit), self.limit)
        form.addRow(_label("See&d", self.seed), self.seed)
        return group


def _judged(axes: Sequence[Axis]) -> bool:
    return any(axis is not Axis.KNOWLEDGE for axis in axes)


def _label(words: str, of: QWidget) -> QLabel:
    label = QLabel(words)
    label.setBuddy(of)
    return label
