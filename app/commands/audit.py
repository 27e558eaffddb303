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
    "banks": AuditCommand("list the banks of items", bank_arguments, banks),
    "import": AuditCommand("bring in items from a file", import_arguments, import_items),
    "export": AuditCommand("write a bank of items into files", export_arguments, export_items),
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
