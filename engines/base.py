"""What every engine goes by: a name in the register and the protocols of the core.

Adding an engine is adding one file to this folder:

    @engine("my-engine")
    class MyEngine:
        def facts(self) -> EngineFacts: ...
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]: ...

Its heavy library is imported inside, when it is first used, and only in the child process.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from app.errors import EngineMissing
from app.running.protocols import Embedder, EngineFacts, Report, Transcriber, no_report

__all__ = [
    "Embedder",
    "EngineFacts",
    "Report",
    "Transcriber",
    "engine",
    "engine_names",
    "make_engine",
    "no_report",
]

Made = TypeVar("Made", bound=type)

_engines: dict[str, type] = {}


def engine(name: str) -> Callable[[Made], Made]:
    """Enter a class into the register under a name.

    Raises:
        ValueError: Another class has that name.
    """

    def enter(kind: Made) -> Made:
        known = _engines.get(name)
        if known is not None and known.__qualname__ != kind.__qualname__:
            raise ValueError(f"two engines are called {name}")
        _engines[name] = kind
        return kind

    return enter


def engine_names() -> tuple[str, ...]:
    """Give the names of all engines, in order of the alphabet."""
    _read_folder()
    return tuple(sorted(_engines))


def make_engine(name: str, *args: Any, **settings: Any) -> Any:
    """Make an engine by its name; what else it takes is passed on.

    Raises:
        EngineMissing: There is no engine of that name.
    """
    _read_folder()
    if name not in _engines:
        raise EngineMissing(
            f"There is no engine called {name}.", f"Choose one of {', '.join(engine_names())}."
        )
    return _engines[name](*args, **settings)


@cache
def _read_folder() -> None:
    import engines

    for module in pkgutil.iter_modules(engines.__path__):
        importlib.import_module(f"engines.{module.name}")
