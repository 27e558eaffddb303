"""Bands over time, one row for the reviewer and each reader, as SVG without any words but times.

Red and blue never stand alone: each row has its badge, its name beside it and a pattern of its
own, and the height of a bar says the level.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from xml.etree import ElementTree

from app.confusion.records import Level
from app.confusion.rows import Row, Sign
from app.lesson.spans import Span, show_time
from reports.drawing import FAINT, INK, as_points, draw_line, draw_text

WIDTH_PT = 360.0
BAND_PT, LOW_BAND_PT = 22.0, 15.0
_FEW_ROWS = 4
AXIS_PT = 12.0
LINE_MS = 600_000
"""How much of a long recording stands on one line of the detailed bands."""
RED, BLUE = "#B3261E", "#1F4E9E"
"""Reviewer and readers, as in Figure 5 of ConfusionBench; both 6:1 or more from white."""
REVIEWER = "R"
_MOST_TICKS = 8
_STEPS_MS = tuple(
    s * 1000 for s in (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600, 7200)
)
_HEIGHTS = {Level.HIGH: 1.0, Level.MEDIUM: 0.66, Level.LOW: 0.28}
_LEAST_PT = 0.7
"""Signs of one window in an hour would be a hair; they are drawn at least this wide."""
_OPEN_HEIGHT = 0.4
_LEAST_DASHED_PT = 3.0
"""Below this width dashes around a run would close up and look like something that is full."""
_NUMBERS_PT = 16.0
"""Room for the badges at the left of detailed bands."""
# Width, height and path of one tile, in points, white on the colour of the row.
_STRIPES = (4.0, 4.0, "M0 4L4 0M-1 1L1 -1M3 5L5 3")
_READERS = (
    (4.0, 3.4, "M0 1.7H4"),
    (3.4, 4.0, "M1.7 0V4"),
    (4.0, 4.0, "M0.6 1H1.8M2.6 3H3.8"),
    (5.0, 5.0, "M0 2.5H5M2.5 0V5"),
    (4.0, 4.0, "M0 0L4 4M-1 3L1 5M3 -1L5 1"),
)
_HATCH = (5.0, 5.0, "M0 5L5 0M-1 1L1 -1M4 6L6 4M0 0L5 5M-1 4L1 6M4 -1L6 1")
_HATCHED = "#6B737C"


_STRIP_PT = 8.0
_Pair = tuple[bool, bool]


@dataclass(frozen=True, slots=True)
class _Run:
    """Neighbouring windows of which a row says the same."""

    span: Span
    sign: Sign
    level: Level | None


def badge_of(rows: Sequence[Row], place: int) -> str:
    """Give the sign by which a row is named on every page: `R`, `1`, `2`, …"""
    if rows[place].is_reviewer:
        return REVIEWER
    return str(sum(not row.is_reviewer for row in rows[: place + 1]))


def colour_of(row: Row) -> str:
    """Give the colour of a row on paper."""
    return RED if row.is_reviewer else BLUE


def draw_band(rows: Sequence[Row], place: int, span: Span, width: float = WIDTH_PT) -> bytes:
    """Draw the band of one row over a stretch of the recording, without its name.

    Many rows are drawn lower, so that they fit a page with their figures.
    """
    height = BAND_PT if len(rows) <= _FEW_ROWS else LOW_BAND_PT
    svg = _new(width, height)
    _add_tiles(svg, rows)
    _draw_row(svg, rows, place, span, 0, width, 0, height)
    return _bytes(svg)


def draw_difference(reviewer: Row, reader: Row, span: Span, width: float = WIDTH_PT) -> bytes:
    """Draw where a reader and the reviewer say the same and where not, as a thin strip.

    Full: signs in both. Hollow red: the reviewer alone. Hatched blue: the reader alone. A thin
    line: both judge the window, and neither sees signs. Nothing: one of them cannot say.
    """
    svg = _new(width, _STRIP_PT)
    kept = ElementTree.SubElement(svg, "defs")
    _add_tile(kept, "extra", _STRIPES, "#FFFFFF", BLUE, 1.1)
    scale = width / max(span.duration_ms, 1)
    told = [
        (own.span, (own.sign is Sign.SHOWS, other.sign is Sign.SHOWS))
        for own, other in zip(reviewer.cells, reader.cells, strict=True)
        if own.sign.counts and other.sign.counts
    ]
    for pair, stretch in _joined(told):
        x, wide = (stretch.start_ms - span.start_ms) * scale, stretch.duration_ms * scale
        if not any(pair):
            draw_line(svg, x, _STRIP_PT / 2, x + wide, _STRIP_PT / 2)
            continue
        rect = ElementTree.SubElement(
            svg, "rect", as_points(x=x, y=0.5, width=max(wide, _LEAST_PT), height=_STRIP_PT - 1)
        )
        fill, edge = {(True, True): (INK, INK), (True, False): ("#FFFFFF", RED)}.get(
            pair, ("url(#extra)", BLUE)
        )
        rect.attrib.update({"fill": fill, "stroke": edge, "stroke-width": "0.7"})
    return _bytes(svg)


def draw_axis(span: Span, width: float = WIDTH_PT) -> bytes:
    """Draw the times that stand over bands of the same width."""
    svg = _new(width, AXIS_PT)
    _draw_ticks(svg, span, 0, width, 0, AXIS_PT)
    return _bytes(svg)


def draw_lines(rows: Sequence[Row], span: Span, width: float) -> bytes:
    """Draw all rows over one line, each with its badge, under one axis.

    A shorter last line is drawn shorter, so that all lines have one scale.
    """
    step = LOW_BAND_PT
    right = _NUMBERS_PT + (width - _NUMBERS_PT) * span.duration_ms / LINE_MS
    svg = _new(width, AXIS_PT + step * len(rows))
    _add_tiles(svg, rows)
    _draw_ticks(svg, span, _NUMBERS_PT, right, 0, AXIS_PT + step * len(rows))
    for place, row in enumerate(rows):
        top = AXIS_PT + step * place
        text = draw_text(svg, 0, top + 10, badge_of(rows, place), colour_of(row), 8.5)
        text.set("font-weight", "bold")
        _draw_row(svg, rows, place, span, _NUMBERS_PT, right, top, step - 2)
    return _bytes(svg)


def lines_of(span: Span) -> list[Span]:
    """Cut a long recording into lines of ten minutes; a short one is one line."""
    starts = range(span.start_ms, span.end_ms, LINE_MS)
    return [Span(start, min(start + LINE_MS, span.end_ms)) for start in starts]


def draw_key(rows: Sequence[Row]) -> dict[str, bytes]:
    """Draw small samples for the legend, by the name of what they stand for."""
    samples = {
        "high": _sample(rows, Sign.SHOWS, Level.HIGH),
        "medium": _sample(rows, Sign.SHOWS, Level.MEDIUM),
        "low": _sample(rows, Sign.CLEAR, Level.LOW),
        "hidden": _sample(rows, Sign.HIDDEN, None),
        "failed": _sample(rows, Sign.FAILED, None),
        "unread": _sample(rows, Sign.UNREAD, None),
    }
    if any(row.is_reviewer for row in rows):
        samples["marked"] = _sample(rows, Sign.SHOWS, None)
        samples["open"] = _sample(rows, Sign.OPEN, None)
    return samples


def _sample(rows: Sequence[Row], sign: Sign, level: Level | None) -> bytes:
    svg = _new(26, 12)
    _add_tiles(svg, rows)
    is_reviewers = sign is Sign.OPEN or (sign is Sign.SHOWS and level is None)
    place = next((n for n, row in enumerate(rows) if row.is_reviewer is is_reviewers), 0)
    _draw_run(svg, rows, place, _Run(Span(0, 1), sign, level), 0.5, 25, 0, 12)
    draw_line(svg, 0, 11.7, 26, 11.7)
    return _bytes(svg)


def _draw_row(
    svg: ElementTree.Element,
    rows: Sequence[Row],
    place: int,
    span: Span,
    left: float,
    right: float,
    top: float,
    height: float,
) -> None:
    scale = (right - left) / max(span.duration_ms, 1)
    for run in _runs(rows[place], span):
        x = left + (run.span.start_ms - span.start_ms) * scale
        width = run.span.duration_ms * scale
        _draw_run(svg, rows, place, run, x, width, top, height)
    draw_line(svg, left, top + height - 0.3, right, top + height - 0.3)


def _draw_run(
    svg: ElementTree.Element,
    rows: Sequence[Row],
    place: int,
    run: _Run,
    x: float,
    width: float,
    top: float,
    height: float,
) -> None:
    colour = colour_of(rows[place])
    if run.sign is Sign.CLEAR and run.level is not Level.LOW:
        return
    share = 1.0 if run.level is None else _HEIGHTS[run.level]
    if run.sign is Sign.OPEN:
        share = _OPEN_HEIGHT
    fill, stroke, dash = _style(run, place, colour)
    if width < _LEAST_DASHED_PT and dash:
        stroke, dash = "none", ""
    wide = max(width, _LEAST_PT) if run.sign is Sign.SHOWS else width
    tall = height * share
    box = as_points(x=x, y=top + height - tall, width=wide, height=tall)
    rect = ElementTree.SubElement(svg, "rect", box)
    rect.attrib.update({"fill": fill, "stroke": stroke, "stroke-width": "0.6"})
    if dash:
        rect.set("stroke-dasharray", dash)


def _style(run: _Run, place: int, colour: str) -> tuple[str, str, str]:
    """Give fill, edge and dashes of a run."""
    if run.sign is Sign.SHOWS:
        return f"url(#row-{place})", colour if run.level is None else "none", ""
    if run.sign is Sign.CLEAR:
        return "#D5E0F2", "none", ""
    if run.sign is Sign.HIDDEN:
        return "url(#hidden)", "none", ""
    if run.sign is Sign.OPEN:
        return "#F7E1DF", colour, "2 1.6"
    return ("url(#failed)", INK, "0.8 1.4") if run.sign is Sign.FAILED else ("none", FAINT, "1 2.5")


def _runs(row: Row, span: Span) -> Iterator[_Run]:
    """Join windows that say the same; a person's events are drawn with the limits they set."""
    inside = [cell for cell in row.cells if cell.span.overlap_ms(span)]
    for (sign, level), group in groupby(inside, key=lambda c: (c.sign, c.level)):
        run = list(group)
        if row.is_reviewer and sign is Sign.SHOWS:
            continue
        start_ms = max(run[0].span.start_ms, span.start_ms)
        yield _Run(Span(start_ms, min(run[-1].span.end_ms, span.end_ms)), sign, level)
    for event in row.events if row.is_reviewer else ():
        start_ms, end_ms = max(event.start_ms, span.start_ms), min(event.end_ms, span.end_ms)
        if start_ms < end_ms:
            yield _Run(Span(start_ms, end_ms), Sign.SHOWS, None)


