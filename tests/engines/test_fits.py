"""What fits a computer is said with the numbers, and not said where nothing is known."""

from __future__ import annotations

import sys
import types

import pytest

from app.models import Fits, show_size
from engines.catalogue import Memory
from engines.fits import (
    Card,
    Computer,
    fit,
    meminfo,
    read_computer,
    vm_stat_free,
    within_limit,
)

GB = 1_000_000_000
CARD = Card("RTX 3090", 24 * GB, 23 * GB)
DESKTOP = Computer(64 * GB, 60 * GB, (CARD,))
LAPTOP = Computer(16 * GB, 12 * GB)


@pytest.mark.parametrize(
    ("needs", "computer", "verdict"),
    [
        (24 * GB, DESKTOP, Fits.GPU),
        (25 * GB, DESKTOP, Fits.MEMORY),
        (61 * GB, DESKTOP, Fits.MEMORY),
        (62 * GB, DESKTOP, Fits.TOO_LARGE),
        (13 * GB, LAPTOP, Fits.MEMORY),
        (14 * GB, LAPTOP, Fits.TOO_LARGE),
        (40 * GB, Computer(64 * GB, None, (CARD, CARD)), Fits.GPU),
        (12 * GB, Computer(16 * GB, None, shared=True), Fits.GPU),
        (13 * GB, Computer(16 * GB, None, shared=True), Fits.TOO_LARGE),
        (1 * GB, Computer(None, None), Fits.UNKNOWN),
        (1 * GB, Computer(1 * GB, 1 * GB), Fits.TOO_LARGE),
    ],
)
def test_a_model_goes_where_it_fits(needs, computer, verdict):
    assert fit(Memory(needs, is_whole=True), computer).verdict is verdict


def test_the_words_carry_the_numbers():
    assert fit(Memory(6_440_916_896, is_whole=True), DESKTOP).words == (
        "It needs about 6.4 GB; there is a graphics card (RTX 3090) with 24.0 GB, 23.0 GB free."
    )
    assert fit(Memory(13 * GB, is_whole=True), LAPTOP).words == (
        "It needs about 13.0 GB of the computer's 16.0 GB; there is no graphics card, so it will "
        "be slow. Only 12.0 GB are free now: close other programs first."
    )
    assert fit(Memory(80 * GB, is_whole=True), LAPTOP).words == (
        "It needs about 80.0 GB, and a model can have at most 13.9 GB here."
    )


def test_a_speech_model_is_not_called_slow_without_a_card():
    assert fit(Memory(2 * GB, is_whole=True), LAPTOP, light=True).words == (
        "It needs about 2.0 GB of the computer's 16.0 GB, and works without a graphics card."
    )


def test_a_need_that_is_not_known_is_not_judged():
    assert fit(None, DESKTOP).verdict is Fits.UNKNOWN


def test_a_need_with_a_part_unknown_is_judged_only_where_that_cannot_matter():
    assert fit(Memory(8 * GB, is_whole=False), DESKTOP).verdict is Fits.GPU
    assert fit(Memory(20 * GB, is_whole=False), DESKTOP).verdict is Fits.UNKNOWN
    assert fit(Memory(90 * GB, is_whole=False), DESKTOP).verdict is Fits.TOO_LARGE
    assert "at least 20.0 GB" in fit(Memory(20 * GB, is_whole=False), DESKTOP).words


def test_sizes_are_written_as_people_read_them():
    assert [
        show_size(n) for n in (0, 9, 2_400_000, 999_999_999, 1_000_000_000, 18_556_687_168)
    ] == [
        "0 MB",
        "under 1 MB",
        "2 MB",
        "999 MB",
        "1.0 GB",
        "18.6 GB",
    ]


def test_linux_tells_its_memory():
    text = "MemTotal:       24689732 kB\nMemFree:         100 kB\nMemAvailable:   23165920 kB\n"
    assert meminfo(text) == (24689732 * 1024, 23165920 * 1024)
    assert meminfo("") == (None, None)


def test_a_container_has_no_more_than_it_is_allowed():
    assert within_limit(64, 60, 8) == (8, 8)
    assert within_limit(64, 4, 8) == (8, 4)
    assert within_limit(64, 60, None) == (64, 60)
    assert within_limit(64, 60, 2**63) == (64, 60)
    assert within_limit(None, None, 8) == (None, None)


def test_macos_tells_its_free_memory():
    text = (
        "Mach Virtual Memory Statistics: (page size of 16384 bytes)\n"
        "Pages free:                               3000.\n"
        "Pages active:                           100000.\n"
        "Pages inactive:                           2000.\n"
        "Pages speculative:                        1000.\n"
    )
    assert vm_stat_free(text) == 6000 * 16384
    assert vm_stat_free("no such thing") is None


def nvml(cards):
    class NVMLError(Exception):
        pass

    def broken():
        raise NVMLError

    module = types.ModuleType("pynvml")
    module.NVMLError = NVMLError
    module.nvmlInit = (lambda: None) if cards is not None else broken
    module.nvmlShutdown = lambda: None
    module.nvmlDeviceGetCount = lambda: len(cards)
    module.nvmlDeviceGetHandleByIndex = lambda index: cards[index]
    module.nvmlDeviceGetName = lambda card: card[0]
    module.nvmlDeviceGetMemoryInfo = lambda card: types.SimpleNamespace(total=card[1], free=card[2])
    return module


def test_cards_are_asked_through_their_driver(monkeypatch):
    monkeypatch.setitem(sys.modules, "pynvml", nvml([("H200", 150 * GB, 149 * GB), (b"A", 2, 1)]))
    computer = read_computer()
    assert computer.cards == (Card("H200", 150 * GB, 149 * GB), Card("A", 2, 1))
    assert "2 graphics cards with 150.0 GB together" in computer.words()


@pytest.mark.parametrize("module", [None, nvml(None)], ids=["no library", "no driver"])
def test_without_a_driver_there_is_no_card(monkeypatch, module):
    monkeypatch.setitem(sys.modules, "pynvml", module)
    assert read_computer().cards == ()


@pytest.mark.skipif(sys.platform != "linux", reason="reads this system's own numbers")
def test_this_computer_is_looked_at():
    computer = read_computer()
    assert 0 < computer.free_bytes <= computer.total_bytes
    assert computer.words().startswith("This computer has ")
