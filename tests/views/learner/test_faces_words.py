"""What the banner says when several faces keep readers from knowing whose is the learner's."""

from __future__ import annotations

from app.confusion.face_choice import SEVERAL_FACES
from app.confusion.records import Bands, Confidence, Level, Reading
from views.learner.shown import FACES_WORDS, faces_words


def bands(*notes):
    """Give windows of two seconds: seen for an empty note, else not visible for that reason."""
    return Bands(
        "face-cues/1",
        tuple(
            Reading(at * 2000, at * 2000 + 2000, False, note=note)
            if note
            else Reading(at * 2000, at * 2000 + 2000, True, Level.NONE, Confidence.HIGH)
            for at, note in enumerate(notes)
        ),
    )


def test_with_one_face_nothing_is_said():
    assert faces_words([]) == ""
    assert faces_words([bands("", "no face is seen")]) == ""


def test_faces_that_are_there_from_the_start_are_told_so():
    assert faces_words([bands(SEVERAL_FACES, SEVERAL_FACES)]) == FACES_WORDS
    assert faces_words([bands("no face is seen", SEVERAL_FACES)]) == FACES_WORDS


def test_a_face_that_comes_late_leaves_what_was_read_before_and_that_is_said():
    told = faces_words([bands("", "", SEVERAL_FACES, SEVERAL_FACES)])
    assert told.startswith("From 0:04 on several faces are in view")
    assert "What was read before stays" in told
