"""The figures of rated evidence as they are printed: in the window, on the page, in files alike."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from app.benchmark.eqs import EqsResults
from app.benchmark.eqs_progress import EqsProgress
from app.benchmark.eqs_records import DrawnOutput
from app.benchmark.eqs_rubric import RUBRIC
from app.benchmark.words import Table, show_interval
from app.coding.people_names import how_far_words
from app.scoring.eqs import Cell
from app.scoring.figures import Figure
from app.scoring.rounding import UNDEFINED, printed

USUAL_MODELS = 2
"""Models that the paper rates."""
HIGH_TOLD = "Evidence counts as good from a mean of 2.5 of 3 upwards."


def eqs_tables(results: EqsResults) -> tuple[Table, ...]:
    """Give the tables of a draw: agreement, Table 5, the four cells."""
    return agreement_words(results), scores_words(results), cells_words(results)


def agreement_words(results: EqsResults) -> Table:
    """Write Cohen's kappa of the two raters, before they talked."""
    rows = []
    for dimension, found in zip(RUBRIC, results.agreement, strict=bool(results.agreement)):
        rows.append(
            (
                dimension.title,
                *_figure(found.plain),
                *_figure(found.quadratic),
                str(found.plain.n),
            )
        )
    heads = ("Dimension", "Kappa", "95%", "Quadratic", "95%", "n")
    notes = [
        "Cohen’s kappa over the outputs that both rated, before discussion. Quadratic: a 1 against "
        "a 3 weighs four times a 1 against a 2."
    ]
    notes += sorted({_reason(f.plain) for f in results.agreement if f.plain.value is None})
    title = "How far the raters agreed before they talked"
    return Table("eqs_agreement", title, heads, tuple(rows), tuple(notes))


def scores_words(results: EqsResults) -> Table:
    """Write Table 5: each model's mean scores."""
    rows = tuple(
        (
            row.model,
            *(
                f"{_number(f)} {show_interval(f.interval, 1, 2)}".strip()
                for f in (row.alignment, row.sufficiency, row.specificity, row.mean)
            ),
            str(row.mean.n),
        )
        for row in results.models
    )
    heads = ("Model", *(one.title for one in RUBRIC), "Mean", "Rated")
    return Table(
        "eqs_table5", "Evidence quality, 1 to 3 (Table 5)", heads, rows, (_counted(results),)
    )


def cells_words(results: EqsResults) -> Table:
    """Write right and wrong codes by good and poor evidence."""
    cells = results.cells
    rows = (
        ("Right", _cell(cells.right_high), _cell(cells.right_low)),
        ("Wrong", _cell(cells.wrong_high), _cell(cells.wrong_low)),
    )
    heads = ("Code", "Good evidence", "Poor evidence")
    notes = (
        f"{HIGH_TOLD} Right codes on poor evidence are right for the wrong reasons; wrong codes on "
        "good evidence are reasonable mistakes. The draw takes as many right as wrong outputs, so "
        "that these shares are of the draw and not of all answers.",
    )
    return Table("eqs_cells", "Right and wrong by quality of evidence", heads, rows, notes)


def about_eqs(results: EqsResults) -> tuple[str, ...]:
    """Say in sentences what the figures rest on, and what speaks against them."""
    opened = results.opened
    draw = results.draw
    told = [
        f"{_count(len(draw.outputs), 'output')} of {_count(len(draw.settings.coders), 'model')}, "
        f"drawn with the seed {draw.settings.seed}: of each model {draw.settings.per_cell} right "
        "and as many wrong ones were asked for, spread over the practices."
    ]
    if len(draw.settings.coders) != USUAL_MODELS:
        told.append(models_words(len(draw.settings.coders)))
    told += [f"Short: {shortage}." for shortage in draw.settings.shortages]
    told.append(raters_words(results.raters))
    told += coders_of_truth_words(results.raters, results.coded_by)
    if opened is not None and opened.left:
        told.append(
            f"{opened.by or 'Somebody'} looked at the models’ names while "
            f"{_count(opened.left, 'output')} on which the raters differed had not been agreed on; "
            "what was agreed after that was not agreed blind."
        )
    return tuple(told)


def models_words(count: int) -> str:
    """Say how a draw departs from the paper's two models; empty where it does not."""
    if count == USUAL_MODELS:
        return ""
    return f"The paper rates two models; here there {'is' if count == 1 else 'are'} {count}."


def left_words(progress: EqsProgress) -> str:
    """Say who has rated how much."""
    rated = {name: len(progress.own[name]) for name in progress.raters}
    return how_far_words(rated, len(progress.draw.outputs), "rated")


def raters_words(raters: tuple[str, ...]) -> str:
    """Say who rates."""
    if not raters:
        return "Nobody has rated yet."
    if len(raters) == 1:
        return f"{raters[0]} has begun; a second, different person is needed."
    return f"Rated by {raters[0]} and {raters[1]}, each alone, without the models’ names."


def coders_of_truth_words(raters: tuple[str, ...], coded_by: Mapping[str, int]) -> tuple[str, ...]:
    """Say which raters have coded the drawn clips, as far as this library can know."""
    told = [
        f"{name} has also coded {coded_by[name]} of the drawn clips in this library, and so may "
        "know what is right."
        for name in raters
        if coded_by.get(name)
    ]
    return (*told, "Whether a rater made the set’s own codes, its table does not say.")


def output_words(results: EqsResults, output: DrawnOutput) -> str:
    """Write one output of a list: where, what was said, what people accept, how it was rated."""
    scores = [one.scores for one in results.counting(output.prediction_id)]
    accepted = " or ".join(code.practice for code in output.codes)
    rated = "; ".join("·".join(map(str, each)) for each in scores)
    return (
        f"{output.clip.clip_id}: {output.coder} says {output.said.practice}, people accept "
        f"{accepted}; evidence {mean_words(scores)} ({rated})"
    )


def mean_words(scores: list[tuple[int, int, int]]) -> str:
    """Write the mean score of an output, e.g. `2.67`."""
    flat = [score for each in scores for score in each]
    return printed(Fraction(sum(flat), len(flat)), 2) if flat else UNDEFINED


def _counted(results: EqsResults) -> str:
    both = results.rated - results.agreed
    return (
        f"Rated by both: {results.rated} of {len(results.draw.outputs)} outputs. {results.agreed} "
        f"count as agreed after discussion, {both} with both people’s own scores. Intervals: draws "
        "of whole outputs."
    )


def _cell(cell: Cell) -> str:
    if cell.share.value is None:
        return UNDEFINED
    interval = show_interval(cell.share.interval, 100)
    count = len(cell.output_ids)
    return f"{count}/{cell.share.n} = {printed(cell.share.value * 100)}% {interval}"


def _figure(figure: Figure) -> tuple[str, str]:
    return _number(figure), show_interval(figure.interval, 1, 2) or UNDEFINED


def _number(figure: Figure) -> str:
    return printed(figure.value, 2)


def _reason(figure: Figure) -> str:
    return f"–: {figure.reason}."


def _count(number: int, thing: str, things: str = "") -> str:
    return f"{number} {thing if number == 1 else things or thing + 's'}"
