"""Say how far a reading is, and end it when a person asks for that."""

from __future__ import annotations

import threading

from app.errors import Cancelled
from app.running.protocols import Report, no_report


class Progress:
    """Passes on every so many calls how far something is, and looks whether to stop.

    Args:
        report: Takes the share done and what is being done.
        stop: Ends the work when set.
        doing: What is being done, in a few plain words.
        every: Calls between two reports.
    """

    def __init__(
        self,
        report: Report = no_report,
        stop: threading.Event | None = None,
        doing: str = "",
        every: int = 1,
    ) -> None:
        self._report = report
        self._stop = stop
        self._doing = doing
        self._every = every
        self._calls = 0

    def tell(self, share: float) -> None:
        """Take the share done, 0 to 1.

        Raises:
            Cancelled: `stop` is set.
        """
        self._calls += 1
        if self._calls % self._every:
            return
        if self._stop is not None and self._stop.is_set():
            raise Cancelled
        self._report(min(max(share, 0.0), 1.0), self._doing)
