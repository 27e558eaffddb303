"""The tables of the SciIBI paper, from the predictions of any model.

A failure is left out of every share and counted beside it. An answer without a code is scored and
wrong. Clips are grouped by their main code, as the published counts are: the clips a practice is
tested on do not change with what a model says of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from app.coding.practices import is_high
from app.scoring.classification import Coded, confusion, macro
from app.scoring.figures import Figure, figure_of, undefined
from app.scoring.intervals import Floats, Interval, bootstrap_counts, divide, kinds_of
from app.scoring.paired import macro_f1s
from app.scoring.proportions import Proportion
from app.scoring.rounding import exact_share
from app.scoring.scored import Scored

NOTHING_SCORED = "no clip was answered"
NO_LEVELS = "no clip has both a true and a predicted level"
NO_WORDS_RUN = "the same model was not asked zero-shot with the transcript alone"

WORDS = "T"
FRAMES = "TV"
ZERO_SHOT = "zero_shot"

Matrix = Mapping[str, Mapping[str, int]]
"""Clips by true practice, then by predicted practice; `""` stands for no prediction."""


@dataclass(frozen=True, slots=True)
class Condition:
    """How a model was asked."""

    model: str
    inputs: str
    """`T` or `TV`."""
    prompting: str
    """`zero_shot`, `few_shot` or `cot`."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a model said of every clip under one condition.

    Raises:
        ValueError: A clip is twice in it.
    """

    condition: Condition
    scored: tuple[Scored, ...]

    def __post_init__(self) -> None:
        if len({scored.clip_id for scored in self.scored}) == len(self.scored):
            return
        clip, times = max(
            Counter(scored.clip_id for scored in self.scored).items(),
            key=lambda pair: pair[1],
        )
        raise ValueError(f"clip {clip} is {times} times in one run")


@dataclass(frozen=True, slots=True)
class Table2Row:
    """Accuracy and macro-F1 under one condition, with what failed beside."""

    condition: Condition
    right: Proportion
    """Right out of scored clips; prints exactly with `rounding.percent`."""
    accuracy: Figure
    """The same with its Wilson interval."""
    macro_f1: Figure
    """Over all practices, 0 to 1, with an interval from drawing whole clips."""
    without_code: int
    """Scored clips for which the coder found no code; they count as wrong."""
    failures: tuple[tuple[str, int], ...]
    """Clips that failed, by kind; they are not in `right`."""

    @property
    def failed(self) -> int:
        """Clips that failed in whatever way."""
        return sum(count for _, count in self.failures)


LevelCondition = Literal["ignore_l1", "require_l1"]
"""All clips, or only those whose practice was right ("L1" is the practice itself)."""


@dataclass(frozen=True, slots=True)
class Table3Row:
    """Levels of sophistication of one practice's clips, or of all."""

    condition: LevelCondition
    practice: str
    """The clips' main practice; empty for all practices together."""
    exact: Proportion
    """The very level."""
    side: Proportion
    """The right side of low (1, 2) and high (3, 4)."""
    exact_figure: Figure
    side_figure: Figure
    """The same with their Wilson intervals."""
    without_level: int
    """Clips left out because people or the model gave a practice without a level."""


@dataclass(frozen=True, slots=True)
class Table4Row:
    """What frames add: accuracy with them, less the same model's with words alone, zero-shot."""

    model: str
    prompting: str
    frames: Proportion
    words: Proportion
    """Zero-shot with the transcript alone, whatever `prompting` is."""
    points: Figure
    """The difference in percentage points, with an interval from drawing whole clips."""

    @property
    def exact_points(self) -> Fraction | None:
        """The difference from unrounded shares; prints exactly with `rounding.printed`."""
        frames, words = exact_share(self.frames), exact_share(self.words)
        return None if frames is None or words is None else 100 * (frames - words)


@dataclass(frozen=True, slots=True)
class PracticeAccuracy:
    """How the clips of one main practice were met."""

    practice: str
    main: Proportion
    """The main code itself was predicted: the paper's per-category accuracy, whose counts (7/24,
    20/35, 3/16, 13/37) leave out what other acceptable codes add."""
    accepted: Proportion
    """Any acceptable code was predicted: what the accuracy of Table 2 adds up."""
    main_figure: Figure
    accepted_figure: Figure


@dataclass(frozen=True, slots=True)
class Mistake:
    """One practice taken for another."""

    true: str
    predicted: str
    cases: int


def table2(runs: Sequence[Run], practices: Sequence[str]) -> tuple[Table2Row, ...]:
    """Give accuracy and macro-F1 of each run, in the order of the runs."""
    return tuple(_table2_row(run, practices) for run in runs)


def table3(run: Run, practices: Sequence[str]) -> tuple[Table3Row, ...]:
    """Give the levels of one run: each practice and all together, under both conditions.

    The level a clip is held to is that of the predicted practice where it is acceptable, else that
    of the main code. A clip for which the coder found no code counts as wrong; it is left out where
    only right practices count.
    """
    conditions: tuple[LevelCondition, ...] = ("ignore_l1", "require_l1")
    answered = [scored for scored in run.scored if scored.is_scored]
    return tuple(
        _table3_row(
            condition,
            practice,
            [
                scored
                for scored in answered
                if practice in ("", scored.codes[0].practice)
                and (condition == "ignore_l1" or scored.is_right)
            ],
        )
        for condition in conditions
        for practice in (*practices, "")
    )


