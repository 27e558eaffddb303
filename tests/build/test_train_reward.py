"""Training a language model as reward model: what surrounds the heavy libraries."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest
from reward_planted import pairs_told_apart

from app.audit.reward_model import PADDINGS
from app.scoring.reward_guards import Trip

PLACE = Path(__file__).resolve().parents[2] / "build" / "train_reward.py"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("train_reward", PLACE)
    module = importlib.util.module_from_spec(spec)
    before = list(sys.path)
    spec.loader.exec_module(module)
    sys.path[:] = before
    return module


def by_teaching(asked, _together):
    return [text.count("I wait") - text.count("I ask") for _, text in asked]


def test_without_the_heavy_libraries_it_says_what_is_missing(script, monkeypatch, capsys):
    monkeypatch.setattr(script.importlib.util, "find_spec", lambda name: name != "trl" or None)
    assert script.main(["pairs.jsonl", "--model", "m", "--out", "o"]) == 1
    assert capsys.readouterr().err.startswith("trl cannot be found.")


def test_a_fifth_of_the_items_is_held_out(script):
    learn, held = script.part_pairs(pairs_told_apart(), seed=0)
    assert (len(learn), len(held)) == (32, 8)
    assert not {pair.item_id for pair in learn} & {pair.item_id for pair in held}


def test_a_model_that_reads_the_teaching_passes_the_guards(script):
    found = script.try_out(pairs_told_apart(), by_teaching, 0)
    assert (found.accuracy.value, found.accuracy.n) == (1.0, 40)
    assert found.trips == ()


def test_a_model_that_reads_length_is_refused(script):
    def by_length(asked, _together):
        return [float(len(text.split())) for _, text in asked]

    found = script.try_out(pairs_told_apart(longer=True), by_length, 0)
    assert {Trip.PADDING, Trip.CORRELATION, Trip.LENGTH_ALONE} <= set(found.trips)
    assert found.padding.value == max(len(padding.split()) for padding in PADDINGS)


def test_a_model_whose_batches_matter_is_refused(script):
    def by_batch(asked, together):
        return [one + 0.5 * together for one in by_teaching(asked, together)]

    found = script.try_out(pairs_told_apart(), by_batch, 0)
    assert found.batch.value == 0.5
    assert found.trips == (Trip.BATCH,)
