from __future__ import annotations

import json

import pytest

from app.running.schemas import schema_error

ANSWER = json.dumps(
    {
        "type": "object",
        "properties": {
            "category": {"enum": ["BI", "D1", "D2", "D3"]},
            "level": {"type": "integer", "minimum": 1, "maximum": 4},
            "evidence": {"type": "array", "items": {"$ref": "#/$defs/cited"}, "maxItems": 2},
            "reasoning": {"type": ["string", "null"]},
        },
        "required": ["category", "level", "evidence"],
        "additionalProperties": False,
        "$defs": {
            "cited": {
                "type": "object",
                "properties": {
                    "quote": {"type": "string", "minLength": 1},
                    "inner": {"$ref": "#/$defs/cited"},
                },
                "required": ["quote"],
            }
        },
    }
)
GOOD = {"category": "D1", "level": 2, "evidence": [{"quote": "Why?"}]}


@pytest.mark.parametrize("more", [{}, {"reasoning": None}, {"reasoning": "so"}, {"evidence": []}])
def test_what_keeps_the_schema_passes(more):
    assert schema_error({**GOOD, **more}, ANSWER) == ""


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"category": "D4"}, '“category” is "D4", but must be one of "BI", "D1", "D2", "D3"'),
        ({"level": 9}, "“level”: 9 is above 4"),
        ({"level": 0}, "“level”: 0 is below 1"),
        ({"level": True}, "“level” is not a whole number"),
        ({"level": 3.0}, "“level” is not a whole number"),
        ({"level": "3"}, "“level” is not a whole number"),
        ({"evidence": {}}, "“evidence” is not a list"),
        ({"evidence": [{"quote": "a"}, {}]}, "“evidence[1].quote” is missing"),
        ({"evidence": [{"quote": ""}]}, '“evidence[0].quote”: "" needs 1 or more characters'),
        (
            {"evidence": [{"quote": "a", "inner": {"quote": 5}}]},
            "“evidence[0].inner.quote” is not a text",
        ),
        ({"evidence": [{"quote": "a"}] * 3}, "has more than 2 entries"),
        ({"mood": "good"}, "“mood” was not asked for"),
        ({"reasoning": 5}, "“reasoning” is not a text or null"),
    ],
)
def test_what_breaks_the_schema_names_the_field(more, told):
    assert told in schema_error({**GOOD, **more}, ANSWER)


def test_a_missing_field_and_a_wrong_whole_are_named():
    assert schema_error({"level": 1}, ANSWER) == "“category” is missing"
    assert schema_error([], ANSWER) == "The answer is not an object"


def test_one_and_true_are_different_values():
    assert schema_error(True, '{"enum": [1]}') != ""
    assert schema_error(1, '{"enum": [1]}') == ""


def test_choices_between_schemas():
    either = '{"anyOf": [{"type": "null"}, {"type": "integer"}]}'
    assert schema_error(None, either) == ""
    assert (
        schema_error("a", either) == "The answer is not null and The answer is not a whole number"
    )
    one = '{"oneOf": [{"minimum": 1}, {"minimum": 5}]}'
    assert schema_error(3, one) == ""
    assert schema_error(7, one) == "The answer can be read in two ways"


@pytest.mark.parametrize(
    "schema",
    [
        '{"type": "object", "patternProperties": {}}',
        '{"type": "decimal"}',
        '{"$ref": "https://example.org/schema"}',
        '{"items": false}',
    ],
)
def test_a_schema_that_cannot_be_checked_whole_is_refused(schema):
    with pytest.raises(ValueError, match=r"not checked here|no type|not a part|not a schema"):
        schema_error({}, schema)
