"""Models that answer questions, by the name a person chose: installed ones and endpoints.

Nothing is loaded and nothing is sent here, so plans and pages can be made of `facts()` alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.errors import EngineMissing
from app.models import show_size
from app.running.child import Child
from app.running.questions import Chat
from engines.catalogue import WORK_BYTES
from engines.endpoint_body import Pictures
from engines.endpoint_capabilities import Capabilities
from engines.endpoints import Endpoint
from engines.fits import Computer, most_bytes, read_computer
from engines.llama_cpp_api import check_installed
from engines.llama_cpp_child import ChildLlamaCpp
from engines.llama_cpp_model import LlamaModel, from_installed
from engines.local_models import find_installed
from engines.model_records import InstalledModel
from engines.openai_api import OpenAIChat

MOST_CONTEXT_TOKENS = 16_384
"""Room for thirty frames of 256 tokens, a clip's transcript and the draws under way; ours."""

LEAST_CONTEXT_TOKENS = 4_096
"""Below this not even the words of one clip fit with their instructions; ours."""

_STEP = 1_024


def local_chat(child: Child, name: str) -> Chat:
    """Give an installed model as a chat that runs in a child process.

    Its `facts()` are read here and load no weights: the identity rests on the SHA-256 of the
    files, which is worked out when a model is installed and kept until a file changes. Only then
    is the file read whole once more.

    Args:
        child: Where it is loaded by the first question; it keeps the model until another one is
            asked or `let_go` is called. Best one that does nothing else.
        name: As `installed_models` lists it.

    Raises:
        EngineMissing: None of that name is installed, it is no model to be asked, what runs it is
            not installed, or it is too large for this computer; the hint says what to do.
    """
    return ChildLlamaCpp(child, installed_llama(name))


def endpoint_chat(
    stored: Mapping[str, Any], found: Mapping[str, Any] | None, pictures: Pictures
) -> Chat:
    """Give an endpoint as a chat that works in this process, as many calls at once as it allows.

    Its `facts()` open no connection. Frames count as seen only once a test has shown it: without
    `found`, `facts().images` is 0.

    Args:
        stored: The endpoint, as the settings keep it. One that is off is refused when asked.
        found: What its last test found out; `None` before one.
        pictures: Gives the JPEG or PNG file of a frame; called on the threads that ask.

    Raises:
        Refused: One of the two tables makes no sense.
    """
    known = Capabilities.from_json(found) if found is not None else None
    return OpenAIChat(Endpoint.from_json(stored), known, pictures)


def installed_llama(name: str) -> LlamaModel:
    """Give an installed model as this computer can run it.

    Raises:
        EngineMissing: As `local_chat`.
    """
    model = runnable(find_installed(name), read_computer())
    check_installed()
    return model


def runnable(installed: InstalledModel, computer: Computer) -> LlamaModel:
    """Say how an installed model is run on a computer: its files and how much it keeps in mind.

    Goes by the whole memory and not by what is free now, so that it is the same each time and a
    model that is loaded need not be loaded anew. Layers for the graphics card are chosen later,
    by what is free when it is loaded.

    Raises:
        EngineMissing: It is of another form than GGUF, or too large.
    """
    model = from_installed(installed)
    context = context_tokens(installed, computer)
    return LlamaModel(model.weights, model.projector, context_tokens=context)


def context_tokens(installed: InstalledModel, computer: Computer) -> int:
    """Say how many tokens a model may keep in mind, in steps of 1,024.

    Raises:
        EngineMissing: Not even `LEAST_CONTEXT_TOKENS` fit beside its files.
    """
    room, each = most_bytes(computer), installed.context_bytes_per_token
    if room is None or not each:
        return MOST_CONTEXT_TOKENS
    beside = installed.size_bytes + WORK_BYTES
    fits = (room - beside) // each // _STEP * _STEP
    if fits < LEAST_CONTEXT_TOKENS:
        needs = show_size(beside + each * LEAST_CONTEXT_TOKENS)
        raise EngineMissing(
            f"{installed.title} is too large for this computer: it needs about {needs}, and a "
            f"model can have at most {show_size(max(room, 0))} here.",
            "Choose a smaller one on the Models page, or ask an endpoint.",
        )
    return min(fits, MOST_CONTEXT_TOKENS)
