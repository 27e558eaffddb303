"""From a folder with a coded table to a set that is ready for the library, or to one list of
everything that stands in the way.
"""

from __future__ import annotations

import hashlib
import json
import threading
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from app.benchmark.placing import place_clips
from app.benchmark.problems import CodedSetRefused, Problem
from app.benchmark.records import LessonDraft, SetDraft
from app.benchmark.rows import Levels, Wanted, check_rows
from app.benchmark.table import Row, find_table, read_table
from app.errors import Cancelled, Refused
from app.lesson.file_names import transcript_beside
from app.lesson.media.facts import MediaFacts
from app.lesson.transcript.records import Transcript, Utterance
from app.lesson.transcript.roles import guess_roles
from app.running.protocols import Report, no_report

_SOURCE = "import:coded-table"

T = TypeVar("T")


class SetFiles(Protocol):
    """What reads the files a table names; `app.files.Files` does, in a child process."""

    def probe(self, path: Path, stop: threading.Event | None = None) -> MediaFacts:
        """Say what a recording is, or raise `MediaRefused`."""

    def fingerprint(self, path: Path, stop: threading.Event | None = None) -> str:
        """Name a recording by its content, or raise `MediaRefused`."""

    def read_transcript(self, path: Path, stop: threading.Event | None = None) -> Transcript:
        """Read a transcript, or raise `TranscriptRefused`."""


@dataclass(frozen=True, slots=True)
class Source:
    """What one lesson of a set is made of."""

    media: Path | None
    transcript: Path | None
    utterances: tuple[Utterance, ...] = ()
    """The words, where they stand in the table."""


@dataclass(frozen=True, slots=True)
class FoundSet:
    """A table whose cells and file names are sound; the files have not been opened yet."""

    table: Path
    name: str
    wanted: tuple[Wanted, ...]
    sources: tuple[Source, ...]
    """For each clip, in order."""
    problems: tuple[Problem, ...]


def find_set(place: Path, levels: Levels, split: str = "") -> FoundSet:
    """Read a table and look for the files it names.

    Args:
        place: The folder with the table, or the table itself.
        levels: The levels of each practice.
        split: Take only the rows whose `split` is this; empty takes all.

    Raises:
        CodedSetRefused: The table itself cannot be read.
        Refused: There is no table.
    """
    table = find_table(place)
    rows, problems = read_table(table)
    if split:
        rows = _of_split(rows, split, problems)
    wanted, found = check_rows(rows, levels)
    problems += found
    sources = [_source(clip, table.parent, problems) for clip in wanted]
    name = table.parent.resolve().name or table.stem
    return FoundSet(
        table,
        f"{name} ({split})" if split else name,
        tuple(wanted),
        tuple(sources),
        tuple(problems),
    )


def digest_of_set(found: FoundSet, files: SetFiles, stop: threading.Event | None = None) -> str:
    """Name a set by what its table says and what is in its files, wherever they lie.

    Raises:
        Refused: A file went away or cannot be read.
    """
    marks: dict[Path, str] = {}
    told = []
    for clip, source in zip(found.wanted, found.sources, strict=True):
        for path in (source.media, source.transcript):
            if path is not None and path not in marks:
                is_media = path == source.media
                marks[path] = files.fingerprint(path, stop) if is_media else _sha256(path)
        told.append(
            [
                clip.clip_id,
                [[code.practice, code.level] for code in clip.codes],
                clip.span and [clip.span.start_ms, clip.span.end_ms],
                clip.lines,
                [marks[p] if p else "" for p in (source.media, source.transcript)],
                [[u.text, u.speaker, u.start_ms, u.end_ms] for u in source.utterances],
            ]
        )
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def open_set(
    found: FoundSet,
    digest: str,
    files: SetFiles,
    report: Report = no_report,
    stop: threading.Event | None = None,
) -> SetDraft:
    """Open every file a table names and lay its clips into them.

    Raises:
        CodedSetRefused: Anything is wrong with the table, with a file, or with a clip in it; all
            of it is told at once.
        Cancelled: `stop` was set.
    """
    opener = _Opener(found, files, stop or threading.Event())
    lessons = opener.lessons(report)
    problems = [*found.problems, *opener.problems]
    if problems:
        raise CodedSetRefused(found.table.name, problems)
    return SetDraft(
        found.name,
        str(found.table.parent.resolve()),
        digest,
        tuple(lessons),
        {clip.clip_id: clip.codes for clip in found.wanted},
        tuple(opener.notes),
    )


