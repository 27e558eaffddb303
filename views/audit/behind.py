"""From a number in a table of an audit to the responses it rests on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from app.audit.audit_words import called, condition_words
from app.audit.board import AuditBoard
from app.audit.items import Axis, Condition
from app.audit.records import Measure, Origin
from app.benchmark.words import Table
from app.scoring.audit_guards import Guard
from views.audit.listed import Behind, Fared, Listed
from views.audit.words import ORIGIN_WORDS

COUNTED = {
    "Pass": (Fared.PASSED,),
    "Border": (Fared.BORDERLINE,),
    "Fail": (Fared.FAILED,),
    "In no share": (Fared.LOST, Fared.WAITING),
}
"""Columns of tables that count responses by how they came out."""

PRESSED = {
    "Without pressure, %": (False, None),
    "Under pressure, %": (True, None),
    "Monitoring, under pressure": (True, None),
    "Monitoring, without pressure": (False, None),
}
"""Columns that look at one condition: pressure, monitoring."""

CONDITIONS = {
    condition_words(pressure, monitored): (pressure, monitored)
    for pressure in (None, False, True)
    for monitored in (None, False, True)
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table that somebody points at."""

    table: Table
    row: int
    column: int

    @property
    def row_words(self) -> tuple[str, ...]:
        """All of its row."""
        return self.table.rows[self.row]

    @property
    def head(self) -> str:
        """The name of its column."""
        return self.table.heads[self.column]


@dataclass(frozen=True, slots=True)
class Ground:
    """What tables were made from."""

    board: AuditBoard
    judge: str
    responses: Sequence[Listed]
    """Of the tutor."""


def behind(cell: Cell, ground: Ground) -> Behind | None:
    """Say which responses stand behind a number; `None` where none do."""
    make = _BY_TABLE.get(cell.table.key)
    found = make(cell, ground) if make is not None else None
    if found is None or found.origin is not Origin.TUTOR:
        return found
    return found if any(map(found.holds, ground.responses)) else None


def _attitude(cell: Cell, ground: Ground) -> Behind | None:
    family = _group(cell, ground)
    condition = CONDITIONS.get(cell.row_words[1])
    if family is None or condition is None:
        return None
    found = Behind(
        f"{cell.row_words[0]}, {cell.row_words[1]}",
        ground.judge,
        Axis.ATTITUDE,
        family,
        pressure=condition[0],
        monitored=condition[1],
    )
    return _counted(found, cell, ground)


def _effects(cell: Cell, ground: Ground) -> Behind | None:
    family = _group(cell, ground)
    if family is None:
        return None
    pressure, monitored = PRESSED.get(cell.head, (None, None))
    what = f"{cell.row_words[0]}, {condition_words(pressure, monitored)}"
    found = Behind(what, ground.judge, Axis.ATTITUDE, family)
    return replace(found, pressure=pressure, monitored=monitored)


def _categories(cell: Cell, ground: Ground) -> Behind | None:
    family = _group(cell, ground)
    names = {called(one.item.category): one.item.category for one in ground.responses}
    category = names.get(cell.row_words[1])
    if family is None or category is None:
        return None
    pressure, _monitored = PRESSED.get(cell.head, (None, None))
    what = f"{cell.row_words[0]}, {cell.row_words[1]}"
    return Behind(what, ground.judge, Axis.ATTITUDE, family, category, pressure)


def _giving_way(cell: Cell, ground: Ground) -> Behind | None:
    """Take the cells that passed so many of their draws."""
    family = _group(cell, ground)
    if family is None:
        return None
    draws = sum(head.isdigit() for head in cell.table.heads) - 1
    chosen, told = _chosen(cell.head, draws)
    cells = frozenset(key for key, counted in _cells(ground, family).items() if chosen(*counted))
    found = Behind(f"{cell.row_words[0]}, {told}", ground.judge, Axis.ATTITUDE, family)
    return replace(found, cells=cells)


def _chosen(column: str, draws: int) -> tuple[Callable[[int, int], bool], str]:
    """Say which cells a column of the histogram holds, by their passed and scored draws."""
    if column.isdigit():
        wanted = int(column)
        return lambda passed, scored: (passed, scored) == (wanted, draws), f"{wanted} draws passed"
    if column == "Short":
        return lambda _passed, scored: scored < draws, "fewer scored draws than planned"
    if column.startswith("All pass"):
        return lambda passed, scored: passed == scored == draws, "all draws passed"
    if column.startswith("None passes"):
        return lambda passed, scored: passed == 0 and scored == draws, "no draw passed"
    if column.startswith("Some pass"):
        return lambda passed, scored: 0 < passed < draws == scored, "some draws passed"
    return lambda _passed, scored: scored == draws, "every draw scored"


def _cells(ground: Ground, family: str) -> Mapping[tuple[str, Condition], tuple[int, int]]:
    """Count of each cell of a family how many draws passed, and how many were scored."""
    counts: dict[tuple[str, Condition], tuple[int, int]] = defaultdict(lambda: (0, 0))
    for one in ground.responses:
        if one.item.group == family:
            score = one.score(ground.judge)
            passed, scored = counts[(one.item.item_id, one.place.condition)]
            is_scored = score.mean is not None
            counts[(one.item.item_id, one.place.condition)] = (
                passed + (score.fared is Fared.PASSED),
                scored + is_scored,
            )
    return counts


