"""Draws of outputs whose evidence people rate, and their ratings, which are only ever added to."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from app.benchmark.eqs_records import DrawnOutput, DrawSettings, EqsDraw, GivenRating, Opened
from app.coding.people_names import joined, people_in, sound_name
from app.coding.records import Citation, Stage
from app.errors import Refused, StoreRefused
from app.scoring.eqs import SCALE
from app.scoring.scored import Code
from app.store import reviewers, rows
from app.store.connections import Connections
from app.store.kept_settings import keep_setting, read_setting

RATERS = 2
"""People who rate a draw (SciIBI, section 4.4)."""


class Ratings:
    """Keeps draws and ratings; each method that changes something is one transaction."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def add_draw(self, title: str, settings: DrawSettings, prediction_ids: Sequence[int]) -> int:
        """Keep a draw, its outputs in the order drawn; gives its number.

        Raises:
            StoreRefused: A prediction is not in this library, has no code, or is of no clip of
                the set.
        """
        with self._connections.writing() as connection:
            if set(prediction_ids) - _in_set(connection, settings.set_id, prediction_ids):
                raise StoreRefused(
                    "Some of the drawn outputs are not answers to clips of this set.",
                    "Draw again.",
                )
            cursor = connection.execute(
                "INSERT INTO eqs_draw (title, settings, made_at) VALUES (?, ?, ?)",
                (rows.sound_text(title), _settings_to_json(settings), rows.now_utc()),
            )
            draw_id = int(cursor.lastrowid or 0)
            connection.executemany(
                "INSERT INTO eqs_output (draw_id, place, prediction_id) VALUES (?, ?, ?)",
                ((draw_id, place, one) for place, one in enumerate(prediction_ids)),
            )
            return draw_id

    def draws(self) -> list[EqsDraw]:
        """Give every draw, oldest first."""
        with self._connections.reading() as connection:
            found = connection.execute("SELECT draw_id FROM eqs_draw ORDER BY draw_id").fetchall()
            return [_draw(connection, draw_id) for (draw_id,) in found]

    def draw(self, draw_id: int) -> EqsDraw:
        """Give one draw.

        Raises:
            StoreRefused: There is no such draw.
        """
        with self._connections.reading() as connection:
            return _draw(connection, draw_id)

    def rate(
        self,
        draw_id: int,
        prediction_id: int,
        rater: str,
        scores: tuple[int, int, int],
        note: str = "",
    ) -> None:
        """Keep one person's rating, in the place of an earlier one, which stays in the store.

        Raises:
            Refused: The name cannot be used, two other people rate this draw, the two have begun
                to talk it over, or the models' names were opened.
            StoreRefused: The draw has no such output.
            ValueError: A score is not 1, 2 or 3.
        """
        _check_scores(scores)
        name = sound_name(rater)
        with self._connections.writing() as connection:
            _require_output(connection, draw_id, prediction_id)
            if _latest(connection, draw_id, Stage.CONSENSUS):
                raise Refused(
                    "Ratings made alone are closed: the raters have begun to talk them over.",
                    "Change what was agreed instead.",
                )
            if _opened(connection, draw_id) is not None:
                raise Refused(
                    "Ratings made alone are closed: the models’ names have been opened.",
                    "Change what was agreed instead, or make another draw.",
                )
            name = reviewers.add_reviewer(connection, name)
            raters = _raters(connection, draw_id)
            if name not in raters and len(raters) >= RATERS:
                raise Refused(
                    f"{' and '.join(raters)} rate this draw; {name} would be a third.",
                    "Make another draw for other raters.",
                )
            _add(connection, draw_id, prediction_id, name, Stage.OWN, scores, note)

    def agree(
        self, draw_id: int, prediction_id: int, scores: tuple[int, int, int], note: str = ""
    ) -> None:
        """Keep what the two raters agreed on after talking it over.

        Raises:
            Refused: The two have not both rated every output alone.
            StoreRefused: The draw has no such output.
            ValueError: A score is not 1, 2 or 3.
        """
        _check_scores(scores)
        with self._connections.writing() as connection:
            _require_output(connection, draw_id, prediction_id)
            raters = _raters(connection, draw_id)
            missing = _missing(connection, draw_id, raters)
            if missing:
                # Talking over some would colour how the others are rated.
                raise Refused(f"Not everything is rated yet: {missing}.", "Rate the rest first.")
            names = joined(raters)
            _add(connection, draw_id, prediction_id, names, Stage.CONSENSUS, scores, note)

    def open_names(self, draw_id: int, by: str, left: int) -> None:
        """Note that the models' names come into view; the first to see them stays noted.

        From then on nobody rates the draw alone.

        Args:
            draw_id: The draw.
            by: Who looks.
            left: Outputs on which the raters differ and have not agreed yet.

        Raises:
            StoreRefused: There is no such draw.
        """
        with self._connections.writing() as connection:
            _draw(connection, draw_id)
            if _opened(connection, draw_id) is None:
                told = {"by": by, "at": rows.now_utc(), "left": left}
                keep_setting(connection, _opened_name(draw_id), json.dumps(told))

    def opened(self, draw_id: int) -> Opened | None:
        """Say when the models' names came into view; `None` while they have not."""
        with self._connections.reading() as connection:
            return _opened(connection, draw_id)

    def own(self, draw_id: int, rater: str = "") -> list[GivenRating]:
        """Give the latest ratings made alone, by one person or, without a name, by all."""
        with self._connections.reading() as connection:
            found = _latest(connection, draw_id, Stage.OWN)
        who = rater.casefold()
        return [one for one in found if not who or one.rater.casefold() == who]

    def agreed(self, draw_id: int) -> list[GivenRating]:
        """Give the latest agreed rating of each output that was talked over."""
        with self._connections.reading() as connection:
            return _latest(connection, draw_id, Stage.CONSENSUS)

    def raters(self, draw_id: int) -> tuple[str, ...]:
        """Name who rates a draw, in order of first rating; two at most."""
        with self._connections.reading() as connection:
            return _raters(connection, draw_id)

    def coded_by(self, draw_id: int) -> dict[str, int]:
        """Count the drawn clips on which each person has decided in this library, alone or not."""
        found: dict[str, int] = {}
        with self._connections.reading() as connection:
            clips = connection.execute(_DECIDED, (draw_id,)).fetchall()
        for authors in clips:
            people = {name for author in json.loads(authors[0]) for name in people_in(author)}
            for name in sorted(people):
                found[name] = found.get(name, 0) + 1
        return found


