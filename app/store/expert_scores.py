"""What experts are given to score of audits and what they said, only ever added to."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from app.audit.expert_records import ExpertDraw, experts_in, still_missing
from app.audit.records import BoardRow, ExpertScore, Origin, Reading
from app.coding.people_names import joined, sound_name
from app.errors import Refused, StoreRefused
from app.store import reviewers
from app.store.board_rows import BoardRows
from app.store.connections import Connections
from app.store.rows import now_utc, sound_text, to_json


class ExpertScores:
    """Keeps draws for experts and their scores; each change is one transaction."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def add_draw(
        self, audit_id: int, response_ids: Sequence[int], *, per_axis: int, seed: int
    ) -> int:
        """Keep which responses experts are given, in the order drawn; gives the draw's number.

        Raises:
            StoreRefused: A response is not of this audit.
        """
        with self._connections.writing() as connection:
            known = {
                response_id
                for (response_id,) in connection.execute(
                    "SELECT response_id FROM audit_response "
                    "WHERE audit_id = ? AND origin = 'tutor'",
                    (audit_id,),
                )
            }
            if set(response_ids) - known:
                raise StoreRefused("Some of the responses are not of this audit.", "Draw again.")
            cursor = connection.execute(
                "INSERT INTO expert_draw (audit_id, settings, responses, made_at) "
                "VALUES (?, ?, ?, ?)",
                (
                    audit_id,
                    to_json({"per_axis": per_axis, "seed": seed}),
                    to_json(list(response_ids)),
                    now_utc(),
                ),
            )
            return int(cursor.lastrowid or 0)

    def draws(self, audit_id: int) -> tuple[ExpertDraw, ...]:
        """Give the draws of an audit, oldest first."""
        with self._connections.reading() as connection:
            return _draws(connection, "WHERE audit_id = ?", audit_id)

    def score(
        self, draw_id: int, response_id: int, expert: str, score: int, note: str = ""
    ) -> None:
        """Keep what one person gives a response, in the place of an earlier word, which stays.

        Raises:
            Refused: The name cannot be used, or the experts have begun to talk this draw over.
            StoreRefused: The draw has no such response.
        """
        name = sound_name(expert)
        with self._connections.writing() as connection:
            draw = _require_response(connection, draw_id, response_id)
            if any(one.agreed for one in _scores(connection, draw)):
                raise Refused(
                    "Scores given alone are closed: the experts have begun to talk them over.",
                    "Change what was agreed instead.",
                )
            name = reviewers.add_reviewer(connection, name)
            _add(connection, response_id, name, agreed=False, score=score, note=note)

    def agree(self, draw_id: int, response_id: int, score: int, note: str = "") -> None:
        """Keep what the experts agreed on after talking it over.

        Raises:
            Refused: There are fewer than two experts, or one has not scored every response alone.
            StoreRefused: The draw has no such response.
        """
        with self._connections.writing() as connection:
            draw = _require_response(connection, draw_id, response_id)
            scores = _scores(connection, draw)
            names = experts_in(scores)
            _require_all_scored(draw, scores, names)
            _add(connection, response_id, joined(names), agreed=True, score=score, note=note)

    def scores(self, draw_id: int) -> tuple[ExpertScore, ...]:
        """Give all that was ever said of a draw's responses, oldest first."""
        with self._connections.reading() as connection:
            return _scores(connection, _draw(connection, draw_id))

    def scores_of_audit(self, audit_id: int) -> tuple[ExpertScore, ...]:
        """Give all that experts ever said of an audit's responses, oldest first."""
        with self._connections.reading() as connection:
            found = connection.execute(
                f"SELECT {_COLUMNS} FROM audit_response JOIN expert_score USING (response_id) "
                "WHERE audit_id = ? ORDER BY score_id",
                (audit_id,),
            ).fetchall()
        return tuple(map(_score, found))

    def rows(self) -> dict[int, tuple[BoardRow, ...]]:
        """Give, by audit, what judges gave the tutors' responses that experts have scored."""
        which = "SELECT response_id FROM expert_score"
        with self._connections.reading() as connection:
            audits = dict(
                connection.execute(
                    "SELECT response_id, audit_id FROM audit_response "
                    f"WHERE response_id IN ({which})"
                ).fetchall()
            )
            rows = BoardRows(connection, which).of(Origin.TUTOR, Reading.UPWARD)
        by_audit: dict[int, list[BoardRow]] = defaultdict(list)
        for row in rows:
            by_audit[audits[row.response_id]].append(row)
        return {audit_id: tuple(own) for audit_id, own in by_audit.items()}

    def scored_audits(self) -> tuple[int, ...]:
        """Give the numbers of the audits of which experts have scored anything, oldest first."""
        with self._connections.reading() as connection:
            found = connection.execute(
                "SELECT DISTINCT audit_id FROM expert_score "
                "JOIN audit_response USING (response_id) ORDER BY audit_id"
            ).fetchall()
        return tuple(audit_id for (audit_id,) in found)


