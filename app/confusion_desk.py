"""The road from a learner's video to bands, events and a report, by whatever reader."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from app.adding_lessons import LessonAdding
from app.answering import Answering, EngineChoice
from app.confusion.blind import marking_name, require_sight
from app.confusion.chat_reader import ChatReader
from app.confusion.face_choice import ChosenFace, SeenFace, faces_seen, has_face_at
from app.confusion.face_cues import FaceCueReader
from app.confusion.face_gate import FaceGate
from app.confusion.faces import SAMPLES_A_SECOND, FaceReader, FaceSeries
from app.confusion.gate import Gate
from app.confusion.reader_names import FACE_CUES, OneReader, ReaderChoice, parse_reader
from app.confusion.readers import Figures, LearnerMaterial, Reader
from app.confusion.records import Bands
from app.confusion.review import LearnerReview
from app.confusion.screening import ScreeningPlan, ScreeningReader
from app.confusion.thresholds import Thresholds, read_thresholds
from app.confusion.windows import windows_of
from app.confusion_runs import ReadingRuns, Shown, not_shown, require_readable
from app.errors import MediaRefused
from app.files import Files
from app.imprint import now_in_seconds, program_name
from app.running.plan import Estimate, estimate
from app.running.protocols import Report, no_report
from app.running.questions import identity_digest
from app.settings import Settings
from app.store.learners import sound_learner
from app.store.library import Library
from resources import resource

SAMPLE_LEARNER = "Sample learner"
PICTURE_PX = 960
"""Longest side of a picture in the report."""


@dataclass(frozen=True, slots=True)
class ReadingPlan:
    """What reading a video will take, before anything is asked."""

    reader: str
    windows: int
    estimate: Estimate | None
    """Of the model's answers; at most, where a screening reader has not read yet. `None` for a
    reader that asks no model."""
    screening: ScreeningPlan | None = None
    """What screening saves; `None` without."""


class ConfusionDesk:
    """Reads learner videos of one library.

    Args:
        library: Where videos are and readings go.
        files: Gives the face engine and pictures.
        adding: Adds recordings.
        answering: Gives models by name.
        settings: The size of frames, the reviewer's name.
    """

    def __init__(
        self,
        library: Library,
        files: Files,
        adding: LessonAdding,
        answering: Answering,
        settings: Settings,
    ) -> None:
        self._library, self._files, self._adding = library, files, adding
        self._answering, self._settings = answering, settings
        self._runs = ReadingRuns(library.learners)
        self._faces: FaceReader | None = None

    def add_video(
        self,
        path: Path,
        learner: str = "",
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> str:
        """Put a learner's video into the library; one that is there is met again. Gives its id.

        Args:
            path: The recording.
            learner: What the learner is called here; one who is known is met again. Empty leaves
                a video with whose it is, and gives a new one a learner with a number: a file's
                name may be a child's.
            report: Told what is being done.
            stop: Set to stop.

        Raises:
            Refused: The name cannot be used; nothing is added then.
            MediaRefused: It cannot be opened, or there is no picture in it; nothing is added then.
        """
        learners = self._library.learners
        name = sound_learner(learner) if learner else ""
        lesson_id = self._adding.add(path, None, "", report, stop, needs_picture=True)
        if name or not learners.is_video(lesson_id):
            learners.add_video(lesson_id, learners.add_learner(name or self._numbered()))
        return lesson_id

    def add_sample(self, report: Report = no_report, stop: threading.Event | None = None) -> str:
        """Put the sample video that comes with the program into the library, once; gives its id."""
        lesson_id = self._adding.add(
            resource("sample") / "learner.mp4", None, "Sample learner video", report, stop
        )
        learners = self._library.learners
        if not learners.is_video(lesson_id):
            learners.add_video(lesson_id, learners.add_learner(SAMPLE_LEARNER))
        return lesson_id

    # Readers

    def engines(self) -> tuple[EngineChoice, ...]:
        """List the models that can be shown frames, and where frames would go."""
        return tuple(choice for choice in self._answering.choices() if choice.images)

    def reader(self, choice: ReaderChoice | str) -> Reader:
        """Give a reader by choice or by name.

        Raises:
            EngineMissing: Its model is not there or cannot run here.
            WrongUse: The name is none of a reader.
        """
        chosen = parse_reader(choice) if isinstance(choice, str) else choice
        first = self._one(chosen.first)
        if chosen.then is None:
            return first
        return ScreeningReader(
            first,
            self._one(chosen.then),
            lambda video, report, stop: self._runs.read(first, video, report, stop).readings,
            lambda video: self._runs.complete(first, video),
        )

    def plan(self, lesson_id: str, choice: ReaderChoice | str) -> ReadingPlan:
        """Say what reading a video would take; asks nothing.

        Raises:
            Refused: The reader cannot read this video.
            EngineMissing, WrongUse: As `reader`.
        """
        reader, video = self.reader(choice), self.material(lesson_id)
        require_readable(reader, video)
        windows = windows_of(video.media.span)
        plan = reader.plan(video, windows)
        return ReadingPlan(
            reader.name,
            len(windows),
            estimate(plan, self._library.attempts) if plan is not None else None,
            reader.screening(video) if isinstance(reader, ScreeningReader) else None,
        )

    def read(
        self,
        lesson_id: str,
        choice: ReaderChoice | str,
        report: Report = no_report,
        stop: threading.Event | None = None,
        shown: Shown = not_shown,
    ) -> Bands:
        """Have a video read; every window is kept as soon as it is known.

        Stopped or killed and read again, it goes on from what was kept. What was read whole on the
        same grounds is given as it is; only windows at which the engine failed are tried again.

        Raises:
            Refused: The reader cannot read this video.
            EngineMissing, WrongUse: As `reader`.
            Cancelled: `stop` was set; what was read is kept.
            Paused: The engine failed again and again; read again to go on.
        """
        reader, video = self.reader(choice), self.material(lesson_id)
        return self._runs.read(reader, video, report, stop or threading.Event(), shown)

    def material(self, lesson_id: str) -> LearnerMaterial:
        """Give what a reader is given of a video.

        Raises:
            MediaRefused: It has no recording.
        """
        review = self._library.learners.video(lesson_id)
        if review.media is None:
            raise MediaRefused(
                f"“{review.title}” has no recording.", "It was added as a transcript alone."
            )
        face = review.face
        return LearnerMaterial(
            lesson_id,
            review.media,
            review.learner.learner_id,
            None if face is None else (face.time_ms, face.x, face.y),
            self._usual(review),
            review.title,
            review.media_found,
        )

    # Faces

    def faces_so_far(self, lesson_id: str) -> FaceSeries | None:
        """Give what has been seen of the faces in a video; `None` where nobody looked. Cheap."""
        return self._face_reader().so_far(self._face_folder(self.material(lesson_id)))

    def look_at_faces(
        self, lesson_id: str, report: Report = no_report, stop: threading.Event | None = None
    ) -> FaceSeries:
        """Look at the faces in a video, or give what was seen.

        Raises:
            MediaRefused: There is no picture in it.
            Cancelled: `stop` was set; what was seen so far is kept.
        """
        video = self.material(lesson_id)
        return self._face_reader().read(
            video.media.path,
            self._face_folder(video),
            SAMPLES_A_SECOND,
            report,
            stop or threading.Event(),
        )

    def faces_seen(self, lesson_id: str) -> tuple[SeenFace, ...]:
        """List the faces that were followed for a while in what was looked at so far."""
        series = self.faces_so_far(lesson_id)
        return () if series is None else faces_seen(series, _thresholds())

    def choose_face(
        self,
        lesson_id: str,
        face: ChosenFace,
        author: str,
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> tuple[SeenFace, ...] | None:
        """Keep which face is the learner's, if one is seen there; else give those that are.

        Raises:
            MediaRefused, Cancelled: As `look_at_faces`.
        """
        series = self.look_at_faces(lesson_id, report, stop)
        if not has_face_at(series, face):
            return faces_seen(series, _thresholds())
        if self.material(lesson_id).face != face:
            self._library.learners.choose_face(lesson_id, *face, author)
        return None

    # The report

    def report(
        self,
        lesson_id: str,
        folder: Path,
        *,
        full: bool = False,
        blurred: bool = False,
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> list[Path]:
        """Write the student confusion report into a folder and say which files were written.

        Raises:
            ReportRefused: Nobody has looked at the video, the reviewer works blind and has not
                said what they see themselves, the folder cannot be written, or the page cannot be
                made.
        """
        review = self._library.learners.video(lesson_id)
        author = self._settings.author
        require_sight(
            review,
            author,
            is_blind=self._settings.blind,
            marked_at=self._library.setting(marking_name(author, lesson_id)),
        )
        report(0.1, "fetching the pictures")
        parts = self._files.parts
        times = self._files.call_pages(parts.confusion_picture_times, review, full, stop=stop)
        pictures: Mapping[int, Path] = {}
        if times and review.media is not None:
            pictures = self._files.pictures(review.media, times, PICTURE_PX, stop=stop)
        report(0.6, "writing the page")
        written: list[Path] = self._files.call_pages(
            parts.confusion_report,
            review,
            dict(pictures),
            folder,
            now_in_seconds(),
            program_name(),
            full,
            blurred,
            self.faces_so_far(lesson_id) if blurred and review.media else None,
            stop=stop,
        )
        return written

    # What is beneath

    def _numbered(self) -> str:
        taken = {learner.name.casefold() for learner in self._library.learners.learners()}
        free = (f"Learner {number}" for number in itertools.count(1))
        return next(name for name in free if name.casefold() not in taken)

    def _one(self, choice: OneReader) -> Reader:
        if choice.engine == FACE_CUES:
            return FaceCueReader(self._face_reader(), self._face_folder, self._keep_usual)
        return ChatReader(
            choice,
            self._answering.chat(choice.engine),
            self._library.attempts,
            self._gate,
            frame_px=self._settings.frame_px,
        )

    def _face_reader(self) -> FaceReader:
        if self._faces is None:
            self._faces = self._files.face_reader()
        return self._faces

    def _face_folder(self, video: LearnerMaterial) -> Path:
        """Give the folder of what was seen of the faces; another one for another face engine."""
        model = identity_digest(self._face_reader().facts().identity)[:12]
        return self._files.kept_of(video.media) / f"faces-{model}"

    def _gate(self, video: LearnerMaterial) -> Gate | None:
        """Give what the face engine saw of a video, if it has seen all of it."""
        series = self._face_reader().so_far(self._face_folder(video))
        if series is None or not series.is_complete:
            return None
        facts = self._face_reader().facts()
        return FaceGate(series, video.face, _thresholds(), f"{facts.name} {facts.version}")

    def _usual(self, review: LearnerReview) -> Figures | None:
        """Give what was usual for the learner in another video: of the same day, else the latest.

        What this very video showed is left out: it is measured anew, and readings would rest on
        other grounds the second time.
        """
        day = _day_of(review)
        others = [
            kept
            for kept in self._library.learners.baselines(review.learner.learner_id)
            if kept.lesson_id != review.lesson_id
        ]
        same_day = [kept for kept in others if kept.day == day]
        found = same_day or others
        return found[-1].figures if found else None

    def _keep_usual(self, video: LearnerMaterial, figures: Figures) -> None:
        day = _day_of(self._library.learners.video(video.lesson_id))
        self._library.learners.keep_baseline(video.learner_id, video.lesson_id, day, figures)


def _day_of(review: LearnerReview) -> str:
    """Give the day of a recording; where the file does not say, the day it was added."""
    recorded = review.media.recorded_at if review.media is not None else ""
    return (recorded or review.added_at)[:10]


def _thresholds() -> Thresholds:
    return read_thresholds(resource("face_cues.toml"))