def _opened(connection: sqlite3.Connection, draw_id: int) -> Opened | None:
    text = read_setting(connection, _opened_name(draw_id))
    return Opened(**json.loads(text)) if text else None


def _opened_name(draw_id: int) -> str:
    return f"eqs results opened: {draw_id}"


def _check_scores(scores: tuple[int, int, int]) -> None:
    if wrong := [score for score in scores if score not in SCALE]:
        raise ValueError(f"a score is {wrong[0]}, not 1, 2 or 3")


def _in_set(connection: sqlite3.Connection, set_id: int, prediction_ids: Sequence[int]) -> set[int]:
    """Give those predictions that have a code and are of a clip of the set."""
    found = connection.execute(
        """SELECT p.prediction_id FROM prediction AS p
        JOIN coded_clip AS c ON c.clip_id = p.clip_id AND c.lesson_id = p.lesson_id
        WHERE c.set_id = ? AND p.practice != ''
            AND p.prediction_id IN (SELECT value FROM json_each(?))""",
        (set_id, json.dumps(list(prediction_ids))),
    )
    return {prediction_id for (prediction_id,) in found}


def _draw(connection: sqlite3.Connection, draw_id: int) -> EqsDraw:
    row = connection.execute(
        "SELECT title, settings, made_at FROM eqs_draw WHERE draw_id = ?", (draw_id,)
    ).fetchone()
    if row is None:
        raise StoreRefused(f"There is no draw {draw_id} in this library.", "Make one first.")
    settings = _settings_from_json(row[1])
    return EqsDraw(
        draw_id, row[0], settings, row[2], _outputs(connection, draw_id, settings.set_id)
    )


def _outputs(connection: sqlite3.Connection, draw_id: int, set_id: int) -> tuple[DrawnOutput, ...]:
    cited: dict[int, list[Citation]] = {}
    for prediction_id, *row in connection.execute(_CITED, (draw_id,)):
        evidence = rows.evidence_from_row(tuple(row))
        cited.setdefault(prediction_id, []).append(evidence.citation)
    return tuple(
        DrawnOutput(
            prediction_id,
            lesson_id,
            rows.clip_from_json(clip),
            coder,
            Code(practice, level),
            rows.codes_from_json(codes),
            tuple(cited.get(prediction_id, ())),
        )
        for prediction_id, lesson_id, clip, coder, practice, level, codes in connection.execute(
            _OUTPUTS, (set_id, draw_id)
        )
    )


