"""What the core and the window know of endpoints, in plain tables and plain words.

Light: the client and all that it needs are imported where a server is asked, in a child process.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.endpoint_fields import WrongEndpoint
from app.endpoints import EndpointState, Found
from app.errors import MediaRefused, Refused
from app.running.protocols import Report
from app.running.questions import FrameRef, Message, Question, RawAnswer
from engines.endpoint_capabilities import Capabilities, Finding
from engines.endpoints import Endpoint

if TYPE_CHECKING:
    from engines.openai_api import OpenAIChat

MOST_PICTURE_BYTES = 20_000_000
"""More than any frame; what is larger was hardly meant for a model."""

TRIAL_PX = 1024
"""Longest side at which a model on this computer is shown a picture; endpoints get the file."""

_PICTURES = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n")


class Rules:
    """Reads the tables of endpoints; `app.endpoints.EndpointRules` says what each method does."""

    probe = "engines.endpoint_rules:probe_once"
    ask = "engines.endpoint_rules:ask_once"

    def read(
        self, stored: Mapping[str, Any], found: Mapping[str, Any] | None = None
    ) -> EndpointState:
        """Say what a table means."""
        endpoint = Endpoint.from_json(stored)
        if endpoint.key_from != "environment":
            # What was typed there by mistake might be the key itself, which is never written.
            endpoint = replace(endpoint, key_variable="")
        known = Capabilities.from_json(found) if found is not None else None
        return EndpointState(
            name=endpoint.name,
            base_url=endpoint.base_url,
            model=endpoint.model,
            is_on=endpoint.is_on,
            stays_here=endpoint.is_local,
            where=endpoint.goes_to.removeprefix(f"{endpoint.name}: "),
            key_words=_key_words(endpoint),
            stored=endpoint.to_json(),
            found=_found(known) if known else (),
            found_at=known.when if known else "",
        )

    def keyring_trouble(self) -> str:
        """Say why keys cannot be kept in the system's keyring."""
        from engines.keys import keyring_trouble

        return keyring_trouble()

    def save_key(self, stored: Mapping[str, Any], key: str) -> None:
        """Keep a key in the system's keyring."""
        from engines.keys import save_key

        save_key(Endpoint.from_json(stored), key)

    def forget_key(self, stored: Mapping[str, Any]) -> None:
        """Take the key out of the keyring."""
        from engines.keys import forget_key

        forget_key(_key_holder(stored))


def probe_once(
    stored: Mapping[str, Any], when: str, report: Report, stop: threading.Event
) -> dict[str, Any]:
    """Test an endpoint and give what was found, as `Capabilities.to_json` does.

    Raises:
        EngineMissing: It is off, or cannot be used.
        EngineStopped: The server went away.
        Cancelled: `stop` was set.
    """
    chat = _chat(stored, None)
    try:
        return chat.probe(when, report, stop).to_json()
    finally:
        chat.close()


def ask_once(
    stored: Mapping[str, Any],
    found: Mapping[str, Any] | None,
    text: str,
    picture: str,
    schema: str,
    report: Report,
    stop: threading.Event,
) -> RawAnswer:
    """Ask an endpoint one question.

    Args:
        stored: The endpoint.
        found: What a test found out about it; `None` before one.
        text: The question.
        picture: A JPEG or PNG file; empty for none.
        schema: JSON Schema of the answer; empty for free text.
        report: Told what is being waited for.
        stop: Set to stop.

    Raises:
        EngineMissing: It is off, or cannot be used.
        EngineStopped: The server went away.
        MediaRefused: The picture cannot be shown.
        Cancelled: `stop` was set.
    """
    question = trial(text, picture, schema)
    chat = _chat(stored, found)
    try:
        report(0.0, "waiting for the answer")
        return chat.ask(question, [0], report, stop)[0]
    finally:
        chat.close()


def trial(text: str, picture: str, schema: str) -> Question:
    """Make a question outside of any lesson.

    Raises:
        MediaRefused: The picture cannot be shown.
    """
    shown = (_frame(Path(picture)),) if picture else ()
    return Question("try it", (Message("user", (*shown, text)),), schema)


def _key_holder(stored: Mapping[str, Any]) -> Endpoint:
    """Give as much of an endpoint as its key is known by, though the rest may make no sense."""
    known = {name: stored.get(name) for name in ("name", "base_url")}
    try:
        return Endpoint.from_json({**known, "model": "any", "allows_plain": True})
    except WrongEndpoint as error:
        raise Refused(
            f"Which key belongs to the endpoint {known['name']} cannot be told: its address "
            "cannot be read.",
            "If it had one, delete it in the system's keyring, under the name clerestory.",
        ) from error


def _chat(stored: Mapping[str, Any], found: Mapping[str, Any] | None) -> OpenAIChat:
    from engines.openai_api import OpenAIChat

    known = Capabilities.from_json(found) if found is not None else None
    return OpenAIChat(Endpoint.from_json(stored), known, pictures=_file_of)


def _file_of(frame: FrameRef) -> Path:
    return Path(frame.media_path)


def _frame(path: Path) -> FrameRef:
    try:
        if path.stat().st_size > MOST_PICTURE_BYTES:
            raise MediaRefused(
                f"{path.name} is larger than {MOST_PICTURE_BYTES // 1_000_000} MB.",
                "Choose a smaller picture.",
            )
        content = path.read_bytes()
    except OSError as error:
        raise MediaRefused(
            f"{path.name} cannot be read: {error.strerror}.", "Choose another picture."
        ) from error
    if not content.startswith(_PICTURES):
        raise MediaRefused(f"{path.name} is neither JPEG nor PNG.", "Choose another picture.")
    return FrameRef(str(path), hashlib.sha256(content).hexdigest(), 0, TRIAL_PX)


def _key_words(endpoint: Endpoint) -> str:
    if endpoint.key_from == "keyring":
        return "Its key lies in the system's keyring."
    if endpoint.key_from == "environment":
        return f"Its key is read from the environment variable {endpoint.key_variable}."
    return "It is asked without a key."


def _found(known: Capabilities) -> tuple[Found, ...]:
    pictures = known.image_count
    told = [
        _told("Is the schema kept?", known.schema),
        _told("Are pictures seen?", known.images),
        _told("Do long texts arrive whole?", known.long_prompt),
        _told("Does it give probabilities?", known.logprobs),
    ]
    if pictures is not None:
        told.insert(2, Found("How many pictures at once?", "yes", f"At least {pictures}."))
    if known.context_tokens is not None:
        words = f"{known.context_tokens:,} tokens, says the server."
        told.append(Found("How long may text and answer be?", "yes", words))
    return tuple(told)


def _told(question: str, finding: Finding) -> Found:
    shown = {"yes": "Yes", "no": "No", "unknown": "Not known"}[finding.answer]
    return Found(question, finding.answer, f"{shown}: {finding.reason.rstrip('.')}.")
