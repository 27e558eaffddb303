"""The strip of the coaching page: where in the lesson people found each practice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from app.coding.coaching_moments import Held
from app.coding.practices import Practice
from app.coding.records import Decision
from app.coding.review import LessonReview
from app.lesson.clips import Clip
from app.palette import Palette
from reports.drawing import (
    AXIS_PT,
    FAINT,
    INK,
    LABELS_PT,
    WIDTH_PT,
    Axis,
    as_points,
    choose_axis,
    draw_line,
    draw_text,
    draw_ticks,
    letter_size,
    new_svg,
    places_of,
)

_LANE_PT, _GAP_PT = 14.0, 2.5
_NONE, _OPEN = "none", "open"
# How each practice is patterned besides its colour: (width, height, path) of one tile, in points.
_PATTERNS = (
    (3.0, 3.0, "M0 1.5H3"),
    (4.0, 4.0, "M0 4L4 0M-1 1L1 -1M3 5L5 3"),
    (4.0, 4.0, "M1 1H2.2M3 3H4.2"),
    (3.0, 3.0, "M1.5 0V3"),
)


@dataclass(frozen=True, slots=True)
class Strip:
    """A drawn strip."""

    svg: bytes
    by_lines: bool
    """Whether it runs by lines of the transcript, because the clips have no times."""
    left_out: int
    """Clips that have no place on it."""


@dataclass(frozen=True, slots=True)
class _Bar:
    lane: int
    letter: str
    fill: str
    stroke: str


def draw_strip(
    review: LessonReview, held: Held, practices: Sequence[Practice], palette: Palette
) -> Strip:
    """Draw a lane for each practice, one for clips without any, one for clips left open.

    Each lane has its name, its pattern and its letters, so that it needs no colour. A clip in
    which two practices hold stands in both lanes.
    """
    decisions = {d.clip.clip_id: d for _, d in held.decisions}
    clips = [decisions[c.clip_id].clip if c.clip_id in decisions else c for c in review.clips]
    places = places_of(clips)
    by_lines = all(clip.start_ms is None for clip in clips)
    axis = choose_axis(places, by_lines, review.media)
    lanes = [*(p.letter for p in practices), _NONE, _OPEN]
    height = AXIS_PT + len(lanes) * (_LANE_PT + _GAP_PT)
    svg = new_svg(height)
    _add_patterns(svg, practices, palette)
    draw_ticks(svg, axis, 0, 0, height)
    for lane, name in enumerate(lanes):
        draw_text(svg, 0, _top(lane) + _LANE_PT / 2 + 3, name, INK if lane < 4 else FAINT, 8.5)
        draw_line(svg, LABELS_PT, _top(lane) + _LANE_PT, WIDTH_PT, _top(lane) + _LANE_PT)
    for clip in clips:
        for bar in _bars(decisions.get(clip.clip_id), practices, palette):
            _draw_bar(svg, axis, places, clip, bar)
    data: bytes = ElementTree.tostring(svg, encoding="utf-8")
    return Strip(data, by_lines, len(clips) - len(places))


def _bars(decision: Decision | None, practices: Sequence[Practice], palette: Palette) -> list[_Bar]:
    """Give what is drawn for one clip: one bar for each practice that holds."""
    if decision is None:
        return [_Bar(len(practices) + 1, "", "none", FAINT)]
    if not decision.codes:
        return [_Bar(len(practices), "", palette.of("").tint, palette.of("").fill)]
    letters = dict.fromkeys(code.practice for code in decision.codes)
    return [
        _Bar(lane, practice.letter, f"url(#pattern-{lane})", palette.of(practice.id).fill)
        for lane, practice in enumerate(practices)
        if practice.id in letters
    ]


def _draw_bar(
    svg: ElementTree.Element,
    axis: Axis,
    places: Mapping[str, tuple[int, int]],
    clip: Clip,
    bar: _Bar,
) -> None:
    for _row, left, right in axis.pieces(places.get(clip.clip_id)):
        width = max(right - left - 0.8, 0.8)
        y = _top(bar.lane)
        box = as_points(x=left, y=y, width=width, height=_LANE_PT - 1)
        rect = ElementTree.SubElement(svg, "rect", box)
        rect.attrib.update({"fill": bar.fill, "stroke": bar.stroke, "stroke-width": "0.9"})
        if bar.fill == "none":
            rect.set("stroke-dasharray", "2 2")
        size = letter_size(bar.letter, width - 3) if bar.letter else None
        if size is not None:
            _draw_letter(svg, bar.letter, left + width / 2, y, size)


def _draw_letter(svg: ElementTree.Element, letter: str, x: float, y: float, size: float) -> None:
    """Write a letter on a white plate, so that the pattern does not run through it."""
    wide = len(letter) * size * 0.74 + 2
    plate = as_points(x=x - wide / 2, y=y + 1.5, width=wide, height=_LANE_PT - 4)
    ElementTree.SubElement(svg, "rect", plate).attrib.update({"fill": "#FFFFFF", "rx": "1.5"})
    text = draw_text(svg, x, y + (_LANE_PT - 1) / 2 + size * 0.36, letter, INK, size)
    text.attrib.update({"text-anchor": "middle", "font-weight": "bold"})


def _add_patterns(
    svg: ElementTree.Element, practices: Sequence[Practice], palette: Palette
) -> None:
    kept = ElementTree.SubElement(svg, "defs")
    for lane, practice in enumerate(practices):
        width, height, path = _PATTERNS[lane % len(_PATTERNS)]
        tile = ElementTree.SubElement(kept, "pattern", as_points(width=width, height=height))
        tile.attrib.update({"id": f"pattern-{lane}", "patternUnits": "userSpaceOnUse"})
        ground = as_points(width=width, height=height)
        ElementTree.SubElement(tile, "rect", ground).set("fill", palette.of(practice.id).tint)
        lines = ElementTree.SubElement(tile, "path", {"d": path, "fill": "none"})
        lines.attrib.update({"stroke": palette.of(practice.id).fill, "stroke-width": "1.1"})


def _top(lane: int) -> float:
    return AXIS_PT + lane * (_LANE_PT + _GAP_PT)
