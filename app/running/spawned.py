"""One spawned process, our end of the pipe to it, and how it came to its end."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
import types
from collections.abc import Iterator
from multiprocessing.connection import wait
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from typing import Any

from app.running.served import serve

LARGEST_LOG = 4_000_000
"""Bytes; a larger log is set aside as `.old` before the next start."""

_starting = threading.Lock()


class Ended(Exception):
    """The process is gone, or has to go; says how, in the middle of a sentence."""


class Spawned:
    """One process and our end of the pipe to it."""

    def __init__(self, log: Path) -> None:
        _set_aside(log)
        spawn = multiprocessing.get_context("spawn")
        self._pipe, far_end = spawn.Pipe()
        self._process = spawn.Process(
            target=serve, args=(far_end, str(log)), name="clerestory-engines", daemon=True
        )
        try:
            with _starting, _hidden_main():
                self._process.start()
        except BaseException:
            self._pipe.close()
            raise
        finally:
            far_end.close()
        self.pid = self._process.pid
        self._ending = threading.Lock()
        self._ended = False

    def is_alive(self) -> bool:
        """Say whether the process can still answer."""
        with self._ending:
            return not self._ended and self._process.is_alive()

    def send(self, message: tuple[Any, ...]) -> None:
        """Send a message.

        Raises:
            Ended: The process is gone.
        """
        # Pickled first: what cannot be pickled is our bug, and no reason to call it a crash.
        packed = ForkingPickler.dumps(message)
        try:
            self._pipe.send_bytes(packed)
        except OSError:
            raise Ended(self._how()) from None

    def next_message(self, timeout_s: float) -> tuple[Any, ...] | None:
        """Give the next message, or `None` if there is none in time.

        Raises:
            Ended: The process is gone, and all it said has been given.
        """
        try:
            ready = wait([self._pipe, self._process.sentinel], timeout_s)
            if self._pipe in ready or (ready and self._pipe.poll()):
                message: tuple[Any, ...] = self._pipe.recv()
                return message
        except (EOFError, OSError, ValueError):
            # ValueError: closed by `close` on another thread while we waited.
            raise Ended(self._how()) from None
        if ready:
            raise Ended(self._how())
        return None

    def ask_where(self) -> None:
        """Have the process write into its log what each thread is at, where that is possible."""
        if self.pid is not None and sys.platform != "win32":
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGUSR1)
            time.sleep(0.1)

    def end(self) -> None:
        """End the process and give back everything it took. May be called twice."""
        with self._ending:
            if self._ended:
                return
            self._ended = True
            self._pipe.close()
            self._process.kill()
            self._process.join(1.0)
            # Still there only when stuck in the kernel (a dead network drive).
            if self._process.exitcode is not None:
                self._process.close()

    def _how(self) -> str:
        with self._ending:
            if self._ended:
                return "it was closed"
            self._process.join(1.0)
            return _how_it_ended(self._process.exitcode)


_ENDINGS = {
    "SIGSEGV": "it crashed (segmentation fault)",
    "SIGABRT": "it crashed (abort)",
    "SIGBUS": "it crashed (bus error)",
    "SIGFPE": "it crashed (arithmetic error)",
    "SIGILL": "it crashed (this processor lacks an instruction it uses)",
    "SIGKILL": "the system ended it, most often because memory ran out",
}

_WINDOWS_ENDINGS = {
    0xC0000005: _ENDINGS["SIGSEGV"],
    0xC0000409: _ENDINGS["SIGABRT"],
    0xC000001D: _ENDINGS["SIGILL"],
}


def _how_it_ended(code: int | None) -> str:
    if code is None:
        return "it no longer answers"
    if code >= 0:
        return _WINDOWS_ENDINGS.get(code, f"it left without an answer (code {code})")
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return _ENDINGS.get(name, f"it was ended ({name})")


@contextlib.contextmanager
def _hidden_main() -> Iterator[None]:
    """Hide the program's main module while a process starts.

    A spawned process imports its parent's main module again. Ours would bring in the whole
    window, and a script without a guard would run a second time; nothing there is needed.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _set_aside(log: Path) -> None:
    # A log that cannot be moved, because another window writes to it, just grows on.
    with contextlib.suppress(OSError):
        if log.stat().st_size > LARGEST_LOG:
            log.replace(log.with_suffix(".old"))
