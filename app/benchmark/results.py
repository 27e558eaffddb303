"""The figures of a benchmark, drawn from what coders said of a set: nothing is asked here."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from app.benchmark.condition_results import PRACTICES, ConditionResult, result_of_condition
from app.benchmark.records import CodedClip, CodedSet, Given, SaidOfSet
from app.benchmark.run import Outcome, chosen_clips
from app.errors import Cancelled
from app.scoring.paired import Comparison, compare_runs
from app.scoring.proportions import Proportion
from app.scoring.tables import (
    WORDS,
    ZERO_SHOT,
    Matrix,
    Mistake,
    Table4Row,
    aggregated_confusion,
    most_common_confusions,
    table4,
)

MOST_PAIRS = 60
"""Conditions are compared each with each up to so many pairs; beyond, each with the best one."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two conditions over the clips that both answered."""

    one: str
    other: str
    """Coders' names; every difference is the first minus the second."""
    comparison: Comparison
    only_one: tuple[str, ...]
    """Clips that only the first got right, in the order of the table."""
    only_other: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BenchmarkResults:
    """A set of coded clips and all that was said of it."""

    name: str
    folder: str
    digest: str
    notes: tuple[str, ...]
    clips: tuple[CodedClip, ...]
    """Those that were looked at, in the order of the table."""
    of_clips: int
    """All clips of the set; more than `clips` where a limit was set."""
    conditions: tuple[ConditionResult, ...]
    """Also those that could not run, with their reason."""
    gains: tuple[Table4Row, ...]
    pairs: tuple[Pair, ...]

    @property
    def matrix_of(self) -> tuple[str, ...]:
        """The coders whose confusions are added up: models asked zero-shot on the transcript."""
        return tuple(each.coder for each in self._added)

    @property
    def matrix(self) -> Matrix:
        """Their confusions added up, as in the paper's Figure 3a."""
        return aggregated_confusion([each.run for each in self._added], PRACTICES)

    @property
    def mistakes(self) -> tuple[Mistake, ...]:
        """The mistakes in it, the most common first."""
        return most_common_confusions(self.matrix)

    @property
    def _added(self) -> list[ConditionResult]:
        how = [(each, each.condition) for each in self.conditions if each.has_answers]
        return [each for each, c in how if c.inputs == WORDS and c.prompting == ZERO_SHOT]

    @property
    def coded(self) -> tuple[CodedClip, ...]:
        """The clips that show a practice; accuracy is over these."""
        return tuple(clip for clip in self.clips if clip.codes)

    @property
    def by_main_code(self) -> Mapping[str, int]:
        """How many clips have each practice as their main code."""
        counts = Counter(clip.codes[0].practice for clip in self.coded)
        return {practice: counts[practice] for practice in PRACTICES}

    @property
    def best_guess(self) -> tuple[str, Proportion]:
        """The one practice that would be right most often if it were always said."""
        codes = [{code.practice for code in clip.codes} for clip in self.coded]
        counts = {practice: sum(practice in each for each in codes) for practice in PRACTICES}
        best = max(PRACTICES, key=lambda practice: counts[practice])
        return best, Proportion(counts[best], len(codes))


def results_of(
    coded: CodedSet,
    said: SaidOfSet,
    outcomes: Sequence[Outcome] = (),
    limit: int | None = None,
    *,
    quick: bool = False,
    every: bool = False,
    stop: threading.Event | None = None,
) -> BenchmarkResults:
    """Draw the figures of a set from what is in the library.

    Args:
        coded: The set.
        said: What coders said of it.
        outcomes: How the conditions of a run ended: these are shown, in their order. Without any,
            every coder that ever said something is shown.
        limit: Look at so many clips only; see `fewer_clips`.
        quick: Leave out all that is drawn 10,000 times (intervals of macro-F1, gains of frames,
            pairs), so that a page can open at once and fill these in later.
        every: Show every coder that ever said something, and the `outcomes` beside.
        stop: Set to stop.

    Raises:
        Cancelled: `stop` was set.
    """
    stop = stop or threading.Event()
    clips = chosen_clips(coded, limit)
    shown: dict[str, Outcome | None] = {outcome.coder: outcome for outcome in outcomes}
    if every or not shown:
        shown = dict.fromkeys(said.provenance) | shown
    by_coder: dict[str, dict[str, Given]] = {}
    for given in said.given:
        by_coder.setdefault(given.coder, {})[given.clip_id] = given
    conditions = tuple(
        result_of_condition(
            coder,
            outcome,
            clips,
            by_coder.get(coder, {}),
            said.provenance.get(coder, ()),
            quick=quick,
        )
        for coder, outcome in shown.items()
        if not _is_stopped(stop)
    )
    answered = [c for c in conditions if c.has_answers]
    return BenchmarkResults(
        coded.name,
        coded.folder,
        coded.digest,
        coded.notes,
        clips,
        len(coded.clips),
        conditions,
        () if quick else table4([c.run for c in answered]),
        () if quick else _pairs(answered, stop),
    )


def _is_stopped(stop: threading.Event) -> bool:
    if stop.is_set():
        raise Cancelled
    return False


def _pairs(conditions: Sequence[ConditionResult], stop: threading.Event) -> tuple[Pair, ...]:
    pairs = list(combinations(conditions, 2))
    if len(pairs) > MOST_PAIRS:
        best = max(conditions, key=lambda c: c.scores.right.share or 0.0)
        pairs = [(best, other) for other in conditions if other is not best]
    return tuple(compare(one, other) for one, other in pairs if not _is_stopped(stop))


def compare(one: ConditionResult, other: ConditionResult) -> Pair:
    """Compare two conditions over the clips that both answered."""
    right = [
        (a.clip.clip_id, a.is_right, b.is_right)
        for a, b in zip(one.answers, other.answers, strict=True)
    ]
    return Pair(
        one.coder,
        other.coder,
        compare_runs(one.run.scored, other.run.scored, PRACTICES),
        tuple(clip for clip, first, second in right if first is True and second is False),
        tuple(clip for clip, first, second in right if first is False and second is True),
    )
