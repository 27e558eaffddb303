"""Keep QtMultimedia from writing what nobody can act on.

Its decoders write from threads of their own. A message handler written in Python would have to wait
there for the interpreter, which the window holds while it waits for that very thread: the program
would stand still for ever. So these categories are shut at the source; failures still arrive as
`errorOccurred`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import QLoggingCategory, QtMsgType, qInstallMessageHandler

EXPECTED = (
    "PulseAudioService: pa_context_connect() failed",
    "No audio device detected",
    "No RHI backend. Using CPU conversion.",
)
"""What QtMultimedia writes once, without a category, on a machine without sound or graphics."""

RULES = "\n".join(f"qt.multimedia*.{kind}=false" for kind in ("debug", "info", "warning"))


def silence_decoders() -> None:
    """Shut the categories of QtMultimedia; call it before QtMultimedia is imported."""
    QLoggingCategory.setFilterRules(RULES)


@contextmanager
def expected_lines_dropped() -> Iterator[None]:
    """Drop the expected lines and no others; those go where they went before."""

    def hand_on(kind: QtMsgType, context: Any, text: str | None) -> None:
        if before is not None and not any(line in (text or "") for line in EXPECTED):
            before(kind, context, text)

    before: Any = qInstallMessageHandler(hand_on)
    try:
        yield
    finally:
        qInstallMessageHandler(before)
