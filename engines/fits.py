"""What fits this computer: its memory, its graphics cards, and what a model needs."""

from __future__ import annotations

import ctypes
import importlib
import os
import platform
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.models import Fit, Fits, show_size
from engines.catalogue import Memory

SYSTEM_BYTES = 2 << 30
"""Kept for the system and this program when a model works in ordinary memory; ours."""
MARGIN = 3, 2
"""Half again as much must fit too where a part of the need is not known; ours."""
SHARED_PART = 3, 4
"""Of the one memory of an Apple computer, what its graphics part may take; Metal's usual limit."""


@dataclass(frozen=True, slots=True)
class Card:
    """A graphics card."""

    name: str
    total_bytes: int
    free_bytes: int


@dataclass(frozen=True, slots=True)
class Computer:
    """Memory as it is now; `None` where it cannot be told."""

    total_bytes: int | None
    free_bytes: int | None
    cards: tuple[Card, ...] = ()
    shared: bool = False
    """Whether the graphics part uses the same memory, as in Apple computers."""

    def words(self) -> str:
        """Say it in a sentence."""
        if self.total_bytes is None:
            return "How much memory this computer has cannot be told."
        free = "" if self.free_bytes is None else f", {show_size(self.free_bytes)} free"
        text = f"This computer has {show_size(self.total_bytes)} of memory{free}"
        if self.shared:
            return f"{text}, shared with its graphics part."
        if not self.cards:
            return f"{text}, and no graphics card that can be told of."
        return f"{text}, and {_cards(self.cards)}."


def fit(memory: Memory | None, computer: Computer, *, light: bool = False) -> Fit:
    """Say where a model would work.

    Args:
        memory: What it needs; `None` when that is not known.
        computer: From `read_computer`.
        light: Whether it is quick enough without a graphics card, as speech models are.
    """
    if memory is None:
        return Fit(Fits.UNKNOWN, "How much memory it needs is not known.")
    least = "about" if memory.is_whole else "at least"
    needs = f"It needs {least} {show_size(memory.size_bytes)}"
    if not memory.is_whole and _fit(memory, computer, needs, light).verdict is not Fits.TOO_LARGE:
        more = Memory(memory.size_bytes * MARGIN[0] // MARGIN[1], is_whole=True)
        if (
            _fit(more, computer, needs, light).verdict
            is not _fit(memory, computer, needs, light).verdict
        ):
            return Fit(Fits.UNKNOWN, f"{needs}, and how much more is not known. {computer.words()}")
    return _fit(memory, computer, needs, light)


def most_bytes(computer: Computer) -> int | None:
    """Say how much memory a model can have at most, wherever it works; `None` if unknown."""
    on_card = _card_bytes(computer)
    if computer.total_bytes is None or computer.shared:
        return on_card or None
    return max(computer.total_bytes - SYSTEM_BYTES, on_card, 0)


def _card_bytes(computer: Computer) -> int:
    if computer.shared and computer.total_bytes is not None:
        return computer.total_bytes * SHARED_PART[0] // SHARED_PART[1]
    return sum(card.total_bytes for card in computer.cards)


def _fit(memory: Memory, computer: Computer, needs: str, light: bool) -> Fit:
    on_card = _card_bytes(computer)
    if on_card and memory.size_bytes <= on_card:
        return _on_card(memory, computer, needs, on_card)
    if computer.total_bytes is None:
        return Fit(Fits.UNKNOWN, f"{needs}; how much there is cannot be told.")
    room = computer.total_bytes - SYSTEM_BYTES
    if memory.size_bytes <= room and not computer.shared:
        return _in_memory(memory, computer, needs, light)
    most = max(room, on_card, 0)
    return Fit(Fits.TOO_LARGE, f"{needs}, and a model can have at most {show_size(most)} here.")


def _on_card(memory: Memory, computer: Computer, needs: str, on_card: int) -> Fit:
    if computer.shared:
        words = f"{needs}; the graphics part may use {show_size(on_card)}."
        return Fit(Fits.GPU, words + _crowded(memory, computer.free_bytes))
    words = f"{needs}; there is {_cards(computer.cards)}."
    return Fit(Fits.GPU, words + _crowded(memory, sum(card.free_bytes for card in computer.cards)))


def _in_memory(memory: Memory, computer: Computer, needs: str, light: bool) -> Fit:
    total = computer.total_bytes or 0
    card = "the graphics card is too small" if computer.cards else "there is no graphics card"
    words = f"{needs} of the computer's {show_size(total)}; {card}, so it will be slow."
    if light:
        words = f"{needs} of the computer's {show_size(total)}, and works without a graphics card."
    return Fit(Fits.MEMORY, words + _crowded(memory, computer.free_bytes))


def _crowded(memory: Memory, free_bytes: int | None) -> str:
    if free_bytes is None or free_bytes >= memory.size_bytes:
        return ""
    return f" Only {show_size(free_bytes)} are free now: close other programs first."


def _cards(cards: tuple[Card, ...]) -> str:
    total = show_size(sum(card.total_bytes for card in cards))
    free = show_size(sum(card.free_bytes for card in cards))
    if len(cards) == 1:
        return f"a graphics card ({cards[0].name}) with {total}, {free} free"
    return f"{len(cards)} graphics cards with {total} together, {free} free"


def read_computer() -> Computer:
    """Look at this computer. Reads files of the system and asks the graphics driver, if any."""
    total, free = _memory()
    shared = sys.platform == "darwin" and platform.machine() == "arm64"
    return Computer(total, free, () if shared else _nvidia_cards(), shared)


def _memory() -> tuple[int | None, int | None]:
    if sys.platform == "win32":
        return _windows_memory()
    if sys.platform == "darwin":
        return _mac_memory()
    try:
        text = Path("/proc/meminfo").read_text(encoding="ascii")
    except OSError:
        return None, None
    return within_limit(*meminfo(text), _container_limit())


def meminfo(text: str) -> tuple[int | None, int | None]:
    """Read total and available bytes from Linux's `/proc/meminfo`."""
    found = {key: int(value) * 1024 for key, value in re.findall(r"^(\w+): +(\d+) kB", text, re.M)}
    return found.get("MemTotal"), found.get("MemAvailable")


def within_limit(
    total: int | None, free: int | None, limit: int | None
) -> tuple[int | None, int | None]:
    """Lower both to what a container allows its programs."""
    if limit is None or total is None or limit >= total:
        return total, free
    return limit, None if free is None else min(free, limit)


def _container_limit() -> int | None:
    for name in ("memory.max", "memory/memory.limit_in_bytes"):
        try:
            text = (Path("/sys/fs/cgroup") / name).read_text(encoding="ascii").strip()
        except OSError:
            continue
        return int(text) if text.isdecimal() else None
    return None


def _mac_memory() -> tuple[int | None, int | None]:
    try:
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        told = subprocess.run(
            ["/usr/bin/vm_stat"], capture_output=True, text=True, timeout=5, check=True
        ).stdout
    except (OSError, ValueError, subprocess.SubprocessError):
        return None, None
    return total, vm_stat_free(told)


def vm_stat_free(text: str) -> int | None:
    """Read from macOS's `vm_stat` the bytes that programs can have."""
    page = re.search(r"page size of (\d+) bytes", text)
    pages = re.findall(r"^Pages (?:free|inactive|speculative): +(\d+)\.", text, re.M)
    if page is None or not pages:
        return None
    return int(page.group(1)) * sum(map(int, pages))


def _windows_memory() -> tuple[int | None, int | None]:
    if sys.platform != "win32":
        return None, None
    status = _MemoryStatus()
    status.length = ctypes.sizeof(status)
    if not ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):
        return None, None
    return status.total, status.available


