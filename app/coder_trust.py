"""How far each coder can be trusted in one library, worked out once for each state of it."""

from __future__ import annotations

import threading

from app.coding.calibration import Trust, trust_in_coders
from app.running.protocols import Report, no_report
from app.store.library import Library


class CoderTrust:
    """Sets coders beside the decisions in a library. Safe to use from several threads.

    Args:
        library: With predictions and decisions.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._guard = threading.Lock()
        self._known: dict[str, tuple[object, tuple[Trust, ...]]] = {}

    def figures(
        self, person: str = "", report: Report = no_report, stop: threading.Event | None = None
    ) -> tuple[Trust, ...]:
        """Give every coder's figures; a quarter of a second a coder when anything has changed.

        Call it in the background.

        Args:
            person: Whose decisions count; empty for what stands among all.
            report: Told what is being done.
            stop: Not heeded: it takes a few seconds at most.
        """
        with self._guard:
            stamp = self._library.stamp()
            known = self._known.get(person)
            if known is not None and known[0] == stamp:
                return known[1]
            report(0.1, "setting coders beside what people decided")
            found = trust_in_coders(self._library.decided_clips(person))
            self._known[person] = (stamp, found)
            return found

    def known(self, person: str = "") -> tuple[Trust, ...]:
        """Give what was worked out last, without working anything out; nothing before that."""
        found = self._known.get(person)
        return found[1] if found is not None else ()
