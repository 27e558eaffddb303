"""Ask for one exact picture at a time, however fast a person moves."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

LATE_MS = 700
"""After this long a person should be told that the picture is not the one of this moment yet."""
LOST_MS = 6_000
"""After this long the answer is taken for lost, and the next question may be put."""


class WantedFrame(QObject):
    """Holds the moment whose picture is wanted now.

    While one is being fetched, later wishes replace each other; only the last is asked for next.

    Signals:
        asked: Fetch the picture of this moment.
        late: The picture of the moment wanted has not come in good time.
    """

    asked = Signal(int)
    late = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wanted_ms: int | None = None
        self._asked_ms: int | None = None
        self._late = _clock(self, LATE_MS, self._tell_late)
        self._lost = _clock(self, LOST_MS, self._give_up)

    @property
    def wanted_ms(self) -> int | None:
        """The moment whose picture should be on the screen and is not; `None` when it is."""
        return self._wanted_ms

    def want(self, time_ms: int) -> None:
        """Wish for the picture of a moment."""
        if self._wanted_ms is None:
            self._late.start()
        self._wanted_ms = time_ms
        if self._asked_ms is None:
            self._ask()

    def came(self, time_ms: int) -> bool:
        """Take note of a picture, and say whether it is the one that is wanted."""
        is_it = time_ms == self._wanted_ms
        if is_it:
            self._wanted_ms = None
            self._late.stop()
        if time_ms == self._asked_ms:
            self._asked_ms = None
            self._lost.stop()
            self._ask()
        return is_it

    def is_not_late(self) -> None:
        """Tell nobody that the picture is late: one that is proven the same stands in for it."""
        self._late.stop()

    def forget(self) -> None:
        """Want nothing any more."""
        self._wanted_ms = self._asked_ms = None
        self._late.stop()
        self._lost.stop()

    def _ask(self) -> None:
        if self._wanted_ms is not None:
            self._asked_ms = self._wanted_ms
            self._lost.start()
            self.asked.emit(self._wanted_ms)

    def _tell_late(self) -> None:
        if self._wanted_ms is not None:
            self.late.emit()

    def _give_up(self) -> None:
        given_up, self._asked_ms = self._asked_ms, None
        if given_up != self._wanted_ms:
            self._ask()


def _clock(owner: QObject, after_ms: int, then: Callable[[], None]) -> QTimer:
    timer = QTimer(owner)
    timer.setSingleShot(True)
    timer.setInterval(after_ms)
    timer.timeout.connect(then)
    return timer
