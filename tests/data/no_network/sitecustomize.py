"""Forbids the network to every Python process that finds this on its path; each try is noted."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_FORBIDDEN = {"socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto"}
_UNIX = 1


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    if event not in _FORBIDDEN:
        return
    family = getattr(arguments[0], "family", None)
    if family == _UNIX:
        return
    with Path(os.environ["NETWORK_TRIES"]).open("a", encoding="utf-8") as file:
        file.write(f"{event} {arguments[1:]}\n")
    raise PermissionError(f"this test allows no network, but {event} was called")


sys.addaudithook(_refuse)
