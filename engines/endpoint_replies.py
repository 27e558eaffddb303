"""Read what an endpoint sent back. Nothing is repaired; what is no answer is called that."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin, urlsplit

from engines.endpoint_door import Reply
from engines.endpoint_line import asked_wait
from engines.endpoint_trouble import Kind, Trouble
from engines.endpoints import Endpoint

FINISHES = {
    "stop": "stop",
    "eos": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "length": "length",
    "max_tokens": "length",
    "content_filter": "content_filter",
    "refusal": "refusal",
}
"""What servers call the end of an answer, and what we call it. Anything else is an error."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call as the server counted them; `None` where it did not say."""

    tokens_in: int | None = None
    tokens_cached: int | None = None
    tokens_out: int | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """What a model wrote, untouched, and what the server said beside."""

    text: str
    finish: str
    error: str
    usage: Usage
    model: str
    """The model's name as the server gave it; may be more exact than what was asked for."""
    fingerprint: str
    reasoning: str
    """What a thinking model wrote before; kept apart by the server."""


def judge(reply: Reply, endpoint: Endpoint, hide: Callable[[str], str]) -> Trouble | None:
    """Say what is wrong with a reply; `None` when it holds the data that was asked for.

    Args:
        reply: What came back.
        endpoint: Who was asked.
        hide: Takes the key out of the server's words.
    """
    if 300 <= reply.status < 400:
        return _redirected(reply, endpoint)
    data = reply.data
    if isinstance(data, dict) and data.get("error"):
        code, words = _error(data["error"])
        status = reply.status if reply.status >= 400 else code or 500
        return _refused(status, hide(words), reply, endpoint)
    if reply.status >= 400:
        # Without the server's form of an error, its words may be a whole page: they are left out.
        words = _plain(hide(_told(data)))
        return _refused(reply.status, words, reply, endpoint)
    if reply.status != 200:
        return _odd(endpoint, f"it answered with status {reply.status}")
    if isinstance(data, dict):
        return None
    kind = _plain(hide(reply.headers.get("content-type", "no type at all")))[:60]
    return _odd(endpoint, f"it sent {kind or 'no type at all'}, which is not an answer in JSON")


