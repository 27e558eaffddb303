"""The far side of the watched process: takes calls, shows life, ends with the program.

Only light things are imported here, so that the process is up in a fraction of a second; each
call imports what it needs. `app.running.child` is the near side and the only one to start it.

What travels, as tuples with the name of the message first:

    program to child   ("call", number, target, args)   ("stop", number)
    child to program   ("ready",)  ("begun", number)  ("beat", number)
                       ("report", number, share, doing)  ("done", number, result)
                       ("refused", number, error)  ("fault", number, what, out_of_memory)
"""

from __future__ import annotations

import contextlib
import faulthandler
import importlib
import inspect
import io
import logging
import multiprocessing
import os
import pickle
import queue
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from multiprocessing.connection import wait
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app import errors

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

BEAT_S = 1.0
"""Seconds between two signs of life while a call is under way."""

REPORT_GAP_S = 0.02
"""Reports that follow faster than this are held back; the last one always arrives."""


def serve(connection: Connection, log: str) -> None:
    """Take one call after another until the program goes away. Runs as the whole process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _write_to(log)
    _end_with_parent()
    server = _Server(connection)
    server.start()
    server.run()


class _Server:
    """Runs calls on the main thread, while two others listen and beat."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._calls: queue.SimpleQueue[tuple[int, str, tuple[Any, ...]]] = queue.SimpleQueue()
        self._sending = threading.Lock()
        self._number = 0
        self._stop = threading.Event()

    def start(self) -> None:
        """Start listening and beating, and say that calls are welcome."""
        threading.Thread(target=self._listen, name="listen", daemon=True).start()
        threading.Thread(target=self._beat, name="beat", daemon=True).start()
        self._send(("ready",))

    def run(self) -> None:
        """Answer calls for ever."""
        while True:
            number, target, args = self._calls.get()
            self._send(("begun", number))
            _log_line(f"call {number}: {target}")
            answer = self._answer(number, target, args)
            # Before the answer: with it, the program may already send the next call.
            self._number = 0
            self._send_packed(answer)

    def _answer(self, number: int, target: str, args: tuple[Any, ...]) -> bytes | memoryview:
        report = _Reports(lambda share, doing: self._send(("report", number, share, doing)))
        try:
            result = _run(target, args, report, self._stop)
            report.flush()
            return ForkingPickler.dumps(("done", number, result))
        except errors.ClerestoryError as error:
            return ForkingPickler.dumps(("refused", number, _portable(error)))
        # The border of the child: whatever a library raises must not end the process unexplained.
        except BaseException as error:
            _log_line(f"call {number} failed\n{traceback.format_exc()}")
            what = f"{type(error).__name__}: {error}"[:500]
            fault = ("fault", number, what, isinstance(error, MemoryError))
            return ForkingPickler.dumps(fault)

    def _listen(self) -> None:
        """Take messages; end the process when the program has gone."""
        parent = multiprocessing.parent_process()
        gone = [parent.sentinel] if parent is not None else []
        while True:
            ready = wait([self._connection, *gone])
            if self._connection not in ready:
                os._exit(0)
            try:
                message = self._connection.recv()
            except (EOFError, OSError):
                os._exit(0)
            self._take(message)

    def _take(self, message: tuple[Any, ...]) -> None:
        if message[0] == "call":
            _, number, target, args = message
            self._stop = threading.Event()
            self._number = number
            self._calls.put((number, target, args))
        elif message[0] == "stop" and message[1] == self._number:
            self._stop.set()

    def _beat(self) -> None:
        while True:
            time.sleep(BEAT_S)
            if number := self._number:
                self._send(("beat", number))

    def _send(self, message: tuple[Any, ...]) -> None:
        self._send_packed(ForkingPickler.dumps(message))

    def _send_packed(self, packed: bytes | memoryview) -> None:
        try:
            with self._sending:
                self._connection.send_bytes(packed)
        except (BrokenPipeError, ConnectionError):
            os._exit(0)


class _Reports:
    """Passes progress on, thinned out so that a report a frame costs nothing."""

    def __init__(self, send: Callable[[float, str], None]) -> None:
        self._send = send
        self._sent_at = float("-inf")
        self._held: tuple[float, str] | None = None

    def __call__(self, share: float, doing: str) -> None:
        """Take progress as `app.running.protocols.Report` does."""
        self._held = (float(share), str(doing))
        if time.monotonic() - self._sent_at >= REPORT_GAP_S:
            self.flush()

    def flush(self) -> None:
        """Send what is held back."""
        if self._held is not None:
            held, self._held = self._held, None
            self._sent_at = time.monotonic()
            self._send(*held)


def _run(target: str, args: tuple[Any, ...], report: _Reports, stop: threading.Event) -> Any:
    module, _, name = target.partition(":")
    function = getattr(importlib.import_module(module), name)
    wanted = inspect.signature(function).parameters
    extras = {"report": report, "stop": stop}
    return function(*args, **{name: value for name, value in extras.items() if name in wanted})


def _portable(error: errors.ClerestoryError) -> errors.ClerestoryError:
    """Give an error that the program can unpickle: itself, or its nearest known kind."""
    try:
        pickle.loads(pickle.dumps(error))
    except (pickle.PickleError, TypeError, AttributeError, ImportError):
        kinds = (kind for kind in type(error).__mro__ if kind.__module__ == errors.__name__)
        known: type[errors.ClerestoryError] = next(kinds)
        return known(error.message, error.hint)
    return error


def _write_to(log: str) -> None:
    """Send all output, also that of native code and of crashes, to the end of the log."""
    try:
        Path(log).parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    except OSError:
        descriptor = os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        os.dup2(descriptor, number)
    text = io.TextIOWrapper(
        io.FileIO(descriptor, "ab"),
        encoding="utf-8",
        errors="backslashreplace",
        line_buffering=True,
    )
    sys.stdout = sys.stderr = text
    faulthandler.enable(file=2, all_threads=True)
    if hasattr(faulthandler, "register"):
        # The program asks with this signal where a silent child hangs, before it ends it.
        faulthandler.register(signal.SIGUSR1, file=2, all_threads=True)
    logging.basicConfig(
        stream=text, level=logging.INFO, format="%(levelname)s %(name)s %(message)s"
    )
    _log_line("started")


def _log_line(text: str) -> None:
    """Write one line with time and process to the log; a full disk does not matter here."""
    stamp = time.strftime("%Y-%m-%d %H:%M:%S")
    with contextlib.suppress(OSError):
        sys.stderr.write(f"{stamp} [{os.getpid()}] {text}\n")


def _end_with_parent() -> None:
    """On Linux, let the kernel end this process when the program dies, whatever runs here.

    The listening thread does the same everywhere, but cannot run while native code keeps
    Python's lock. The pipe that tells of the parent's death is set to raise SIGIO when its
    other end closes; nobody handles SIGIO, so that the process ends there and then.
    """
    parent = multiprocessing.parent_process()
    if parent is None or sys.platform != "linux":
        return
    import fcntl

    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(parent.sentinel, fcntl.F_SETOWN, os.getpid())
    flags = fcntl.fcntl(parent.sentinel, fcntl.F_GETFL)
    fcntl.fcntl(parent.sentinel, fcntl.F_SETFL, flags | os.O_ASYNC)
