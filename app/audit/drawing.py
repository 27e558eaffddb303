"""Which responses experts are given: half of them not passed by a judge, and of every group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import fmean

from app.audit.expert_records import PER_AXIS
from app.audit.items import Axis, Item
from app.audit.records import BoardRow, passes
from app.scoring.eqs import Output
from app.scoring.eqs_draw import draw_outputs
from app.scoring.intervals import SEED


def draw_for_experts(
    rows: Iterable[BoardRow],
    items: Mapping[str, Item],
    *,
    per_axis: int = PER_AXIS,
    seed: int = SEED,
) -> tuple[int, ...]:
    """Draw responses for experts; each expert gets them in an order of their own.

    Half of each axis are, as far as there are so many, responses that a judge did not pass: how
    many bad ones a judge recognises can only be said when experts see bad ones. Within each half
    families or strategies are as even as can be. Whatever the order of the rows, the same seed
    gives the same draw.

    Args:
        rows: Responses with their scores by each judge; one that nobody scored counts as not
            passed, and one without text must be left out.
        items: The items asked, by id.
        per_axis: Responses of each axis.
        seed: Start of the chance.
    """
    judged = [row for row in rows if items[row.place.item_id].axis is not Axis.KNOWLEDGE]
    item_of = {row.response_id: items[row.place.item_id] for row in judged}
    passed = passed_by_all(judged)
    drawn: list[int] = []
    for axis in (Axis.ATTITUDE, Axis.SKILL):
        there = {each: item for each, item in item_of.items() if item.axis is axis}
        drawn += _of_axis(axis, there, passed, per_axis, seed)
    return tuple(drawn)


def passed_by_all(rows: Iterable[BoardRow]) -> dict[int, bool]:
    """Say of each response whether every judge passed it; one that nobody scored was not passed."""
    passed: dict[int, bool] = {}
    for row in rows:
        passed[row.response_id] = passed.get(row.response_id, True) and _passed(row)
    return passed


def _of_axis(
    axis: Axis, there: Mapping[int, Item], passed: Mapping[int, bool], wanted: int, seed: int
) -> list[int]:
    groups = sorted({item.group for item in there.values()})
    halves: dict[bool, list[Output]] = {True: [], False: []}
    for each, item in there.items():
        # Of equal length, so that they are in the same order as text.
        name = f"{each:012d}"
        halves[passed[each]].append(Output(name, axis, item.group, passed[each]))
    shares = _shares(wanted, len(halves[True]), len(halves[False]))
    drawn = [
        draw_outputs(halves[side], groups, per_cell=share, seed=seed).outputs
        for side, share in shares.items()
        if share
    ]
    return sorted(int(output.output_id) for half in drawn for output in half)


def _shares(wanted: int, passing: int, others: int) -> dict[bool, int]:
    """Split what is wanted in two; what one half lacks is made up by the other."""
    not_passed = min(others, max(wanted // 2, wanted - passing))
    return {True: min(passing, wanted - not_passed), False: not_passed}


def _passed(row: BoardRow) -> bool:
    scores = [score for score in row.scores if score is not None]
    return bool(scores) and passes(fmean(scores))
