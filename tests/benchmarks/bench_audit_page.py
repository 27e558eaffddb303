"""How long the Tutor audit page takes to open with 100 whole audits in one library.

Run: `python tests/benchmarks/bench_audit_page.py`. From the wish to see the page until the audit in
view is listed with what was settled, how far it is and all its responses; then until its boards
with all their intervals are on the screen. The library is that of `bench_audit_board.py`.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from bench_audit_board import GOAL_S, fill, multiply, says, score, score_by_experts
from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication

from app.__main__ import parts
from app.desk import Desk
from app.settings import Settings
from app.store.library import Library
from views.places import AUDIT, LIBRARY
from views.window import MainWindow

Taken = tuple[float, float]
"""Real time and processor time, in seconds."""


def opened(application: QApplication, window: MainWindow, audit_id: int) -> tuple[Taken, Taken]:
    """Give the time from asking for the page to the audit in view, and to its boards."""
    page = window.audit
    came: list[Taken] = []
    window.show_page(LIBRARY)
    page.gathering.forget()
    page.audit_id = audit_id
    application.processEvents()
    began, worked = time.perf_counter(), time.process_time()
    window.show_page(AUDIT)
    loop = QEventLoop()

    def note(*_came: object) -> None:
        page.repaint()
        came.append((time.perf_counter() - began, time.process_time() - worked))
        if len(came) == len(signals):
            loop.quit()

    signals = (page.gathering.opened_came, page.gathering.figures_came)
    for signal in signals:
        signal.connect(note)
    loop.exec()
    for signal in signals:
        signal.disconnect(note)
    return came[0], came[1]


def main() -> None:
    """Print the medians of five."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--audits", type=int, default=100)
    audits = parser.parse_args().audits
    application = QApplication(sys.argv[:1])
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CLERESTORY_HOME"] = folder
        path = Path(folder) / "bench.clerestory"
        with Library.open(path) as library:
            fill(library, says=says, score=score)
        multiply(path, audits)
        library = Library.open(path, "Ann")
        score_by_experts(library, 10)
        window = MainWindow(Desk(library, parts(), Settings(author="Ann")))
        window.show()
        taken = [opened(application, window, audits // 2 + n) for n in range(5)]
        for place, what in enumerate(("the audit in view", "its boards")):
            real, own = (
                statistics.median(each[place][part] * 1000 for each in taken) for part in (0, 1)
            )
            print(f"{audits} audits, {what}: {real:.0f} ms, of processor time {own:.0f} ms")
        print(f"Goal: {GOAL_S * 1000:.0f} ms")
        window.close()


if __name__ == "__main__":
    main()