class _Opener:
    """Opens each file once and keeps what is wrong."""

    def __init__(self, found: FoundSet, files: SetFiles, stop: threading.Event) -> None:
        self.problems: list[Problem] = []
        self.notes: list[str] = []
        self._found = found
        self._files = files
        self._stop = stop
        self._media: dict[Path, MediaFacts | str] = {}
        self._words: dict[Path, Transcript | str] = {}

    def lessons(self, report: Report) -> list[LessonDraft]:
        """Make the lessons, one for each recording with its transcript."""
        by_source: dict[Source, list[Wanted]] = {}
        for clip, source in zip(self._found.wanted, self._found.sources, strict=True):
            by_source.setdefault(source, []).append(clip)
        faulty = {problem.line for problem in self._found.problems}
        lessons = []
        for number, (source, clips) in enumerate(by_source.items()):
            if self._stop.is_set():
                raise Cancelled()
            report(number / len(by_source), f"opening {_title(source, clips)}")
            sound = [clip for clip in clips if clip.line not in faulty]
            draft = self._lesson(source, clips, sound)
            if draft is not None:
                lessons.append(draft)
        return lessons

    def _lesson(
        self, source: Source, clips: Sequence[Wanted], sound: Sequence[Wanted]
    ) -> LessonDraft | None:
        media = self._open(source.media, self._media, self._files.probe, clips)
        words = self._open(source.transcript, self._words, self._files.read_transcript, clips)
        if source.utterances:
            words = Transcript(source.utterances, _SOURCE)
        if words is None or (media is None and source.media is not None):
            return None
        placed, problems, notes = place_clips(sound, media, words.utterances)
        self.problems += problems
        self.notes += notes
        return LessonDraft(_title(source, clips), media, words, guess_roles(words), placed)

    def _open(
        self,
        path: Path | None,
        kept: dict[Path, T | str],
        read: Callable[[Path, threading.Event | None], T],
        clips: Sequence[Wanted],
    ) -> T | None:
        """Read a file once; why it cannot be read is told for every clip that needs it."""
        if path is None:
            return None
        if path not in kept:
            try:
                kept[path] = read(path, self._stop)
            except Cancelled:
                raise
            except Refused as error:
                kept[path] = str(error)
        found = kept[path]
        if isinstance(found, str):
            self.problems += [Problem(clip.line, found) for clip in clips]
            return None
        return found


def _of_split(rows: Sequence[Row], split: str, problems: list[Problem]) -> list[Row]:
    chosen = [row for row in rows if str(row.cells.get("split", "")) == split]
    if rows and not chosen:
        names = sorted({str(row.cells["split"]) for row in rows if "split" in row.cells})
        there = f"there are {', '.join(names)}" if names else "no row has one"
        problems.append(Problem(0, f"No row is of the split “{split}”; {there}."))
    return chosen


def _source(clip: Wanted, folder: Path, problems: list[Problem]) -> Source:
    """Look for the files of a clip, and tell which are not there."""

    def lies(name: str) -> Path | None:
        path = _find(folder, name)
        if path is None:
            problems.append(Problem(clip.line, f"There is no file {name}."))
        return path

    media = lies(clip.media) if clip.media else None
    transcript = lies(clip.transcript) if clip.transcript else None
    if media is not None and not clip.transcript and not clip.utterances:
        transcript = transcript_beside(media)
        if transcript is None:
            what = (
                f"{clip.media} has no transcript: name one, or put one of the same name beside it. "
                "`clerestory transcript FILE` writes down what is said."
            )
            problems.append(Problem(clip.line, what))
    return Source(media, transcript, clip.utterances)


def _find(folder: Path, name: str) -> Path | None:
    """Find a file as a table names it, whichever system the table was made on."""
    for written in dict.fromkeys((name, name.replace("\\", "/"))):
        path = folder / written
        if _is_file(path):
            return path
        plain = unicodedata.normalize("NFC", path.name)
        try:
            beside = sorted(path.parent.iterdir()) if path.parent.is_dir() else []
        except OSError:
            beside = []
        for other in beside:
            if unicodedata.normalize("NFC", other.name) == plain and _is_file(other):
                return other
    return None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _sha256(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise Refused(
            f"{path.name} cannot be read: {error.strerror or error}.",
            "Check that it is still there and that you may read it.",
        ) from error


def _title(source: Source, clips: Sequence[Wanted]) -> str:
    if source.media is not None:
        return source.media.stem
    return source.transcript.stem if source.transcript is not None else clips[0].clip_id
