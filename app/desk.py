"""What a reviewer can have done, whoever asks: the window, the command line or a test.

Each method is one step of the road from a file to a printed page. All of them wait until the
step is done; the window calls the long ones through its background jobs.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path

from app.adding_lessons import LessonAdding
from app.answering import Answering, EngineChoice
from app.audit_desk import AuditDesk
from app.audit_experts import AuditExperts
from app.benchmark.confusion_benchmark import ConfusionBenchmark
from app.benchmark.practice_benchmark import PracticeBenchmark
from app.coder_trust import CoderTrust
from app.coding.coders import coder_names
from app.coding.conditions import EVIDENCE_FINDER, CoderChoice
from app.coding.practices import Practice, read_practices
from app.coding.review import LessonReview
from app.coding.sight import Sight
from app.coding_lessons import LeftOut, LessonCoding
from app.confusion_desk import ConfusionDesk
from app.endpoints import LOCAL, Endpoints, EndpointState, read_schema
from app.errors import MediaRefused, Refused
from app.files import Files
from app.imprint import now_in_seconds, program_name
from app.item_banks import ItemBanks
from app.lesson.media.facts import MediaFacts
from app.lesson.media.waveform import Waveform
from app.lesson.transcript.roles import guess_roles
from app.models import ModelShelf
from app.parts import Parts
from app.probing_lessons import EvidenceProbing
from app.running.plan import Estimate
from app.running.protocols import Report, no_report
from app.running.questions import RawAnswer
from app.settings import Settings
from app.store.library import Library
from resources import resource


class Desk:
    """One library, the engines that work on it, and the steps a reviewer takes.

    Args:
        library: Where everything is kept; closed with the desk.
        parts: Engines and reports.
        settings: The reviewer's choices.
    """

    def __init__(self, library: Library, parts: Parts, settings: Settings | None = None) -> None:
        self.library = library
        self.settings = settings or Settings()
        self.files = Files(parts, self.settings)

    @cached_property
    def _adding(self) -> LessonAdding:
        return LessonAdding(self.library, self.files)

    @cached_property
    def shelf(self) -> ModelShelf:
        """What can be done with models; only `get` uses the network."""
        return self.files.parts.shelf()

    @cached_property
    def servers(self) -> Endpoints:
        """The endpoints: listed, changed, turned on and off."""
        return Endpoints(self.settings, self.files.parts.endpoints(), self.files.servers)

    @property
    def author(self) -> str:
        """The reviewer's name or initials."""
        return self.settings.author

    @property
    def practices(self) -> tuple[Practice, ...]:
        """The four practices and their levels."""
        return read_practices(resource("practices.toml"))

    def coders(self) -> tuple[str, ...]:
        """Names of the coders that ask no model."""
        return coder_names()

    def endpoints(self) -> tuple[str, ...]:
        """Name every endpoint that is turned on, and where it is; none until a person wants one."""
        return tuple(f"{state.name} ({state.base_url})" for state in self.servers.in_use())

    def endpoints_here(self) -> tuple[str, ...]:
        """Name those of `endpoints` where frames and words stay on this computer."""
        here = [state for state in self.servers.in_use() if state.stays_here]
        return tuple(f"{state.name} ({state.base_url})" for state in here)

    def probe_endpoint(
        self, name: str, report: Report = no_report, stop: threading.Event | None = None
    ) -> EndpointState:
        """Find out what an endpoint can do and keep what was found.

        Raises:
            EngineMissing: It is off, or cannot be used.
            EngineStopped: The server went away.
        """
        return self.servers.probe(name, now_in_seconds(), report, stop)

    def try_it(
        self,
        engine: str,
        text: str,
        picture: Path | None = None,
        schema: str = "",
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> RawAnswer:
        """Ask one question outside of any lesson and give the answer as it came; nothing is kept.

        Args:
            engine: Name of an endpoint that is on, or `LOCAL` and that of an installed model.
            text: The question.
            picture: A JPEG or PNG file to show with it.
            schema: JSON Schema of the answer; empty for free text.
            report: Told what is being waited for.
            stop: Set to stop.

        Raises:
            EngineMissing: The endpoint is off, or it or the model cannot be used.
            EngineStopped: The server or the child process went away.
            Refused: The picture or the schema cannot be used.
        """
        asked = read_schema(schema)
        if engine.startswith(LOCAL):
            name = engine.removeprefix(LOCAL)
            return self.files.ask_model(name, text, picture, asked, report, stop)
        return self.servers.ask(engine, text, picture, asked, report, stop)

    def close(self) -> None:
        """End the children and close the library."""
        self.files.close()
        self.library.close()

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def add_lesson(
        self,
        media: Path | None,
        transcript: Path | None = None,
        title: str = "",
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> str:
        """Put a recording, a transcript or both into the library.

        A recording that is there already, wherever it lay then, is the same lesson; what was
        decided about it stays. A transcript of the same name beside the recording is taken along.
        Gives the lesson's id.

        Raises:
            Refused: Neither was given, or one cannot be read; nothing is added then.
        """
        return self._adding.add(media, transcript, title, report, stop)

    def add_sample(self, report: Report = no_report, stop: threading.Event | None = None) -> str:
        """Put the sample lesson that comes with the program into the library, once."""
        folder = resource("sample")
        return self.add_lesson(
            folder / "lesson.mp4", folder / "lesson.vtt", "Sample lesson", report, stop
        )

    def hear(
        self, lesson_id: str, report: Report = no_report, stop: threading.Event | None = None
    ) -> None:
        """Write down what is said in a lesson and keep it as its transcript.

        Raises:
            MediaRefused: The recording is not there, or has no sound.
            Refused: There are clips already, which rest on another transcript.
        """
        review = self.library.lesson(lesson_id)
        media = self._media_of(lesson_id)
        if review.clips:
            raise Refused(
                f"“{review.title}” already has clips that rest on its transcript.",
                "Edit the lines of the transcript instead.",
            )
        transcript = self.files.hear(Path(media.path), report, stop)
        self.library.set_transcript(lesson_id, transcript, guess_roles(transcript))

    @cached_property
    def answering(self) -> Answering:
        """The models that can answer questions here."""
        return Answering(self.files, lambda: self.shelf, lambda: self.servers)

    @cached_property
    def coding(self) -> LessonCoding:
        """Everything that is done to have lessons coded; also gives coders by choice."""
        return LessonCoding(self.library, self.files, self.answering, self.practices, self.settings)

    @cached_property
    def confusion(self) -> ConfusionDesk:
        """Everything that is done with learner videos."""
        return ConfusionDesk(self.library, self.files, self._adding, self.answering, self.settings)

    @cached_property
    def audit(self) -> AuditDesk:
        """Everything that is done to audit tutors."""
        return AuditDesk(self.library, self.files, self.answering, self.items, self.settings)

    @cached_property
    def audit_experts(self) -> AuditExperts:
        """What people score of audits, beside the judges."""
        return AuditExperts(self.library)

    @cached_property
    def confusion_benchmark(self) -> ConfusionBenchmark:
        """Readers of confusion over sets of clips or videos, in this library."""
        return ConfusionBenchmark(self.library, self.confusion)

    @cached_property
    def benchmark(self) -> PracticeBenchmark:
        """Sets of coded clips in this library, and coders run over them."""
        return PracticeBenchmark(self.library, self.files, self.coding.coder, self.practices)

    @cached_property
    def probing(self) -> EvidenceProbing:
        """Tests whether the evidence of models carries their labels."""
        return EvidenceProbing(
            self.library, self.answering.chat, self.practices, self.settings.frame_px
        )

    @cached_property
    def items(self) -> ItemBanks:
        """The banks of items that audits ask from, and what people said of the items."""
        return ItemBanks(self.library)

    @cached_property
    def trust(self) -> CoderTrust:
        """How far each coder can be trusted, by what people decided."""
        return CoderTrust(self.library)

    def engines(self) -> tuple[EngineChoice, ...]:
        """List the models that may code; loads no model and opens no connection."""
        return self.answering.choices()

    def plan_coding(self, lesson_ids: Iterable[str], choice: CoderChoice | str) -> Estimate | None:
        """Say what coding some lessons would take; see `LessonCoding.plan`."""
        return self.coding.plan(lesson_ids, choice)

    def code(
        self,
        lesson_id: str,
        choice: CoderChoice | str = EVIDENCE_FINDER,
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> None:
        """Propose clips when there are none, and have a coder find evidence and codes in them.

        Raises:
            Refused: The coder cannot code this lesson, e.g. it has no transcript with usable lines.
            EngineMissing, WrongUse, Cancelled, Paused: As `LessonCoding.code`.
        """
        for left_out in self.coding.code([lesson_id], choice, report, stop):
            raise left_out.why

    def code_many(
        self,
        lesson_ids: Iterable[str],
        choice: CoderChoice | str,
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> tuple[LeftOut, ...]:
        """Have lessons coded in one go; see `LessonCoding.code`."""
        return self.coding.code(lesson_ids, choice, report, stop)

    def write_report(
        self,
        lesson_id: str,
        folder: Path,
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> list[Path]:
        """Write the lesson report into a folder and say which files were written.

        Raises:
            ReportRefused: The folder cannot be written, or the page cannot be made.
        """
        review = self._seen(lesson_id)
        pictures: Mapping[int, Path] = {}
        if review.media and review.media.video and review.media_found:
            report(0.1, "fetching the pictures")
            times = self.files.picture_times(review, stop)
            pictures = self.pictures(lesson_id, times, 960, stop=stop)
        report(0.6, "writing the page")
        return self.files.lesson_report(
            review,
            self.practices,
            pictures,
            folder,
            made_at=now_in_seconds(),
            program=program_name(),
            stop=stop,
        )

    def write_coaching(
        self,
        lesson_id: str,
        folder: Path,
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> list[Path]:
        """Write the page for the talk with the teacher, from what people accepted alone.

        Raises:
            ReportRefused: Nothing was accepted that has evidence, or the page cannot be written.
        """
        report(0.3, "writing the page")
        return self.files.coaching_page(
            self._seen(lesson_id),
            self.practices,
            folder,
            made_at=now_in_seconds(),
            program=program_name(),
            stop=stop,
        )

    def pictures(
        self,
        lesson_id: str,
        times_ms: Iterable[int],
        max_px: int,
        report: Report = no_report,
        stop: threading.Event | None = None,
        exact: bool = True,
    ) -> dict[int, Path]:
        """Give picture files of the frames shown at these moments; the cache keeps them.

        Args:
            lesson_id: The lesson.
            times_ms: Moments on the media's clock.
            max_px: Longest side in pixels.
            report: Told how far it is.
            stop: Set to stop.
            exact: `False` takes the nearest key frame, for thumbnails of a long lesson.
        """
        media = self._media_of(lesson_id)
        return self.files.pictures(media, times_ms, max_px, report, stop, exact)

    def poster(self, lesson_id: str, stop: threading.Event | None = None) -> Path | None:
        """Give a picture file that stands for the lesson, or `None` when there is no picture."""
        _, media, is_there = self.library.media(lesson_id)
        return self.files.poster(media, stop) if media is not None and is_there else None

    def frame_times(
        self, lesson_id: str, report: Report = no_report, stop: threading.Event | None = None
    ) -> tuple[int, ...]:
        """Give the time of every picture of a lesson, in ms, in order."""
        return self.files.frame_times(self._media_of(lesson_id), stop)

    def waveform(
        self, lesson_id: str, report: Report = no_report, stop: threading.Event | None = None
    ) -> Waveform:
        """Give how loud the lesson is; made once, then read from the cache.

        Raises:
            MediaRefused: The lesson has no sound.
        """
        return self.files.waveform(self._media_of(lesson_id), report, stop)

    def find_media(
        self,
        lesson_id: str,
        place: Path,
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> bool:
        """Look for a moved recording in a file or folder by its fingerprint; say if it is there."""
        return self._adding.find_media(lesson_id, place, report, stop)

    def _seen(self, lesson_id: str) -> LessonReview:
        """Give a lesson as whoever sits here may see it: pages hide what the window hides."""
        return Sight(self.author, self.settings.blind).only_seen(self.library.lesson(lesson_id))

    def _media_of(self, lesson_id: str) -> MediaFacts:
        title, media, is_there = self.library.media(lesson_id)
        if media is None:
            raise MediaRefused(
                f"“{title}” has no recording.", "It was added as a transcript alone."
            )
        if not is_there:
            raise MediaRefused(
                f"The recording of “{title}” is no longer at {media.path}.",
                "Use “Find it…” in the library, or put the file back.",
            )
        return media
