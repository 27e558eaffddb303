"""`audit …`: all that the command line does with the audit of a tutor, by the word behind it."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from app.commands.audit_items import (
    bank_arguments,
    banks,
    export_arguments,
    export_items,
    import_arguments,
    import_items,
)
from app.commands.audit_report import (
    compare,
    compare_arguments,
    report,
    report_arguments,
    score,
    score_arguments,
)
from app.commands.audit_reward import reward, reward_arguments
from app.commands.audit_runs import (
    judge,
    judge_arguments,
    plan,
    plan_arguments,
    run,
    run_arguments,
    self_check,
    self_check_arguments,
)
from app.commands.out import Out
from app.desk import Desk


@dataclass(frozen=True, slots=True)
class AuditCommand:
    """One word that may stand behind `audit`."""

    about: str
    """What it does, for the help."""
    arguments: Callable[[argparse.ArgumentParser], None]
    """Adds to its parser what it takes."""
    run: Callable[[Desk, argparse.Namespace, Out], int]
    """Does it; gives the exit code."""


COMMANDS: Mapping[str, AuditCommand] = {
    "plan": AuditCommand("say what an audit would take; asks nothing", plan_arguments, plan),
    "run": AuditCommand("begin an audit or go on with one", run_arguments, run),
    "judge": AuditCommand("have the responses judged that are there", judge_arguments, judge),
    "self-check": AuditCommand(
        "put planted tutors to the test: would these judges see a bad one?",
        self_check_arguments,
        self_check,
    ),
    "score": AuditCommand("print what came of an audit", score_arguments, score),
    "report": AuditCommand("write the report on an audit", report_arguments, report),
    "compare": AuditCommand(
        "say what changed between two versions of a tutor, what got worse first",
        compare_arguments,
        compare,
    ),
    "banks": AuditCommand("list the banks of items", bank_arguments, banks),
    "import": AuditCommand("bring in items from a file", import_arguments, import_items),
    "export": AuditCommand("write a bank of items into files", export_arguments, export_items),
    "reward": AuditCommand(
        "make pairs of better and worse responses, and teach a model by them",
        reward_arguments,
        reward,
    ),
}
"""In the order in which the help lists them."""


def audit_arguments(parser: argparse.ArgumentParser, shared: argparse.ArgumentParser) -> None:
    """Add the words behind `audit` to its parser, each with what every command takes."""
    words = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    for name, command in COMMANDS.items():
        command.arguments(words.add_parser(name, parents=[shared], help=command.about))


def audit(desk: Desk, chosen: argparse.Namespace, out: Out) -> int:
    """Run one of them."""
    return COMMANDS[chosen.what].run(desk, chosen, out)
