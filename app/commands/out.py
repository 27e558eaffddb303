"""What commands write: plain lines for people, one JSON object for programs, progress aside."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Out:
    """The command's voice. With `as_json`, standard output carries one object and nothing else."""

    as_json: bool = False
    _last_s: float = field(default=0.0, init=False)
    _last_line: str = field(default="", init=False)

    def say(self, line: str) -> None:
        """Tell a person something that belongs to the result."""
        if not self.as_json:
            _write(sys.stdout, f"{line}\n")

    def aside(self, line: str) -> None:
        """Tell a person something that is not the result: trouble, progress."""
        _write(sys.stderr, f"{line}\n")

    def give(self, result: Mapping[str, Any]) -> None:
        """Give the result to a program."""
        if self.as_json:
            text = json.dumps(result, ensure_ascii=False, indent=1, allow_nan=False)
            _write(sys.stdout, f"{text}\n")

    def report(self, share: float, doing: str) -> None:
        """Show progress: a line that renews itself on a terminal, a line a step elsewhere."""
        on_terminal = sys.stderr.isatty()
        if on_terminal:
            if time.monotonic() - self._last_s < 0.1:
                return
            self._last_s = time.monotonic()
            end = "\n" if share >= 1 else ""
            _write(sys.stderr, f"\r\x1b[K  {share:4.0%}  {doing}{end}")
        elif doing != self._last_line:
            self._last_line = doing
            self.aside(f"  {share:4.0%}  {doing}")

    def done(self) -> None:
        """Leave the progress line."""
        if sys.stderr.isatty() and self._last_s:
            _write(sys.stderr, "\r\x1b[K")
            self._last_s = 0.0


def _write(stream: Any, text: str) -> None:
    """Write text whatever the terminal's encoding: what it lacks is written as an escape."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
    stream.flush()
