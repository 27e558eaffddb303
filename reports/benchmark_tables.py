"""The benchmark's tables for spreadsheets: numbers as numbers, counts beside every share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from app.benchmark.condition_results import ConditionResult
from app.benchmark.results import BenchmarkResults
from app.scoring.figures import Figure, figure_of
from app.scoring.proportions import Proportion
from app.scoring.scored import Code
from reports.tables import csv_bytes

Row = tuple[object, ...]
_WHO = ("model", "input", "prompting")
_FIGURE = ("low_95", "high_95")


def show_code(code: Code) -> str:
    """Write a code as the tables do: `D1:2`, without a level `D1`."""
    return code.practice if code.level is None else f"{code.practice}:{code.level}"


def answers_table(results: BenchmarkResults) -> bytes:
    """Write one row for each clip and condition, also where nothing came."""
    columns = (
        "clip_id", "lesson_id", *_WHO, "coder", "acceptable", "given", "right", "status", "note",
        "quotes", "verified", "close", "seen", "prediction_id",
    )  # fmt: skip
    return csv_bytes(columns, _answers(results))


def _answers(results: BenchmarkResults) -> Iterable[Row]:
    for each in results.conditions:
        for answer in each.answers:
            given, clip = answer.given, answer.clip
            right = {True: "yes", False: "no", None: ""}[answer.is_right]
            start = (clip.clip_id, clip.lesson_id, *_who(each), each.coder, _codes(clip.codes))
            if given is None:
                status = "left out" if answer.reason else "not there"
                note = answer.reason or each.reason
                yield (*start, "", right, status, note, None, None, None, None, None)
                continue
            code = show_code(given.code) if given.code else ""
            counts = (given.quotes, given.verified, given.close, given.seen)
            yield (
                *start, code, right, given.status, given.note, *counts, given.prediction_id or None,
            )  # fmt: skip


def table2_table(results: BenchmarkResults) -> bytes:
    """Write accuracy and macro-F1 of each condition."""
    columns = (
        *_WHO, "right", "scored", "accuracy", *_FIGURE, "macro_f1", "macro_f1_low_95",
        "macro_f1_high_95", "without_code", "failed", "failures", "missing",
        "no_practice_left_without_code", "no_practice_answered", "reason",
    )  # fmt: skip
    rows = []
    for each in results.conditions:
        scores, silent = each.scores, each.rightly_silent
        failures = "; ".join(f"{kind} {count}" for kind, count in scores.failures)
        rows.append(
            (
                *_who(each),
                scores.right.count,
                scores.right.of,
                *figure_cells(scores.accuracy),
                *figure_cells(scores.macro_f1),
                scores.without_code,
                scores.failed,
                failures,
                len(each.missing),
                silent.count,
                silent.of,
                each.reason,
            )
        )
    return csv_bytes(columns, rows)


def table3_table(results: BenchmarkResults) -> bytes:
    """Write exact levels and sides of low and high; an empty practice stands for all of them."""
    columns = (
        *_WHO, "condition", "practice", "n", "exact", "exact_share", *_FIGURE, "low_high",
        "low_high_share", "low_high_low_95", "low_high_high_95", "without_level",
    )  # fmt: skip
    rows = (
        (
            *_who(each),
            row.condition,
            row.practice,
            row.exact.of,
            row.exact.count,
            *figure_cells(row.exact_figure),
            row.side.count,
            *figure_cells(row.side_figure),
            row.without_level,
        )
        for each in results.conditions
        if each.has_answers
        for row in each.levels
    )
    return csv_bytes(columns, rows)


def table4_table(results: BenchmarkResults) -> bytes:
    """Write what frames add, in percentage points."""
    columns = (
        "model", "prompting", "frames_right", "frames_scored", "words_right", "words_scored",
        "points", *_FIGURE, "reason",
    )  # fmt: skip
    rows = (
        (
            row.model,
            row.prompting,
            row.frames.count,
            row.frames.of,
            row.words.count,
            row.words.of,
            *figure_cells(row.points),
            row.points.reason,
        )
        for row in results.gains
    )
    return csv_bytes(columns, rows)


def practices_table(results: BenchmarkResults) -> bytes:
    """Write accuracy by main code: that very code, and any acceptable one."""
    columns = (
        *_WHO, "practice", "scored", "main_given", "main_share", *_FIGURE, "accepted",
        "accepted_share", "accepted_low_95", "accepted_high_95",
    )  # fmt: skip
    rows = (
        (
            *_who(each),
            part.practice,
            part.main.of,
            part.main.count,
            *figure_cells(part.main_figure),
            part.accepted.count,
            *figure_cells(part.accepted_figure),
        )
        for each in results.conditions
        if each.has_answers
        for part in each.by_practice
    )
    return csv_bytes(columns, rows)


def evidence_table(results: BenchmarkResults) -> bytes:
    """Write what became of cited quotes."""
    columns = (*_WHO, "quotes", "verified", "close", "found_share", *_FIGURE, "seen")
    rows = (
        (
            *_who(each),
            each.citing.quotes,
            each.citing.verified,
            each.citing.close,
            *_share(each.citing.grounded),
            each.citing.seen,
        )
        for each in results.conditions
        if each.has_answers
    )
    return csv_bytes(columns, rows)


def confusion_table(results: BenchmarkResults) -> bytes:
    """Write how often each true code was given as which; "all" is the sum of zero-shot T runs."""
    named = [("all", results.matrix)] if len(results.matrix_of) > 1 else []
    named += [(each.coder, each.matrix) for each in results.conditions if each.kinds]
    rows = (
        (coder, true, given or "no code", count)
        for coder, matrix in named
        for true, row in matrix.items()
        for given, count in row.items()
    )
    return csv_bytes(("coder", "true", "given", "clips"), rows)


def pairs_table(results: BenchmarkResults) -> bytes:
    """Write each pair of conditions on the same clips."""
    columns = (
        "first", "second", "compared", "both_right", "only_first", "only_second", "both_wrong",
        "first_failed", "second_failed", "both_failed", "not_shared", "p_exact", "p_mid",
        "accuracy_difference", *_FIGURE, "macro_f1_difference", "macro_f1_low_95",
        "macro_f1_high_95",
    )  # fmt: skip
    rows = []
    for pair in results.pairs:
        found = pair.comparison
        rows.append(
            (
                pair.one,
                pair.other,
                found.compared,
                found.both_right,
                found.only_one_right,
                found.only_other_right,
                found.both_wrong,
                found.one_failed,
                found.other_failed,
                found.both_failed,
                found.not_shared,
                found.test.p,
                found.test.mid_p,
                *figure_cells(found.accuracy),
                *figure_cells(found.macro_f1),
            )
        )
    return csv_bytes(columns, rows)


def apart_table(results: BenchmarkResults) -> bytes:
    """Write the clips that only one of a pair got right."""
    rows = (
        (pair.one, pair.other, clip, which)
        for pair in results.pairs
        for which, clips in ((pair.one, pair.only_one), (pair.other, pair.only_other))
        for clip in clips
    )
    return csv_bytes(("first", "second", "clip_id", "right"), rows)


def _who(each: ConditionResult) -> Row:
    return each.condition.model, each.condition.inputs, each.condition.prompting


def _codes(codes: Sequence[Code]) -> str:
    return " | ".join(map(show_code, codes)) or "none"


def figure_cells(figure: Figure) -> Row:
    """Give a figure and the ends of its interval."""
    interval = figure.interval
    return figure.value, interval and interval.low, interval and interval.high


def _share(share: Proportion) -> Row:
    return figure_cells(figure_of(share, "nothing to count"))


TABLES: Mapping[str, Callable[[BenchmarkResults], bytes]] = {
    "answers.csv": answers_table,
    "table2.csv": table2_table,
    "table3.csv": table3_table,
    "table4.csv": table4_table,
    "by_practice.csv": practices_table,
    "evidence.csv": evidence_table,
    "confusion.csv": confusion_table,
    "pairs.csv": pairs_table,
    "pairs_clips.csv": apart_table,
}
"""By file name."""