class _MemoryStatus(ctypes.Structure):
    """Windows' MEMORYSTATUSEX."""

    _fields_ = (
        ("length", ctypes.c_ulong),
        ("load", ctypes.c_ulong),
        ("total", ctypes.c_ulonglong),
        ("available", ctypes.c_ulonglong),
        ("total_page_file", ctypes.c_ulonglong),
        ("available_page_file", ctypes.c_ulonglong),
        ("total_virtual", ctypes.c_ulonglong),
        ("available_virtual", ctypes.c_ulonglong),
        ("available_extended", ctypes.c_ulonglong),
    )


def _nvidia_cards() -> tuple[Card, ...]:
    """Ask NVIDIA's driver through nvidia-ml-py, which is not a part of the program."""
    try:
        nvml = importlib.import_module("pynvml")
        nvml.nvmlInit()
    except ImportError:
        return ()
    # The module's own error class can only be named once the module is there.
    except nvml.NVMLError:
        return ()
    try:
        return tuple(_card(nvml, index) for index in range(nvml.nvmlDeviceGetCount()))
    except nvml.NVMLError:
        return ()
    finally:
        nvml.nvmlShutdown()


def _card(nvml: Any, index: int) -> Card:
    handle = nvml.nvmlDeviceGetHandleByIndex(index)
    name = nvml.nvmlDeviceGetName(handle)
    memory = nvml.nvmlDeviceGetMemoryInfo(handle)
    text = name.decode("utf-8", "replace") if isinstance(name, bytes) else str(name)
    return Card(text, int(memory.total), int(memory.free))
