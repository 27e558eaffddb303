"""What one coder under one condition said of a set, counted; clip by clip when it is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from app.benchmark.records import CodedClip, Given
from app.benchmark.run import WITHOUT_MODEL, Outcome
from app.coding.conditions import CoderChoice, parse_choice
from app.errors import WrongUse
from app.scoring.classification import Coded, macro_of
from app.scoring.figures import Figure, figure_of, undefined
from app.scoring.proportions import Proportion
from app.scoring.scored import ANSWERED, Scored
from app.scoring.tables import (
    NOTHING_SCORED,
    WORDS,
    Condition,
    Matrix,
    PracticeAccuracy,
    Run,
    Table2Row,
    Table3Row,
    accuracy_by_practice,
    aggregated_confusion,
    table2,
    table3,
)

PRACTICES = ("BI", "D1", "D2", "D3")

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


@dataclass(frozen=True)
class ConditionResult:
    """Everything about one condition.

    It has no slots, so that what is said clip by clip is made when somebody first asks for it: a
    page opens with counts alone.
    """

    coder: str
    """As it stands in `Prediction.coder`."""
    condition: Condition
    reason: str
    """Why there is nothing, or not all; empty when all is there."""
    clips: tuple[CodedClip, ...]
    """In the order of the table."""
    given: Mapping[str, Given] = field(repr=False)
    """By clip."""
    left_out: Mapping[str, str]
    """By clip: why nothing is there, where it is known."""
    kinds: tuple[tuple[Scored, int], ...] = field(repr=False)
    """Each kind of answer to a clip that shows a practice, without the clip's name, and how often
    it was given; a kind may stand twice."""
    scores: Table2Row
    """Over the clips that show a practice and were answered."""
    citing: Citing
    provenance: tuple[tuple[str, str], ...]

    @cached_property
    def answers(self) -> tuple[Answer, ...]:
        """One for each clip, in the order of the table."""
        return tuple(
            [
                _answer(c, self.given.get(c.clip_id), self.left_out.get(c.clip_id, ""))
                for c in self.clips
            ]
        )

    @cached_property
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
        return bool(self.given)

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """Clips for which nothing is there."""
        return tuple([c.clip_id for c in self.clips if c.clip_id not in self.given])

    @property
    def rightly_silent(self) -> Proportion:
        """Clips in which people found no practice, and for which the coder gave no code."""
        empty = [self.given.get(clip.clip_id) for clip in self.clips if not clip.codes]
        answered = [given for given in empty if given is not None and given.status in ANSWERED]
        return Proportion(sum(given.code is None for given in answered), len(answered))


def result_of_condition(
    coder: str,
    outcome: Outcome | None,
    clips: tuple[CodedClip, ...],
    given: Mapping[str, Given],
    provenance: tuple[tuple[str, str], ...],
    *,
    quick: bool,
) -> ConditionResult:
    """Draw the figures of one condition.

    Args:
        coder: As it stands in `Prediction.coder`.
        outcome: How it ended, where it belongs to a run.
        clips: Those that are looked at, in the order of the table.
        given: What it said, by clip.
        provenance: What made its latest run.
        quick: Leave out the interval of macro-F1, which is drawn 10,000 times.
    """
    # What was said before stays out of a condition that was not to be run at all.
    skipped = outcome is not None and bool(outcome.reason) and bool(outcome.wish.reason)
    there_is = {} if skipped else given
    there = [there_is[c.clip_id] for c in clips if c.clip_id in there_is]
    condition, kinds = _how(coder), _kinds(clips, there_is)
    result = ConditionResult(
        coder,
        condition,
        outcome.reason if outcome else "",
        clips,
        there_is if len(there) == len(there_is) else {g.clip_id: g for g in there},
        dict(outcome.left_out) if outcome else {},
        kinds,
        _quick_row(condition, kinds),
        Citing(
            sum([g.verified for g in there]),
            sum([g.close for g in there]),
            sum([g.quotes for g in there]),
            sum([g.seen for g in there]),
        ),
        tuple(pair for pair in provenance if pair[0] not in _OF_ONE_ANSWER) if there else (),
    )
    return result if quick else replace(result, scores=table2([result.run], PRACTICES)[0])


def _kinds(
    clips: Sequence[CodedClip], given: Mapping[str, Given]
) -> tuple[tuple[Scored, int], ...]:
    """Count the answers to clips that show a practice by all that a table takes of them."""
    counts: dict[tuple[int, int, str], int] = {}
    first: dict[tuple[int, int, str], Scored] = {}
    for clip in clips:
        there = given.get(clip.clip_id)
        if there is None or not clip.codes:
            continue
        # A library shares equal codes among ten thousand answers: what they are need not be read.
        kind = id(clip.codes), id(there.code), there.status
        if kind not in counts:
            counts[kind] = 0
            first[kind] = Scored("", clip.codes, there.code, there.status)
        counts[kind] += 1
    return tuple((first[kind], count) for kind, count in counts.items())


def _answer(clip: CodedClip, given: Given | None, reason: str) -> Answer:
    if given is None or not clip.codes:
        return Answer(clip, given, reason)
    scored = Scored(clip.clip_id, clip.codes, given.code, given.status)
    return Answer(clip, given, reason, scored)


def _quick_row(condition: Condition, kinds: Sequence[tuple[Scored, int]]) -> Table2Row:
    """Give the row of Table 2 with a macro-F1 that has no interval yet."""
    failed: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    right = without_code = 0
    for kind, count in kinds:
        if not kind.is_scored:
            failed[str(kind.status)] += count
            continue
        right += count * kind.is_right
        without_code += count * (kind.predicted is None)
        coded = Coded(kind.practices, kind.predicted.practice if kind.predicted else "")
        pairs[coded.true, coded.predicted] += count
    share = Proportion(right, pairs.total())
    averages = macro_of(pairs, PRACTICES)
    return Table2Row(
        condition,
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
