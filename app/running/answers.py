"""Open what a model wrote: find the answer in it, and say what stood around it.

Nothing is mended in silence. Thinking, fences and signs of the template may be taken off, and
each is named. What had to be repaired to be read at all says so, and is never taken for a sound
answer by the runner; the raw text is kept in any case.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from app.running.questions import Status
from app.running.repairs import NotRepaired, Unfinished, repair
from app.running.sound_json import NotSound, read_json, read_json_start

END_TOKENS = ("<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|end|>", "<end_of_turn>", "</s>")
"""Signs by which chat templates end a turn, which some servers leave in the text."""

_THINKING = (("<think>", "</think>"), ("<thinking>", "</thinking>"))
_FENCE = re.compile(r"```[A-Za-z0-9_+-]{0,20}[ \t]*\r?\n")
_TOOL = ("<tool_call>", "</tool_call>")

# The first person and close by what cannot be done: "the teacher cannot help" is no refusal.
_REFUSAL = re.compile(
    r"\b(?:i|we)(?:'m| am| are)?\s+(?:\w+,?\s+){0,3}?"
    r"(?:can(?:no|')t|can not|won't|will not|unable to|not able to|decline|refuse)\b"
    r"[^.!?\n]{0,80}?\b(?:help|assist|comply|provide|answer|do (?:that|this|so)|fulfill?|evaluate|"
    r"engage|respond|analy[sz]e|identify|rate|judge|assess|continue|discuss|describe|code)\b",
    re.IGNORECASE,
)
_REFUSAL_LOOK = 400
"""Characters looked at: a refusal says so at once."""


@dataclass(frozen=True, slots=True)
class Opened:
    """An answer that can be read, apart from what stood around it."""

    text: str
    """The answer alone: sound JSON where JSON was asked for."""
    value: Any = None
    """What the JSON says; `None` for free text."""
    taken_off: tuple[str, ...] = ()
    """What stood around it, e.g. `thinking (57 characters)`."""
    repairs: tuple[str, ...] = ()
    """What had to be changed before it could be read; empty for a sound answer."""


@dataclass(frozen=True, slots=True)
class Unusable:
    """An answer that says nothing, and why."""

    status: Status
    reason: str
    """A plain sentence, fit to be shown to the model as well."""
    may_ask_again: bool = False
    """Whether showing the reason to the model could help."""


def open_answer(text: str, finish: str = "stop", *, as_json: bool = True) -> Opened | Unusable:
    """Find the answer in what a model wrote.

    Args:
        text: All it wrote.
        finish: How it ended, as `RawAnswer.finish`.
        as_json: Whether JSON was asked for; otherwise only thinking and end signs come off.
    """
    ended = _bad_end(text, finish)
    if ended is not None:
        return ended
    if as_json and text.startswith("{"):
        # By far the most common: nothing stands around it.
        with suppress(NotSound):
            return Opened(text, read_json(text))
    rest, taken_off = _take_off_ends(text)
    thought = _take_off_thinking(rest)
    if thought is None:
        return Unusable(Status.TRUNCATED, "The text ends while the model is still thinking.", True)
    rest = thought[0]
    taken_off += thought[1]
    if not rest:
        what = "nothing but thinking" if thought[1] else "empty"
        return Unusable(Status.SCHEMA_FAIL, f"The answer is {what}.", True)
    if not as_json:
        return Opened(rest, None, taken_off)
    found = _open_json(rest)
    if isinstance(found, Opened):
        return replace(found, taken_off=taken_off + found.taken_off)
    return found


def looks_like_refusal(text: str) -> bool:
    """Say whether a text without the answer asked for is a refusal in words."""
    start = text[:_REFUSAL_LOOK].replace("’", "'")
    return "{" not in start and _REFUSAL.search(start) is not None


def _bad_end(text: str, finish: str) -> Unusable | None:
    if finish == "stop":
        return None
    if finish in ("refusal", "content_filter"):
        return Unusable(Status.REFUSAL, "The model, or a filter before it, refused to answer.")
    if finish == "length":
        where = "" if text.strip() else " before the answer began, most likely by thinking"
        return Unusable(Status.TRUNCATED, f"The limit of tokens was used up{where}.")
    return Unusable(Status.BACKEND_ERROR, f"The answer ended in an unknown way ({finish}).")


def _take_off_ends(text: str) -> tuple[str, tuple[str, ...]]:
    """Take off white space, a byte order mark, and the signs by which a template ends a turn."""
    rest = text.strip().removeprefix("\ufeff").strip()
    taken_off: tuple[str, ...] = ()
    for sign in END_TOKENS:
        if rest.endswith(sign):
            rest = rest.removesuffix(sign).rstrip()
            taken_off = (*taken_off, f"the sign {sign}")
    return rest, taken_off


def _take_off_thinking(text: str) -> tuple[str, tuple[str, ...]] | None:
    """Take off the thinking at the start; `None` when it has no end.

    Some templates open the thinking in the prompt, so that only its end is in the text.
    """
    for opening, closing in _THINKING:
        end = text.find(closing)
        if text.startswith(opening):
            if end < 0:
                return None
            return _after(text, end + len(closing), end - len(opening))
        if end >= 0 and not text.startswith(("{", "[")):
            return _after(text, end + len(closing), end)
    return text, ()


def _after(text: str, at: int, length: int) -> tuple[str, tuple[str, ...]]:
    return text[at:].strip(), (f"thinking ({length} characters)",)


def _open_json(text: str) -> Opened | Unusable:
    try:
        return Opened(text, read_json(text))
    except NotSound as error:
        whole = error
    try:
        for take_off in (_from_fence, _from_tool_call, _from_start):
            found = take_off(text, read_json_start)
            if found is not None:
                return found
    except NotSound as error:
        whole = error
    if looks_like_refusal(text):
        return Unusable(Status.REFUSAL, "The model refused in words where JSON was asked for.")
    return _repaired(text, whole) if whole.mendable else _not_json(whole)


def _not_json(error: NotSound) -> Unusable:
    return Unusable(Status.SCHEMA_FAIL, f"The answer is not sound JSON: {error}.", True)


def _repaired(text: str, broken: NotSound) -> Opened | Unusable:
    """Read broken JSON if there is one plain way to do so, naming each thing that was changed."""
    repairs: list[str] = []

    def read(part: str) -> tuple[Any, int]:
        value, end, made = repair(part)
        repairs.extend(made)
        return value, end

    try:
        for take_off in (_from_fence, _from_tool_call, _from_start):
            found = take_off(text, read)
            if found is not None:
                text = json.dumps(found.value, ensure_ascii=False)
                return replace(found, text=text, repairs=tuple(dict.fromkeys(repairs)))
    except Unfinished:
        # A server may call an answer complete that it cut at its own limit: it never is.
        return Unusable(Status.TRUNCATED, "The JSON ends before it is complete.", True)
    except (NotRepaired, NotSound):
        pass
    return _not_json(broken)


_Reader = Callable[[str], tuple[Any, int]]
"""Reads the JSON a text starts with; gives the value and where it ends."""


def _from_fence(text: str, read: _Reader) -> Opened | None:
    """Open an answer in a code fence, with words around it that hold no other answer."""
    fence = _FENCE.search(text)
    if fence is None or any(sign in text[: fence.start()] for sign in "{["):
        return None
    body = text[fence.end() :]
    if body.lstrip().startswith("```"):
        raise NotSound("the code fence is empty", mendable=False)
    value, end = read(body)
    closing = body[end:].lstrip()
    if not closing.startswith("```"):
        return None
    taken_off = ["a code fence"]
    for where, words in (("before", text[: fence.start()]), ("after", closing[3:])):
        taken_off += _words_around(where, words)
    return Opened(body[:end].strip(), value, tuple(taken_off))


def _from_tool_call(text: str, read: _Reader) -> Opened | None:
    opening, closing = _TOOL
    if not text.startswith(opening):
        return None
    body = text.removeprefix(opening)
    value, end = read(body)
    if body[end:].strip() != closing:
        return None
    return Opened(body[:end].strip(), value, ("tool call tags",))


def _from_start(text: str, read: _Reader) -> Opened | None:
    """Open an answer at the start of the text, with words after it that hold no other answer."""
    if not text.startswith(("{", "[")):
        return None
    value, end = read(text)
    if text[end:].lstrip().startswith(("}", "]", ",", ":", '"', "'")):
        raise NotSound(f"{text[end:].strip()[:20]!r} follows the end")
    return Opened(text[:end], value, tuple(_words_around("after", text[end:])))


def _words_around(where: str, words: str) -> list[str]:
    words = words.strip()
    if "{" in words or "```" in words:
        raise NotSound("there is more than one answer", mendable=False)
    return [f"text {where} the answer ({len(words)} characters)"] if words else []
