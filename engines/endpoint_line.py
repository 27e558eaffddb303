"""Patience with an endpoint: how many calls at once, when to wait, when to try again, when not."""

from __future__ import annotations

import contextlib
import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from app.errors import Cancelled
from engines.endpoint_door import Cut, CutOff, Door, Reply
from engines.endpoint_trouble import TRIED_AGAIN, Kind, Trouble

POLL_S = 0.05
"""How often a waiting call looks whether it was stopped."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How often and how long a call is tried."""

    tries: int = 6
    """Times a call is made at most."""
    first_wait_s: float = 0.5
    """Wait before the second try when the server names none; doubled before each further one."""
    longest_wait_s: float = 120.0
    """A server that asks for more than this is not waited for."""


def wait_before(tried: int, asked_s: float | None, patience: Patience, lot: float) -> float:
    """Say how long to wait before trying again.

    Args:
        tried: How often the call was made, 1 or more.
        asked_s: What the server asks for, which is never undercut.
        patience: The limits.
        lot: 0 to 1, drawn by chance, so that calls that failed together do not return together.

    Returns:
        Seconds: what was asked for and up to a quarter more; else half to the whole of a span
        that doubles with each try, and no more than 30 s.
    """
    if asked_s is not None:
        return asked_s * (1 + lot / 4)
    span = min(patience.first_wait_s * 2.0 ** min(tried - 1, 30), 30.0)
    return span * (0.5 + lot / 2)


def asked_wait(reply: Reply, now: datetime | None = None) -> float | None:
    """Read how long a server asks to wait: milliseconds, seconds or an HTTP date."""
    text = reply.headers.get("retry-after-ms", "").strip()
    if text.isascii() and text.isdigit():
        return int(text[:12]) / 1000
    text = reply.headers.get("retry-after", "").strip()
    try:
        if text and text[0].isdigit():
            seconds = float(text)
            return seconds if seconds < 1e9 else 1e9
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return max((moment - (now or datetime.now(UTC))).total_seconds(), 0.0)


class Gate:
    """Lets so many calls through at once: half as many whenever the server says it is busy.

    Each answer that comes lets the number grow again, by one for a whole round of calls.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._limit = float(most)
        self._inside = 0
        self._shrunk_at = 0.0
        self._shut_until = 0.0
        self._changed = threading.Condition()

    @property
    def limit(self) -> int:
        """How many calls may be under way now."""
        return int(self._limit)

    @contextlib.contextmanager
    def pass_through(self, stop: threading.Event) -> Iterator[float]:
        """Wait for a place and hold it; gives the moment it was taken, for `is_busy`.

        Raises:
            Cancelled: `stop` was set while waiting.
        """
        with self._changed:
            while not self._is_open():
                if stop.is_set():
                    raise Cancelled()
                self._changed.wait(POLL_S)
            self._inside += 1
        try:
            yield time.monotonic()
        finally:
            with self._changed:
                self._inside -= 1
                self._changed.notify()

    def _is_open(self) -> bool:
        return self._inside < int(self._limit) and time.monotonic() >= self._shut_until

    def is_busy(self, since: float, wait_s: float) -> None:
        """Let fewer through, and nobody for `wait_s`.

        Args:
            since: When the call was sent that was turned away. One round of calls that are all
                turned away halves the number once, not once for each.
            wait_s: How long the server asks everybody to wait; 0 if it does not.
        """
        with self._changed:
            if since >= self._shrunk_at:
                self._limit = max(self._limit / 2, 1.0)
                self._shrunk_at = time.monotonic()
            self._shut_until = max(self._shut_until, time.monotonic() + wait_s)

    def went_well(self) -> None:
        """Let a little more through."""
        if self._limit < self._most:
            with self._changed:
                self._limit = min(self._limit + 1 / self._limit, float(self._most))
                self._changed.notify()


class Stops:
    """Cuts exchanges whose `stop` was set: one thread looks after all of them."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._watched: dict[Cut, threading.Event] = {}
        self._watcher: threading.Thread | None = None

    @contextlib.contextmanager
    def watching(self, stop: threading.Event) -> Iterator[Cut]:
        """Give a `Cut` that is used as soon as `stop` is set."""
        cut = Cut()
        with self._changed:
            self._watched[cut] = stop
            if self._watcher is None:
                self._watcher = threading.Thread(
                    target=self._watch, name="endpoint-stops", daemon=True
                )
                self._watcher.start()
        try:
            yield cut
        finally:
            with self._changed:
                del self._watched[cut]

    def _watch(self) -> None:
        while True:
            time.sleep(POLL_S)
            with self._changed:
                if not self._watched:
                    self._watcher = None
                    return
                due = [cut for cut, stop in self._watched.items() if stop.is_set()]
            for cut in due:
                cut.now()


Judge = Callable[[Reply], Trouble | None]
"""Looks at a reply; gives the trouble that it is, if it is one."""


class Line:
    """Makes calls over a door, with patience; may be shared by threads."""

    def __init__(self, door: Door, most: int, patience: Patience | None = None) -> None:
        self._door = door
        self._patience = patience if patience is not None else Patience()
        self._stops = Stops()
        self._lots = random.Random()
        self.gate = Gate(most)

    def deliver(
        self,
        method: str,
        path: str,
        body: bytes | None,
        judge: Judge,
        stop: threading.Event,
        waiting: Callable[[str], None] = lambda _words: None,
    ) -> tuple[Reply, int]:
        """Make a call, again where that can help; give the reply and how often it was made.

        Args:
            method: `GET` or `POST`.
            path: What follows the endpoint's address.
            body: JSON, or nothing.
            judge: Says whether a reply is a trouble.
            stop: Ends it, whatever it is waiting for, within a fraction of a second.
            waiting: Told in a few words what is waited for.

        Raises:
            Trouble: It went wrong and trying again did not or could not help.
            Cancelled: `stop` was set.
        """
        tried = 0
        while True:
            tried += 1
            try:
                return self._once(method, path, body, judge, stop), tried
            except Trouble as trouble:
                if trouble.kind not in TRIED_AGAIN or tried >= self._patience.tries:
                    raise
                if (trouble.wait_s or 0.0) > self._patience.longest_wait_s:
                    raise
                wait_s = wait_before(tried, trouble.wait_s, self._patience, self._lots.random())
                if wait_s >= 1:
                    waiting(f"waiting {wait_s:.0f} s for the server")
            if stop.wait(wait_s):
                raise Cancelled()

    def _once(
        self, method: str, path: str, body: bytes | None, judge: Judge, stop: threading.Event
    ) -> Reply:
        with self.gate.pass_through(stop) as since, self._stops.watching(stop) as cut:
            if stop.is_set():
                raise Cancelled()
            try:
                reply = self._door.send(method, path, body, cut)
            except CutOff:
                raise Cancelled() from None
            trouble = judge(reply)
            if trouble is None:
                self.gate.went_well()
                return reply
            if trouble.kind is Kind.BUSY:
                self.gate.is_busy(since, min(trouble.wait_s or 0.0, self._patience.longest_wait_s))
            raise trouble
