import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.scoring.bradley_terry import bradley_terry
from app.scoring.reward import pair_loss

DATA = Path(__file__).parents[2] / "data" / "scoring"
VECTORS = json.loads((DATA / "reference_vectors.json").read_text(encoding="utf-8"))
KNOWN = VECTORS["bradley_terry"]


def strengths(found):
    return {player.name: player.strength for player in found.players}


def test_three_wins_to_one_are_log_three_apart():
    found = bradley_terry({("a", "b"): 3, ("b", "a"): 1})
    apart = strengths(found)["a"] - strengths(found)["b"]
    assert apart == pytest.approx(KNOWN["strength_difference_3_to_1"], abs=1e-6)
    assert found.chance("a", "b") == pytest.approx(0.75)
    assert [(p.name, p.win_rate.value, p.win_rate.n) for p in found.players] == [
        ("a", 0.75, 4),
        ("b", 0.25, 4),
    ]


def test_the_loss_of_a_margin_is_that_of_the_reference():
    assert pair_loss([0.0])[0] == pytest.approx(KNOWN["loss_at_margin_0"], abs=1e-6)
    assert pair_loss([2.0])[0] == pytest.approx(KNOWN["loss_at_margin_2"], abs=1e-6)


def test_one_that_never_lost_is_reported_as_separated_and_has_no_strength():
    assert "separated" in KNOWN["separated_10_to_0"]
    found = bradley_terry({("a", "b"): 10})
    assert found.reason == "separated: a never lost to the others"
    assert strengths(found) == {"a": None, "b": None}
    assert found.chance("a", "b") is None
    assert found.players[0].win_rate.value == 1.0


def test_two_that_beat_a_third_every_time_are_separated_from_it():
    found = bradley_terry({("a", "b"): 2, ("b", "a"): 1, ("a", "c"): 5, ("b", "c"): 5})
    assert found.reason == "separated: a, b never lost to the others"


def test_groups_that_never_met_have_no_common_scale():
    wins = {("a", "b"): 1, ("b", "a"): 1, ("c", "d"): 1, ("d", "c"): 1}
    assert "never compared with the others" in bradley_terry(wins).reason
    assert bradley_terry({}).reason == "nothing was compared"


def test_strengths_of_several_fit_the_wins_that_were_expected():
    true = {"a": 1.0, "b": 0.0, "c": -1.0}
    wins = {
        (one, other): round(10_000 / (1 + np.exp(true[other] - true[one])))
        for one in true
        for other in true
        if one != other
    }
    found = bradley_terry(wins)
    assert [player.name for player in found.players] == ["a", "b", "c"]
    assert strengths(found) == pytest.approx(true, abs=1e-3)


def test_a_comparison_is_of_two():
    with pytest.raises(ValueError, match="of two"):
        bradley_terry({("a", "a"): 1})
    with pytest.raises(ValueError, match="of two"):
        bradley_terry({("a", "b"): -1})


counts = st.integers(1, 9)


@settings(max_examples=30, deadline=None)
@given(st.tuples(*[counts] * 6))
def test_at_the_fit_each_has_the_wins_that_it_is_expected_to_have(given_wins):
    pairs = [(a, b) for a in "abc" for b in "abc" if a != b]
    wins = dict(zip(pairs, given_wins, strict=True))
    found = bradley_terry(wins)
    for name in "abc":
        won = sum(count for (a, _), count in wins.items() if a == name)
        expected = sum(
            (wins[name, other] + wins[other, name]) * found.chance(name, other)
            for other in "abc"
            if other != name
        )
        assert expected == pytest.approx(won, rel=1e-6)
    assert sum(strengths(found).values()) == pytest.approx(0, abs=1e-9)
