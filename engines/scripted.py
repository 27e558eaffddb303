"""An engine that answers from a list or a function: for tests, demonstrations and first runs.

Faults can be planted anywhere in the script, so that what a real engine does once a month can be
seen at will.
"""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.errors import Cancelled, EngineStopped
from app.running.protocols import EngineFacts, Price
from app.running.questions import Question, RawAnswer
from engines.base import Report, engine


class Fault(StrEnum):
    """Something that goes wrong, as an entry of a script."""

    CRASH = "crash"
    """The engine's process goes away."""
    SERVER_ERROR = "server error"
    """The engine lives, but gives no answer."""
    REFUSAL = "refusal"
    """The server says that the model refused."""
    REFUSAL_TEXT = "refusal in words"
    TRUNCATION = "truncation"
    """The answer ends at the limit of tokens."""
    BAD_JSON = "bad JSON"
    """An answer that nobody can read."""
    DEAF = "deaf"
    """No answer for ten seconds, without heeding a stop."""


@dataclass(frozen=True, slots=True)
class Slow:
    """An entry that takes its time, but heeds a stop."""

    seconds: float
    then: str | RawAnswer | Fault


Entry = str | RawAnswer | Fault | Slow
Script = Sequence[Entry] | Callable[[Question, int], Entry]
"""Entries in the order they are asked for, or a function of the question and the draw."""


@engine("scripted")
class Scripted:
    """Gives what its script says, and keeps what it was asked.

    Args:
        script: What it says.
        seconds: Time each answer takes.
        in_flight: How many questions it takes at a time.
        model: Its name in every key: two scripts that differ are two models.
        price: What it costs.
        images: How many pictures it takes.
        context_tokens: How many tokens it keeps in mind; `None` if that is not known.
    """

    def __init__(
        self,
        script: Script = (),
        *,
        seconds: float = 0.0,
        in_flight: int = 1,
        model: str = "script",
        price: Price | None = None,
        images: int = 24,
        context_tokens: int | None = None,
    ) -> None:
        self.asked: list[tuple[Question, int]] = []
        """Every draw that was asked for, in order."""
        self._script = script
        self._places = itertools.count()
        self._seconds = seconds
        self._guard = threading.Lock()
        self._facts = EngineFacts(
            name="scripted",
            version="1",
            offline=True,
            images=images,
            has_schema=False,
            has_logprobs=False,
            identity=(("script", model),),
            in_flight=in_flight,
            price=price,
            context_tokens=context_tokens,
        )

    def facts(self) -> EngineFacts:
        """Say what this is."""
        return self._facts

    def ask(
        self,
        question: Question,
        draws: Sequence[int],
        report: Report,
        stop: threading.Event,
    ) -> list[RawAnswer]:
        """Give the next entries of the script, as `app.running.questions.Chat` says.

        Raises:
            EngineStopped: The script says so, or has no entry left.
            Cancelled: `stop` was set.
        """
        answers = []
        for number, draw in enumerate(draws, start=1):
            _wait(self._seconds, stop)
            answers.append(_answer(self._next(question, draw), question, stop))
            report(number / len(draws), f"draw {number} of {len(draws)}")
        return answers

    def _next(self, question: Question, draw: int) -> Entry:
        with self._guard:
            self.asked.append((question, draw))
            place = next(self._places)
        if callable(self._script):
            return self._script(question, draw)
        if place >= len(self._script):
            raise EngineStopped("The script has no answer left.", "Add one to it.")
        return self._script[place]


def _wait(seconds: float, stop: threading.Event) -> None:
    if stop.wait(seconds) if seconds else stop.is_set():
        raise Cancelled()


def _answer(entry: Entry, question: Question, stop: threading.Event) -> RawAnswer:
    seconds = 0.0
    if isinstance(entry, Slow):
        _wait(entry.seconds, stop)
        seconds, entry = entry.seconds, entry.then
    if isinstance(entry, Fault):
        entry = _fault(entry)
    if isinstance(entry, RawAnswer):
        return entry
    words = sum(len(p.split()) for m in question.messages for p in m.parts if isinstance(p, str))
    return RawAnswer(entry, "stop", words, 0, len(entry.split()), seconds)


def _fault(fault: Fault) -> str | RawAnswer:
    if fault is Fault.CRASH:
        raise EngineStopped("The script says that the engine crashed.", "Try again.")
    if fault is Fault.SERVER_ERROR:
        return RawAnswer("", "error", error="The script says that the server failed (500).")
    if fault is Fault.REFUSAL:
        return RawAnswer("", "refusal")
    if fault is Fault.REFUSAL_TEXT:
        return "I'm sorry, but I cannot help with that."
    if fault is Fault.TRUNCATION:
        return RawAnswer(json.dumps({"evidence": ["cut"]})[:-4], "length")
    if fault is Fault.DEAF:
        threading.Event().wait(10)
        return RawAnswer("", "error", error="Nobody waited for this answer.")
    return '{"level" 2}'
