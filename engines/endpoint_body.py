"""Put a question into the form that endpoints take."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from app.errors import MediaRefused
from app.running.questions import FrameRef, Message, Question

Pictures = Callable[[FrameRef], Path]
"""Gives the JPEG or PNG file of a frame, e.g. one written by the media's child process."""

_KINDS = ((b"\xff\xd8\xff", "image/jpeg"), (b"\x89PNG\r\n\x1a\n", "image/png"))


def body_head(question: Question, model: str, pictures: Pictures | None, schema_form: str) -> bytes:
    """Write what all draws of a question share: a JSON object that is not closed yet.

    Pictures travel inside it as data: addresses, never as addresses that a server would fetch.

    Args:
        question: What is asked.
        model: The model's name as the server knows it.
        pictures: Gives the file of a frame.
        schema_form: In which of `SCHEMA_FORMS` the server is given the schema of the answer;
            empty where it is left to the words.

    Raises:
        MediaRefused: A picture's file cannot be read or is no JPEG or PNG.
    """
    body: dict[str, Any] = {
        "model": model,
        "messages": [_message(message, pictures) for message in question.messages],
        "temperature": question.sampler.temperature,
        "top_p": question.sampler.top_p,
        "stream": False,
    }
    if question.schema and schema_form:
        body["response_format"] = response_format(json.loads(question.schema), schema_form)
    return json.dumps(body, separators=(",", ":")).encode()[:-1]


def whole_body(head: bytes, limit_name: str, max_tokens: int, seed: int) -> bytes:
    """Close what `body_head` began, for one draw."""
    return head + f',"{limit_name}":{max_tokens},"seed":{seed}}}'.encode()


def response_format(schema: dict[str, Any], form: str) -> dict[str, Any]:
    """Ask that the answer keeps a JSON schema, strictly, in one of `SCHEMA_FORMS`."""
    if form == "json_object":
        return {"type": "json_object", "schema": schema}
    return {
        "type": "json_schema",
        "json_schema": {"name": "answer", "strict": True, "schema": schema},
    }


def text_length(messages: Sequence[Message]) -> int:
    """Count the characters of text in a question."""
    return sum(len(part) for m in messages for part in m.parts if isinstance(part, str))


def data_url(picture: bytes, name: str = "A picture") -> str:
    """Write a picture as an address that holds all of it.

    Raises:
        MediaRefused: It is neither JPEG nor PNG.
    """
    kind = next((kind for mark, kind in _KINDS if picture.startswith(mark)), None)
    if kind is None:
        raise MediaRefused(
            f"{name} is neither JPEG nor PNG.", "Have the pictures of this recording made anew."
        )
    return f"data:{kind};base64,{base64.b64encode(picture).decode()}"


def _message(message: Message, pictures: Pictures | None) -> dict[str, Any]:
    if all(isinstance(part, str) for part in message.parts):
        return {"role": message.role, "content": "".join(map(str, message.parts))}
    return {"role": message.role, "content": [_part(part, pictures) for part in message.parts]}


def _part(part: str | FrameRef, pictures: Pictures | None) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    return {"type": "image_url", "image_url": {"url": data_url(_read(part, pictures), _name(part))}}


def _read(frame: FrameRef, pictures: Pictures | None) -> bytes:
    if pictures is None:
        raise MediaRefused(f"{_name(frame)} cannot be shown: nothing gives its picture.")
    path = pictures(frame)
    try:
        return path.read_bytes()
    except OSError as error:
        raise MediaRefused(
            f"{_name(frame)} cannot be read: {error.strerror}.",
            "Have the pictures of this recording made anew.",
        ) from error


def _name(frame: FrameRef) -> str:
    return f"The frame at {frame.time_ms} ms of {Path(frame.media_path).name}"
