"""Waiting for something slow without being held by it: a person's stop is heard within a moment."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from engines.shelf_files import stop_here

Item = TypeVar("Item")
_LISTEN_S = 0.1
_WAITING = 4
"""Items made ahead; with pieces of 1 MiB this is all the memory that a download takes."""


@dataclass(frozen=True, slots=True)
class _Made(Generic[Item]):
    item: Item


@dataclass(frozen=True, slots=True)
class _End:
    error: BaseException | None = None
    """Why no more is made; `None` when all was."""


def made_apart(
    make: Callable[[], Iterator[Item]], stop: threading.Event | None
) -> Generator[Item, None, None]:
    """Give what `make` gives, made in a thread of its own.

    When the caller goes away, or is stopped, the thread is left behind; it ends at its next item
    or with whatever it waits for, and nothing that it makes is taken any more.

    Raises:
        Cancelled: `stop` was set.
        Exception: Whatever `make` raised.
    """
    line: queue.Queue[_Made[Item] | _End] = queue.Queue(_WAITING)
    left = threading.Event()

    def put(what: _Made[Item] | _End) -> bool:
        while not left.is_set():
            try:
                line.put(what, timeout=_LISTEN_S)
            except queue.Full:
                continue
            return True
        return False

    def run() -> None:
        try:
            for item in make():
                if not put(_Made(item)):
                    return
        except BaseException as error:  # carried over to the caller, who raises it
            put(_End(error))
        else:
            put(_End())

    threading.Thread(target=run, daemon=True, name="made apart").start()
    try:
        yield from _taken(line, stop)
    finally:
        left.set()


def _taken(line: queue.Queue[_Made[Item] | _End], stop: threading.Event | None) -> Iterator[Item]:
    while True:
        stop_here(stop)
        try:
            taken = line.get(timeout=_LISTEN_S)
        except queue.Empty:
            continue
        if isinstance(taken, _End):
            if taken.error is not None:
                raise taken.error
            return
        yield taken.item
