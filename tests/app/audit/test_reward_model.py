"""A reward model that reads the teaching may rank; one that reads length is exposed and refused."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest
from reward_planted import Planted, pairs_told_apart

from app.audit.reward_model import (
    PADDINGS,
    Compared,
    batch_shift,
    rewards,
    sentences_of,
    train,
    units_of,
    vectors_of,
    win_rates,
)
from app.audit.reward_records import PairOrigin
from app.errors import Cancelled, Refused
from app.scoring.reward_guards import Trip


def words_alone(text):
    """Stand for how much is said: what a length reader sees, and nothing of the teaching."""
    return 0.4 * len(text.split())


@pytest.fixture(scope="module")
def good():
    return train(pairs_told_apart(), Planted())


def test_a_model_that_reads_the_teaching_may_rank(good):
    assert good.figures.accuracy.value == 1.0
    assert good.figures.trips == ()
    assert good.may_rank
    assert [(name, figure.n) for name, figure in good.figures.by_group] == [
        ("mapping", 10),
        ("modeling", 10),
        ("recast", 10),
        ("time_delay", 10),
    ]


def test_a_model_that_reads_length_tells_pairs_apart_and_is_refused():
    class Length(Planted):
        def embed(self, texts):
            rows = super().embed(texts)
            rows[:, 0] = 0.0
            return rows

    found = train(pairs_told_apart(longer=True), Length(words_alone)).figures
    assert found.accuracy.value == 1.0
    assert {Trip.LENGTH_ALONE, Trip.PADDING, Trip.CORRELATION} <= set(found.trips)


def test_a_model_for_which_the_texts_beside_matter_is_refused():
    found = train(pairs_told_apart(), Planted(beside=1.0)).figures
    assert Trip.BATCH in found.trips


def test_the_same_pairs_and_seed_give_the_same_model(good):
    again = train(pairs_told_apart(), Planted())
    assert again == good
    other = train(pairs_told_apart(), Planted(), seed=1)
    assert other.parts != good.parts


def test_what_a_model_rests_on_is_named(good):
    told = dict(good.provenance)
    assert (told["vectors"], told["sha256"], told["items"]) == ("planted 1", "ab", "40")
    assert (told["pairs edited"], told["pairs starter"]) == ("40", "0")
    assert len(good.weights) == 5
    assert set(good.parts) == {f"item {number}" for number in range(40)}


def test_fifteen_items_are_needed_however_many_pairs():
    one = pairs_told_apart(1)[0]
    with pytest.raises(Refused, match="needs pairs of 15 items; there are 1"):
        train([one] * 50, Planted())


def test_pairs_that_share_an_item_or_a_prompt_are_dealt_together():
    one, two, three, four = pairs_told_apart(4)
    same_prompt = replace(two, item_id="brought in", prompt=f" {one.prompt}\n")
    same_item = replace(three, item_id="brought in")
    units = units_of([one, same_prompt, same_item, four])
    assert units[0] == units[1] == units[2] != units[3]


def test_an_empty_prompt_is_no_tie_of_its_own_kind():
    pairs = [replace(pair, prompt="") for pair in pairs_told_apart(2)]
    assert len(set(units_of(pairs))) == 2


def test_training_can_be_stopped():
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        train(pairs_told_apart(), Planted(), stop=stop)


def test_a_response_is_scored_by_the_model_that_never_saw_its_item(good):
    text = "The blocks lay there. I wait."
    items = ["item 3", "item 4", "unheard of"]
    given = rewards(good, Planted(), [text] * 3, items)
    vector = vectors_of(Planted(), [text])[0]
    by_part = np.array(good.weights) @ vector
    assert given[0] == pytest.approx(by_part[good.parts["item 3"]])
    assert given[1] == pytest.approx(by_part[good.parts["item 4"]])
    assert given[2] == pytest.approx(by_part.mean())


def test_wins_are_counted_by_strategy_and_a_tie_is_none(good):
    better, worse = "It was quiet. I wait.", "It was quiet. I ask."
    held = [
        Compared("item 0", "mapping", better, worse),
        Compared("item 1", "recast", worse, better),
        Compared("item 2", "recast", better, better),
        Compared("item 3", "recast", better, worse),
    ]
    found = win_rates(good, Planted(), held)
    assert (found.overall.value, found.overall.n) == (0.5, 4)
    assert [(name, figure.value, figure.n) for name, figure in found.by_strategy] == [
        ("mapping", 1.0, 1),
        ("recast", pytest.approx(1 / 3), 3),
    ]


def test_a_refused_model_ranks_nothing():
    refused = train(pairs_told_apart(), Planted(beside=1.0))
    with pytest.raises(ValueError, match="may not rank"):
        win_rates(refused, Planted(), [])


def test_starter_pairs_are_counted_as_what_they_are():
    model = train(pairs_told_apart(origin=PairOrigin.STARTER), Planted())
    assert dict(model.provenance)["pairs starter"] == "40"


def test_a_response_is_cut_into_its_sentences():
    text = '"Ready?" he signs. I wait… Ten seconds! Then I throw'
    assert sentences_of(text) == [
        '"Ready?"',
        "he signs.",
        "I wait…",
        "Ten seconds!",
        "Then I throw",
    ]


def test_padding_is_put_behind_a_response_that_ends_anyhow():
    pairs = [
        replace(pair, chosen=f"{pair.chosen[:-1]}", rejected=f'{pair.rejected}"')
        for pair in pairs_told_apart()
    ]
    assert train(pairs, Planted()).figures.accuracy.value == 1.0


def test_each_padding_has_four_sentences():
    assert [len(sentences_of(padding)) for padding in PADDINGS] == [4, 4, 4]


def test_the_vector_of_a_response_is_the_mean_of_its_sentences_at_length_one():
    one, two, both = vectors_of(Planted(), ["I wait.", "I ask now.", "I wait. I ask now."])
    expected = (one + two) / np.linalg.norm(one + two)
    assert both == pytest.approx(expected, abs=1e-6)


def test_an_embedder_that_reads_each_text_for_itself_shows_no_shift():
    assert batch_shift(Planted(), np.ones((1, 6)), ["I wait. It was quiet today."]) == 0.0
