"""The prompt that is shipped: sound exemplars of our own, one set of definitions for all."""

import json
import re
from pathlib import Path

import pytest

from app.coding.chat_answer import read_claim
from app.coding.conditions import Condition, Input, Prompting
from app.coding.evidence import check_evidence
from app.coding.folding import folded_words
from app.coding.practices import read_background, read_practices
from app.coding.prompts import definitions, read_prompt, request, schema_of, shared_messages
from app.coding.records import Check
from app.lesson.clips import Clip
from app.lesson.transcript.records import Utterance
from app.running.schemas import schema_error
from resources import resource

PROMPT = read_prompt(resource("prompts/cip.toml"))
PRACTICES = read_practices(resource("practices.toml"))
CLIPS = Path(__file__).parents[2] / "data" / "coded_clips" / "clips.jsonl"
CONDITIONS = [Condition(i, p) for i in Input for p in Prompting]


def words_of(messages):
    return [part for message in messages for part in message.parts]


def test_there_is_one_exemplar_for_each_practice_and_each_level_is_shown_once():
    assert [e.practice for e in PROMPT.exemplars] == ["BI", "D1", "D2", "D3"]
    assert sorted(e.level for e in PROMPT.exemplars) == [1, 2, 3, 4]


@pytest.mark.parametrize("exemplar", PROMPT.exemplars, ids=lambda e: e.practice)
def test_the_evidence_of_an_exemplar_is_word_for_word_where_it_says(exemplar):
    lines = [Utterance(n, text) for n, (_, text) in enumerate(exemplar.lines, 1)]
    clip = Clip("c", 1, len(lines), None, None)
    answer = words_of(shared_messages(PROMPT, PRACTICES, Prompting.FEW_SHOT))
    (own,) = [a for a in answer if a.startswith(f'{{"category": "{exemplar.practice}"')]
    assert schema_error(json.loads(own), schema_of(Condition(Input.T))) == ""
    assert schema_error(json.loads(own), schema_of(Condition(Input.TV))) == ""
    claim = read_claim(own)
    checked = check_evidence(claim.citations, lines, clip)
    for cited, found in zip(claim.citations, checked, strict=True):
        assert (found.check, found.utterances) == (Check.VERIFIED, cited.utterances)
        assert found.reason == ""


def test_no_exemplar_stands_in_a_test_set_or_among_what_the_finder_compares_with():
    rows = [json.loads(line) for line in CLIPS.read_text("utf-8").splitlines()]
    known = [u["text"] for row in rows for u in row["utterances"]]
    known += [e for p in PRACTICES for at in p.levels for e in at.exemplars]
    known += read_background(resource("practices.toml"))
    runs = {run for text in known for run in runs_of(text)}
    for exemplar in PROMPT.exemplars:
        for _, text in exemplar.lines:
            assert not runs.intersection(runs_of(text)), text


def runs_of(text, length=6):
    words = folded_words(text)
    return {tuple(words[at : at + length]) for at in range(len(words) - length + 1)}


@pytest.mark.parametrize("condition", CONDITIONS, ids=str)
def test_all_conditions_are_told_the_same_definitions_first(condition):
    messages = shared_messages(PROMPT, PRACTICES, condition.prompting)
    assert messages[0] == shared_messages(PROMPT, PRACTICES, Prompting.ZERO_SHOT)[0]
    assert definitions(PRACTICES) in messages[0].parts[0]
    assert len(messages) == (9 if condition.prompting is Prompting.FEW_SHOT else 1)
    for practice in PRACTICES:
        for level in practice.levels:
            assert level.descriptor in messages[0].parts[0]


@pytest.mark.parametrize("condition", CONDITIONS, ids=str)
def test_the_request_names_every_field_of_the_schema_in_its_order(condition):
    fields = list(json.loads(schema_of(condition))["properties"])
    told = re.findall(r'^- "(\w+)"', request(PROMPT, condition), re.MULTILINE)
    assert told == fields
    assert (fields[0] == "reasoning") == (condition.prompting is Prompting.COT)
    assert ('"seen"' in request(PROMPT, condition)) == (condition.input is Input.TV)


def test_without_frames_nothing_can_be_cited_as_seen():
    seen = {"seen": "a raised hand", "from": "0:01", "to": "0:02"}
    answer = {"category": "D1", "level": 2, "evidence": [seen]}
    assert schema_error(answer, schema_of(Condition(Input.TV))) == ""
    assert schema_error(answer, schema_of(Condition(Input.T)))


def test_the_full_name_holds_version_and_hash():
    name, version, digest = PROMPT.name, PROMPT.version, PROMPT.sha256
    assert PROMPT.full_name == f"{name}/{version} sha256 {digest}"
    assert len(digest) == 64


def test_the_version_is_raised_with_every_change_of_the_words():
    # Answers are kept under it: raise `version` in the file, and write the new pair here.
    known = "1f53bc039ec56d52362f2d5ca414884eedaf926b389819d5101cd3e93a4b50d0"
    assert (PROMPT.version, PROMPT.sha256) == ("2", known)
