"""The numbers that boards of an audit are counted from: of each response, with each judge."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from app.audit.items import Condition
from app.audit.records import BoardRow, Origin, Place, Reading
from app.running.questions import Status

CONDITIONS: Mapping[str, Condition] = {
    one.name: one
    for one in (
        Condition(pressure, monitored)
        for pressure in (None, False, True)
        for monitored in (None, False, True)
    )
}
"""Every condition by its name."""

_STATES = {status.value: status for status in Status}
_TURN = 100
# Turn and score travel as one number; scores are 1 to 10, and 0 stands for none.


class BoardRows:
    """The rows of some responses, in the order these came.

    Two queries, since putting every scoring beside all columns of its response takes twice as long.

    Args:
        connection: To the library.
        which: A query for the numbers of the responses.
        arguments: Of that query.
    """

    def __init__(
        self, connection: sqlite3.Connection, which: str, arguments: Sequence[object] = ()
    ) -> None:
        self._responses = connection.execute(
            "SELECT response_id, origin, item_id, condition, draw, status, words "
            f"FROM audit_response WHERE response_id IN ({which}) ORDER BY response_id",
            arguments,
        ).fetchall()
        self._scorings: dict[tuple[int, str], list[tuple[Any, ...]]] = defaultdict(list)
        for response_id, reading, *numbers in connection.execute(
            f"SELECT response_id, reading, judge, group_concat(turn * {_TURN} + ifnull(score, 0)), "
            "sum(quotes), sum(quotes_found) FROM audit_scoring "
            f"WHERE response_id IN ({which}) GROUP BY response_id, judge, reading",
            arguments,
        ):
            self._scorings[response_id, reading].append(tuple(numbers))

    def of(self, origin: Origin, reading: Reading) -> tuple[BoardRow, ...]:
        """Give the rows of one origin, with the scorings of one reading.

        A response has one row a judge; one that none has scored has a row with an empty name.
        """
        return tuple(self._of(origin.value, reading.value))

    def _of(self, origin: str, reading: str) -> Iterator[BoardRow]:
        nothing = [("", "", 0, 0)]
        for response_id, its_origin, item_id, condition, draw, status, words in self._responses:
            if its_origin != origin:
                continue
            place, state = Place(item_id, CONDITIONS[condition], draw), _STATES[status]
            given = self._scorings.get((response_id, reading), nothing)
            for judge, turns, quotes, found in given:
                yield BoardRow(
                    response_id, place, state, words, judge, _scores(turns), quotes, found
                )


@lru_cache(maxsize=4096)
def _scores(turns: str) -> tuple[int | None, ...]:
    """Read the scores of a judge in the order of its turns, however they were put together."""
    numbers = sorted(map(int, turns.split(","))) if turns else []
    return tuple((turn % _TURN) or None for turn in numbers)
