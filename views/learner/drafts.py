"""What was begun and stands with no decision yet: notes, and an event without an end.

All of it is kept by reviewer and video: neither the end of the program nor another event, video or
reviewer loses any.
"""

from __future__ import annotations

import json
import logging

from app.errors import ClerestoryError
from app.store.library import Library

log = logging.getLogger(__name__)


class NoteDrafts:
    """The notes one reviewer has begun in one video, by event."""

    def __init__(self, library: Library, author: str, lesson_id: str) -> None:
        self._library = library
        self._name = f"event notes of {author}: {lesson_id}"
        self._notes = self._read()

    def note(self, event_id: str) -> str | None:
        """Give the note that was begun on an event; `None` for none."""
        return self._notes.get(event_id)

    def keep(self, event_id: str, note: str | None) -> None:
        """Keep a note as it is being typed; `None` lets it go, as a decision carries it now.

        Raises:
            StoreRefused: It holds until the program ends, but could not be written.
        """
        if note == self._notes.get(event_id):
            return
        if note is None:
            del self._notes[event_id]
        else:
            self._notes[event_id] = note
        self._library.set_setting(self._name, json.dumps(self._notes, ensure_ascii=False))

    def _read(self) -> dict[str, str]:
        try:
            told = json.loads(self._library.setting(self._name) or "{}")
        except (ClerestoryError, ValueError) as error:
            log.warning("%s could not be read: %s", self._name, error)
            return {}
        if not isinstance(told, dict):
            return {}
        return {str(name): note for name, note in told.items() if isinstance(note, str)}


class BegunEvent:
    """Where one reviewer has begun an event in one video and not ended it."""

    def __init__(self, library: Library, author: str, lesson_id: str) -> None:
        self._library = library
        self._name = f"event begun by {author}: {lesson_id}"
        self.at_ms = self._read()
        """Where it begins; `None` where none was begun."""

    def keep(self, at_ms: int | None) -> None:
        """Keep where an event begins; `None` lets it go, as it was ended or given up.

        Raises:
            StoreRefused: It holds until the program ends, but could not be written.
        """
        if at_ms != self.at_ms:
            self.at_ms = at_ms
            self._library.set_setting(self._name, "" if at_ms is None else str(at_ms))

    def _read(self) -> int | None:
        try:
            told = self._library.setting(self._name)
            return int(told) if told else None
        except (ClerestoryError, ValueError) as error:
            log.warning("%s could not be read: %s", self._name, error)
            return None
