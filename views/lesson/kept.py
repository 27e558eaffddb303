"""What one reviewer has begun in a lesson and not committed, and which labels they have seen.

Kept in the library under the reviewer's name, so that neither the end of the program nor another
reviewer at the same desk loses it or takes it over.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from app.coding.pick import Pick
from app.coding.records import Citation
from app.errors import ClerestoryError
from app.scoring.scored import Code
from app.store.library import Library

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Draft:
    """What was begun on one clip."""

    note: str | None = None
    """`None` when no note was typed."""
    pick: Pick | None = None
    """`None` when nothing else was picked than what stands."""


@dataclass(slots=True)
class Kept:
    """The drafts and the seen labels of one reviewer in one lesson; see `read_kept`."""

    library: Library
    author: str
    lesson_id: str
    drafts: dict[str, Draft] = field(default_factory=dict)
    """By clip."""
    seen: set[str] = field(default_factory=set)
    """Clips of which a label was on the screen before they were coded."""

    def draft(self, clip_id: str) -> Draft:
        """Give what was begun on a clip."""
        return self.drafts.get(clip_id, Draft())

    def keep(self, clip_id: str, draft: Draft) -> None:
        """Keep what is begun on a clip; an empty draft is let go.

        Raises:
            StoreRefused: It holds until the program ends, but could not be written.
        """
        if draft == self.draft(clip_id):
            return
        self.drafts.pop(clip_id, None)
        if draft != Draft():
            self.drafts[clip_id] = draft
        written = {name: _draft_to_json(one) for name, one in self.drafts.items()}
        self._write(f"drafts of {self.author}", written)

    def take_over(self, drafts: Mapping[str, Draft]) -> None:
        """Keep drafts that belonged to nobody, where there is none yet."""
        for clip_id, draft in drafts.items():
            if clip_id not in self.drafts:
                self.keep(clip_id, draft)

    def see(self, clip_ids: Iterable[str]) -> None:
        """Note labels that are on the screen: a code set after that is not blind.

        Raises:
            StoreRefused: It could not be written.
        """
        new = set(clip_ids) - self.seen
        if new:
            self.seen |= new
            self._write(f"seen by {self.author}", sorted(self.seen))

    def _write(self, name: str, value: object) -> None:
        text = json.dumps(value, ensure_ascii=False)
        self.library.set_setting(f"{name}: {self.lesson_id}", text)


def read_kept(library: Library, author: str, lesson_id: str) -> Kept:
    """Read what a reviewer has begun and seen in a lesson; what cannot be read is left out.

    What was begun before anybody gave a name goes to whoever comes first.
    """
    kept = Kept(library, author, lesson_id)
    kept.seen = {str(name) for name in _read(library, f"seen by {author}: {lesson_id}", list)}
    kept.drafts = _drafts(library, f"drafts of {author}: {lesson_id}")
    for name in (f"drafts: {lesson_id}", f"drafts of : {lesson_id}") if author else ():
        unowned = _drafts(library, name)
        if unowned:
            kept.take_over(unowned)
            library.set_setting(name, "")
    return kept


def _drafts(library: Library, name: str) -> dict[str, Draft]:
    """Read drafts; an earlier form held notes alone."""
    return {
        clip_id: Draft(one) if isinstance(one, str) else _draft_from_json(one)
        for clip_id, one in _read(library, name, dict).items()
    }


def _read(library: Library, name: str, kind: type) -> Any:
    try:
        text = library.setting(name)
        value = json.loads(text) if text else kind()
    except (ClerestoryError, ValueError) as error:
        log.warning("%s could not be read: %s", name, error)
        return kind()
    return value if isinstance(value, kind) else kind()


def _draft_to_json(draft: Draft) -> dict[str, Any]:
    return {"note": draft.note, "pick": draft.pick and asdict(draft.pick)}


def _draft_from_json(table: Any) -> Draft:
    """Read a draft; a part that makes no sense is dropped, the rest kept."""
    if not isinstance(table, dict):
        return Draft()
    note = table.get("note")
    return Draft(note if isinstance(note, str) else None, _pick_from_json(table.get("pick")))


def _pick_from_json(table: Any) -> Pick | None:
    try:
        return Pick(
            str(table["practice"]),
            table["level"],
            tuple(Code(**code) for code in table["also"]),
            tuple(
                Citation(**(cited | {"utterances": tuple(cited["utterances"])}))
                for cited in table["cites"]
            ),
        )
    except (TypeError, KeyError):
        return None
