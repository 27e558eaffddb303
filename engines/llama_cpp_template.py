"""Put a question into the form that a model was trained on, by the template in its own file.

The template never sees the words of a lesson. It is filled with stand-ins, and the words are put
in their places as plain letters afterwards: so a transcript that holds `<|im_end|>` cannot end a
turn, and a template that drops, repeats or reorders any part is found out each time.
"""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.errors import EngineMissing
from app.running.questions import FrameRef, Message

PLAIN = "{% for message in messages %}{{ message['content'] }}\n\n{% endfor %}"
"""For models without a template, when a person asks for it: the texts, an empty line after each."""

_FAULTS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What the code in a template can raise when it meets something it was not written for."""

_OPEN, _CLOSE = "\ue1a0", "\ue1a1"
"""Signs of private use around the number of a stand-in; no template has them."""


@dataclass(frozen=True, slots=True)
class Own:
    """Text that the template wrote, in which signs such as `<|im_end|>` have their meaning."""

    text: str


Piece = Own | str | FrameRef
"""The template's own text, words of the question, or a frame."""


class Template:
    """A model's chat template.

    Args:
        source: Jinja text as in the model's file.
        bos: What the token at the start of a text writes, perhaps empty.
        eos: What the token at the end of a text writes, perhaps empty.

    Raises:
        EngineMissing: It is no template.
    """

    def __init__(self, source: str, bos: str = "", eos: str = "") -> None:
        self.source = source
        self._signs = {"bos_token": bos, "eos_token": eos}
        self._jinja: Any = importlib.import_module("jinja2")
        self._template = self._compile(source)

    @property
    def digest(self) -> str:
        """SHA-256 of the template."""
        return template_digest(self.source)

    def pieces(self, messages: Sequence[Message]) -> list[Piece]:
        """Give the whole prompt, up to where the model begins to write.

        Raises:
            EngineMissing: The template leaves something out, or refuses the messages.
        """
        parts = [part for message in messages for part in message.parts]
        problem = ""
        # Newer templates take a text, older ones of vision models only a list of parts.
        for shape in (_as_text, _as_list):
            try:
                filled = self._render(_numbered(messages, shape))
            except self._jinja.TemplateError as error:
                problem = problem or f"it says: {error}"
                continue
            except _FAULTS as error:
                problem = problem or f"it fails with: {error}"
                continue
            found = _taken_apart(filled, parts)
            if found is not None:
                return found
            problem = "it leaves out, repeats or reorders a part of the question"
        raise EngineMissing(
            f"The chat template of this model cannot carry the question: {problem}.",
            "Nothing was asked. Choose another model, or another file of this one.",
        )

    def _compile(self, source: str) -> Any:
        sandbox: Any = importlib.import_module("jinja2.sandbox")
        formats: Any = importlib.import_module("llama_cpp.llama_chat_format")
        shaper = formats.Jinja2ChatFormatter
        # As the makers of the models use it (transformers): trimmed blocks, loops with breaks.
        world = sandbox.ImmutableSandboxedEnvironment(
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=[shaper.IgnoreGenerationTags, "jinja2.ext.loopcontrols"],
        )
        world.filters["tojson"] = shaper.tojson
        world.globals["raise_exception"] = self._refuse
        try:
            return world.from_string(source)
        except self._jinja.TemplateError as error:
            raise EngineMissing(
                f"The chat template of this model cannot be read: {error}.",
                "Choose another file of this model.",
            ) from error

    def _refuse(self, words: str) -> None:
        raise self._jinja.TemplateError(words)

    def _render(self, messages: list[dict[str, Any]]) -> str:
        # No `strftime_now`: a prompt that changes with the date is another prompt every day.
        text = self._template.render(
            messages=messages,
            add_generation_prompt=True,
            enable_thinking=False,
            tools=None,
            **self._signs,
        )
        return str(text)


def template_digest(source: str) -> str:
    """Give the SHA-256 of a template."""
    return hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()


def _as_text(stand_ins: list[str]) -> object:
    return "".join(stand_ins)


def _as_list(stand_ins: list[str]) -> object:
    return [{"type": "text", "text": text} for text in stand_ins]


def _numbered(messages: Sequence[Message], shape: Any) -> list[dict[str, Any]]:
    shaped, number = [], 0
    for message in messages:
        stand_ins = [f"{_OPEN}{number + place}{_CLOSE}" for place in range(len(message.parts))]
        number += len(message.parts)
        shaped.append({"role": message.role, "content": shape(stand_ins)})
    return shaped


def _taken_apart(text: str, parts: Sequence[str | FrameRef]) -> list[Piece] | None:
    """Put the parts in the places of their stand-ins; `None` unless each stands there once."""
    found: list[Piece] = []
    rest = text
    for number, part in enumerate(parts):
        before, sign, rest = rest.partition(f"{_OPEN}{number}{_CLOSE}")
        if not sign or _OPEN in before:
            return None
        found += [Own(before), part] if before else [part]
    if _OPEN in rest:
        return None
    return [*found, Own(rest)] if rest else found
