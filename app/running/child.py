"""One watched process for native code: a crash, a hang or a stop there costs one call.

Decoders and models run there and never in the program itself. How a call is judged:

- It may take as long as it likes, as long as it makes progress: whenever it reports, a clock of
  `silence_s` starts anew. A process that is alive but reports nothing, be it a loop in Python or
  a wait in native code, is ended when that clock runs out. A call that has nothing to report
  (loading a large model) is given a longer `silence_s` of its own.
- Apart from that the child shows each second that Python runs in it. This sign of life does
  **not** count as progress; it only tells in the log whether a silent call was looping, or held
  Python's lock in native code.
- After `stop` it has `STOP_GRACE_S` to end by itself; then the process is ended.

On Linux the child ends with the program whatever it is doing. Elsewhere it does so as soon as
Python runs in it again, which is at once unless native code holds Python's lock.
"""

from __future__ import annotations

import itertools
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.errors import Cancelled, EngineStopped
from app.places import log_folder
from app.running.protocols import Report, no_report
from app.running.spawned import Ended, Spawned

STOP_GRACE_S = 1.0
"""How long a call may go on after it was asked to stop."""

START_LIMIT_S = 60.0
"""How long a new process may take to answer; usually 0.2 s, but disks and scanners can be slow."""

POLL_S = 0.05
"""How often a waiting call looks whether it was stopped."""


