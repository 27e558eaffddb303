"""The models of the face engine: the right files, run where it is asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from app.errors import EngineMissing, Refused
from engines import onnx_face_models
from engines.onnx_face import OnnxFace
from engines.onnx_face_models import FACE, face_model, session
from resources import resource


def test_a_changed_model_is_refused(tmp_path, monkeypatch):
    changed = tmp_path / "face_blendshapes.onnx"
    changed.write_bytes(b"something else")
    monkeypatch.setattr(onnx_face_models, "resource", lambda _name: changed)
    with pytest.raises(Refused, match=r"face_blendshapes\.onnx is not the file it should be"):
        face_model("face_blendshapes.onnx")


def test_a_missing_model_is_named(monkeypatch):
    def nothing(name):
        raise FileNotFoundError(f"{name} is missing")

    monkeypatch.setattr(onnx_face_models, "resource", nothing)
    with pytest.raises(EngineMissing, match=r"centerface_dyn\.onnx"):
        face_model("centerface_dyn.onnx")


def test_the_engine_is_told_apart_by_the_hashes_of_its_models():
    facts = OnnxFace().facts()
    assert facts.offline
    assert dict(facts.identity) == {f"sha256 {name}": sha for name, sha in FACE.items()}
    table = resource("models/README.md").read_text(encoding="utf-8")
    assert all(sha in table for sha in FACE.values())


def test_the_quick_landmark_model_gives_what_the_original_gives():
    original = onnxruntime.InferenceSession(
        str(resource("models/face/face_landmarks_detector.onnx")),
        providers=["CPUExecutionProvider"],
    )
    pictures = np.random.default_rng(5).random((3, 1, 256, 256, 3), dtype=np.float32)
    for picture in pictures:
        wanted = original.run(None, {"input_12": picture})
        given = session("face_landmarks_quick.onnx").run(None, {"input_12": picture})
        assert np.abs(given[0] - wanted[0]).max() < 0.001
        assert np.abs(given[1] - wanted[1]).max() < 0.001


def test_without_a_card_the_processor_is_asked_for_by_name():
    session.cache_clear()
    onnx_face_models._has_card.cache_clear()
    asked = session("face_detector.onnx").get_providers()
    if not onnx_face_models._has_card():
        assert asked == [onnx_face_models.ON_PROCESSOR]
    else:
        assert asked[0] == onnx_face_models.ON_CARD


def test_a_card_that_does_not_work_leaves_the_processor(monkeypatch):
    session.cache_clear()
    monkeypatch.setattr(onnx_face_models, "_has_card", lambda: True)
    real = onnxruntime.InferenceSession

    def start(file, options, providers):
        if onnx_face_models.ON_CARD in providers:
            raise RuntimeError("CUDA error: no kernel image is available")
        return real(file, options, providers=providers)

    monkeypatch.setattr(onnxruntime, "InferenceSession", start)
    try:
        assert session("face_detector.onnx").get_providers() == [onnx_face_models.ON_PROCESSOR]
    finally:
        session.cache_clear()


LOOK_FOR_SMALL_FACES = """
from pathlib import Path
import numpy as np
from engines.onnx_face_detect import find_near, find_small

def most_mb():
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmHWM"))) / 1024

empty = np.zeros((1024, 1280, 3), np.uint8)
find_near(empty)
before = most_mb()
find_small(empty)
find_small(empty)
print(most_mb() - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="most memory is read on Linux")
def test_small_faces_in_a_large_picture_are_looked_for_in_little_memory():
    # All of the picture at once took over 400 MB.
    asked = [sys.executable, "-c", LOOK_FOR_SMALL_FACES]
    done = subprocess.run(asked, check=True, capture_output=True, text=True)
    assert float(done.stdout) < 80


def test_a_machine_without_the_driver_of_a_card_counts_no_cards(monkeypatch):
    def missing(_name):
        raise OSError("no such library")

    monkeypatch.setattr(onnx_face_models.ctypes, "CDLL", missing)
    onnx_face_models._has_card.cache_clear()
    try:
        assert not onnx_face_models._has_card()
    finally:
        onnx_face_models._has_card.cache_clear()
