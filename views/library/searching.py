"""Carries out what the library page asks to be looked for, and shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.coding.moments import Term, Wanted
from app.coding.sight import Sight
from app.errors import ClerestoryError
from views.background import Background
from views.library.page import LibraryPage
from views.library.playing import Playing
from views.library.term import TermDialog

if TYPE_CHECKING:
    from app.desk import Desk

MOST = 500
"""Moments in one list; more than anybody goes through."""


class Searching(QObject):
    """Looks in the library for the page, with the eyes of the reviewer.

    Signals:
        told: Something to tell: message and hint.
        trouble: An error to tell.
    """

    told = Signal(str, str)
    trouble = Signal(object)

    def __init__(
        self, desk: Desk, background: Background, page: LibraryPage, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._desk, self._page = desk, page
        self._playing = Playing(desk, background, page.results.reel, self)
        page.searched.connect(self._search)
        page.term_wanted.connect(self._ask_term)
        self._playing.told.connect(self.told)
        self._playing.trouble.connect(self.trouble)

    def refresh(self) -> None:
        """Bring choices and results up to what stands now and may be seen now."""
        try:
            authors, term = self._desk.library.moments.authors(), self._desk.library.moments.term()
        except ClerestoryError as error:
            self.trouble.emit(error)
            return
        self._page.show_choices(authors, term)
        if not self._page.asking.wanted.is_empty:
            self._page.asking.ask()

    def pause(self) -> None:
        """Pause what plays, because another page is looked at."""
        self._page.results.reel.stop()

    def close(self) -> None:
        """Let go of the recording, before the window goes."""
        self._playing.stop()

    def _search(self, wanted: Wanted) -> None:
        sight = Sight(self._desk.author, self._desk.settings.blind)
        try:
            found = self._desk.library.moments.find(wanted, sight, MOST)
        except ClerestoryError as error:
            self.trouble.emit(error)
            return
        self._page.show_found(wanted, found)

    def _ask_term(self) -> None:
        dialog = TermDialog(self._desk.library.moments.term(), self._page)
        dialog.said.connect(self._keep_term)
        dialog.open()

    def _keep_term(self, term: Term) -> None:
        try:
            self._desk.library.moments.set_term(term)
        except ClerestoryError as error:
            self.trouble.emit(error)
            return
        self._page.asking.show_term(term)
