"""Learner videos, face series and answers of models, made by hand for tests."""

import json

import numpy as np

from app.confusion.faces import FaceSeries
from app.confusion.readers import LearnerMaterial
from app.lesson.media.facts import MediaFacts, VideoFacts
from engines.onnx_face_models import blendshape_names


def recording(duration_ms=10_000, *, start_ms=0, has_video=True, path="/videos/k.mp4"):
    video = VideoFacts(
        0, "h264", 640, 480, 640, 480, 0, False, (1, 1), duration_ms // 40, start_ms,
        start_ms + duration_ms, False, "yuv420p", False,
    )  # fmt: skip
    return MediaFacts(
        path, 1, "f" * 64, "mov,mp4", start_ms, duration_ms, video if has_video else None, None
    )


def material(media=None, **more):
    given = {"title": "Fractions", **more}
    return LearnerMaterial("lesson-1", media or recording(), "learner-1", **given)


def seen(level="none", confidence="high", frames=(), cues=()):
    """Give an answer about a window in which the learner can be seen."""
    told = [{"cue": cue, "frames": list(at), "words": words} for cue, at, words in cues]
    window = {
        "visible": "yes",
        "cues": told,
        "level": level,
        "confidence": confidence,
        "frames": list(frames),
    }
    return json.dumps({"window": window})


def hidden(why="The chair is empty."):
    return json.dumps({"window": {"visible": "no", "why": why}})


FROWN = ("browDownLeft", "browDownRight", "eyeSquintLeft", "eyeSquintRight")


def series(rows, looked_ms, *, complete=True, frame_px=(640, 480), frown=range(0)):
    """Make a series of calm faces from rows of time, track, and the middle of the face.

    At moments in `frown` the brows are low and the lids tight.
    """
    n = len(rows)
    names = blendshape_names()
    shapes = np.random.default_rng(1).uniform(0.02, 0.06, (n, 52)).astype(np.float32)
    for place, row in enumerate(rows):
        if row[0] in frown:
            shapes[place, [names.index(name) for name in FROWN]] = 0.9
    box = [[x - 50, y - 60, 100, 120] for _, _, x, y in rows]
    moves = np.arange(n) % 3 * 4  # nobody sits as still as a picture
    return FaceSeries(
        looked_ms=np.asarray(looked_ms, np.int64),
        time_ms=np.asarray([row[0] for row in rows], np.int64),
        track=np.asarray([row[1] for row in rows], np.int32),
        box=(np.asarray(box, np.float32).reshape(n, 4) + moves[:, None] * [1, 0, 0, 0]).astype(
            np.float32
        ),
        presence=np.ones(n, np.float32),
        blendshapes=shapes,
        pose_deg=np.zeros((n, 3), np.float32),
        covered=np.zeros((n, 3), np.float32),
        light=np.full((n, 2), 0.5, np.float32),
        eye_distance=np.full(n, 60, np.float32),
        names=names,
        frame_px=frame_px,
        is_complete=complete,
    )