_OUTPUTS = """
    SELECT p.prediction_id, p.lesson_id, p.clip, p.coder, p.practice, p.level, c.codes
    FROM eqs_output AS o JOIN prediction AS p USING (prediction_id)
    JOIN coded_clip AS c
        ON c.set_id = ? AND c.clip_id = p.clip_id AND c.lesson_id = p.lesson_id
    WHERE o.draw_id = ? AND p.practice != '' ORDER BY o.place
"""

_DECIDED = """
    SELECT json_group_array(DISTINCT d.author) FROM (
        SELECT DISTINCT p.lesson_id, p.clip_id
        FROM eqs_output AS o JOIN prediction AS p USING (prediction_id) WHERE o.draw_id = ?
    ) AS drawn JOIN decision AS d USING (lesson_id, clip_id)
    GROUP BY drawn.lesson_id, drawn.clip_id
"""

_CITED = f"""
    SELECT prediction_id, {rows.EVIDENCE_COLUMNS} FROM evidence
    WHERE prediction_id IN (SELECT prediction_id FROM eqs_output WHERE draw_id = ?)
    ORDER BY evidence_id
"""


def _latest(connection: sqlite3.Connection, draw_id: int, stage: Stage) -> list[GivenRating]:
    found = connection.execute(
        """SELECT prediction_id, rater, alignment, sufficiency, specificity, note, made_at
        FROM eqs_rating WHERE rating_id IN (
            SELECT max(rating_id) FROM eqs_rating WHERE draw_id = ? AND stage = ?
            GROUP BY prediction_id, rater
        ) ORDER BY rating_id""",
        (draw_id, stage.value),
    )
    return [
        GivenRating(prediction_id, rater, stage, (one, two, three), note, made_at)
        for prediction_id, rater, one, two, three, note, made_at in found
    ]


def _raters(connection: sqlite3.Connection, draw_id: int) -> tuple[str, ...]:
    found = connection.execute(
        "SELECT rater FROM eqs_rating WHERE draw_id = ? AND stage = ? "
        "GROUP BY rater ORDER BY min(rating_id)",
        (draw_id, Stage.OWN.value),
    )
    return tuple(name for (name,) in found)


def _missing(connection: sqlite3.Connection, draw_id: int, raters: Sequence[str]) -> str:
    """Say what is not rated yet; empty when two people rated everything."""
    if len(raters) < RATERS:
        return f"{len(raters)} of {RATERS} people have begun"
    (wanted,) = connection.execute(
        "SELECT count(*) FROM eqs_output WHERE draw_id = ?", (draw_id,)
    ).fetchone()
    given = [one.rater for one in _latest(connection, draw_id, Stage.OWN)]
    short = [name for name in raters if given.count(name) < wanted]
    return ", ".join(f"{name} has rated {given.count(name)} of {wanted}" for name in short)


def _require_output(connection: sqlite3.Connection, draw_id: int, prediction_id: int) -> None:
    if not connection.execute(
        "SELECT 1 FROM eqs_output WHERE draw_id = ? AND prediction_id = ?",
        (draw_id, prediction_id),
    ).fetchone():
        raise StoreRefused(f"Draw {draw_id} has no output {prediction_id}.", "Open the draw again.")


def _add(
    connection: sqlite3.Connection,
    draw_id: int,
    prediction_id: int,
    rater: str,
    stage: Stage,
    scores: tuple[int, int, int],
    note: str,
) -> None:
    connection.execute(
        "INSERT INTO eqs_rating (draw_id, prediction_id, rater, stage, alignment, sufficiency, "
        "specificity, note, made_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            draw_id,
            prediction_id,
            rater,
            stage.value,
            *scores,
            rows.sound_text(note),
            rows.now_utc(),
        ),
    )


def _settings_to_json(settings: DrawSettings) -> str:
    return rows.to_json(
        {
            "set": settings.set_id,
            "coders": list(settings.coders),
            "per_cell": settings.per_cell,
            "seed": settings.seed,
            "short": list(settings.shortages),
        }
    )


def _settings_from_json(text: str) -> DrawSettings:
    table = json.loads(text)
    return DrawSettings(
        table["set"],
        tuple(table["coders"]),
        table["per_cell"],
        table["seed"],
        tuple(table["short"]),
    )
