"""What people said of the items of audits, on the item-review page; only ever added to."""

from __future__ import annotations

from app.audit.records import ItemReview, Verdict
from app.coding.people_names import sound_name
from app.store import reviewers
from app.store.connections import Connections
from app.store.rows import now_utc, sound_text


class ItemReviews:
    """Keeps words on items; a later word stands in the place of an earlier one, which stays."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def add(self, review: ItemReview) -> None:
        """Keep one person's word on one item, in the wording that the digest names.

        Raises:
            Refused: The name cannot be used.
        """
        name = sound_name(review.reviewer)
        with self._connections.writing() as connection:
            connection.execute(
                "INSERT INTO item_review (item_id, item_digest, verdict, reviewer, why, made_at) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (
                    sound_text(review.item_id),
                    review.item_digest,
                    review.verdict.value,
                    reviewers.add_reviewer(connection, name),
                    sound_text(review.why),
                    review.made_at or now_utc(),
                ),
            )

    def all(self) -> tuple[ItemReview, ...]:
        """Give everything that was ever said of items, oldest first."""
        with self._connections.reading() as connection:
            found = connection.execute(
                "SELECT item_id, item_digest, verdict, reviewer, why, made_at FROM item_review "
                "ORDER BY review_id"
            ).fetchall()
        return tuple(
            ItemReview(item_id, digest, Verdict(verdict), reviewer, why, made_at)
            for item_id, digest, verdict, reviewer, why, made_at in found
        )
