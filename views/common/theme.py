"""Colours and text sizes of the window: light, dark and high contrast.

A widget that paints itself asks `current_theme()` each time it paints, and repaints on the
palette change that `apply_theme` sends to every widget.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from string import Template
from types import MappingProxyType

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from app.palette import Colours, Palette, read_palette
from resources import resource
from views.common.colours import BLACK, WHITE, ink_on, mix

MIN_SCALE, MAX_SCALE = 0.8, 2.0
"""Text sizes offered, as multiples of the system's own size."""


@dataclass(frozen=True, slots=True)
class Theme:
    """Every colour the window uses, as `#rrggbb`, by what it is for."""

    name: str
    is_dark: bool
    window: str
    """Behind everything."""
    base: str
    """Behind text that is read or typed, and behind the lanes of the timeline."""
    raised: str
    """Buttons and bands that stand out from the window."""
    text: str
    muted: str
    """Text of second rank; still 4.5:1 on `window`, `base` and `raised`."""
    line: str
    """Hairlines between areas; carries no meaning of its own."""
    edge: str
    """Borders of controls; 3:1 on `window`."""
    accent: str
    on_accent: str
    focus: str
    """Ring around what the keyboard acts on; 3:1 on every background."""
    playhead: str
    waveform: str
    teacher: str
    student: str
    good: str
    doubt: str
    bad: str

    def practice(self, practice: str) -> str:
        """Give the fill of a practice as `#rrggbb`; of `none` when it is empty or hidden."""
        return self.practice_colours(practice).fill

    def practice_colours(self, practice: str) -> Colours:
        """Give fill, ink and tint of a practice, as `resources/palette.toml` has them."""
        return _practices("dark" if self.is_dark else "light").of(practice)


LIGHT = Theme(
    name="light",
    is_dark=False,
    window="#f4f3f0",
    base="#ffffff",
    raised="#e9e8e4",
    text="#1c2228",
    muted="#525c66",
    line="#cfd0d0",
    edge="#79828b",
    accent="#0b5cad",
    on_accent="#ffffff",
    focus="#b8400a",
    playhead="#b8400a",
    waveform="#5d7d9c",
    teacher="#3d566f",
    student="#a9c3da",
    good="#1d6b45",
    doubt="#855400",
    bad="#a8261c",
)
DARK = Theme(
    name="dark",
    is_dark=True,
    window="#171a1e",
    base="#1f2429",
    raised="#2b3138",
    text="#eef1f4",
    muted="#b1bac3",
    line="#3b434b",
    edge="#7f8a95",
    accent="#74b6fa",
    on_accent="#0c1620",
    focus="#ffb454",
    playhead="#ffb454",
    waveform="#6f93b5",
    teacher="#a8c4df",
    student="#4f6b86",
    good="#7ed3a8",
    doubt="#f0c060",
    bad="#ff9a8f",
)
HIGH_CONTRAST = Theme(
    name="high-contrast",
    is_dark=True,
    window="#000000",
    base="#000000",
    raised="#1a1a1a",
    text="#ffffff",
    muted="#e6e6e6",
    line="#9a9a9a",
    edge="#ffffff",
    accent="#ffe14d",
    on_accent="#000000",
    focus="#5cf2ff",
    playhead="#5cf2ff",
    waveform="#c8d8e8",
    teacher="#ffffff",
    student="#7f9cb8",
    good="#7dffb8",
    doubt="#ffe14d",
    bad="#ff9d94",
)

THEMES: Mapping[str, Theme] = MappingProxyType({t.name: t for t in (LIGHT, DARK, HIGH_CONTRAST)})
"""By the name that is kept in the settings."""

_current = LIGHT


def current_theme() -> Theme:
    """Give the theme that was applied last; light before any was."""
    return _current


def apply_theme(app: QApplication, name: str, scale: float = 1.0) -> Theme:
    """Dress the whole program.

    Args:
        app: The application.
        name: `light`, `dark` or `high-contrast`.
        scale: Size of text against the system's own; brought into 0.8 to 2.

    Returns:
        The theme now in use.

    Raises:
        KeyError: There is no theme of that name.
    """
    global _current
    _current = THEMES[name]
    dressed = app.property("dressed")
    wanted = f"{name} {scale}"
    if dressed == wanted:
        # Each of the steps below styles every widget there is anew: a second with the window open.
        return _current
    if dressed is None:
        app.setStyle("Fusion")
    _scale_text(app, scale)
    app.setPalette(_palette(_current))
    app.setStyleSheet(_SHEET.substitute(_sheet_values(_current)))
    app.setProperty("dressed", wanted)
    return _current


