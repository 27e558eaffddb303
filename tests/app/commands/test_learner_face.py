"""`--face`: what it takes, and how faces are listed for it."""

from __future__ import annotations

import pytest

from app.commands.learner_face import face_asked_for, faces_in_words
from app.confusion.face_choice import SeenFace
from app.errors import WrongUse


def test_a_face_is_a_moment_and_a_point():
    assert face_asked_for("12400,310,205.5") == (12_400, 310.0, 205.5)
    assert face_asked_for("400, 300, 200") == (400, 300.0, 200.0)
    assert face_asked_for(None) is None


@pytest.mark.parametrize("words", ["", "12400", "12400,310", "-1,2,3", "0:12,310,205", "1,2,3,4"])
def test_anything_else_is_refused_with_an_example(words):
    with pytest.raises(WrongUse, match="--face 12400,310,205"):
        face_asked_for(words)


def test_faces_are_listed_as_they_can_be_asked_for():
    one = SeenFace(0, 9_800, 5000, 310, 205, 180)
    assert faces_in_words([one]) == [
        "  --face 5000,310,205   seen from 0:00.0 to 0:09.8, 180 pixels wide"
    ]
    assert faces_in_words([one] * 15)[-1] == "  and 3 more"
