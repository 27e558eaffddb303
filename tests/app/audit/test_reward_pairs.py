"""Pairs go out and come back the same; what is no pair is named with its line."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from app.audit.bank import read_bank
from app.audit.items import Strategy
from app.audit.reward_pairs import read_pairs, starter_pairs, write_pairs
from app.audit.reward_records import Flaw, Pair, PairOrigin
from app.benchmark.problems import TableRefused
from app.errors import ReportRefused
from resources import resource

TEXT = some.text(some.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=60).filter(
    str.strip
)
PAIRS = some.builds(
    Pair,
    item_id=TEXT.map(str.strip),
    strategy=some.sampled_from(["", *Strategy]).map(str),
    prompt=TEXT.map(str.strip),
    chosen=TEXT.map(lambda text: f"better {text.strip()}"),
    rejected=TEXT.map(lambda text: f"worse {text.strip()}"),
    flaw=some.sampled_from([None, *Flaw]),
    origin=some.sampled_from([PairOrigin.STARTER, PairOrigin.BROUGHT_IN]),
    author=some.sampled_from(["", "BM", "BM, by way of AK"]),
)


def lines(path, *records):
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


@given(some.lists(PAIRS, min_size=1, max_size=5))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_pairs_that_were_written_come_back_the_same(tmp_path, pairs):
    path = tmp_path / "pairs.jsonl"
    path.unlink(missing_ok=True)
    write_pairs(pairs, path)
    assert read_pairs(path) == tuple(pairs)


def test_the_starter_bank_has_a_pair_for_each_skill_item():
    items = read_bank(resource("items"), resource("rubrics")).items
    pairs = starter_pairs(items)
    assert len(pairs) == 40
    assert {pair.strategy for pair in pairs} == set(Strategy)
    assert {(pair.origin, pair.flaw, pair.author) for pair in pairs} == {
        (PairOrigin.STARTER, None, "")
    }
    first = next(item for item in items if item.item_id == pairs[0].item_id)
    assert pairs[0].prompt == f"{first.scene}\n\n{first.prompt}"
    assert (pairs[0].chosen, pairs[0].rejected) == (first.passing, first.failing)


def test_conversations_are_read_by_their_last_answer(tmp_path):
    asked = {"role": "user", "content": "What next?"}
    better, worse = ({"role": "assistant", "content": text} for text in ("I wait.", "I ask."))
    path = lines(tmp_path / "p.jsonl", {"chosen": [asked, better], "rejected": [asked, worse]})
    (pair,) = read_pairs(path)
    assert (pair.prompt, pair.chosen, pair.rejected) == ("What next?", "I wait.", "I ask.")
    assert pair.origin is PairOrigin.BROUGHT_IN


def test_pairs_of_one_prompt_are_of_one_item(tmp_path):
    path = lines(
        tmp_path / "p.jsonl",
        {"prompt": "a", "chosen": "b", "rejected": "c"},
        {"prompt": "a", "chosen": "d", "rejected": "e"},
        {"prompt": "f", "chosen": "d", "rejected": "e"},
    )
    one, two, three = (pair.item_id for pair in read_pairs(path))
    assert one == two != three


def test_all_that_is_wrong_is_named_with_its_line(tmp_path):
    path = lines(
        tmp_path / "p.jsonl",
        {"prompt": "a", "chosen": "b", "rejected": " b "},
        {"prompt": "a", "chosen": "b"},
        {"prompt": "a", "chosen": "b", "rejected": "c", "flaw": "rude"},
        {"prompt": "a", "chosen": "b", "rejected": "c", "strategy": "sing"},
        ["no", "object"],
    )
    with pytest.raises(TableRefused) as refused:
        read_pairs(path)
    told = [str(problem) for problem in refused.value.problems]
    assert told[0] == "line 1: Both responses are the same."
    assert told[1] == "line 2: There is no “rejected”."
    assert told[2].startswith("line 3: “rude” is no flaw; these are: wait_interval_violated,")
    assert told[3].startswith("line 4: “sing” is no strategy; these are: following_lead,")
    assert told[4].startswith("line 5: A pair is a JSON object")


def test_a_file_that_is_there_is_not_written_over(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text("mine")
    with pytest.raises(ReportRefused, match="already"):
        write_pairs([], path)
    assert path.read_text() == "mine"
