"""Follow faces from picture to picture: where to look next, and which face is which.

A face that was there in the last picture is looked for where it was, without any detector. The
detectors run when a face was lost, when there is none, and once a second to see who came in. The
number of a face says that it was followed, never who it is: somebody who leaves and comes back
gets a new number.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engines.onnx_face_cover import Usual, covered
from engines.onnx_face_detect import Found, find_middling, find_near, find_small, overlap
from engines.onnx_face_looks import look_of, same_person
from engines.onnx_face_mesh import (
    LEAST_PRESENCE,
    LEFT_EYE,
    RIGHT_EYE,
    Mesh,
    blendshapes,
    settle,
    square_around,
    square_of,
)
from engines.onnx_face_pose import face_light, head_pose

MOST_FACES = 12
"""Faces measured in one picture; the largest. More is a room, for which nothing is measured."""
LOOK_AGAIN_MS = 1000
"""The detectors run at least this often, to see who came in."""
SMALL_EVERY_MS = 2000
"""While nothing else finds a face, the slow detector runs this often."""
GONE_MS = 2000
"""A face not seen for so long is not the same face any more."""
UNSEEN_MS = 10_000
"""A face that no detector confirms for so long was none, or is no longer one."""
_SAME_PLACE = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """One face in one picture, measured."""

    track: int
    mesh: Mesh
    blendshapes: NDArray[np.float32]
    """(52,)"""
    pose_deg: tuple[float, float, float]
    covered: tuple[float, float, float]
    light: tuple[float, float]


@dataclass(slots=True, eq=False)
class Track:
    """A face that is being followed."""

    number: int
    points: NDArray[np.float32]
    """(478, 3) where it was last."""
    look: NDArray[np.float32]
    """(LOOK,) how it looked last; see `look_of`."""
    seen_ms: int
    found_ms: int
    """When a detector last saw it too."""
    usual: Usual = field(default_factory=Usual)
    """What is usual for it where something might be covered."""


@dataclass(slots=True, eq=False)
class Follower:
    """All that is known between two pictures."""

    tracks: list[Track] = field(default_factory=list)
    next_number: int = 1
    detected_ms: int | None = None
    """When the detectors last ran."""
    small_ms: int | None = None
    """When the slow one last ran."""

    def look(self, image: NDArray[np.uint8], time_ms: int) -> list[Face]:
        """Measure the faces in a picture.

        Args:
            image: (H, W, 3) uint8 RGB, upright.
            time_ms: Its time; rises from call to call.

        Returns:
            The faces, the largest first.
        """
        self.tracks = [t for t in self.tracks if time_ms - t.seen_ms <= GONE_MS]
        seen = self._follow(image, time_ms)
        if self._should_detect(seen, time_ms):
            self._detect(image, time_ms, seen)
        for track, mesh, _ in seen:
            track.points, track.seen_ms = mesh.points, time_ms
        return [_face(track, mesh) for track, mesh, _ in sorted(seen, key=_size)]

    def stay(self, time_ms: int) -> None:
        """Take note that the last picture is still shown: time went on, and nothing moved."""
        last_ms = max((track.seen_ms for track in self.tracks), default=time_ms)
        for track in self.tracks:
            if track.seen_ms == last_ms:
                track.found_ms += time_ms - last_ms
                track.seen_ms = time_ms

    def _follow(self, image: NDArray[np.uint8], time_ms: int) -> list[_Seen]:
        """Look for each face where it was."""
        seen: list[_Seen] = []
        for track in sorted(self.tracks, key=lambda t: t.number):
            mesh = settle(image, square_around(track.points))
            if mesh.presence < LEAST_PRESENCE or _is_in(mesh, seen):
                continue
            if time_ms - track.found_ms > UNSEEN_MS:
                continue
            look = look_of(mesh)
            if not same_person(track.look, look):
                self.tracks.remove(track)
                track = self._new_track(mesh, look, time_ms)
            track.look = look
            seen.append((track, mesh, look))
        return seen

    def _should_detect(self, seen: list[_Seen], time_ms: int) -> bool:
        if not seen or len(seen) < len(self.tracks) or self.detected_ms is None:
            return True
        return time_ms - self.detected_ms >= LOOK_AGAIN_MS

    def _detect(self, image: NDArray[np.uint8], time_ms: int, seen: list[_Seen]) -> None:
        self.detected_ms = time_ms
        for found in self._find(image, time_ms, len(seen), len(seen) == len(self.tracks)):
            known = [track for track, mesh, _ in seen if _holds(mesh, found)]
            for track in known:
                track.found_ms = time_ms
            if known or len(seen) >= MOST_FACES:
                continue
            mesh = settle(image, square_of(found))
            if mesh.presence < LEAST_PRESENCE or _is_in(mesh, seen):
                continue
            look = look_of(mesh)
            track = self._lost_one(mesh, look, seen) or self._new_track(mesh, look, time_ms)
            track.look, track.found_ms = look, time_ms
            seen.append((track, mesh, look))

    def _find(
        self, image: NDArray[np.uint8], time_ms: int, followed: int, all_there: bool
    ) -> list[Found]:
        """Run the detectors, the quicker before the slower; each face once."""
        if followed and all_there:
            # Only to see who came in: the two take turns.
            is_even = time_ms // LOOK_AGAIN_MS % 2 == 0
            return find_near(image) if is_even else find_middling(image)
        found = find_near(image)
        for other in find_middling(image):
            boxes = np.array([one.box for one in found], np.float32).reshape(-1, 4)
            if not (overlap(boxes, other.box) > _SAME_PLACE).any():
                found.append(other)
        if found or followed:
            return found
        if self.small_ms is not None and time_ms - self.small_ms < SMALL_EVERY_MS:
            return []
        self.small_ms = time_ms
        return find_small(image)

    def _lost_one(self, mesh: Mesh, look: NDArray[np.float32], seen: list[_Seen]) -> Track | None:
        """Give the face that was lost a moment ago about here and looked like this."""
        held = {track.number for track, *_ in seen}
        for track in self.tracks:
            if track.number in held or not same_person(track.look, look):
                continue
            apart = (mesh.points[:, :2] - track.points[:, :2]).mean(0)
            if float(np.hypot(apart[0], apart[1])) < 2 * mesh.eye_distance:
                return track
        return None

    def _new_track(self, mesh: Mesh, look: NDArray[np.float32], time_ms: int) -> Track:
        track = Track(self.next_number, mesh.points, look, time_ms, time_ms)
        self.next_number += 1
        self.tracks.append(track)
        return track


_Seen = tuple[Track, Mesh, NDArray[np.float32]]


def _face(track: Track, mesh: Mesh) -> Face:
    return Face(
        track.number,
        mesh,
        blendshapes(mesh),
        head_pose(mesh),
        covered(mesh, track.usual),
        face_light(mesh),
    )


def _is_in(mesh: Mesh, seen: list[_Seen]) -> bool:
    """Say whether a mesh has slid onto a face that is followed already."""
    boxes = np.array([other.box for _, other, _ in seen], np.float32).reshape(-1, 4)
    return bool((overlap(boxes, mesh.box) > _SAME_PLACE).any())


def _holds(mesh: Mesh, found: Found) -> bool:
    """Say whether what a detector found is this face: the eyes lie where its eyes are."""
    eyes = mesh.points[[LEFT_EYE, RIGHT_EYE], :2].mean(0)
    apart = found.eyes.mean(0) - eyes
    return float(np.hypot(apart[0], apart[1])) < mesh.eye_distance


def _size(seen: _Seen) -> tuple[float, int]:
    return -seen[1].eye_distance, seen[0].number
