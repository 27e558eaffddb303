"""What a model is asked and what came back: the records between coders, the runner and engines.

A question is asked of one engine; each of its draws is an answer of its own with a key of its own.
Frames travel as references and are decoded where the model is, never pushed through a pipe.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any, Protocol

from app.running.protocols import EngineFacts, Report

KEY_VERSION = "1"
"""Changed when the meaning of a key changes, so that no older answer is taken for a newer."""


@dataclass(frozen=True, slots=True)
class FrameRef:
    """One picture of a recording, by place and moment."""

    media_path: str
    """Where the recording lies now; not part of any key, since files move."""
    fingerprint: str
    """SHA-256 of the recording as `MediaFacts.fingerprint`."""
    time_ms: int
    max_px: int
    """Longest side in pixels."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of what the model is shown."""

    role: str
    """`system`, `user` or `assistant`."""
    parts: tuple[str | FrameRef, ...]
    """Text and frames in the order the model sees them."""


@dataclass(frozen=True, slots=True)
class Sampler:
    """How the model writes."""

    temperature: float = 0.0
    max_tokens: int = 1024
    seed: int = 0
    """Seed of the first draw; draw n uses `seed + n`."""
    top_p: float = 1.0


@dataclass(frozen=True, slots=True)
class Question:
    """One thing to ask a model, so many times.

    The prefix that questions share (instructions, exemplars, frames) comes first in `messages`,
    so that an engine can keep it; what changes from question to question comes last.
    """

    name: str
    """Where it belongs, for people and for logs, e.g. `practice clip 3 TV few_shot`."""
    messages: tuple[Message, ...]
    schema: str
    """JSON Schema of the answer as canonical JSON text; empty for free text."""
    sampler: Sampler = field(default_factory=Sampler)
    draws: int = 1
    prompt_version: str = ""
    """Name and version of the prompt file it was made from."""

    def key(self, identity: Sequence[tuple[str, str]], draw: int) -> str:
        """Give the stable name of one draw: 64 hex digits.

        Covers everything that could change the answer: the words, the frames by content and
        moment, the schema, the sampler, the draw, and the model's identity (weights, projector,
        template or endpoint). Change any and it is asked again, change none and it is not.
        """
        return self.keys(identity, (draw,))[0]

    def keys(self, identity: Sequence[tuple[str, str]], draws: Iterable[int]) -> list[str]:
        """Give the stable names of several draws, as `key` does."""
        shared = f"{KEY_VERSION} {identity_digest(tuple(identity))} {self._parts()}"
        return [_digest_of_words(f"{shared} {draw}") for draw in draws]

    @property
    def digest(self) -> str:
        """Name what is asked by its content, whoever is asked: 64 hex digits."""
        return _digest_of_words(self._parts())

    def _parts(self) -> str:
        messages = " ".join(map(message_digest, self.messages))
        return f"{_sampler_digest(self.sampler)} {_text_digest(self.schema)} {messages}"

    @property
    def frames(self) -> tuple[FrameRef, ...]:
        """All frames in the order the model sees them."""
        return tuple(p for m in self.messages for p in m.parts if isinstance(p, FrameRef))


def digest_of(told: object) -> str:
    """Give the SHA-256 of anything JSON can hold, as 64 hex digits.

    JSON, so that no two different lists of parts ever run into the same text.
    """
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _digest_of_words(words: str) -> str:
    # Digests and numbers hold no blanks, so that no two lists of them run into the same words.
    return hashlib.sha256(words.encode()).hexdigest()


def message_digest(message: Message) -> str:
    """Name a message by its content. Kept for plain texts, which many questions share."""
    return _plain_digest(message) if len(message.parts) == 1 else _message_digest(message)


def _message_digest(message: Message) -> str:
    # Each part says how long it is, so that no two lists of parts run into the same text.
    parts = [
        f"{len(part)} {part}"
        if isinstance(part, str)
        else f"frame {len(part.fingerprint)} {part.fingerprint} {part.time_ms} {part.max_px} "
        for part in message.parts
    ]
    text = f"{len(message.role)} {message.role}{''.join(parts)}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


_plain_digest = lru_cache(maxsize=256)(_message_digest)


def message_content(message: Message) -> list[object]:
    """Give what a message says and shows as JSON can hold it: frames by content and moment."""
    return [message.role, [_content(part) for part in message.parts]]


def _content(part: str | FrameRef) -> list[object]:
    if isinstance(part, str):
        return ["text", part]
    return ["frame", part.fingerprint, int(part.time_ms), int(part.max_px)]


@lru_cache(maxsize=256)
def _sampler_digest(sampler: Sampler) -> str:
    # Made plain numbers first: 0 and 0.0 are equal, and must not be named differently.
    numbers = (float(sampler.temperature), int(sampler.max_tokens), int(sampler.seed))
    return digest_of([*numbers, float(sampler.top_p)])


@lru_cache(maxsize=64)
def _text_digest(text: str) -> str:
    return digest_of(text)


@lru_cache(maxsize=64)
def identity_digest(identity: tuple[tuple[str, str], ...]) -> str:
    """Name a model by all that pins it down, whatever the order."""
    return digest_of(sorted(identity))


class Status(StrEnum):
    """How an attempt at a model ended (protocols, rules for all parts)."""

    OK = "ok"
    RETRY_OK = "retry-ok"
    """Kept the schema at the second attempt, after the error was shown to the model."""
    SCHEMA_FAIL = "schema-fail"
    REFUSAL = "refusal"
    TRUNCATED = "truncated"
    """The prompt was cut, or the answer ended at the token limit."""
    BACKEND_ERROR = "backend-error"
    JUDGE_FAIL = "judge-fail"


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """What an engine gives back for one draw, before anybody has looked whether it is usable."""

    text: str
    finish: str
    """`stop`, `length`, `refusal`, `content_filter` or `error`."""
    tokens_in: int | None = None
    tokens_cached: int | None = None
    """How many of `tokens_in` were not computed again; `None` when the engine does not say."""
    tokens_out: int | None = None
    seconds: float = 0.0
    error: str = ""
    """Plain words, when `finish` is `error`."""
    details: tuple[tuple[str, str], ...] = ()
    """What the engine tells beside: fingerprint of the server, frames encoded, cost."""


class Chat(Protocol):
    """A model that answers questions with text and, when it can, frames."""

    def facts(self) -> EngineFacts:
        """Say what this is; its `identity` goes into every key."""

    def ask(
        self,
        question: Question,
        draws: Sequence[int],
        report: Report,
        stop: threading.Event,
    ) -> list[RawAnswer]:
        """Answer the given draws of a question, in that order, decoding them together if it can.

        Raises:
            EngineStopped: The process or the server went away; nothing of this question is known.
            EngineMissing: The model is not there or cannot be used, e.g. the schema is refused.
            Cancelled: `stop` was set.
        """


ReadAnswer = Callable[[str], Any]
"""Turns the text of an answer into a record, or raises `BadAnswer` with what is wrong with it."""
