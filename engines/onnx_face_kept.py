"""What the face engine has seen of a recording, kept in a folder piece by piece.

A piece is a file of arrays that appears whole or not at all. It also holds what was known at its
end (which faces were followed where), so that work that was stopped or killed goes on as if it
had never stopped. A folder that belongs to another recording, rate or model is emptied first.
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.confusion.faces import FaceSeries
from app.errors import Refused
from engines.onnx_face_cover import SIGNS, Usual
from engines.onnx_face_looks import LOOK
from engines.onnx_face_tracks import Face, Follower, Track

_ABOUT = "about.json"
_ROWS: tuple[tuple[str, Any, tuple[int, ...]], ...] = (
    ("time_ms", np.int64, ()),
    ("track", np.int32, ()),
    ("box", np.float32, (4,)),
    ("presence", np.float32, ()),
    ("blendshapes", np.float32, (52,)),
    ("pose_deg", np.float32, (3,)),
    ("covered", np.float32, (3,)),
    ("light", np.float32, (2,)),
    ("eye_distance", np.float32, ()),
)
"""Arrays of `FaceSeries` with a row for each face, their type and the shape of a row."""

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class About:
    """What a folder is the work on."""

    fingerprint: str
    """Of the recording."""
    per_second: float
    models: str
    """The SHA-256 of all models and the version of what is done with them."""
    looks: int
    """Moments to look at in all."""
    frame_px: tuple[int, int]


class Kept:
    """A folder with the pieces seen so far; written by one, read by others meanwhile.

    Raises:
        Refused: The folder cannot be written to.
    """

    def __init__(self, folder: Path, about: About) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if read_about(folder) != about:
                _empty(folder)
                _write(folder / _ABOUT, json.dumps(_as_table(about)).encode())
        except OSError as error:
            raise _refusal(folder, error) from error

    def last(self) -> tuple[int, Follower]:
        """Give how many moments are done, and what was known then.

        A piece that cannot be read, and all after it, are removed: they are looked at again.
        """
        done, follower = 0, Follower()
        good = set()
        for piece in whole_pieces(self.folder):
            arrays = _read(piece)
            if arrays is None:
                break
            good.add(piece)
            done, follower = _bounds(piece)[1], _follower(arrays)
        # What a kill left half written goes too.
        for file in {*self.folder.glob("faces-*.npz"), *self.folder.glob("*.part")} - good:
            file.unlink(missing_ok=True)
        return done, follower

    def add(
        self,
        done: int,
        looked_ms: Sequence[int],
        rows: Sequence[tuple[int, Face]],
        scale: float,
        follower: Follower,
    ) -> None:
        """Keep what was seen at the next moments.

        Args:
            done: Moments kept before these.
            looked_ms: The moments.
            rows: Each face with its moment.
            scale: Pixels of the recording for one of the pictures that were looked at.
            follower: What is known at the end.

        Raises:
            Refused: The disk is full, or the folder cannot be written to.
        """
        arrays = {"looked_ms": np.array(looked_ms, np.int64), **_rows(rows, scale)}
        piece = self.folder / f"faces-{done:08d}-{done + len(looked_ms):08d}.npz"
        try:
            _write_arrays(piece, {**arrays, **_known(follower)})
        except OSError as error:
            raise _refusal(self.folder, error) from error

    def join(self) -> None:
        """Put all pieces into one, which is read more quickly; any of them may be read meanwhile.

        Raises:
            Refused: As `add`.
        """
        pieces = whole_pieces(self.folder)
        if len(pieces) < 2:
            return
        read = [arrays for arrays in map(_read, pieces) if arrays is not None]
        if len(read) < len(pieces):
            return
        joined = {name: np.concatenate([part[name] for part in read]) for name in read[0]}
        joined |= {name: values for name, values in read[-1].items() if name.startswith("known")}
        end = _bounds(pieces[-1])[1]
        try:
            _write_arrays(self.folder / f"faces-{0:08d}-{end:08d}.npz", joined)
            for piece in pieces:
                piece.unlink(missing_ok=True)
        except OSError as error:
            raise _refusal(self.folder, error) from error


def read_about(folder: Path) -> About | None:
    """Read what a folder is the work on; `None` where there is nothing, or nothing readable."""
    try:
        table = json.loads((folder / _ABOUT).read_text(encoding="utf-8"))
        return About(
            str(table["fingerprint"]),
            float(table["per_second"]),
            str(table["models"]),
            int(table["looks"]),
            (int(table["frame_px"][0]), int(table["frame_px"][1])),
        )
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return None


def whole_pieces(folder: Path) -> list[Path]:
    """Give the pieces that follow each other without a gap from the start, the longest first."""
    pieces, done = [], 0
    found = folder.glob("faces-*.npz")
    for piece in sorted(found, key=lambda one: (_bounds(one)[0], -_bounds(one)[1])):
        start, end = _bounds(piece)
        if start == done and end > start:
            pieces.append(piece)
            done = end
    return pieces


class Pieces:
    """Reads the pieces of a folder, each file once however often it is asked."""

    def __init__(self) -> None:
        self._read: dict[tuple[str, int], Arrays] = {}

    def series(self, folder: Path, names: tuple[str, ...]) -> FaceSeries | None:
        """Give what a folder holds; `None` before anything is known of the recording."""
        about = read_about(folder)
        if about is None:
            return None
        pieces = self._pieces(folder)
        joined = {name: _joined(pieces, name, kind, shape) for name, kind, shape in _ROWS}
        looked = _joined(pieces, "looked_ms", np.int64, ())
        return FaceSeries(
            looked_ms=looked,
            names=names,
            frame_px=about.frame_px,
            is_complete=len(looked) == about.looks,
            **joined,
        )

    def _pieces(self, folder: Path) -> list[Arrays]:
        read: dict[tuple[str, int], Arrays] = {}
        for piece in whole_pieces(folder):
            try:
                key = (str(piece), piece.stat().st_mtime_ns)
            except FileNotFoundError:
                # Put into one with others this very moment: that one is there already.
                return self._pieces(folder)
            arrays = self._read.get(key) or _seen_only(_read(piece))
            if arrays is None:
                break
            read[key] = arrays
        self._read = read
        return list(read.values())


def _seen_only(arrays: Arrays | None) -> Arrays | None:
    """Leave out what only those who carry on need."""
    wanted = {name for name, *_ in _ROWS} | {"looked_ms"}
    return None if arrays is None else {name: arrays[name] for name in wanted}


def _joined(pieces: list[Arrays], name: str, kind: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    empty = np.empty((0, *shape), kind)
    joined: NDArray[Any] = np.concatenate([empty, *(piece[name] for piece in pieces)])
    return joined


def _rows(rows: Sequence[tuple[int, Face]], scale: float) -> Arrays:
    values: dict[str, list[Any]] = {
        "time_ms": [time_ms for time_ms, _ in rows],
        "track": [face.track for _, face in rows],
        "box": [face.mesh.box * scale for _, face in rows],
        "presence": [face.mesh.presence for _, face in rows],
        "blendshapes": [face.blendshapes for _, face in rows],
        "pose_deg": [face.pose_deg for _, face in rows],
        "covered": [face.covered for _, face in rows],
        "light": [face.light for _, face in rows],
        "eye_distance": [face.mesh.eye_distance * scale for _, face in rows],
    }
    return {
        name: np.array(values[name], kind).reshape(len(rows), *shape) for name, kind, shape in _ROWS
    }


def _known(follower: Follower) -> Arrays:
    """Put what is known between two pictures into arrays; -1 stands for never."""
    tracks = follower.tracks
    times = (follower.detected_ms, follower.small_ms)
    return {
        "known": np.array(
            [follower.next_number, *(-1 if time is None else time for time in times)], np.int64
        ),
        "known_tracks": np.array(
            [(t.number, t.seen_ms, t.found_ms, t.usual.looks) for t in tracks], np.int64
        ).reshape(-1, 4),
        "known_points": np.array([t.points for t in tracks], np.float32).reshape(-1, 478, 3),
        "known_looks": np.array([t.look for t in tracks], np.float32).reshape(-1, LOOK),
        "known_usual": np.array([t.usual.signs for t in tracks], np.float32).reshape(-1, SIGNS),
    }


def _follower(arrays: Arrays) -> Follower:
    number, *times = (int(value) for value in arrays["known"])
    detected, small = (None if time < 0 else time for time in times)
    tracks = [
        Track(int(row[0]), points, look, int(row[1]), int(row[2]), Usual(signs, int(row[3])))
        for row, points, look, signs in zip(
            *(arrays[f"known_{what}"] for what in ("tracks", "points", "looks", "usual")),
            strict=True,
        )
    ]
    return Follower(tracks, number, detected, small)


def _bounds(piece: Path) -> tuple[int, int]:
    """Read from a piece's name which moments it holds; nonsense holds none."""
    try:
        _, start, end = piece.stem.split("-")
        return int(start), int(end)
    except ValueError:
        return -1, -1


