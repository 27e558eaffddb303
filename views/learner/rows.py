"""Where each row of the bands lies, and what it is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QFontMetrics

from views.learner.marks import BandMarks

REVIEWER, CURVES, TIME = "reviewer", "curves", "time"
"""Keys of the rows that are no reader's."""
GAP_PX = 4
MOST_NAMES = 0.28
"""Share of the width that names may take; longer ones are cut, and whole in the tool tip."""
CURVE_LINES, MOST_CURVE_LINES = 3.4, 6
"""Lines of text in height that curves need, and may have beside them."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row and its place, right of the names."""

    key: str
    name: str
    rect: QRect


@dataclass(frozen=True, slots=True)
class Rows:
    """All rows from top to bottom."""

    rows: tuple[Row, ...]
    names_px: int

    def at(self, y: float) -> Row | None:
        """Give the row under a height."""
        return next((r for r in self.rows if r.rect.top() <= y <= r.rect.bottom()), None)

    def named(self, key: str) -> Row | None:
        """Find a row by its key."""
        return next((row for row in self.rows if row.key == key), None)


def lay_rows(
    size: QSize, metrics: QFontMetrics, bands: Sequence[BandMarks], *, has_curves: bool
) -> Rows:
    """Give each row its place; what is left over goes to readers and the reviewer alike."""
    names = [
        (REVIEWER, "Reviewer"),
        *((band.key, band.name) for band in bands),
        *([(CURVES, "Cues")] if has_curves else []),
        (TIME, "Time"),
    ]
    widest = max(metrics.horizontalAdvance(name) for _key, name in names) + 14
    names_px = min(widest, max(80, round(size.width() * MOST_NAMES)))
    heights = {key: _least(key, metrics.height()) for key, _name in names}
    spare = size.height() - sum(heights.values()) - GAP_PX * (len(names) + 1)
    growing = [key for key in heights if key != TIME]
    for key in growing:
        most = metrics.height() * (MOST_CURVE_LINES if key == CURVES else 2)
        heights[key] += min(max(0, spare // len(growing)), most)
    rows, y = [], GAP_PX
    for key, name in names:
        rect = QRect(names_px, y, max(1, size.width() - names_px), heights[key])
        rows.append(Row(key, name, rect))
        y += heights[key] + GAP_PX
    return Rows(tuple(rows), names_px)


def least_height(metrics: QFontMetrics, readers: int, *, has_curves: bool) -> int:
    """Give the height below which rows could not be read."""
    keys = [REVIEWER, *("reader" for _ in range(readers)), *([CURVES] if has_curves else []), TIME]
    return sum(_least(key, metrics.height()) + GAP_PX for key in keys) + GAP_PX


def _least(key: str, text_px: int) -> int:
    if key == TIME:
        return text_px + 6
    return round(CURVE_LINES * text_px) if key == CURVES else text_px + 10
