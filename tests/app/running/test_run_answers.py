from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.running.answers import Opened, Unusable, looks_like_refusal, open_answer
from app.running.questions import Status
from app.running.schemas import schema_error
from app.running.sound_json import NotSound, read_json

FENCE = "a code fence"

# What was stated of each broken answer; what comes off; what had to be repaired.
SOUND = {
    "dify_42451_a": ({"a": 1}, FENCE, "text after the answer (20 characters)"),
    "dify_42451_b": (
        {"action": "Final Answer", "action_input": "done"},
        "text after the answer (15 characters)",
    ),
    "dify_41958_a": ({"code": "use `print` function"},),
    "hindsight_2542_nested_backticks": ({"a": "```x```"},),
    "deeptutor_675_think_braces": (
        {"title": "T", "description": "D"},
        "thinking (54 characters)",
    ),
    "gbrain_2559_think_then_fence": (
        [{"claim_text": "The lesson uses real-world data", "kind": "prediction"}],
        "thinking (44 characters)",
        FENCE,
    ),
    "langchain_31585_empty_think": (
        {"Summary": "The individual has a strong background in computer science"},
        "thinking (2 characters)",
    ),
    "langchain_40147_think_toolcall": (
        {"score": 4},
        "thinking (25 characters)",
        "tool call tags",
    ),
    "json_repair_210_quoted_none": ({"v": "None"},),
    "ormah_24_empty_object": ({},),
    "llamafile_256_end_token": ({}, "the sign <|im_end|>"),
    "llamacpp_6357_trailing_dots": (
        {"name": "John", "message": "I'm a person", "likes": ["apple", "coffee"]},
        "text after the answer (31 characters)",
    ),
}
QUOTE = "a quote inside a text"
REPAIRED = {
    "json_repair_56_1": ({'na"me': 'Jack O"Sullivan', "id": "1"}, QUOTE),
    "json_repair_56_2": ({"name": 'Jack: The "OG" O"Sullivan"', "id": "2"}, QUOTE),
    "json_repair_56_3": (
        {"name": 'Jack: The "OG"', "surname": "O'Sullivan", "id": "3"},
        QUOTE,
        "single quotes",
    ),
    "json_repair_210_none": ({"v": None}, "None for null"),
    "json_repair_49_quote_comma": (
        {"notes": 'Sent a message to the "dictator", waiting on response.'},
        QUOTE,
    ),
    "json_repair_26_html": (
        {
            "html": '<h3 id="title">Waarom meer dan 200 Technical Experts - '
            '"Passie voor techniek"?</h3>'
        },
        QUOTE,
    ),
    "json_repair_198_low9_quote": (
        {"reason": 'Lehrkraft sagt „gut gemacht" und lächelt', "score": 4},
        QUOTE,
    ),
    "fixbusted_5_curly_close": (
        {"name": "Ann", "score": 3},
        "a curly quote at the end of a text",
    ),
    "core_426_bad_escape": (
        {"claim": r"the path C:\docs\specs is used", "score": 2},
        "a backslash that escapes nothing",
    ),
    "deerflow_2372_trailing_comma": ({"facts": ["a", "b"], "score": 3}, "a comma before the end"),
}
FAILED = {
    "hindsight_2542_empty_fence": (Status.SCHEMA_FAIL, "the code fence is empty"),
    "langchain_23297_doubled_brace": (Status.SCHEMA_FAIL, "expecting property name"),
    "vllm_4093_newlines": (Status.TRUNCATED, "ends before it is complete"),
    "ormah_12_truncated": (Status.TRUNCATED, "ends before it is complete"),
    "nodellama_575_missing_start": (Status.SCHEMA_FAIL, "expecting value"),
    "boptest_540_nan": (Status.SCHEMA_FAIL, "payload.time_rat is not a number"),
    "parson_7_duplicate_key": (Status.SCHEMA_FAIL, "'x' is given twice"),
}
ELSEWHERE = {
    "langchain_23297_unquoted_value",
    "xgrammar_212_odd_newlines",
    "miesc_131_text_confidence",
    "photoprism_5453_empty_response",
}


