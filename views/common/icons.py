"""The program's own line icons, drawn in the colour of the text around them."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from resources import resource

SIDE_PX = 48
"""Drawn at twice the size shown, so that sharp screens stay sharp."""


def icon(name: str, ink: str = "", ink_on: str = "") -> QIcon:
    """Give one of `resources/icons`; the program's own icon keeps its colours.

    Args:
        name: Name of the file without its ending.
        ink: `#rrggbb` of its lines.
        ink_on: The same while the button it stands on is down.
    """
    made = QIcon(_picture(name, ink))
    if ink_on:
        made.addPixmap(_picture(name, ink_on), QIcon.Mode.Normal, QIcon.State.On)
    return made


def _picture(name: str, ink: str) -> QPixmap:
    text = resource(f"icons/{name}.svg").read_text(encoding="utf-8")
    if ink:
        text = text.replace("currentColor", ink)
    renderer = QSvgRenderer(QByteArray(text.encode()))
    picture = QPixmap(SIDE_PX, SIDE_PX)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    renderer.render(painter, QRectF(0, 0, SIDE_PX, SIDE_PX))
    painter.end()
    return picture
