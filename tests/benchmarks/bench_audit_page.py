"""How long a board of an audit takes to be on the screen, with 100 audits in one library.

Run: `python tests/benchmarks/bench_audit_page.py`. An audit is chosen in the list, or the page is
opened from the library: once with audits whose boards were kept, as they are when an audit ends or
was looked at; and once with audits whose boards were not, as after an expert scored somewhere. Each
until what was settled is there, and until the board with all its intervals is drawn. No interval is
kept, since the audits of the library, that of `bench_audit_board.py`, are copies of one. Beside it
the pace of this computer: what a loop of 300,000 squares takes in the same minute.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from bench_audit_board import GOAL_S, fill, multiply, says, score, score_by_experts
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from app.__main__ import parts
from app.audit_results import AuditResults
from app.desk import Desk
from app.interpreter import suit_interpreter
from app.scoring import intervals
from app.settings import Settings
from app.store.library import Library
from views.audit.page import RESULTS
from views.places import AUDIT, LIBRARY
from views.window import MainWindow

Taken = tuple[float, float]
"""Real time and processor time, in seconds."""

FIRST_KEPT = 29
"""From this audit on the boards of 21 are kept."""


def rest(seconds: float) -> None:
    """Let the window come to rest, as it is when a person chooses something."""
    loop = QEventLoop()
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    loop.exec()


def pace_ms() -> float:
    """Say how quick this computer is now."""
    took = []
    for _ in range(5):
        began = time.perf_counter()
        sum(n * n for n in range(300_000))
        took.append(time.perf_counter() - began)
    return min(took) * 1000


def opened(window: MainWindow, audit_id: int, *, is_in_view: bool) -> tuple[Taken, Taken]:
    """Give the time from the wish to what was settled, and to the board.

    Args:
        window: With the results in front of its audits.
        audit_id: What is chosen.
        is_in_view: Whether the page is there already.
    """
    page = window.audit
    came: list[Taken] = []
    window.show_page(AUDIT if is_in_view else LIBRARY)
    rest(1.5)
    page.gathering.forget()
    intervals._kept_ratio.cache_clear()
    loop = QEventLoop()

    def note(*_came: object) -> None:
        page.repaint()
        came.append((time.perf_counter() - began, time.process_time() - worked))
        if len(came) == len(signals):
            loop.quit()

    signals = (page.gathering.opened_came, page.gathering.figures_came)
    for signal in signals:
        signal.connect(note)
    began, worked = time.perf_counter(), time.process_time()
    if is_in_view:
        page.audits.audit_chosen.emit(audit_id)
    else:
        page.audit_id = audit_id
        window.show_page(AUDIT)
    loop.exec()
    for signal in signals:
        signal.disconnect(note)
    return came[0], came[1]


def main() -> None:
    """Print the medians of seven."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--audits", type=int, default=100)
    parser.add_argument("--keep", type=Path, help="be an earlier session of this library")
    asked = parser.parse_args()
    if asked.keep:
        with Library.open(asked.keep) as library:
            results = AuditResults(library)
            for audit_id in range(FIRST_KEPT, FIRST_KEPT + 21):
                results.keep_board(audit_id)
        return
    audits = asked.audits
    suit_interpreter()
    _application = QApplication(sys.argv[:1])
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CLERESTORY_HOME"] = folder
        path = Path(folder) / "bench.clerestory"
        with Library.open(path) as library:
            fill(library, says=says, score=score)
        multiply(path, audits)
        library = Library.open(path, "Ann")
        score_by_experts(library, 10)
        # In another process: what was counted or loaded here would be there already.
        subprocess.run([sys.executable, __file__, "--keep", str(path)], check=True)
        window = MainWindow(Desk(library, parts(), Settings(author="Ann")))
        window.show()
        window.audit.tabs.setCurrentIndex(RESULTS)
        first = opened(window, FIRST_KEPT, is_in_view=False)[1][0]
        print(f"{audits} audits. The first board after the start, kept: {first * 1000:.0f} ms")
        for way, is_in_view, number in (
            ("chosen, kept", True, 30),
            ("chosen, not kept", True, 60),
            ("page opened, kept", False, 40),
            ("page opened, not kept", False, 70),
        ):
            taken = [opened(window, number + n, is_in_view=is_in_view) for n in range(7)]
            for place, what in enumerate(("what was settled", "its board")):
                real = [each[place][0] * 1000 for each in taken]
                own = [each[place][1] * 1000 for each in taken]
                print(
                    f"{way}, {what}: {statistics.median(real):.0f} ms "
                    f"({min(real):.0f} to {max(real):.0f}), "
                    f"of processor time {statistics.median(own):.0f} ms"
                )
        print(f"Goal: {GOAL_S * 1000:.0f} ms. Pace of this computer: {pace_ms():.0f} ms")
        window.close()


if __name__ == "__main__":
    main()
