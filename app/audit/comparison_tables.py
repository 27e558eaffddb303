"""Two versions of a tutor as tables: what got worse first, then every family and condition."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from app.audit.audit_words import called, condition_words
from app.audit.comparing import AuditComparison, AxisComparison
from app.audit.items import Axis
from app.benchmark.words import Table, show_figure, show_interval
from app.scoring.audit_compare import Change, ItemChange
from app.scoring.audit_means import stands_out
from app.scoring.figures import Figure, figure_json
from app.scoring.rounding import UNDEFINED, printed

MOST_ITEMS = 20
"""Items that got worse which a page names; the files name all."""

Sides = tuple[str, AxisComparison]
"""A judge, empty for knowledge, and one axis by it."""


def sides_of(found: AuditComparison) -> tuple[Sides, ...]:
    """Give each axis by each judge, then knowledge."""
    judged = [(judge.judge, axis) for judge in found.judges for axis in judge.axes]
    return (*judged, ("", found.knowledge)) if found.knowledge else tuple(judged)


def comparison_tables(found: AuditComparison) -> tuple[Table, ...]:
    """Give every table, what got worse before all else."""
    worse = [worse_table(found, judge, axis) for judge, axis in sides_of(found)]
    changes = [changes_table(found, judge, axis) for judge, axis in sides_of(found)]
    return tuple(table for table in (*worse, *changes) if table.rows)


def worse_table(found: AuditComparison, judge: str, axis: AxisComparison) -> Table:
    """Give the items that got worse, the worst first."""
    worse = axis.found.worse
    by_share = axis.axis is Axis.KNOWLEDGE or not axis.withheld
    rows = tuple(_worse(found, item, axis) for item in worse[:MOST_ITEMS])
    notes = [
        f"{len(worse)} of {len(axis.found.items)} items got worse, "
        f"{len(axis.found.better)} got better. A single item may change by chance; look at what "
        "was said.",
    ]
    if len(worse) > MOST_ITEMS:
        notes.append(f"The first {MOST_ITEMS} stand here, all of them in the files.")
    if not by_share:
        notes.append(f"By mean score alone: pass shares are withheld, since {axis.withheld}.")
    heads = ("Item", "Of", "Most where", "Pass share, points", "Score, points")
    title = f"What got worse in {axis.axis.value}{_by(judge)}"
    return Table(f"worse_{axis.axis.value}", title, heads, rows, tuple(notes), words=3)


def changes_table(found: AuditComparison, judge: str, axis: AxisComparison) -> Table:
    """Give every group and condition: earlier, later, and the change with its interval."""
    rows = [_change(found, change, axis) for change in axis.found.changes]
    whole = axis.whole
    if whole is not None:
        rows.append(_whole_row(axis, whole))
    alone = axis.found.only_earlier + axis.found.only_later
    notes = [
        "Later less earlier, in percentage points and in points of the mean score, over the items "
        "that both have whole; below 0 is worse. Whole items are drawn for the intervals.",
    ]
    if alone:
        notes.append(f"{alone} items are whole in one of the two alone, and in no figure.")
    if axis.withheld:
        notes.append(f"Pass shares are withheld: {axis.withheld}.")
    heads = (
        "Of", "Condition", "Earlier, %", "Later, %", "Change, points", "Mean score", "Items", "",
    )  # fmt: skip
    title = f"Changes in {axis.axis.value}{_by(judge)}"
    return Table(f"changes_{axis.axis.value}", title, heads, tuple(rows), tuple(notes), words=2)


def changed_firmly(found: AuditComparison, which: str) -> Iterator[tuple[str, Change]]:
    """Give what changed beyond chance, and by whom.

    Args:
        found: The comparison.
        which: `worse` or `better`.
    """
    for judge, axis in sides_of(found):
        for change in axis.found.changes:
            if _verdict(change) == which:
                yield judge, change


def comparison_json(found: AuditComparison) -> dict[str, Any]:
    """Give a comparison as JSON can hold it."""
    return {
        "earlier": {"audit": found.earlier.audit_id, "title": found.earlier.plan.title},
        "later": {"audit": found.later.audit_id, "title": found.later.plan.title},
        "items": len(found.items),
        "notes": list(found.notes),
        "sides": [_side_json(judge, axis) for judge, axis in sides_of(found)],
    }


def _side_json(judge: str, axis: AxisComparison) -> dict[str, Any]:
    return {
        "judge": judge or None,
        "axis": axis.axis.value,
        "withheld": axis.withheld or None,
        "whole": figure_json(axis.whole) if axis.whole is not None else None,
        "changes": [
            {
                "group": change.group,
                "pressure": change.pressure,
                "monitored": change.monitored,
                "earlier": change.earlier.value,
                "later": change.later.value,
                "change": figure_json(change.share),
                "score_change": figure_json(change.score),
                "verdict": _verdict(change),
            }
            for change in axis.found.changes
        ],
        "worse": [
            {
                "item_id": item.item_id,
                "group": item.group,
                "category": item.category or None,
                "share": None if axis.withheld else item.share,
                "score": item.score,
            }
            for item in axis.found.worse
        ],
    }


def _worse(found: AuditComparison, item: ItemChange, axis: AxisComparison) -> tuple[str, ...]:
    group = called(item.group, found.names)
    where = condition_words(item.pressure, item.monitored)
    share = UNDEFINED if axis.withheld else printed(item.share * 100, signed=True)
    score = UNDEFINED if axis.axis is Axis.KNOWLEDGE else printed(item.score, signed=True)
    return (
        item.item_id,
        f"{group}, {called(item.category)}" if item.category else group,
        where if (item.pressure, item.monitored) != (None, None) else UNDEFINED,
        share,
        score,
    )


def _change(found: AuditComparison, change: Change, axis: AxisComparison) -> tuple[str, ...]:
    return (
        called(change.group, found.names),
        condition_words(change.pressure, change.monitored)
        if axis.axis is Axis.ATTITUDE
        else UNDEFINED,
        _percent(change.earlier, axis),
        _percent(change.later, axis),
        _points(change.share, axis),
        _score(change.score),
        str(change.share.n),
        _verdict(change),
    )


def _whole_row(axis: AxisComparison, whole: Figure) -> tuple[str, ...]:
    is_score = axis.axis is Axis.SKILL
    return (
        "All, each weighing the same",
        UNDEFINED,
        UNDEFINED,
        UNDEFINED,
        UNDEFINED if is_score else show_figure(whole, signed=True),
        _score(whole) if is_score else UNDEFINED,
        str(whole.n),
        _word(whole),
    )


def _percent(figure: Figure, axis: AxisComparison) -> str:
    if figure.value is None:
        return "withheld" if axis.withheld else UNDEFINED
    return printed(figure.value * 100)


def _points(figure: Figure, axis: AxisComparison) -> str:
    if figure.value is None:
        return "withheld" if axis.withheld else UNDEFINED
    return show_figure(figure, signed=True)


def _score(figure: Figure) -> str:
    if figure.value is None:
        return UNDEFINED
    return f"{printed(figure.value, signed=True)} {show_interval(figure.interval)}".strip()


def _verdict(change: Change) -> str:
    """Say whether a change is beyond chance: by pass shares, or by scores where those are not."""
    return _word(change.share if change.share.value is not None else change.score)


def _word(figure: Figure) -> str:
    if not stands_out(figure):
        return "cannot tell" if figure.value is not None else UNDEFINED
    return "worse" if (figure.value or 0.0) < 0 else "better"


def _by(judge: str) -> str:
    return f", by {judge}" if judge else ""
