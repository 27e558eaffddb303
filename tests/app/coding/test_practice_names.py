import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.coding.practice_names import Offer, offer_for, read_names
from resources import resource

NAMES = read_names(resource("practice_names.toml"))


@pytest.mark.parametrize(
    ("words", "offer"),
    [
        ("press for evidence", Offer("D3", None, False, "")),
        ("Show me every press for evidence this term", Offer("D3", None, True, "")),
        ("PRESSING for Explanation about magnets", Offer("D3", None, False, "magnets")),
        ("evidence-based explanation", Offer("D3", None, False, "")),
        ("D3", Offer("D3", None, False, "")),
        ("d3 level 2", Offer("D3", 2, False, "")),
        ("the big idea", Offer("BI", None, False, "")),
        ("drawing out students’ ideas", Offer("D1", None, False, "")),
        ("drawing out ideas from Ms Okoro", Offer("D1", None, False, "Ms Okoro")),
        ("sense-making", Offer("D2", None, False, "")),
    ],
)
def test_practices_are_known_by_what_people_call_them(words, offer):
    assert offer_for(words, NAMES) == offer


@pytest.mark.parametrize(
    "words",
    [
        "",
        "ice melts",
        "evidence",
        "this term",
        "level 3",
        "D5",
        "a big ideal",
        "D1 or D3",
        "biology",
    ],
)
def test_words_that_name_no_practice_or_two_are_left_alone(words):
    assert offer_for(words, NAMES) is None


@given(st.text(max_size=40))
def test_any_words_can_be_looked_at(words):
    offer_for(words, NAMES)
    offer = offer_for(f"{words} D3", NAMES)
    assert offer is None or offer.practice in ("BI", "D1", "D2", "D3")
