"""Which signs of a text can be drawn, and with which fonts; what cannot is marked, never blank.

The page's own fonts are Libertinus Serif (inside typst) and DejaVu Sans (brought by matplotlib),
which cover Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew and Arabic letters. For other scripts
the fonts of the computer are asked.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib
import typst
from matplotlib.ft2font import FT2Font

OWN_FAMILIES = ("Libertinus Serif", "DejaVu Sans")
MARK = "\ufffd"
"""What stands for a sign that cannot be drawn."""
_DEJAVU = ("DejaVuSans", "DejaVuSans-Bold", "DejaVuSans-Oblique", "DejaVuSans-BoldOblique")
# These draw a box for every sign there is.
_BOXES_ONLY = ("last resort", "lastresort", "adobe blank", "unifont upper")


@dataclass(frozen=True, slots=True)
class Fonts:
    """The fonts for one page."""

    families: tuple[str, ...]
    """In the order in which they are tried."""
    uses_system: bool
    missing: frozenset[str]
    """Signs that no font here can draw."""

    def mark(self, text: str) -> str:
        """Put `MARK` for each sign that cannot be drawn, and for control characters."""
        return "".join(self._sign(sign) for sign in text)

    def _sign(self, sign: str) -> str:
        if sign in "\n\t":
            return "\n" if sign == "\n" else " "
        return MARK if sign in self.missing or _is_control(sign) else sign


def own_font_files() -> list[Path]:
    """Give the font files that are handed to typst besides its own."""
    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    return [folder / f"{name}.ttf" for name in _DEJAVU]


def choose_fonts(texts: Iterable[str], *, ask_system: bool = True) -> Fonts:
    """Find fonts for all signs of some texts.

    Args:
        texts: Everything the page will print.
        ask_system: Whether fonts of the computer may be used.
    """
    signs = {sign for text in texts for sign in text}
    left = {s for s in signs if ord(s) not in _own_signs() and not _needs_no_shape(s)}
    families = list(OWN_FAMILIES)
    if left and ask_system:
        for info in _system_fonts():
            found = {s for s in left if ord(s) in _signs_of(info.path)}
            if found:
                families.append(info.family)
                left -= found
            if not left:
                break
    return Fonts(tuple(families), len(families) > len(OWN_FAMILIES), frozenset(left))


def name_scripts(signs: Iterable[str]) -> list[str]:
    """Name the scripts of some signs by the first word of their Unicode names, most first."""
    names = [unicodedata.name(sign, "unnamed").split()[0].split("-")[0] for sign in signs]
    return sorted(set(names), key=lambda name: (-names.count(name), name))


def _is_control(sign: str) -> bool:
    return unicodedata.category(sign) in ("Cc", "Cs") and sign not in "\n\t"


def _needs_no_shape(sign: str) -> bool:
    """Spaces, breaks, joiners and marks of direction are obeyed, not drawn."""
    return unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp") or sign in " \ufe0e\ufe0f"


@cache
def _own_signs() -> frozenset[int]:
    return _signs_of(str(own_font_files()[0]))


@cache
def _signs_of(path: str) -> frozenset[int]:
    try:
        return frozenset(FT2Font(path).get_charmap())
    except (OSError, RuntimeError):
        # A font that cannot be read, e.g. one of bitmaps only, draws nothing for us.
        return frozenset()


@cache
def _system_fonts() -> tuple[Any, ...]:
    """Upright fonts of the computer, one for each family, those made for reading first."""
    regular: dict[str, Any] = {}
    for info in typst.Fonts(include_system_fonts=True, include_embedded_fonts=False).fonts():
        plain = info.path and info.style == "normal" and 300 <= info.weight <= 500
        if plain and not info.family.lower().startswith(_BOXES_ONLY):
            regular.setdefault(info.family, info)
    return tuple(sorted(regular.values(), key=lambda i: ("sans" not in i.family.lower(), i.family)))
