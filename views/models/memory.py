"""Which model is kept in memory, and letting that memory go."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.models import LoadedModel
from views.background import Background, Job, Lane, Work
from views.common.controls import page_button, text_label
from views.models.words import loaded_words

if TYPE_CHECKING:
    from app.desk import Desk

FREE = "free-memory"

Start = Callable[[str, str, dict[str, object], Work, Callable[[Any], None]], None]
"""Starts a listed job: title, kind, arguments, work, what follows."""


class MemoryStrip(QWidget):
    """Names the model in memory; hidden while there is none.

    Signals:
        free_wanted: Its memory is to be let go.
    """

    free_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._told = text_label()
        self._free = page_button(
            "Free its memory", "Let the model go; the next question loads it again"
        )
        self._free.clicked.connect(self.free_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._told, 1)
        row.addWidget(self._free)
        self.hide()

    def show_loaded(self, loaded: LoadedModel | None) -> None:
        """Show what is in memory. A model that is answering is not taken away under its answer."""
        self.setVisible(loaded is not None)
        if loaded is not None:
            self._told.setText(loaded_words(loaded))
            self._free.setVisible(not loaded.is_busy)


class MemoryWork(QObject):
    """Looks at what is in memory whenever something may have changed it.

    Args:
        desk: Knows.
        background: Its jobs load models; a look at memory follows each.
        strip: Where it is shown.
        start: Starts the job that frees memory.
        tell: Says that it is done.
    """

    def __init__(
        self,
        desk: Desk,
        background: Background,
        strip: MemoryStrip,
        start: Start,
        tell: Callable[[str], None],
    ) -> None:
        super().__init__(strip)
        self._desk, self._background, self._strip = desk, background, strip
        self._start, self._tell = start, tell
        self._title = ""
        strip.free_wanted.connect(self.free)
        background.changed.connect(self._look_after)

    def look(self) -> None:
        """Look at what is in memory, away from the window's thread."""
        self._background.start(
            Job("Look at the memory", Lane.LOOK),
            lambda _report, stop: self._desk.files.loaded_model(stop),
            self._show,
            # The child ended meanwhile, and with it what it kept.
            lambda _error: self._show(None),
        )

    def free(self) -> None:
        """Let the memory go."""
        title = self._title
        self._start(
            f"Free the memory of {title}",
            FREE,
            {},
            lambda _report, stop: self._desk.files.free_model(stop),
            lambda _none: self._tell(f"{title} is no longer in memory."),
        )

    def _show(self, loaded: LoadedModel | None) -> None:
        self._title = loaded.title if loaded is not None else ""
        self._strip.show_loaded(loaded)

    def _look_after(self, job: Job) -> None:
        if job.is_over and job.lane is not Lane.LOOK:
            self.look()
