"""Whose model a model is at heart, as far as its name tells: judges may prefer their own family."""

from __future__ import annotations

import re

KNOWN = (
    "qwen",
    "gemma",
    "gemini",
    "llama",
    "mistral",
    "mixtral",
    "ministral",
    "phi",
    "gpt",
    "claude",
    "deepseek",
    "glm",
    "kimi",
    "granite",
    "olmo",
    "smollm",
    "command",
    "falcon",
    "internvl",
    "exaone",
    "nemotron",
    "grok",
)
_SAME = {
    "mixtral": "mistral",
    "ministral": "mistral",
    "gemma": "google",
    "gemini": "google",
}
# Google trains both on the same kind of data; a judge of one may well prefer the other.
_NAMES = re.compile(rf"(?<![a-z])({'|'.join(KNOWN)})(?![a-z])")


def family_of(*names: str) -> str:
    """Guess the family from the names of a model; empty when none or several are in them."""
    found = {_SAME.get(name, name) for told in names for name in _NAMES.findall(told.casefold())}
    # A file of llama.cpp is no model of the Llama family.
    if len(found) > 1:
        found.discard("llama")
    return found.pop() if len(found) == 1 else ""
