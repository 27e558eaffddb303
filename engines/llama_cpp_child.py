"""Local models as the program uses them: the same questions, answered in the child process.

The functions here run in the child, which keeps one model in memory; frames are decoded there.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import cast

from app.models import LoadedModel
from app.running.child import Child
from app.running.questions import Question, RawAnswer
from engines.base import EngineFacts, Report, no_report
from engines.llama_cpp_chat import LlamaCppChat
from engines.llama_cpp_labels import LabelReading
from engines.llama_cpp_model import LlamaModel
from engines.local_models import installed_models

SILENCE_S = 900.0
"""Loading a model of 20 GB from a slow disk, or one batch on a slow computer."""


class ChildLlamaCpp:
    """A local model in the child process; a `Chat`.

    Args:
        child: Where it runs; best one that does nothing else, since it keeps the model.
        model: Which, and how it is run.
    """

    def __init__(self, child: Child, model: LlamaModel) -> None:
        self._child, self.model = child, model

    def facts(self) -> EngineFacts:
        """Say what this is, from its files and without loading it; see `LlamaCppChat.facts`.

        Nothing native is met, so it is read here: a child that is busy need not be waited for.

        Raises:
            EngineMissing: The files cannot be used.
        """
        return LlamaCppChat(self.model).facts()

    def ask(
        self, question: Question, draws: Sequence[int], report: Report, stop: threading.Event
    ) -> list[RawAnswer]:
        """Answer draws of a question; see `LlamaCppChat.ask`.

        Raises:
            EngineStopped: The child died of it, or llama.cpp refused in the midst of it.
            EngineMissing, MediaRefused, Cancelled: See there.
        """
        found = self._child.call(
            "engines.llama_cpp_child:ask",
            self.model,
            question,
            tuple(draws),
            report=report,
            stop=stop,
            silence_s=SILENCE_S,
        )
        return cast("list[RawAnswer]", found)

    def read_labels(
        self,
        question: Question,
        labels: Sequence[str],
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> LabelReading:
        """Read labels off one pass; see `LlamaCppChat.read_labels`, also for what it raises."""
        found = self._child.call(
            "engines.llama_cpp_child:read_labels",
            self.model,
            question,
            tuple(labels),
            report=report,
            stop=stop,
            silence_s=SILENCE_S,
        )
        return cast("LabelReading", found)

    def let_go(self) -> None:
        """Have the child free the model's memory, keeping the child."""
        self._child.call("engines.llama_cpp_child:let_go")


_kept: list[LlamaCppChat] = []
"""At most one: two models rarely fit into memory."""


def ask(
    model: LlamaModel,
    question: Question,
    draws: Sequence[int],
    report: Report,
    stop: threading.Event,
) -> list[RawAnswer]:
    """Run in the child: see `ChildLlamaCpp.ask`."""
    return _chat(model).ask(question, draws, report, stop)


def read_labels(
    model: LlamaModel,
    question: Question,
    labels: Sequence[str],
    report: Report,
    stop: threading.Event,
) -> LabelReading:
    """Run in the child: see `ChildLlamaCpp.read_labels`."""
    return _chat(model).read_labels(question, labels, report, stop)


def loaded() -> LoadedModel | None:
    """Run in the child: say which model is in memory; `None` if none is."""
    for chat in _kept:
        if chat.memory_bytes is not None:
            return LoadedModel(_title(chat.model), chat.memory_bytes)
    return None


def let_go() -> None:
    """Run in the child: free the memory of the model that is kept."""
    while _kept:
        _kept.pop().close()


def _title(model: LlamaModel) -> str:
    """Call a model as the list of models does, or by its file."""
    named = (one.title for one in installed_models() if one.weights.path == model.weights)
    return next(named, model.weights.name)


def _chat(model: LlamaModel) -> LlamaCppChat:
    if not _kept or _kept[0].model != model:
        let_go()
        _kept.append(LlamaCppChat(model))
    return _kept[0]
