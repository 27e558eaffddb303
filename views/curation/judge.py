"""Judging alone: one clip after another, stored with each key; or talking over where two differ."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.coding.people_names import same_person
from app.confusion.curation import Place, Standing, Verdict, judged_by, to_judge, to_talk_over
from app.confusion.records import WINDOW_MS
from app.confusion.review import CandidateWord, Stage
from app.errors import ClerestoryError
from app.set_making import Material, SetMaking
from views.background import Background
from views.common.controls import page_button, scrolling, text_label, view_action
from views.common.widgets import EmptyState
from views.curation.checklist import Checklist
from views.curation.clip import ClipView
from views.curation.words import (
    ASKED,
    TALK,
    before_words,
    both_words,
    no_talk_words,
    nothing_words,
    own_words,
)

if TYPE_CHECKING:
    from app.desk import Desk

BUTTONS = {
    Stage.CURATE: ((Verdict.KEEP, "Keep", "A"), (Verdict.DROP, "Drop", "X")),
    Stage.VALIDATE: (
        (Verdict.YES, "Yes", "Y"),
        (Verdict.NO, "No", "N"),
        (Verdict.UNSURE, "Unsure", "U"),
    ),
}


class JudgeView(QStackedWidget):
    """Shows the clips that a person may judge, and keeps what that person says.

    Neither the learner nor the video is named, no reader's level is shown, and nobody's word but
    the person's own: except in a talk, where both experts have spoken already.

    Args:
        desk: Gives the recordings.
        making: Keeps what is said.
        background: Fetches pictures.
        stage: Which round.
        talk: Whether experts who differ talk over their clips here.

    Signals:
        said: The candidate as it stands after a word.
        outdated: Somebody else sits here now.
        told: Something to tell: message and hint.
        trouble: An error to tell.
    """

    said = Signal(object)
    outdated = Signal()
    told = Signal(str, str)
    trouble = Signal(object)

    def __init__(
        self,
        desk: Desk,
        making: SetMaking,
        background: Background,
        stage: Stage,
        *,
        talk: bool = False,
    ) -> None:
        super().__init__()
        self._desk, self._making, self.stage, self._talk = desk, making, stage, talk
        self._material: Material | None = None
        self._held_back = 0
        self._who = ""
        self._queue: list[Standing] = []
        self._place = 0
        self.empty = EmptyState("", "")
        self.clip = ClipView(desk, background)
        self.checklist = Checklist()
        self._progress, self._asked = (
            QLabel(),
            text_label(TALK if talk else ASKED[stage], bold=True),
        )
        self._own, self._before = text_label(), text_label()
        self._note = QLineEdit()
        self._buttons: dict[Verdict, QPushButton] = {}
        self._back = page_button("Back", "The clip before; what you said may still be changed", "P")
        self._skip = page_button("Skip", "The next clip, without a word on this one", "S")
        self._lay_out()
        self._connect()
        self.actions_in_menu = self._make_actions()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Keep the keyboard where the keys of judging work."""
        if self.currentIndex():
            self.clip.setFocus(event.reason())

    def showEvent(self, event: QShowEvent) -> None:
        """Open the recording only now: three views would fetch three pictures for one."""
        super().showEvent(event)
        self._show()

    @property
    def shown(self) -> Standing | None:
        """The clip in view."""
        return self._queue[self._place] if self._place < len(self._queue) else None

    def show_material(self, material: Material, held_back: int = 0) -> None:
        """Show whoever sits here the clips that are left, at the one in view if it still is.

        Args:
            material: What there is to judge.
            held_back: Videos of which nothing is shown before this person has marked them blind.
        """
        self._held_back = held_back
        author = self._desk.author
        before = self.shown.candidate.place if self.shown and author == self._who else None
        self._material, self._who = material, author
        if self._talk:
            self._queue = list(to_talk_over(material.standings, author))
        else:
            own = [s for s in judged_by(material.standings, self.stage, author) if self._open(s)]
            self._queue = [*reversed(own), *to_judge(material.standings, self.stage, author)]
        places = [one.candidate.place for one in self._queue]
        first = 0 if self._talk else self._first_left(0)
        self._place = places.index(before) if before in places else first
        self._show()

    def know(self, material: Material) -> None:
        """Take what is known by now, without moving to another clip."""
        self._material = material

    def say(self, verdict: Verdict) -> None:
        """Keep what the person says of the clip in view, and go on."""
        shown = self.shown
        if shown is None or self.currentIndex() == 0 or not self.clip.can_be_seen:
            return
        if self._desk.author != self._who:
            self.outdated.emit()
            return
        ticked = self.checklist.ticked if self.stage is Stage.CURATE else ()
        try:
            after = self._making.say(
                shown.candidate, self.stage, verdict, self._who, ticked, self._note.text().strip()
            )
        except ClerestoryError as error:
            self.trouble.emit(error)
            return
        self._queue[self._place] = after
        self._note.clear()
        self._place = self._next_left()
        self.said.emit(after)
        self._show()

    def step(self, by: int) -> None:
        """Go to another clip."""
        wanted = self._place + by
        if 0 <= wanted < len(self._queue):
            self._place = wanted
            self._note.clear()
            self._show()

    def leave(self) -> None:
        """Stand still, as the view goes out of sight."""
        self.clip.leave()

    def _open(self, standing: Standing) -> bool:
        """Say whether what was said may still be changed: nobody else has spoken yet."""
        return len(standing.people(self.stage)) < 2

    def _first_left(self, start: int) -> int:
        """Give the first clip from here on of which the person has said nothing."""
        for place in range(start, len(self._queue)):
            if self._talk or self._word(self._queue[place]) is None:
                return place
        return len(self._queue)

    def _next_left(self) -> int:
        """Give the next clip that is left, also one that was skipped before."""
        after = self._first_left(self._place + 1)
        return after if after < len(self._queue) or self._talk else self._first_left(0)

    def _word(self, standing: Standing) -> CandidateWord | None:
        said = standing.latest(self.stage)
        return said.get(same_person(self._who, tuple(said)))

    def _show(self) -> None:
        shown, material = self.shown, self._material
        if shown is None or material is None or not self._who:
            self._show_nothing()
            return
        self.setCurrentIndex(1)
        word = self._word(shown)
        if self.isVisible():
            self.clip.show_clip(shown.candidate, material.review(shown.candidate.lesson_id))
        self.checklist.show_ticked(word.criteria if word else ())
        left = sum(self._word(one) is None for one in self._queue)
        place = f"Clip {self._place + 1} of {len(self._queue)}"
        self._progress.setText(place if self._talk else f"{place}, {left} left")
        if self._talk:
            self._own.setText(both_words(shown))
        else:
            self._own.setText(own_words(word))
        self._before.setText(self._neighbour(shown))
        self._back.setEnabled(self._place > 0)
        self._skip.setEnabled(self._place + 1 < len(self._queue))
        for button in self._buttons.values():
            button.setEnabled(self.clip.can_be_seen)
        if self.isAncestorOf(self.window().focusWidget() or self):
            self.clip.setFocus()

    def _show_nothing(self) -> None:
        material = self._material
        self.clip.leave()
        if material is not None:
            words = (
                no_talk_words(self._who)
                if self._talk
                else nothing_words(material, self._held_back, self.stage, self._who)
            )
            may_go_back = self._place > 0 and bool(self._queue) and bool(self._who)
            self.empty.say(*words, "Back to the last clip" if may_go_back else "")
        self.setCurrentIndex(0)

    def _neighbour(self, shown: Standing) -> str:
        if self.stage is not Stage.CURATE or self._material is None:
            return ""
        at: Place = shown.candidate.lesson_id, shown.candidate.start_ms - WINDOW_MS
        found = next((s for s in self._material.standings if s.candidate.place == at), None)
        return before_words(self._word(found) if found else None, found is not None)

    def _lay_out(self) -> None:
        font = self._progress.font()
        font.setBold(True)
        self._progress.setFont(font)
        self._note.setPlaceholderText("Note (stays in this library)")
        self._note.setAccessibleName("Note on this clip; stays in this library")
        self._note.setMaxLength(500)
        said = QWidget()
        on_said = QVBoxLayout(said)
        on_said.setContentsMargins(0, 0, 4, 0)
        for label in (self._asked, self._own, self._before):
            on_said.addWidget(label)
        if self.stage is Stage.CURATE:
            on_said.addWidget(self.checklist)
        on_said.addStretch()
        pressed, moved = QHBoxLayout(), QHBoxLayout()
        for verdict, text, key in BUTTONS[self.stage]:
            tip = f"Say “{text.lower()}” and go on"
            self._buttons[verdict] = page_button(f"{text} ({key})", tip, key)
            self._buttons[verdict].setAccessibleName(text)
            pressed.addWidget(self._buttons[verdict], 1)
        moved.addWidget(self._back)
        moved.addWidget(self._skip)
        moved.addStretch()
        right = QWidget()
        on_right = QVBoxLayout(right)
        on_right.setContentsMargins(6, 0, 0, 0)
        on_right.addWidget(self._progress)
        on_right.addWidget(scrolling(said, "What is asked"), 1)
        on_right.addWidget(self._note)
        on_right.addLayout(pressed)
        on_right.addLayout(moved)
        both = QSplitter(Qt.Orientation.Horizontal)
        both.addWidget(self.clip)
        both.addWidget(right)
        both.setSizes([600, 360])
        both.setStretchFactor(0, 1)
        both.setChildrenCollapsible(False)
        self.addWidget(self.empty)
        self.addWidget(both)

    def _connect(self) -> None:
        for verdict, button in self._buttons.items():
            button.clicked.connect(partial(self.say, verdict))
        self._back.clicked.connect(lambda: self.step(-1))
        self._skip.clicked.connect(lambda: self.step(1))
        self.empty.asked.connect(self._go_back)
        self.clip.trouble.connect(self.trouble)

    def _go_back(self) -> None:
        self._place = min(self._place, len(self._queue))
        self.step(-1)

    def _make_actions(self) -> list[QAction | None]:
        stage, made = self.stage, partial(view_action, self)
        actions: list[QAction | None] = [
            made(text, partial(self.say, verdict), key) for verdict, text, key in BUTTONS[stage]
        ]
        actions.append(None)
        if stage is Stage.CURATE:
            for number, box in enumerate(self.checklist.boxes.values(), 1):
                words = f"Tick “{box.text().split('  ', 1)[1]}”"
                actions.append(made(words, partial(self.checklist.toggle, number), str(number)))
            actions.append(None)
        return [
            *actions,
            made("Skip to the next clip", partial(self.step, 1), "S"),
            made("Clip before", self._go_back, "P"),
            made("Play or stop the clip", self.clip.toggle, "Space"),
            made("Picture before", partial(self.clip.step, -1), ","),
            made("Next picture", partial(self.clip.step, 1), "."),
            made("Note on the clip", self._note.setFocus, "Ctrl+Return"),
        ]
