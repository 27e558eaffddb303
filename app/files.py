"""What can be read from files, and by which child process: before anything is anybody's lesson.

Native code never runs in the window's process. Six children share the work, so that a picture
is there at once while speech is being written down or a model is waited for.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from app.benchmark.cases import Case
from app.benchmark.confusion_results import ConfusionResults
from app.benchmark.eqs import EqsResults
from app.benchmark.results import BenchmarkResults
from app.coding.practices import Practice
from app.coding.proofs import flags_of
from app.coding.review import LessonReview
from app.confusion.faces import FaceReader
from app.endpoints import EndpointState
from app.lesson.media.facts import MediaFacts
from app.lesson.media.waveform import Waveform
from app.lesson.transcript.records import Transcript
from app.models import LoadedModel
from app.parts import Parts, Pictures
from app.places import cache_folder, log_folder
from app.running.child import Child
from app.running.protocols import Embedder, Report, no_report
from app.running.questions import Chat, RawAnswer
from app.settings import Settings

MODEL_SILENCE_S = 900.0
"""Loading a model of 20 GB from a slow disk, or reading a picture on a slow computer."""


class Files:
    """Reads recordings and transcripts, and writes pages, in child processes.

    Args:
        parts: Engines and reports.
        settings: The reviewer's choices.
    """

    def __init__(self, parts: Parts, settings: Settings) -> None:
        logs = log_folder()
        self.parts = parts
        self._settings = settings
        self._media = Child(log=logs / "media.log")
        self._engines = Child(log=logs / "engines.log")
        self._pages = Child(log=logs / "pages.log")
        self._faces = Child(log=logs / "faces.log")
        self.servers = Child(log=logs / "endpoints.log")
        """Where endpoints are asked."""
        self.models = Child(log=logs / "models.log")
        """Where an installed model is asked; it stays in this child's memory."""

    def close(self) -> None:
        """End the children."""
        shared = (self._media, self._engines, self._faces, self._pages)
        for child in (*shared, self.servers, self.models):
            child.close()

    def __enter__(self) -> Files:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def probe(self, path: Path, stop: threading.Event | None = None) -> MediaFacts:
        """Say what a recording is.

        Raises:
            MediaRefused: It cannot be opened, or nothing in it can be shown or heard.
        """
        facts: MediaFacts = self._media.call("app.lesson.media.probe:probe", str(path), stop=stop)
        return facts

    def fingerprint(self, path: Path, stop: threading.Event | None = None) -> str:
        """Give the fingerprint of a recording, without looking further into it."""
        mark: str = self._media.call(
            "app.lesson.media.fingerprint:fingerprint", str(path), stop=stop
        )
        return mark

    def read_transcript(self, path: Path, stop: threading.Event | None = None) -> Transcript:
        """Read a transcript file of any known format.

        Raises:
            TranscriptRefused: It is not a transcript, or a line of it cannot be read.
        """
        words: Transcript = self._media.call(
            "app.lesson.transcript.read:read_transcript", str(path), stop=stop
        )
        return words

    def hear(
        self, path: Path, report: Report = no_report, stop: threading.Event | None = None
    ) -> Transcript:
        """Write down what is said in a recording.

        Raises:
            MediaRefused: It has no sound.
        """
        chosen = Path(self._settings.whisper_folder) if self._settings.whisper_folder else None
        transcriber = self.parts.transcriber(self._engines, chosen)
        return transcriber.transcribe(str(path), report, stop or threading.Event())

    def ask_model(
        self,
        name: str,
        text: str,
        picture: Path | None,
        schema: str,
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> RawAnswer:
        """Ask an installed model one question outside of any lesson.

        Raises:
            EngineMissing: The model or what runs it is not installed, or it cannot be used.
            EngineStopped: The child died of it.
        """
        answer: RawAnswer = self.models.call(
            self.parts.ask_model,
            name,
            text,
            str(picture) if picture is not None else "",
            schema,
            report=report,
            stop=stop,
            silence_s=MODEL_SILENCE_S,
        )
        return answer

    def loaded_model(self, stop: threading.Event | None = None) -> LoadedModel | None:
        """Say which installed model is kept in memory; `None` if none is. Waits for no answer."""
        if self.models.pid is None:
            return None
        if self.models.is_busy:
            return LoadedModel("", 0, is_busy=True)
        loaded: LoadedModel | None = self.models.call(self.parts.loaded_model, stop=stop)
        return loaded

    def free_model(self, stop: threading.Event | None = None) -> None:
        """Let go of the memory of the model that is kept, once what it is asked is answered.

        Raises:
            EngineStopped: The child died of it; the memory is free all the same.
        """
        if self.models.pid is not None:
            self.models.call(self.parts.free_model, stop=stop)

    def local_chat(self, name: str) -> Chat:
        """Give an installed model by name; it is loaded by the first question.

        Raises:
            EngineMissing: It, or what runs it, is not installed, or it cannot run here.
        """
        return self.parts.local_chat(self.models, name)

    def endpoint_chat(self, state: EndpointState, pictures: Pictures) -> Chat:
        """Give an endpoint as a model that can be asked; no connection is opened for that.

        Raises:
            Refused: What is kept of it makes no sense.
        """
        found = self._settings.endpoints_found.get(state.name)
        return self.parts.endpoint_chat(state.stored, found, pictures)

    def embedder(self) -> Embedder:
        """Give what turns utterances into vectors."""
        return self.parts.embedder(self._engines)

    def face_reader(self) -> FaceReader:
        """Give what finds and measures faces; it has a child of its own, since it takes long."""
        return self.parts.face_reader(self._faces)

    def kept_of(self, media: MediaFacts) -> Path:
        """Give the folder of all that is kept beside a recording and can be made again."""
        return _cache_of(media.fingerprint)

    def pictures(
        self,
        media: MediaFacts,
        times_ms: Iterable[int],
        max_px: int,
        report: Report = no_report,
        stop: threading.Event | None = None,
        exact: bool = True,
    ) -> dict[int, Path]:
        """Give picture files of the frames shown at these moments; the cache keeps them.

        Args:
            media: The recording.
            times_ms: Moments on the media's clock.
            max_px: Longest side in pixels.
            report: Told how far it is.
            stop: Set to stop.
            exact: `False` takes the nearest key frame, for thumbnails of a long lesson.
        """
        mark = media.fingerprint
        return self.frame_pictures(media.path, mark, times_ms, max_px, stop, report, exact=exact)

    def frame_pictures(
        self,
        path: str,
        fingerprint: str,
        times_ms: Iterable[int],
        max_px: int,
        stop: threading.Event | None = None,
        report: Report = no_report,
        *,
        exact: bool = True,
    ) -> dict[int, Path]:
        """Give picture files of frames of a recording that is known by its fingerprint."""
        found: dict[int, str] = self._media.call(
            "app.lesson.media.pictures:write_pictures",
            path,
            tuple(times_ms),
            str(_cache_of(fingerprint)),
            max_px,
            exact,
            report=report,
            stop=stop,
        )
        return {time_ms: Path(made) for time_ms, made in found.items()}

    def poster(self, media: MediaFacts, stop: threading.Event | None = None) -> Path | None:
        """Give a picture file that stands for the lesson, or `None` when there is no picture."""
        if media.video is None:
            return None
        time_ms: int = self._media.call("app.lesson.media.pictures:poster_time", media, stop=stop)
        return self.pictures(media, [time_ms], 480, stop=stop).get(time_ms)

    def frame_times(
        self, media: MediaFacts, stop: threading.Event | None = None
    ) -> tuple[int, ...]:
        """Give the time of every picture, in ms, in order."""
        return tuple(self._media.call("app.lesson.media.frames:frame_times", media.path, stop=stop))

    def waveform(
        self,
        media: MediaFacts,
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> Waveform:
        """Give how loud it is over its length; made once, then read from the cache.

        Raises:
            MediaRefused: The recording has no sound.
        """
        found: Waveform = self._media.call(
            "app.lesson.media.sound:cached_waveform",
            media.path,
            str(_cache_of(media.fingerprint)),
            report=report,
            stop=stop,
        )
        return found

    def picture_times(
        self, lesson: LessonReview, stop: threading.Event | None = None
    ) -> tuple[int, ...]:
        """Say which moments the lesson report shows, in ms."""
        times: tuple[int, ...] = self._pages.call(self.parts.picture_times, lesson, stop=stop)
        return times

    def lesson_report(
        self,
        lesson: LessonReview,
        practices: tuple[Practice, ...],
        pictures: Mapping[int, Path],
        folder: Path,
        *,
        made_at: str,
        program: str,
        stop: threading.Event | None = None,
    ) -> list[Path]:
        """Write the lesson report into a folder and say which files were written.

        Raises:
            ReportRefused: The folder cannot be written, or the page cannot be made.
        """
        return self._written(
            self.parts.lesson_report,
            lesson,
            practices,
            dict(pictures),
            folder,
            made_at,
            program,
            flags_of(lesson),
            stop=stop,
        )

    def coaching_page(
        self,
        lesson: LessonReview,
        practices: tuple[Practice, ...],
        folder: Path,
        *,
        made_at: str,
        program: str,
        stop: threading.Event | None = None,
    ) -> list[Path]:
        """Write the page for the talk with the teacher and say which files were written.

        Raises:
            ReportRefused: People have accepted nothing with evidence that stands, the folder
                cannot be written, or the page cannot be made.
        """
        return self._written(
            self.parts.coaching_page, lesson, practices, folder, made_at, program, stop=stop
        )

    def benchmark_report(
        self,
        results: BenchmarkResults | ConfusionResults,
        folder: Path,
        *,
        made_at: str,
        program: str,
        stop: threading.Event | None = None,
    ) -> list[Path]:
        """Write the page of a benchmark of either kind, its results and tables into a folder.

        Raises:
            ReportRefused: The folder cannot be written, or the page cannot be made.
        """
        is_confusion = isinstance(results, ConfusionResults)
        page = self.parts.confusion_benchmark if is_confusion else self.parts.benchmark_report
        return self._written(page, results, folder, made_at, program, stop=stop)

    def eqs_report(
        self,
        results: EqsResults,
        folder: Path,
        *,
        made_at: str,
        program: str,
        stop: threading.Event | None = None,
    ) -> list[Path]:
        """Write the page of rated evidence and its tables into a folder.

        Raises:
            ReportRefused: The folder cannot be written, or the page cannot be made.
        """
        return self._written(self.parts.eqs_report, results, folder, made_at, program, stop=stop)

    def inspect_log(
        self,
        results: BenchmarkResults,
        coder: str,
        cases: Mapping[str, Case],
        folder: Path,
        *,
        made_at: str,
        program: str,
        stop: threading.Event | None = None,
    ) -> list[Path]:
        """Write the log of one condition of a benchmark, as Inspect reads it.

        Raises:
            ReportRefused: The folder cannot be written.
        """
        return self._written(
            self.parts.inspect_log, results, coder, dict(cases), folder, made_at, program, stop=stop
        )

    def call_pages(self, name: str, *given: object, stop: threading.Event | None = None) -> Any:
        """Call a function in the child that makes pages.

        Args:
            name: Its dotted name, as in `parts`.
            given: What it takes, in order.
            stop: Set to stop.
        """
        return self._pages.call(name, *given, stop=stop)

    def _written(self, page: str, *given: object, stop: threading.Event | None) -> list[Path]:
        written: list[Path] = self._pages.call(page, *given, stop=stop)
        return written


def _cache_of(fingerprint: str) -> Path:
    return cache_folder() / fingerprint[:24]
