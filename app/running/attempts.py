"""What became of each attempt at a model: the record that is kept, whatever came back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from app.errors import BadAnswer
from app.running.answers import Opened, Unusable, open_answer
from app.running.questions import Message, Question, RawAnswer, ReadAnswer, Status
from app.running.schemas import schema_error

SHOWN_AGAIN = 4000
"""Characters of a broken answer that the model is shown again."""

RETRY_WORDS = (
    "Your answer could not be used. {error}\n"
    "Answer again, with the corrected JSON and nothing else."
)
RETRY_TEXT_WORDS = "Your answer could not be used. {error}\nAnswer again."
"""The same where free text was asked for. Both are part of the key of a second attempt: changing
one asks those questions again."""


CHECKS_VERSION = "1"
"""Changed when answers are opened, or held against their schema, in another way than before.

An answer that passed these checks as it is need not be checked again.
"""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One go at one draw of a question. Never changed afterwards."""

    key: str
    question: Question
    """As the model saw it, for a second attempt with the error shown."""
    draw: int
    place: int
    """1 for the first attempt at the draw, 2 for the second."""
    status: Status
    raw: RawAnswer
    error: str = ""
    """Why it cannot be used, as a plain sentence; empty when it can."""
    taken_off: tuple[str, ...] = ()
    """What stood around the answer, and what had to be repaired."""
    is_sound: bool = False
    """Whether the text passed the checks as it is."""

    @property
    def is_answer(self) -> bool:
        """Whether the model has spoken, well or badly: then it is not asked again.

        Asking until a refusal or a broken answer turns into a good one would make a model look
        better than it is. Only what failed before the model spoke is asked again.
        """
        return self.status is not Status.BACKEND_ERROR


@dataclass(frozen=True, slots=True)
class Judged:
    """What an answer is worth."""

    status: Status
    value: Any = None
    """What the reader made of it; `None` for a failure."""
    opened: Opened | None = None
    """The answer apart from what stood around it; also of one that breaks the schema."""
    error: str = ""
    may_ask_again: bool = False
    is_sound: bool = False
    """Whether the text, as it is, is an answer that keeps the schema."""


def read_text(text: str) -> str:
    """Read free text: as it is."""
    return text


def judge(question: Question, raw: RawAnswer, read: ReadAnswer = read_text) -> Judged:
    """Say what an answer is worth: opened, held against the schema, and read.

    An answer that can only be read after a repair breaks the format like any other; the repaired
    reading stays beside it for a person to see.
    """
    if raw.finish == "error":
        return Judged(Status.BACKEND_ERROR, error=raw.error or "The engine gave no reason.")
    opened = open_answer(raw.text, raw.finish, as_json=bool(question.schema))
    if isinstance(opened, Unusable):
        return Judged(opened.status, None, None, opened.reason, opened.may_ask_again)
    if opened.repairs:
        told = f"The JSON is broken: it has {', '.join(opened.repairs)}."
        return Judged(Status.SCHEMA_FAIL, None, opened, told, True)
    wrong = schema_error(opened.value, question.schema) if question.schema else ""
    if wrong:
        return Judged(Status.SCHEMA_FAIL, None, opened, f"{wrong}.", True)
    return _read(opened, read, is_sound=opened.text == raw.text)


def judge_sound(raw: RawAnswer, read: ReadAnswer) -> Judged:
    """Say what an answer is worth that passed the checks before, as it is."""
    return _read(Opened(raw.text), read, is_sound=True)


def _read(opened: Opened, read: ReadAnswer, *, is_sound: bool) -> Judged:
    try:
        return Judged(Status.OK, read(opened.text), opened, is_sound=is_sound)
    except BadAnswer as error:
        return Judged(Status.SCHEMA_FAIL, None, opened, str(error), True, is_sound)


def second_question(question: Question, raw: RawAnswer, error: str) -> Question:
    """Give the question with the broken answer and what is wrong with it after it."""
    said = raw.text[:SHOWN_AGAIN] or "(nothing)"
    told = (RETRY_WORDS if question.schema else RETRY_TEXT_WORDS).format(error=error)
    more = (Message("assistant", (said,)), Message("user", (told,)))
    return replace(question, messages=(*question.messages, *more))
