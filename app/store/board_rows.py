"""From the rows of a query to the numbers that boards of an audit are counted from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from app.audit.items import Condition
from app.audit.records import BoardRow, Place
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


def board_rows_of(found: Iterable[Sequence[Any]]) -> Iterable[BoardRow]:
    """Put the scorings of a response by a judge together; they come one after another."""
    states = {status.value: status for status in Status}
    held: list[Any] = []
    scores: list[int | None] = []
    for response_id, item_id, condition, draw, status, words, judge, score, *quotes in found:
        if held and (held[0], held[4]) == (response_id, judge):
            scores.append(score)
            held[5] += quotes[0]
            held[6] += quotes[1]
            continue
        if held:
            yield _board_row(held, scores)
        place = Place(item_id, CONDITIONS[condition], draw)
        held = [response_id, place, states[status], words, judge, *(n or 0 for n in quotes)]
        scores = [] if judge is None else [score]
    if held:
        yield _board_row(held, scores)


def _board_row(held: Sequence[Any], scores: Sequence[int | None]) -> BoardRow:
    response_id, place, status, words, judge, quotes, found = held
    return BoardRow(response_id, place, status, words, judge or "", tuple(scores), quotes, found)
