"""A folder to measure readers of confusion on: clips with yes and no, or videos with events."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from app.benchmark.confusion_clips import LabelledClip, read_clips
from app.benchmark.confusion_tables import MarkedVideo, TableProblem, TablesRefused, read_marked
from app.benchmark.problems import Problem
from app.errors import Refused, WrongUse
from app.lesson.file_names import is_recording

CLIPS_TABLE, TRUTH_TABLE = "clips.csv", "truth.csv"
VIDEO_FOLDERS = ("", "videos")
"""Where the videos of a localization set lie, from its folder."""


class Task(StrEnum):
    """What readers are measured on."""

    RECOGNITION = "recognition"
    LOCALIZATION = "localization"


@dataclass(frozen=True, slots=True)
class ConfusionSet:
    """A set as it was found."""

    name: str
    table: Path
    task: Task
    sha256: str
    """Of the table; with it a result can be told from one on other labels."""
    clips: tuple[LabelledClip, ...] = ()
    """Of a recognition set."""
    videos: tuple[MarkedVideo, ...] = ()
    """Of a localization set."""
    media: tuple[Path | None, ...] = ()
    """The file of each clip or video, in their order; `None` where there is none."""


def find_task(place: Path, wanted: str = "") -> tuple[Path, Task]:
    """Find the table of a folder and what it is for.

    Args:
        place: The folder, or the table itself.
        wanted: `recognition` or `localization`, where a folder may hold both.

    Raises:
        Refused: There is no such table.
        WrongUse: There are both, and nobody said which.
    """
    if place.is_file():
        task = wanted or (Task.RECOGNITION if place.name == CLIPS_TABLE else Task.LOCALIZATION)
        return place, Task(task)
    tables = {Task.RECOGNITION: place / CLIPS_TABLE, Task.LOCALIZATION: place / TRUTH_TABLE}
    there = [task for task, table in tables.items() if table.is_file()]
    if wanted:
        there = [task for task in there if task == wanted]
    if not there:
        names = tables[Task(wanted)].name if wanted else f"{CLIPS_TABLE} and no {TRUTH_TABLE}"
        raise Refused(
            f"There is no {names} in {place}.",
            "README-confusion-benchmark.md says what stands in them.",
        )
    if len(there) > 1:
        raise WrongUse(
            f"{place} holds {CLIPS_TABLE} and {TRUTH_TABLE}.",
            "Say which: --task recognition or --task localization.",
        )
    return tables[there[0]], there[0]


def read_set(place: Path, wanted: str = "", *, with_media: bool = True) -> ConfusionSet:
    """Read a set whole.

    Args:
        place: The folder, or the table itself.
        wanted: Which task, where there may be both.
        with_media: Whether readers will run, so that every file has to be there.

    Raises:
        TablesRefused: Anything is wrong with it; all of it is told.
        Refused: There is no table.
        WrongUse: There are two, and nobody said which.
    """
    table, task = find_task(place, wanted)
    name = table.resolve().parent.name
    if task is Task.RECOGNITION:
        clips, problems = read_clips(table)
        named = [(clip.clip_id, clip.line, _clip_file(table.parent, clip)) for clip in clips]
    else:
        videos, problems = read_marked(table, is_truth=True)
        named = [(v.video, v.line, _video_file(table.parent, v.video)) for v in videos]
    if with_media:
        problems = sorted([*problems, *_missing(named, task)])
    if problems:
        raise TablesRefused([TableProblem(table.name, each) for each in problems])
    return ConfusionSet(
        name,
        table,
        task,
        hashlib.sha256(table.read_bytes()).hexdigest(),
        tuple(clips) if task is Task.RECOGNITION else (),
        tuple(videos) if task is Task.LOCALIZATION else (),
        tuple(file for _, _, file in named),
    )


def _clip_file(folder: Path, clip: LabelledClip) -> Path | None:
    place = folder / clip.media
    return place if clip.media and place.is_file() else None


def _video_file(folder: Path, video: str) -> Path | None:
    """Find a video by its name, with or without the ending."""
    for under in VIDEO_FOLDERS:
        place = folder / under / video
        if place.is_file():
            return place
    for under in VIDEO_FOLDERS:
        where = folder / under
        lies = sorted(where.iterdir()) if where.is_dir() else []
        found = [path for path in lies if path.stem == video and is_recording(path)]
        if found:
            return found[0]
    return None


def _missing(named: Sequence[tuple[str, int, Path | None]], task: Task) -> list[Problem]:
    if task is Task.RECOGNITION:
        what = "The file of clip “{}” is not there; name it under “media”, from this folder."
    else:
        what = "There is no file of video “{}” in this folder or in videos/."
    return [Problem(line, what.format(name)) for name, line, file in named if file is None]
