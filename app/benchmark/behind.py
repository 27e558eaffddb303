"""The clips behind a figure: those of one cell of a matrix, or those that set a pair apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.benchmark.condition_results import Answer
from app.benchmark.records import CodedClip
from app.benchmark.results import BenchmarkResults, Pair


@dataclass(frozen=True, slots=True)
class Behind:
    """One clip as one coder coded it."""

    coder: str
    answer: Answer

    @property
    def clip(self) -> CodedClip:
        """The clip with the codes people accept."""
        return self.answer.clip


def in_cell(results: BenchmarkResults, coder: str, true: str, given: str) -> tuple[Behind, ...]:
    """Give the clips that one cell of a confusion matrix counts, in the order of the table.

    Args:
        results: What the matrix is of.
        coder: Whose matrix; empty for the one in which all zero-shot runs on transcripts are
            added up.
        true: The practice of the row.
        given: The practice of the column; empty for answers without a code.
    """
    coders = (coder,) if coder else results.matrix_of
    return tuple(
        Behind(each.coder, answer)
        for each in results.conditions
        if each.coder in coders
        for answer in each.answers
        if _falls(answer, true, given)
    )


def failed(results: BenchmarkResults, coder: str) -> tuple[Behind, ...]:
    """Give the clips on which a coder failed: they stand in no cell.

    Args:
        results: What the matrix is of.
        coder: As in `in_cell`.
    """
    coders = (coder,) if coder else results.matrix_of
    return tuple(
        Behind(each.coder, answer)
        for each in results.conditions
        if each.coder in coders
        for answer in each.answers
        if answer.scored is not None and not answer.scored.is_scored
    )


def apart(results: BenchmarkResults, pair: Pair) -> tuple[tuple[Behind, ...], tuple[Behind, ...]]:
    """Give the clips that only the first of a pair got right, as the second coded them; and the
    other way round. What went wrong is what one wants to read.
    """
    return (
        _wrongly(results, pair.other, pair.only_one),
        _wrongly(results, pair.one, pair.only_other),
    )


def _falls(answer: Answer, true: str, given: str) -> bool:
    scored = answer.scored
    if scored is None or not scored.is_scored:
        return False
    predicted = scored.predicted.practice if scored.predicted else ""
    return predicted == given and scored.true.practice == true


def _wrongly(results: BenchmarkResults, coder: str, clips: Sequence[str]) -> tuple[Behind, ...]:
    wanted = set(clips)
    return tuple(
        Behind(coder, answer)
        for each in results.conditions
        if each.coder == coder
        for answer in each.answers
        if answer.clip.clip_id in wanted
    )