def _joined(told: Sequence[tuple[Span, tuple[bool, bool]]]) -> Iterator[tuple[_Pair, Span]]:
    """Join neighbouring windows of which two rows say the same pair of things."""
    held: tuple[_Pair, Span] | None = None
    for span, pair in told:
        if held is not None and held[0] == pair and held[1].end_ms == span.start_ms:
            held = pair, Span(held[1].start_ms, span.end_ms)
            continue
        if held is not None:
            yield held
        held = pair, span
    if held is not None:
        yield held


def _draw_ticks(
    svg: ElementTree.Element, span: Span, left: float, right: float, top: float, bottom: float
) -> None:
    fits = (s for s in _STEPS_MS if span.duration_ms <= s * _MOST_TICKS)
    step = next(fits, _STEPS_MS[-1])
    tick = -(-span.start_ms // step) * step
    while tick < span.end_ms:
        x = left + (tick - span.start_ms) * (right - left) / span.duration_ms
        draw_line(svg, x, top + 8, x, bottom)
        if x < right - 20:
            draw_text(svg, x + 1.5, top + 8, show_time(tick), FAINT, 7)
        tick += step


def _add_tiles(svg: ElementTree.Element, rows: Sequence[Row]) -> None:
    kept = ElementTree.SubElement(svg, "defs")
    readers = 0
    for place, row in enumerate(rows):
        tile = _STRIPES if row.is_reviewer else _READERS[readers % len(_READERS)]
        readers += not row.is_reviewer
        _add_tile(kept, f"row-{place}", tile, colour_of(row), "#FFFFFF", 0.7)
    _add_tile(kept, "hidden", _HATCH, "#EEF0F2", _HATCHED, 0.6)
    _add_tile(kept, "failed", (4.0, 4.0, "M2 1.6V2.4"), "#FFFFFF", INK, 0.8)


def _add_tile(
    kept: ElementTree.Element,
    name: str,
    tile: tuple[float, float, str],
    ground: str,
    line: str,
    stroke: float,
) -> None:
    width, height, path = tile
    size = as_points(width=width, height=height)
    pattern = ElementTree.SubElement(kept, "pattern", size)
    pattern.attrib.update({"id": name, "patternUnits": "userSpaceOnUse"})
    ElementTree.SubElement(pattern, "rect", size).set("fill", ground)
    lines = ElementTree.SubElement(pattern, "path", {"d": path, "fill": "none"})
    lines.attrib.update({"stroke": line, "stroke-width": str(stroke)})


def _new(width: float, height: float) -> ElementTree.Element:
    return ElementTree.Element(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        width=f"{width}pt",
        height=f"{height}pt",
        viewBox=f"0 0 {width} {height}",
    )


def _bytes(svg: ElementTree.Element) -> bytes:
    data: bytes = ElementTree.tostring(svg, encoding="utf-8")
    return data
