"""What llama.cpp says as it works: kept for the reasons in our errors, and printed to the log."""

from __future__ import annotations

from collections import deque
from typing import Any

_WARNING, _ERROR = 3, 4
"""ggml's levels; below them stand hundreds of lines for each model that is loaded."""

_said: deque[str] = deque(maxlen=20)
_kept: list[Any] = []
"""The callback, which must not go while the library may call it."""


def listener(lib: Any) -> Any:
    """Give the callback that hears what llama.cpp says, one for the whole process."""
    if not _kept:
        _kept.append(lib.llama_log_callback(_hear))
    return _kept[0]


def forget_reasons() -> None:
    """Forget what was said so far, before something of which the reason may be wanted."""
    _said.clear()


def reason() -> str:
    """Give llama.cpp's first complaint since then in brackets, as the end of a sentence."""
    return f" ({_said[0]})" if _said else ""


def _hear(level: int, text: bytes, _data: Any) -> None:
    if level not in (_WARNING, _ERROR):
        return
    line = text.decode("utf-8", "replace").strip()
    print(line, flush=True)  # noqa: T201 - what a child prints is its log
    if level == _ERROR and line:
        _said.append(line)
