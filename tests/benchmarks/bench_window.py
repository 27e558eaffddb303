"""Time from starting the program to a usable window, and the window process's peak memory.

    uv run --group dev python tests/benchmarks/bench_window.py

The peer is an empty PySide6 window started the same way in the same run. Usable means: the window
is painted, the sample lesson is open, its transcript and suggestion can be read, and a key answers.
Memory is the window process alone (VmHWM of Linux), after the lesson has played for some seconds;
decoders and engines run in other processes.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GOAL_MB = 400
RUNS = 5

EMPTY = """
import sys, time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication(sys.argv)
window = QMainWindow(); window.show()
QTimer.singleShot(0, lambda: (print(time.time()), app.quit()))
app.exec()
"""

OURS = """
import sys, time
from pathlib import Path
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication
from app.__main__ import parts
from app.desk import Desk
from app.settings import Settings
from app.store.library import Library
from views.common.theme import apply_theme
from views.window import MainWindow
app = QApplication(sys.argv)
apply_theme(app, "light", 1.0)
desk = Desk(Library.open(Path(sys.argv[1])), parts(), Settings(author="AK"))
window = MainWindow(desk)
window.resize(1280, 800)
window.show()
window.open_lesson(sys.argv[2])
def usable():
    if window.lesson.clip() is None:
        QTimer.singleShot(5, usable)
        return
    print(time.time(), flush=True)
    window.lesson.ui.player.play()
    QTimer.singleShot(int(sys.argv[3]), done)
def done():
    status = Path("/proc/self/status").read_text()
    print(next(l.split()[1] for l in status.splitlines() if l.startswith("VmHWM")), flush=True)
    heavy = {"av", "cv2", "onnxruntime", "faster_whisper", "typst"}
    print(sorted(heavy & set(sys.modules)), flush=True)
    window.close()
QTimer.singleShot(0, usable)
app.exec()
"""


def main() -> None:
    """Prepare a library with the sample lesson, measure, and print the table."""
    home = tempfile.mkdtemp()
    os.environ["CLERESTORY_HOME"] = home
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.path.insert(0, str(ROOT))
    from app.__main__ import parts
    from app.desk import Desk
    from app.store.library import Library

    library = Path(home) / "bench.clerestory"
    with Desk(Library.open(library), parts()) as desk:
        lesson_id = desk.add_sample()
        desk.code(lesson_id)

    empty = [_started(EMPTY)[0] for _ in range(RUNS)]
    ours = [_started(OURS, str(library), lesson_id, "8000") for _ in range(RUNS)]
    peer, usable = statistics.median(empty), statistics.median(run[0] for run in ours)
    peak_mb = max(int(run[1][0]) for run in ours) * 1024 / 1e6
    print("| what | median | peer | ratio or goal |")
    print("|---|---|---|---|")
    print(
        f"| start to a usable lesson page | {usable:.2f} s | empty window {peer:.2f} s "
        f"| {usable / peer:.2f}x |"
    )
    print(f"| peak memory of the window process | {peak_mb:.0f} MB | – | under {GOAL_MB} MB |")
    print(f"| engines and decoders loaded in it | {ours[0][1][1]} | – | none |")


def _started(code: str, *arguments: str) -> tuple[float, list[str]]:
    begun = time.time()
    told = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    ).stdout.splitlines()
    return float(told[0]) - begun, told[1:]


if __name__ == "__main__":
    main()
