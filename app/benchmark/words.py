"""The figures of a benchmark as they are printed: on a terminal, on a page and in a file alike.

Shares are percentages with one place, as in the paper, each with what it is out of; an interval
stands in square brackets and is a 95% one. "–" means that there is nothing to divide by.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from app.benchmark.condition_results import PRACTICES, ConditionResult
from app.benchmark.results import BenchmarkResults, Pair
from app.scoring.figures import Figure
from app.scoring.intervals import SEED, Interval, wilson
from app.scoring.proportions import Proportion
from app.scoring.rounding import UNDEFINED, percent, printed
from app.scoring.tables import Matrix, Table3Row

PROMPTED = {"zero_shot": "zero-shot", "few_shot": "few-shot", "cot": "chain of thought"}


@dataclass(frozen=True, slots=True)
class Table:
    """A table ready to print."""

    key: str
    """Short and stable: `table2`, `pairs`."""
    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    words: int = 1
    """How many columns from the left hold words; the others hold figures."""


def tables_of(results: BenchmarkResults) -> tuple[Table, ...]:
    """Give every table that has rows, in the order in which it is read."""
    found = [
        _table2(results),
        _by_practice(results),
        _table3(results),
        _table4(results),
        _citing(results),
        *_matrices(results),
        _pairs(results),
        _not_run(results),
    ]
    return tuple(table for table in found if table.rows)


def table_of(results: BenchmarkResults, key: str) -> Table:
    """Give one table, which may have no rows; a page works out only what it shows.

    Raises:
        KeyError: No table has that key; those of matrices are not to be had singly.
    """
    return _SINGLE[key](results)


def about(results: BenchmarkResults) -> tuple[str, ...]:
    """Say in sentences what the figures rest on."""
    counts = ", ".join(f"{code} {n}" for code, n in results.by_main_code.items())
    empty = len(results.clips) - len(results.coded)
    told = [f"{len(results.coded)} clips that show a practice (main code: {counts})."]
    if empty:
        told.append(
            f"{_count(empty, 'clip')} in which people found no practice; they are asked about like "
            "the others, stand in no accuracy, and are counted beside."
        )
    if len(results.clips) < results.of_clips:
        told.append(
            f"Only {len(results.clips)} of {results.of_clips} clips were taken, by chance (seed "
            f"{SEED}), each main code in proportion to the table."
        )
    if results.coded:
        best, share = results.best_guess
        told.append(f"Always saying {best} would be right in {show_share(share)}.")
    told += results.notes
    return tuple(told)


def show_share(share: Proportion) -> str:
    """Write a share with its counts and its interval: `49/108 = 45.4% [36.3, 54.8]`."""
    if not share.of:
        return f"{UNDEFINED} (none of 0)"
    return f"{share.count}/{share.of} = {percent(share)}% {show_interval(wilson(share), 100)}"


def show_interval(interval: Interval | None, times: float = 1, places: int = 1) -> str:
    """Write an interval, `[36.3, 54.8]`; nothing where there is none."""
    if interval is None:
        return ""
    low, high = printed(interval.low * times, places), printed(interval.high * times, places)
    return f"[{low}, {high}]"


def show_figure(figure: Figure, times: float = 100, *, signed: bool = False) -> str:
    """Write a figure with its interval; an en dash with the reason where there is none."""
    if figure.value is None:
        return UNDEFINED
    interval = show_interval(figure.interval, times)
    return f"{printed(figure.value * times, signed=signed)} {interval}".strip()


def show_p(p: float | None) -> str:
    """Write a probability: three places, and small ones as below the smallest shown."""
    if p is None:
        return UNDEFINED
    return "< 0.001" if p < 0.001 else printed(p, 3)


def show_prompting(prompting: str) -> str:
    """Name a way of asking; an en dash for a coder that is not prompted."""
    return PROMPTED.get(prompting, prompting) or UNDEFINED


def _table2(results: BenchmarkResults) -> Table:
    rows = []
    answered = [each for each in results.conditions if each.has_answers]
    for each in answered:
        scores = each.scores
        failed = ", ".join(f"{count} {kind}" for kind, count in scores.failures)
        rows.append(
            (
                *_named(each),
                percent(scores.right),
                show_interval(scores.accuracy.interval, 100),
                f"{scores.right.count}/{scores.right.of}",
                show_figure(scores.macro_f1),
                str(scores.without_code),
                failed or "0",
                str(len(each.missing)),
                _silent(each),
            )
        )
    notes = [
        "Accuracy is the share of answered clips whose code is one of the acceptable ones. Answers "
        "without a code count as wrong; failures (the format broken twice, refusals, cut answers) "
        "are in no share and stand beside. Macro-F1 runs over all four practices.",
    ]
    if any(each.missing for each in answered):
        notes.append("Where clips are missing, the figures of a row rest on fewer clips.")
    notes += filter(None, map(_one_for_all, results.conditions))
    heads = (
        "Model", "Input", "Prompting", "Accuracy", "95%", "Right", "Macro-F1", "No code", "Failed",
        "Missing", "No practice, left without a code",
    )  # fmt: skip
    title = "Accuracy and macro-F1 (Table 2)"
    return Table("table2", title, heads, tuple(rows), tuple(notes), words=3)


def _one_for_all(each: ConditionResult) -> str:
    """Say so where a coder gave every clip the same code: its accuracy is then no skill."""
    kinds = [kind for kind, _ in each.kinds if kind.is_scored]
    given = {kind.predicted.practice if kind.predicted else "" for kind in kinds}
    if each.scores.right.of < 2 or len(given) > 1:
        return ""
    what = given.pop() or "no code"
    return f"{each.coder} gave {what} for every clip it answered, whatever was said in it."


def _by_practice(results: BenchmarkResults) -> Table:
    rows = tuple(
        (*_named(each), *(_short(part.main) for part in each.by_practice))
        for each in results.conditions
        if each.has_answers
    )
    note = (
        "By the clips' main code, and right only where that very code was given; other acceptable "
        "codes do not count here."
    )
    heads = ("Model", "Input", "Prompting", *PRACTICES)
    return Table("by_practice", "Accuracy by practice", heads, rows, (note,), words=3)


def _table3(results: BenchmarkResults) -> Table:
    rows: list[tuple[str, ...]] = []
    for each in results.conditions:
        if not any(s.predicted and s.predicted.level is not None for s, _ in each.kinds):
            continue  # this coder gives no levels at all
        for key, what in (("ignore_l1", "all clips"), ("require_l1", "practice right")):
            own = [row for row in each.levels if row.condition == key]
            for title, part in (("exact level", _exact), ("low or high", _side)):
                cells = [_short(part(row)) for row in own]
                rows.append((*_named(each), what, title, *cells))
    note = (
        "Low is level 1 and 2, high is 3 and 4. Clips without a level on either side are left out; "
        "a clip for which no code was found counts as wrong."
    )
    heads = ("Model", "Input", "Prompting", "Over", "What", *PRACTICES, "All")
    title = "Levels of sophistication (Table 3)"
    return Table("table3", title, heads, tuple(rows), (note,), words=5)


def _exact(row: Table3Row) -> Proportion:
    return row.exact


def _side(row: Table3Row) -> Proportion:
    return row.side


def _table4(results: BenchmarkResults) -> Table:
    rows = tuple(
        (
            row.model,
            show_prompting(row.prompting),
            _short(row.frames),
            _short(row.words),
            printed(row.exact_points, signed=True),
            show_interval(row.points.interval),
            row.points.reason,
        )
        for row in results.gains
    )
    note = (
        "Accuracy with frames, less that of the same model with the transcript alone, zero-shot; "
        "in percentage points, from unrounded shares."
    )
    heads = ("Model", "Prompting", "With frames", "Transcript, zero-shot", "Points", "95%", "")
    return Table("table4", "What frames add (Table 4)", heads, rows, (note,), words=2)


def _citing(results: BenchmarkResults) -> Table:
    rows = tuple(
        (
            *_named(each),
            str(each.citing.quotes),
            str(each.citing.verified),
            str(each.citing.close),
            str(each.citing.quotes - each.citing.grounded.count),
            percent(each.citing.grounded),
            show_interval(wilson(each.citing.grounded), 100),
            str(each.citing.seen),
        )
        for each in results.conditions
        if each.citing.quotes or each.citing.seen
    )
    note = (
        "Every quote is looked up in the transcript of its clip. What was not found there, or lies "
        "outside the clip, supports nothing. What is said to be visible is not checked."
    )
    heads = (
        "Model", "Input", "Prompting", "Quotes", "Word for word", "Nearly", "Not found", "Found, %",
        "95%", "Seen",
    )  # fmt: skip
    return Table("evidence", "Evidence that was found", heads, rows, (note,), words=3)


def _matrices(results: BenchmarkResults) -> list[Table]:
    tables = []
    if len(results.matrix_of) > 1:
        common = "; ".join(
            f"{m.true} taken for {m.predicted}: {m.cases}" for m in results.mistakes[:4]
        )
        note = f"Most common: {common}." if common else "There was no confusion."
        title = f"Confusion, added up over {len(results.matrix_of)} zero-shot runs on transcripts"
        tables.append(_matrix("confusion", title, results.matrix, (note,)))
    for number, each in enumerate(results.conditions, 1):
        if each.kinds:
            title = f"Confusion: {each.coder}"
            tables.append(_matrix(f"confusion_{number}", title, each.matrix, ()))
    return tables


def _matrix(key: str, title: str, matrix: Matrix, notes: tuple[str, ...]) -> Table:
    columns = (*PRACTICES, "")
    rows = tuple(
        (true, *(str(matrix[true][predicted]) for predicted in columns)) for true in PRACTICES
    )
    return Table(key, title, ("True \\ given", *PRACTICES, "no code"), rows, notes)


def _pairs(results: BenchmarkResults) -> Table:
    rows = tuple(_pair(pair) for pair in results.pairs)
    notes = (
        "Over the clips that both answered; differences are the first minus the second, in "
        "percentage points, with an interval from drawing whole clips 10,000 times. p is the exact "
        "two-sided McNemar test, not corrected for the number of pairs.",
    )
    heads = (
        "First", "Second", "Clips", "Only first right", "Only second right", "p",
        "Accuracy, points", "Macro-F1, points",
    )  # fmt: skip
    return Table("pairs", "Pairs on the same clips", heads, rows, notes, words=2)


def _pair(pair: Pair) -> tuple[str, ...]:
    found = pair.comparison
    return (
        pair.one,
        pair.other,
        str(found.compared),
        str(found.only_one_right),
        str(found.only_other_right),
        show_p(found.test.p),
        show_figure(found.accuracy, signed=True),
        show_figure(found.macro_f1, signed=True),
    )


def _not_run(results: BenchmarkResults) -> Table:
    rows = []
    for each in results.conditions:
        if each.reason:
            rows.append((*_named(each), each.reason))
            continue
        reasons = {a.reason for a in each.answers if a.given is None and a.reason}
        for reason in sorted(reasons):
            count = sum(a.reason == reason for a in each.answers if a.given is None)
            rows.append((*_named(each), f"{_count(count, 'clip')} left out: {reason}"))
    heads = ("Model", "Input", "Prompting", "Why")
    return Table("not_run", "What could not be run, or not whole", heads, tuple(rows), words=4)


_SINGLE: Mapping[str, Callable[[BenchmarkResults], Table]] = {
    "table2": _table2,
    "by_practice": _by_practice,
    "table3": _table3,
    "table4": _table4,
    "evidence": _citing,
    "pairs": _pairs,
    "not_run": _not_run,
}


def _named(each: ConditionResult) -> tuple[str, str, str]:
    how = each.condition
    return how.model, how.inputs, show_prompting(how.prompting)


def _silent(each: ConditionResult) -> str:
    found = each.rightly_silent
    return f"{found.count}/{found.of}" if found.of else UNDEFINED


def _short(share: Proportion) -> str:
    return f"{percent(share)} ({share.count}/{share.of})" if share.of else UNDEFINED


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def as_text(table: Table) -> str:
    """Write a table for a terminal, columns aligned."""
    rows = [table.heads, *table.rows]
    widths = [max(len(row[at]) for row in rows) for at in range(len(table.heads))]

    def line(row: Sequence[str]) -> str:
        cells = [
            cell.ljust(width) if at < table.words else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        return "  ".join(cells).rstrip()

    written = [table.title, "", line(table.heads), *map(line, table.rows)]
    for note in table.notes:
        written += textwrap.wrap(note, 100, initial_indent="  ", subsequent_indent="  ")
    return "\n".join(written)
