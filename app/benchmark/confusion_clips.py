"""Single clips with a yes or no of people, and what readers said of each: recognition."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.benchmark.confusion_scores import NO, YES
from app.benchmark.confusion_tables import (
    TableProblem,
    TablesRefused,
    cells_of,
    check_columns,
    names_apart,
    whole,
)
from app.benchmark.csv_text import csv_records, text_of
from app.benchmark.problems import Problem
from app.lesson.spans import Span
from app.scoring.events import EventCounts
from app.scoring.localization import LEFT_OUT, Line, VideoScore, micro_line, video_line
from app.scoring.windows import WindowCounts, count_pairs

SAID = (YES, NO, *LEFT_OUT)
"""What a reader can have said of a clip: an answer, or why there is none."""
_KNOWN = (
    "id", "media", "label", "start_ms", "end_ms", "learner", "criteria", "level", "source", "note",
)  # fmt: skip
_NO_EVENTS = EventCounts(0, 0, (0, 0))


@dataclass(frozen=True, slots=True)
class LabelledClip:
    """A clip of which people agreed whether confusion shows in it."""

    clip_id: str
    media: str
    """The file as the table names it; empty where it names none."""
    is_confused: bool
    span: Span | None = None
    """Where it lies in the file, from its first moment; `None` for all of it."""
    learner: str = ""
    """Pseudonym; clips of one learner are drawn together for intervals."""
    line: int = 0


@dataclass(frozen=True, slots=True)
class ClipAnswer:
    """What one reader said of one clip."""

    clip: LabelledClip
    said: str
    """One of `SAID`."""
    note: str = ""

    @property
    def is_right(self) -> bool | None:
        """Whether it is what people say; `None` where there is no answer."""
        return (self.said == YES) == self.clip.is_confused if self.said in (YES, NO) else None


@dataclass(frozen=True, slots=True)
class Recognition:
    """One reader over all clips."""

    reader: str
    answers: tuple[ClipAnswer, ...]
    """Empty where only counts are known."""
    windows: WindowCounts
    line: Line
    """Accuracy, precision, recall and F1."""
    left_out: Mapping[str, int]
    """Clips in no share, by the reasons of `LEFT_OUT`."""
    learners: int = 0
    """So many learners were drawn for the intervals; 0 where clips stand for themselves."""


def read_clips(path: Path) -> tuple[list[LabelledClip], list[Problem]]:
    """Read people's yes and no, and everything that is wrong with the table."""
    clips: list[LabelledClip] = []

    def take(line: int, cells: Mapping[str, str], problems: list[Problem]) -> None:
        label = cells["label"].lower()
        if label not in (YES, NO):
            shown = f"“{cells['label']}”" if label else "empty"
            problems.append(Problem(line, f"label is {shown}; it has to be yes or no."))
        span = _span(line, cells, problems)
        clip = LabelledClip(
            cells["id"], cells.get("media", ""), label == YES, span, cells.get("learner", ""), line
        )
        clips.append(clip)

    problems = _read(path, ("id", "label"), _KNOWN, take)
    return clips, problems


def read_said(path: Path) -> tuple[dict[str, tuple[str, int]], list[Problem]]:
    """Read what a reader said of clips: by id the answer and its line; and all that is wrong."""
    said: dict[str, tuple[str, int]] = {}

    def take(line: int, cells: Mapping[str, str], problems: list[Problem]) -> None:
        word = cells["predicted"].lower()
        if word not in SAID:
            shown = f"“{cells['predicted']}”" if word else "empty"
            problems.append(
                Problem(line, f"predicted is {shown}; it has to be one of {', '.join(SAID)}.")
            )
        said[cells["id"]] = (word, line)

    problems = _read(path, ("id", "predicted"), ("id", "predicted", "note"), take)
    return said, problems


