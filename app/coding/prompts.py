"""The words a model is asked with: read from `resources/prompts`, never written in code."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

from app.coding.conditions import Condition, Input, Prompting
from app.coding.fence import fenced, spoken
from app.coding.practices import Practice
from app.running.questions import Message


@dataclass(frozen=True, slots=True)
class Exemplar:
    """A stretch of talk with a sound answer, shown before the clip under few_shot."""

    practice: str
    level: int
    lines: tuple[tuple[str, str], ...]
    """Who speaks and what; numbered from 1."""
    evidence: tuple[tuple[str, tuple[int, ...]], ...]
    """Quotes with the numbers of their lines."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """All that is said to a model around a clip."""

    name: str
    version: str
    sha256: str
    """Of the whole file."""
    system: str
    """With `$definitions` for the practices."""
    words: Mapping[str, Mapping[str, str]]
    """Shorter pieces: by table, then by name."""
    exemplars: tuple[Exemplar, ...]

    @property
    def full_name(self) -> str:
        """Name, version and hash, as they are kept beside every question."""
        return f"{self.name}/{self.version} sha256 {self.sha256}"

    def say(self, table: str, name: str, **filled: str) -> str:
        """Give a piece with its places filled."""
        return Template(self.words[table][name]).substitute(filled)


PRACTICE_TABLES = ("lines", "frames", "clip", "request")
"""Tables of words that questions about practices are made from."""


@cache
def read_prompt(path: Path, tables: tuple[str, ...] = PRACTICE_TABLES) -> Prompt:
    """Read a prompt file with the tables of words it must have; exemplars need not be there.

    Raises:
        ValueError: It lacks something; the installation is broken.
    """
    data = path.read_bytes()
    table = tomllib.loads(data.decode("utf-8"))
    try:
        return Prompt(
            str(table["name"]),
            str(table["version"]),
            hashlib.sha256(data).hexdigest(),
            str(table["system"]).strip(),
            {name: table[name] for name in tables},
            tuple(_exemplar(entry) for entry in table.get("exemplar", ())),
        )
    except KeyError as error:
        raise ValueError(f"{path.name} lacks {error}") from error


def shared_messages(
    prompt: Prompt, practices: Sequence[Practice], prompting: Prompting
) -> tuple[Message, ...]:
    """Give what comes before every clip: the task, the definitions, and exemplars if wanted.

    The same for T and TV, so that an engine reads it once for both.
    """
    system = Template(prompt.system).substitute(definitions=definitions(practices))
    messages = [Message("system", (system,))]
    if prompting is Prompting.FEW_SHOT:
        for exemplar in prompt.exemplars:
            messages += _shown(prompt, exemplar)
    return tuple(messages)


def request(prompt: Prompt, condition: Condition) -> str:
    """Give what is wanted of a clip: comes after it, as the last words of the question."""
    names = ["start", *(["reasoning"] if condition.prompting is Prompting.COT else [])]
    names += ["code", "quote", *(["seen"] if condition.input is Input.TV else [])]
    return "".join(prompt.say("request", name) for name in names).strip()


def definitions(practices: Sequence[Practice]) -> str:
    """Write the practices and their levels as every condition is told them."""
    return "\n\n".join(
        "\n".join(
            [
                f"{practice.id}: {practice.title}. {practice.descriptor}",
                *(f"  Level {at.level}: {at.title}. {at.descriptor}" for at in practice.levels),
            ]
        )
        for practice in practices
    )


def written_line(number: int, time: str, who: str, text: str) -> str:
    """Write one line of a transcript as it stands inside the fence.

    Nothing but `text` comes from the lesson: the rest are numbers and words of ours.
    """
    return f"{number} | {time} | {who} | {spoken(text)}"


def schema_of(condition: Condition) -> str:
    """Give the JSON Schema of an answer.

    Lengths of texts are left to the words of the request: strict servers refuse a schema with
    them, and a grammar that ended a text would make half a sentence look whole.

    Times are asked for as `m:ss`, exactly as they stand in the question: a small model copies
    them, where milliseconds or seconds since the start would have to be worked out. That they are
    times at all is checked in `chat_answer`, for servers differ in the patterns they take.
    """
    quote = _object(
        quote={"type": "string"},
        utterances={
            "type": "array",
            "items": {"type": "integer", "minimum": 1},
            "minItems": 1,
            "maxItems": 12,
        },
    )
    seen = _object(**{name: {"type": "string"} for name in ("seen", "from", "to")})
    entry = {"anyOf": [quote, seen]} if condition.input is Input.TV else quote
    reasoning = {"reasoning": {"type": "string"}} if condition.prompting is Prompting.COT else {}
    answer = _object(
        **reasoning,
        category={"enum": ["BI", "D1", "D2", "D3"], "type": "string"},
        level={"type": "integer", "minimum": 1, "maximum": 4},
        evidence={"type": "array", "items": entry, "minItems": 1, "maxItems": 6},
    )
    return json.dumps(answer, separators=(",", ":"))


def _object(**fields: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def _shown(prompt: Prompt, exemplar: Exemplar) -> tuple[Message, Message]:
    """Show an exemplar as a question and its answer, in the very form of the real ones."""
    untimed = prompt.say("lines", "untimed")
    lines = [
        written_line(number, untimed, who, text)
        for number, (who, text) in enumerate(exemplar.lines, 1)
    ]
    asked = "\n".join(
        [
            prompt.say("clip", "untimed"),
            fenced(lines),
            "",
            request(prompt, Condition(Input.T, Prompting.ZERO_SHOT)),
        ]
    )
    answer = {
        "category": exemplar.practice,
        "level": exemplar.level,
        "evidence": [
            {"quote": quote, "utterances": list(numbers)} for quote, numbers in exemplar.evidence
        ],
    }
    said = json.dumps(answer, ensure_ascii=False)
    return Message("user", (asked,)), Message("assistant", (said,))


def _exemplar(entry: Mapping[str, Any]) -> Exemplar:
    return Exemplar(
        str(entry["practice"]),
        int(entry["level"]),
        tuple((str(who), str(text)) for who, text in entry["lines"]),
        tuple(
            (str(cited["quote"]), tuple(int(number) for number in cited["utterances"]))
            for cited in entry["evidence"]
        ),
    )
