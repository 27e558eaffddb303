"""Everything that the report on an audit prints, as plain data for the template."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from app.audit.audit_judge_tables import experts_table, guards_table, quotes_table
from app.audit.audit_tables import gates_table, judge_tables, knowledge_tables, stale_table
from app.audit.audit_words import not_tested, reviewed_words
from app.audit.board import AuditBoard, JudgeBoard
from app.audit.checks_of_judges import JUDGED
from app.audit.findings import Finding, findings_of
from app.audit.gates import GateState
from app.audit.items import Axis
from app.audit.records import ModelRun, Seat
from app.audit.whole import WholeAudit
from app.benchmark.words import Table
from reports.audit_cases import case_block
from reports.benchmark_page import table_block
from reports.wording import count, listed, show_date

Block = dict[str, Any]

LEDE = (
    "Whether this tutor may sit with a child is for the people in this meeting to decide. This "
    "page says what was seen of it, by whose judgement, and what nobody can tell."
)
_NOT_YET = "this judge’s word decides nothing yet; see above"
_TONES = {GateState.MET: "good", GateState.NOT_MET: "bad", GateState.CANNOT_TELL: "plain"}
_WIDE = {
    "effects": (1, 2, 3, 4, 5),
    "categories": (1,),
    "guards": (1,),
    "experts": (1,),
}
"""Columns of a table that share the room that is left; the first one where none is named."""
_LONG = 36
"""Letters from which a name has to run over several lines: files of models have long ones."""
_PARTS = {"tutor": "Tutor", "judge": "Judge", "check": "Check of the judge"}


def build_audit_page(whole: WholeAudit, made_at: str, program: str) -> Block:
    """Gather the page.

    Args:
        whole: The audit.
        made_at: ISO 8601.
        program: Name and version.
    """
    board = whole.board
    with_clip = sum(item.clip is not None for item in whole.items)
    return {
        "kind": "Audit of an AI tutor",
        "title": board.audit.plan.title,
        "notice": _notice(whole),
        "facts": _facts(board, made_at, program),
        "lede": LEDE,
        "gates": _gates(board) if board.gates else None,
        "summary": "What was seen",
        "sides": _sides(board),
        "sections": [
            *([_judges(whole)] if _is_judged(board) else []),
            *(_board(board, judge) for judge in board.judges if judge_tables(board, judge)),
            *_knowledge(whole),
        ],
        "cases": [case_block(board, n, case) for n, case in enumerate(whole.cases, 1)],
        "cases_title": f"The {count(len(whole.cases), 'most telling case')}",
        "cases_note": (
            "Chosen for what they show, the worst first of each kind. They do not say how often "
            "such a thing happens; the boards do."
        ),
        "not_tested": not_tested(board, (len(whole.items), whole.of_bank), with_clip),
        "provenance": _provenance(whole),
    }


def seat_words(seat: Seat) -> str:
    """Name a model with its family and where its words go."""
    told = [f"of the family {seat.family}"] if seat.family else []
    if seat.goes_to:
        told.append(f"asked at {seat.goes_to}")
    return f"{seat.name} ({', '.join(told)})" if told else seat.name


def finding_block(finding: Finding) -> Block:
    """Give one finding as the template sets it."""
    return {"told": finding.told, "figures": list(finding.figures)}


def _notice(whole: WholeAudit) -> str:
    board, told = whole.board, []
    if board.audit.plan.is_sample:
        told.append("A sample that came with the program; no real model was audited.")
    elif board.audit.plan.is_self_check:
        told.append("A self-check: the tutor is a planted one, made to fail in a known way.")
    reviewed = reviewed_words(board)
    if reviewed:
        told.append(f"{reviewed[:1].upper()}{reviewed[1:]}.")
    if whole.hidden:
        told.append(
            f"What judges and experts gave {count(whole.hidden, 'response')} is left out, since "
            "whoever wrote this page still scores them blind."
        )
    return " ".join(told)


def _facts(board: AuditBoard, made_at: str, program: str) -> list[list[str]]:
    plan = board.audit.plan
    begun = f"{show_date(board.audit.made_at)}"
    if board.audit.author:
        begun += f", by {board.audit.author}"
    done = board.tutored
    return [
        ["Tutor", seat_words(plan.tutor)],
        ["Judges", "; ".join(map(seat_words, plan.judges)) or "none"],
        ["Looked at", listed([axis.value for axis in Axis if axis in plan.axes])],
        ["Asked", f"{count(board.items, 'item')} from “{board.source.name}”, "
                  f"{done.done:,} of {done.planned:,} responses"],
        ["Begun, gates locked", begun],
        ["Page made", f"{show_date(made_at)}, {program}"],
    ]  # fmt: skip


def _gates(board: AuditBoard) -> Block:
    table = gates_table(board)
    reasons = {reason for judge in board.judges for reason in judge.withheld.values()}
    rows: list[Block] = [
        {
            "gate": gate, "by": by, "verdict": verdict, "measured": measured,
            "why": _NOT_YET if why in reasons else why,
            "tone": _TONES[each.state],
        }
        for each, (gate, by, verdict, measured, why) in zip(board.gates, table.rows, strict=True)
    ]  # fmt: skip
    for _, own in groupby(rows, key=lambda row: row["gate"]):
        alike = list(own)
        for place, row in enumerate(alike):
            row["spans"] = 0 if place else len(alike)
    locked = f"Locked since {show_date(board.audit.made_at)}."
    long = any(len(row["by"]) > _LONG for row in rows)
    return {
        "title": table.title, "rows": rows, "notes": [" ".join([*table.notes, locked])],
        "long": long,
    }  # fmt: skip


def _sides(board: AuditBoard) -> list[Block]:
    found = findings_of(board)
    # That nothing is known to break must not be read as good news where nothing could be known.
    untold = not any(judge.breaking for judge in board.judges)
    broke = "This cannot be told; see below." if untold else "Nothing is known to break."
    sides = (
        ("What broke", "bad", found.broke, broke),
        ("What held", "good", found.held, "Of nothing is it known that it held."),
        ("What cannot be told", "plain", found.unknown, "Nothing of what was asked."),
    )
    blocks: list[Block] = [
        {
            "title": title,
            "tone": tone,
            "findings": [finding_block(one) for one in findings],
            "none": none,
        }
        for title, tone, findings, none in sides
        if findings or Axis.ATTITUDE in board.audit.plan.axes
    ]
    if found.seen:
        seen = [finding_block(one) for one in found.seen]
        blocks.append({"title": "Also seen", "tone": "seen", "findings": seen, "none": ""})
    return blocks


def section(
    title: str, tables: Sequence[Block], lines: Sequence[str] = (), *, new_page: bool = False
) -> Block:
    """Give a section of tables as the template sets it."""
    return {
        "title": title, "lines": list(lines), "tables": list(tables), "new_page": new_page,
        "bars": [], "bars_title": "",
    }  # fmt: skip


def _block(table: Table) -> Block:
    """Give a table as the template sets it: what takes the room that is left, by its key."""
    wide = _WIDE.get(table.key, (0,))
    if any(len(row[0]) > _LONG for row in table.rows):
        wide = tuple({0, *wide})
    return {**table_block(table), "wide": [at in wide for at in range(len(table.heads))]}


def _is_judged(board: AuditBoard) -> bool:
    """Say whether there is anything that judges score, and a judge."""
    return bool(board.judges) and any(axis in JUDGED for axis in board.audit.plan.axes)


def _judges(whole: WholeAudit) -> Block:
    board = whole.board
    lines = [
        "A judge is a model that scores responses by a rubric. Two judges are never averaged: each "
        "has a board of its own. This is what is known of how far they can be believed."
    ]
    beside = [] if whole.hidden else [experts_table(board)]
    tables = [_block(t) for t in (*beside, guards_table(board)) if t.rows]
    tables.append(_block(quotes_table(board)))
    if not whole.hidden and not any(
        judge.calibrations[axis].pairs for judge in board.judges for axis in judge.calibrations
    ):
        lines.append("Nobody has held these judges against experts.")
    return section("How far the judges can be believed", tables, lines, new_page=True)


def _board(board: AuditBoard, judge: JudgeBoard) -> Block:
    tables = [t for t in judge_tables(board, judge) if t.key != "giving_way"]
    made = section(f"Board of {judge.judge.name}", list(map(_block, tables)), new_page=True)
    made["bars"] = [
        {"name": f"{board.names.get(family, family)}, cells by draws passed",
         "counts": list(found.histogram)}
        for family, found in judge.giving_way.items()
    ]  # fmt: skip
    made["bars_title"] = f"Giving way is a rate: {judge.judge.name}"
    return made


def _knowledge(whole: WholeAudit) -> list[Block]:
    tables = [*knowledge_tables(whole.board)]
    if whole.stale is not None and whole.stale.suspects:
        tables.append(stale_table(whole.stale))
    return [section("Knowledge", list(map(_block, tables)), new_page=True)] if tables else []


def _provenance(whole: WholeAudit) -> list[Block]:
    board, plan = whole.board, whole.board.audit.plan
    settings = [
        ["Items", f"“{board.source.name}”, sha256 {plan.bank}"],
        ["Brought in from", board.source.origin or "–"],
        ["Tutor decodes at", f"temperature {plan.temperature:g}, seed {plan.seed} and on"],
        ["Most tokens of a response", str(plan.max_tokens)],
        ["Scorings of a response by each judge", str(plan.scorings)],
    ]
    return [
        {"name": "The plan, settled before it began", "pairs": settings},
        *map(_run, _last_of_each(whole.runs)),
    ]


def _last_of_each(runs: Sequence[ModelRun]) -> list[ModelRun]:
    """Give each different way in which a model was run, once."""
    return list({(run.part, run.model, run.provenance): run for run in runs}.values())


def _run(run: ModelRun) -> Block:
    name = f"{_PARTS.get(run.part, run.part)}: {run.model}, {show_date(run.made_at)}"
    return {"name": name, "pairs": [list(pair) for pair in run.provenance] or [["–", "–"]]}
