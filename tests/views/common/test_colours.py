import pytest

from views.common.colours import contrast, ink_on, luminance, mix


def test_black_on_white_has_the_largest_contrast():
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)


def test_a_known_grey_just_reaches_the_limit_for_text():
    # #767676 on white is the well-known lightest grey that passes 4.5:1 (4.54).
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)


def test_luminance_of_pure_green_is_its_weight():
    assert luminance("#00ff00") == pytest.approx(0.7152)


@pytest.mark.parametrize("fill", ["#2f6db5", "#d98a00", "#777777", "#7a7a7a", "#ff0000"])
def test_ink_reads_on_any_fill(fill):
    assert contrast(ink_on(fill), fill) >= 4.5


def test_mixing_goes_all_the_way():
    assert (mix("#000000", "#ffffff", 0), mix("#000000", "#ffffff", 1)) == ("#000000", "#ffffff")
    assert mix("#000000", "#64c832", 0.5) == "#326419"
