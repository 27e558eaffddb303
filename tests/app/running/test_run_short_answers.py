from __future__ import annotations

import json

import pytest

from app.running.short_answers import read_letter, read_number, read_score


def cases(shared, name):
    path = shared / "data" / "5_audit" / "json_breakers" / name
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.shared
def test_letters_of_the_collection(shared):
    found = {
        c["id"]: read_letter(c["text"], c["choices"])
        for c in cases(shared, "mcq_letter_cases.json")
    }
    assert found == {c["id"]: c["expected"] for c in cases(shared, "mcq_letter_cases.json")}
    assert len(found) == 6


@pytest.mark.shared
def test_scores_of_the_collection(shared):
    found = {c["id"]: read_score(c["text"], *c["scale"]) for c in cases(shared, "score_cases.json")}
    assert found == {c["id"]: c["expected"] for c in cases(shared, "score_cases.json")}
    assert len(found) == 4


@pytest.mark.shared
def test_a_number_written_as_text_is_one_and_a_word_is_none(shared):
    text = (shared / "data/5_audit/json_breakers/miesc_131_text_confidence.txt").read_text("utf-8")
    first, second = (finding["confidence"] for finding in json.loads(text)["findings"])
    assert (read_number(first), read_number(second)) == (None, 0.8)


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("B", "B"),
        ("(c)", "C"),
        ("**A**.", "A"),
        ("C\nBecause the child points.", "C"),
        ("The answer is a matter of taste.", None),
        ("The answer is A. No: the answer is B.", None),
        ("Answer: E", None),
        ("I would rather not say.", None),
        ("", None),
    ],
)
def test_a_letter_is_read_only_where_one_is_named(text, letter):
    assert read_letter(text, "ABCD") == letter


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("7", 7.0),
        ("Score: 8.5", 8.5),
        ("**Score:** 3", 3.0),
        ('{"score": 4}', 4.0),
        ('{"score": "4"}', 4.0),
        ('{"score": "four"}', None),
        ('{"score": true}', None),
        ("Score: 3, or rather a score of 5", None),
        ("Score: 11", None),
        ("A score of -1", None),
    ],
)
def test_a_score_is_read_only_where_one_on_the_scale_is_named(text, score):
    assert read_score(text, 1, 10) == score
