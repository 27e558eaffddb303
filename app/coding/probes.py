"""Ask a model again about a clip with less or other evidence, in order to test what it cited.

Everything but what is shown stays the same: model, prompt, schema, sampler, draws. How words are
hidden is told in `app.coding.masking`. Frames in a time that was cited for something seen are left
out with their times when evidence is masked, and are all that is shown when only evidence is.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from app.coding.chat_answer import read_claim
from app.coding.chat_base import AsksModel
from app.coding.chat_predictions import prediction_of
from app.coding.chat_questions import Asked, Asking, Shown, View
from app.coding.conditions import CoderChoice, Input, parse_choice
from app.coding.evidence import QuoteFinder
from app.coding.masking import CitedWords
from app.coding.material import Material
from app.coding.probe_records import NOT_ASKED, TEXT_KINDS, VISUAL_KINDS, Answered, ProbeKind
from app.coding.records import Check, Prediction
from app.errors import WrongUse
from app.lesson.spans import Span
from app.running.plan import Plan, make_plan
from app.running.protocols import Report
from app.running.questions import Status
from app.running.results import Result
from app.running.run import run

Keep = Callable[[Sequence[Answered]], object]
"""Takes what came of the probes of all predictions that are through, once the run has ended."""

NO_SUPPORT = "None of the evidence it cites was found in the clip, so there is nothing to show."
NO_MASK = "None of the evidence it cites was found in the clip, so there is nothing to mask."
NO_OTHER = "There is no other lesson with a picture in this library."
ONE_FRAME = "Only one frame was shown, so there is no other order."


@dataclass(frozen=True, slots=True)
class Subject:
    """A prediction whose evidence is to be tested, and the lesson it belongs to."""

    prediction: Prediction
    material: Material
    """Of its clip alone, as that was when it was coded."""

    @classmethod
    def of(cls, prediction: Prediction, material: Material) -> Subject:
        """Make one from the material of the whole lesson."""
        return cls(prediction, replace(material, clips=(prediction.clip,)))


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is to be asked about one prediction."""

    subject: Subject
    asked: tuple[tuple[ProbeKind, Asked], ...]
    not_asked: tuple[tuple[ProbeKind, str], ...]
    """Probes that make no sense here, and why."""


def kinds_of(prediction: Prediction) -> tuple[ProbeKind, ...]:
    """Give the probes that belong to a prediction, by what its model was given."""
    choice = _choice_of(prediction)
    if choice is None or choice.condition is None:
        return ()
    return (*TEXT_KINDS, *VISUAL_KINDS) if choice.condition.input is Input.TV else TEXT_KINDS


def no_probe(prediction: Prediction) -> str:
    """Say why a prediction cannot be probed at all; empty when it can."""
    choice = _choice_of(prediction)
    if choice is None or choice.condition is None:
        return "This coder asks no model, so there is nothing to ask again."
    if prediction.status == NOT_ASKED:
        return "The model was not asked about this clip, so there is no label to test."
    if prediction.is_failure:
        return "The model gave no usable answer, so there is no label to test."
    if not prediction.practice:
        return "No practice is claimed, so there is no label to test."
    return ""


class EvidenceProber(AsksModel):
    """Probes what one coder said, the choice as it was then. Made as `AsksModel` is."""

    @property
    def sees(self) -> bool:
        """Whether the model is shown frames."""
        return self._asking.condition.input is Input.TV

    def trouble(self, subject: Subject) -> str:
        """Say why a prediction cannot be probed; empty when it can."""
        told = no_probe(subject.prediction)
        if told:
            return told
        refused = self._asking.refusal(subject.material)
        if refused is not None:
            return str(refused)
        if not self._is_what_was_asked(subject):
            return (
                "The clip's words, the prompt or the model are no longer those it was coded with, "
                "so the answers could not be compared. Have it coded again first."
            )
        return ""

    def prepare(self, subject: Subject, others: Iterable[Material] = ()) -> Prepared:
        """Make the questions about a prediction for which `trouble` says nothing.

        Args:
            subject: The prediction.
            others: Lessons whose frames may stand in for those of this one, nearest first; no more
                of them are looked at than it takes.
        """
        views: dict[ProbeKind, View | str] = _Views(self._asking, subject, others).views()
        prediction, material = subject.prediction, subject.material
        return Prepared(
            subject,
            tuple(
                (kind, self._asking.ask_of_view(material, prediction.clip, view))
                for kind, view in views.items()
                if isinstance(view, View)
            ),
            tuple((kind, why) for kind, why in views.items() if isinstance(why, str)),
        )

    def plan(self, prepared: Sequence[Prepared]) -> Plan:
        """Say what would be asked, all in one plan."""
        questions = [a.question for one in prepared for _, a in one.asked if a.question]
        many = f"{len(prepared)} predictions" if len(prepared) > 1 else "1 prediction"
        return make_plan(
            f"Test the evidence of {many} by {self._choice.name}", questions, self._facts
        )

    def probe_all(
        self,
        prepared: Sequence[Prepared],
        report: Report,
        stop: threading.Event,
        keep: Keep,
    ) -> None:
        """Ask, and hand over what came of the predictions whose probes all have a result.

        All at once, so that they are kept together: a thousand predictions are one change and not
        a thousand. Whoever is killed before that has lost nothing, since answers are kept as they
        come, and running again asks none of them.

        Raises:
            EngineMissing: The model is not there or cannot be used.
            Cancelled: `stop` was set; run again to go on.
            Paused: The engine failed again and again; run again to go on.
        """
        summary = run(self.plan(prepared), self._chat, self._attempts, read_claim, report, stop)
        own: dict[int, list[Result]] = {}
        for result in summary.results:
            own.setdefault(id(result.question), []).append(result)
        found = [self._answered(one, own, is_whole=not summary.left) for one in prepared]
        answered = [answered for of_one in found for answered in of_one or ()]
        if answered:
            keep(answered)
        summary.require_done()

    def _answered(
        self, one: Prepared, own: dict[int, list[Result]], *, is_whole: bool
    ) -> tuple[Answered, ...] | None:
        """Give what came of one prediction's probes; `None` while some are still to be asked."""
        number = one.subject.prediction.prediction_id
        finder = QuoteFinder(one.subject.material.utterances)
        found = [Answered(number, kind, None, NOT_ASKED, note=why) for kind, why in one.not_asked]
        for kind, asked in one.asked:
            results = own.get(id(asked.question), [])
            broken = any(result.status is Status.BACKEND_ERROR for result in results)
            if len(results) < self._choice.draws or (broken and not is_whole):
                return None
            said = prediction_of(asked, results, self._choice.name, (), finder)
            key = dict(said.provenance)["attempt"]
            found.append(Answered(number, kind, said.code, said.status, key, said.note))
        return tuple(sorted(found, key=lambda probe: list(ProbeKind).index(probe.kind)))

    def _is_what_was_asked(self, subject: Subject) -> bool:
        """Say whether the model is the same, and the very question has an answer in the store."""
        if not set(self._facts.identity) <= set(subject.prediction.provenance):
            return False
        whole = self._asking.ask(subject.material, subject.prediction.clip)
        if whole.question is None:
            return False
        keys = whole.question.keys(self._facts.identity, range(self._choice.draws))
        return bool(self._attempts.standing(keys))


