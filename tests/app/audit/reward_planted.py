"""Embedders whose vectors hold what a test planted, pairs for them, and audits to be compared."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.audit.items import Axis, Condition
from app.audit.records import AuditPlan, Origin, Place, Response, Seat
from app.audit.reward_records import Pair, PairOrigin
from app.item_banks import ItemBanks
from app.running.protocols import EngineFacts

STRATEGIES = ("mapping", "recast", "time_delay", "modeling")
FILLER = ("we sat on the rug", "the blocks lay there", "she held the red cup", "it was quiet")


class Planted:
    """An embedder that sees a mark of good or bad in a sentence, and what `also` gives."""

    def __init__(self, also=lambda text: 0.0, beside=0.0):
        self._also, self._beside = also, beside

    def facts(self) -> EngineFacts:
        return EngineFacts("planted", "1", True, 0, False, False, (("sha256", "ab"),))

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        longest = max(len(text) for text in texts)
        rows = np.zeros((len(texts), 6), np.float32)
        for row, text in enumerate(texts):
            rows[row, 0] = 0.3 * (text.count("I wait") - text.count("I ask"))
            rows[row, 1] = self._also(text)
            rows[row, 2] = self._beside * (longest - len(text)) / 100
            rows[row, 3] = 0.1 * (len(text.strip()) % 3)
            rows[row, 4] = 1.0
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def pairs_told_apart(count=40, *, longer=False, origin=PairOrigin.EDITED):
    """Give pairs of which the better one waits; if `longer`, with three sentences more."""
    made = []
    for number in range(count):
        words = [f"{FILLER[(number + at) % 4].capitalize()} today." for at in range(2)]
        extra = [f"{one.capitalize()} again." for one in FILLER[:3]] if longer else []
        # Without `longer` every second better one is a word longer, every other a word shorter.
        more, less = (" then", "") if number % 2 and not longer else ("", " now")
        made.append(
            Pair(
                f"item {number}",
                STRATEGIES[number % 4],
                f"Scene {number}.",
                " ".join([*words, f"I wait{more}.", *extra]),
                " ".join([*words, f"I ask{less}."]),
                None,
                origin,
            )
        )
    return made


def audited(library, answers):
    """Keep an audit of the starter skill items whose tutor gave these answers, by item."""
    banks = ItemBanks(library)
    digest = banks.starter()
    items = library.audits.bank(digest).of_axis(Axis.SKILL)
    plan = AuditPlan(
        "first", Seat("tutor"), (), (Axis.SKILL,), digest, tuple(item.item_id for item in items)
    )
    audit_id = library.audits.add_audit(plan, "AK")
    library.audits.add_responses(
        audit_id,
        [
            Response(0, Origin.TUTOR, Place(item_id, Condition()), status, text)
            for item_id, (status, text) in answers.items()
        ],
    )
    return audit_id
