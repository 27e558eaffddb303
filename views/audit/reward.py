"""The reward model's page: make pairs, look through them, teach a model, see what it is worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent, QKeySequence
from PySide6.QtWidgets import QFileDialog, QTabWidget, QVBoxLayout, QWidget

from app.audit.items import Axis, Item
from app.audit.reward_records import Flaw, KeptModel
from app.errors import Cancelled, ClerestoryError
from app.reward_desk import Held, RewardDesk
from views.audit.reward_drafts import EditDrafts
from views.audit.reward_edit import EditView
from views.audit.reward_model import ModelView
from views.audit.reward_pairs import PairsView
from views.background import Background, Job, Lane

if TYPE_CHECKING:
    from app.desk import Desk

TRAIN, HOLD = "reward-train", "reward-hold"
"""Kinds of jobs."""
WHO = ("Who edits?", "Say who you are at the bottom of the window (Ctrl+U).")
FILES = "Pairs (*.jsonl);;All files (*)"


class RewardPage(QWidget):
    """Pairs and the reward model of one library.

    Args:
        desk: The library, and who sits here.
        background: Trains and compares.

    Signals:
        told: Something to tell: message and hint.
        trouble: An error to tell.
    """

    told = Signal(str, str)
    trouble = Signal(object)

    def __init__(self, desk: Desk, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._background = desk, background
        self.rewards = RewardDesk(desk.library, desk.files, desk.items, desk.settings)
        self._drafts = EditDrafts(desk.library, desk.author)
        self._who = desk.author
        self.edit, self.pairs, self.model = EditView(), PairsView(), ModelView()
        self.tabs = QTabWidget()
        self._lay_out()
        self._connect()
        self.actions_in_menu = self._make_actions()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the view in front."""
        self.tabs.currentWidget().setFocus(event.reason())

    def refresh(self) -> None:
        """Bring the page up to date, as it comes into view or somebody else sits here."""
        self.edit.tell_typed()
        if self._who != self._desk.author:
            self._who = self._desk.author
            self._drafts = EditDrafts(self._desk.library, self._who)
        self._try(self._show)

    def leave(self) -> None:
        """Keep what was typed, as the page goes out of view."""
        self.edit.tell_typed()

    def keep(self, item: Item, rejected: str, chosen: str, flaw: Flaw) -> None:
        """Keep an edit as a pair and go on to the next item."""
        if not self._desk.author:
            self.told.emit(*WHO)
            return

        def kept() -> None:
            self.rewards.keep(item, rejected, chosen, flaw)
            self._drafts.keep(item.item_id, rejected, rejected)
            self._show()
            self.edit.show_edit(rejected)
            self.edit.step(1)
            self.edit.setFocus()
            self.told.emit("The pair is kept.", "It can be withdrawn under Pairs.")

        self._try(kept)

    def withdraw(self, pair_id: int) -> None:
        """Take a pair back."""
        if not self._desk.author:
            self.told.emit(*WHO)
            return

        def withdrawn() -> None:
            self.rewards.withdraw(pair_id)
            self._show()
            self.told.emit("The pair is withdrawn.", "It teaches no model from now on.")

        self._try(withdrawn)

    def bring_in(self, path: Path) -> None:
        """Bring in a file of pairs."""

        def came() -> None:
            new = self.rewards.bring_in(path)
            self._show()
            self.told.emit(f"{new} new pairs came in from {path.name}.", "")

        self._try(came)

    def write_out(self, path: Path) -> None:
        """Write the pairs that are listed into a file."""

        def written() -> None:
            with_starter = self.pairs.with_starter.isChecked()
            count = self.rewards.write_out(path, with_starter=with_starter)
            self.told.emit(f"{count} pairs are saved to {path}.", "")

        self._try(written)

    def train(self, with_starter: bool) -> None:
        """Teach a model in the background."""
        job = Job("Train the reward model", Lane.LONG, kind=TRAIN)
        work = partial(_train, self.rewards, with_starter)
        self.model.show_training(True)
        self._background.start(job, work, self._trained, self._not_trained)

    def hold(self, audit_id: int) -> None:
        """Hold a tutor against the better responses, in the background."""
        name = self.model.audits.currentText()
        job = Job(f"Compare {name} with better responses", Lane.LONG, kind=HOLD)
        work = partial(_hold, self.rewards, audit_id)
        self._background.start(job, work, partial(self._held, name), self._failed)

    def _show(self) -> None:
        own, starter = self.rewards.pairs(), self.rewards.starter()
        titles = self.rewards.titles()
        self.edit.show_items(self.rewards.items(), Counter(pair.item_id for pair in own))
        self.pairs.show_pairs(own, starter, titles)
        self.model.show_pairs(own, starter)
        audits = self._desk.library.audits.audits()
        self.model.show_audits([one for one in audits if Axis.SKILL in one.plan.axes])
        self.model.show_model(self.rewards.model(), titles)

    def _show_responses(self, item: Item) -> None:
        self._try(lambda: self.edit.show_responses(self.rewards.flawed(item)))

    def _show_draft(self, item: Item, original: str) -> None:
        self.edit.show_edit(self._drafts.of(item.item_id, original))

    def _keep_draft(self, item_id: str, original: str, words: str) -> None:
        self._try(partial(self._drafts.keep, item_id, original, words))

    def _trained(self, kept: KeptModel) -> None:
        self.model.show_training(False)
        self.model.show_model(kept, self.rewards.titles())
        what = "may rank" if kept.model.may_rank else "is refused; the page says why"
        self.told.emit(f"The reward model is trained and {what}.", "")

    def _held(self, name: str, held: Held) -> None:
        self.model.show_held(name, held, self.rewards.titles())

    def _not_trained(self, error: Exception) -> None:
        self.model.show_training(False)
        self._failed(error)

    def _failed(self, error: Exception) -> None:
        if not isinstance(error, Cancelled):
            self.trouble.emit(error)

    def _try(self, act: Callable[[], None]) -> None:
        try:
            act()
        except ClerestoryError as error:
            self.trouble.emit(error)

    def _ask_to_bring_in(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self, "Pairs to bring in", "", FILES)
        if chosen:
            self.bring_in(Path(chosen))

    def _ask_to_write_out(self) -> None:
        chosen, _ = QFileDialog.getSaveFileName(self, "File for the pairs", "pairs.jsonl", FILES)
        if chosen:
            self.write_out(Path(chosen))

    def _lay_out(self) -> None:
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName("Make a pair, pairs, model")
        for view, name in (
            (self.edit, "Make a pair"),
            (self.pairs, "Pairs"),
            (self.model, "Model"),
        ):
            self.tabs.addTab(view, name)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 6, 8, 6)
        column.addWidget(self.tabs)

    def _connect(self) -> None:
        self.edit.item_chosen.connect(self._show_responses)
        self.edit.response_chosen.connect(self._show_draft)
        self.edit.typed.connect(self._keep_draft)
        self.edit.keep_wanted.connect(self.keep)
        self.pairs.withdraw_wanted.connect(self.withdraw)
        self.pairs.bring_wanted.connect(self._ask_to_bring_in)
        self.pairs.write_wanted.connect(self._ask_to_write_out)
        self.model.train_wanted.connect(self.train)
        self.model.hold_wanted.connect(self.hold)

    def _make_actions(self) -> list[QAction | None]:
        return [
            self._action("Keep the pair", "Ctrl+Return", self.edit, self.edit.ask_to_keep),
            self._action("Item before", "Alt+Up", self.edit, partial(self.edit.step, -1)),
            self._action("Next item", "Alt+Down", self.edit, partial(self.edit.step, 1)),
            self._action("Withdraw the pair", "Del", self.pairs, self.pairs.ask_to_withdraw),
            None,
            self._action("Bring in pairs…", "", self, self._ask_to_bring_in),
            self._action("Write out pairs…", "", self, self._ask_to_write_out),
        ]

    def _action(self, words: str, key: str, where: QWidget, act: Callable[[], object]) -> QAction:
        action = QAction(words, self)
        if key:
            action.setShortcut(QKeySequence(key))
        # The same keys mean other things elsewhere: these work only inside the view they are for.
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.triggered.connect(lambda _on=False: act())
        where.addAction(action)
        return action


def _train(rewards: RewardDesk, with_starter: bool, report: Any, stop: Any) -> KeptModel:
    return rewards.train(with_starter=with_starter, report=report, stop=stop)


def _hold(rewards: RewardDesk, audit_id: int, _report: Any, _stop: Any) -> Held:
    return rewards.hold(audit_id)