def table4(runs: Sequence[Run]) -> tuple[Table4Row, ...]:
    """Give what frames add for each run with frames, in the order of the runs.

    Raises:
        ValueError: One condition has two runs.
    """
    by_condition = {run.condition: run for run in runs}
    if len(by_condition) < len(runs):
        raise ValueError("one condition has two runs")
    return tuple(
        _table4_row(run, by_condition.get(Condition(run.condition.model, WORDS, ZERO_SHOT)))
        for run in runs
        if run.condition.inputs == FRAMES
    )


def accuracy_by_practice(
    scored: Sequence[Scored], practices: Sequence[str]
) -> tuple[PracticeAccuracy, ...]:
    """Give how the clips of each main practice were met; failures are left out."""
    found = []
    for practice in practices:
        clips = [s for s in scored if s.is_scored and s.codes[0].practice == practice]
        met = sum(s.predicted is not None and s.predicted.practice == practice for s in clips)
        main = Proportion(met, len(clips))
        accepted = Proportion(sum(s.is_right for s in clips), len(clips))
        reason = f"no clip with the main code {practice} was answered"
        main_figure, accepted_figure = figure_of(main, reason), figure_of(accepted, reason)
        found.append(PracticeAccuracy(practice, main, accepted, main_figure, accepted_figure))
    return tuple(found)


def aggregated_confusion(runs: Sequence[Run], practices: Sequence[str]) -> Matrix:
    """Add up the confusion matrices of several runs (Figure 3a); failures are left out."""
    return confusion([_coded(s) for run in runs for s in run.scored if s.is_scored], practices)


def most_common_confusions(matrix: Matrix, most: int | None = None) -> tuple[Mistake, ...]:
    """Give the mistakes of a matrix, the most common first, ties in the order of the matrix.

    Finding no code is no confusion and is left out, as is what never happened.
    """
    mistakes = [
        Mistake(true, predicted, cases)
        for true, row in matrix.items()
        for predicted, cases in row.items()
        if predicted not in ("", true) and cases
    ]
    return tuple(sorted(mistakes, key=lambda mistake: -mistake.cases)[:most])


def _table2_row(run: Run, practices: Sequence[str]) -> Table2Row:
    answered = [scored for scored in run.scored if scored.is_scored]
    right = Proportion(sum(scored.is_right for scored in answered), len(answered))
    failed = Counter(str(scored.status) for scored in run.scored if not scored.is_scored)
    return Table2Row(
        run.condition,
        right,
        figure_of(right, NOTHING_SCORED),
        _macro_f1(answered, practices),
        sum(scored.predicted is None for scored in answered),
        tuple(sorted(failed.items())),
    )


def _macro_f1(answered: Sequence[Scored], practices: Sequence[str]) -> Figure:
    coded = [_coded(scored) for scored in answered]
    averages = macro(coded, practices)
    if averages is None:
        return undefined(NOTHING_SCORED)
    kinds, counts = kinds_of([(clip.true, clip.predicted) for clip in coded])
    interval = bootstrap_counts(counts, lambda drawn: macro_f1s(drawn, kinds, practices))
    return Figure(averages.f1, len(coded), interval)


def _table3_row(condition: LevelCondition, practice: str, clips: Sequence[Scored]) -> Table3Row:
    pairs = [(s.true.level, s.predicted.level if s.predicted else 0) for s in clips]
    # 0 stands for the level of no code: wrong, and on neither side.
    levels = [(true, said) for true, said in pairs if true is not None and said is not None]
    exact = Proportion(sum(true == said for true, said in levels), len(levels))
    sides = sum(said != 0 and is_high(true) == is_high(said) for true, said in levels)
    side = Proportion(sides, len(levels))
    return Table3Row(
        condition,
        practice,
        exact,
        side,
        figure_of(exact, NO_LEVELS),
        figure_of(side, NO_LEVELS),
        len(pairs) - len(levels),
    )


def _table4_row(frames: Run, words: Run | None) -> Table4Row:
    with_frames = _right(frames)
    with_words = _right(words) if words else Proportion(0, 0)
    row = Table4Row(
        frames.condition.model,
        frames.condition.prompting,
        with_frames,
        with_words,
        undefined(NO_WORDS_RUN if words is None else NOTHING_SCORED),
    )
    if row.exact_points is None or words is None:
        return row
    points = Figure(float(row.exact_points), with_frames.of, _gain_interval(frames, words))
    return Table4Row(row.model, row.prompting, with_frames, with_words, points)


def _gain_interval(frames: Run, words: Run) -> Interval | None:
    """Draw clips, each with both of its answers; either may have failed."""
    by_clip = [{scored.clip_id: scored for scored in run.scored} for run in (frames, words)]
    clips = by_clip[0].keys() | by_clip[1].keys()
    kinds, counts = kinds_of([tuple(_told(of.get(clip)) for of in by_clip) for clip in clips])
    table = np.array(kinds, dtype=float)

    def points(drawn: Floats) -> Floats:
        sums = np.einsum("bk,krs->brs", drawn, table)
        shares = divide(sums[:, :, 0], sums[:, :, 1])
        return 100 * (shares[:, 0] - shares[:, 1])

    return bootstrap_counts(counts, points)


def _told(scored: Scored | None) -> tuple[bool, bool]:
    """Say whether a clip was right and whether it was scored."""
    return (False, False) if scored is None else (scored.is_right, scored.is_scored)


def _right(run: Run) -> Proportion:
    answered = [scored for scored in run.scored if scored.is_scored]
    return Proportion(sum(scored.is_right for scored in answered), len(answered))


def _coded(scored: Scored) -> Coded:
    return Coded(scored.practices, scored.predicted.practice if scored.predicted else "")
