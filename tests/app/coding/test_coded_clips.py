"""The clips that the finder is measured on are sound, and none of them is an exemplar."""

import json
from collections import Counter
from pathlib import Path

import pytest
from rapidfuzz import fuzz, process

from app.coding.folding import folded_words
from app.coding.practices import read_background, read_practices
from resources import resource

FILE = Path(__file__).parents[2] / "data" / "coded_clips" / "clips.jsonl"


@pytest.fixture(scope="module")
def clips():
    return [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def practices():
    return read_practices(resource("practices.toml"))


def folded(text):
    return " ".join(folded_words(text))


def test_no_utterance_is_shared_with_the_exemplars_or_nearly_the_same(clips, practices):
    exemplars = [folded(e) for p in practices for level in p.levels for e in level.exemplars]
    exemplars += map(folded, read_background(resource("practices.toml")))
    said = [folded(u["text"]) for clip in clips for u in clip["utterances"]]
    likeness = process.cdist(said, exemplars, scorer=fuzz.ratio)
    assert likeness.max() < 80


def test_the_set_is_balanced_over_practices_and_levels(clips):
    first = Counter(
        (c["codes"][0]["practice"], c["codes"][0]["level"]) for c in clips if c["codes"]
    )
    assert {count for (practice, _), count in first.items() if practice in ("BI", "D1")} == {5}
    assert {count for (practice, _), count in first.items() if practice in ("D2", "D3")} == {4}
    assert len(first) == 14
    assert sum(not c["codes"] for c in clips) == 10


def test_every_third_clip_is_for_development_and_the_rest_is_published(clips):
    splits = [clip["split"] for clip in clips]
    assert splits == ["development" if number % 3 == 0 else "published" for number in range(1, 73)]


def test_every_code_names_a_practice_and_a_level_that_exist(clips, practices):
    known = {(p.id, level.level) for p in practices for level in p.levels}
    assert all((c["practice"], c["level"]) in known for clip in clips for c in clip["codes"])


def test_every_clip_has_four_to_twelve_utterances_and_cites_its_own(clips):
    for clip in clips:
        numbers = [u["number"] for u in clip["utterances"]]
        assert numbers == list(range(1, len(numbers) + 1))
        assert 4 <= len(numbers) <= 12
        assert set(clip["evidence"]) <= set(numbers)
        assert bool(clip["evidence"]) == bool(clip["codes"])
