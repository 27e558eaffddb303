"""The small models of the face engine: checked by their hash, loaded once, run where it is quick.

One thread runs a model: two were slower (models this small wait for each other longer than they
compute), and the other core decodes the recording meanwhile. On the processor all models share one
store of memory that grows by what is asked for: a store for each, doubled whenever it was too small
and laid out anew for each size of picture, took 25 MB more for small pictures, and the more the
larger they were.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

from app.errors import EngineMissing
from engines.hashes import check_file
from resources import resource

FACE = {
    "face_detector.onnx": "ef9168947366abec56baf8f7b4e93b260d722a1560ce313485569bd2ce8b2450",
    "face_detection_full_range.onnx": (
        "890e7dfba5836763a9473c816dd4220aff7e662eea2fca6b434da7b5d90eb63c"
    ),
    "centerface_dyn.onnx": "5aaf17b351911ad4a27f126d2de45809710c458b95cba4a6478c4fd4e2e9d978",
    "face_landmarks_quick.onnx": "3fef436a8320f60c2a7861ea4f4f70db0839487e297f9700a370b23328360668",
    "face_blendshapes.onnx": "63bd855276220f3caedda128e0ba31888349f9935cf50f9dd0ba6191e327b140",
}
"""SHA-256 of the files in `resources/models/face`; the same as in the README beside them."""

ON_PROCESSOR = "CPUExecutionProvider"
ON_CARD = "CUDAExecutionProvider"


def face_model(name: str, *, again: bool = False) -> Path:
    """Give the path of a model that comes with the program, having checked it.

    Raises:
        EngineMissing: It is not there.
        Refused: It is not the file it should be.
    """
    try:
        file = resource(f"models/face/{name}")
    except FileNotFoundError as error:
        raise EngineMissing(f"A face model is missing: {error}.", "Install anew.") from error
    check_file(file, FACE[name], f"The face model {name}", again=again)
    return file


@cache
def session(name: str) -> Any:
    """Give a model ready to run: on the graphics card where there is one, else the processor.

    Raises:
        EngineMissing, Refused: As `face_model`.
    """
    import onnxruntime

    file = str(face_model(name))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    # Converted models carry numbers that nothing uses, and it says so of each.
    options.log_severity_level = 3
    if _has_card():
        # A card whose libraries do not fit is no card: the processor does the same more slowly.
        with contextlib.suppress(RuntimeError, ValueError):
            providers = [ON_CARD, ON_PROCESSOR]
            return onnxruntime.InferenceSession(file, options, providers=providers)
    _share_memory()
    options.add_session_config_entry("session.use_env_allocators", "1")
    options.enable_mem_pattern = False
    return onnxruntime.InferenceSession(file, options, providers=[ON_PROCESSOR])


@cache
def blendshape_names() -> tuple[str, ...]:
    """Give MediaPipe's names of the 52 blendshapes, in the order of the model."""
    return tuple(_indices()["blendshape_names"])


@cache
def blendshape_points() -> tuple[int, ...]:
    """Give the 146 landmarks that the blendshape model takes, in its order."""
    return tuple(_indices()["blendshape_landmarks"])


def _indices() -> Any:
    return json.loads(resource("models/face/face_indices.json").read_text(encoding="utf-8"))


@cache
def _share_memory() -> None:
    """Lay the store that the models on the processor share; once in a process."""
    import onnxruntime as ort

    no_limit, as_asked_for, usual = 0, 1, -1
    grows = ort.OrtArenaCfg(no_limit, as_asked_for, usual, usual)
    kind, at = ort.OrtAllocatorType.ORT_ARENA_ALLOCATOR, ort.OrtMemType.DEFAULT
    ort.create_and_register_allocator(ort.OrtMemoryInfo("Cpu", kind, 0, at), grows)


@cache
def _has_card() -> bool:
    """Say whether there is a card that CUDA can use, and a runtime that can use CUDA."""
    import onnxruntime

    if ON_CARD not in onnxruntime.get_available_providers() or not _has_driver():
        return False
    import ctranslate2

    try:
        return bool(ctranslate2.get_cuda_device_count())
    except (RuntimeError, ValueError):  # a driver that is too old, or none
        return False


def _has_driver() -> bool:
    """Say whether CUDA's driver is there; without it, counting cards would cost 10 MB for none."""
    try:
        ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")
    except OSError:
        return False
    return True