def answers_from(
    clips: Sequence[LabelledClip], table: Path, predicted: Path
) -> tuple[ClipAnswer, ...]:
    """Put a table of predictions beside the clips.

    Raises:
        TablesRefused: Anything is wrong with it, or it is not about the same clips.
    """
    said, problems = read_said(predicted)
    truth, name = names_apart(table, predicted)
    known = {clip.clip_id for clip in clips}
    for clip_id, (_, line) in said.items():
        if clip_id not in known:
            problems.append(Problem(line, f"Clip “{clip_id}” is not in {truth}."))
    for clip in clips:
        if clip.clip_id not in said:
            what = f"Clip “{clip.clip_id}” of {truth}, line {clip.line}, is not in this table."
            problems.append(Problem(0, what))
    if problems:
        raise TablesRefused([TableProblem(name, each) for each in sorted(set(problems))])
    return tuple(ClipAnswer(clip, said[clip.clip_id][0]) for clip in clips)


def recognition_of(reader: str, answers: Sequence[ClipAnswer]) -> Recognition:
    """Give the figures of one reader.

    Where several clips are of one learner, whole learners are drawn for the intervals, since clips
    of one face look alike; otherwise they are Wilson's.
    """
    counts = _counts(answers)
    by_learner: dict[str, list[ClipAnswer]] = {}
    for answer in answers:
        by_learner.setdefault(answer.clip.learner or answer.clip.clip_id, []).append(answer)
    left_out = {why: sum(a.said == why for a in answers) for why in LEFT_OUT}
    if len(by_learner) == len(answers):
        return recognition_from(reader, counts, tuple(answers), left_out)
    of_learners = [VideoScore(n, _counts(own), _NO_EVENTS) for n, own in by_learner.items()]
    line = micro_line(of_learners, reader)
    return Recognition(reader, tuple(answers), counts, line, left_out, len(by_learner))


def recognition_from(
    reader: str,
    counts: WindowCounts,
    answers: tuple[ClipAnswer, ...] = (),
    left_out: Mapping[str, int] | None = None,
) -> Recognition:
    """Give the figures of one reader from its counts, with Wilson's intervals."""
    line = video_line(VideoScore(reader, counts, _NO_EVENTS))
    return Recognition(reader, answers, counts, line, left_out or dict.fromkeys(LEFT_OUT, 0))


def _counts(answers: Sequence[ClipAnswer]) -> WindowCounts:
    told = [a for a in answers if a.is_right is not None]
    return count_pairs([(a.clip.is_confused, a.said == YES) for a in told])


def _span(line: int, cells: Mapping[str, str], problems: list[Problem]) -> Span | None:
    if not cells.get("start_ms") and not cells.get("end_ms"):
        return None
    start = whole(line, "start_ms", cells.get("start_ms", ""), problems)
    end = whole(line, "end_ms", cells.get("end_ms", ""), problems)
    if start is None or end is None:
        return None
    if not 0 <= start < end:
        problems.append(Problem(line, f"A clip cannot run from {start} to {end} ms."))
        return None
    return Span(start, end)


def _read(
    path: Path,
    needed: Sequence[str],
    known: Sequence[str],
    take: Callable[[int, Mapping[str, str], list[Problem]], None],
) -> list[Problem]:
    """Read a table row by row; each has an id of its own. Gives all that is wrong."""
    text = text_of(path)
    if isinstance(text, Problem):
        return [text]
    problems: list[Problem] = []
    records = csv_records(text, problems)
    if not records:
        return problems or [Problem(0, "The table is empty.")]
    columns = check_columns(records[0][1], records[0][0], needed, known, problems)
    if not all(column in columns for column in needed):
        return sorted(problems)
    if len(records) == 1:
        problems.append(Problem(0, "The table has no rows."))
    seen: dict[str, int] = {}
    for line, record in records[1:]:
        cells = cells_of(line, columns, record, problems)
        before = seen.setdefault(cells["id"], line)
        if not cells["id"]:
            problems.append(Problem(line, "The row names no clip."))
        elif before != line:
            problems.append(Problem(line, f"Clip “{cells['id']}” stands in line {before} already."))
        take(line, cells, problems)
    return sorted(set(problems))
