"""Who is the teacher: guessed from what speakers are called, never from what they say.

A name that says nothing stays unknown until a person decides. `suggest_teacher` offers a guess
from the talk itself, for a person to take or leave.
"""

from __future__ import annotations

import re
from collections import Counter

from app.lesson.transcript.records import Role, Transcript

_TEACHER = re.compile(
    r"t\d{0,2}|(?:the )?teach(?:er|ers)|tutor|instructor|lecturer|professor|"
    r"(?:mr|mrs|ms|miss|mx|frau|herr|mme|se[ñn]ora?)\.? .+|(?:teacher|tutor|instructor)\b.*|"
    r"lehrer(?:in)?|professeure?|maestr[ao]|profesora?|prof\.? .+",
    re.IGNORECASE,
)
_STUDENT = re.compile(
    r"s\d{0,3}|sn\d{0,2}|ss\d{0,2}|st\d{0,3}|(?:multiple |all |unknown |several )?"
    r"(?:students?|pupils?|learners?|child(?:ren)?|boys?|girls?|kids?)\b.*|class|"
    r"student[_ -]?\w{1,3}|schüler(?:innen|in)?|élèves?|alumn[ao]s?|estudiantes?",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"r\d{0,2}|t/r\d{0,2}|o|e|(?:researcher|observer|interviewer|narrator|camera(?:man|woman)?|"
    r"principal|parent|visitor|aide|assistant|voice|intercom|announcement|video)\b.*",
    re.IGNORECASE,
)
"""`R1` is a researcher and `O` other sounds in TalkMoves, `E` in TIMSS; `T/R1` teaches and
researches at once, so it is not taken for the class's teacher."""

SHARE_OF_WORDS = 0.4
"""A suggested teacher speaks at least this share of all words; in TIMSS 1999 lessons teachers
speak about nine words in ten, in group work a pupil may well speak most."""
LEAD_OF_WORDS = 1.5
"""and at least this many times as many as whoever speaks next most."""


def guess_roles(transcript: Transcript) -> dict[str, Role]:
    """Give each named speaker the role that the name itself tells, else `Role.UNKNOWN`.

    Returns:
        Roles by speaker, in order of first speech. Lines without a speaker are left out.
    """
    speakers = dict.fromkeys(line.speaker for line in transcript.utterances if line.speaker)
    return {speaker: role_of(speaker) for speaker in speakers}


def role_of(speaker: str) -> Role:
    """Give the role that a speaker's name tells: `T`, `Ms Okoro`, `SN`, `Student 2`, `R1`."""
    name = speaker.strip().strip("[]").replace("_", " ").strip()
    for pattern, role in (
        (_OTHER, Role.OTHER),
        (_STUDENT, Role.STUDENT),
        (_TEACHER, Role.TEACHER),
    ):
        if pattern.fullmatch(name):
            return role
    return Role.UNKNOWN


def suggest_teacher(transcript: Transcript) -> str | None:
    """Suggest who teaches, for a person to confirm; nothing in the program acts on it alone.

    Whoever the names already call teacher needs no suggestion. Else it is the speaker of unknown
    role who both speaks most and asks most questions, with a clear lead; a lesson without such
    a speaker gives `None`.
    """
    roles = guess_roles(transcript)
    if Role.TEACHER in roles.values():
        return None
    words: Counter[str] = Counter()
    questions: Counter[str] = Counter()
    for line in transcript.utterances:
        if line.speaker and line.is_sound:
            words[line.speaker] += len(line.text.split())
            questions[line.speaker] += line.text.count("?") + line.text.count("？")
    ranked = words.most_common(2)
    if len(ranked) < 2 or roles[ranked[0][0]] is not Role.UNKNOWN:
        return None
    (first, most), (_, next_most) = ranked
    leads = most >= SHARE_OF_WORDS * words.total() and most >= LEAD_OF_WORDS * next_most
    asks_most = questions[first] > 0 and questions[first] == max(questions.values())
    return first if leads and asks_most else None
