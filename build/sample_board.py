"""Draw the classroom of the sample lesson: a board that fills up, and who is speaking.

Everything is drawn by code, 1280 by 720. People are plain shapes seen from behind, without faces.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import matplotlib
from PIL import Image, ImageDraw, ImageFont

SIZE = (1280, 720)
WALL, FLOOR, WOOD = "#E4DED2", "#BFB29B", "#8A6A43"
BOARD, CHALK, YELLOW, BLUE, RED = "#1F4037", "#F4F1E6", "#FFD75E", "#9CD3F5", "#FF8A73"
PEOPLE = {"Ms Linden": "#4B3B63", "Robin": "#355C7D", "Maya": "#7A4A3A", "Oscar": "#4F6B3A"}
PLACES = {"Robin": 230, "Maya": 520, "Oscar": 810, "Ms Linden": 1130}


@dataclass(frozen=True, slots=True)
class Scene:
    """What is on the board and who speaks, between two changes."""

    title: str
    shown: tuple[str, ...]
    """Names of the parts of the drawing, in the order they were added."""
    notes: tuple[str, ...]
    speaker: str = ""
    hands: tuple[str, ...] = ()


def draw_scene(scene: Scene, step: int) -> Image.Image:
    """Draw one picture, (720, 1280) RGB.

    Args:
        scene: What to draw.
        step: Counts the pictures of the lesson; moves the particles and nothing else.
    """
    picture = _room(scene).copy()
    draw = ImageDraw.Draw(picture)
    for part in scene.shown:
        if part in MOVING:
            MOVING[part](draw, scene, step)
    return picture


@cache
def _room(scene: Scene) -> Image.Image:
    picture = Image.new("RGB", SIZE, WALL)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 585, 1280, 720), fill=FLOOR)
    draw.rectangle((40, 20, 1240, 548), fill=WOOD)
    draw.rectangle((52, 32, 1228, 536), fill=BOARD)
    draw.text((84, 50), scene.title, font=_font(44, bold=True), fill=YELLOW)
    draw.line((84, 108, 1196, 108), fill=CHALK, width=2)
    for part in scene.shown:
        if part in STILL:
            STILL[part](draw)
    _write_notes(draw, scene.notes)
    for name in PLACES:
        _person(draw, name, speaks=name == scene.speaker, hand=name in scene.hands)
    return picture


@cache
def _font(size: int, bold: bool = False) -> ImageFont.FreeTypeFont:
    # matplotlib brings DejaVu along, so that the pictures do not depend on the computer.
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / name), size)


def _write_notes(draw: ImageDraw.ImageDraw, notes: Sequence[str]) -> None:
    for row, note in enumerate(notes):
        draw.text((712, 150 + 74 * row), note, font=_font(36), fill=CHALK)


def _person(draw: ImageDraw.ImageDraw, name: str, *, speaks: bool, hand: bool) -> None:
    x, colour = PLACES[name], PEOPLE[name]
    tall = 70 if name == "Ms Linden" else 0
    head = 596 - tall
    if hand:
        draw.line((x + 62, 690, x + 78, head - 34), fill=colour, width=24)
        draw.ellipse((x + 63, head - 56, x + 93, head - 26), fill=colour)
    draw.rounded_rectangle((x - 78, head + 52, x + 78, 760), 60, fill=colour)
    draw.ellipse((x - 38, head - 38, x + 38, head + 42), fill=colour)
    draw.text((x, 696), name, font=_font(26, bold=True), fill="#FFFFFF", anchor="mm")
    if speaks:
        draw.ellipse((x - 46, head - 46, x + 46, head + 50), outline=YELLOW, width=7)
        for radius in (64, 82, 100):
            box = (x - radius, head - radius, x + radius, head + radius)
            draw.arc(box, 160, 205, fill="#9A6B00", width=7)


def _can(draw: ImageDraw.ImageDraw) -> None:
    draw.rectangle((190, 190, 370, 490), outline=CHALK, width=5)
    draw.ellipse((190, 170, 370, 210), outline=CHALK, width=5, fill=BOARD)
    draw.arc((190, 470, 370, 510), 0, 180, fill=CHALK, width=5)
    draw.text((280, 240), "cold", font=_font(34), fill=BLUE, anchor="mm")


def _drops(draw: ImageDraw.ImageDraw) -> None:
    for x, y in (
        (180, 270),
        (176, 340),
        (182, 420),
        (380, 250),
        (384, 320),
        (378, 390),
        (383, 452),
    ):
        draw.polygon([(x, y - 20), (x - 9, y), (x + 9, y)], fill=BLUE)
        draw.ellipse((x - 10, y - 8, x + 10, y + 13), fill=BLUE)


def _red(draw: ImageDraw.ImageDraw) -> None:
    draw.rectangle((196, 300, 364, 486), fill="#B8432F")
    draw.text((280, 396), "red water", font=_font(30, bold=True), fill=CHALK, anchor="mm")


def _scale(draw: ImageDraw.ImageDraw) -> None:
    draw.polygon([(130, 512), (430, 512), (460, 532), (100, 532)], fill="#7F8C87")
    draw.rectangle((440, 420, 610, 486), fill="#0D1F1A", outline=CHALK, width=3)
    draw.text((525, 453), "350 g", font=_font(40, bold=True), fill=YELLOW, anchor="mm")


def _table(draw: ImageDraw.ImageDraw) -> None:
    _row(draw, 150, ("can", "start", "after"), YELLOW)
    for y in (140, 216, 292, 368):
        draw.line((90, y, 650, y), fill=CHALK, width=3)
    for x in (90, 270, 460, 650):
        draw.line((x, 140, x, 368), fill=CHALK, width=3)


def _row(draw: ImageDraw.ImageDraw, y: int, cells: Sequence[str], colour: str) -> None:
    for x, cell in zip((180, 365, 555), cells, strict=True):
        draw.text((x, y + 28), cell, font=_font(36), fill=colour, anchor="mm")


def _cold_row(draw: ImageDraw.ImageDraw) -> None:
    _row(draw, 226, ("cold", "350 g", "353 g"), CHALK)


def _warm_row(draw: ImageDraw.ImageDraw) -> None:
    _row(draw, 302, ("warm", "350 g", "350 g"), CHALK)


def _mark(draw: ImageDraw.ImageDraw) -> None:
    draw.ellipse((468, 220, 642, 288), outline=RED, width=5)
    draw.text((370, 430), "3 g more: from where?", font=_font(36), fill=RED, anchor="mm")


def _words(draw: ImageDraw.ImageDraw) -> None:
    for y, word in ((170, "water vapour"), (350, "condensation")):
        draw.rounded_rectangle((90, y, 470, y + 90), 14, outline=YELLOW, width=4)
        draw.text((280, y + 45), word, font=_font(42, bold=True), fill=CHALK, anchor="mm")


def _definitions(draw: ImageDraw.ImageDraw) -> None:
    draw.text((520, 192), "= water in the air, a gas", font=_font(38), fill=CHALK)
    draw.text((520, 372), "= the gas becomes liquid", font=_font(38), fill=CHALK)


def _tables(draw: ImageDraw.ImageDraw) -> None:
    for number, (x, y) in enumerate(((110, 160), (380, 160), (110, 350), (380, 350)), 1):
        draw.rectangle((x, y, x + 190, y + 130), outline=CHALK, width=4)
        draw.text((x + 95, y + 65), str(number), font=_font(50), fill=CHALK, anchor="mm")


def _arrows(draw: ImageDraw.ImageDraw) -> None:
    for y in (270, 360):
        draw.line((100, y, 160, y), fill=YELLOW, width=6)
        draw.polygon([(160, y - 12), (182, y), (160, y + 12)], fill=YELLOW)


def _lens(draw: ImageDraw.ImageDraw) -> None:
    draw.ellipse((424, 195, 672, 443), fill="#16302A", outline=CHALK, width=5)
    draw.line((384, 320, 422, 320), fill=CHALK, width=3)
    draw.rectangle((432, 270, 446, 372), fill="#9AA8A3")


def _particles(draw: ImageDraw.ImageDraw, scene: Scene, step: int) -> None:
    """Dots that wander in the air left of the can, a few of them when the air is dry."""
    numbers = random.Random(7)
    for _ in range(4 if "dry" in scene.shown else 16):
        x, y = numbers.uniform(80, 150), numbers.uniform(140, 490)
        phase, reach = numbers.uniform(0, math.tau), numbers.uniform(8, 20)
        x += reach * math.cos(step / 5 + phase)
        y += reach * math.sin(step / 4 + phase)
        draw.ellipse((x - 6, y - 6, x + 6, y + 6), fill=YELLOW)


def _in_lens(draw: ImageDraw.ImageDraw, scene: Scene, step: int) -> None:
    """Dots inside the lens: quick ones far from the metal, slow ones gathered at it."""
    numbers = random.Random(11)
    slow = "slow" in scene.shown
    for place in range(4 if "dry" in scene.shown else 10):
        gathered = slow and place % 2 == 0
        x = numbers.uniform(458, 476) if gathered else numbers.uniform(520, 630)
        y = numbers.uniform(285, 360)
        reach = 2 if gathered else 22
        phase = numbers.uniform(0, math.tau)
        x, y = x + reach * math.cos(step / 3 + phase), y + reach * math.sin(step / 3 + phase)
        draw.ellipse((x - 9, y - 9, x + 9, y + 9), fill=BLUE if gathered else YELLOW)


STILL: dict[str, Callable[[ImageDraw.ImageDraw], None]] = {
    "can": _can,
    "drops": _drops,
    "red": _red,
    "scale": _scale,
    "table": _table,
    "cold row": _cold_row,
    "warm row": _warm_row,
    "mark": _mark,
    "words": _words,
    "definitions": _definitions,
    "tables": _tables,
    "arrows": _arrows,
    "lens": _lens,
}
MOVING: dict[str, Callable[[ImageDraw.ImageDraw, Scene, int], None]] = {
    "particles": _particles,
    "lens": _in_lens,
}
MARKS = frozenset({"dry", "slow"})
"""Parts that change how others are drawn."""
