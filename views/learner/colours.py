"""Colours of the bands: the reviewer red, readers blue, in every look.

Red and blue follow Figure 5 of ConfusionBench. No meaning rests on them alone: rows have names,
levels have heights, and what is not known has patterns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from views.common.colours import mix
from views.common.theme import Theme


@dataclass(frozen=True, slots=True)
class BandColours:
    """Colours of one look as `#rrggbb`; `reviewer` and `reader` reach 4.5:1 on its base."""

    reviewer: str
    reader: str
    curves: tuple[str, str, str]
    """Of the cue curves, which differ in their dashes as well; 3:1 on the base."""


_BY_LOOK: Mapping[str, BandColours] = MappingProxyType(
    {
        "light": BandColours("#b3261e", "#1b5fab", ("#6b3fa0", "#00695c", "#8a5300")),
        "dark": BandColours("#ff8a80", "#7ab8ff", ("#c8a6ff", "#6fd6c4", "#f0c060")),
        "high-contrast": BandColours("#ff9d94", "#8cc4ff", ("#e0c8ff", "#7dffd8", "#ffe14d")),
    }
)


def band_colours(theme: Theme) -> BandColours:
    """Give the colours of the bands in a look."""
    return _BY_LOOK[theme.name]


def level_fill(theme: Theme, rank: int) -> str:
    """Give the fill of a reader's window by the rank of its level, 0 to 3: stronger is higher."""
    return mix(theme.base, band_colours(theme).reader, (0.25, 0.4, 0.75, 1.0)[rank])
