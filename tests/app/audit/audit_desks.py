"""A desk whose models are scripts, each by a name of its own."""

from __future__ import annotations

from dataclasses import replace

from app.__main__ import parts
from app.desk import Desk
from app.errors import EngineMissing
from app.models import Fit, Fits, ModelState, Origin
from app.settings import Settings
from app.store.library import Library


class Shelf:
    """Stands for models on this computer."""

    def __init__(self, names):
        self._names = names

    def states(self):
        return tuple(
            ModelState(
                name, name.title(), "text", "gguf", "MIT", "", (), 1, 1, Fit(Fits.MEMORY, "fits"),
                False, False, "", "", Origin.LINKED,
            )
            for name in self._names
        )  # fmt: skip


def parts_with(engines):
    """Give the parts of the program, with scripted models by name in the place of its own."""

    def local(_child, name):
        if name not in engines:
            raise EngineMissing("The file is gone.", "Add it again.")
        return engines[name]

    return replace(parts(), shelf=lambda: Shelf(engines), local_chat=local)


def desk_with(path, engines, settings=None):
    """Open a desk on a library; `engines` are scripted models by name."""
    library = Library.open(path, "Ann")
    return Desk(library, parts_with(engines), settings or Settings(author="Ann"))
