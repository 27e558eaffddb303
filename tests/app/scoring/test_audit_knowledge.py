import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.scoring.audit_knowledge import knowledge_scores, stale_keys
from app.scoring.audit_scores import KnowledgeAnswer

DATA = Path(__file__).parents[2] / "data" / "scoring"
FIGURES = json.loads((DATA / "specialedubench_figures.json").read_text(encoding="utf-8"))
CATEGORIES = ("education", "psychology", "medicine", "emt")


def answers(item, letters, category="education", key="A", disability=""):
    """One draw a letter; `-` stands for a failure, a space for an answer without a letter."""
    return [
        KnowledgeAnswer(
            item,
            category,
            disability,
            key,
            draw,
            "" if letter in "- " else letter,
            "truncated" if letter == "-" else "",
        )
        for draw, letter in enumerate(letters)
    ]


def test_an_item_counts_by_the_share_of_its_draws_and_categories_weigh_the_same():
    made = answers("e1", "AAA") + answers("e2", "AAB") + answers("e3", "BBB")
    made += answers("p1", "AAA", "psychology") + answers("m1", "BBB", "medicine")
    made += answers("t1", "AAA", "emt")
    found = knowledge_scores(made)
    assert [row.name for row in found.categories] == list(CATEGORIES)
    assert [row.share.value for row in found.categories] == pytest.approx([5 / 9, 1, 0, 1])
    assert found.macro.value == pytest.approx((5 / 9 + 1 + 0 + 1) / 4)
    assert (found.categories[0].share.n, found.categories[0].answers) == (3, 9)


def test_failures_leave_the_share_and_are_counted_and_an_unread_letter_is_wrong():
    found = knowledge_scores(answers("e1", "A-A") + answers("e2", "A A") + answers("e3", "---"))
    education = found.categories[0]
    assert education.share.value == pytest.approx((1 + 2 / 3) / 2)
    assert (education.share.n, education.answers, education.beside) == (2, 5, (("truncated", 4),))
    assert found.macro.value is None
    assert found.macro.reason == "no item here was answered: emt, medicine, psychology"


def test_disabilities_stand_by_their_number_of_items_and_those_without_last():
    made = answers("a", "A") + answers("b", "A") + answers("c", "A") + answers("d", "A")
    made += answers("e", "A", disability="vision")
    made += answers("f", "A", disability="autism") + answers("g", "B", disability="autism")
    found = knowledge_scores(made).disabilities
    assert [(row.name, row.share.n) for row in found] == [("autism", 2), ("vision", 1), ("", 4)]
    assert found[0].share.value == 0.5


def test_a_tutor_agrees_with_itself_by_items_and_by_pairs_of_draws():
    # Pairs alike: 3 of 3, 1 of 3, 0 of 3; the item with one answer says nothing.
    made = answers("a", "BBB") + answers("b", "AAB") + answers("c", "ABC") + answers("d", "A--")
    found = knowledge_scores(made)
    assert (found.always_the_same.value, found.always_the_same.n) == (pytest.approx(1 / 3), 3)
    assert found.pairs_the_same.value == pytest.approx((1 + 1 / 3 + 0) / 3)
    once = knowledge_scores(answers("a", "A"))
    assert "more than once" in once.always_the_same.reason


def test_keys_that_every_draw_of_every_tutor_contradicts_are_listed_and_still_wrong():
    known = FIGURES["knowledge"]
    suspects, converging = known["stale_key_suspects"], known["stale_converging"]
    tutors = {}
    for tutor in range(8):
        made = []
        for item in range(200):
            others = "BBB" if item < converging or tutor else "BCB"
            made += answers(f"k{item:03}", others if item < suspects else "BAB")
        tutors[f"tutor {tutor}"] = made
    found = stale_keys(tutors)
    assert (len(found.suspects), found.converging) == (94, 61)
    assert (found.tutors, found.looked_at, found.not_looked_at) == (8, 200, 0)
    assert found.suspects[0].choices == (("B", 24),)
    assert found.suspects[93].choices == (("B", 23), ("C", 1))
    assert (found.suspects[0].converges_on, found.suspects[93].converges_on) == ("B", "")
    assert knowledge_scores(tutors["tutor 1"]).categories[0].share.value == pytest.approx(
        (200 - 94) / 200 / 3
    )


def test_one_tutor_alone_makes_no_key_suspect():
    found = stale_keys({"only": answers("a", "BBB")})
    assert (found.suspects, found.looked_at, found.not_looked_at) == ((), 0, 1)


def test_an_item_that_a_tutor_failed_or_was_not_asked_is_not_looked_at():
    one = answers("a", "BBB") + answers("b", "BBB") + answers("c", "CCC")
    other = answers("a", "BB-") + answers("c", "C C")
    found = stale_keys({"one": one, "other": other})
    assert (found.looked_at, found.not_looked_at) == (1, 2)
    assert [s.item_id for s in found.suspects] == ["c"]
    assert found.suspects[0].converges_on == ""


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text("ABCD-", min_size=1, max_size=4), min_size=1, max_size=12), st.randoms())
def test_the_order_of_answers_changes_nothing(items, chance):
    made = [a for place, letters in enumerate(items) for a in answers(f"k{place}", letters)]
    shuffled = list(made)
    chance.shuffle(shuffled)
    found = knowledge_scores(made)
    assert knowledge_scores(shuffled) == found
    if found.always_the_same.value is not None:
        assert 0 <= found.always_the_same.value <= found.pairs_the_same.value <= 1
