"""Items of others and of one's own, brought in from a file: all of it, or one list of problems.

The forms are described in README-audit.md: a CSV table, JSON Lines or a JSON list with our columns,
or records of OpenLearnLM. Nothing is guessed that changes what is asked or what is right; what was
left away or put right is told in notes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from app.audit import openlearnlm
from app.audit.bank import STARTER, Bank
from app.audit.item_rows import ItemRow, column_named, is_column, known_group, read_item, twice
from app.audit.items import Axis, Item, Rubric
from app.audit.linting import leaks
from app.audit.openlearnlm import Translated
from app.audit.rubric_files import is_sound, read_rubrics
from app.audit.spreadsheet_text import bare_cell
from app.benchmark.csv_text import csv_records, text_of
from app.benchmark.json_text import json_lines, json_list
from app.benchmark.problems import Problem, TableRefused
from app.errors import Refused


@dataclass(frozen=True, slots=True)
class BankDraft:
    """A bank that is ready to be kept."""

    name: str
    bank: Bank
    origin: str
    """Name of the file it came from."""
    notes: tuple[str, ...]
    """What a person should know: what was left away, what was put right; full sentences."""


def bring_in(
    path: Path,
    shipped: Bank,
    *,
    name: str = "",
    rubrics: Path | None = None,
    without: Collection[str] = (),
) -> BankDraft:
    """Read a file of items.

    Args:
        path: The file: `.csv`, `.tsv`, `.jsonl` or `.json`.
        shipped: The bank of the program, whose rubrics score known families and strategies and
            whose notices are used.
        name: What the bank is called; the name of the file if not given.
        rubrics: A file of rubrics for groups that the program does not know, or instead of its own.
        without: Ids of items that a person wants left out.

    Raises:
        TableRefused: Anything is wrong; all of it is told at once, and nothing is kept.
        Refused: The file is something else, or the name is taken by the program.
    """
    called = name.strip() or path.stem
    if called == STARTER:
        raise Refused(
            f"“{STARTER}” is what the bank of the program is called.", "Give another name: --name"
        )
    read = _read(path)
    work = _Work(called, shipped, frozenset(without))
    if rubrics is not None:
        work.take_rubrics(rubrics)
    items = work.items(read)
    problems = [*read.problems, *work.problems]
    if not items and not problems:
        problems.append(Problem(0, "There are no items in it."))
    if problems:
        raise TableRefused(path.name, problems)
    bank = Bank(tuple(items), work.rubrics_of(items), shipped.notices)
    given_away = "; ".join(map(str, leaks(bank)))
    notes = work.notes()
    if given_away:
        notes.append(f"A tutor may answer by this alone: {given_away}.")
    return BankDraft(called, bank, path.name, tuple(notes))


@dataclass(slots=True)
class _Read:
    """What stands in a file: values with their lines, and what cannot be read."""

    values: list[tuple[int, Any]]
    problems: list[Problem] = field(default_factory=list)


def _read(path: Path) -> _Read:
    text = text_of(path)
    if isinstance(text, Problem):
        raise TableRefused(path.name, [text])
    problems: list[Problem] = []
    kind = path.suffix.lower()
    if kind == ".jsonl":
        values = json_lines(text, problems)
    elif kind == ".json":
        _refuse_object(path, text)
        values = json_list(text, problems, "items")
    else:
        values = _table(text, problems)
    _refuse_others(path, [value for _, value in values])
    broken = [line for line, value in values if not is_sound(value)]
    problems += [
        Problem(line, "Half a character stands here, which cannot be kept.") for line in broken
    ]
    return _Read([(line, value) for line, value in values if line not in broken], problems)


def _refuse_object(path: Path, text: str) -> None:
    """Say what a JSON file is that holds one object: rubrics, or a report."""
    if not text.lstrip().startswith("{"):
        return
    if '"rubric_en"' in text or '"bands"' in text:
        raise Refused(
            f"{path.name} holds rubrics, not items.",
            "Name the file of the items, and give this one with --rubrics.",
        )
    if '"models"' in text and '"accuracy"' in text:
        raise Refused(
            f"{path.name} is a report on models, not items.", "Name the file of the items."
        )
    raise Refused(
        f"{path.name} is one JSON object, not a list of items.",
        "A JSON file of items is a list: [{…}, {…}]; README-audit.md says what stands in it.",
    )


def _refuse_others(path: Path, values: Sequence[Any]) -> None:
    """Say what a file is that holds something else than items."""
    first = next((value for value in values if isinstance(value, dict)), None)
    if first is None:
        return
    if openlearnlm.is_output(first):
        model = str(first.get("model") or "a model")
        raise Refused(
            f"{path.name} holds {len(values)} answers of {model}, not items: it says what was "
            "answered, and shortens what was asked.",
            "Name the file of the items that were answered. Answers given elsewhere cannot be "
            "brought in: an audit rests on what a tutor was asked here.",
        )
    if "answer_matching_behavior" in first:
        raise Refused(
            f"{path.name} holds statements to say yes or no to, which no axis of the audit asks.",
            "Name a file of items.",
        )
    if path.suffix.lower() in (".json", ".jsonl") and not any(map(_may_be_item, values)):
        names = ", ".join(f"“{name}”" for name in list(first)[:4])
        raise Refused(
            f"{path.name} holds something else than items: its records have {names}.",
            "An item has at least an “item_id” and a “prompt”; README-audit.md says what else.",
        )


def _may_be_item(value: Any) -> bool:
    columns = {column_named(name) for name in value} if isinstance(value, dict) else set()
    return {"item_id", "prompt"} <= columns


def _table(text: str, problems: list[Problem]) -> list[tuple[int, Any]]:
    head, *rest = csv_records(text, problems) or [(1, [])]
    names = [column_named(name) for name in head[1]]
    for name in ("item_id", "axis", "group", "prompt"):
        if name not in names:
            problems.append(Problem(head[0], f"There is no column “{name}”."))
    for name in sorted({name for name in names if names.count(name) > 1}):
        problems.append(Problem(head[0], f"There are two columns “{name}”."))
    for name in filter(lambda name: not is_column(name), names):
        problems.append(Problem(head[0], _unknown(name)))
    if problems:
        return []
    values: list[tuple[int, Any]] = []
    for line, record in rest:
        if len(record) > len(names):
            what = f"There are {len(record)} cells under {len(names)} columns."
            problems.append(Problem(line, what))
        pairs = zip(names, record, strict=False)
        values.append((line, {n: bare_cell(v) for n, v in pairs if v.strip()}))
    return values


def _unknown(name: str) -> str:
    told = f"There is no meaning for the column “{name}”" if name else "A column has no name"
    return f"{told}; README-audit.md lists them."


class _Work:
    """Goes through the rows and gathers items, rubrics, problems and notes."""

    def __init__(self, name: str, shipped: Bank, without: frozenset[str]) -> None:
        self.problems: list[Problem] = []
        self._name, self._shipped, self._without = name, shipped, without
        self._rubrics: dict[str, Rubric] = {}
        self._named: dict[str, Rubric] = {}
        """Those of the file of rubrics, which stand before what items bring."""
        self._lines: dict[str, int] = {}
        self._not_kept: set[str] = set()
        self._turned: list[str] = []
        self._doubled: list[str] = []
        self._overruled: set[str] = set()

    def take_rubrics(self, path: Path) -> None:
        """Read the file of rubrics; its problems are told with its name."""
        found: list[Problem] = []
        read = read_rubrics(path, found)
        for told, rubric in read.items():
            known = (known_group(told, axis) for axis in (Axis.SKILL, Axis.ATTITUDE))
            group = next(filter(None, known), told)
            self._named[group] = replace(rubric, group=group)
        for problem in found:
            where = f"{path.name}, line {problem.line}" if problem.line else path.name
            self.problems.append(Problem(0, f"{where}: {problem.what}"))

    def items(self, read: _Read) -> list[Item]:
        """Make the items of all rows that are sound."""
        made = [self._item(line, value) for line, value in read.values]
        items = [item for item in made if item is not None]
        self._check_rubrics(items)
        for item_id in sorted(self._without.difference(self._lines)):
            self.problems.append(Problem(0, f"There is no item “{item_id}” to leave out."))
        return [item for item in items if item.item_id not in self._without]

    def rubrics_of(self, items: Sequence[Item]) -> dict[str, Rubric]:
        """Give the rubrics that some items are scored by."""
        scored = dict.fromkeys(i.group for i in items if i.axis is not Axis.KNOWLEDGE)
        return {group: rubric for group in scored if (rubric := self._rubric(group))}

    def notes(self) -> list[str]:
        """Say what was left away and what was put right."""
        notes = []
        if self._not_kept:
            notes.append(f"Not kept, having no place here: {', '.join(sorted(self._not_kept))}.")
        if self._turned:
            notes.append(
                f"High points are the bad ones in the scale of {', '.join(self._turned)}: the "
                "bands are turned round here, so that 7 and more passes as everywhere."
            )
        notes += self._doubled
        if self._overruled:
            notes.append(
                "The file of rubrics was used instead of the scale that items bring, for "
                f"{', '.join(sorted(self._overruled))}."
            )
        if self._without:
            notes.append(f"Left out as you asked: {', '.join(sorted(self._without))}.")
        return notes

    def _item(self, line: int, value: Any) -> Item | None:
        if not isinstance(value, dict):
            self.problems.append(Problem(line, "This is no item: an item is an object {…}."))
            return None
        is_record = openlearnlm.is_record(value)
        told = openlearnlm.translate(value) if is_record else _own_cells(value)
        item_id = str(told.cells.get("item_id", "")).strip()
        if item_id in self._without:
            self._lines.setdefault(item_id, line)
            return None
        wrong = [Problem(line, what) for what in told.problems]
        item = None if wrong else read_item(ItemRow(line, told.cells), self._name, wrong)
        self.problems += [
            Problem(line, f"{item_id}: {one.what}" if item_id else one.what) for one in wrong
        ]
        if item is not None:
            self._take(line, item, told)
        return item

    def _take(self, line: int, item: Item, told: Translated) -> None:
        """Note what a sound item came with."""
        if item.item_id in self._lines:
            what = f"“{item.item_id}” stands in line {self._lines[item.item_id]} already."
            self.problems.append(Problem(line, what))
        self._lines.setdefault(item.item_id, line)
        self._not_kept |= told.not_kept
        if told.is_turned:
            self._turned.append(item.item_id)
        if doubles := twice(item.options):
            same = " and ".join(doubles)
            self._doubled.append(f"{item.item_id}: {same} say the same; neither is the key.")
        if told.rubric is not None:
            self._bring(line, item, told.rubric)

    def _bring(self, line: int, item: Item, brought: Rubric) -> None:
        known = self._rubrics.setdefault(item.group, brought)
        if known.bands != brought.bands:
            what = f"{item.item_id}: It brings another scale for “{item.group}” than an item above."
            self.problems.append(Problem(line, what))
        if item.group in self._named and self._named[item.group].bands != brought.bands:
            self._overruled.add(item.group)

    def _rubric(self, group: str) -> Rubric | None:
        return (
            self._named.get(group) or self._rubrics.get(group) or self._shipped.rubrics.get(group)
        )

    def _check_rubrics(self, items: Sequence[Item]) -> None:
        told = set()
        for item in items:
            lacks = item.axis is not Axis.KNOWLEDGE and self._rubric(item.group) is None
            if lacks and item.group not in told:
                told.add(item.group)
                what = (
                    f"{item.item_id}: There is no rubric for “{item.group}”. Bring one in a file "
                    "of rubrics (--rubrics), or name a family or strategy that the program knows."
                )
                self.problems.append(Problem(self._lines[item.item_id], what))


def _own_cells(value: Mapping[str, Any]) -> Translated:
    """Give the cells of an object that has our columns."""
    made = Translated({})
    for name, cell in value.items():
        column = column_named(name)
        if not is_column(column):
            made.problems.append(_unknown(column))
        elif column in made.cells:
            made.problems.append(f"“{name}” is given twice.")
        elif cell is not None and cell != "":
            made.cells[column] = cell
    return made
