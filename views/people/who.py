"""Who sits at the desk: seen at all times, changed in two keys, and nothing begun is lost."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QInputDialog, QMenu, QToolButton, QWidget

from app.coding.people_names import same_person
from app.errors import ClerestoryError, Refused
from views.settings.choices import Choices

if TYPE_CHECKING:
    from app.desk import Desk


class Who(QToolButton):
    """Names the reviewer and lets another take over.

    Signals:
        leaving: Another reviewer takes over; what is being typed is to be stored now.
        trouble: Why it could not be.
    """

    leaving = Signal()
    trouble = Signal(object)

    def __init__(self, desk: Desk, choices: Choices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._choices = choices
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill)
        self.setMenu(self._menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip("Who reviews; written beside each decision (Ctrl+U)")
        choices.changed.connect(self.show_author)
        choices.author_picked.connect(self.be)
        choices.dialog_wanted.connect(self._offer)
        self.show_author()

    def names(self) -> tuple[str, ...]:
        """Name everybody who codes in this library, and who sits here now."""
        try:
            known = self._desk.library.reviewers()
        except ClerestoryError as error:
            self.trouble.emit(error)
            known = ()
        own = self._desk.author
        return known if not own or own in known else (*known, own)

    def be(self, name: str) -> None:
        """Let somebody take over, who is added to the list if they are not on it."""
        name = name.strip()
        if not name or name == self._desk.author:
            return
        try:
            known = same_person(name, self.names()) or self._desk.library.add_reviewer(name)
            self._stay_listed()
        except ClerestoryError as error:
            self.trouble.emit(error)
            self._choices.dialog.show_settings()
            return
        self.leaving.emit()
        self._choices.set_author(known)

    def show_author(self) -> None:
        """Show who sits here."""
        author = self._desk.author
        words = f"You are: {author}" if author else "Who are you?"
        self.setText(words)
        self.setAccessibleName(f"{words}. Choose a reviewer")

    def add(self) -> None:
        """Ask for the name of somebody new, who takes over."""
        name, is_given = QInputDialog.getText(
            self, "Add a reviewer", "Name or initials, kept with each decision:"
        )
        if is_given:
            self.be(name)

    def _stay_listed(self) -> None:
        """Keep who leaves on the list, even if they have decided nothing yet."""
        own = self._desk.author
        if own and own not in self._desk.library.reviewers():
            # A name from before names were looked at may not be one that could be added now.
            with contextlib.suppress(Refused):
                self._desk.library.add_reviewer(own)

    def _offer(self) -> None:
        self._choices.dialog.show_reviewers(self.names())

    def _fill(self) -> None:
        self._menu.clear()
        for name in self.names():
            made = self._menu.addAction(name.replace("&", "&&"))
            made.setCheckable(True)
            made.setChecked(name == self._desk.author)
            made.triggered.connect(lambda _on=False, who=name: self.be(who))
        self._menu.addSeparator()
        self._menu.addAction("Add a reviewer…", self.add)
