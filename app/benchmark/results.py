"""The figures of a benchmark, drawn from what coders said of a set: nothing is asked here."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from app.benchmark.records import CodedClip, CodedSet, Given, SaidOfSet
from app.benchmark.run import WITHOUT_MODEL, Outcome
from app.coding.conditions import CoderChoice, parse_choice
from app.errors import Cancelled, WrongUse
from app.scoring.classification import Coded, macro_of
from app.scoring.figures import Figure, figure_of, undefined
from app.scoring.paired import Comparison, compare_runs
from app.scoring.proportions import Proportion
from app.scoring.scored import ANSWERED, Scored
from app.scoring.tables import (
    NOTHING_SCORED,
    WORDS,
    ZERO_SHOT,
    Condition,
    Matrix,
    Mistake,
    PracticeAccuracy,
    Run,
    Table2Row,
    Table3Row,
    Table4Row,
    accuracy_by_practice,
    aggregated_confusion,
    most_common_confusions,
    table2,
    table3,
    table4,
)

PRACTICES = ("BI", "D1", "D2", "D3")
MOST_PAIRS = 60
"""Conditions are compared each with each up to so many pairs; beyond, each with the best one."""

_OF_ONE_ANSWER = frozenset(
    ("frames", "left out", "tokens in", "tokens out", "seconds", "attempt", "retry")
)
# What the provenance tells of a single answer says nothing of the run.


@dataclass(frozen=True, slots=True)
class Answer:
    """What one condition gave for one clip."""

    clip: CodedClip
    given: Given | None
    """`None` where nothing is there: not asked yet, or not able to be asked."""
    reason: str = ""
    """Why nothing is there, where it is known."""
    scored: Scored | None = None
    """As the tables take it; `None` without an answer and for a clip without a code."""

    @property
    def is_right(self) -> bool | None:
        """Whether the code is acceptable; `None` for failures and clips that show no practice."""
        if self.scored is None or not self.scored.is_scored:
            return None
        return self.scored.is_right


@dataclass(frozen=True, slots=True)
class Citing:
    """What became of the evidence of one condition."""

    verified: int
    close: int
    quotes: int
    """All quotes cited; those that are neither verified nor close support nothing."""
    seen: int
    """Pieces said to be visible, which no program checks."""

    @property
    def grounded(self) -> Proportion:
        """Quotes that were found, word for word or nearly, out of all cited."""
        return Proportion(self.verified + self.close, self.quotes)


@dataclass(frozen=True, slots=True)
class ConditionResult:
    """Everything about one condition."""

    coder: str
    """As it stands in `Prediction.coder`."""
    condition: Condition
    reason: str
    """Why there is nothing, or not all; empty when all is there."""
    answers: tuple[Answer, ...]
    """One for each clip, in the order of the table."""
    scores: Table2Row
    """Over the clips that show a practice and were answered."""
    citing: Citing
    provenance: tuple[tuple[str, str], ...]

    @property
    def run(self) -> Run:
        """Its answers as the tables take them."""
        return Run(self.condition, tuple(a.scored for a in self.answers if a.scored is not None))

    @property
    def levels(self) -> tuple[Table3Row, ...]:
        """Exact levels and sides of low and high, by practice; worked out when asked for."""
        return table3(self.run, PRACTICES)

    @property
    def by_practice(self) -> tuple[PracticeAccuracy, ...]:
        """How the clips of each main code were met."""
        return accuracy_by_practice(self.run.scored, PRACTICES)

    @property
    def matrix(self) -> Matrix:
        """Clips by true code, then by the code given."""
        return aggregated_confusion([self.run], PRACTICES)

    @property
    def has_answers(self) -> bool:
        """Whether there is anything to show."""
        return any(answer.given is not None for answer in self.answers)

    @property
    def missing(self) -> tuple[str, ...]:
        """Clips for which nothing is there."""
        return tuple(a.clip.clip_id for a in self.answers if a.given is None)

    @property
    def rightly_silent(self) -> Proportion:
        """Clips in which people found no practice, and for which the coder gave no code."""
        empty = [
            a.given
            for a in self.answers
            if a.given is not None and not a.clip.codes and a.given.status in ANSWERED
        ]
        return Proportion(sum(given.code is None for given in empty), len(empty))


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
        limit: Look at the first clips only.
        quick: Leave out all that is drawn 10,000 times (intervals of macro-F1, gains of frames,
            pairs), so that a page can open at once and fill these in later.
        every: Show every coder that ever said something, and the `outcomes` beside.
        stop: Set to stop.

    Raises:
        Cancelled: `stop` was set.
    """
    stop = stop or threading.Event()
    clips = coded.clips if limit is None else coded.clips[:limit]
    shown: dict[str, Outcome | None] = {outcome.coder: outcome for outcome in outcomes}
    if every or not shown:
        shown = dict.fromkeys(said.provenance) | shown
    by_coder: dict[str, dict[str, Given]] = {}
    for given in said.given:
        by_coder.setdefault(given.coder, {})[given.clip_id] = given
    conditions = tuple(
        _condition(
            coder,
            outcome,
            clips,
            by_coder.get(coder, {}),
            said.provenance.get(coder, ()),
            _quick_row if quick else _whole_row,
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
        tuple(clips),
        len(coded.clips),
        conditions,
        () if quick else table4([c.run for c in answered]),
        () if quick else _pairs(answered, stop),
    )


def _condition(
    coder: str,
    outcome: Outcome | None,
    clips: Sequence[CodedClip],
    given: Mapping[str, Given],
    provenance: tuple[tuple[str, str], ...],
    row: Callable[[Run], Table2Row],
) -> ConditionResult:
    reasons = dict(outcome.left_out) if outcome else {}
    # What was said before stays out of a condition that was not to be run at all.
    skipped = outcome is not None and bool(outcome.reason) and bool(outcome.wish.reason)
    there_is = {} if skipped else given
    answers = tuple(
        [_answer(c, there_is.get(c.clip_id), reasons.get(c.clip_id, "")) for c in clips]
    )
    run = Run(_how(coder), tuple([a.scored for a in answers if a.scored is not None]))
    there = [a.given for a in answers if a.given is not None]
    return ConditionResult(
        coder,
        run.condition,
        outcome.reason if outcome else "",
        answers,
        row(run),
        Citing(
            sum(g.verified for g in there),
            sum(g.close for g in there),
            sum(g.quotes for g in there),
            sum(g.seen for g in there),
        ),
        tuple(pair for pair in provenance if pair[0] not in _OF_ONE_ANSWER) if there else (),
    )


def _answer(clip: CodedClip, given: Given | None, reason: str) -> Answer:
    if given is None or not clip.codes:
        return Answer(clip, given, reason)
    scored = Scored(clip.clip_id, clip.codes, given.code, given.status)
    return Answer(clip, given, reason, scored)


def _whole_row(run: Run) -> Table2Row:
    return table2([run], PRACTICES)[0]


def _quick_row(run: Run) -> Table2Row:
    """Give the row of Table 2 with a macro-F1 that has no interval yet."""
    # A thousand clips share a few dozen kinds, and each kind is looked at once.
    kinds = Counter([(s.codes, s.predicted, s.status) for s in run.scored])
    failed: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    right = without_code = 0
    for (codes, predicted, status), count in kinds.items():
        kind = Scored("", codes, predicted, status)
        if not kind.is_scored:
            failed[str(status)] += count
            continue
        right += count * kind.is_right
        without_code += count * (predicted is None)
        coded = Coded(kind.practices, predicted.practice if predicted else "")
        pairs[coded.true, coded.predicted] += count
    share = Proportion(right, pairs.total())
    averages = macro_of(pairs, PRACTICES)
    return Table2Row(
        run.condition,
        share,
        figure_of(share, NOTHING_SCORED),
        Figure(averages.f1, share.of) if averages else undefined(NOTHING_SCORED),
        without_code,
        tuple(sorted(failed.items())),
    )


def _how(coder: str) -> Condition:
    """Say from a coder's name which model it is and how it was asked."""
    choice = _choice(coder)
    if choice.condition is None:
        return Condition(choice.engine, WORDS, "")
    often = f" x{choice.draws}" if choice.draws > 1 else ""
    prompting = "" if choice.engine in WITHOUT_MODEL else str(choice.condition.prompting)
    return Condition(f"{choice.engine}{often}", str(choice.condition.input), prompting)


def _choice(coder: str) -> CoderChoice:
    try:
        return parse_choice(coder)
    except WrongUse:
        return CoderChoice(coder)


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
