import numpy as np
import pytest

from app.audit.items import Strategy
from app.scoring.audit_means import macro_over_items
from app.scoring.audit_scores import ScoredResponse
from app.scoring.audit_skill import skill_scores


def response(strategy, place, score, draw=0):
    failed = "" if score is not None else "judge-fail"
    return ScoredResponse(f"{strategy}{place}", strategy, "", None, None, draw, score, failed)


def bank(score_of, items=5):
    return [
        response(str(strategy), place, float(score_of(number, place)))
        for number, strategy in enumerate(Strategy)
        for place in range(items)
    ]


def test_the_axis_is_the_mean_of_eight_strategies_and_branches_of_their_four():
    # Responsive interaction 8, 7, 6, 5; milieu teaching 4, 3, 2, 1.
    found = skill_scores(bank(lambda number, place: 8 - number))
    assert [row.score.value for row in found.strategies] == [8, 7, 6, 5, 4, 3, 2, 1]
    assert [row.branch for row in found.strategies] == ["RI"] * 4 + ["MT"] * 4
    assert found.macro.value == pytest.approx(4.5)
    assert [(name, f.value) for name, f in found.branches] == [("RI", 6.5), ("MT", 2.5)]
    assert found.macro_share.value == 0.25
    assert (found.macro.n, found.strategies[0].score.n) == (40, 5)


def test_strategies_weigh_the_same_however_many_items_they_have():
    made = bank(lambda number, place: 5.0)
    made += [response("recast", place, 9.0) for place in range(5, 105)]
    recast = (5 * 5 + 100 * 9) / 105
    assert skill_scores(made).macro.value == pytest.approx((7 * 5 + recast) / 8)


def test_items_weigh_the_same_however_often_they_were_drawn():
    made = [response("recast", 0, 9.0, draw) for draw in range(9)] + [response("recast", 1, 3.0)]
    row = skill_scores(made).strategies[3]
    assert (row.strategy, row.score.value, row.score.n, row.counts.scored) == ("recast", 6.0, 2, 10)


def test_without_one_of_the_eight_there_is_no_score_of_the_axis():
    made = [r for r in bank(lambda *_: 5.0) if r.group != "mapping"]
    made.append(response("mapping", 0, None))
    found = skill_scores(made)
    assert found.macro.value is None
    assert "no response to this strategy has been scored: mapping" in found.macro.reason
    assert dict(found.branches)["RI"].value is None
    assert dict(found.branches)["MT"].value == 5.0
    assert found.counts.beside == (("judge-fail", 1),)


def test_a_strategy_of_another_name_stands_behind_and_is_not_in_the_axis():
    found = skill_scores([*bank(lambda *_: 5.0), response("reading", 0, 10.0)])
    assert (found.strategies[8].strategy, found.strategies[8].branch) == ("reading", "")
    assert found.macro.value == 5.0


def test_the_interval_of_a_macro_mean_is_about_that_of_its_parts():
    chance = np.random.default_rng(5)
    groups = {name: chance.normal(6, 1, 25).tolist() for name in "abcdefgh"}
    found = macro_over_items(groups, "none", low=1, high=10)
    variances = [np.var(values) / 25 for values in groups.values()]
    by_hand = 2 * 1.96 * np.sqrt(sum(variances)) / 8
    assert found.interval.high - found.interval.low == pytest.approx(by_hand, rel=0.08)


def test_groups_of_two_items_give_a_mean_and_no_interval():
    found = macro_over_items({"a": [1.0, 0.0], "b": [1.0, 1.0]}, "none")
    assert (found.value, found.interval) == (0.75, None)
    alike = macro_over_items({"a": [1.0], "b": [1.0]}, "none")
    assert alike.interval.low == pytest.approx(2 / (2 + 3.8415), abs=1e-4)
