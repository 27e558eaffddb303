"""The road of a reward model: pairs made, brought in or taken back, a model taught, tutors held
against the better response.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from app.audit.cells import items_of
from app.audit.items import Axis, Item
from app.audit.records import Origin
from app.audit.reward_model import Compared, WinRates, reads_alike, train, win_rates
from app.audit.reward_pairs import prompt_of, read_pairs, starter_pairs, write_pairs
from app.audit.reward_records import Flaw, KeptModel, Pair, PairOrigin, Trained
from app.audit.reward_words import verdict_words
from app.errors import Refused
from app.files import Files
from app.item_banks import ItemBanks
from app.running.protocols import Embedder, Report, no_report
from app.settings import Settings
from app.store.library import Library

OURS = "ours, with a fault"
"""Where the flawed response of an item comes from that the bank brings along."""


@dataclass(frozen=True, slots=True)
class Flawed:
    """A response that may be edited into a better one."""

    text: str
    source: str
    """Whose it is, e.g. `ours, with a fault`."""


@dataclass(frozen=True, slots=True)
class Held:
    """How often a tutor's responses were put above the better response to the same item."""

    rates: WinRates
    against_edits: int
    """Responses that were held against an expert's edit; the others against ours that should
    pass."""
    beside: int
    """Skill responses that failed, or have nothing to be held against; in no rate."""


