"""Rating models' evidence: draw outputs, hide what would sway a rater, count what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app.benchmark.condition_results import PRACTICES
from app.benchmark.eqs_records import (
    DrawnOutput,
    DrawSettings,
    EqsDraw,
    GivenRating,
    Opened,
    RatingCard,
)
from app.benchmark.records import CodedSet, Given
from app.errors import Refused
from app.scoring.eqs import (
    DimensionAgreement,
    FourCells,
    ModelScores,
    Output,
    four_cells,
    mean_scores,
    rater_agreement,
)
from app.scoring.eqs_draw import PER_CELL, Draw, draw_outputs
from app.scoring.intervals import SEED
from app.scoring.own_order import in_own_order
from app.scoring.scored import ANSWERED, Scored
from app.store.library import Library


@dataclass(frozen=True, slots=True)
class EqsResults:
    """What two people's ratings of a draw come to."""

    draw: EqsDraw
    raters: tuple[str, ...]
    agreement: tuple[DimensionAgreement, ...]
    """Before discussion; empty until two people rate."""
    models: tuple[ModelScores, ...]
    """Table 5."""
    cells: FourCells
    rated: int
    """Outputs that count: agreed on, or rated by both."""
    agreed: int
    """Outputs of these that were talked over; the others count with both people's own scores."""
    own: tuple[GivenRating, ...] = ()
    """The latest word of each rater on each output, before discussion."""
    consensus: tuple[GivenRating, ...] = ()
    """What they agreed on."""
    coded_by: Mapping[str, int] = field(default_factory=dict)
    """Drawn clips on which each person has decided in this library."""
    opened: Opened | None = None
    """When the models' names came into view; `None` while they have not."""

    @property
    def reasonable_mistakes(self) -> tuple[DrawnOutput, ...]:
        """Wrong codes on good evidence."""
        return self._outputs(self.cells.wrong_high.output_ids)

    @property
    def right_for_wrong_reasons(self) -> tuple[DrawnOutput, ...]:
        """Right codes on poor evidence."""
        return self._outputs(self.cells.right_low.output_ids)

    def counting(self, prediction_id: int) -> tuple[GivenRating, ...]:
        """Give the ratings that count of an output: what was agreed, else both people's own."""
        both = _counting(self.own, self.consensus)
        return tuple(one for one in both if one.prediction_id == prediction_id)

    def _outputs(self, output_ids: Sequence[str]) -> tuple[DrawnOutput, ...]:
        chosen = set(output_ids)
        return tuple(one for one in self.draw.outputs if str(one.prediction_id) in chosen)


def make_draw(
    library: Library,
    coded: CodedSet,
    coders: Sequence[str],
    *,
    title: str = "",
    per_cell: int = PER_CELL,
    seed: int = SEED,
) -> int:
    """Draw outputs of some coders for rating and keep the draw; gives its number.

    Raises:
        Refused: As `plan_draw`.
    """
    asked = tuple(dict.fromkeys(coders))
    given = library.said_of_set(coded.set_id, cited=False).given
    draw = plan_draw(coded, given, asked, per_cell=per_cell, seed=seed)
    settings = DrawSettings(coded.set_id, asked, per_cell, seed, tuple(map(str, draw.shortages)))
    drawn = [int(output.output_id) for output in draw.outputs]
    return library.ratings.add_draw(title or coded.name, settings, drawn)


def plan_draw(
    coded: CodedSet,
    given: Sequence[Given],
    coders: Sequence[str],
    *,
    per_cell: int = PER_CELL,
    seed: int = SEED,
) -> Draw:
    """Say what would be drawn, and what would be short; keeps nothing.

    Only answers with a code can be rated, on clips for which people accept one.

    Raises:
        Refused: No coder is named, or one has no answer that can be rated.
    """
    asked = tuple(dict.fromkeys(coders))
    if not asked:
        raise Refused("No model is chosen to rate.", "Choose two that have answered this set.")
    outputs = _rateable(coded, given, asked)
    if silent := [coder for coder in asked if not any(o.model == coder for o in outputs)]:
        raise Refused(
            f"{silent[0]} has no answer with a code on the clips of {coded.name}.",
            "Run it over this set first, or choose another.",
        )
    return draw_outputs(outputs, PRACTICES, per_cell=per_cell, seed=seed)


def rateable(coded: CodedSet, given: Sequence[Given]) -> dict[str, tuple[int, int]]:
    """Count by coder the right and the wrong answers that could be drawn, the best coder first."""
    coders = tuple(dict.fromkeys(one.coder for one in given))
    found: dict[str, tuple[int, int]] = {}
    for output in _rateable(coded, given, coders):
        right, wrong = found.get(output.model, (0, 0))
        found[output.model] = (right + output.is_right, wrong + (not output.is_right))
    return dict(sorted(found.items(), key=lambda one: -one[1][0] / sum(one[1])))


def cards_for(draw: EqsDraw, rater: str) -> tuple[RatingCard, ...]:
    """Give what a rater sees, in an order of that person's own that never changes."""
    cards = [output.card for output in draw.outputs]
    return tuple(in_own_order(cards, draw.draw_id, draw.settings.seed, rater))


def results_of_draw(library: Library, draw_id: int) -> EqsResults:
    """Count what the ratings of a draw come to.

    An output counts once two people rated it. What they agreed on stands in the place of their own
    scores; agreement between them is always from their own.

    Raises:
        StoreRefused: There is no such draw.
    """
    draw = library.ratings.draw(draw_id)
    own, agreed = library.ratings.own(draw_id), library.ratings.agreed(draw_id)
    raters = library.ratings.raters(draw_id)
    counting = _counting(own, agreed)
    outputs = [
        Output(str(one.prediction_id), one.coder, one.codes[0].practice, one.is_right)
        for one in draw.outputs
    ]
    ratings = [one.rating for one in counting]
    agreement: tuple[DimensionAgreement, ...] = ()
    if len(raters) > 1:
        first, second = ([one.rating for one in own if one.rater == name] for name in raters)
        agreement = rater_agreement(first, second)
    return EqsResults(
        draw,
        raters,
        agreement,
        mean_scores(outputs, ratings),
        four_cells(outputs, ratings),
        len({one.prediction_id for one in counting}),
        len(agreed),
        tuple(own),
        tuple(agreed),
        library.ratings.coded_by(draw_id),
        library.ratings.opened(draw_id),
    )


def _counting(own: Sequence[GivenRating], agreed: Sequence[GivenRating]) -> list[GivenRating]:
    settled = {one.prediction_id for one in agreed}
    times = [one.prediction_id for one in own]
    both = [
        one
        for one in own
        if one.prediction_id not in settled and times.count(one.prediction_id) > 1
    ]
    return [*agreed, *both]


def _rateable(coded: CodedSet, given: Sequence[Given], coders: Sequence[str]) -> list[Output]:
    clips = {clip.clip_id: clip for clip in coded.clips if clip.codes}
    return [
        Output(
            str(one.prediction_id),
            one.coder,
            clips[one.clip_id].codes[0].practice,
            Scored(one.clip_id, clips[one.clip_id].codes, one.code, one.status).is_right,
        )
        for one in given
        if one.coder in coders
        and one.code is not None
        and one.status in ANSWERED
        and one.clip_id in clips
    ]
