"""Child processes that several tests share, where a test is not about the children.

A desk starts up to six, and each loads decoders or models anew: a few seconds of processor time
for every test. Here the one for a kind of work is started once and outlives the desk. Each call
runs in the working folder of the test; the environment is that of the first test.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app.running.child import Child


class WarmChildren:
    """Gives each desk its children: those that are there already, by the name of their log."""

    def __init__(self, logs: Path) -> None:
        self._logs = logs
        self._kept: dict[str, Child] = {}

    def __call__(self, silence_s: float = 120.0, log: Path | None = None) -> Child:
        """Stand for `Child(...)`."""
        name = log.name if log is not None else "engines.log"
        if name not in self._kept:
            self._kept[name] = _Lasting(silence_s, self._logs / name)
        return self._kept[name]

    def close(self) -> None:
        """End them all."""
        for child in self._kept.values():
            Child.close(child)


class _Lasting(Child):
    """A child that a desk does not end."""

    _folder: Path | None = None

    def call(self, target: str, *args: Any, **options: Any) -> Any:
        """Call as a child does that was started by this test."""
        if self._folder != Path.cwd():
            super().call("os:chdir", str(Path.cwd()))
            self._folder = Path.cwd()
        return super().call(target, *args, **options)

    def close(self) -> None:
        """Leave it to the next test."""
