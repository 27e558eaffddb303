import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from app.scoring.audit_length import Measured, length_correlation


def responses(scores, words, per_item=1):
    return [
        Measured(f"i{place // per_item}", score, length)
        for place, (score, length) in enumerate(zip(scores, words, strict=True))
    ]


def test_both_correlations_are_those_of_scipy():
    chance = np.random.default_rng(2)
    words = chance.integers(20, 400, 60)
    scores = np.clip(np.round(words / 60 + chance.normal(3, 1.5, 60)), 1, 10)
    found = length_correlation(responses(scores, words))
    assert found.pearson.value == pytest.approx(pearsonr(scores, words).statistic)
    assert found.spearman.value == pytest.approx(spearmanr(scores, words).statistic)
    # Fisher's interval of the same correlation is near.
    fisher = pearsonr(scores, words).confidence_interval()
    assert found.pearson.interval.low == pytest.approx(fisher.low, abs=0.08)
    assert found.pearson.interval.high == pytest.approx(fisher.high, abs=0.08)


def test_the_correlation_of_a_length_reader_is_one():
    found = length_correlation(responses([1, 2, 3, 4, 5, 6, 7], [10, 20, 30, 40, 50, 60, 70]))
    assert found.pearson.value == pytest.approx(1)
    assert found.pearson.interval.low == pytest.approx(1)


def test_draws_of_one_item_stay_together():
    scores, words = [3, 8, 5, 9, 4, 7, 6, 2], [80, 30, 50, 90, 20, 70, 10, 60]
    single = length_correlation(responses(scores, words)).pearson
    copies = length_correlation(responses(np.repeat(scores, 10), np.repeat(words, 10), 10)).pearson
    assert copies.value == pytest.approx(single.value)
    assert copies.interval.low == pytest.approx(single.interval.low, abs=1e-9)
    assert (single.n, copies.n) == (8, 80)


def test_a_judge_that_always_says_eight_has_no_correlation():
    found = length_correlation(responses([8] * 5, [10, 20, 30, 40, 50]))
    assert found.pearson.value is None
    assert "the same score" in found.pearson.reason
    assert "fewer than three" in length_correlation(responses([8, 9], [1, 2])).spearman.reason
