"""What every drawn figure shares: an axis over a lesson, and pieces of SVG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from app.lesson.clips import Clip
from app.lesson.media.facts import MediaFacts
from app.lesson.spans import show_time

WIDTH_PT = 482.0
"""The width of the text on an A4 page with margins of 20 mm."""
LABELS_PT = 54.0
"""Room for the names of the tracks, left of the axis."""
AXIS_PT = 13.0
"""Height of the axis with its times."""
INK, FAINT = "#1D2126", "#5A626B"
_MOST_TICKS = 8
_LETTER_SIZES = ((15.5, 9.0), (9.5, 6.0))
"""From which width of box its letters have which size, in points; below the last, none fit."""
_STEPS_MS = tuple(
    s * 1000 for s in (10, 20, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600, 7200, 14_400, 28_800)
)
_STEPS_LINES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


@dataclass(frozen=True, slots=True)
class Axis:
    """Maps a place in the lesson, in ms or lines, to a row and a horizontal position."""

    start: int
    end: int
    row_length: int
    rows: int
    step: int
    by_lines: bool

    def x(self, value: float, row: int) -> float:
        """Horizontal position in points of a value, on its row."""
        share = (value - self.start - row * self.row_length) / self.row_length
        return LABELS_PT + min(max(share, 0.0), 1.0) * (WIDTH_PT - LABELS_PT - 1)

    def show(self, value: int) -> str:
        """Write a value as the axis labels it."""
        return str(value) if self.by_lines else show_time(value)

    def pieces(self, place: tuple[int, int] | None) -> Iterator[tuple[int, float, float]]:
        """Cut a clip where a row ends: row, left and right edge."""
        if place is None:
            return
        first = (place[0] - self.start) // self.row_length
        last = (place[1] - 1 - self.start) // self.row_length
        for row in range(first, min(last, self.rows - 1) + 1):
            yield row, self.x(place[0], row), self.x(place[1], row)


def places_of(clips: Sequence[Clip]) -> dict[str, tuple[int, int]]:
    """Say where each clip lies: in ms when any clip has times, else in lines."""
    if any(clip.start_ms is not None for clip in clips):
        return {
            c.clip_id: (c.start_ms, c.end_ms)
            for c in clips
            if c.start_ms is not None and c.end_ms is not None
        }
    return {c.clip_id: (c.first, c.last + 1) for c in clips}


def choose_axis(
    places: Mapping[str, tuple[int, int]], by_lines: bool, media: MediaFacts | None, rows: int = 1
) -> Axis:
    """Choose an axis that holds all places and the whole recording, on so many rows at most."""
    start = min(p[0] for p in places.values())
    end = max(p[1] for p in places.values())
    if by_lines:
        start = 1
    elif media is not None:
        start = min(start, media.start_ms)
        end = max(end, media.span.end_ms)
    else:
        start = min(0, start)
    steps = _STEPS_LINES if by_lines else _STEPS_MS
    length = -(-(end - start) // rows)
    step = next((s for s in steps if length <= s * _MOST_TICKS), steps[-1])
    if rows > 1:
        length = -(-length // step) * step
        rows = -(-(end - start) // length)
    return Axis(start, end, length, rows, step, by_lines)


def new_svg(height_pt: float) -> ElementTree.Element:
    """Give an empty figure as wide as the text."""
    return ElementTree.Element(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        width=f"{WIDTH_PT}pt",
        height=f"{height_pt}pt",
        viewBox=f"0 0 {WIDTH_PT} {height_pt}",
    )


def draw_ticks(svg: ElementTree.Element, axis: Axis, row: int, top: float, bottom: float) -> None:
    """Draw the times of one row, with a line down from each."""
    begin = axis.start + row * axis.row_length
    tick = -(-begin // axis.step) * axis.step
    if axis.by_lines and begin == 1:
        tick = 1
    while tick < min(begin + axis.row_length, axis.end):
        x = axis.x(tick, row)
        draw_line(svg, x, top + 9, x, bottom)
        if x < WIDTH_PT - 22:
            draw_text(svg, x + 1.5, top + 8, axis.show(tick), FAINT, 8)
        tick = (tick // axis.step + 1) * axis.step


def letter_size(letter: str, width_pt: float) -> float | None:
    """Say how large the letters of a box may be, in points; `None` when they find no room."""
    # A sign of one letter needs half the room of `BI`.
    room = width_pt * 2 if len(letter) == 1 else width_pt
    return next((size for least, size in _LETTER_SIZES if room >= least), None)


def draw_text(
    svg: ElementTree.Element, x: float, y: float, words: str, fill: str, size: float
) -> ElementTree.Element:
    """Write words with their baseline at `y`; gives the element, to be changed further."""
    element = ElementTree.SubElement(svg, "text", as_points(x=x, y=y))
    element.attrib.update(
        {"fill": fill, "font-size": str(size), "font-family": "DejaVu Sans, sans-serif"}
    )
    element.text = words
    return element


def draw_line(svg: ElementTree.Element, x1: float, y1: float, x2: float, y2: float) -> None:
    """Draw a thin grey line."""
    line = ElementTree.SubElement(svg, "line", as_points(x1=x1, y1=y1, x2=x2, y2=y2))
    line.attrib.update({"stroke": "#C9CDD2", "stroke-width": "0.6"})


def as_points(**values: float) -> dict[str, str]:
    """Write lengths and positions as SVG attributes."""
    return {name: f"{value:.2f}" for name, value in values.items()}