def _skill(cell: Cell, ground: Ground) -> Behind | None:
    group = _group(cell, ground)
    found = Behind(cell.row_words[0], ground.judge, Axis.SKILL, group or "")
    return _counted(found, cell, ground)


def _knowledge(cell: Cell, ground: Ground) -> Behind | None:
    names = {
        called(one.item.group): one.item.group
        for one in ground.responses
        if one.item.axis is Axis.KNOWLEDGE
    }
    return Behind(cell.row_words[0], "", Axis.KNOWLEDGE, names.get(cell.row_words[0], ""))


def _disabilities(cell: Cell, ground: Ground) -> Behind | None:
    wanted = "" if cell.row_words[0] == "none named" else cell.row_words[0]
    ids = {
        one.item.item_id
        for one in ground.responses
        if one.item.axis is Axis.KNOWLEDGE and one.item.disability == wanted
    }
    return Behind(cell.row_words[0], "", Axis.KNOWLEDGE, item_ids=frozenset(ids))


def _steadiness(cell: Cell, _ground: Ground) -> Behind | None:
    return Behind(cell.row_words[0], "", Axis.KNOWLEDGE)


def _stale(cell: Cell, _ground: Ground) -> Behind | None:
    item_id = cell.row_words[0]
    return Behind(item_id, "", Axis.KNOWLEDGE, item_ids=frozenset((item_id,)))


def _gates(cell: Cell, ground: Ground) -> Behind | None:
    if not cell.row < len(ground.board.gates):
        return None
    verdict = ground.board.gates[cell.row]
    gate = verdict.gate
    pressure = True if gate.measure in _ONLY_PRESSED else None
    title = f"{called(gate.group, ground.board.names) if gate.group else gate.axis.value}"
    return Behind(title, verdict.judge, gate.axis, gate.group, pressure=pressure)


_ONLY_PRESSED = (Measure.PASS_SHARE_UNDER_PRESSURE, Measure.MONITORING_EFFECT)


def _guards(cell: Cell, ground: Ground) -> Behind | None:
    flat = [(judge, guard) for judge in ground.board.judges for guard in judge.guards]
    if cell.row >= len(flat):
        return None
    judge, guard = flat[cell.row]
    origin = _OURS.get(guard.guard, Origin.TUTOR)
    what = "the tutor’s responses" if origin is Origin.TUTOR else ORIGIN_WORDS[origin]
    title = f"{cell.row_words[1]}: {what}"
    # Knowledge has a key, and no judge.
    return Behind(title, judge.judge.name, origin=origin, is_judged=True)


_OURS = {
    Guard.PASSES_BAD: Origin.SHOULD_FAIL,
    Guard.FAILS_GOOD: Origin.SHOULD_PASS,
    Guard.MARGIN: Origin.SHOULD_FAIL,
    Guard.PADDING: Origin.PADDED,
    Guard.ORDER: Origin.SHOULD_FAIL,
    Guard.INJECTION: Origin.INJECTED,
}
"""Which responses of ours a guard looks at; the others look at the tutor’s."""


def _quotes(cell: Cell, ground: Ground) -> Behind | None:
    if cell.row >= len(ground.board.judges):
        return None
    judge = ground.board.judges[cell.row].judge.name
    if cell.head != "Not in the response":
        return Behind(f"Scored by {judge}", judge, is_judged=True)
    return Behind(f"Words cited by {judge} that are not there", judge, has_made_up=True)


def _experts(cell: Cell, ground: Ground) -> Behind | None:
    flat = [
        (judge, found)
        for judge in ground.board.judges
        for axis in (Axis.ATTITUDE, Axis.SKILL)
        if (found := judge.calibrations.get(axis)) is not None and found.pairs
    ]
    # Each has a row of its own, and one of the experts among themselves below it.
    if cell.row // 2 >= len(flat):
        return None
    judge, found = flat[cell.row // 2]
    here = ground.board.audit.audit_id
    ids = frozenset(pair.response_id for pair in found.pairs if pair.audit_id == here)
    title = f"Scored by experts, {found.axis.value}, in this audit"
    return Behind(title, judge.judge.name, found.axis, response_ids=ids)


def _group(cell: Cell, ground: Ground) -> str | None:
    """Find the family or strategy of a row by the name that it was printed under."""
    groups = dict.fromkeys(one.item.group for one in ground.responses)
    names = {called(group, ground.board.names): group for group in groups}
    return names.get(cell.row_words[0])


def _counted(found: Behind, cell: Cell, ground: Ground) -> Behind:
    fared = COUNTED.get(cell.head)
    judge = next((one for one in ground.board.judges if one.judge.name == ground.judge), None)
    # How many passed is a share in other words: where those are withheld, it cannot be asked for.
    if fared is None or judge is None or found.axis in judge.withheld:
        return found
    return replace(found, title=f"{found.title}: {cell.head.lower()}", fared=fared)


_BY_TABLE: Mapping[str, Callable[[Cell, Ground], Behind | None]] = {
    "attitude": _attitude,
    "effects": _effects,
    "giving_way": _giving_way,
    "categories": _categories,
    "skill": _skill,
    "knowledge": _knowledge,
    "disabilities": _disabilities,
    "steadiness": _steadiness,
    "stale": _stale,
    "gates": _gates,
    "guards": _guards,
    "quotes": _quotes,
    "experts": _experts,
}
