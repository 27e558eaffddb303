"""What is wrong with a table that people bring in: all of it at once, each with its line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from app.errors import Refused


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing that is wrong with a table or with what it names."""

    line: int
    """Of the table, from 1; 0 where the table as a whole is meant."""
    what: str
    """A full sentence, naming the cell, the file or the clip."""

    def __str__(self) -> str:
        return f"line {self.line}: {self.what}" if self.line else self.what


class TableRefused(Refused):
    """A table cannot be brought in; nothing of it was.

    Args:
        table: Name of the table.
        problems: All that is wrong.
    """

    def __init__(self, table: str, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        count = len(self.problems)
        found = "1 problem" if count == 1 else f"{count:,} problems"
        told = "\n".join(f"  {problem}" for problem in self.problems)
        super().__init__(
            f"Nothing was brought in: {table} has {found}.",
            f"Put these right and try again:\n{told}",
        )


class CodedSetRefused(TableRefused):
    """A set of coded clips cannot be brought in; nothing of it was."""