_COLUMNS = "response_id, expert, agreed, score, note, expert_score.made_at"


def _draws(connection: sqlite3.Connection, where: str, value: int) -> tuple[ExpertDraw, ...]:
    found = connection.execute(
        "SELECT draw_id, audit_id, responses, settings, made_at FROM expert_draw "
        f"{where} ORDER BY draw_id",
        (value,),
    ).fetchall()
    drawn = []
    for draw_id, audit_id, responses, settings, made_at in found:
        told = json.loads(settings)
        ids = tuple(json.loads(responses))
        drawn.append(ExpertDraw(draw_id, audit_id, ids, told["per_axis"], told["seed"], made_at))
    return tuple(drawn)


def _draw(connection: sqlite3.Connection, draw_id: int) -> ExpertDraw:
    found = _draws(connection, "WHERE draw_id = ?", draw_id)
    if not found:
        raise StoreRefused(f"There is no draw number {draw_id} for experts.", "Draw again.")
    return found[0]


def _require_response(connection: sqlite3.Connection, draw_id: int, response_id: int) -> ExpertDraw:
    draw = _draw(connection, draw_id)
    if response_id not in draw.response_ids:
        raise StoreRefused(
            f"Response number {response_id} is not in draw {draw_id}.", "Choose another."
        )
    return draw


def _require_all_scored(
    draw: ExpertDraw, scores: Sequence[ExpertScore], names: Sequence[str]
) -> None:
    if len(names) < 2:
        raise Refused(
            "One person has nobody to agree with.", "Have a second expert score the draw first."
        )
    # Talking over some would colour how the others are scored.
    for name in names:
        missing = len(still_missing(draw.response_ids, scores, name))
        if missing:
            raise Refused(
                f"Not everything is scored yet: {name} has {missing} to score.",
                "Score the rest first.",
            )


def _scores(connection: sqlite3.Connection, draw: ExpertDraw) -> tuple[ExpertScore, ...]:
    found = connection.execute(
        f"SELECT {_COLUMNS} FROM expert_score WHERE response_id IN "
        f"({', '.join('?' * len(draw.response_ids))}) ORDER BY score_id",
        draw.response_ids,
    ).fetchall()
    return tuple(map(_score, found))


def _score(row: Sequence[Any]) -> ExpertScore:
    response_id, expert, agreed, score, note, made_at = row
    return ExpertScore(response_id, expert, bool(agreed), score, note, made_at)


def _add(
    connection: sqlite3.Connection,
    response_id: int,
    name: str,
    *,
    agreed: bool,
    score: int,
    note: str,
) -> None:
    connection.execute(
        "INSERT INTO expert_score (response_id, expert, agreed, score, note, made_at) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        (response_id, name, int(agreed), score, sound_text(note), now_utc()),
    )
