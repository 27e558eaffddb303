"""What came of the confusion benchmark: every reader over one set, or why there is nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.benchmark.confusion_clips import ClipAnswer, Recognition, answers_from, recognition_of
from app.benchmark.confusion_scores import Localization, localization_of
from app.benchmark.confusion_sets import ConfusionSet, Task
from app.benchmark.confusion_tables import (
    MarkedVideo,
    TableProblem,
    TablesRefused,
    check_same,
    names_apart,
    read_marked,
)
from app.scoring.windows import WindowCounts


@dataclass(frozen=True, slots=True)
class ReaderResult:
    """Everything about one reader."""

    reader: str
    """Name and version or model; of a table, the name it was given."""
    reason: str = ""
    """Why there is nothing, or not all; empty when all is there."""
    recognition: Recognition | None = None
    localization: Localization | None = None
    marked: tuple[MarkedVideo, ...] = ()
    """What it marked in each video, in the order of the set; empty where only counts are known."""
    provenance: tuple[tuple[str, str], ...] = ()
    is_unfinished: bool = False
    """Whether it began and could not go on; running again reads what is missing."""

    @property
    def windows(self) -> WindowCounts | None:
        """The counts of all clips or of all windows; `None` where there is nothing."""
        if self.recognition is not None:
            return self.recognition.windows
        return self.localization.pooled.windows if self.localization is not None else None


@dataclass(frozen=True, slots=True)
class ConfusionResults:
    """A set and all that readers said of it."""

    name: str
    task: Task
    sha256: str
    """Of people's table."""
    confused: int
    """Clips, or windows of all videos, in which people see confusion."""
    items: int
    """All clips, or all windows."""
    videos: tuple[MarkedVideo, ...]
    """Of a localization set, as people marked them; empty where only counts are known."""
    video_count: int
    """Videos of a localization set."""
    readers: tuple[ReaderResult, ...]
    """Also those that could not run, with their reason."""

    @property
    def recognitions(self) -> tuple[Recognition, ...]:
        """Of the readers that said anything."""
        return tuple(r.recognition for r in self.readers if r.recognition is not None)

    @property
    def localizations(self) -> tuple[Localization, ...]:
        """Of the readers that said anything."""
        return tuple(r.localization for r in self.readers if r.localization is not None)


def results_of(found: ConfusionSet, readers: Sequence[ReaderResult]) -> ConfusionResults:
    """Put readers beside the set they were measured on."""
    if found.task is Task.RECOGNITION:
        confused, items = sum(clip.is_confused for clip in found.clips), len(found.clips)
    else:
        itself = localization_of("", found.videos, found.videos).pooled.windows
        confused, items = itself.tp, itself.judged
    return ConfusionResults(
        found.name,
        found.task,
        found.sha256,
        confused,
        items,
        found.videos,
        len(found.videos),
        tuple(readers),
    )


def result_of_answers(
    reader: str,
    answers: Sequence[ClipAnswer],
    provenance: tuple[tuple[str, str], ...] = (),
    reason: str = "",
) -> ReaderResult:
    """Give the result of a reader from what it said of each clip."""
    return ReaderResult(reader, reason, recognition_of(reader, answers), provenance=provenance)


def result_of_marks(
    reader: str,
    truth: Sequence[MarkedVideo],
    marked: Sequence[MarkedVideo],
    provenance: tuple[tuple[str, str], ...] = (),
    reason: str = "",
) -> ReaderResult:
    """Give the result of a reader from what it marked in each video, in the order of `truth`."""
    found = localization_of(reader, truth, marked)
    return ReaderResult(reader, reason, None, found, tuple(marked), provenance)


def result_of_table(found: ConfusionSet, reader: str, table: Path) -> ReaderResult:
    """Give the result of a reader from a table of what it said.

    Raises:
        TablesRefused: Anything is wrong with the table.
    """
    comes_from = (("predictions", table.name),)
    if found.task is Task.RECOGNITION:
        return result_of_answers(reader, answers_from(found.clips, found.table, table), comes_from)
    marked, problems = read_marked(table, is_truth=False)
    truth, name = names_apart(found.table, table)
    if marked:
        problems = sorted([*problems, *check_same(found.videos, marked, truth)])
    if problems:
        raise TablesRefused([TableProblem(name, each) for each in problems])
    by_name = {each.video: each for each in marked}
    in_order = [by_name[each.video] for each in found.videos]
    return result_of_marks(reader, found.videos, in_order, comes_from)
