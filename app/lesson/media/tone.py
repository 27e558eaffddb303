"""Bring high dynamic range (PQ, HLG) down to an ordinary screen.

Light is taken relative to graphics white, 203 cd/m2 (ITU-R BT.2408), on a 1000 cd/m2 screen. What
lies below the knee keeps its brightness, what lies above is bent towards white, so that faces look
as on an ordinary recording and lamps do not tear. Curves: ITU-R BT.2100, tables 4 and 5; colours
go from BT.2020 to BT.709 by the matrix of BT.2087.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

_WHITE, _PEAK = 203.0, 1000.0
_KNEE = 0.5
_TO_709 = np.array(
    [
        [1.6605, -0.5876, -0.0728],
        [-0.1246, 1.1329, -0.0083],
        [-0.0182, -0.1006, 1.1187],
    ],
    dtype=np.float32,
)
_STEPS = 4096
"""Entries from linear light to screen values; finer than one step of 255 even in the dark."""


def tone_map(image: NDArray[np.uint16], *, is_hlg: bool) -> NDArray[np.uint8]:
    """Turn a picture as coded into one for an ordinary screen.

    Args:
        image: (H, W, 3) uint16, RGB with BT.2020 primaries, coded as HLG or else as PQ.
        is_hlg: Which of the two it is.

    Returns:
        (H, W, 3) uint8 sRGB.
    """
    light, dimmed = _curves(is_hlg)
    # All three channels are dimmed alike, by what the brightest needs: orange stays orange.
    brightest = np.maximum(np.maximum(image[:, :, 0], image[:, :, 1]), image[:, :, 2])
    linear = (light[image] * dimmed[brightest][:, :, np.newaxis]) @ _TO_709.T
    index = np.clip(linear * (_STEPS - 1) + 0.5, 0, _STEPS - 1).astype(np.int16)
    screened: NDArray[np.uint8] = _screen()[index]
    return screened


@lru_cache(maxsize=2)
def _curves(is_hlg: bool) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Give, for each coded value, its light and the factor by which that is to be dimmed."""
    coded = np.arange(65536) / 65535
    light = (_hlg_nits(coded) if is_hlg else _pq_nits(coded)) / _WHITE
    dimmed = _bent(light) / np.maximum(light, 1e-9)
    return light.astype(np.float32), np.where(light < _KNEE, 1, dimmed).astype(np.float32)


def _pq_nits(coded: NDArray[np.float64]) -> NDArray[np.float64]:
    m1, m2 = 1305 / 8192, 2523 / 32
    c1, c2, c3 = 107 / 128, 2413 / 128, 2392 / 128
    root = coded ** (1 / m2)
    return np.asarray(10000 * (np.maximum(root - c1, 0) / (c2 - c3 * root)) ** (1 / m1))


def _hlg_nits(coded: NDArray[np.float64]) -> NDArray[np.float64]:
    a, b, c = 0.17883277, 0.28466892, 0.55991073
    scene = np.where(coded <= 0.5, coded**2 / 3, (np.exp((coded - c) / a) + b) / 12)
    return np.asarray(_PEAK * scene**1.2)  # the system gamma of a 1000 cd/m2 screen


def _bent(light: NDArray[np.float64]) -> NDArray[np.float64]:
    room = 1 - _KNEE
    above = np.clip(light - _KNEE, 0, _PEAK / _WHITE - _KNEE)
    highest = (_PEAK / _WHITE - _KNEE) / (_PEAK / _WHITE - _KNEE + room)
    return np.minimum(light, _KNEE) + room * (above / (above + room)) / highest


@lru_cache(maxsize=1)
def _screen() -> NDArray[np.uint8]:
    light = np.arange(_STEPS) / (_STEPS - 1)
    coded = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    screen: NDArray[np.uint8] = np.rint(coded * 255).astype(np.uint8)
    return screen
