"""Where each lane lies, from the height there is and the size of the text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QRect


class Lane(StrEnum):
    """The lanes from top to bottom, by the name that stands beside each."""

    PICTURES = "Pictures"
    SOUND = "Sound"
    SPEECH = "Speech"
    CLIPS = "Clips"
    EVIDENCE = "Evidence"
    DECISIONS = "Decisions"
    RULER = "Time"


GAP_PX = 3
LEAST_PICTURES_PX = 24
"""Pictures lower than this show nothing; the lane gives its room to the others."""
MOST_PICTURES_PX = 84
LEAST_SOUND_PX = 14


@dataclass(frozen=True, slots=True)
class Layout:
    """A rectangle for each lane that shows, right of the names."""

    lanes: dict[Lane, QRect]
    names_px: int
    """Width of the names at the left."""

    def at(self, y: float) -> Lane | None:
        """Give the lane under a height."""
        return next((n for n, r in self.lanes.items() if r.top() <= y <= r.bottom()), None)


def lay_out(
    width: int, height: int, text_px: int, names_px: int, *, has_picture: bool, has_sound: bool
) -> Layout:
    """Give each lane its place.

    Lanes of text get the height of a line; pictures and sound share what is left, and pictures
    stay away where they would be too low to show anything.
    """
    heights = {
        Lane.SPEECH: text_px + 8,
        Lane.CLIPS: text_px + 8,
        Lane.EVIDENCE: max(12, text_px - 2),
        Lane.DECISIONS: max(12, text_px - 2),
        Lane.RULER: text_px + 6,
    }
    room = height - sum(heights.values()) - GAP_PX * 8
    shown = dict.fromkeys(Lane, 0) | heights
    if has_picture and room >= LEAST_PICTURES_PX + has_sound * (LEAST_SOUND_PX + GAP_PX):
        share = 0.6 if has_sound else 1.0
        shown[Lane.PICTURES] = min(max(LEAST_PICTURES_PX, int(room * share)), MOST_PICTURES_PX)
        room -= shown[Lane.PICTURES]
    if has_sound and room >= LEAST_SOUND_PX:
        shown[Lane.SOUND] = room
        room = 0
    shown[Lane.CLIPS] += max(0, room // 2)
    shown[Lane.SPEECH] += max(0, room // 2)
    return Layout(_stacked(shown, width, names_px), names_px)


def _stacked(heights: dict[Lane, int], width: int, names_px: int) -> dict[Lane, QRect]:
    lanes, y = {}, GAP_PX
    for name in Lane:
        if heights[name]:
            lanes[name] = QRect(names_px, y, max(1, width - names_px), heights[name])
            y += heights[name] + GAP_PX
    return lanes
