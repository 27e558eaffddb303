"""The drawn overview of a lesson: where its clips lie, what was suggested, what was decided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from app.coding.records import Decision, Verdict
from app.coding.review import LessonReview
from app.lesson.clips import Clip
from app.lesson.spans import show_time
from app.palette import Palette

WIDTH_PT = 482.0
"""The width of the text on an A4 page with margins of 20 mm."""
_LABELS_PT = 54.0
_TRACK_PT, _GAP_PT, _AXIS_PT = 17.0, 3.0, 13.0
_ROW_PT = _AXIS_PT + 2 * _TRACK_PT + _GAP_PT + 9
_MOST_ROWS = 9
_CLIPS_A_ROW = 20
_MOST_TICKS = 8
_LEVEL_PT = 27.0
"""Narrower boxes carry no level beside the letter."""
_LETTER_SIZES = ((15.5, 9.0), (9.5, 6.0))
"""From which width of box its letters have which size, in points; below the last, none fit."""
_INK, _FAINT = "#1D2126", "#5A626B"
_STEPS_MS = tuple(
    s * 1000 for s in (10, 20, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600, 7200, 14_400, 28_800)
)
_STEPS_LINES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


@dataclass(frozen=True, slots=True)
class Timeline:
    """A drawn timeline."""

    svg: bytes
    by_lines: bool
    """Whether it runs by lines of the transcript, because the lesson has no times."""
    unlettered: int
    """Boxes too narrow for their letter."""
    left_out: int
    """Clips that have no place on it."""


@dataclass(frozen=True, slots=True)
class _Axis:
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
        return _LABELS_PT + min(max(share, 0.0), 1.0) * (WIDTH_PT - _LABELS_PT - 1)

    def show(self, value: int) -> str:
        """Write a value as the axis labels it."""
        return str(value) if self.by_lines else show_time(value)


def draw_timeline(review: LessonReview, palette: Palette, letters: dict[str, str]) -> Timeline:
    """Draw all clips in order: above what was suggested last, below what was decided.

    Args:
        review: The lesson; with at least one clip.
        palette: Colours of the practices.
        letters: What is written on each practice's colour.
    """
    places = _places(review)
    by_lines = all(clip.start_ms is None for clip in review.clips)
    axis = _axis(review, list(places.values()), by_lines)
    height = axis.rows * _ROW_PT
    svg = ElementTree.Element(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        width=f"{WIDTH_PT}pt",
        height=f"{height}pt",
        viewBox=f"0 0 {WIDTH_PT} {height}",
    )
    for row in range(axis.rows):
        _draw_axis(svg, axis, row)
    unlettered = 0
    for clip in review.clips:
        for row, left, right in _pieces(axis, places.get(clip.clip_id)):
            boxes = _boxes(review, clip, palette, letters)
            unlettered += sum(
                _draw_box(svg, box, left, right, row * _ROW_PT, track)
                for track, box in enumerate(boxes)
            )
    data: bytes = ElementTree.tostring(svg, encoding="utf-8")
    return Timeline(data, by_lines, unlettered, len(review.clips) - len(places))


@dataclass(frozen=True, slots=True)
class _Box:
    fill: str
    edge: str
    ink: str
    letter: str
    level: str = ""
    dashed: bool = False


_EMPTY = _Box("#FFFFFF", _FAINT, _FAINT, "", dashed=True)


def _boxes(
    review: LessonReview, clip: Clip, palette: Palette, letters: dict[str, str]
) -> tuple[_Box, _Box]:
    prediction = review.prediction_for(clip.clip_id)
    suggested = _EMPTY
    if prediction is not None and prediction.practice:
        colours = palette.of(prediction.practice)
        letter = letters.get(prediction.practice, prediction.practice)
        suggested = _Box(colours.tint, colours.fill, _INK, letter, _level(prediction.level))
    return suggested, _decided(review.decision_for(clip.clip_id), palette, letters)


def _decided(decision: Decision | None, palette: Palette, letters: dict[str, str]) -> _Box:
    if decision is None:
        return _EMPTY
    if decision.verdict is Verdict.REJECT:
        colours = palette.of("")
        return _Box(colours.fill, colours.fill, colours.ink, "×")
    colours = palette.of(decision.practice)
    letter = letters.get(decision.practice, decision.practice)
    return _Box(colours.fill, colours.fill, colours.ink, letter, _level(decision.level))


def _level(level: int | None) -> str:
    return "" if level is None else str(level)


def _places(review: LessonReview) -> dict[str, tuple[int, int]]:
    """Where each clip lies: in ms when any clip has times, else in lines."""
    if any(clip.start_ms is not None for clip in review.clips):
        return {
            c.clip_id: (c.start_ms, c.end_ms)
            for c in review.clips
            if c.start_ms is not None and c.end_ms is not None
        }
    return {c.clip_id: (c.first, c.last + 1) for c in review.clips}


def _axis(review: LessonReview, places: Sequence[tuple[int, int]], by_lines: bool) -> _Axis:
    start, end = min(p[0] for p in places), max(p[1] for p in places)
    if by_lines:
        start = 1
    elif review.media is not None:
        start = min(start, review.media.start_ms)
        end = max(end, review.media.span.end_ms)
    else:
        start = min(0, start)
    rows = min(_MOST_ROWS, -(-len(places) // _CLIPS_A_ROW))
    steps = _STEPS_LINES if by_lines else _STEPS_MS
    length = -(-(end - start) // rows)
    step = next((s for s in steps if length <= s * _MOST_TICKS), steps[-1])
    if rows > 1:
        length = -(-length // step) * step
        rows = -(-(end - start) // length)
    return _Axis(start, end, length, rows, step, by_lines)


def _pieces(axis: _Axis, place: tuple[int, int] | None) -> Iterator[tuple[int, float, float]]:
    """Cut a clip where a row ends: row, left and right edge."""
    if place is None:
        return
    first = (place[0] - axis.start) // axis.row_length
    last = (place[1] - 1 - axis.start) // axis.row_length
    for row in range(first, min(last, axis.rows - 1) + 1):
        yield row, axis.x(place[0], row), axis.x(place[1], row)


def _draw_axis(svg: ElementTree.Element, axis: _Axis, row: int) -> None:
    top = row * _ROW_PT
    for track, name in enumerate(("suggested", "decided")):
        y = top + _AXIS_PT + track * (_TRACK_PT + _GAP_PT) + _TRACK_PT / 2 + 3
        _text(svg, 0, y, name, _FAINT, 8.5)
    begin = axis.start + row * axis.row_length
    tick = -(-begin // axis.step) * axis.step
    if axis.by_lines and begin == 1:
        tick = 1
    while tick < min(begin + axis.row_length, axis.end):
        x = axis.x(tick, row)
        _line(svg, x, top + 9, x, top + _ROW_PT - 9)
        if x < WIDTH_PT - 22:
            _text(svg, x + 1.5, top + 8, axis.show(tick), _FAINT, 8)
        tick = (tick // axis.step + 1) * axis.step


def _draw_box(
    svg: ElementTree.Element, box: _Box, left: float, right: float, top: float, track: int
) -> bool:
    """Draw one box and say whether it had a letter that found no room."""
    y = top + _AXIS_PT + track * (_TRACK_PT + _GAP_PT)
    # A hair between neighbours, so that two of one colour stay two.
    width = max(right - left - 0.8, 0.8)
    rect = ElementTree.SubElement(svg, "rect", _numbers(x=left, y=y, width=width, height=_TRACK_PT))
    rect.attrib.update({"rx": "1.5", "fill": box.fill, "stroke": box.edge, "stroke-width": "0.8"})
    if box.dashed:
        rect.set("stroke-dasharray", "2 2")
    if not box.letter:
        return False
    # A sign of one letter needs half the room of `BI`.
    room = width * 2 if len(box.letter) == 1 else width
    size = next((size for least, size in _LETTER_SIZES if room >= least), None)
    if size is None:
        return True
    written = f"{box.letter} {box.level}" if box.level and width >= _LEVEL_PT else box.letter
    middle = y + _TRACK_PT / 2 + size * 0.36
    text = _text(svg, left + width / 2, middle, written, box.ink, size)
    text.attrib.update({"text-anchor": "middle", "font-weight": "bold"})
    return False


def _text(
    svg: ElementTree.Element, x: float, y: float, words: str, fill: str, size: float
) -> ElementTree.Element:
    element = ElementTree.SubElement(svg, "text", _numbers(x=x, y=y))
    element.attrib.update(
        {"fill": fill, "font-size": str(size), "font-family": "DejaVu Sans, sans-serif"}
    )
    element.text = words
    return element


def _line(svg: ElementTree.Element, x1: float, y1: float, x2: float, y2: float) -> None:
    line = ElementTree.SubElement(svg, "line", _numbers(x1=x1, y1=y1, x2=x2, y2=y2))
    line.attrib.update({"stroke": "#C9CDD2", "stroke-width": "0.6"})


def _numbers(**values: float) -> dict[str, str]:
    return {name: f"{value:.2f}" for name, value in values.items()}
