import pytest

from app.coding.people_names import how_far_words, joined, people_in, same_person, sound_name
from app.errors import Refused


def test_a_name_is_kept_without_stray_spaces():
    assert sound_name("  Ada   K. ") == "Ada K."


@pytest.mark.parametrize("typed", ["", "   ", "x" * 41, "AK & BM", "A&B"])
def test_a_name_that_would_mislead_is_refused(typed):
    with pytest.raises(Refused):
        sound_name(typed)


def test_those_who_agreed_are_written_as_one_author_and_read_back():
    assert joined(["AK", "BM", "AK"]) == "AK & BM"
    assert people_in("AK & BM & CO") == ("AK", "BM", "CO")
    assert people_in("") == ()


def test_a_person_is_known_however_the_name_is_written():
    assert same_person("ak", ["BM", "AK"]) == "AK"
    assert same_person("ak", ["BM"]) == ""


def test_how_far_people_are_is_said_and_who_is_waited_for():
    assert how_far_words({}, 4, "rated") == "Nobody has begun."
    assert how_far_words({"Ann": 3}, 4, "scored") == (
        "Ann has scored 3 of 4; a second person has not begun."
    )
    assert how_far_words({"Ann": 4, "Ben": 1}, 4, "scored") == (
        "Ann has scored 4 of 4; Ben has scored 1 of 4."
    )
