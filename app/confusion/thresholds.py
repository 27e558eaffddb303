"""From when on a face shows something: every threshold of the face-cue reader, with its source."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The numbers of `resources/face_cues.toml`; what each means is said there beside it."""

    presence: float
    eye_distance_px: float
    turned_deg: float
    tilted_deg: float
    covered: float
    brightness: float
    contrast: float
    readable_s: float
    seen_share: float

    faces_s: float
    still_s: float
    still_move: float
    still_long_s: float
    still_long_move: float
    still_change: float
    gap_s: float
    steady_s: float
    steady_share: float
    steady_deg: float
    near_faces: float
    near_size: float

    calm_s: float
    calm_smile: float
    eyes_shut: float
    renewed_s: float

    brow_slight: float
    brow_clear: float
    brow_strong: float
    lids_slight: float
    lids_clear: float
    lids_strong: float
    lip_raised: float
    lips_pressed: float
    smile: float
    spreads: float
    lowered_free_deg: float
    lowered_brow: float
    lowered_lids: float
    bent_deg: float
    held_share: float
    long_share: float
    leaning_share: float
    hand_share: float

    typical_brow: float
    typical_lids: float
    typical_lip_raised: float
    typical_lips_pressed: float
    typical_smile: float
    typical_pitch_deg: float
    unknown_factor: float

    sure_share: float
    half_sure_share: float
    sure_margin: float


@dataclass(frozen=True, slots=True)
class ThresholdSource:
    """Where a threshold comes from, for the documentation and for whoever doubts it."""

    name: str
    value: float
    meaning: str
    source: str


@cache
def read_thresholds(path: Path) -> Thresholds:
    """Read `resources/face_cues.toml`.

    Raises:
        ValueError: A threshold is missing, unknown or without its source; the installation is
            broken.
    """
    values = {entry.name: entry.value for entry in read_sources(path)}
    wanted = {field.name for field in fields(Thresholds)}
    if wanted != set(values):
        wrong = ", ".join(sorted(wanted ^ set(values)))
        raise ValueError(f"{path.name} lacks a threshold or has one too many: {wrong}")
    return Thresholds(**values)


@cache
def read_sources(path: Path) -> tuple[ThresholdSource, ...]:
    """Read every threshold with what it means and where it comes from.

    Raises:
        ValueError: One of them does not say so.
    """
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    found = []
    for entry in table["threshold"]:
        means, source = str(entry.get("means", "")), str(entry.get("source", ""))
        if not means or not source:
            raise ValueError(f"{path.name} does not say what {entry.get('name')} rests on")
        found.append(ThresholdSource(str(entry["name"]), float(entry["value"]), means, source))
    return tuple(found)


def thresholds_sha(path: Path) -> str:
    """Give the SHA-256, hex, of the file, for the provenance of a run."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