@cache
def colour(name: str) -> QColor:
    """Give a `#rrggbb` as a colour that is made once; never change what is returned."""
    return QColor(name)


@cache
def _practices(look: str) -> Palette:
    return read_palette(resource("palette.toml"), look)


def _scale_text(app: QApplication, scale: float) -> None:
    usual = app.property("usual_text_pt")
    if usual is None:
        usual = app.font().pointSizeF()
        app.setProperty("usual_text_pt", usual)
    font = app.font()
    font.setPointSizeF(float(usual) * min(max(scale, MIN_SCALE), MAX_SCALE))
    app.setFont(font)


def _palette(theme: Theme) -> QPalette:
    role, palette = QPalette.ColorRole, QPalette()
    for which, value in (
        (role.Window, theme.window),
        (role.WindowText, theme.text),
        (role.Base, theme.base),
        (role.AlternateBase, theme.raised),
        (role.Text, theme.text),
        (role.Button, theme.raised),
        (role.ButtonText, theme.text),
        (role.BrightText, theme.bad),
        (role.ToolTipBase, theme.raised),
        (role.ToolTipText, theme.text),
        (role.PlaceholderText, theme.muted),
        (role.Highlight, theme.accent),
        (role.HighlightedText, theme.on_accent),
        (role.Link, theme.accent),
        (role.LinkVisited, theme.accent),
        (role.Accent, theme.accent),
        (role.Light, theme.raised),
        (role.Midlight, theme.line),
        (role.Mid, theme.line),
        (role.Dark, theme.edge),
        (role.Shadow, theme.edge),
    ):
        palette.setColor(which, QColor(value))
    # A control that is off stays readable: people must be able to see what they cannot do yet.
    for which in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, which, QColor(theme.muted))
    return palette


def _sheet_values(theme: Theme) -> dict[str, str]:
    return {
        "raised": theme.raised,
        "hover": mix(theme.raised, theme.text, 0.12),
        "text": theme.text,
        "muted": theme.muted,
        "base": theme.base,
        "line": theme.line,
        "edge": theme.edge,
        "accent": theme.accent,
        "on_accent": theme.on_accent,
        "focus": theme.focus,
        "tip_text": ink_on(theme.raised),
        "tick": resource(f"icons/{_TICKS[ink_on(theme.accent)]}.svg").as_posix(),
    }


_TICKS = {WHITE: "tick-white", BLACK: "tick-black"}
"""A check box that is on is filled and ticked; Fusion's own is black on black in high contrast."""

_SHEET = Template("""
QPushButton, QToolButton {
    background: $raised; color: $text; border: 1px solid $edge; border-radius: 4px;
    padding: 4px 9px;
}
QPushButton:hover, QToolButton:hover { background: $hover; }
QPushButton:checked, QToolButton:checked, QPushButton:default {
    background: $accent; color: $on_accent;
}
QPushButton:disabled, QToolButton:disabled {
    color: $muted; border: 1px dashed $edge;
}
QComboBox:focus { border: 3px solid $focus; border-radius: 4px; }
QPushButton:focus, QToolButton:focus {
    border: 3px solid $focus; padding: 2px 7px;
}
QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox, QAbstractItemView {
    background: $base; color: $text; border: 1px solid $edge; border-radius: 3px;
    selection-background-color: $accent; selection-color: $on_accent;
}
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QAbstractSpinBox:focus,
QAbstractItemView:focus { border: 3px solid $focus; }
QCheckBox:focus, QRadioButton:focus, QSlider:focus, QTabBar:focus, QLabel:focus {
    border: 2px solid $focus; border-radius: 3px;
}
QCheckBox::indicator {
    width: 14px; height: 14px; border: 1px solid $edge; border-radius: 3px; background: $base;
}
QCheckBox::indicator:checked { background: $accent; image: url("$tick"); }
QToolTip { background: $raised; color: $tip_text; border: 1px solid $edge; padding: 4px; }
QSplitter::handle { background: $line; }
QSplitter::handle:focus { background: $focus; }
""")
