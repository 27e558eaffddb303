"""Audits of tutors: banks, plans, responses and scorings, all of them only ever added to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from app.audit.as_json import (
    bank_to_text,
    plan_to_text,
)
from app.audit.bank import Bank
from app.audit.records import (
    Audit,
    AuditPlan,
    BankRow,
    BoardRow,
    ModelRun,
    Origin,
    Reading,
    Response,
    Scoring,
)
from app.errors import StoreRefused
from app.running.questions import Status, digest_of
from app.store.audit_rows import (
    RESPONSE,
    SCORING,
    add_scoring,
    audit_from_row,
    bank_from_text_once,
    response_from_row,
    response_to_row,
    scoring_from_row,
)
from app.store.board_rows import BoardRows
from app.store.connections import Connections
from app.store.rows import (
    now_utc,
    provenance_from_json,
    provenance_to_json,
    sound_text,
    to_json,
)

_Kept = tuple[tuple[int, ...], BoardRows, dict[tuple[Origin, Reading], tuple[BoardRow, ...]]]
"""The stamp of an audit, what was read of it in that state, and the rows made of that."""

_OF_AUDIT = "SELECT response_id FROM audit_response WHERE audit_id = ?"


class Audits:
    """Keeps audits; each method that changes something is one transaction."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._kept: _Kept | None = None

    # Banks

    def add_bank(self, name: str, bank: Bank, origin: str = "") -> str:
        """Keep a bank; gives its digest. The same items and rubrics again are the same bank."""
        content = sound_text(bank_to_text(bank))
        digest = digest_of(content)
        with self._connections.writing() as connection:
            connection.execute(
                "INSERT INTO audit_bank (digest, name, origin, items, added_at, content) "
                "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (digest) DO NOTHING",
                (
                    digest,
                    sound_text(name),
                    sound_text(origin),
                    len(bank.items),
                    now_utc(),
                    content,
                ),
            )
        return digest

    def banks(self) -> tuple[BankRow, ...]:
        """List the banks, oldest first."""
        with self._connections.reading() as connection:
            found = connection.execute(
                "SELECT digest, name, origin, items, added_at FROM audit_bank ORDER BY rowid"
            ).fetchall()
        return tuple(BankRow(*row) for row in found)

    def bank(self, digest: str) -> Bank:
        """Give a bank with all its items.

        Raises:
            StoreRefused: There is none of that digest.
        """
        with self._connections.reading() as connection:
            row = connection.execute(
                "SELECT content FROM audit_bank WHERE digest = ?", (digest,)
            ).fetchone()
        if row is None:
            raise StoreRefused(
                f"There are no items {digest[:12]} in this library.", "Bring the file in again."
            )
        return bank_from_text_once(row[0])

    # Audits

    def add_audit(self, plan: AuditPlan, author: str = "") -> int:
        """Settle an audit: from now on its plan and gates cannot be changed; gives its number.

        Raises:
            StoreRefused: Its bank is not in this library.
        """
        self.bank(plan.bank)
        with self._connections.writing() as connection:
            cursor = connection.execute(
                "INSERT INTO audit (title, bank, author, made_at, plan) VALUES (?, ?, ?, ?, ?)",
                (
                    sound_text(plan.title),
                    plan.bank,
                    sound_text(author),
                    now_utc(),
                    sound_text(plan_to_text(plan)),
                ),
            )
            return int(cursor.lastrowid or 0)

    def audits(self) -> tuple[Audit, ...]:
        """Give every audit, oldest first."""
        with self._connections.reading() as connection:
            found = connection.execute(
                "SELECT audit_id, plan, made_at, author FROM audit ORDER BY audit_id"
            ).fetchall()
        return tuple(audit_from_row(row) for row in found)

    def audit(self, audit_id: int) -> Audit:
        """Give one audit.

        Raises:
            StoreRefused: There is none of that number.
        """
        with self._connections.reading() as connection:
            row = connection.execute(
                "SELECT audit_id, plan, made_at, author FROM audit WHERE audit_id = ?", (audit_id,)
            ).fetchone()
        if row is None:
            raise StoreRefused(
                f"There is no audit number {audit_id} in this library.", "Choose another."
            )
        return audit_from_row(row)

    def add_run(
        self, audit_id: int, part: str, model: str, provenance: Iterable[Sequence[str]]
    ) -> None:
        """Write down that a model begins its part: `tutor`, `judge` or `check`."""
        with self._connections.writing() as connection:
            connection.execute(
                "INSERT INTO audit_run (audit_id, part, model, provenance, made_at) "
                "VALUES (?, ?, ?, ?, ?)",
                (audit_id, part, sound_text(model), provenance_to_json(provenance), now_utc()),
            )

    def runs(self, audit_id: int) -> tuple[ModelRun, ...]:
        """Give each time a model was put to work for an audit, oldest first."""
        with self._connections.reading() as connection:
            found = connection.execute(
                "SELECT part, model, provenance, made_at FROM audit_run WHERE audit_id = ? "
                "ORDER BY run_id",
                (audit_id,),
            ).fetchall()
        return tuple(
            ModelRun(part, model, provenance_from_json(provenance), made_at)
            for part, model, provenance, made_at in found
        )

    # Responses

    def add_responses(self, audit_id: int, responses: Iterable[Response]) -> None:
        """Keep responses, all or none. Where a draw of a cell has one already, that one stays.

        Raises:
            StoreRefused: There is no such audit.
            ValueError: One failed outside the model: it is to be asked again, not kept.
        """
        responses = _settled(responses)
        with self._connections.writing() as connection:
            connection.executemany(
                "INSERT INTO audit_response (audit_id, origin, item_id, condition, draw, status, "
                "choice, words, error, answer_key, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
                "ON CONFLICT DO NOTHING",
                (response_to_row(audit_id, one) for one in responses),
            )

    def responses(
        self,
        audit_id: int,
        origin: Origin | None = None,
        item_ids: Iterable[str] | None = None,
    ) -> tuple[Response, ...]:
        """Give the responses of an audit in the order they came: of one origin if it is named,
        and to some items alone if those are.
        """
        only = "" if origin is None else "AND origin = :origin "
        if item_ids is not None:
            only += "AND item_id IN (SELECT value FROM json_each(:items)) "
        items = to_json(list(item_ids or ()))
        with self._connections.reading() as connection:
            found = connection.execute(
                f"SELECT {RESPONSE} FROM audit_response WHERE audit_id = :audit {only}"
                "ORDER BY response_id",
                {"audit": audit_id, "origin": origin and origin.value, "items": items},
            ).fetchall()
        return tuple(response_from_row(row) for row in found)

    def response(self, response_id: int) -> Response:
        """Give one response.

        Raises:
            StoreRefused: There is none of that number.
        """
        with self._connections.reading() as connection:
            row = connection.execute(
                f"SELECT {RESPONSE} FROM audit_response WHERE response_id = ?", (response_id,)
            ).fetchone()
        if row is None:
            raise StoreRefused(f"There is no response number {response_id}.", "Choose another.")
        return response_from_row(row)

    # Scorings

    def add_scorings(self, scorings: Iterable[Scoring]) -> None:
        """Keep scorings, all or none. Where a judge's turn has one already, that one stays.

        Raises:
            StoreRefused: A response is not there.
            ValueError: One failed outside the model: it is to be asked again, not kept.
        """
        scorings = _settled(scorings)
        with self._connections.writing() as connection:
            for one in scorings:
                add_scoring(connection, one)

    def scorings(self, audit_id: int) -> tuple[Scoring, ...]:
        """Give every scoring of an audit with its words, by response, judge, reading and turn."""
        return self._scorings("response.audit_id = ?", audit_id)

    def scorings_of(self, response_id: int) -> tuple[Scoring, ...]:
        """Give every scoring of one response with its words."""
        return self._scorings("scoring.response_id = ?", response_id)

    def _scorings(self, where: str, value: int) -> tuple[Scoring, ...]:
        columns = ", ".join(f"scoring.{name}" for name in SCORING.split(", "))
        with self._connections.reading() as connection:
            found = connection.execute(
                f"SELECT {columns}, points, reason, words.error, words.answer_key "
                "FROM audit_response AS response "
                "JOIN audit_scoring AS scoring USING (response_id) "
                "JOIN audit_scoring_words AS words USING (scoring_id) "
                f"WHERE {where} "
                "ORDER BY scoring.response_id, judge, reading DESC, turn",
                (value,),
            ).fetchall()
        return tuple(scoring_from_row(row) for row in found)

    def board_rows(
        self, audit_id: int, origin: Origin = Origin.TUTOR, reading: Reading = Reading.UPWARD
    ) -> tuple[BoardRow, ...]:
        """Give the numbers of each response with each judge, in the order responses came.

        A response that no judge has scored yet has one row, with an empty name and no scores. The
        rows of the audit that was asked for last are kept until something is added to it.
        """
        stamp = (audit_id, *self.stamp(audit_id))
        kept = self._kept
        if kept is None or kept[0] != stamp:
            with self._connections.reading() as connection:
                every = BoardRows(connection, _OF_AUDIT, (audit_id,))
            # Stamp and rows as one: another thread may ask for another audit meanwhile.
            kept = self._kept = (stamp, every, {})
        made = kept[2]
        if (origin, reading) not in made:
            made[origin, reading] = kept[1].of(origin, reading)
        return made[origin, reading]

    def turns(self, audit_id: int, judge: str) -> dict[int, int]:
        """Say how many scorings there are by a judge of each of the tutor's responses that it
        scored, reading the bands upward.
        """
        with self._connections.reading() as connection:
            found = connection.execute(
                "SELECT response_id, count(*) FROM audit_response JOIN audit_scoring "
                "USING (response_id) WHERE audit_id = ? AND origin = ? AND judge = ? "
                "AND reading = ? GROUP BY response_id",
                (audit_id, Origin.TUTOR.value, judge, Reading.UPWARD.value),
            ).fetchall()
        return dict(found)

    def kept_board(self, audit_id: int, state: str) -> bytes | None:
        """Give the board that was kept of an audit in this very state, as it was given."""
        with self._connections.reading() as connection:
            row = connection.execute(
                "SELECT content FROM audit_kept_board WHERE audit_id = ? AND state = ?",
                (audit_id, state),
            ).fetchone()
        return row[0] if row is not None else None

    def keep_board(self, audit_id: int, state: str, content: bytes) -> None:
        """Keep the board of an audit, in the place of an earlier one."""
        with self._connections.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO audit_kept_board (audit_id, state, content) "
                "VALUES (?, ?, ?)",
                (audit_id, state, content),
            )

    def stamp(self, audit_id: int) -> tuple[int, ...]:
        """Give numbers that change with all that is kept of an audit; cheap to ask."""
        with self._connections.reading() as connection:
            return tuple(
                int(connection.execute(query, {"audit": audit_id}).fetchone()[0] or 0)
                for query in _STAMPS
            )


_STAMPS = (
    "SELECT max(response_id) FROM audit_response WHERE audit_id = :audit",
    "SELECT max(scoring_id) FROM audit_scoring",
    "SELECT max(run_id) FROM audit_run",
    "SELECT max(score_id) FROM expert_score",
    "SELECT max(review_id) FROM item_review",
)
# Scorings, scores and reviews of the whole library: finding the last of one audit would take
# longer than reading a board anew now and then.


_Answered = TypeVar("_Answered", Response, Scoring)


def _settled(answered: Iterable[_Answered]) -> list[_Answered]:
    """Give them as they are, unless one failed outside the model."""
    listed = list(answered)
    if any(one.status is Status.BACKEND_ERROR for one in listed):
        raise ValueError("what failed outside the model is asked again, not kept")
    return listed
