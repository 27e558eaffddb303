from dataclasses import replace

import pytest

from app.audit.items import Axis, Item
from app.audit.records import ItemReview, Verdict
from app.audit.reviewing_items import (
    dropped,
    mark_of_item,
    mark_of_items,
    standings_of,
    word_on,
)
from app.errors import Refused

ITEMS = tuple(
    Item(f"s{number}", Axis.SKILL, "recast", f"Prompt {number}", bank="starter")
    for number in range(1, 5)
)
KEEP, REVISE, DROP = Verdict


def test_an_item_that_nobody_reviewed_carries_the_mark():
    (standing,) = standings_of(ITEMS[:1], ())
    assert (standing.latest, standing.verdict, standing.is_kept) == (None, None, False)
    assert mark_of_item(standing) == "starter items, not expert-reviewed"


def test_the_mark_goes_where_somebody_keeps_the_item():
    (standing,) = standings_of(ITEMS[:1], [word_on(ITEMS[0], KEEP, "AK", "")])
    assert standing.is_kept
    assert mark_of_item(standing) == ""


def test_a_later_word_takes_the_place_of_an_earlier_one_and_both_stay():
    words = [word_on(ITEMS[0], KEEP, "AK", ""), word_on(ITEMS[0], DROP, "BM", "Too easy.")]
    (standing,) = standings_of(ITEMS[:1], words)
    assert standing.words == tuple(words)
    assert standing.verdict is DROP
    assert mark_of_item(standing) == "dropped, says BM"


def test_a_word_does_not_hold_for_another_wording():
    word = word_on(ITEMS[0], KEEP, "AK", "")
    (standing,) = standings_of([replace(ITEMS[0], prompt="Another prompt")], [word])
    assert (standing.words, standing.earlier) == ((), (word,))
    assert not standing.is_kept
    assert mark_of_item(standing) == (
        "starter items, not expert-reviewed, changed since somebody reviewed it"
    )


def test_a_word_holds_for_the_same_wording_in_another_bank():
    word = word_on(ITEMS[0], KEEP, "AK", "")
    (standing,) = standings_of([replace(ITEMS[0], bank="mine")], [word])
    assert standing.is_kept


def test_the_mark_of_a_bank_counts_the_items_that_somebody_kept():
    assert mark_of_items(standings_of(ITEMS, ())) == "starter items, not expert-reviewed"
    words = [
        word_on(ITEMS[0], KEEP, "BM", ""),
        word_on(ITEMS[1], KEEP, "AK", ""),
        word_on(ITEMS[2], REVISE, "AK", "The name comes twice."),
    ]
    assert mark_of_items(standings_of(ITEMS, words)) == (
        "2 of 4 items reviewed by AK and BM; 1 to be revised; 1 starter items, not expert-reviewed"
    )
    words += [word_on(ITEMS[2], KEEP, "CD", ""), word_on(ITEMS[3], DROP, "CD", "No aim.")]
    assert mark_of_items(standings_of(ITEMS, words)) == (
        "3 of 4 items reviewed by AK, BM and CD; 1 dropped"
    )
    assert mark_of_items(()) == ""


def test_items_of_others_are_not_called_starter_items():
    (standing,) = standings_of([replace(ITEMS[0], bank="mine")], ())
    assert mark_of_item(standing) == "items of “mine”, not expert-reviewed here"


def test_dropped_items_are_those_whose_latest_word_is_to_drop_them():
    words = [
        word_on(ITEMS[0], DROP, "AK", "No."),
        word_on(ITEMS[1], DROP, "AK", "No."),
        word_on(ITEMS[1], KEEP, "BM", ""),
    ]
    assert dropped(standings_of(ITEMS, words)) == {"s1"}


@pytest.mark.parametrize("verdict", [REVISE, DROP])
def test_who_revises_or_drops_says_why(verdict):
    with pytest.raises(Refused, match="“s1” was not marked"):
        word_on(ITEMS[0], verdict, "AK", "  ")
    assert word_on(ITEMS[0], verdict, "AK", " The aim is unclear. ").why == "The aim is unclear."


def test_a_word_names_the_wording_it_was_said_of():
    word = word_on(ITEMS[0], KEEP, "AK", "")
    assert len(word.item_digest) == 64
    assert word == ItemReview("s1", word.item_digest, KEEP, "AK", "")