class Child:
    """A spawned process that runs functions for us, one at a time, and may die of it.

    Started by the first call, and again by the next call after it died. May be shared by
    threads: calls take turns, and one that waits for its turn can be stopped.

    Args:
        silence_s: Longest time without progress, unless a call names its own.
        log: File that gets all its output; `engines.log` in the log folder if not given.
    """

    def __init__(self, silence_s: float = 120.0, log: Path | None = None) -> None:
        self.silence_s = silence_s
        self.log = log if log is not None else log_folder() / "engines.log"
        self._turn = threading.Condition()
        self._caller: object | None = None
        """Whose turn it is."""
        self._closed = threading.Event()
        self._process: Spawned | None = None
        self._numbers = itertools.count(1)

    @property
    def pid(self) -> int | None:
        """Process id while a child is alive, else `None`."""
        process = self._process
        return process.pid if process is not None and process.is_alive() else None

    @property
    def is_busy(self) -> bool:
        """Whether a call is under way, so that another one would have to wait."""
        return self._caller is not None

    def call(
        self,
        target: str,
        *args: Any,
        report: Report = no_report,
        stop: threading.Event | None = None,
        silence_s: float | None = None,
    ) -> Any:
        """Run a function in the child and wait for what it returns.

        Args:
            target: `package.module:function`. Its parameters `report` and `stop`, if it has
                them, are filled in; `report` arrives here on the calling thread.
            args: Everything else it takes; must pickle, as must the result.
            report: Takes progress.
            stop: Ends the call when set, also while it waits for its turn.
            silence_s: Longest time without progress for this call.

        Raises:
            EngineStopped: The child crashed, fell silent, or met a fault in the program; the
                hint names the log. The next call starts a fresh child where need be.
            Cancelled: `stop` was set or the child is closed.
            ClerestoryError: Whatever the function raised of `app.errors`, as itself.
        """
        stop = stop if stop is not None else threading.Event()
        limit_s = self.silence_s if silence_s is None else silence_s
        caller = object()
        try:
            self._wait_for_turn(caller, stop)
            try:
                return self._ask(target, args, report, stop, limit_s)
            except _NotBegun:
                # It had died in idleness, for instance when memory ran out elsewhere.
                return self._ask(target, args, report, stop, limit_s)
        finally:
            self._end_turn(caller)

    def close(self) -> None:
        """End the child within a second, whatever it is doing. No call is taken afterwards."""
        self._closed.set()
        caller = object()
        try:
            with self._turn:
                if self._turn.wait_for(lambda: self._caller is None, timeout=0.5):
                    self._caller = caller
            self._drop()
        finally:
            self._end_turn(caller)

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _wait_for_turn(self, caller: object, stop: threading.Event) -> None:
        """Wait until no other call is under way; `_end_turn` must follow, come what may.

        Ctrl+C can come at any moment. A turn has its caller's name on it, so that it is given back
        even where it was taken and nobody could say so any more.
        """
        with self._turn:
            self._check(stop)
            while self._caller is not None:
                self._turn.wait(POLL_S)
                self._check(stop)
            self._caller = caller

    def _end_turn(self, caller: object) -> None:
        with self._turn:
            if self._caller is caller:
                self._caller = None
                self._turn.notify()

    def _check_open(self) -> None:
        if self._closed.is_set():
            raise Cancelled("Stopped, because the program is closing.")

    def _check(self, stop: threading.Event) -> None:
        self._check_open()
        if stop.is_set():
            raise Cancelled()

    def _living(self, stop: threading.Event) -> Spawned:
        """Give the process that is alive, or start one."""
        if self._process is not None and self._process.is_alive():
            return self._process
        self._drop()
        process = self._process = Spawned(self.log)
        until = time.monotonic() + START_LIMIT_S
        try:
            while process.next_message(POLL_S) is None:
                self._check(stop)
                if time.monotonic() > until:
                    raise Ended(f"it did not start within {START_LIMIT_S:.0f} s")
        except Ended as ended:
            self._drop()
            raise EngineStopped(
                f"The engine's process could not be started: {ended}.",
                f"Restart the program; details are in {self.log}.",
            ) from None
        except BaseException:
            self._drop()
            raise
        return process

    def _ask(
        self,
        target: str,
        args: tuple[Any, ...],
        report: Report,
        stop: threading.Event,
        silence_s: float,
    ) -> Any:
        process = self._living(stop)
        watch = _Watch(target, next(self._numbers), silence_s)
        try:
            process.send(("call", watch.number, target, args))
            return self._wait(process, watch, report, stop)
        except Ended as ended:
            self._check_open()
            kind = EngineStopped if watch.begun else _NotBegun
            raise kind(
                f"The engine stopped while {watch.under_way}: {ended}.",
                f"Try again; it starts afresh. Details are in {self.log}.",
            ) from None
        finally:
            # Left without an answer, or by Ctrl+C: what comes through the pipe cannot be
            # trusted any more.
            if not watch.answered:
                self._drop()

    def _wait(self, process: Spawned, watch: _Watch, report: Report, stop: threading.Event) -> Any:
        while True:
            message = process.next_message(POLL_S)
            if message is not None and message[1:2] == (watch.number,):
                if watch.takes(message):
                    return self._read_answer(message, watch)
                if message[0] == "report":
                    report(watch.share, watch.doing)
            self._check_open()
            # Only when nothing waits in the pipe: taking a report here may itself have taken long.
            if message is None and watch.is_silent:
                process.ask_where()
                raise Ended(f"{watch.silence_s:g} s went by without progress ({watch.pulse})")
            if stop.is_set():
                self._press(process, watch)

    def _press(self, process: Spawned, watch: _Watch) -> None:
        """Ask the call to stop; once the grace is over, raise."""
        if watch.stop_sent_at is None:
            watch.stop_sent_at = time.monotonic()
            process.send(("stop", watch.number))
        elif time.monotonic() - watch.stop_sent_at > STOP_GRACE_S:
            process.ask_where()
            raise Cancelled(
                f"Stopped as you asked, while {watch.under_way}.",
                f"It did not stop by itself and was ended; details are in {self.log}.",
            )

    def _read_answer(self, message: tuple[Any, ...], watch: _Watch) -> Any:
        if message[0] == "done":
            return message[2]
        if message[0] == "refused":
            raise message[2]
        _, _, what, out_of_memory = message
        if out_of_memory:
            self._drop()
            raise EngineStopped(
                f"The memory of this computer ran out while {watch.under_way}.",
                f"Close other programs or take a smaller model. Details are in {self.log}.",
            )
        raise EngineStopped(
            f"A fault in the program came up while {watch.under_way} ({what}).",
            f"Please report it; details are in {self.log}.",
        )

    def _drop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.end()


class _NotBegun(EngineStopped):
    """The child was dead before it took up the call, so that nothing of it can have been done."""


@dataclass(slots=True)
class _Watch:
    """What is known of the call under way."""

    target: str
    number: int
    silence_s: float
    share: float = 0.0
    doing: str = ""
    begun: bool = False
    answered: bool = False
    stop_sent_at: float | None = None
    progress_at: float = field(default_factory=time.monotonic)
    beat_at: float = field(default_factory=time.monotonic)

    def takes(self, message: tuple[Any, ...]) -> bool:
        """Note a message; say whether it ends the call."""
        self.begun = True
        self.beat_at = time.monotonic()
        if message[0] == "report":
            self.progress_at = self.beat_at
            _, _, self.share, self.doing = message
        self.answered = message[0] in ("done", "refused", "fault")
        return self.answered

    @property
    def is_silent(self) -> bool:
        return time.monotonic() - self.progress_at > self.silence_s

    @property
    def under_way(self) -> str:
        """What was being done, as the function itself said last."""
        if not self.doing:
            return f"running {self.target}"
        return f"at “{self.doing}” ({self.share:.0%})"

    @property
    def pulse(self) -> str:
        since = time.monotonic() - self.beat_at
        # Four missed beats: a busy computer delays one or two.
        return "it still runs" if since < 4 else "stuck in native code"
