"""Pairs from items of ours, and pairs as files in the shape that preference sets have.

A file has one JSON object a line with `prompt`, `chosen` and `rejected`; each may be a text, or
messages with `role` and `content` as chat models have them. `item_id`, `strategy`, `flaw`, `author`
and `origin` are written beside, and read where they are there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from app.audit.items import Axis, Item, Strategy
from app.audit.reward_records import Flaw, Pair, PairOrigin
from app.audit.rubric_files import is_sound
from app.benchmark.csv_text import text_of
from app.benchmark.json_text import json_lines
from app.benchmark.problems import Problem, TableRefused
from app.errors import ReportRefused
from app.running.questions import digest_of

MOST_LETTERS = 200
"""Of the name of who edited a pair, as a file gives it."""

_ANSWERS = ("chosen", "rejected")


def prompt_of(item: Item) -> str:
    """Give the scene and what is asked, as one text."""
    return "\n\n".join(part for part in (item.scene, item.prompt) if part)


def starter_pairs(items: Iterable[Item]) -> tuple[Pair, ...]:
    """Make pairs of our own two responses to each skill item: no expert wrote or saw them."""
    return tuple(
        Pair(
            item.item_id,
            item.group,
            prompt_of(item),
            chosen=item.passing,
            rejected=item.failing,
            flaw=None,
            origin=PairOrigin.STARTER,
        )
        for item in items
        if item.axis is Axis.SKILL and item.passing and item.failing
    )


def write_pairs(pairs: Iterable[Pair], path: Path) -> None:
    """Write pairs into a file, which appears whole or not at all.

    Raises:
        ReportRefused: There is such a file already, or it cannot be written.
    """
    if path.exists():
        raise ReportRefused(f"There is a file {path} already.", "Choose another name.")
    lines = [json.dumps(_record(pair), ensure_ascii=False) for pair in pairs]
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="")
        part.replace(path)
    except OSError as error:
        raise ReportRefused(
            f"The pairs could not be written to {path}: {error.strerror or error}.",
            "Choose another folder.",
        ) from error


def read_pairs(path: Path) -> tuple[Pair, ...]:
    """Read a file of pairs.

    Raises:
        TableRefused: It cannot be read, or a line of it is no pair; all that is wrong is named.
    """
    text = text_of(path)
    if isinstance(text, Problem):
        raise TableRefused(path.name, [text])
    problems: list[Problem] = []
    pairs = []
    for line, value in json_lines(text, problems):
        try:
            pairs.append(_pair(value))
        except ValueError as error:
            problems.append(Problem(line, f"{str(error)[0].upper()}{str(error)[1:]}."))
    if not pairs and not problems:
        problems.append(Problem(0, "The file has no pairs."))
    if problems:
        raise TableRefused(path.name, problems)
    return tuple(pairs)


def _record(pair: Pair) -> dict[str, str]:
    return {
        "prompt": pair.prompt,
        "chosen": pair.chosen,
        "rejected": pair.rejected,
        "item_id": pair.item_id,
        "strategy": pair.strategy,
        "flaw": str(pair.flaw or ""),
        "author": pair.author,
        "origin": str(pair.origin),
    }


def _pair(value: object) -> Pair:
    if not isinstance(value, dict):
        raise ValueError("a pair is a JSON object with “prompt”, “chosen” and “rejected”")
    if not is_sound(value):
        raise ValueError("half a character stands here, which cannot be kept")
    chosen, rejected = (_answer(value, name) for name in _ANSWERS)
    prompt = _prompt(value)
    item_id = _word(value, "item_id") or f"prompt-{digest_of(prompt)[:12]}"
    flaw, origin = _word(value, "flaw"), _word(value, "origin")
    return Pair(
        item_id,
        _strategy(_word(value, "strategy")),
        prompt,
        chosen,
        rejected,
        _flaw(flaw) if flaw else None,
        # A starter pair stays one, wherever it has been in between.
        PairOrigin.STARTER if origin == PairOrigin.STARTER else PairOrigin.BROUGHT_IN,
        " ".join(_word(value, "author").split())[:MOST_LETTERS],
    )


def _word(value: Mapping[str, Any], name: str) -> str:
    found = value.get(name) or ""
    if not isinstance(found, str | int):
        raise ValueError(f"“{name}” is not text")
    return str(found).strip()


def _strategy(word: str) -> str:
    if word and word not in tuple(Strategy):
        known = ", ".join(Strategy)
        raise ValueError(f"“{word}” is no strategy; these are: {known}")
    return word


def _flaw(word: str) -> Flaw:
    if word not in tuple(Flaw):
        raise ValueError(f"“{word}” is no flaw; these are: {', '.join(Flaw)}")
    return Flaw(word)


def _prompt(value: Mapping[str, Any]) -> str:
    """Give the prompt; sets without one repeat it at the head of both conversations."""
    found = value.get("prompt")
    if isinstance(found, str):
        return found.strip()
    messages = found if isinstance(found, list) else value.get("chosen")
    if not isinstance(messages, list):
        raise ValueError("there is no “prompt”")
    asked = [text for role, text in map(_message, messages) if role != "assistant"]
    if not asked:
        raise ValueError("there is no “prompt”")
    return "\n\n".join(asked)


def _answer(value: Mapping[str, Any], name: str) -> str:
    found = value.get(name)
    if isinstance(found, str):
        return found.strip()
    if not isinstance(found, list):
        raise ValueError(f"there is no “{name}”")
    said = [text for role, text in map(_message, found) if role == "assistant"]
    if not said:
        raise ValueError(f"“{name}” holds no message of an assistant")
    return said[-1].strip()


def _message(message: object) -> tuple[str, str]:
    if isinstance(message, dict):
        role, text = message.get("role"), message.get("content")
        if isinstance(role, str) and isinstance(text, str):
            return role, text
    raise ValueError("a message has a “role” and a “content”, both of them text")
