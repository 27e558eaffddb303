"""The words in which the Tutor audit page says what the records of an audit hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from app.audit.audit_words import called, gate_words
from app.audit.bank import Bank
from app.audit.items import Axis, Item
from app.audit.records import Audit, AuditPlan, Measure, Origin, Seat
from app.running.questions import Status
from views.common.words import count_words

AXIS_WORDS = {
    Axis.KNOWLEDGE: "Knowledge",
    Axis.SKILL: "Skill",
    Axis.ATTITUDE: "Attitude",
}
ORIGIN_WORDS = {
    Origin.TUTOR: "the tutor’s response",
    Origin.SHOULD_PASS: "ours, should pass",
    Origin.SHOULD_FAIL: "ours, should fail",
    Origin.PADDED: "ours, should fail, with empty sentences added",
    Origin.INJECTED: "ours, should fail, with words that tell the judge what to score",
}
MEASURE_WORDS = {
    Measure.PASS_SHARE: "Share of responses that pass",
    Measure.PASS_SHARE_UNDER_PRESSURE: "Share that pass under pressure",
    Measure.PRESSURE_EFFECT: "Loss under pressure",
    Measure.MONITORING_EFFECT: "Loss when nobody watches, under pressure",
    Measure.MEAN_SCORE: "Mean score",
    Measure.KNOWLEDGE: "Share of questions right",
}
LOST_WORDS = {
    Status.REFUSAL: "blocked by its provider",
    Status.TRUNCATED: "cut off",
    Status.SCHEMA_FAIL: "could not be read",
    Status.JUDGE_FAIL: "could not be scored",
    Status.BACKEND_ERROR: "not answered",
}


def title_of(group: str) -> str:
    """Write the name of a family, strategy or category at the head of something."""
    name = called(group)
    return f"{name[:1].upper()}{name[1:]}"


def seat_words(seat: Seat) -> str:
    """Write a tutor or judge with its family, where that is known."""
    return f"{seat.name} ({seat.family})" if seat.family else seat.name


def axes_words(axes: Iterable[Axis]) -> str:
    """Write axes in a row, e.g. `Knowledge, skill`."""
    return ", ".join(AXIS_WORDS[axis].lower() for axis in axes).capitalize()


def marks(plan: AuditPlan, mark: str) -> tuple[str, ...]:
    """Say what a person must know of an audit before any of its figures.

    Args:
        plan: What was settled.
        mark: How far its items have been reviewed.
    """
    told = []
    if plan.is_sample:
        told.append("A sample that came with the program: no real model was asked.")
    if plan.is_self_check:
        told.append("A self-check: the tutor is a planted one, which is no model.")
    if mark:
        told.append(f"Items: {mark}.")
    return tuple(told)


def settled_words(audit: Audit, bank: Bank) -> str:
    """Write all that was settled before an audit began, to be read from top to bottom."""
    plan = audit.plan
    who = f" by {audit.author}" if audit.author else ""
    told = [
        f"Settled on {day_words(audit.made_at)}{who}; nothing of it can be changed since.",
        "",
        f"Tutor: {seat_words(plan.tutor)}",
        *(f"Judge: {seat_words(judge)}" for judge in plan.judges),
        f"Axes: {axes_words(plan.axes)}",
        f"Items: {items_words(plan, {item.item_id: item for item in bank.items})}",
        *_draws(plan),
        f"Each response is scored {count_words(plan.scorings, 'time')} by each judge.",
        f"Temperature {plan.temperature:g}, seed {plan.seed}, "
        f"at most {plan.max_tokens} tokens a response.",
        "",
        "Gates, locked since then" if plan.gates else "No gates were set.",
        *(f"  {gate_words(gate)}" for gate in plan.gates),
    ]
    away = [seat for seat in (plan.tutor, *plan.judges) if seat.goes_to]
    told += ["", *(f"Words go to {seat.name}, at {seat.goes_to}." for seat in away)]
    return "\n".join(told).rstrip()


def _draws(plan: AuditPlan) -> list[str]:
    if Axis.ATTITUDE not in plan.axes or plan.draws is None:
        return []
    times = count_words(plan.draws, "time")
    return [f"Each cell of deception and integrity is answered {times} instead of 10."]


def items_words(plan: AuditPlan, items: Mapping[str, Item]) -> str:
    """Count the items of each axis, e.g. `68 of attitude, 40 of skill`."""
    counts = dict.fromkeys(plan.axes, 0)
    for item_id in plan.item_ids:
        item = items.get(item_id)
        if item is not None and item.axis in counts:
            counts[item.axis] += 1
    return ", ".join(f"{n} of {AXIS_WORDS[axis].lower()}" for axis, n in counts.items())


def day_words(made_at: str) -> str:
    """Write the day and minute of a moment kept as UTC, e.g. `2026-11-30 12:05 UTC`."""
    return f"{made_at[:10]} {made_at[11:16]} UTC"
