"""Edits that were begun and not kept as pairs yet: they outlive the program."""

from __future__ import annotations

import json
import logging

from app.errors import ClerestoryError
from app.running.questions import digest_of
from app.store.library import Library

log = logging.getLogger(__name__)


class EditDrafts:
    """What one person has begun to edit; kept in the library as it is typed.

    Args:
        library: Where it is kept.
        who: Whose drafts these are.
    """

    def __init__(self, library: Library, who: str) -> None:
        self._library = library
        self._name = f"reward drafts of {who}"
        self._begun = self._read()

    def of(self, item_id: str, original: str) -> str:
        """Give the words as they were left; the original where nothing was begun."""
        return self._begun.get(_key(item_id, original), original)

    def keep(self, item_id: str, original: str, edited: str) -> None:
        """Keep what was typed; an edit that is the original again is let go.

        Raises:
            StoreRefused: It holds until the program ends, but could not be written.
        """
        if edited == self.of(item_id, original):
            return
        self._begun.pop(_key(item_id, original), None)
        if edited != original:
            self._begun[_key(item_id, original)] = edited
        self._library.set_setting(self._name, json.dumps(self._begun, ensure_ascii=False))

    def _read(self) -> dict[str, str]:
        try:
            told = json.loads(self._library.setting(self._name) or "{}")
            return {str(key): str(words) for key, words in told.items()}
        except (ClerestoryError, ValueError, AttributeError) as error:
            log.warning("%s could not be read: %s", self._name, error)
            return {}


def _key(item_id: str, original: str) -> str:
    return f"{item_id} {digest_of(original)[:16]}"
