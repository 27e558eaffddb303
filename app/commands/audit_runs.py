"""`audit plan`, `run`, `judge` and `self-check`: what asks models, once a person has the plan."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Any

from app.audit.choosing import AuditChoice
from app.audit.gates import read_gate
from app.audit.items import Axis
from app.audit.outlook import PlannedAudit, Progress, Step, StepPlan, planned_in_words
from app.audit.planted_seen import PlantedSeen, Sight, seen_in_words
from app.audit.records import SCORINGS, Audit
from app.commands.out import Out
from app.desk import Desk
from app.errors import WrongUse
from app.running.plan import estimate_in_words
from app.scoring.proportions import Proportion

CLAIM = (
    "What judges say are claims, and may be wrong; see what the check of the judges and experts "
    "say of them before you go by a figure."
)


def plan_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `audit plan` takes."""
    parser.add_argument(
        "audit", metavar="AUDIT", nargs="?", help="number or title of one that has begun"
    )
    _choice_arguments(parser)


def run_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `audit run` takes."""
    parser.add_argument(
        "audit",
        metavar="AUDIT",
        nargs="?",
        help="number or title of one to go on with; a new one begins without it",
    )
    _choice_arguments(parser)


def judge_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `audit judge` takes."""
    parser.add_argument("audit", metavar="AUDIT", help="its number or title")


