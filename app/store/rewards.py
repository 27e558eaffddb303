"""Pairs that a reward model is taught by, and the models; both are only ever added to."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from app.audit.reward_json import (
    figures_from_json,
    figures_json,
    weights_from_text,
    weights_to_text,
)
from app.audit.reward_records import Flaw, KeptModel, Pair, PairOrigin, Trained
from app.coding.people_names import sound_name
from app.errors import StoreRefused
from app.store import reviewers
from app.store.connections import Connections
from app.store.rows import (
    now_utc,
    provenance_from_json,
    provenance_to_json,
    sound_text,
    to_json,
)

MOST_SAID = 100
"""Responses of tutors to one item that are offered for editing."""

_COLUMNS = "item_id, strategy, flaw, prompt, chosen, rejected, author, origin, made_at"
_PAIR = f"INSERT INTO reward_pair (withdrawn, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


class Rewards:
    """Keeps pairs and models; each method that changes something is one transaction."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def add_pairs(self, pairs: Iterable[Pair], author: str) -> int:
        """Keep pairs, all or none, under who made or brought them; gives how many were new.

        Whoever a file names as the editor of a pair stays named, with who brought it. A pair of the
        same words that stands here already is not kept twice.

        Raises:
            Refused: The name cannot be used.
        """
        name = sound_name(author)
        with self._connections.writing() as connection:
            name = reviewers.add_reviewer(connection, name)
            known = {_words(pair) for pair in _standing(connection)}
            added = 0
            for pair in pairs:
                if _words(pair) not in known:
                    known.add(_words(pair))
                    connection.execute(_PAIR, (None, *_pair_row(pair, _named(pair, name))))
                    added += 1
            return added

    def withdraw(self, pair_id: int, author: str) -> None:
        """Take a pair back: it teaches no model from now on, and stays in the store.

        Raises:
            Refused: The name cannot be used.
            StoreRefused: No such pair stands here.
        """
        name = sound_name(author)
        with self._connections.writing() as connection:
            pair = next((one for one in _standing(connection) if one.pair_id == pair_id), None)
            if pair is None:
                raise StoreRefused(
                    f"There is no pair number {pair_id}, or it was withdrawn before.",
                    "Choose another.",
                )
            name = reviewers.add_reviewer(connection, name)
            connection.execute(_PAIR, (pair_id, *_pair_row(pair, name)))

    def pairs(self) -> tuple[Pair, ...]:
        """Give the pairs that stand, oldest first."""
        with self._connections.reading() as connection:
            return tuple(_standing(connection))

    def withdrawn(self) -> tuple[tuple[int, str, str], ...]:
        """Give of each pair that was withdrawn its number, by whom and when, oldest first."""
        with self._connections.reading() as connection:
            return tuple(
                connection.execute(
                    "SELECT withdrawn, author, made_at FROM reward_pair "
                    "WHERE withdrawn IS NOT NULL ORDER BY pair_id"
                ).fetchall()
            )

    def said_by_tutors(self, item_id: str) -> tuple[tuple[str, str, str], ...]:
        """Give what tutors said to an item, of the newest audit first: words, tutor, audit."""
        with self._connections.reading() as connection:
            return tuple(
                connection.execute(
                    "SELECT text, json_extract(plan, '$.tutor.name'), title "
                    "FROM audit CROSS JOIN audit_response USING (audit_id) "
                    "WHERE origin = 'tutor' AND item_id = ? AND status IN ('ok', 'retry-ok') "
                    "ORDER BY audit_id DESC, response_id LIMIT ?",
                    (item_id, MOST_SAID),
                ).fetchall()
            )

    def add_model(self, model: Trained) -> KeptModel:
        """Keep a model with what is known of it."""
        made_at = now_utc()
        with self._connections.writing() as connection:
            cursor = connection.execute(
                "INSERT INTO reward_model (made_at, provenance, figures, weights) "
                "VALUES (?, ?, ?, ?)",
                (
                    made_at,
                    provenance_to_json(model.provenance),
                    to_json(figures_json(model.figures)),
                    sound_text(weights_to_text(model)),
                ),
            )
            return KeptModel(int(cursor.lastrowid or 0), made_at, model)

    def newest_model(self) -> KeptModel | None:
        """Give the model that was trained last; `None` where none was."""
        with self._connections.reading() as connection:
            row = connection.execute(
                "SELECT model_id, made_at, provenance, figures, weights FROM reward_model "
                "ORDER BY model_id DESC LIMIT 1"
            ).fetchone()
        return _model(row) if row is not None else None


def _standing(connection: sqlite3.Connection) -> list[Pair]:
    found = connection.execute(
        f"SELECT pair_id, {_COLUMNS} FROM reward_pair WHERE withdrawn IS NULL AND pair_id NOT IN "
        "(SELECT withdrawn FROM reward_pair WHERE withdrawn IS NOT NULL) ORDER BY pair_id"
    )
    return [_pair(row) for row in found]


def _words(pair: Pair) -> tuple[str, str, str]:
    return sound_text(pair.item_id), sound_text(pair.chosen), sound_text(pair.rejected)


def _named(pair: Pair, name: str) -> str:
    """Say whose a pair is: `BM, by way of AK` for one of BM's that AK brought in."""
    is_others = pair.origin is not PairOrigin.EDITED and pair.author not in ("", name)
    return f"{pair.author}, by way of {name}" if is_others else name


def _pair_row(pair: Pair, author: str) -> tuple[Any, ...]:
    return (
        sound_text(pair.item_id),
        sound_text(pair.strategy),
        pair.flaw.value if pair.flaw is not None else "",
        sound_text(pair.prompt),
        sound_text(pair.chosen),
        sound_text(pair.rejected),
        sound_text(author),
        pair.origin.value,
        now_utc(),
    )


def _pair(row: Sequence[Any]) -> Pair:
    pair_id, item_id, strategy, flaw, prompt, chosen, rejected, author, origin, made_at = row
    return Pair(
        item_id=item_id,
        strategy=strategy,
        prompt=prompt,
        chosen=chosen,
        rejected=rejected,
        flaw=Flaw(flaw) if flaw else None,
        origin=PairOrigin(origin),
        author=author,
        made_at=made_at,
        pair_id=pair_id,
    )


def _model(row: Sequence[Any]) -> KeptModel:
    model_id, made_at, provenance, figures, weights = row
    rows, parts = weights_from_text(weights)
    told = figures_from_json(json.loads(figures))
    return KeptModel(
        model_id, made_at, Trained(told, rows, parts, provenance_from_json(provenance))
    )
