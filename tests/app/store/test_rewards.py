"""Pairs and reward models are kept, and only added to."""

from __future__ import annotations

import sqlite3

import numpy as np
import pytest

from app.audit.reward_records import Flaw, Pair, PairOrigin, Trained
from app.errors import Refused, StoreRefused
from app.scoring.reward_guards import HeldOut, guard
from app.store.library import Library


@pytest.fixture
def library(tmp_path):
    with Library.open(tmp_path / "t.clerestory") as opened:
        yield opened


def pair(number=1, **changed):
    told = {
        "item_id": f"ski-{number}",
        "strategy": "time_delay",
        "prompt": "A scene.",
        "chosen": "I wait.",
        "rejected": "I ask.",
        "flaw": Flaw.WAIT_INTERVAL_VIOLATED,
        "origin": PairOrigin.EDITED,
    }
    return Pair(**{**told, **changed})


def trained():
    held = [
        HeldOut(f"i{n}", "time_delay", "", 1.0 + n, 0.5, 10, 12, (0.1,), (0.2,)) for n in range(6)
    ]
    return Trained(
        guard(held, np.arange(6) % 5, 0.0),
        ((0.25, -1.5), (0.1, 0.0)),
        {"i1": 0, "i2": 1},
        (("vectors", "minilm"),),
    )


def test_a_pair_comes_back_as_it_was_with_who_made_it(library):
    assert library.rewards.add_pairs([pair()], " AK ") == 1
    (kept,) = library.rewards.pairs()
    assert (kept.chosen, kept.rejected, kept.flaw) == ("I wait.", "I ask.", pair().flaw)
    assert (kept.author, kept.origin, kept.pair_id) == ("AK", PairOrigin.EDITED, 1)
    assert kept.made_at.endswith("Z")


def test_the_same_words_are_kept_once(library):
    assert library.rewards.add_pairs([pair(), pair()], "AK") == 1
    assert library.rewards.add_pairs([pair(), pair(2)], "BM") == 1
    assert [one.author for one in library.rewards.pairs()] == ["AK", "BM"]


def test_who_edited_a_pair_stays_named_when_another_brings_it_in(library):
    brought = {"origin": PairOrigin.BROUGHT_IN}
    library.rewards.add_pairs(
        [pair(1, author="BM", **brought), pair(2, author="AK", **brought), pair(3, **brought)], "AK"
    )
    assert [one.author for one in library.rewards.pairs()] == ["BM, by way of AK", "AK", "AK"]


def test_what_is_withdrawn_no_longer_stands_and_is_still_there(library):
    library.rewards.add_pairs([pair(1), pair(2)], "AK")
    library.rewards.withdraw(1, "BM")
    assert [one.pair_id for one in library.rewards.pairs()] == [2]
    ((number, who, _when),) = library.rewards.withdrawn()
    assert (number, who) == (1, "BM")
    with pytest.raises(StoreRefused, match="pair number 1"):
        library.rewards.withdraw(1, "AK")


def test_a_withdrawn_pair_may_be_made_again(library):
    library.rewards.add_pairs([pair()], "AK")
    library.rewards.withdraw(1, "AK")
    assert library.rewards.add_pairs([pair()], "AK") == 1
    assert len(library.rewards.pairs()) == 1


def test_nobody_makes_a_pair_without_a_name(library):
    with pytest.raises(Refused, match="name"):
        library.rewards.add_pairs([pair()], " ")
    assert library.rewards.pairs() == ()


def test_a_kept_pair_cannot_be_rewritten(library):
    library.rewards.add_pairs([pair()], "AK")
    with (
        sqlite3.connect(library.path) as connection,
        pytest.raises(sqlite3.IntegrityError, match="only ever added"),
    ):
        connection.execute("UPDATE reward_pair SET chosen = 'x'")
    connection.close()


def test_the_model_that_was_trained_last_comes_back_whole(library):
    assert library.rewards.newest_model() is None
    library.rewards.add_model(trained())
    kept = library.rewards.add_model(trained())
    assert kept.model_id == 2
    assert library.rewards.newest_model() == kept
    assert kept.model == trained()