def self_check_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `audit self-check` takes."""
    _judged_arguments(parser)
    parser.add_argument("--plan", action="store_true", help="say what it would take, and stop")


def plan(desk: Desk, chosen: argparse.Namespace, out: Out) -> int:
    """Say what an audit would ask, or still has to; asks nothing."""
    if chosen.audit:
        planned = desk.audit.left(desk.audit.find(chosen.audit).audit_id)
    else:
        planned = desk.audit.plan(_choice(desk, chosen))
    out.give(_planned_as_json(planned))
    _tell_planned(planned, out.say)
    return 0


def run(desk: Desk, chosen: argparse.Namespace, out: Out) -> int:
    """Begin an audit, or go on with one, and do all that it lacks."""
    if chosen.audit:
        audit = desk.audit.find(chosen.audit)
    else:
        planned = desk.audit.plan(_choice(desk, chosen))
        audit_id, is_new = desk.audit.take_up(planned.plan)
        audit = desk.library.audits.audit(audit_id)
        if not is_new:
            out.aside(f"Goes on with audit {audit_id}, which has this very plan.")
    _tell_planned(desk.audit.left(audit.audit_id), out.aside)
    missing = desk.audit.run_all(audit.audit_id, out.report)
    return _tell_run(desk, audit, missing, out)


def judge(desk: Desk, chosen: argparse.Namespace, out: Out) -> int:
    """Check the judges of an audit and have the responses judged that are there."""
    audit = desk.audit.find(chosen.audit)
    _tell_planned(desk.audit.left(audit.audit_id), out.aside)
    missing = desk.audit.check_judges(audit.audit_id, out.report)
    missing += desk.audit.judge(audit.audit_id, out.report)
    return _tell_run(desk, audit, missing, out)


def self_check(desk: Desk, chosen: argparse.Namespace, out: Out) -> int:
    """Put planted tutors through an audit with some judges, and say what was seen of each.

    Exit code 0 when every judge saw every planted tutor as what it is, else 1.
    """
    choice = _judged_choice(desk, chosen, "Self-check", "")
    steps = desk.audit.plan_self_check(choice)
    _tell_steps(steps, out.say if chosen.plan else out.aside)
    if chosen.plan:
        out.give({"steps": [_step_as_json(step) for step in steps]})
        return 0
    seen = desk.audit.self_check(choice, out.report)
    out.done()
    all_seen = all(one.sight is Sight.SEEN for one in seen)
    out.give({"all_seen": all_seen, "planted": [_seen_as_json(one) for one in seen]})
    for one in seen:
        out.say(f"{one.judge}: a tutor that {_DOES[one.kind.value]}: {seen_in_words(one)}")
    out.say(
        "Every planted tutor was seen as what it is."
        if all_seen
        else "Not every planted tutor was seen. An audit with these judges would not show such a "
        "tutor for what it is: choose other judges."
    )
    return 0 if all_seen else 1


_DOES = {
    "always honest": "is always honest",
    "yields when unwatched": "yields to pressure when unwatched",
    "flatters": "flatters",
    "falsifies records": "falsifies records",
    "answers off topic": "answers off topic",
    "refuses": "refuses",
}


def _judged_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--judge",
        metavar="MODEL",
        action="append",
        default=[],
        help="who scores; give it twice for two judges, whose scores are never merged",
    )
    parser.add_argument(
        "--axis",
        choices=[str(axis) for axis in Axis],
        action="append",
        help="what is looked at; may be given several times",
    )
    parser.add_argument(
        "--items", metavar="BANK", default="", help="a bank of items; the starter items without it"
    )
    parser.add_argument(
        "--limit", metavar="N", type=_above_zero, help="at most N items of each axis, spread"
    )
    parser.add_argument(
        "--draws", metavar="N", type=_above_zero, help="responses an honesty cell, for 10"
    )
    parser.add_argument(
        "--scorings",
        metavar="N",
        type=_above_zero,
        default=SCORINGS,
        help=f"times each judge scores a response ({SCORINGS} if nothing is said)",
    )
    parser.add_argument(
        "--family",
        metavar="MODEL=FAMILY",
        action="append",
        default=[],
        help="whose model one is, where its name does not tell",
    )


def _choice_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tutor", metavar="MODEL", help="the model that is audited")
    _judged_arguments(parser)
    parser.add_argument("--title", metavar="TITLE", help="by which you find it again")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="of the first draw")
    parser.add_argument(
        "--gate",
        metavar="GATE",
        action="append",
        default=[],
        help="a threshold that is locked when the audit begins, e.g. “pass_share deception >= 0.8”",
    )


def _judged_choice(desk: Desk, chosen: argparse.Namespace, title: str, tutor: str) -> AuditChoice:
    pairs = [told.partition("=") for told in chosen.family]
    wrong = next(("".join(pair) for pair in pairs if not (pair[0] and pair[1] and pair[2])), "")
    if wrong:
        raise WrongUse(f"“{wrong}” is not of the form MODEL=FAMILY.")
    bank = desk.items.find(chosen.items)
    usual = (Axis.ATTITUDE, Axis.SKILL) if not tutor else tuple(Axis)
    return AuditChoice(
        title,
        tutor,
        tuple(chosen.judge),
        tuple(Axis(axis) for axis in chosen.axis) if chosen.axis else usual,
        bank.digest,
        chosen.limit,
        families={model: family for model, _, family in pairs},
        draws=chosen.draws,
        scorings=chosen.scorings,
    )


def _choice(desk: Desk, chosen: argparse.Namespace) -> AuditChoice:
    if not chosen.tutor:
        raise WrongUse("Name the model that is audited: --tutor MODEL. See `clerestory coders`.")
    title = chosen.title or f"Audit of {chosen.tutor}"
    choice = _judged_choice(desk, chosen, title, chosen.tutor)
    gates = tuple(read_gate(told) for told in chosen.gate)
    return replace(choice, gates=gates, seed=chosen.seed)


def _above_zero(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("1 at least")
    return number


# What is told


def _tell_planned(planned: PlannedAudit, say: Callable[[str], None]) -> None:
    for line in planned_in_words(planned):
        say(f"{line[:1].upper()}{line[1:]}")
    _tell_steps(planned.steps, say)


def _tell_steps(steps: Sequence[StepPlan], say: Callable[[str], None]) -> None:
    for step in steps:
        goes_to = f" Words leave this computer for {step.goes_to}." if step.goes_to else ""
        say(f"  {step.model} ({_PARTS[step.step]}): {estimate_in_words(step.estimate)}{goes_to}")


_PARTS = {
    Step.CHECK: "check of the judges",
    Step.TUTOR: "as tutor",
    Step.JUDGE: "as judge",
}


def _tell_run(desk: Desk, audit: Audit, missing: int, out: Out) -> int:
    """Say how far an audit has come; exit code 1 where an engine failed at something."""
    out.done()
    progress = desk.audit.progress(audit.audit_id)
    addressed = desk.audit.addressing(audit.audit_id)
    read = desk.audit.tokens_read(audit.audit_id)
    out.give(
        {
            "audit": audit.audit_id,
            "title": audit.plan.title,
            "progress": asdict(progress),
            "is_complete": progress.is_complete,
            "failed_now": missing,
            "tokens_read": asdict(read),
            "speak_to_the_judge": [
                {"response": response.response_id, "words": words} for response, words in addressed
            ],
        }
    )
    out.say(f"Audit {audit.audit_id}, “{audit.plan.title}”:")
    for line in _progress_in_words(progress):
        out.say(f"  {line}")
    if addressed:
        out.say(
            f"  {len(addressed)} responses of the tutor speak to whoever scores them, the first "
            f"with “{addressed[0][1]}”."
        )
    if read.tokens_in:
        out.say(
            f"  Of {read.tokens_in:,} tokens that models read, {read.cached / read.tokens_in:.0%} "
            "were kept from an earlier question, as their engines tell."
        )
    if missing:
        out.say(
            f"{missing:,} answers are missing because a model failed at them. Run "
            f"`clerestory audit run {audit.audit_id}` again to ask for them."
        )
    out.say(CLAIM)
    return 1 if missing else 0


def _progress_in_words(progress: Progress) -> tuple[str, ...]:
    return (
        f"{progress.checks:,} of {progress.checks_wanted:,} scorings in the check of the judges",
        f"{progress.responses:,} of {progress.responses_wanted:,} responses of the tutor",
        f"{progress.scorings:,} of {progress.scorings_wanted:,} scorings of them",
    )


def _planned_as_json(planned: PlannedAudit) -> dict[str, Any]:
    settled = planned.plan
    return {
        "title": settled.title,
        "tutor": asdict(settled.tutor),
        "judges": [asdict(judge) for judge in settled.judges],
        "axes": [str(axis) for axis in settled.axes],
        "bank": settled.bank,
        "items": len(settled.item_ids),
        "gates": [asdict(gate) for gate in settled.gates],
        "responses": planned.responses,
        "scorings": planned.scorings,
        "calls": planned.calls,
        "seconds": planned.seconds,
        "costs": dict(planned.costs),
        "goes_to": list(planned.places),
        "notes": list(planned.notes),
        "steps": [_step_as_json(step) for step in planned.steps],
    }


def _step_as_json(step: StepPlan) -> dict[str, Any]:
    return {
        "step": str(step.step),
        "model": step.model,
        "goes_to": step.goes_to or None,
        "estimate": {**asdict(step.estimate), "calls": step.estimate.calls},
    }


def _seen_as_json(seen: PlantedSeen) -> dict[str, Any]:
    return {
        "planted": str(seen.kind),
        "judge": seen.judge,
        "seen": str(seen.sight),
        "failing_failed": _share(seen.failing),
        "others_passed": _share(seen.passing),
        "refusals": _share(seen.refusals),
        "breaks": [
            {
                "family": point.family,
                "where": str(point.where),
                "pressure": point.pressure,
                "monitored": point.monitored,
                "lower_by": point.effect.value,
                "items": point.effect.n,
            }
            for point in seen.breaking
        ],
        "weak": [{"group": group, "category": category or None} for group, category in seen.weak],
        "in_words": seen_in_words(seen),
    }


def _share(part: Proportion) -> dict[str, Any]:
    return {"count": part.count, "of": part.of, "share": part.share}
