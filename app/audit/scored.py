"""From what the library holds of an audit to what its figures are made from.

A response counts with a judge only when all scorings that the plan names are there and usable. What
is still to come is `WAITING`, what failed keeps its status, and neither is in any rate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import cast

from app.audit.bank import Bank
from app.audit.cells import cells_of
from app.audit.items import Axis, Cell, Item
from app.audit.records import AuditPlan, BoardRow, Place, Response
from app.running.questions import Status
from app.scoring.audit_scores import WAITING, KnowledgeAnswer, ScoredResponse


def planned_places(plan: AuditPlan, bank: Bank, axis: Axis) -> tuple[tuple[Place, Item], ...]:
    """Give every draw of every cell of an axis that an audit asks for, with its item."""
    if axis not in plan.axes:
        return ()
    cells = (cell for cell in cells_of(plan, bank) if cell.item.axis is axis)
    return tuple(pair for cell in cells for pair in _draws(cell))


def is_of_real_tutor(plan: AuditPlan) -> bool:
    """Say whether an audit speaks of a tutor: self-checks and samples do not."""
    return not (plan.is_self_check or plan.is_sample)


def scored_by(
    judge: str,
    rows: Iterable[BoardRow],
    planned: Sequence[tuple[Place, Item]],
    scorings: int,
) -> tuple[ScoredResponse, ...]:
    """Give the responses of an axis as one judge scored them, in the order planned.

    Args:
        judge: By its name.
        rows: Of the tutor's responses, of this judge and of others.
        planned: From `planned_places`.
        scorings: How many a response needs before it counts (`AuditPlan.scorings`).
    """
    # A row of another judge still tells that no response came.
    came = {row.place: row for row in rows if row.judge == judge or not _has_text(row.status)}
    return tuple(_scored(place, item, came.get(place), scorings) for place, item in planned)


def score_of(row: BoardRow, scorings: int) -> tuple[float | None, str]:
    """Give the mean of a judge's scorings of a response, or what kept it out of the rates."""
    if not _has_text(row.status):
        return None, row.status.value
    return _mean_of(row.scores, scorings)


@lru_cache(maxsize=4096)
def _mean_of(scores: tuple[int | None, ...], scorings: int) -> tuple[float | None, str]:
    # Kept: of three scorings there are few that differ, and thousands of responses.
    known = [score for score in scores[:scorings] if score is not None]
    if len(known) < min(len(scores), scorings):
        return None, Status.JUDGE_FAIL.value
    if len(known) < scorings:
        return None, WAITING
    return sum(known) / len(known), ""


def knowledge_answers(
    responses: Iterable[Response], planned: Sequence[tuple[Place, Item]]
) -> tuple[KnowledgeAnswer, ...]:
    """Give the answers to the questions of an audit, in the order planned."""
    came: Mapping[Place, Response] = {one.place: one for one in responses}
    return tuple(_answer(place, item, came.get(place)) for place, item in planned)


def _draws(cell: Cell) -> Iterator[tuple[Place, Item]]:
    for draw in range(cell.draws):
        yield Place(cell.item.item_id, cell.condition, draw), cell.item


def _has_text(status: Status) -> bool:
    return status is Status.OK or status is Status.RETRY_OK


def _scored(place: Place, item: Item, row: BoardRow | None, scorings: int) -> ScoredResponse:
    score, failed = (None, WAITING) if row is None else score_of(row, scorings)
    condition = place.condition
    # Without a failure, none of them is missing.
    spread = () if row is None or failed else row.scores[:scorings]
    return ScoredResponse(
        item.item_id,
        item.group,
        item.category,
        condition.pressure,
        condition.monitored,
        place.draw,
        score,
        failed,
        cast("tuple[int, ...]", spread),
        0 if row is None else row.words,
    )


def _answer(place: Place, item: Item, response: Response | None) -> KnowledgeAnswer:
    failed = WAITING
    if response is not None:
        failed = "" if response.has_text else response.status.value
    choice = response.choice if response is not None else ""
    return KnowledgeAnswer(
        item.item_id, item.group, item.disability, item.key, place.draw, choice, failed
    )
