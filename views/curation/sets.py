"""How far candidates are, whose consent is noted, and the two sets that can be written."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.confusion.consent import Consent
from app.confusion.curation import Counts, Curated, Validated
from app.confusion.sets import LocalizationSet, RecognitionSet, Source
from app.scoring.figures import Figure
from app.set_making import Material
from views.common.controls import page_button, scrolling, text_label
from views.common.words import count_words

CONSENT = (
    "What was agreed to for each recording, such as “guardian signed for research, 2026-03-02”. It "
    "is printed on the data card, so it must name nobody. Without a note you are warned before "
    "anything is written."
)
PRIVACY = (
    "Sets bear names of their own for learners and recordings, and hold no sound and no notes. "
    "Faces can be recognised: keep a set as you keep the recordings."
)


class SetsView(QWidget):
    """Shows what would be in each set and why the rest stays out.

    Signals:
        readers_chosen: Names of the readers whose windows are candidates; none for all.
        consent_noted: A video's id and what was typed for it.
        write_wanted: A planned set is to be written.
    """

    readers_chosen = Signal(tuple)
    consent_noted = Signal(str, str)
    write_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._recognition: RecognitionSet | None = None
        self._localization: LocalizationSet | None = None
        self._ids: list[str] = []
        self.counts = text_label()
        self.readers = QVBoxLayout()
        self.boxes: dict[str, QCheckBox] = {}
        self.consents = QTableWidget(0, 2)
        self.licence = QLineEdit()
        self.clips, self.videos = text_label(), text_label()
        self.write_clips = page_button("Write the clips…", "Cut the clips and write their labels")
        self.write_videos = page_button(
            "Write the videos…", "Copy the recordings and write people’s events"
        )
        self._lay_out()
        self.consents.cellChanged.connect(self._note)
        self.write_clips.clicked.connect(lambda: self.write_wanted.emit(self._recognition))
        self.write_videos.clicked.connect(lambda: self.write_wanted.emit(self._localization))

    def show_sets(
        self,
        material: Material,
        consents: dict[str, Consent],
        recognition: RecognitionSet,
        localization: LocalizationSet,
    ) -> None:
        """Show everything anew."""
        self._recognition, self._localization = recognition, localization
        self.counts.setText("\n".join(funnel_lines(recognition)))
        self._show_readers(material)
        self._show_consents(material, consents)
        self.clips.setText("\n".join(recognition_lines(recognition)))
        self.videos.setText("\n".join(localization_lines(localization)))
        self.write_clips.setEnabled(bool(recognition.clips))
        self.write_videos.setEnabled(bool(localization.videos))

    def _show_readers(self, material: Material) -> None:
        names = material.all_readers
        if tuple(self.boxes) != names:
            for box in self.boxes.values():
                box.deleteLater()
            self.boxes = {name: QCheckBox(name) for name in names}
            for box in self.boxes.values():
                self.readers.addWidget(box)
                box.clicked.connect(self._choose)
        for name, box in self.boxes.items():
            box.setChecked(not material.readers or name in material.readers)

    def _choose(self) -> None:
        chosen = tuple(name for name, box in self.boxes.items() if box.isChecked())
        # None at all would leave no candidate, and all is what an empty choice means.
        self.readers_chosen.emit(() if len(chosen) in (0, len(self.boxes)) else chosen)

    def _show_consents(self, material: Material, consents: dict[str, Consent]) -> None:
        self.consents.blockSignals(True)
        self._ids = [review.lesson_id for review in material.reviews]
        self.consents.setRowCount(len(self._ids))
        for row, review in enumerate(material.reviews):
            name = QTableWidgetItem(f"{review.title} ({review.learner.name})")
            name.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            kept = consents.get(review.lesson_id)
            note = QTableWidgetItem(kept.note if kept else "")
            told = f"Consent to {review.title}: {kept.note if kept else 'not noted'}"
            note.setData(Qt.ItemDataRole.AccessibleTextRole, told)
            self.consents.setItem(row, 0, name)
            self.consents.setItem(row, 1, note)
        rows = min(max(len(self._ids), 1), 6)
        height = self.consents.verticalHeader().defaultSectionSize() * rows
        self.consents.setFixedHeight(
            height + self.consents.horizontalHeader().sizeHint().height() + 4
        )
        self.consents.blockSignals(False)

    def _note(self, row: int, column: int) -> None:
        item = self.consents.item(row, column)
        if column == 1 and item is not None:
            self.consent_noted.emit(self._ids[row], item.text())

    def _lay_out(self) -> None:
        self.consents.setHorizontalHeaderLabels(["Recording", "Consent"])
        self.consents.setAccessibleName("Consent to each recording")
        self.consents.verticalHeader().hide()
        self.consents.setTabKeyNavigation(False)
        self.consents.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.licence.setPlaceholderText("Licence, printed on the data card, such as CC BY-NC 4.0")
        self.licence.setAccessibleName("Licence of the set")
        self.licence.setMaxLength(300)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(2, 4, 10, 8)
        self._section(column, "Candidates so far", self.counts)
        column.addWidget(text_label("Windows found by these readers are candidates:"))
        column.addLayout(self.readers)
        self._section(column, "Consent", text_label(CONSENT), self.consents)
        self._section(column, "Clips for recognition", self.clips, self.licence, self.write_clips)
        self._section(column, "Videos for localization", self.videos, self.write_videos)
        column.addWidget(text_label(PRIVACY))
        column.addStretch()
        outside = QVBoxLayout(self)
        outside.setContentsMargins(0, 0, 0, 0)
        area = scrolling(inside, "Sets", by_keys=True)
        outside.addWidget(area)
        self.setFocusProxy(area)

    def _section(self, column: QVBoxLayout, title: str, *parts: QWidget) -> None:
        if column.count():
            column.addSpacing(12)
        column.addWidget(text_label(title, bold=True))
        for part in parts:
            if isinstance(part, QPushButton):
                column.addWidget(part, alignment=Qt.AlignmentFlag.AlignLeft)
            else:
                column.addWidget(part)


def funnel_lines(chosen: RecognitionSet) -> Sequence[str]:
    """Write how far candidates came, one step a line."""
    counts = chosen.counts
    waiting = counts.curated[Curated.WAITING]
    lines = [
        f"{count_words(counts.candidates, 'candidate')}: {counts.kept} kept by both researchers, "
        f"{counts.curated[Curated.DROPPED]} dropped by both, {counts.curated[Curated.SPLIT]} kept "
        f"by one alone, {waiting} waiting.",
        f"Of the {counts.kept} kept: {_said(counts)}.",
    ]
    for who, (share, alpha) in (("Researchers", chosen.researchers), ("Experts", chosen.experts)):
        if share.n:
            lines.append(f"{who} agreed, each alone, on {_figure(share)}; alpha {_figure(alpha)}.")
    return lines


def recognition_lines(chosen: RecognitionSet) -> Sequence[str]:
    """Write what would be in a recognition set, and what to heed."""
    if not chosen.clips:
        head = (
            "Nothing yet. Clips come when two researchers keep them and two experts say yes or no."
        )
        return [head, *_left_out(chosen.left_out)]
    parts = [f"{chosen.number(one)} {one.label} ({one})" for one in Source]
    head = f"{count_words(len(chosen.clips), 'clip')}: {'; '.join(parts)}."
    heeded = [f"Heed this: {warning}" for warning in chosen.warnings]
    return [head, *heeded, *_left_out(chosen.left_out)]


def localization_lines(chosen: LocalizationSet) -> Sequence[str]:
    """Write what would be in a localization set, and what to heed."""
    events = sum(len(video.events) for video in chosen.videos)
    if not chosen.videos:
        head = "Nothing yet. A video comes in when every event that readers found was decided on."
        return [head, *_left_out(chosen.left_out)]
    head = f"{count_words(len(chosen.videos), 'video')} with {count_words(events, 'event')}."
    heeded = [f"Heed this: {warning}" for warning in chosen.warnings]
    return [head, *heeded, *_left_out(chosen.left_out)]


def _left_out(left_out: Sequence[tuple[str, int]]) -> list[str]:
    if not left_out:
        return []
    return ["Left out:", *(f"   {number}  {why}" for why, number in left_out)]


def _said(counts: Counts) -> str:
    named = (
        (Validated.YES, "yes"),
        (Validated.UNSURE, "unsure"),
        (Validated.NO, "no"),
        (Validated.DIFFER, "on which experts differ"),
        (Validated.WAITING, "waiting for experts"),
    )
    return ", ".join(f"{counts.validated[one]} {word}" for one, word in named)


def _figure(figure: Figure) -> str:
    if figure.value is None:
        return f"– ({figure.reason})"
    reach = figure.interval
    told = f", 95% {reach.low:.2f} to {reach.high:.2f}" if reach else ""
    return f"{figure.value:.2f} (n = {figure.n}{told})"
