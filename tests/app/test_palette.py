"""The colours can be told apart, read on, and are never the only sign."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from app.palette import Palette, read_palette
from resources import resource

PAGES = {"light": "#FFFFFF", "dark": "#1C1F21"}

# Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB.
SIGHTS = {
    "full": np.eye(3),
    "protan": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deutan": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritan": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}


def linear(colour: str) -> np.ndarray:
    rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    lights = sorted(float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (one, other))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def lab(rgb: np.ndarray) -> np.ndarray:
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    xyz = to_xyz @ rgb / np.array([0.9505, 1.0, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.fixture(params=sorted(PAGES))
def look(request) -> tuple[str, Palette]:
    return request.param, read_palette(resource("palette.toml"), request.param)


def test_all_four_practices_and_none_have_colours(look):
    _, palette = look
    assert set(palette.by_practice) == {"BI", "D1", "D2", "D3", "none"}


def test_letters_can_be_read_on_their_colour(look):
    _, palette = look
    assert all(contrast(c.ink, c.fill) >= 4.5 for c in palette.by_practice.values())


def test_marks_stand_out_from_the_page(look):
    name, palette = look
    assert all(contrast(c.fill, PAGES[name]) >= 3 for c in palette.by_practice.values())


@pytest.mark.parametrize("sight", sorted(SIGHTS))
def test_no_two_practices_look_alike_whatever_the_colour_sight(look, sight):
    _, palette = look
    seen = {
        name: lab(np.clip(SIGHTS[sight] @ linear(c.fill), 0, 1))
        for name, c in palette.by_practice.items()
    }
    for one, other in itertools.combinations(seen, 2):
        assert np.linalg.norm(seen[one] - seen[other]) >= 18, (one, other)


def test_an_unknown_practice_is_drawn_as_none(look):
    _, palette = look
    assert palette.of("") == palette.of("D9") == palette.by_practice["none"]


def test_a_broken_palette_is_named(tmp_path):
    broken = tmp_path / "palette.toml"
    broken.write_text("[light.BI]\nfill = '#000000'\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"palette\.toml does not describe the light colours"):
        read_palette(broken, "light")
