"""Series of faces written by hand, for tests that need no pictures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from app.confusion.faces import FaceSeries
from app.confusion.thresholds import read_thresholds
from resources import resource

NAMES = (
    *("browDownLeft", "browDownRight", "eyeSquintLeft", "eyeSquintRight"),
    *("mouthUpperUpLeft", "mouthUpperUpRight", "mouthPressLeft", "mouthPressRight"),
    *("mouthSmileLeft", "mouthSmileRight", "eyeBlinkLeft", "eyeBlinkRight"),
    *(f"other{number}" for number in range(40)),
)
SIGNS = {"brow": 0, "lids": 2, "lip_raised": 4, "lips_pressed": 6, "smile": 8, "shut": 10}
REST = {"brow": 0.03, "lids": 0.2, "lip_raised": 0.01, "lips_pressed": 0.06}
STEP_MS = 200
THRESHOLDS = read_thresholds(resource("face_cues.toml"))
TABLE = Path(resource("face_cues.toml"))


def face(
    seconds: float,
    *,
    start_s: float = 0.0,
    track: int = 1,
    box: tuple[float, float, float, float] = (200, 100, 200, 240),
    step_ms: int = STEP_MS,
    alive: bool = True,
    **values: float,
) -> FaceSeries:
    """Make one face that stays as it is: signs by their names, `pitch`, `dark`, `eye` and so on."""
    n = round(seconds * 1000 / step_ms)
    time_ms = (round(start_s * 1000) + np.arange(n) * step_ms).astype(np.int64)
    shapes = np.zeros((n, len(NAMES)), np.float32)
    for sign, at in SIGNS.items():
        shapes[:, at : at + 2] = values.get(sign, REST.get(sign, 0.0))
    # Whoever lives moves a little, by the clock and not by the count of pictures.
    moved = np.sin(time_ms / 700) * alive
    shapes[:, 20] = 0.3 + 0.3 * moved
    boxes = np.tile(np.array(box, np.float32), (n, 1))
    boxes[:, 0] += 4 * moved
    covered = [values.get("eyes_covered", 0.0), values.get("mouth_covered", 0.0)]
    return FaceSeries(
        looked_ms=time_ms,
        time_ms=time_ms,
        track=np.full(n, track, np.int32),
        box=boxes,
        presence=np.full(n, values.get("presence", 0.99), np.float32),
        blendshapes=shapes,
        pose_deg=np.tile(
            np.array([values.get("yaw", 0.0), values.get("pitch", 0.0), 0.0], np.float32), (n, 1)
        ),
        covered=np.tile(np.array([*covered, values.get("chin_covered", 0.0)], np.float32), (n, 1)),
        light=np.tile(
            np.array([values.get("bright", 0.4), values.get("contrast", 0.3)], np.float32), (n, 1)
        ),
        eye_distance=np.full(n, values.get("eye", 60.0), np.float32),
        names=NAMES,
        frame_px=(640, 480),
    )


def nobody(seconds: float, *, start_s: float = 0.0, step_ms: int = STEP_MS) -> FaceSeries:
    """Make a stretch that was looked at without a face."""
    seen = face(seconds, start_s=start_s, step_ms=step_ms)
    none = {name: getattr(seen, name)[:0] for name in ROWS}
    return replace(seen, **none)


ROWS = (
    *("time_ms", "track", "box", "presence", "blendshapes"),
    *("pose_deg", "covered", "light", "eye_distance"),
)


def joined(*parts: FaceSeries) -> FaceSeries:
    """Put stretches together, one after another or at the same time, in order of time."""
    looked = np.unique(np.concatenate([part.looked_ms for part in parts]))
    rows = {name: np.concatenate([getattr(part, name) for part in parts]) for name in ROWS}
    order = np.argsort(rows["time_ms"], kind="stable")
    return replace(
        parts[0], looked_ms=looked, **{name: values[order] for name, values in rows.items()}
    )


def after(*parts: tuple[float, dict[str, float]] | tuple[float, None]) -> FaceSeries:
    """Make one face that changes: seconds and values, or seconds and `None` for nobody."""
    made, start_s = [], 0.0
    for seconds, values in parts:
        if values is None:
            made.append(nobody(seconds, start_s=start_s))
        else:
            made.append(face(seconds, start_s=start_s, **values))
        start_s += seconds
    return joined(*made)
