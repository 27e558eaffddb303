"""How fast the Learner page is with an hour of video, four readers and hundreds of events.

Run: `QT_QPA_PLATFORM=offscreen python tests/benchmarks/bench_learner_page.py`
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path += [str(Path(__file__).parents[1] / part) for part in ("views", "app/confusion")]

from desk_stand_in import StandInDesk
from made_faces import face
from PySide6.QtWidgets import QApplication

from app.confusion.records import Confidence, Cue, CueKind, Level, Reading
from app.confusion.windows import windows_of
from app.lesson.media.facts import MediaFacts
from app.lesson.spans import Span
from views.background import Background
from views.common.theme import apply_theme
from views.learner.page import LearnerPage

HOUR = Span(0, 3_600_000)
READERS = 4
ROUNDS = 9


def readings(seed: int) -> list[Reading]:
    """Make an hour in which a face is seen nearly always and confusion shows now and then."""
    chance, made = random.Random(seed), []
    for window in windows_of(HOUR):
        level = chance.choices(list(Level), (70, 15, 10, 5))[0]
        middle = window.start_ms + 1000
        cues = (Cue(CueKind.BROW, (middle,), 0.3, 0.2),) if level.rank else ()
        seen = Reading(window.start_ms, window.end_ms, True, level, Confidence.HIGH, cues)
        hidden = Reading(window.start_ms, window.end_ms, False, note="no face is seen")
        made.append(hidden if chance.random() < 0.05 else seen)
    return made


def desk_with_an_hour(folder: Path) -> tuple[StandInDesk, str]:
    """Make a library with one video that four readers have read."""
    desk = StandInDesk(folder)
    media = MediaFacts(str(folder / "x.mp4"), 1, "f" * 64, "mp4", 0, HOUR.duration_ms, None, None)
    lesson_id = desk.library.add_lesson("Hour", media, None)
    learners = desk.library.learners
    learners.add_video(lesson_id, learners.add_learner("Robin"))
    for seed in range(READERS):
        run = learners.start_run(lesson_id, f"reader {seed}", ())
        learners.keep_readings(run, readings(seed))
        learners.end_run(run)
    series = face(HOUR.duration_ms / 1000, brow=0.05)
    desk.confusion = SimpleNamespace(faces_so_far=lambda _lesson_id: series)
    return desk, lesson_id


def tell(what: str, act: Callable[[], object]) -> None:
    """Print the median time of an action with what it has painted, also of the processor alone."""
    real, own = [], []
    for _ in range(ROUNDS):
        begin, spent = time.perf_counter(), time.thread_time()
        act()
        QApplication.processEvents()
        real.append((time.perf_counter() - begin) * 1000)
        own.append((time.thread_time() - spent) * 1000)
    told = f"{statistics.median(real):.1f} ms, {statistics.median(own):.1f} ms of processor time"
    print(f"{what}: {told}")


def main() -> int:
    """Measure and print."""
    app = QApplication([])
    apply_theme(app, "light")
    with tempfile.TemporaryDirectory() as folder:
        desk, lesson_id = desk_with_an_hour(Path(folder))
        background = Background()
        page = LearnerPage(desk, background)
        page.resize(1280, 760)
        page.show()
        tell("open", lambda: page.open_video(lesson_id))
        until = time.monotonic() + 20
        while len(page.ui.bands._curves) < 2 and time.monotonic() < until:
            app.processEvents()
        print(f"{len(page.session.items)} events, {len(page.ui.bands._curves)} curves")

        def repaint() -> None:
            page.ui.bands.zoom(1.01, 1000)
            page.ui.bands.grab()

        def decide() -> None:
            page.keys["next_uncertain"].trigger()
            page.keys["confirm"].trigger()

        moments = iter(range(1_000_000, 2_000_000, 40))
        tell("repaint of all rows", repaint)
        tell("a step of the playhead", lambda: page.show_position(next(moments)))
        tell("next event and its decision, kept", decide)
        page.close_media()
        background.close()
        desk.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
