import pytest

from app.scoring.coders import alpha_of_coders, compare_coders, compare_levels, masi_of_coders
from app.scoring.scored import Code

FOUR = ("BI", "D1", "D2", "D3")


def codes(*practices):
    return tuple(Code(practice) for practice in practices)


ONE = {
    "a": codes("D1"),
    "b": codes("D1", "D3"),
    "c": codes("D3"),
    "d": codes("D3"),
    "mine alone": codes("BI"),
}
OTHER = {"a": codes("D1"), "b": codes("D1"), "c": codes("D1"), "d": codes("D3")}


def test_only_clips_that_both_coded_are_compared():
    found = compare_coders(ONE, OTHER, FOUR)
    assert (found.shared, found.only_one, found.only_other) == (4, 1, 0)
    # By main code D1 D1 D3 D3 against D1 D1 D1 D3: agreement 3/4, chance 1/2.
    assert found.percent.value == 0.75
    assert found.kappa.value == pytest.approx(0.5)


def test_a_code_in_common_is_enough_for_one_figure_and_not_for_the_other():
    found = compare_coders({"a": codes("D1", "D3")}, {"a": codes("D3", "BI")}, FOUR)
    assert (found.percent.value, found.in_common.value) == (0.0, 1.0)
    assert found.masi.value < 1


def test_sets_are_compared_by_masi_over_all_coders():
    found = compare_coders(ONE, OTHER, FOUR)
    assert found.masi == masi_of_coders([{c: ONE[c] for c in OTHER}, OTHER])
    # Distances inside clips: b 1 - 1/2 * 2/3 = 2/3, c 1. Values: D1 x4, D1+D3, D3 x3.
    observed = (2 / 3 + 1) * 2 / 8
    expected = 2 * (4 * 2 / 3 + 3 * 2 / 3 + 12 * 1) / 56
    assert found.masi.value == pytest.approx(1 - observed / expected)


def test_each_practice_is_held_against_the_rest():
    d1 = compare_coders(ONE, OTHER, FOUR).by_practice[1]
    assert (d1.practice, d1.both, d1.only_one, d1.only_other, d1.neither) == ("D1", 2, 0, 1, 1)
    # Agreement 3/4; chance (2 * 3 + 2 * 1) / 16.
    assert (d1.percent.value, d1.kappa.value) == (0.75, pytest.approx(0.5))


def test_a_practice_nobody_saw_is_undefined():
    d2 = compare_coders(ONE, OTHER, FOUR).by_practice[2]
    assert (d2.neither, d2.kappa.value) == (4, None)
    assert "all ratings are the same" in d2.kappa.reason


def test_none_of_the_practices_is_a_rating_of_its_own():
    one = {"a": (), "b": (), "c": codes("BI"), "d": codes("BI")}
    other = {"a": (), "b": codes("D2"), "c": codes("BI"), "d": codes("BI")}
    found = compare_coders(one, other, FOUR)
    assert found.percent.value == 0.75
    assert found.in_common.value == 0.75
    assert found.alpha == alpha_of_coders([one, other])


def test_levels_are_compared_only_under_the_same_practice():
    one = {
        "a": (Code("BI", 1),),
        "b": (Code("BI", 1),),
        "c": (Code("D1", 2),),
        "d": (Code("D1", 2),),
        "e": (Code("D3", 3),),
        "f": (Code("D3", 3),),
        "other practice": (Code("D2", 4),),
        "no level": (Code("D2"),),
        "none": (),
    }
    other = {
        **one,
        "d": (Code("D1", 3),),
        "other practice": (Code("D3", 4),),
        "none": (Code("BI", 1),),
    }
    found = compare_levels(one, other)
    # The reference vectors: 1 1 2 2 3 3 against 1 1 2 3 3 3.
    assert found.percent.value == pytest.approx(5 / 6)
    assert found.plain.value == pytest.approx(0.75, abs=5e-5)
    assert found.linear.value == pytest.approx(0.8235, abs=5e-5)
    assert found.quadratic.value == pytest.approx(0.8889, abs=5e-5)
    assert found.alpha.n == 6


def test_levels_keep_their_distance_when_one_between_them_is_missing():
    one = {name: (Code("D3", level),) for name, level in zip("abcd", (1, 1, 4, 4), strict=True)}
    other = {name: (Code("D3", level),) for name, level in zip("abcd", (1, 2, 4, 4), strict=True)}
    found = compare_levels(one, other)
    # Squares: 1 seen; by chance rows 1, 4 (2 each) against 1, 2, 4 (1, 1, 2):
    # 2*1*1 + 2*2*9 + 2*1*9 + 2*1*4 = 64 over 4 * 4, so 1 - (1/4) / (64/16).
    assert found.quadratic.value == pytest.approx(1 - (1 / 4) / (64 / 16))


def test_coders_without_a_clip_in_common_get_reasons_instead_of_figures():
    found = compare_coders({"a": codes("BI")}, {"b": codes("BI")}, FOUR)
    figures = [found.percent, found.kappa, found.alpha, found.ac1, found.in_common, found.masi]
    assert all(figure.value is None and figure.reason for figure in figures)
    assert found.levels.quadratic.reason == "there is no item that both rated"


def test_three_coders_with_gaps_share_one_alpha():
    third = {"a": codes("D1"), "d": codes("D3")}
    found = alpha_of_coders([ONE, OTHER, third])
    # Clips a and d have three ratings, b and c two; one pair differs.
    assert found.n == 4
    assert found.value == pytest.approx(1 - (2 / 10) / (2 * 6 * 4 / (10 * 9)))
