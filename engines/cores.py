"""How many threads are worth starting on this computer."""

from __future__ import annotations

import os
from pathlib import Path


def physical_cores() -> int:
    """Give the number of processor cores this process may use; two threads on one count once.

    A second thread on a core shares its arithmetic units and slows matrix products down. Where
    the system does not tell which processors share a core, each counts for itself.
    """
    try:
        allowed = os.sched_getaffinity(0)
    except AttributeError:  # macOS, Windows
        return max(1, os.cpu_count() or 1)
    return max(1, len({_siblings(processor) for processor in allowed}))


def _siblings(processor: int) -> str:
    topology = Path(f"/sys/devices/system/cpu/cpu{processor}/topology/thread_siblings_list")
    try:
        return topology.read_text()
    except OSError:
        return str(processor)