def read_written(reply: Reply, endpoint: Endpoint, hide: Callable[[str], str]) -> Written:
    """Read the answer in a reply that `judge` had nothing against.

    Raises:
        Trouble: There is no answer in it.
    """
    data = reply.data
    choices = data.get("choices") if isinstance(data, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    if not isinstance(data, dict) or not isinstance(first, dict) or not isinstance(message, dict):
        raise _odd(endpoint, "there is no answer in what it sent")
    text, finish, error = _ended(message, first.get("finish_reason"))
    return Written(
        hide(text),
        finish,
        error,
        _usage(data.get("usage")),
        hide(_text(data.get("model")))[:200],
        hide(_text(data.get("system_fingerprint")))[:200],
        hide(_text(message.get("reasoning_content")) or _text(message.get("reasoning"))),
    )


def _ended(message: dict[str, Any], reason: object) -> tuple[str, str, str]:
    """Give the text, how it ended, and what is wrong with that."""
    refusal = _text(message.get("refusal"))
    if refusal:
        return refusal, "refusal", ""
    text = _content(message.get("content"))
    finish = FINISHES.get(reason, "error") if isinstance(reason, str) else "error"
    if finish == "error":
        said = f"({_plain(reason)[:40]})" if isinstance(reason, str) else "(it did not say how)"
        return text, "error", f"The answer did not come to an end that is known {said}."
    if finish == "stop" and not text.strip():
        return text, "error", "The model gave an empty answer."
    return text, finish, ""


def _content(content: object) -> str:
    if isinstance(content, list):
        return "".join(_text(part.get("text")) for part in content if isinstance(part, dict))
    return _text(content)


def _usage(usage: object) -> Usage:
    if not isinstance(usage, dict):
        return Usage()
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    return Usage(
        _count(usage.get("prompt_tokens")), _count(cached), _count(usage.get("completion_tokens"))
    )


def _count(value: object) -> int | None:
    return value if type(value) is int and 0 <= value < 1 << 40 else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _error(error: object) -> tuple[int | None, str]:
    """Read an error in any of the forms that servers give it."""
    if not isinstance(error, dict):
        return None, _plain(_text(error))
    code = error.get("code", error.get("status"))
    number = (
        int(code) if isinstance(code, (int, str)) and re.fullmatch(r"[45]\d\d", str(code)) else None
    )
    named = [_text(error.get(name)) for name in ("message", "code", "type", "param")]
    return number, _plain(" ".join(word for word in named if word))


def _told(data: object) -> str:
    """Read the words of an error that has no form of its own."""
    if not isinstance(data, dict):
        return ""
    return next((data[n] for n in ("message", "detail") if isinstance(data.get(n), str)), "")


def _plain(words: str) -> str:
    """Bring a server's words into one short line."""
    line = " ".join("".join(c if c.isprintable() else " " for c in words[:2000]).split())
    return line if len(line) <= 300 else f"{line[:299]}…"


_CREDIT = re.compile(r"insufficient_quota|exceeded your current quota|credit|billing", re.I)
_TOO_LONG = re.compile(
    r"context_length|context length|context size|context window|too long|too many tokens|"
    r"exceed_context|maximum.{0,30}tokens",
    re.I,
)
_SCHEMA = re.compile(r"response_format|json_schema|schema|grammar|guided|structured", re.I)
_PICTURES = re.compile(r"image|multimodal|multi-modal|vision|mmproj", re.I)
_INVALID = re.compile(r"validation error|literal_error|Input should be", re.I)
_FILTERED = re.compile(r"content_filter|content management|safety", re.I)


def _refused(status: int, words: str, reply: Reply, endpoint: Endpoint) -> Trouble:
    said = f" It said: {words}" if words else ""
    who = endpoint.origin
    if status == 402 or (status == 429 and _CREDIT.search(words)):
        return _unusable(f"There is no credit left at {who}.{said}", "Add credit there.")
    if status in (429, 529):
        return Trouble(
            Kind.BUSY,
            f"The server {who} has too much to do.{said}",
            "Try again later, or let fewer calls be under way at once.",
            asked_wait(reply),
        )
    if status in (401, 403):
        return _unusable(
            f"The server {who} does not accept the key (status {status}).{said}",
            "Enter the right key in the settings.",
        )
    if status in (404, 405):
        return _unusable(
            f"There is no model called {endpoint.model} at {endpoint.base_url} "
            f"(status {status}).{said}",
            "Look after the address, which often ends in /v1, and the model's name.",
        )
    if status in (502, 503, 504):
        return Trouble(
            Kind.AWAY,
            f"The server {who} is not ready (status {status}).{said}",
            "It may be starting, or loading its model: try again later.",
            asked_wait(reply),
        )
    if status == 500 and _INVALID.search(words):
        # llama-cpp-python's server answers 500 where it means that it cannot take the request.
        return _request_refused(status, words, said, endpoint)
    if status >= 500 or status in (408, 409, 425):
        return Trouble(
            Kind.FAILED,
            f"The server {who} met a fault (status {status}).{said}",
            wait_s=asked_wait(reply),
        )
    return _request_refused(status, words, said, endpoint)


def _request_refused(status: int, words: str, said: str, endpoint: Endpoint) -> Trouble:
    """Tell apart what the server has against this one question and what against all."""
    who = endpoint.origin
    if status == 413 or _TOO_LONG.search(words):
        return Trouble(Kind.ODD, f"The question is longer than {endpoint.model} takes.{said}")
    if _FILTERED.search(words):
        return Trouble(Kind.ODD, f"The server {who} keeps this question from its model.{said}")
    if _SCHEMA.search(words):
        return _unusable(
            f"The server {who} does not take the form that answers must have.{said}",
            "Test it on the Models page, which finds out whether it takes another form; if not, "
            "choose a server that keeps a JSON schema, such as vLLM or llama-server.",
        )
    if _PICTURES.search(words):
        return _unusable(
            f"{endpoint.model} at {who} does not take these pictures.{said}",
            "Choose a model that sees, or ask with fewer frames.",
        )
    return Trouble(Kind.ODD, f"The server {who} refused the question (status {status}).{said}")


def _redirected(reply: Reply, endpoint: Endpoint) -> Trouble:
    try:
        target = urlsplit(urljoin(endpoint.base_url, reply.headers.get("location", "")))
        where = _plain(target.hostname or "")[:100]
    except ValueError:
        where = ""
    return _unusable(
        f"The server {endpoint.origin} sends us on to {where or 'another address'}; nothing was "
        "sent there.",
        "If that is where the model is, give that address yourself.",
    )


def _unusable(message: str, hint: str) -> Trouble:
    return Trouble(Kind.UNUSABLE, message, hint)


def _odd(endpoint: Endpoint, what: str) -> Trouble:
    return Trouble(Kind.ODD, f"The server {endpoint.origin} gave no answer: {what}.")
