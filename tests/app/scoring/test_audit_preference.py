from app.scoring.audit_means import stands_out
from app.scoring.audit_preference import BothScored, self_preference


def scored(judge, other, items=10, draws=1):
    return [
        BothScored(f"i{item}", judge(item), other(item))
        for item in range(items)
        for _ in range(draws)
    ]


def test_a_judge_that_favours_its_family_stands_out_by_how_much():
    tutor = scored(lambda i: 8.0, lambda i: 6.0 + i % 2, draws=3)
    ours = scored(lambda i: 5.0, lambda i: 5.0, draws=2)
    found = self_preference(tutor, ours)
    assert (found.preference.value, found.tutor_gap.value, found.our_gap.value) == (1.5, 1.5, 0.0)
    assert (found.preference.n, found.left_out) == (10, 0)
    assert stands_out(found.preference)


def test_a_judge_that_is_simply_milder_does_not():
    found = self_preference(
        scored(lambda i: 8.0, lambda i: 6.0), scored(lambda i: 5.0, lambda i: 3.0)
    )
    assert (found.tutor_gap.value, found.our_gap.value, found.preference.value) == (2.0, 2.0, 0.0)
    assert not stands_out(found.preference)


def test_items_that_lack_one_or_the_other_are_left_out_and_counted():
    tutor = [BothScored("a", 8.0, 7.0), BothScored("b", 8.0, None), BothScored("c", 8.0, 6.0)]
    ours = [BothScored("a", 5.0, 5.0), BothScored("b", 5.0, 5.0), BothScored("d", 5.0, 5.0)]
    found = self_preference(tutor, ours)
    assert (found.preference.value, found.preference.n, found.left_out) == (1.0, 1, 3)
    nothing = self_preference([], ours)
    assert nothing.preference.value is None
    assert "both judges scored" in nothing.preference.reason
