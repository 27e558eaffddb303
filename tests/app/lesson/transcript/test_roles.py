from __future__ import annotations

import pytest

from app.lesson.transcript.records import Role, Transcript, Utterance
from app.lesson.transcript.roles import guess_roles, role_of, suggest_teacher


def transcript(*lines: tuple[str, str]) -> Transcript:
    return Transcript(
        tuple(Utterance(n, text, speaker=who) for n, (who, text) in enumerate(lines, 1)), "import:x"
    )


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("T", Role.TEACHER),
        ("T2", Role.TEACHER),
        ("Teacher", Role.TEACHER),
        ("Teacher One", Role.TEACHER),
        ("Ms Okoro", Role.TEACHER),
        ("Mr. Lee", Role.TEACHER),
        ("Tutor", Role.TEACHER),
        ("S", Role.STUDENT),
        ("SN", Role.STUDENT),
        ("SS", Role.STUDENT),
        ("Student 2", Role.STUDENT),
        ("STUDENT_0", Role.STUDENT),
        ("[STUDENT_1]", Role.STUDENT),
        ("multiple students", Role.STUDENT),
        ("Students", Role.STUDENT),
        ("R1", Role.OTHER),
        ("T/R1", Role.OTHER),
        ("O", Role.OTHER),
        ("Observer", Role.OTHER),
        ("Speaker 1", Role.UNKNOWN),
        ("SPEAKER_00", Role.UNKNOWN),
        ("Ana", Role.UNKNOWN),
        ("Tess", Role.UNKNOWN),
        ("Unknown Speaker", Role.UNKNOWN),
    ],
)
def test_a_name_tells_a_role_or_none(name, role):
    assert role_of(name) is role


def test_roles_are_given_by_speaker_and_lines_without_one_are_left_out():
    found = guess_roles(transcript(("T", "Why?"), ("", "(bell)"), ("Ana", "So.")))
    assert found == {"T": Role.TEACHER, "Ana": Role.UNKNOWN}


def test_who_speaks_and_asks_most_is_suggested_and_only_suggested():
    lesson = transcript(
        ("SPEAKER_00", "What do you notice about the two plants over here?"),
        ("SPEAKER_01", "It is bent."),
        ("SPEAKER_00", "And why would that be, do you think?"),
    )
    assert suggest_teacher(lesson) == "SPEAKER_00"
    assert guess_roles(lesson)["SPEAKER_00"] is Role.UNKNOWN


@pytest.mark.parametrize(
    "lines",
    [
        [("T", "Why is that so?"), ("A", "Yes.")],  # the file says who teaches
        [("A", "one two three"), ("B", "one two three?")],  # nobody leads
        [("A", "one two three four five six"), ("B", "why?")],  # the other asks
        [("A", "one two three four?")],  # nobody to tell apart from
        [("S1", "one two three four?"), ("B", "no")],  # a student by name
        [],
    ],
)
def test_nobody_is_suggested_without_a_clear_lead(lines):
    assert suggest_teacher(transcript(*lines)) is None
