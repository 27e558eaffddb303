"""What somebody has begun on cases and not finished: kept in the library with each key."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from app.errors import ClerestoryError
from app.store.library import Library

log = logging.getLogger(__name__)

BegunT = TypeVar("BegunT")


class CaseDrafts(Generic[BegunT]):
    """Keeps what is begun on each of several cases; what cannot be read is left out.

    Args:
        library: Where it is kept.
        name: Under which name.
        nothing: What is begun on a case that nobody has touched.
        write: Gives what is begun as JSON can hold it.
        read: Reads it back; raises `ValueError` or `TypeError` where that is no such thing.
    """

    def __init__(
        self,
        library: Library,
        name: str,
        nothing: BegunT,
        write: Callable[[BegunT], Any],
        read: Callable[[Any], BegunT],
    ) -> None:
        self._library, self.name = library, name
        self._nothing, self._write = nothing, write
        self.begun: dict[int, BegunT] = {}
        """By case."""
        try:
            told = json.loads(library.setting(name) or "{}")
            self.begun = {int(number): read(one) for number, one in told.items()}
        except (ClerestoryError, ValueError, TypeError, AttributeError) as error:
            log.warning("%s could not be read: %s", name, error)

    def keep(self, case: int, begun: BegunT) -> None:
        """Keep what is begun on a case; where that is nothing, it is let go.

        Raises:
            StoreRefused: It holds until the program ends, but could not be written.
        """
        if begun == self.begun.get(case, self._nothing):
            return
        self.begun.pop(case, None)
        if begun != self._nothing:
            self.begun[case] = begun
        told = {str(number): self._write(one) for number, one in self.begun.items()}
        self._library.set_setting(self.name, json.dumps(told, ensure_ascii=False))