class _Views:
    """What is shown for each probe of one prediction; a text says why nothing is."""

    def __init__(self, asking: Asking, subject: Subject, others: Iterable[Material]) -> None:
        self._asking, self._others = asking, others
        self._prediction, self._material = subject.prediction, subject.material
        whole = asking.ask(self._material, self._prediction.clip)
        self._left_out = whole.left_out
        self._frames = asking.frames_of(self._material.media, whole.frames)
        clip, gone = self._prediction.clip, set(whole.left_out)
        lines = [u for u in self._material.utterances if u.number not in gone]
        self._words = CitedWords(lines, clip, self._prediction.evidence)
        # What is said to be seen counts by its time alone: the frames are true, the words a claim.
        self._seen = [
            Span(e.start_ms, e.end_ms)
            for e in self._prediction.evidence
            if e.check is Check.SEEN and e.start_ms is not None and e.end_ms is not None
        ]
        self._lines = tuple(lines)

    def views(self) -> dict[ProbeKind, View | str]:
        """Give them in the order of `ProbeKind`."""
        views: dict[ProbeKind, View | str] = {
            ProbeKind.SUFFICIENCY: self._only_evidence(),
            ProbeKind.NECESSITY: self._without_evidence(),
        }
        if self._asking.condition.input is Input.TV:
            views[ProbeKind.NO_FRAMES] = self._view(())
            views[ProbeKind.SHUFFLED] = self._shuffled()
            views[ProbeKind.OTHER_LESSON] = self._of_another()
        return views

    def _only_evidence(self) -> View | str:
        if self._words.is_empty:
            return NO_SUPPORT
        cited = tuple(shown for shown in self._frames if self._is_cited(shown))
        return View(self._words.only(), cited)

    def _without_evidence(self) -> View | str:
        kept = tuple(shown for shown in self._frames if not self._is_cited(shown))
        if self._words.is_empty and len(kept) == len(self._frames):
            return NO_MASK
        return View(self._words.without(), kept, self._left_out)

    def _shuffled(self) -> View | str:
        """Put the frames under each other's times, always in the same other order."""
        if len(self._frames) < 2:
            return ONE_FRAME
        places = list(range(len(self._frames)))
        chance = random.Random(
            f"{self._frames[0].frame.fingerprint} {self._prediction.clip.clip_id}"
        )
        while places == sorted(places):
            chance.shuffle(places)
        return self._view(
            Shown(shown.told_ms, self._frames[place].frame)
            for shown, place in zip(self._frames, places, strict=True)
        )

    def _of_another(self) -> View | str:
        """Put as many frames of another lesson, evenly over all of it, under these times."""
        own = self._material.media.fingerprint if self._material.media else ""
        count = len(self._frames)
        for other in self._others:
            media = other.media
            if media is None or media.video is None or media.fingerprint == own:
                continue
            start_ms, length_ms = media.video.first_ms, media.video.end_ms - media.video.first_ms
            if not other.media_found or length_ms < count:
                continue
            times = [start_ms + length_ms * place // count for place in range(count)]
            frames = self._asking.frames_of(media, times)
            return self._view(
                Shown(shown.told_ms, taken.frame)
                for shown, taken in zip(self._frames, frames, strict=True)
            )
        return NO_OTHER

    def _view(self, frames: Iterable[Shown]) -> View:
        return View(self._lines, tuple(frames), self._left_out)

    def _is_cited(self, shown: Shown) -> bool:
        # A model names the whole seconds it was told, so that "to 0:15" takes in the frame told
        # as 0:15. Of a single second no more is known, and the frame after it goes along: better
        # one hidden too many than one that was cited left to be seen.
        second_ms = shown.told_ms // 1000 * 1000
        return any(s.start_ms <= shown.told_ms and second_ms <= s.end_ms for s in self._seen)


def _choice_of(prediction: Prediction) -> CoderChoice | None:
    try:
        return parse_choice(prediction.coder)
    except WrongUse:
        return None
