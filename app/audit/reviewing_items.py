"""Where each item stands with those who reviewed it, and what stands wherever items are shown.

A word holds for the wording it was said of: an item that was changed since has not been reviewed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.audit.as_json import item_digest
from app.audit.bank import NOT_REVIEWED, STARTER
from app.audit.items import Item
from app.audit.records import ItemReview, Verdict
from app.errors import Refused


@dataclass(frozen=True, slots=True)
class ItemStanding:
    """An item with all that was said of it."""

    item: Item
    digest: str
    words: tuple[ItemReview, ...] = ()
    """On its present wording, oldest first."""
    earlier: tuple[ItemReview, ...] = ()
    """On other wordings of the item of this id, oldest first."""

    @property
    def latest(self) -> ItemReview | None:
        """The word that stands: the last one, whoever said it."""
        return self.words[-1] if self.words else None

    @property
    def verdict(self) -> Verdict | None:
        """What the item was found to be; `None` where nobody has reviewed this wording."""
        return self.words[-1].verdict if self.words else None

    @property
    def is_kept(self) -> bool:
        """Whether it counts as reviewed: the latest word on this wording is to keep it."""
        return self.verdict is Verdict.KEEP


def standings_of(items: Iterable[Item], reviews: Iterable[ItemReview]) -> tuple[ItemStanding, ...]:
    """Give each item with what was said of it, in the order of the items."""
    said: dict[str, list[ItemReview]] = {}
    for review in reviews:
        said.setdefault(review.item_id, []).append(review)
    found = []
    for item in items:
        digest, words = item_digest(item), said.get(item.item_id, ())
        now = tuple(word for word in words if word.item_digest == digest)
        before = tuple(word for word in words if word.item_digest != digest)
        found.append(ItemStanding(item, digest, now, before))
    return tuple(found)


def word_on(item: Item, verdict: Verdict, reviewer: str, why: str) -> ItemReview:
    """Give a word on an item as it is to be kept.

    Raises:
        Refused: It is to be revised or dropped, and it is not said why.
    """
    said = why.strip()
    if verdict is not Verdict.KEEP and not said:
        what = "what should change" if verdict is Verdict.REVISE else "why it should go"
        raise Refused(
            f"“{item.item_id}” was not marked: it is not said {what}.", "Write a few words first."
        )
    return ItemReview(item.item_id, item_digest(item), verdict, reviewer, said)


def dropped(standings: Iterable[ItemStanding]) -> frozenset[str]:
    """Give the ids of items that plans leave out unless a person wants them all the same."""
    return frozenset(s.item.item_id for s in standings if s.verdict is Verdict.DROP)


def not_reviewed(bank: str) -> str:
    """Say that items of a bank have not been reviewed, as it stands beside them."""
    return NOT_REVIEWED if bank == STARTER else f"items of “{bank}”, not expert-reviewed here"


def mark_of_item(standing: ItemStanding) -> str:
    """Say what stands beside an item: nothing once somebody reviewed it and kept it."""
    if standing.is_kept:
        return ""
    word = standing.latest
    if word is None:
        changed = ", changed since somebody reviewed it" if standing.earlier else ""
        return f"{not_reviewed(standing.item.bank)}{changed}"
    what = "dropped" if word.verdict is Verdict.DROP else "to be revised"
    return f"{what}, says {word.reviewer}"


def mark_of_items(standings: Sequence[ItemStanding]) -> str:
    """Say what stands beside a bank, a plan or its figures: how many items somebody reviewed.

    Only items that somebody kept count; those to be revised and those dropped are named apart.
    """
    if not standings:
        return ""
    names = dict.fromkeys(one.item.bank for one in standings)
    plain = "; ".join(map(not_reviewed, names))
    said = [one.latest for one in standings if one.latest is not None]
    if not said:
        return plain
    kept = [word for word in said if word.verdict is Verdict.KEEP]
    by = f" by {_named(kept)}" if kept else ""
    parts = [f"{len(kept)} of {len(standings)} items reviewed{by}"]
    parts += [
        f"{count} {what}"
        for verdict, what in ((Verdict.REVISE, "to be revised"), (Verdict.DROP, "dropped"))
        if (count := sum(word.verdict is verdict for word in said))
    ]
    if len(said) < len(standings):
        parts.append(f"{len(standings) - len(said)} {plain}")
    return "; ".join(parts)


def _named(words: Iterable[ItemReview]) -> str:
    """Name everybody whose word stands, in the order of the alphabet."""
    names = sorted({word.reviewer for word in words}, key=str.casefold)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
