"""How much longer a repaint takes with 100,000 spans than with 1,000 for the same visible part.

Run: `QT_QPA_PLATFORM=offscreen python tests/benchmarks/bench_timeline.py`
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtWidgets import QApplication

from app.coding.records import Check, Verdict
from app.lesson.spans import Span
from views.common.theme import apply_theme
from views.timeline import Timeline
from views.timeline.marks import ClipMark, DecisionMark, EvidenceMark, TurnMark

STEP_MS = 2_000
ROUNDS = 40


def timeline_with(spans: int) -> Timeline:
    """Make a timeline whose four kinds of marks add up to about `spans`."""
    each = spans // 4
    made = Timeline()
    made.resize(1600, 220)
    whole = Span(0, 25_000 * STEP_MS)  # the same lesson, however many of its spans are there
    made.show_span(whole)
    peaks = np.random.default_rng(0).random((200_000, 2), np.float32) * [[-1, 1]]
    made.show_waveform(peaks.astype(np.float32), 0, whole.end_ms)
    starts = [place * STEP_MS for place in range(each)]
    made.show_turns([TurnMark(s, s + 1_900, "T", s % 4_000 == 0, "Why?") for s in starts])
    made.show_clips([ClipMark(f"c{s}", s, s + 1_900, "D1", 2) for s in starts])
    made.show_evidence([EvidenceMark(s + 500, Check.VERIFIED) for s in starts])
    made.show_decisions([DecisionMark(s + 900, Verdict.ACCEPT) for s in starts])
    return made


def side_by_side(
    one: Timeline, other: Timeline, repaint: Callable[[Timeline, int], None]
) -> tuple[float, float]:
    """Give the median times of both in milliseconds; in turn, so that both meet the same load."""
    times: tuple[list[float], list[float]] = ([], [])
    for turn in range(ROUNDS):
        for timeline, kept in zip((one, other), times, strict=True):
            begin = time.perf_counter()
            repaint(timeline, turn)
            kept.append((time.perf_counter() - begin) * 1000)
    return statistics.median(times[0]), statistics.median(times[1])


def whole(timeline: Timeline, _turn: int) -> None:
    """Paint everything again, nothing kept from the time before."""
    timeline._redraw()
    timeline.repaint()


def playhead(timeline: Timeline, turn: int) -> None:
    """Move the playhead by a few pixels."""
    timeline.set_position(turn * 300)
    timeline.repaint(timeline._head_strip(turn * 300))


def main() -> None:
    """Print the table."""
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    apply_theme(app, "light")
    few, many = timeline_with(1_000), timeline_with(100_000)
    for timeline in (few, many):
        timeline.show()
        app.processEvents()
    sys.stdout.write(f"{'part in view':<24}{'1,000':>10}{'100,000':>12}{'ratio':>8}\n")
    for name, length_ms, repaint in (
        ("one minute", 60_000, whole),
        ("eight minutes", 480_000, whole),
        ("all of 14 hours", 25_000 * STEP_MS, whole),
        ("one minute, playhead", 60_000, playhead),
    ):
        few.show_part(Span(0, length_ms))
        many.show_part(Span(0, length_ms))
        one, other = side_by_side(few, many, repaint)
        sys.stdout.write(f"{name:<24}{one:>8.2f}ms{other:>10.2f}ms{other / one:>8.2f}\n")


if __name__ == "__main__":
    main()
