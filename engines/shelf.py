"""All models together: what is recommended, what is installed, and what can be done with them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from app.models import Fit, ModelState
from app.running.protocols import Report, no_report
from engines.catalogue import WORK_BYTES, CatalogueModel, Memory, catalogue, find_model
from engines.downloads import download
from engines.fits import Computer, fit, read_computer
from engines.hub_line import Hub
from engines.local_models import (
    add_local,
    check_model,
    find_installed,
    installed_models,
    remove_model,
)
from engines.model_records import InstalledModel

CONTEXT_TOKENS = 8192
"""Room that the memory of a model of the person's own is worked out for."""


class Shelf:
    """The models of this computer; `app.models.ModelShelf` says what each method does.

    Args:
        hub: Gives where models are fetched from, asked anew at each download.
        look: Looks at the computer's memory.
    """

    def __init__(
        self,
        hub: Callable[[], Hub] = Hub,
        look: Callable[[], Computer] = read_computer,
    ) -> None:
        self._hub = hub
        self._look = look

    def computer(self) -> str:
        """Say in a sentence how much memory this computer has."""
        return self._look().words()

    def states(self) -> tuple[ModelState, ...]:
        """Give the recommended models and whatever else is installed."""
        computer = self._look()
        here = {model.name: model for model in installed_models()}
        states = [
            _recommended(model, here.pop(model.name, None), computer) for model in catalogue()
        ]
        return (*states, *(_own(model, computer) for model in here.values()))

    def get(
        self, name: str, report: Report = no_report, stop: threading.Event | None = None
    ) -> ModelState:
        """Fetch a recommended model."""
        model = find_model(name)
        return _recommended(model, download(model, self._hub(), report, stop), self._look())

    def add(
        self,
        path: Path,
        projector: Path | None = None,
        title: str = "",
        *,
        copy: bool = False,
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> ModelState:
        """Take a file or folder of the person's own."""
        model = add_local(path, projector, title, copy=copy, report=report, stop=stop)
        return _own(model, self._look())

    def check(
        self, name: str, report: Report = no_report, stop: threading.Event | None = None
    ) -> tuple[str, ...]:
        """Read every byte of an installed model again; give what is wrong."""
        return check_model(find_installed(name), report, stop)

    def remove(self, name: str) -> str:
        """Remove an installed model."""
        return remove_model(find_installed(name))


def _recommended(
    model: CatalogueModel, here: InstalledModel | None, computer: Computer
) -> ModelState:
    memory = model.memory
    return ModelState(
        name=model.name,
        title=model.title,
        kind=model.kind,
        form=model.form,
        licence=model.licence,
        good_for=model.good_for,
        used_in=model.used_in,
        size_bytes=here.size_bytes if here else model.size_bytes,
        memory_bytes=memory.size_bytes if memory else None,
        fit=fit(memory, computer, light=model.kind == "speech"),
        recommended=True,
        can_fetch=bool(model.files),
        instead=model.instead,
        source=here.source if here else f"{model.repository}@{model.revision}",
        origin=here.origin if here else None,
        files=_files(here),
    )


def _own(model: InstalledModel, computer: Computer) -> ModelState:
    memory, fits = _own_fit(model, computer)
    return ModelState(
        name=model.name,
        title=model.title,
        kind=model.kind,
        form=model.form,
        licence=model.licence,
        good_for="",
        used_in=(),
        size_bytes=model.size_bytes,
        memory_bytes=memory.size_bytes,
        fit=fits,
        recommended=False,
        can_fetch=False,
        instead="",
        source=model.source,
        origin=model.origin,
        files=_files(model),
    )


def _own_fit(model: InstalledModel, computer: Computer) -> tuple[Memory, Fit]:
    per_token = model.context_bytes_per_token
    whole = model.form != "gguf" or per_token is not None
    context = CONTEXT_TOKENS * (per_token or 0)
    memory = Memory(model.size_bytes + context + WORK_BYTES, whole)
    return memory, fit(memory, computer, light=model.kind == "speech")


def _files(model: InstalledModel | None) -> tuple[tuple[str, str], ...]:
    return tuple((str(file.path), file.sha256) for file in model.files) if model else ()
