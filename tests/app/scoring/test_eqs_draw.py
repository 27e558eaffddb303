from collections import Counter

import pytest

from app.scoring.eqs import Output
from app.scoring.eqs_draw import draw_outputs

FOUR = ("BI", "D1", "D2", "D3")


def outputs(model, **counts):
    """Outputs by practice: so many right, so many wrong."""
    return [
        Output(f"{model} {practice} {right} {n}", model, practice, right)
        for practice, (rights, wrongs) in counts.items()
        for right, many in ((True, rights), (False, wrongs))
        for n in range(many)
    ]


PLENTY = dict.fromkeys(FOUR, (20, 20))
BOTH = outputs("one", **PLENTY) + outputs("other", **PLENTY)


def test_sixty_outputs_of_two_models_are_balanced_by_right_and_wrong_and_by_practice():
    found = draw_outputs(BOTH, FOUR)
    assert len(found.outputs) == 60
    assert len({output.output_id for output in found.outputs}) == 60
    by_cell = Counter((o.model, o.is_right) for o in found.outputs)
    assert set(by_cell.values()) == {15}
    by_practice = Counter((o.model, o.is_right, o.practice) for o in found.outputs)
    assert sorted(by_practice.values()) == [3] * 4 + [4] * 12
    assert found.shortages == ()


def test_the_draw_hangs_on_the_seed_and_not_on_the_order_of_the_outputs():
    assert draw_outputs(BOTH, FOUR) == draw_outputs(BOTH[::-1], FOUR)
    assert draw_outputs(BOTH, FOUR, seed=1) != draw_outputs(BOTH, FOUR)


def test_models_and_right_and_wrong_stand_mixed():
    shown = [(o.model, o.is_right) for o in draw_outputs(BOTH, FOUR).outputs]
    assert shown != sorted(shown)
    assert len(set(shown[:15])) == 4


def test_what_one_practice_lacks_is_made_up_from_the_others_and_said():
    there = outputs("m", BI=(1, 20), D1=(20, 20), D2=(20, 20), D3=(20, 20))
    found = draw_outputs(there, FOUR, per_cell=12)
    right = Counter(o.practice for o in found.outputs if o.is_right)
    assert right == {"BI": 1, "D1": right["D1"], "D2": right["D2"], "D3": right["D3"]}
    assert sorted([right["D1"], right["D2"], right["D3"]]) == [3, 4, 4]
    (short,) = found.shortages
    assert (short.practice, short.wanted, short.there) == ("BI", 3, 1)
    assert str(short) == (
        "right outputs of m on BI: 1 of 3, made up from other practices as far as possible"
    )


def test_a_cell_that_is_too_small_is_drawn_whole_and_said():
    there = outputs("m", BI=(2, 20), D1=(2, 20), D2=(2, 20), D3=(2, 20))
    found = draw_outputs(there, FOUR)
    assert sum(o.is_right for o in found.outputs) == 8
    assert sum(not o.is_right for o in found.outputs) == 15
    assert "right outputs of m: 8 of 15" in [str(short) for short in found.shortages]


def test_every_practice_has_the_same_chance_of_the_smaller_part():
    short = Counter()
    for seed in range(400):
        drawn = draw_outputs(BOTH[:160], FOUR, seed=seed).outputs
        counts = Counter(o.practice for o in drawn if o.is_right)
        short[min(FOUR, key=lambda practice: counts[practice])] += 1
    assert all(70 <= short[practice] <= 130 for practice in FOUR)


def test_no_outputs_give_an_empty_draw():
    assert draw_outputs([], FOUR).outputs == ()


def test_outputs_of_the_same_name_or_an_unknown_practice_are_mistakes():
    with pytest.raises(ValueError, match="same name"):
        draw_outputs([*BOTH, BOTH[0]], FOUR)
    with pytest.raises(ValueError, match="unknown practices: X9"):
        draw_outputs([Output("a", "m", "X9", True)], FOUR)
