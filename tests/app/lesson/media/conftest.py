"""Small recordings, written by the tests that need them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

MEDIA = Path(__file__).resolve().parents[3] / "data" / "media"


@pytest.fixture
def media() -> Path:
    """Give the folder of small real recordings."""
    return MEDIA


def corners(width: int = 64, height: int = 48) -> np.ndarray:
    """Give a picture that shows which way up it is: red, green over blue, white."""
    picture = np.zeros((height, width, 3), np.uint8)
    top, left = slice(0, height // 2), slice(0, width // 2)
    bottom, right = slice(height // 2, None), slice(width // 2, None)
    picture[top, left] = (255, 0, 0)
    picture[top, right] = (0, 255, 0)
    picture[bottom, left] = (0, 0, 255)
    picture[bottom, right] = (255, 255, 255)
    return picture


def numbered(number: int, width: int = 64, height: int = 48) -> np.ndarray:
    """Give a picture that shows its number, 0 to 255, in eight bars that are black or white."""
    picture = np.zeros((height, width, 3), np.uint8)
    for bit in range(8):
        if number >> bit & 1:
            picture[:, bit * width // 8 : (bit + 1) * width // 8] = 255
    return picture


def number_on(image: np.ndarray) -> int:
    """Read the number on a picture made by `numbered`."""
    width = image.shape[1]
    middles = [image[image.shape[0] // 2, (2 * bit + 1) * width // 16].mean() for bit in range(8)]
    return sum(1 << bit for bit, light in enumerate(middles) if light > 127)


def tone(seconds: float, rate: int = 48_000, hertz: int = 440) -> np.ndarray:
    """Give a sine of half the full height, (n,) float32."""
    return (0.5 * np.sin(2 * np.pi * hertz * np.arange(int(seconds * rate)) / rate)).astype("f4")


def write_film(
    path: Path,
    pictures: Sequence[np.ndarray] = (),
    times_ms: Sequence[int] | None = None,
    *,
    codec: str = "libx264",
    pixels: str = "yuv420p",
    base: Fraction = Fraction(1, 1000),
    turn: tuple[int, bool] | None = None,
    aspect: Fraction | None = None,
    key_every: int = 12,
    options: dict[str, str] | None = None,
    more_pictures: Sequence[np.ndarray] = (),
    sound: np.ndarray | None = None,
    sound_start_ms: int = 0,
    sound_codec: str = "aac",
) -> Path:
    """Write a recording.

    Args:
        path: Where; its ending chooses the container.
        pictures: (H, W, 3) uint8 RGB each.
        times_ms: When each is shown; 40 ms apart if not given.
        codec: Of the pictures.
        pixels: Pixel format they are stored in.
        base: Length of a tick in seconds.
        turn: Degrees counter-clockwise and mirrored, for the display matrix.
        aspect: Shape of a pixel.
        key_every: Longest way between key pictures.
        options: For the encoder.
        more_pictures: A second picture stream, 40 ms apart.
        sound: (n,) float32 at 48 kHz.
        sound_start_ms: When the sound begins.
        sound_codec: Of the sound.
    """
    with av.open(str(path), "w") as container:
        streams = []
        for shown in (pictures, more_pictures):
            if not len(shown):
                continue
            stream = container.add_stream(codec, rate=25, options=_options(codec, options))
            stream.height, stream.width = shown[0].shape[:2]
            stream.pix_fmt = pixels
            stream.time_base = stream.codec_context.time_base = base
            stream.codec_context.gop_size = key_every
            if aspect is not None:
                stream.sample_aspect_ratio = aspect
            if turn is not None:
                stream.set_display_rotation(turn[0], hflip=turn[1])
            streams.append((stream, shown))
        if sound is not None:
            audio = container.add_stream(sound_codec, rate=48_000, layout="mono")
        for number, (stream, shown) in enumerate(streams):
            times = (
                times_ms if times_ms is not None and number == 0 else range(0, 40 * len(shown), 40)
            )
            for picture, ms in zip(shown, times, strict=True):
                frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format="rgb24")
                frame.pts, frame.time_base = round(Fraction(ms, 1000) / base), base
                container.mux(stream.encode(frame))
            container.mux(stream.encode(None))
        if sound is not None:
            write_sound(container, audio, sound, sound_start_ms)
    return path


def _options(codec: str, options: dict[str, str] | None) -> dict[str, str]:
    """Keep key pictures where `key_every` puts them, unless a test wants otherwise."""
    if options is None and codec == "libx264":
        return {"sc_threshold": "0"}
    return options or {}


def write_sound(container, audio, sound: np.ndarray, start_ms: int) -> None:
    """Encode sound into a stream, beginning at a moment."""
    for first in range(0, len(sound), 1024):
        piece = sound[first : first + 1024]
        frame = av.AudioFrame.from_ndarray(piece[np.newaxis], format="fltp", layout="mono")
        frame.sample_rate = 48_000
        frame.pts, frame.time_base = first + start_ms * 48, Fraction(1, 48_000)
        container.mux(audio.encode(frame))
    container.mux(audio.encode(None))


class Films:
    """What the tests call; pytest does not let them import a conftest by name."""

    corners = staticmethod(corners)
    numbered = staticmethod(numbered)
    number_on = staticmethod(number_on)
    tone = staticmethod(tone)
    write: Callable[..., Path] = staticmethod(write_film)

    @staticmethod
    def count(number: int, **how) -> list[np.ndarray]:
        """Give `number` pictures that show 0, 1, 2 ..."""
        return [numbered(i % 256, **how) for i in range(number)]


@pytest.fixture
def films() -> type[Films]:
    """Give the means to write recordings."""
    return Films