def _read(piece: Path) -> Arrays | None:
    try:
        with piece.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except (OSError, ValueError, zipfile.BadZipFile):
        return None


def _write_arrays(file: Path, arrays: Arrays) -> None:
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    with part.open("wb") as out:
        with zipfile.ZipFile(out, "w") as archive:
            for name, values in arrays.items():
                with archive.open(f"{name}.npy", "w") as entry:
                    np.lib.format.write_array(entry, values, allow_pickle=False)
        out.flush()
        os.fsync(out.fileno())
    part.replace(file)


def _write(file: Path, data: bytes) -> None:
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    part.write_bytes(data)
    part.replace(file)


def _empty(folder: Path) -> None:
    """Remove our own files, and nothing else."""
    for pattern in (_ABOUT, "faces-*.npz", "*.part"):
        for file in folder.glob(pattern):
            file.unlink(missing_ok=True)


def _as_table(about: About) -> dict[str, object]:
    return {
        "fingerprint": about.fingerprint,
        "per_second": about.per_second,
        "models": about.models,
        "looks": about.looks,
        "frame_px": list(about.frame_px),
    }


def _refusal(folder: Path, error: OSError) -> Refused:
    return Refused(
        f"What was seen of the faces could not be kept in {folder}: {error.strerror}.",
        "Check that the disk is not full and that you may write there.",
    )
