"""The road from predictions to tested evidence: what it takes, asking, and what follows."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cache

from app.coding.conditions import CoderChoice, parse_choice
from app.coding.material import Material, material_of
from app.coding.practices import Practice
from app.coding.probes import EvidenceProber, Prepared, Subject, no_probe
from app.coding.proofs import ProbeTable, probe_tables
from app.coding.records import Prediction
from app.coding.review import LessonReview
from app.running.plan import Estimate, estimate
from app.running.protocols import Report, no_report
from app.running.questions import Chat
from app.running.showing import FRAME_PX
from app.store.library import Library


@dataclass(frozen=True, slots=True)
class CannotProbe:
    """A prediction that cannot be probed, and why."""

    lesson_id: str
    clip_id: str
    coder: str
    why: str


@dataclass(frozen=True, slots=True)
class ProbePlan:
    """What the probes of one coder's predictions take, before anything is asked."""

    coder: str
    engine: str
    estimate: Estimate | None
    """`None` when there is nothing to ask."""
    predictions: int
    """Predictions that can be probed."""
    not_asked: tuple[tuple[str, int], ...]
    """Single probes that make no sense: the reason, and of how many predictions."""
    left_out: tuple[CannotProbe, ...]


@dataclass(frozen=True, slots=True)
class _Work:
    prober: EvidenceProber | None
    prepared: tuple[Prepared, ...]
    left_out: tuple[CannotProbe, ...]


class EvidenceProbing:
    """Probes evidence in the lessons of one library.

    Args:
        library: Where predictions are and probes go.
        chat: Gives models by name; raises `EngineMissing`.
        practices: Whose definitions are told.
        frame_px: Longest side of a frame, as when clips are coded.
    """

    def __init__(
        self,
        library: Library,
        chat: Callable[[str], Chat],
        practices: Iterable[Practice],
        frame_px: int = FRAME_PX,
    ) -> None:
        self._library, self._chat = library, chat
        self._practices, self._frame_px = tuple(practices), frame_px

    def coders(self, lesson_ids: Iterable[str]) -> tuple[str, ...]:
        """Name the coders whose predictions in some lessons can be probed, in order."""
        found: set[str] = set()
        for lesson_id in lesson_ids:
            said = self._library.lesson(lesson_id).predictions
            found.update(p.coder for p in said if not no_probe(p))
        return tuple(sorted(found))

    def plan(
        self,
        lesson_ids: Iterable[str],
        coder: CoderChoice | str,
        clip_ids: Collection[str] | None = None,
    ) -> ProbePlan:
        """Say what probing would take. Asks nothing.

        Args:
            lesson_ids: The lessons.
            coder: Whose latest predictions are probed.
            clip_ids: Only these clips; `None` for all that stand.

        Raises:
            EngineMissing: The model is not there or cannot run here.
            WrongUse: The name is none of a coder.
        """
        choice = _chosen(coder)
        work = self._work(lesson_ids, choice, clip_ids)
        expected = None
        if work.prober is not None and work.prepared:
            expected = estimate(work.prober.plan(work.prepared), self._library.attempts)
        reasons: dict[str, int] = {}
        for one in work.prepared:
            for _, why in one.not_asked:
                reasons[why] = reasons.get(why, 0) + 1
        return ProbePlan(
            choice.name,
            choice.engine,
            expected,
            len(work.prepared),
            tuple(reasons.items()),
            work.left_out,
        )

    def probe(
        self,
        lesson_ids: Iterable[str],
        coder: CoderChoice | str,
        clip_ids: Collection[str] | None = None,
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> tuple[CannotProbe, ...]:
        """Probe predictions and keep what comes of it; run again, only what is missing is asked.

        Returns:
            Predictions that cannot be probed, with the reason.

        Raises:
            EngineMissing, WrongUse: As `plan`.
            Cancelled: `stop` was set; what was answered is kept.
            Paused: The engine failed again and again; run again to go on.
        """
        work = self._work(lesson_ids, _chosen(coder), clip_ids)
        if work.prober is not None and work.prepared:
            stop = stop or threading.Event()
            work.prober.probe_all(work.prepared, report, stop, self._library.add_probes)
        return work.left_out

    def tables(self, lesson_ids: Iterable[str]) -> tuple[ProbeTable, ...]:
        """Give the figures of every coder that was probed in some lessons."""
        return probe_tables(self._library.lesson(lesson_id) for lesson_id in lesson_ids)

    def _work(
        self, lesson_ids: Iterable[str], choice: CoderChoice, clip_ids: Collection[str] | None
    ) -> _Work:
        reviews = [self._library.lesson(lesson_id) for lesson_id in dict.fromkeys(lesson_ids)]
        wanted = [(r, p) for r in reviews for p in _latest(r, choice.name, clip_ids)]
        left_out = [_cannot(r, p, no_probe(p)) for r, p in wanted if no_probe(p)]
        wanted = [(r, p) for r, p in wanted if not no_probe(p)]
        if not wanted:
            return _Work(None, (), tuple(left_out))
        prober = EvidenceProber(
            choice,
            self._chat(choice.engine),
            self._library.attempts,
            self._practices,
            frame_px=self._frame_px,
        )
        materials = {review.lesson_id: material_of(review) for review in reviews}
        shelf = [row.lesson_id for row in self._library.lessons()] if prober.sees else []
        # Frames of the nearest one stand in: nobody has to look at all others for each lesson.
        pictured = cache(self._pictured)
        prepared = []
        for review, prediction in wanted:
            subject = Subject.of(prediction, materials[review.lesson_id])
            trouble = prober.trouble(subject)
            if trouble:
                left_out.append(_cannot(review, prediction, trouble))
            else:
                others = map(pictured, _from_next(shelf, review.lesson_id))
                prepared.append(prober.prepare(subject, others))
        return _Work(prober, tuple(prepared), tuple(left_out))

    def _pictured(self, lesson_id: str) -> Material:
        title, media, is_there = self._library.media(lesson_id)
        return Material(lesson_id, title, (), (), {}, media, is_there)


def _chosen(coder: CoderChoice | str) -> CoderChoice:
    return parse_choice(coder) if isinstance(coder, str) else coder


def _latest(review: LessonReview, coder: str, clip_ids: Collection[str] | None) -> list[Prediction]:
    """Give the coder's last word on each clip that stands."""
    found = [
        review.prediction_for(clip.clip_id, coder)
        for clip in review.clips
        if clip_ids is None or clip.clip_id in clip_ids
    ]
    return [prediction for prediction in found if prediction is not None]


def _from_next(shelf: list[str], lesson_id: str) -> list[str]:
    """Give the other lessons of the library, from the next one on."""
    if not shelf:
        return []
    place = shelf.index(lesson_id)
    return [*shelf[place + 1 :], *shelf[:place]]


def _cannot(review: LessonReview, prediction: Prediction, why: str) -> CannotProbe:
    return CannotProbe(review.lesson_id, prediction.clip.clip_id, prediction.coder, why)
