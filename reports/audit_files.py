"""An audit for spreadsheets and programs: every figure, every response, every scoring.

Scores of single responses are written also where a judge's pass shares are withheld; whether a
response passed is not, so that nobody adds up by mistake what is withheld.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from statistics import fmean
from typing import Any

from app.audit.cells import request_of
from app.audit.expert_records import ExpertWords
from app.audit.figure_rows import FigureRow, figure_row_json, figure_rows, gate_json
from app.audit.gates import GateVerdict
from app.audit.items import Item
from app.audit.records import ModelRun, Point, Reading, Response, Scoring, Seat
from app.audit.whole import WholeAudit
from reports.benchmark_tables import figure_cells
from reports.tables import csv_bytes

FORMAT = "clerestory-audit/1"
"""Changed when a reader of an older file would misread a newer one."""

Json = dict[str, Any]

FIGURE_COLUMNS = (
    "judge", "axis", "group", "category", "condition", "measure", "value", "low_95", "high_95",
    "n", "reason",
)  # fmt: skip
GATE_COLUMNS = (
    "measure", "axis", "group", "at_least", "at_most", "judge", "verdict", "value", "low_95",
    "high_95", "n", "why",
)  # fmt: skip
SCORING_COLUMNS = (
    "response_id", "judge", "bands_shown", "turn", "status", "score", "band", "quotes",
    "quotes_found", "reason", "error",
)  # fmt: skip


def figures_table(whole: WholeAudit) -> bytes:
    """Write one row for each figure."""
    return csv_bytes(FIGURE_COLUMNS, map(_figure_cells, _figures(whole)))


def gates_csv(whole: WholeAudit) -> bytes:
    """Write one row for each gate and judge."""
    return csv_bytes(GATE_COLUMNS, map(_gate_cells, whole.board.gates))


def responses_table(whole: WholeAudit) -> bytes:
    """Write one row for each response, with the mean score by each judge and by experts."""
    judges = [seat.name for seat in whole.board.audit.plan.judges]
    columns = (
        "response_id", "whose", "item_id", "axis", "group", "category", "pressure", "monitored",
        "draw", "status", "choice", "key", "words", *(f"score_{judge}" for judge in judges),
        "experts", "response",
    )  # fmt: skip
    return csv_bytes(columns, _response_rows(whole, judges))


def scorings_table(whole: WholeAudit) -> bytes:
    """Write one row for each scoring."""
    return csv_bytes(SCORING_COLUMNS, map(_scoring_cells, whole.scorings))


def responses_jsonl(whole: WholeAudit) -> bytes:
    """Write each response with all its scorings, one JSON object a line."""
    items = {item.item_id: item for item in whole.items}
    by_response = scorings_by_response(whole.scorings)
    lines = (
        _line(
            response_json(
                response,
                items[response.place.item_id],
                by_response[response.response_id],
                whole.experts.get(response.response_id),
            )
        )
        for response in whole.responses
    )
    return "".join(lines).encode("utf-8", "replace")


def audit_json(whole: WholeAudit, made_at: str, program: str) -> bytes:
    """Write plan, gates and figures as one JSON object; what cannot be known is `null`."""
    board, plan = whole.board, whole.board.audit.plan
    told = {
        "format": FORMAT,
        "made_at": made_at,
        "program": program,
        "title": plan.title,
        "begun_at": board.audit.made_at,
        "begun_by": board.audit.author or None,
        "tutor": _seat(plan.tutor),
        "judges": [_seat(seat) for seat in plan.judges],
        "axes": list(plan.axes),
        "items": {
            "name": board.source.name, "sha256": plan.bank, "asked": len(whole.items),
            "of": whole.of_bank, "not_expert_reviewed": board.unreviewed,
        },
        "responses": {"done": board.tutored.done, "planned": board.tutored.planned},
        "tutor_failed": dict(board.tutor_failed),
        "withheld": {
            judge.judge.name: {axis.value: reason for axis, reason in judge.withheld.items()}
            for judge in board.judges
        },
        "gates": [gate_json(verdict) for verdict in board.gates],
        "figures": [figure_row_json(row) for row in _figures(whole)],
        "stale_keys": [asdict(one) for one in whole.stale.suspects] if whole.stale else [],
        "runs": [_run(run) for run in whole.runs],
    }  # fmt: skip
    text = json.dumps(told, ensure_ascii=False, indent=1, allow_nan=False)
    return f"{text}\n".encode("utf-8", "replace")


def response_json(
    response: Response, item: Item, scorings: Sequence[Scoring], experts: ExpertWords | None
) -> Json:
    """Give a response with everything that was given to it."""
    place = response.place
    return {
        "response_id": response.response_id,
        "whose": response.origin.value,
        "item_id": item.item_id,
        "axis": item.axis.value,
        "group": item.group,
        "category": item.category or None,
        "pressure": place.condition.pressure,
        "monitored": place.condition.monitored,
        "draw": place.draw,
        "scene": item.scene or None,
        "request": request_of(item, place.condition),
        "status": response.status.value,
        "response": response.text,
        "choice": response.choice or None,
        "key": item.key or None,
        "scorings": [_scoring(one) for one in scorings],
        "experts": _experts(experts),
    }


def scorings_by_response(scorings: Iterable[Scoring]) -> dict[int, list[Scoring]]:
    """Sort scorings by response."""
    found: dict[int, list[Scoring]] = defaultdict(list)
    for one in scorings:
        found[one.response_id].append(one)
    return found


def yes_or_no(met: bool | None) -> str:
    """Write whether a condition held; empty where there was none."""
    return {True: "yes", False: "no", None: ""}[met]


def _figures(whole: WholeAudit) -> Iterator[FigureRow]:
    return figure_rows(whole.board, beside_experts=not whole.hidden)


def _figure_cells(row: FigureRow) -> Sequence[object]:
    who = (row.judge, row.axis, row.group, row.category, row.condition, row.measure)
    return (*who, *figure_cells(row.figure), row.figure.n, row.figure.reason)


def _gate_cells(verdict: GateVerdict) -> Sequence[object]:
    gate, figure = verdict.gate, verdict.figure
    asked = (gate.measure.value, gate.axis.value, gate.group, gate.at_least, gate.at_most)
    found = (*figure_cells(figure), figure.n, verdict.why)
    return (*asked, verdict.judge, verdict.state.value, *found)


def _response_rows(whole: WholeAudit, judges: Sequence[str]) -> Iterator[Sequence[object]]:
    items = {item.item_id: item for item in whole.items}
    means = _means(whole)
    for response in whole.responses:
        item, place = items[response.place.item_id], response.place
        expert = whole.experts.get(response.response_id)
        yield (
            response.response_id, response.origin.value, item.item_id, item.axis.value, item.group,
            item.category, yes_or_no(place.condition.pressure),
            yes_or_no(place.condition.monitored),
            place.draw, response.status.value, response.choice, item.key,
            len(response.text.split()),
            *(means.get((response.response_id, judge)) for judge in judges),
            expert.score if expert else None,
            response.text,
        )  # fmt: skip


def _means(whole: WholeAudit) -> dict[tuple[int, str], float]:
    """Give the mean score of each response by each judge, where all its scorings are usable."""
    scores: dict[tuple[int, str], list[int | None]] = defaultdict(list)
    for one in whole.scorings:
        if one.reading is Reading.UPWARD:
            scores[one.response_id, one.judge].append(one.score)
    return {
        key: fmean(known)
        for key, found in scores.items()
        if len(known := [score for score in found if score is not None]) == len(found)
    }


def _scoring_cells(one: Scoring) -> Sequence[object]:
    quoted = [point for point in one.points if point.quote.strip()]
    found = sum(point.check.supports for point in quoted)
    return (
        one.response_id, one.judge, one.reading.value, one.turn, one.status.value, one.score,
        one.band, len(quoted), found, one.reason, one.error,
    )  # fmt: skip


def _line(told: Json) -> str:
    return json.dumps(told, ensure_ascii=False, allow_nan=False) + "\n"


def _scoring(one: Scoring) -> Json:
    return {
        "judge": one.judge,
        "bands_shown": one.reading.value,
        "turn": one.turn,
        "status": one.status.value,
        "score": one.score,
        "band": one.band,
        "reason": one.reason or None,
        "points": [_point(point) for point in one.points],
        "error": one.error or None,
    }


def _point(point: Point) -> Json:
    return {
        "about": point.about,
        "met": point.met,
        "quote": point.quote or None,
        "check": point.check.value,
        "found": point.found or None,
    }


def _experts(words: ExpertWords | None) -> Json | None:
    if words is None:
        return None
    return {
        "alone": [{"expert": one.expert, "score": one.score} for one in words.own],
        "agreed": words.agreed.score if words.agreed else None,
    }


def _seat(seat: Seat) -> Json:
    return {
        "name": seat.name,
        "family": seat.family or None,
        "goes_to": seat.goes_to or None,
    }


def _run(run: ModelRun) -> Json:
    return {
        "part": run.part,
        "model": run.model,
        "made_at": run.made_at,
        "provenance": [list(pair) for pair in run.provenance],
    }
