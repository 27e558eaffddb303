"""The evidence quality score: how well cited evidence carries a label, rated by two people.

Three dimensions, each 1 to 3. A rating's score is the mean of its three, an output's the mean over
its raters; 2.5 and more is high.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from app.scoring.agreement import kappa_with_interval
from app.scoring.figures import Figure, figure_of, undefined
from app.scoring.intervals import bootstrap_mean
from app.scoring.proportions import Proportion

SCALE = (1, 2, 3)
DIMENSIONS = ("alignment", "sufficiency", "specificity")
NOTHING_RATED = "nothing was rated"


@dataclass(frozen=True, slots=True)
class Rating:
    """One person's word on the evidence of one output.

    Raises:
        ValueError: A score is not 1, 2 or 3.
    """

    output_id: str
    rater: str
    alignment: int
    """Does the evidence support the label?"""
    sufficiency: int
    """Is there enough of it?"""
    specificity: int
    """Does it name words and moments?"""

    def __post_init__(self) -> None:
        for dimension, score in zip(DIMENSIONS, self.scores, strict=True):
            if score not in SCALE:
                raise ValueError(f"{dimension} of {self.output_id} is {score}, not 1, 2 or 3")

    @property
    def scores(self) -> tuple[int, int, int]:
        """Alignment, sufficiency, specificity."""
        return (self.alignment, self.sufficiency, self.specificity)


@dataclass(frozen=True, slots=True)
class Output:
    """What a model said of a clip, as it is drawn for rating."""

    output_id: str
    model: str
    practice: str
    """The clip's main practice by people's codes; the draw is balanced by it."""
    is_right: bool


@dataclass(frozen=True, slots=True)
class DimensionAgreement:
    """How far two raters agree on one dimension before they talk about it."""

    dimension: str
    plain: Figure
    """Cohen's kappa; `n` counts the outputs that both rated."""
    quadratic: Figure


@dataclass(frozen=True, slots=True)
class ModelScores:
    """One row of Table 5: mean scores, 1 to 3, with intervals from drawing whole outputs."""

    model: str
    alignment: Figure
    sufficiency: Figure
    specificity: Figure
    mean: Figure


@dataclass(frozen=True, slots=True)
class Cell:
    """Outputs that are right or wrong, with evidence that is good or not."""

    is_right: bool
    is_high: bool
    share: Figure
    """Out of all rated outputs."""
    output_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FourCells:
    """Accuracy by quality of evidence."""

    right_high: Cell
    right_low: Cell
    """Right for the wrong reasons."""
    wrong_high: Cell
    """Reasonable mistakes."""
    wrong_low: Cell


def rater_agreement(
    one: Sequence[Rating], other: Sequence[Rating]
) -> tuple[DimensionAgreement, ...]:
    """Compare two raters, dimension by dimension, over the outputs that both rated.

    Args:
        one: The first rater's ratings, before discussion.
        other: The second rater's.

    Raises:
        ValueError: A rater rated an output twice.
    """
    first, second = _by_output(one), _by_output(other)
    shared = sorted(first.keys() & second.keys())
    found = []
    for place, dimension in enumerate(DIMENSIONS):
        a = [first[output].scores[place] for output in shared]
        b = [second[output].scores[place] for output in shared]
        plain = kappa_with_interval(a, b, "plain", SCALE)
        quadratic = kappa_with_interval(a, b, "quadratic", SCALE)
        found.append(DimensionAgreement(dimension, plain, quadratic))
    return tuple(found)


def mean_scores(outputs: Sequence[Output], ratings: Sequence[Rating]) -> tuple[ModelScores, ...]:
    """Give Table 5: each model's mean scores, the models in the order of `outputs`.

    Args:
        outputs: The outputs that were drawn.
        ratings: Their ratings: one each after reconciling, or one by each rater. Ratings of
            other outputs are left out.
    """
    by_output = _all_by_output(ratings)
    rows = []
    for model in dict.fromkeys(output.model for output in outputs):
        ids = dict.fromkeys(output.output_id for output in outputs if output.model == model)
        rated = [by_output[output_id] for output_id in ids if output_id in by_output]
        alignment, sufficiency, specificity = (
            _mean([[rating.scores[place] for rating in cells] for cells in rated])
            for place in range(3)
        )
        whole = _mean([[s for rating in cells for s in rating.scores] for cells in rated])
        rows.append(ModelScores(model, alignment, sufficiency, specificity, whole))
    return tuple(rows)


def four_cells(outputs: Sequence[Output], ratings: Sequence[Rating]) -> FourCells:
    """Sort the rated outputs by right or wrong and by quality of evidence.

    Args:
        outputs: The outputs that were drawn; those without a rating are left out.
        ratings: Their ratings, as for `mean_scores`.
    """
    by_output = _all_by_output(ratings)
    rated = [output for output in outputs if output.output_id in by_output]

    def cell(is_right: bool, is_high: bool) -> Cell:
        inside = tuple(
            output.output_id
            for output in rated
            if output.is_right == is_right and has_high_eqs(by_output[output.output_id]) == is_high
        )
        share = figure_of(Proportion(len(inside), len(rated)), NOTHING_RATED)
        return Cell(is_right, is_high, share, inside)

    return FourCells(cell(True, True), cell(True, False), cell(False, True), cell(False, False))


def has_high_eqs(ratings: Sequence[Rating]) -> bool:
    """Say whether an output's mean score is 2.5 or more, counted in whole numbers.

    Raises:
        ValueError: There is no rating.
    """
    if not ratings:
        raise ValueError("an output without a rating has no score")
    scores = [score for rating in ratings for score in rating.scores]
    return 2 * sum(scores) >= 5 * len(scores)


def _mean(cells: Sequence[Sequence[int]]) -> Figure:
    if not cells:
        return undefined(NOTHING_RATED)
    mean = fmean(score for scores in cells for score in scores)
    return Figure(mean, len(cells), bootstrap_mean(cells))


def _by_output(ratings: Sequence[Rating]) -> dict[str, Rating]:
    for output_id, given in _all_by_output(ratings).items():
        if len(given) > 1:
            raise ValueError(f"output {output_id} was rated twice by one rater")
    return {rating.output_id: rating for rating in ratings}


def _all_by_output(ratings: Sequence[Rating]) -> Mapping[str, list[Rating]]:
    found: dict[str, list[Rating]] = {}
    for rating in ratings:
        found.setdefault(rating.output_id, []).append(rating)
    return found
