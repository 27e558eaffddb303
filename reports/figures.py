"""The drawn overview of a lesson: where its clips lie, what was suggested, what was decided."""

from __future__ import annotations

from dataclasses import dataclass
from xml.etree import ElementTree

from app.coding.records import Decision, Verdict
from app.coding.review import LessonReview
from app.lesson.clips import Clip
from app.palette import Palette
from reports.drawing import (
    AXIS_PT,
    FAINT,
    INK,
    Axis,
    as_points,
    choose_axis,
    draw_text,
    draw_ticks,
    letter_size,
    new_svg,
    places_of,
)

_TRACK_PT, _GAP_PT = 17.0, 3.0
_ROW_PT = AXIS_PT + 2 * _TRACK_PT + _GAP_PT + 9
_MOST_ROWS = 9
_CLIPS_A_ROW = 20
_LEVEL_PT = 27.0
"""Narrower boxes carry no level beside the letter."""


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


def draw_timeline(review: LessonReview, palette: Palette, letters: dict[str, str]) -> Timeline:
    """Draw all clips in order: above what was suggested last, below what was decided.

    Args:
        review: The lesson; with at least one clip.
        palette: Colours of the practices.
        letters: What is written on each practice's colour.
    """
    places = places_of(review.clips)
    by_lines = all(clip.start_ms is None for clip in review.clips)
    rows = min(_MOST_ROWS, -(-len(places) // _CLIPS_A_ROW))
    axis = choose_axis(places, by_lines, review.media, rows)
    svg = new_svg(axis.rows * _ROW_PT)
    for row in range(axis.rows):
        _draw_axis(svg, axis, row)
    unlettered = 0
    for clip in review.clips:
        for row, left, right in axis.pieces(places.get(clip.clip_id)):
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


_EMPTY = _Box("#FFFFFF", FAINT, FAINT, "", dashed=True)
_APART = _Box("#FFFFFF", INK, INK, "≠")


def _boxes(
    review: LessonReview, clip: Clip, palette: Palette, letters: dict[str, str]
) -> tuple[_Box, _Box]:
    prediction = review.prediction_for(clip.clip_id)
    suggested = _EMPTY
    if prediction is not None and prediction.practice:
        colours = palette.of(prediction.practice)
        letter = letters.get(prediction.practice, prediction.practice)
        suggested = _Box(colours.tint, colours.fill, INK, letter, _level(prediction.level))
    if review.is_disputed(clip.clip_id):
        return suggested, _APART
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


def _draw_axis(svg: ElementTree.Element, axis: Axis, row: int) -> None:
    top = row * _ROW_PT
    for track, name in enumerate(("suggested", "decided")):
        y = top + AXIS_PT + track * (_TRACK_PT + _GAP_PT) + _TRACK_PT / 2 + 3
        draw_text(svg, 0, y, name, FAINT, 8.5)
    draw_ticks(svg, axis, row, top, top + _ROW_PT - 9)


def _draw_box(
    svg: ElementTree.Element, box: _Box, left: float, right: float, top: float, track: int
) -> bool:
    """Draw one box and say whether it had a letter that found no room."""
    y = top + AXIS_PT + track * (_TRACK_PT + _GAP_PT)
    # A hair between neighbours, so that two of one colour stay two.
    width = max(right - left - 0.8, 0.8)
    rect = ElementTree.SubElement(
        svg, "rect", as_points(x=left, y=y, width=width, height=_TRACK_PT)
    )
    rect.attrib.update({"rx": "1.5", "fill": box.fill, "stroke": box.edge, "stroke-width": "0.8"})
    if box.dashed:
        rect.set("stroke-dasharray", "2 2")
    if not box.letter:
        return False
    size = letter_size(box.letter, width)
    if size is None:
        return True
    written = f"{box.letter} {box.level}" if box.level and width >= _LEVEL_PT else box.letter
    middle = y + _TRACK_PT / 2 + size * 0.36
    text = draw_text(svg, left + width / 2, middle, written, box.ink, size)
    text.attrib.update({"text-anchor": "middle", "font-weight": "bold"})
    return False