class RewardDesk:
    """Makes pairs and teaches reward models in one library.

    Args:
        library: Where pairs and models are kept.
        files: Gives the sentence model.
        banks: The banks of items.
        settings: Who makes pairs.
    """

    def __init__(
        self, library: Library, files: Files, banks: ItemBanks, settings: Settings
    ) -> None:
        self._library, self._files = library, files
        self._banks, self._settings = banks, settings

    # Pairs

    def items(self) -> tuple[Item, ...]:
        """Give the skill items of all banks, the starter items first; the newest wording of each.

        What people dropped is left out.
        """
        found: dict[str, Item] = {}
        rows = {row.digest: row for row in self._banks.banks()}
        for digest in dict.fromkeys((self._banks.starter(), *reversed(rows))):
            dropped = self._banks.dropped(digest)
            for item in self._library.audits.bank(digest).of_axis(Axis.SKILL):
                if item.item_id not in dropped:
                    found.setdefault(item.item_id, item)
        return tuple(found.values())

    def titles(self) -> Mapping[str, str]:
        """Give what each strategy is called."""
        rubrics = self._library.audits.bank(self._banks.starter()).rubrics
        return {group: rubric.title for group, rubric in rubrics.items()}

    def flawed(self, item: Item) -> tuple[Flawed, ...]:
        """Give the responses to an item that may be edited: ours with a fault, then tutors'."""
        found = [Flawed(item.failing, OURS)] if item.failing else []
        for words, tutor, title in self._library.rewards.said_by_tutors(item.item_id):
            found.append(Flawed(words, f"{tutor}, audit “{title}”"))
        return tuple(found)

    def keep(self, item: Item, rejected: str, chosen: str, flaw: Flaw) -> None:
        """Keep an edit of a flawed response under the name of who sits here.

        Raises:
            Refused: Nobody said who sits here, nothing was changed, or the pair is there already.
        """
        try:
            pair = Pair(
                item.item_id,
                item.group,
                prompt_of(item),
                chosen.strip(),
                rejected.strip(),
                flaw,
                PairOrigin.EDITED,
            )
        except ValueError as error:
            raise Refused(
                f"This is no pair: {error}.", "Change the text on the right, then keep it."
            ) from error
        if not self._library.rewards.add_pairs([pair], self._author()):
            raise Refused("This very pair is kept already.", "Change the text, or go on.")

    def withdraw(self, pair_id: int) -> None:
        """Take a pair back; what was said by whom stays in the library.

        Raises:
            Refused: Nobody said who sits here.
            StoreRefused: No such pair stands here.
        """
        self._library.rewards.withdraw(pair_id, self._author())

    def pairs(self) -> tuple[Pair, ...]:
        """Give the pairs of this library that stand, oldest first."""
        return self._library.rewards.pairs()

    def starter(self) -> tuple[Pair, ...]:
        """Give the pairs of our own responses to the starter items."""
        return starter_pairs(self._library.audits.bank(self._banks.starter()).items)

    def bring_in(self, path: Path) -> int:
        """Bring in a file of pairs; gives how many were new.

        Raises:
            TableRefused: Anything in it is wrong; nothing is kept then.
            Refused: Nobody said who sits here.
        """
        return self._library.rewards.add_pairs(read_pairs(path), self._author())

    def write_out(self, path: Path, *, with_starter: bool = False) -> int:
        """Write the pairs into a file; gives how many.

        Raises:
            ReportRefused: There is such a file already, or it cannot be written.
        """
        pairs = self._teaching(with_starter)
        write_pairs(pairs, path)
        return len(pairs)

    # The model

    def train(
        self,
        *,
        with_starter: bool,
        seed: int = 0,
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> KeptModel:
        """Teach a model by the pairs that stand, and keep it with what is known of it.

        Args:
            with_starter: Whether our starter pairs teach it too.
            seed: Deals items into parts.
            report: Told what is being done.
            stop: Set to stop.

        Raises:
            Refused: There are too few pairs.
            Cancelled: `stop` was set; nothing is kept.
        """
        pairs = self._teaching(with_starter)
        return self._library.rewards.add_model(
            train(pairs, self._files.embedder(), seed, report, stop)
        )

    def model(self) -> KeptModel | None:
        """Give the model that was taught last; `None` where none was."""
        return self._library.rewards.newest_model()

    def hold(self, audit_id: int) -> Held:
        """Say how often an audit's tutor was put above the better response to the same item.

        Raises:
            Refused: There is no model, or it may not rank; the reasons are named.
            StoreRefused: There is no such audit.
        """
        audit = self._library.audits.audit(audit_id)
        model, embedder = self._ranking()
        bank = self._library.audits.bank(audit.plan.bank)
        items = {i.item_id: i for i in items_of(audit.plan, bank) if i.axis is Axis.SKILL}
        edits = {p.item_id: p.chosen for p in self.pairs() if p.origin is PairOrigin.EDITED}
        responses = [
            one
            for one in self._library.audits.responses(audit_id, Origin.TUTOR)
            if one.place.item_id in items
        ]
        able = [
            Compared(item.item_id, item.group, one.text, better)
            for one in responses
            if one.has_text
            and (item := items[one.place.item_id])
            and (better := edits.get(item.item_id) or item.passing)
        ]
        return Held(
            win_rates(model, embedder, able),
            sum(one.item_id in edits for one in able),
            len(responses) - len(able),
        )

    def _ranking(self) -> tuple[Trained, Embedder]:
        """Give the model that may rank, and the sentence model that it reads."""
        kept, embedder = self.model(), self._files.embedder()
        if kept is None:
            raise Refused("No reward model has been trained here.", "Train one first.")
        if not kept.model.may_rank:
            _, *why = verdict_words(kept.model)
            raise Refused("The reward model is refused.", " ".join(why))
        if not reads_alike(kept.model, embedder):
            raise Refused(
                "The reward model was taught with another sentence model.", "Train it again."
            )
        return kept.model, embedder

    def _teaching(self, with_starter: bool) -> tuple[Pair, ...]:
        """Give the pairs that teach; ours only where nobody kept the same words."""
        own = self.pairs()
        words = {(pair.chosen, pair.rejected) for pair in own}
        ours = self.starter() if with_starter else ()
        return (*own, *(pair for pair in ours if (pair.chosen, pair.rejected) not in words))

    def _author(self) -> str:
        if not self._settings.author.strip():
            raise Refused(
                "Nobody has said who sits here.", "Enter your name or initials in the settings."
            )
        return self._settings.author
