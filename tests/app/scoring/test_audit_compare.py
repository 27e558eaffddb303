import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.audit.items import Strategy
from app.scoring.audit_compare import (
    compare_knowledge,
    compare_versions,
    knowledge_change,
    skill_change,
)
from app.scoring.audit_means import stands_out
from app.scoring.audit_scores import WAITING, KnowledgeAnswer, ScoredResponse


def cells(item, scores, group="deception", draws=2):
    """`scores`: (pressure, monitored) to the score of every draw."""
    return [
        ScoredResponse(
            item, group, "omission", p, m, draw, score, "" if score is not None else WAITING
        )
        for (p, m), score in scores.items()
        for draw in range(draws)
    ]


def grid(no=9.0, pressed=9.0, unwatched=None):
    unwatched = pressed if unwatched is None else unwatched
    return {
        (False, True): no,
        (False, False): no,
        (True, True): pressed,
        (True, False): unwatched,
    }


def test_a_version_that_gives_way_unwatched_is_worse_there_and_the_item_names_the_cell():
    earlier = [r for k in range(8) for r in cells(f"i{k}", grid())]
    later = [r for k in range(8) for r in cells(f"i{k}", grid(unwatched=3.0))]
    found = compare_versions(earlier, later)
    by_look = {(c.pressure, c.monitored): c for c in found.changes}
    assert len(by_look) == len(found.changes) == 9
    assert by_look[True, False].share.value == -1.0
    assert by_look[True, False].score.value == -6.0
    assert (by_look[True, False].earlier.value, by_look[True, False].later.value) == (1.0, 0.0)
    assert by_look[True, None].share.value == -0.5
    assert by_look[None, None].share.value == -0.25
    assert by_look[False, None].share.value == 0.0
    assert stands_out(by_look[True, False].share)
    assert len(found.worse) == 8
    assert (found.worse[0].pressure, found.worse[0].monitored) == (True, False)
    assert (found.worse[0].share, found.worse[0].score) == (-0.25, -1.5)


def test_what_got_worse_first_stands_first_and_what_got_better_apart():
    one = cells("a", {(True, None): 9.0}) + cells("b", {(True, None): 9.0})
    one += cells("c", {(True, None): 3.0}) + cells("d", {(True, None): 8.0})
    one += cells("e", {(True, None): 5.0})
    other = cells("a", {(True, None): 8.0}) + cells("b", {(True, None): 2.0})
    other += cells("c", {(True, None): 7.0}) + cells("d", {(True, None): 8.0})
    other += cells("e", {(True, None): 2.0})
    found = compare_versions(one, other)
    assert [item.item_id for item in found.items] == ["b", "e", "a", "d", "c"]
    assert [item.item_id for item in found.worse] == ["b", "e", "a"]
    assert [item.item_id for item in found.better] == ["c"]


def test_items_of_one_version_alone_or_not_whole_are_counted_beside():
    one = cells("a", grid()) + cells("only earlier", grid()) + cells("lame", grid())
    other = cells("a", grid()) + cells("only later", grid())
    other += cells("lame", {**grid(), (True, False): None})
    found = compare_versions(one, other)
    assert [item.item_id for item in found.items] == ["a"]
    assert (found.only_earlier, found.only_later) == (2, 1)
    by_look = {(c.pressure, c.monitored): c for c in found.changes}
    assert by_look[None, None].left_out == 3
    assert (by_look[False, None].left_out, by_look[False, None].share.n) == (2, 2)


def test_families_are_compared_apart():
    one = cells("a", {(True, None): 9.0}, "evidence") + cells("b", {(True, None): 3.0}, "respect")
    other = cells("a", {(True, None): 3.0}, "evidence") + cells("b", {(True, None): 9.0}, "respect")
    found = compare_versions(one, other)
    shares = {(c.group, c.pressure): c.share.value for c in found.changes}
    assert shares == {
        ("evidence", None): -1.0,
        ("evidence", True): -1.0,
        ("respect", None): 1.0,
        ("respect", True): 1.0,
    }


def test_skill_changes_by_the_mean_over_the_eight_strategies():
    def version(recast):
        return [
            r
            for strategy in Strategy
            for k in range(5)
            for r in cells(
                f"{strategy}{k}",
                {(None, None): recast if strategy == "recast" else 6.0},
                str(strategy),
                draws=1,
            )
        ]

    found = compare_versions(version(9.0), version(5.0))
    assert skill_change(found).value == pytest.approx(-4 / 8)
    assert [item.group for item in found.worse] == ["recast"] * 5
    assert "mapping" in skill_change(compare_versions([], [])).reason


def answers(item, letters, category="education"):
    return [
        KnowledgeAnswer(item, category, "", "A", d, letter.strip("-"), "refusal" * (letter == "-"))
        for d, letter in enumerate(letters)
    ]


def test_knowledge_changes_by_category_and_item():
    one, other = [], []
    for category in ("education", "psychology", "medicine", "emt"):
        for k in range(3):
            one += answers(f"{category}{k}", "AAA", category)
            other += answers(f"{category}{k}", "AAB" if category == "emt" else "AAA", category)
    one += answers("gone", "AAA")
    other += answers("gone", "---") + answers("new", "AAA")
    found = compare_knowledge(one, other)
    by_name = {change.group: change for change in found.changes}
    assert by_name["emt"].share.value == pytest.approx(-1 / 3)
    assert (by_name["education"].share.value, by_name["education"].left_out) == (0.0, 2)
    assert "no score" in by_name["emt"].score.reason
    assert (found.only_earlier, found.only_later) == (1, 1)
    assert [item.item_id for item in found.worse] == ["emt0", "emt1", "emt2"]
    assert knowledge_change(found).value == pytest.approx(-1 / 12)


versions = st.lists(
    st.tuples(st.sampled_from([2.0, 5.0, 8.0]), st.sampled_from([2.0, 5.0, 8.0])),
    min_size=1,
    max_size=7,
)


@settings(max_examples=15, deadline=None)
@given(versions, st.randoms())
def test_a_change_turns_round_with_the_versions_and_order_does_not_matter(scores, chance):
    one = [r for k, (a, _) in enumerate(scores) for r in cells(f"i{k}", {(True, None): a})]
    other = [r for k, (_, b) in enumerate(scores) for r in cells(f"i{k}", {(True, None): b})]
    there, back = compare_versions(one, other), compare_versions(other, one)
    for forth, turned in zip(there.changes, back.changes, strict=True):
        assert forth.share.value == pytest.approx(-turned.share.value)
        assert forth.score.value == pytest.approx(-turned.score.value)
    assert len(there.worse) == len(back.better)
    shuffled = list(other)
    chance.shuffle(shuffled)
    assert compare_versions(one, shuffled) == there
