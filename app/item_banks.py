"""The banks of items in a library: brought in, written out, reviewed by people."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import cache, cached_property
from itertools import count
from pathlib import Path

from app.audit.bank import STARTER, Bank, read_bank
from app.audit.bringing_in import BankDraft, bring_in
from app.audit.items import Item
from app.audit.records import BankRow, Verdict
from app.audit.reviewing_items import (
    ItemStanding,
    dropped,
    mark_of_items,
    standings_of,
    word_on,
)
from app.audit.writing_out import write_out
from app.errors import Refused
from app.store.library import Library
from resources import resource


@cache
def starter_bank() -> Bank:
    """Give the bank that the program ships."""
    return read_bank(resource("items"), resource("rubrics"))


class ItemBanks:
    """The banks of one library.

    Args:
        library: Where they are kept.
    """

    def __init__(self, library: Library) -> None:
        self._library = library

    def starter(self) -> str:
        """Put the bank of the program into the library, once; gives its digest."""
        return self._starter

    @cached_property
    def _starter(self) -> str:
        return self._library.audits.add_bank(STARTER, starter_bank())

    def banks(self) -> tuple[BankRow, ...]:
        """List the banks, oldest first; the starter bank is always there."""
        self.starter()
        return self._library.audits.banks()

    def find(self, name: str) -> BankRow:
        """Find a bank by its name or the start of its digest; the starter bank for an empty name.

        Several versions of the starter bank may be there; the newest is meant.

        Raises:
            Refused: There is none, or the start of a digest is that of several.
        """
        rows = self.banks()
        if name in ("", STARTER):
            newest = self.starter()
            return next(row for row in rows if row.digest == newest)
        found = [row for row in rows if row.name == name]
        found = found or [row for row in rows if row.digest.startswith(name)]
        if len(found) == 1:
            return found[0]
        told = "\n".join(f"  {row.name}  {row.items} items  {row.digest[:12]}" for row in rows)
        what = "More than one bank of items is" if found else "No bank of items is"
        raise Refused(f"{what} called “{name}”.", f"These are there:\n{told}")

    def bring_in(
        self,
        path: Path,
        *,
        name: str = "",
        rubrics: Path | None = None,
        without: Collection[str] = (),
    ) -> tuple[str, BankDraft]:
        """Bring in a file of items; gives the bank's digest, and what a person should know of it.

        The same items under the same name are the same bank. Where other items have the name, a
        number is put behind it.

        Raises:
            Refused: The file is something else, or anything in it is wrong; nothing is kept then.
        """
        draft = bring_in(path, starter_bank(), name=name, rubrics=rubrics, without=without)
        audits = self._library.audits
        taken = {row.name: row.digest for row in audits.banks()}
        for number in count(1):
            called = draft.name if number == 1 else f"{draft.name} {number}"
            bank = _called(draft.bank, called)
            if called not in taken or audits.bank(taken[called]) == bank:
                break
        digest = audits.add_bank(called, bank, draft.origin)
        return digest, replace(draft, name=called, bank=bank)

    def write_out(self, digest: str, folder: Path) -> list[Path]:
        """Write a bank into a folder, as files that come back in as the same items.

        Raises:
            ReportRefused: The folder cannot be written, or has such files already.
            StoreRefused: There is no such bank.
        """
        return write_out(self._library.audits.bank(digest), folder)

    def standings(self, digest: str) -> tuple[ItemStanding, ...]:
        """Give each item of a bank with what people said of it.

        Raises:
            StoreRefused: There is no such bank.
        """
        bank = self._library.audits.bank(digest)
        return standings_of(bank.items, self._library.item_reviews.all())

    def say(self, item: Item, verdict: Verdict, reviewer: str, why: str = "") -> ItemStanding:
        """Keep a person's word on an item, and give the item as it stands after it.

        Raises:
            Refused: The name cannot be used, or it is not said why.
            StoreRefused: It could not be kept.
        """
        self._library.item_reviews.add(word_on(item, verdict, reviewer, why))
        said = self._library.item_reviews.all()
        return standings_of([item], said)[0]

    def mark(self, digest: str, item_ids: Collection[str] | None = None) -> str:
        """Say how far a bank, or some of its items, has been reviewed; it stands beside figures.

        Args:
            digest: Of the bank.
            item_ids: Those that were asked; all of the bank if not given.
        """
        found = self.standings(digest)
        chosen = None if item_ids is None else frozenset(item_ids)
        return mark_of_items([s for s in found if chosen is None or s.item.item_id in chosen])

    def dropped(self, digest: str) -> frozenset[str]:
        """Give the ids of items that people dropped: plans leave them out."""
        return dropped(self.standings(digest))


def _called(bank: Bank, name: str) -> Bank:
    return replace(bank, items=tuple(replace(item, bank=name) for item in bank.items))
