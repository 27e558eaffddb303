"""How commands tell what probes of evidence take and what came of them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from app.coding.conditions import CoderChoice, Input
from app.coding.probe_records import TEXT_KINDS, VISUAL_KINDS
from app.coding.proofs import ProbeTable
from app.probing_lessons import ProbePlan
from app.running.plan import estimate_in_words
from app.scoring.figures import Figure


def later_in_words(choice: CoderChoice) -> str:
    """Say what probes will take at most, before there is anything to probe."""
    if choice.condition is None:
        return "This coder asks no model, so its evidence is not tested by asking again."
    sees = choice.condition.input is Input.TV
    most = len(TEXT_KINDS) + (len(VISUAL_KINDS) if sees else 0)
    return (
        f"Testing the evidence takes up to {most * choice.draws} more answers a clip; "
        "`clerestory probe-evidence LESSON --plan` says how many once the lesson is coded."
    )


def plan_in_words(plan: ProbePlan) -> list[str]:
    """Say what probing takes, and what cannot be asked."""
    said = []
    if plan.estimate is None:
        said.append(f"{plan.coder}: there is no prediction here whose evidence can be tested.")
    else:
        said.append(
            f"{plan.coder}: predictions to test: {plan.predictions}. "
            f"{estimate_in_words(plan.estimate)}"
        )
    said += [f"  not asked, for {count} of them: {why}" for why, count in plan.not_asked]
    reasons: dict[str, int] = {}
    for left in plan.left_out:
        reasons[left.why] = reasons.get(left.why, 0) + 1
    return [*said, *(f"  left out, {count}: {why}" for why, count in reasons.items())]


def table_in_words(table: ProbeTable) -> list[str]:
    """Write the figures of a coder, each with what it rests on."""
    lines = [
        f"Evidence of {table.coder}, {table.predictions} predictions:",
        f"  enough by itself:             {figure_in_words(table.sufficient)}",
        f"  needed for the label:         {figure_in_words(table.necessary)}",
        f"  right for the wrong reason?   {figure_in_words(table.flagged)}",
    ]
    for kind, figure in table.visual:
        lines.append(f"  changes with {kind}: {figure_in_words(figure)}")
    if table.failures:
        lines.append(f"  without a usable answer, counted beside: {table.failures}")
    return lines


def figure_in_words(figure: Figure) -> str:
    """Write a share with its denominator and interval, or why there is none."""
    if figure.value is None:
        return f"–: {figure.reason}"
    share = f"{figure.value:.0%} of {figure.n}"
    if figure.interval is None:
        return share
    return f"{share} (95%: {figure.interval.low:.0%} to {figure.interval.high:.0%})"


def plan_as_json(plan: ProbePlan) -> dict[str, Any]:
    """Give a plan as JSON can hold it."""
    told = asdict(plan)
    if plan.estimate is not None:
        told["estimate"]["calls"] = plan.estimate.calls
    return told
