"""Arithmetic on colours: how well one can be read on another."""

from __future__ import annotations

from functools import cache

BLACK, WHITE = "#000000", "#ffffff"


def contrast(one: str, other: str) -> float:
    """Give the contrast of two `#rrggbb` colours, 1 to 21 (WCAG 2.2, contrast ratio)."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    """Give the relative luminance of `#rrggbb`, 0 to 1 (WCAG 2.2)."""
    red, green, blue = (_linear(part / 255) for part in channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@cache
def ink_on(background: str) -> str:
    """Give black or white, whichever reads better; always 4.5:1 or more."""
    return max((BLACK, WHITE), key=lambda ink: contrast(ink, background))


@cache
def mix(one: str, other: str, share: float) -> str:
    """Give a colour `share` (0 to 1) of the way from one to the other."""
    pairs = zip(channels(one), channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def channels(colour: str) -> tuple[int, int, int]:
    """Give red, green and blue, 0 to 255, of `#rrggbb`."""
    digits = colour.removeprefix("#")
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


def _linear(share: float) -> float:
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
