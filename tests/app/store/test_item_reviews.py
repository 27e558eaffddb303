import sqlite3
from contextlib import closing

import pytest

from app.audit.records import ItemReview, Verdict
from app.errors import Refused

DIGEST = "a" * 64


def test_words_on_items_come_back_in_their_order_with_their_time(library):
    library.item_reviews.add(ItemReview("s1", DIGEST, Verdict.REVISE, "AK", "Too long.\nSo long."))
    library.item_reviews.add(ItemReview("s1", DIGEST, Verdict.KEEP, "BM", "", "2026-11-30T12:00Z"))
    first, second = library.item_reviews.all()
    assert (first.verdict, first.reviewer, first.why) == (
        Verdict.REVISE,
        "AK",
        "Too long.\nSo long.",
    )
    assert first.made_at.endswith("Z")
    assert second == ItemReview("s1", DIGEST, Verdict.KEEP, "BM", "", "2026-11-30T12:00Z")


def test_who_reviews_becomes_known_and_is_known_by_any_letters(library):
    library.item_reviews.add(ItemReview("s1", DIGEST, Verdict.KEEP, "Ak", ""))
    library.item_reviews.add(ItemReview("s2", DIGEST, Verdict.KEEP, " aK ", ""))
    assert [word.reviewer for word in library.item_reviews.all()] == ["Ak", "Ak"]
    assert "Ak" in library.reviewers()


def test_a_word_without_a_name_is_refused(library):
    with pytest.raises(Refused, match="needs a name"):
        library.item_reviews.add(ItemReview("s1", DIGEST, Verdict.KEEP, " ", ""))
    assert library.item_reviews.all() == ()


def test_words_cannot_be_changed_even_by_another_program(library):
    library.item_reviews.add(ItemReview("s1", DIGEST, Verdict.KEEP, "AK", ""))
    with closing(sqlite3.connect(library.path)) as connection:
        for statement in ("UPDATE item_review SET verdict = 'drop'", "DELETE FROM item_review"):
            with pytest.raises(sqlite3.IntegrityError, match="only ever added to"):
                connection.execute(statement)
