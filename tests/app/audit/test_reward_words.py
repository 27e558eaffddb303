"""What is said of a reward model in words: its figures with what they rest on, and why it fails."""

from __future__ import annotations

import pytest
from reward_planted import Planted, pairs_told_apart

from app.audit.reward_json import figures_from_json, figures_json
from app.audit.reward_model import train
from app.audit.reward_records import PairOrigin
from app.audit.reward_words import (
    READS_ON,
    edit_caution,
    figure_rows,
    group_rows,
    taught_by,
    verdict_words,
)


@pytest.fixture(scope="module")
def good():
    return train(pairs_told_apart(origin=PairOrigin.STARTER), Planted())


@pytest.fixture(scope="module")
def refused():
    return train(pairs_told_apart(longer=True), Planted(lambda text: 0.4 * len(text.split())))


def test_figures_stand_with_what_they_are_out_of(good):
    rows = {what: figure for what, figure, _ in figure_rows(good.figures)}
    assert rows["Pairs told apart"] == "100.0% [91.2, 100.0], 40 of 40 pairs"
    assert rows["Shift by the texts beside it"].startswith("0.000000")


def test_a_good_model_is_told_in_one_sentence(good):
    assert len(verdict_words(good)) == 1
    assert verdict_words(good)[0].startswith("It may put responses in order")


def test_a_refused_model_says_why_and_that_it_is_not_used(refused):
    first, *why, last = verdict_words(refused)
    assert (first, last) == ("Refused.", READS_ON)
    assert any("Four sentences without content behind a response" in one for one in why)
    assert any("Going by the number of words alone tells 100.0%" in one for one in why)


def test_starter_pairs_are_named_for_what_they_are(good):
    assert taught_by(good) == "Pairs: 40 starter, not expert-edited. Vectors: planted 1."


def test_strategies_go_by_their_titles(good):
    rows = group_rows(good.figures, {"mapping": "Mapping"})
    assert rows[0] == ("Mapping", "100.0% [72.2, 100.0], 10 of 10 pairs")


def test_figures_come_back_from_json_as_they_were(good, refused):
    for model in (good, refused):
        assert figures_from_json(figures_json(model.figures)) == model.figures


@pytest.mark.parametrize(("words", "side"), [(13, "longer"), (7, "shorter")])
def test_an_edit_that_changes_the_length_much_is_pointed_out(words, side):
    assert f"that {side} is better" in edit_caution("word " * 10, "other " * words)


def test_an_edit_of_like_length_needs_no_word():
    assert edit_caution("word " * 10, "other " * 12) == ""
