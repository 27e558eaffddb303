"""What a server was found to do: records that are stored beside its endpoint and shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from app.errors import Refused

Answer = Literal["yes", "no", "unknown"]

SCHEMA_FORMS = ("json_schema", "json_object")
"""The two ways in which servers take a schema, named by the `type` of `response_format`: the one
that OpenAI and vLLM know, and the one that llama-cpp-python's server knows instead."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found on one point."""

    answer: Answer
    reason: str
    """In plain words, the middle of a sentence."""

    @property
    def is_yes(self) -> bool:
        """Whether it was shown to be so."""
        return self.answer == "yes"

    @property
    def is_no(self) -> bool:
        """Whether it was shown not to be so."""
        return self.answer == "no"


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a server was found to do, to be stored and shown beside its endpoint."""

    when: str
    """The moment, as the caller gave it."""
    model: str
    """The model's name as the server gave it."""
    fingerprint: str
    schema: Finding
    """Whether answers are held to a JSON schema even where the question asks for the contrary."""
    images: Finding
    """Whether pictures are really seen."""
    image_count: int | None
    """How many pictures one question may carry; `None` where pictures are not seen."""
    long_prompt: Finding
    """Yes: long texts arrive whole or are refused. No: their beginning is cut without a word."""
    kept_chars: int | None
    """Longest text that was seen to arrive whole."""
    logprobs: Finding
    context_tokens: int | None
    """Longest text and answer together, as the server says."""
    schema_form: str = "json_schema"
    """Which of `SCHEMA_FORMS` held answers to a schema; the first where neither did."""

    def to_json(self) -> dict[str, Any]:
        """Give what the settings keep."""
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Capabilities:
        """Read what `to_json` gave.

        Raises:
            Refused: It is not that; the server should be asked again.
        """
        try:
            given = dict(stored)
            for name in ("schema", "images", "long_prompt", "logprobs"):
                given[name] = _finding(given[name])
            for name in ("image_count", "kept_chars", "context_tokens"):
                if given[name] is not None and type(given[name]) is not int:
                    raise ValueError(name)
            # What was found out before there were two forms was found out with the first.
            if given.get("schema_form", SCHEMA_FORMS[0]) not in SCHEMA_FORMS:
                raise ValueError("schema_form")
            return cls(**given)
        except (KeyError, TypeError, ValueError):
            raise Refused(
                "What was found out about an endpoint cannot be read.", "Have it found out again."
            ) from None


def _finding(stored: Mapping[str, Any]) -> Finding:
    if stored["answer"] not in ("yes", "no", "unknown") or not isinstance(stored["reason"], str):
        raise ValueError("not a finding")
    return Finding(stored["answer"], stored["reason"])
