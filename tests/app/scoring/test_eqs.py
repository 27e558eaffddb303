import json
from fractions import Fraction
from pathlib import Path

import pytest

from app.scoring.eqs import Output, Rating, four_cells, has_high_eqs, mean_scores, rater_agreement
from app.scoring.intervals import wilson
from app.scoring.proportions import Proportion
from app.scoring.rounding import printed

TABLES = json.loads(
    (Path(__file__).parents[2] / "data" / "scoring" / "sciibi_tables.json").read_text("utf-8")
)
ROWS = TABLES["table5_eqs"]


def rate(output_id, *scores, rater="first"):
    return Rating(output_id, rater, *scores)


def spread(total, n):
    """Scores of 1 to 3 that add up to `total`, as even as can be."""
    each, more = divmod(total, n)
    return [each + (place < more) for place in range(n)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["model"])
def test_the_printed_mean_is_the_mean_of_the_printed_dimensions(row):
    three = [Fraction(str(row[d])) for d in ("alignment", "sufficiency", "specificity")]
    assert printed(sum(three) / 3, 2) == printed(row["mean"], 2)


@pytest.mark.parametrize(
    ("row", "n", "sums"),
    [(ROWS[0], 60, (152, 121, 159)), (ROWS[1], 58, (155, 156, 153))],
    ids=lambda told: told["model"] if isinstance(told, dict) else "",
)
def test_table_5_follows_from_scores_by_two_raters(row, n, sums):
    # 60 ratings are two raters on 30 outputs. The second row has no such counts with 30 (see
    # below); it follows from 58 ratings, two raters on 29.
    columns = [spread(total, n) for total in sums]
    outputs = [Output(f"o{place}", row["model"], "D1", True) for place in range(n // 2)]
    ratings = [
        Rating(f"o{place // 2}", str(place % 2), *scores)
        for place, scores in enumerate(zip(*columns, strict=True))
    ]
    (found,) = mean_scores(outputs, ratings)
    assert [
        printed(figure.value, 2)
        for figure in (found.alignment, found.sufficiency, found.specificity, found.mean)
    ] == [printed(row[d], 2) for d in ("alignment", "sufficiency", "specificity", "mean")]
    assert found.mean.n == n // 2
    assert found.mean.interval.low < found.mean.value < found.mean.interval.high


def test_a_printed_mean_of_the_second_model_cannot_come_from_30_outputs():
    # A limit of the paper's figures, not of ours: 2.69 lies between 161/60 and 162/60.
    wanted = printed(ROWS[1]["sufficiency"], 2)
    assert wanted not in {printed(Fraction(total, 60), 2) for total in range(60, 181)}
    assert wanted in {printed(Fraction(total, 58), 2) for total in range(58, 175)}


def test_kappa_is_given_for_each_dimension_plain_and_quadratic():
    one = [rate(f"o{n}", a, 2, 1) for n, a in enumerate((1, 1, 2, 2, 3, 3))]
    other = [
        rate(f"o{n}", a, 2, 1 + n % 2, rater="second") for n, a in enumerate((1, 1, 2, 3, 3, 3))
    ]
    alignment, sufficiency, specificity = rater_agreement(one, [*other, rate("alone", 1, 1, 1)])
    # The reference vectors: 0.75 plain and 0.8889 quadratic.
    assert alignment.dimension == "alignment"
    assert alignment.plain.value == pytest.approx(0.75, abs=5e-5)
    assert alignment.quadratic.value == pytest.approx(0.8889, abs=5e-5)
    assert alignment.plain.n == 6
    assert alignment.plain.interval.low < 0.75 < alignment.plain.interval.high
    assert "all ratings are the same" in sufficiency.plain.reason
    assert specificity.plain.value == pytest.approx(0.0)


def test_an_output_rated_twice_by_one_rater_is_a_mistake():
    with pytest.raises(ValueError, match="o1 was rated twice"):
        rater_agreement([rate("o1", 1, 1, 1), rate("o1", 2, 2, 2)], [])


def test_a_score_off_the_scale_is_a_mistake():
    with pytest.raises(ValueError, match="sufficiency of o1 is 4"):
        rate("o1", 1, 4, 2)


@pytest.mark.parametrize(
    ("ratings", "is_high"),
    [
        ([(3, 2, 2)], False),  # 7/3 = 2.33
        ([(3, 3, 2)], True),  # 8/3 = 2.67
        ([(3, 2, 2), (3, 3, 2)], True),  # 15/6 = 2.5 exactly
        ([(3, 2, 2), (3, 2, 2), (3, 3, 3)], True),  # 23/9 = 2.56
        ([(3, 2, 2), (3, 2, 2), (3, 3, 2)], False),  # 22/9 = 2.44
    ],
)
def test_two_and_a_half_and_more_is_high(ratings, is_high):
    assert has_high_eqs([rate("o", *scores) for scores in ratings]) is is_high


def test_an_unrated_output_is_neither_high_nor_low():
    with pytest.raises(ValueError, match="without a rating"):
        has_high_eqs([])


def test_four_cells_name_their_outputs_and_leave_out_the_unrated():
    outputs = [
        Output(name, "m", "D1", right)
        for name, right in [("a", True), ("b", True), ("c", False), ("d", False), ("e", True)]
    ]
    ratings = [rate("a", 3, 3, 3), rate("b", 1, 2, 2), rate("c", 3, 3, 2), rate("d", 1, 1, 1)]
    found = four_cells(outputs, [*ratings, rate("of another run", 3, 3, 3)])
    assert found.right_high.output_ids == ("a",)
    assert found.right_low.output_ids == ("b",)
    assert found.wrong_high.output_ids == ("c",)
    assert found.wrong_low.output_ids == ("d",)
    assert (found.right_low.share.value, found.right_low.share.n) == (0.25, 4)
    assert found.right_low.share.interval == wilson(Proportion(1, 4))


def test_nothing_rated_is_undefined():
    outputs = [Output("a", "m", "D1", True)]
    assert four_cells(outputs, []).right_high.share.reason == "nothing was rated"
    (row,) = mean_scores(outputs, [])
    assert (row.model, row.mean.value) == ("m", None)