@pytest.fixture
def breakers(shared):
    folder = shared / "data" / "5_audit" / "json_breakers"
    return lambda name: (folder / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.shared
def test_every_broken_answer_of_the_collection_has_its_place_here(shared):
    index = json.loads((shared / "data/5_audit/json_breakers/index.json").read_text("utf-8"))
    names = {entry["file"].removesuffix(".txt") for entry in index}
    assert names == {*SOUND, *REPAIRED, *FAILED, *ELSEWHERE}
    assert len(names) == 33
    for entry in index:
        stated = entry["right"]
        known = {**SOUND, **REPAIRED}.get(entry["file"].removesuffix(".txt"))
        if known and isinstance(stated, dict) and "score" not in stated:
            assert known[0] == stated


@pytest.mark.shared
@pytest.mark.parametrize("name", SOUND)
def test_what_stands_around_an_answer_comes_off_and_is_named(breakers, name):
    value, *taken_off = SOUND[name]
    opened = open_answer(breakers(name))
    assert isinstance(opened, Opened)
    assert (opened.value, list(opened.taken_off), opened.repairs) == (value, taken_off, ())
    assert read_json(opened.text) == value


@pytest.mark.shared
@pytest.mark.parametrize("name", REPAIRED)
def test_what_had_to_be_repaired_says_so(breakers, name):
    value, *repairs = REPAIRED[name]
    opened = open_answer(breakers(name))
    assert isinstance(opened, Opened)
    assert (opened.value, list(opened.repairs)) == (value, repairs)
    assert read_json(opened.text) == value


@pytest.mark.shared
@pytest.mark.parametrize("name", FAILED)
def test_what_cannot_be_read_in_one_way_is_a_failure(breakers, name):
    status, reason = FAILED[name]
    failed = open_answer(breakers(name))
    assert isinstance(failed, Unusable)
    assert failed.status == status
    assert reason in failed.reason


@pytest.mark.shared
def test_a_value_without_quotes_is_read_as_text_and_named(breakers):
    opened = open_answer(breakers("langchain_23297_unquoted_value"))
    assert isinstance(opened, Opened)
    assert opened.value["steps"][0]["tool_to_use"] == "Document_Search_Tool"
    assert opened.repairs == ("a text without quotes",)


@pytest.mark.shared
def test_odd_line_breaks_are_sound_json(breakers):
    text = breakers("xgrammar_212_odd_newlines")
    opened = open_answer(text)
    assert isinstance(opened, Opened)
    assert (opened.taken_off, opened.repairs) == ((), ())
    assert opened.value["exclude_product_ids"] == [""]


@pytest.mark.shared
def test_words_where_a_number_belongs_break_the_schema(breakers):
    opened = open_answer(breakers("miesc_131_text_confidence"))
    assert isinstance(opened, Opened)
    schema = json.dumps(
        {"properties": {"findings": {"items": {"properties": {"confidence": {"type": "number"}}}}}}
    )
    assert schema_error(opened.value, schema) == "“findings[0].confidence” is not a number"


@pytest.mark.shared
def test_a_budget_used_up_by_thinking_is_a_cut_answer(breakers):
    reply = json.loads(breakers("photoprism_5453_empty_response"))
    failed = open_answer(reply["response"], reply["done_reason"])
    assert isinstance(failed, Unusable)
    assert failed.status == Status.TRUNCATED
    assert "most likely by thinking" in failed.reason


@pytest.mark.parametrize(
    ("text", "finish", "status", "may_ask_again"),
    [
        ('{"a": 1}', "length", Status.TRUNCATED, False),
        ('{"a": 1}', "refusal", Status.REFUSAL, False),
        ("", "content_filter", Status.REFUSAL, False),
        ("", "stop", Status.SCHEMA_FAIL, True),
        ("", "error", Status.BACKEND_ERROR, False),
        ("<think>so, let me", "stop", Status.TRUNCATED, True),
        ("<think>so</think>", "stop", Status.SCHEMA_FAIL, True),
        ("I cannot help with that", "stop", Status.REFUSAL, False),
        ("I’m sorry, but I can’t assist with identifying children.", "stop", Status.REFUSAL, False),
        ("Sure! The level is 2.", "stop", Status.SCHEMA_FAIL, True),
        ('{"a": 1} {"a": 2}', "stop", Status.SCHEMA_FAIL, True),
        ('```json\n{"a": 1}\n```\nor\n```json\n{"a": 2}\n```', "stop", Status.SCHEMA_FAIL, True),
        ('Maybe {"a": 1}?\n```json\n{"a": 2}\n```', "stop", Status.SCHEMA_FAIL, True),
        ('{"a": 1e999}', "stop", Status.SCHEMA_FAIL, True),
        ('{"a": 1}}', "stop", Status.SCHEMA_FAIL, True),
        ("[" * 100_000, "stop", Status.SCHEMA_FAIL, True),
    ],
)
def test_each_bad_ending_has_its_status(text, finish, status, may_ask_again):
    failed = open_answer(text, finish)
    assert isinstance(failed, Unusable)
    assert (failed.status, failed.may_ask_again) == (status, may_ask_again)


def test_free_text_keeps_its_braces_and_fences():
    opened = open_answer("<think>hm</think>Try this: ```{x}```<|im_end|>", as_json=False)
    assert opened == Opened(
        "Try this: ```{x}```", None, ("the sign <|im_end|>", "thinking (2 characters)")
    )


@pytest.mark.parametrize(
    "text",
    [
        "The teacher cannot help the pupil yet, so the level is 2.",
        "BI",
        '{"reason": "I cannot help with that"}',
    ],
)
def test_what_is_said_of_others_is_no_refusal(text):
    assert not looks_like_refusal(text)


def test_long_nonsense_fails_fast():
    began = time.perf_counter()
    for text in ('{"a": ' + " \n" * 200_000, '{"' * 50_000, '{"a": "' + '", ' * 30_000, "I " * 99):
        assert isinstance(open_answer(text), Unusable)
    assert time.perf_counter() - began < 5


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)  # fmt: skip


@given(st.lists(JSON) | st.dictionaries(st.text(), JSON))
def test_sound_json_always_comes_back_as_it_is(value):
    opened = open_answer(json.dumps(value, ensure_ascii=False, indent=1))
    assert isinstance(opened, Opened)
    assert (opened.value, opened.taken_off, opened.repairs) == (value, (), ())


@given(st.text(alphabet="{}[]\",:\\ \n`<think>ab1u”'", max_size=60))
def test_no_text_brings_the_reader_down_and_only_sound_json_passes(text):
    opened = open_answer(text)
    if isinstance(opened, Opened):
        assert read_json(opened.text) == opened.value


def test_text_after_sound_json_is_not_sound():
    with pytest.raises(NotSound, match="text follows the end"):
        read_json("{} {}")
