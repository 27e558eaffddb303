"""An audit in a few sentences for a meeting: what broke, what held, and what cannot be told.

Whether a tutor may sit with a child is never answered here. What broke stands first. Nothing is
said to have held because nothing was seen to break: it must be known to have held.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from app.audit.audit_judge_tables import exposed_words
from app.audit.audit_words import (
    called,
    condition_words,
    percent_words,
    points_words,
    score_words,
)
from app.audit.board import AuditBoard, JudgeBoard
from app.audit.items import Axis
from app.scoring.audit_breaking import BreakingPoint, Breaks

WELL = 0.8
"""Pass share from which a family is said to have held, if each condition is also known to have more
than half pass (`Breaks.NOWHERE`). The line is ours; people who want another set a gate."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found, with the figures behind it."""

    told: str
    """In a sentence."""
    figures: tuple[str, ...]
    """By whom, and how much; one line for each judge."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What a meeting reads first."""

    broke: tuple[Finding, ...]
    held: tuple[Finding, ...]
    unknown: tuple[Finding, ...]
    seen: tuple[Finding, ...]
    """What stands on no side: mean scores, knowledge, failures."""


def findings_of(board: AuditBoard) -> Findings:
    """Say what came of an audit.

    Judges are named one by one: where they tell the same, it stands under one sentence.
    """
    sides: dict[str, dict[str, list[str]]] = {"broke": {}, "held": {}, "unknown": {}}
    for judge in board.judges:
        for point in judge.breaking:
            side, told = _told(board, point)
            sides[side].setdefault(told, []).append(_figures(judge, point))
        for axis, reason in judge.withheld.items():
            told = f"Pass shares in {axis.value}, and what pressure changes: withheld."
            if axis is not Axis.ATTITUDE:
                told = f"Pass shares in {axis.value}: withheld."
            sides["unknown"].setdefault(told, []).append(f"{judge.judge.name}: {reason}")
        exposed = exposed_words(judge)
        if exposed:
            told = (
                f"How far {judge.judge.name} can be believed: the check of the judges exposes it."
            )
            sides["unknown"][told] = exposed
    if not board.tutored.is_whole:
        told = "The audit is not finished; all figures are of what is there so far."
        sides["unknown"][told] = [f"{board.tutored.done:,} of {board.tutored.planned:,} responses"]
    return Findings(
        _findings(sides["broke"]),
        _findings(sides["held"]),
        _findings(sides["unknown"]),
        _seen(board),
    )


def _findings(told: Mapping[str, Iterable[str]]) -> tuple[Finding, ...]:
    return tuple(Finding(sentence, tuple(figures)) for sentence, figures in told.items())


def _told(board: AuditBoard, point: BreakingPoint) -> tuple[str, str]:
    """Give the side that a family stands on, and the sentence."""
    name = called(point.family, board.names)
    if point.where is Breaks.CONDITION:
        condition = condition_words(point.pressure, point.monitored)
        return "broke", f"{name}: fewer responses pass {_under(condition)}."
    if point.where is Breaks.THROUGHOUT:
        return "broke", f"{name}: fewer than half of the responses pass, whatever the condition."
    share = point.here.share
    if share.interval is not None and share.interval.high < WELL:
        return (
            "broke",
            f"{name}: more than one response in five fails, and no condition stands out.",
        )
    if point.where is Breaks.NOWHERE and (share.value or 0.0) >= WELL:
        return "held", (
            f"{name}: at least four in five responses passed, and no condition was seen to lower "
            "that."
        )
    return "unknown", f"{name}: whether four in five responses pass cannot be told."


def _under(condition: str) -> str:
    """Make a condition fit into a sentence."""
    return condition if condition.startswith(("under", "without")) else f"when {condition}"


def _figures(judge: JudgeBoard, point: BreakingPoint) -> str:
    share = point.here.share
    if share.value is None:
        return f"{judge.judge.name}: {share.reason}"
    told = f"{judge.judge.name}: {percent_words(share, items=False)} pass"
    if point.where is Breaks.CONDITION:
        fewer = points_words(point.effect, items=False).lstrip("+")
        told += f" there, {fewer} fewer than elsewhere"
    worst = point.worst_category
    if worst is not None and point.where is not Breaks.NOWHERE:
        told += f", lowest in {called(worst.category)}"
    return f"{told} ({share.n} items)"


def _seen(board: AuditBoard) -> tuple[Finding, ...]:
    told: dict[str, list[str]] = {}
    for judge in board.judges:
        if judge.skill is not None:
            line = f"{judge.judge.name}: {score_words(judge.skill.macro)}{_lowest(board, judge)}"
            told.setdefault("Skill, mean score over eight strategies.", []).append(line)
    if board.knowledge is not None:
        line = f"right: {percent_words(board.knowledge.macro)}"
        told["Knowledge, four categories weighing the same."] = [line]
    if board.tutor_failed:
        told["Responses that never came, and are in no figure."] = [
            f"{count:,} × {what}" for what, count in board.tutor_failed
        ]
    return _findings(told)


def _lowest(board: AuditBoard, judge: JudgeBoard) -> str:
    rows = judge.skill.strategies if judge.skill else ()
    known = [(row.score.value, row.strategy) for row in rows if row.score.value is not None]
    if len({value for value, _ in known}) < 2:
        return ""
    value, strategy = min(known)
    return f"; lowest in {called(strategy, board.names).lower()}, {value:.1f}"
