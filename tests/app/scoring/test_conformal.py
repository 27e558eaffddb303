import numpy as np
import pytest

from app.scoring.conformal import Decided, prediction_set, set_limit, sets_left_out

FOUR = ("BI", "D1", "D2", "D3")


def decided(score, practice="D1"):
    return Decided((("D1", score), ("D3", 1 - score)), practice)


def test_the_limit_is_the_finite_sample_quantile():
    # 99 clips, 90%: ceil(100 * 0.9) = the 90th smallest distance of 0.01, 0.02, ... 0.99.
    limit = set_limit([decided(1 - n / 100) for n in range(1, 100)])
    assert limit.most == pytest.approx(0.90)
    assert (limit.n, limit.reason) == (99, "")


def test_the_rank_is_counted_in_exact_fractions():
    # In floating point 0.55 * 100 is a little over 55 and would be rounded up to the 56th.
    limit = set_limit([decided(1 - n / 100) for n in range(1, 100)], coverage=0.55)
    assert limit.most == pytest.approx(0.55)


def test_a_practice_at_the_limit_is_in_the_set_and_the_likeliest_comes_first():
    limit = set_limit([decided(0.3)] * 60)
    scores = (("BI", 0.1), ("D1", 0.3), ("D2", 0.2), ("D3", 0.4))
    found = prediction_set(limit, scores)
    assert (found.practices, found.coverage, found.n) == (("D3", "D1"), 0.9, 60)


def test_a_clip_unlike_all_before_has_an_empty_set():
    limit = set_limit([decided(0.95)] * 60)
    assert prediction_set(limit, [(p, 0.25) for p in FOUR]).practices == ()


def test_under_fifty_decisions_there_is_no_set():
    limit = set_limit([decided(0.9)] * 49)
    found = prediction_set(limit, (("D1", 0.9),))
    assert (limit.most, found.practices) == (None, None)
    assert found.reason == "49 decided clips are too few: at least 50 are needed"
    assert set_limit([decided(0.9)] * 50).most is not None


def test_a_coverage_that_so_few_clips_cannot_promise_is_refused():
    limit = set_limit([decided(0.9)] * 50, coverage=0.99)
    assert limit.most is None
    assert limit.reason == "50 decided clips cannot promise a coverage of 99%"
    assert set_limit([decided(0.9)] * 99, coverage=0.99).most is not None
    assert "coverage of 99.5%" in set_limit([decided(0.9)] * 99, coverage=0.995).reason


def test_clips_decided_to_show_none_count_against_the_coverage():
    few = [decided(0.9)] * 95 + [decided(0.9, "")] * 5
    many = [decided(0.9)] * 80 + [decided(0.9, "")] * 20
    assert set_limit(few).most == pytest.approx(0.1)
    assert set_limit(many).most is None
    assert "none of the practices" in set_limit(many).reason


def test_a_clip_without_scores_has_no_set():
    found = prediction_set(set_limit([decided(0.9)] * 60), ())
    assert found.practices is None
    assert "no scores" in found.reason


@pytest.mark.parametrize("coverage", [0, 1, 90])
def test_a_coverage_is_a_share(coverage):
    with pytest.raises(ValueError, match="between 0 and 1"):
        set_limit([decided(0.9)] * 60, coverage)


@pytest.mark.parametrize(("n", "coverage"), [(50, 0.9), (79, 0.8)])
def test_the_stated_coverage_holds_for_a_coder_that_is_overconfident(n, coverage):
    # Scores are a sharpened guess at the truth; the coverage must hold all the same. Over many
    # draws it is exactly ceil((n + 1) * coverage) / (n + 1) where scores have no ties:
    # 46/51 = 0.902 and 64/80 = 0.800.
    chance = np.random.default_rng(5)
    hits, sizes = [], []
    for _ in range(400):
        truth = chance.integers(0, 4, n + 25)
        logits = chance.normal(size=(n + 25, 4))
        logits[np.arange(n + 25), truth] += 1.2
        weights = np.exp(3 * logits)
        scores = weights / weights.sum(axis=1, keepdims=True)
        clips = [
            Decided(tuple(zip(FOUR, row.tolist(), strict=True)), FOUR[t])
            for row, t in zip(scores, truth, strict=True)
        ]
        limit = set_limit(clips[:n], coverage)
        for clip in clips[n:]:
            found = prediction_set(limit, clip.scores)
            hits.append(clip.practice in found.practices)
            sizes.append(len(found.practices))
    exact = np.ceil((n + 1) * coverage) / (n + 1)
    assert np.mean(hits) == pytest.approx(exact, abs=0.012)
    assert np.mean(sizes) < 4


def test_each_left_out_set_is_what_the_others_alone_would_give():
    chance = np.random.default_rng(5)
    clips = [
        Decided(tuple(zip(FOUR, map(float, chance.dirichlet(np.ones(4))), strict=True)), chosen)
        for chosen in chance.choice([*FOUR, ""], 80, p=[0.3, 0.3, 0.2, 0.17, 0.03])
    ]
    found = sets_left_out(clips)
    for place, clip in enumerate(clips):
        alone = set_limit(clips[:place] + clips[place + 1 :])
        assert found[place] == prediction_set(alone, clip.scores)


def test_left_out_sets_say_why_there_are_none():
    assert {one.reason for one in sets_left_out([decided(0.9)] * 49)} == {
        "49 decided clips are too few: at least 50 are needed"
    }
    nearly = sets_left_out([decided(0.9)] * 99, coverage=0.99)
    assert {one.reason for one in nearly} == {"98 decided clips cannot promise a coverage of 99%"}
    assert len(nearly) == 99
    assert sets_left_out([]) == []
