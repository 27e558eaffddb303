"""The chat coder: a language model, with or without sight, asked about each clip by the protocol.

It stands on any `Chat`. What it answers is a claim: quotes are looked up in the transcript, what
is said to be seen must lie inside the clip, and a failure stays one.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from app.coding.chat_answer import read_claim
from app.coding.chat_base import AsksModel
from app.coding.chat_predictions import Pairs, not_asked, prediction_of
from app.coding.chat_questions import Asked
from app.coding.coders import LessonDone, no_keeping
from app.coding.evidence import QuoteFinder
from app.coding.material import Material
from app.coding.practices import digest
from app.coding.records import Prediction
from app.errors import Refused
from app.running.handing import Part
from app.running.in_parts import run_in_parts
from app.running.plan import Plan, make_plan
from app.running.protocols import Report
from app.running.provenance import engine_provenance
from app.running.questions import Question
from app.running.results import Result


class ChatCoder(AsksModel):
    """A coder that asks a model; a `Coder`. Made as `AsksModel` is."""

    @property
    def name(self) -> str:
        """The model, its condition and its draws, e.g. `my-model TV few_shot`."""
        return self._choice.name

    def refusal(self, material: Material) -> Refused | None:
        """Say why a lesson cannot be coded under this condition; `None` when it can."""
        return self._asking.refusal(material)

    def plan(self, materials: Sequence[Material]) -> Plan:
        """Say what would be asked about some lessons, all in one plan.

        Raises:
            Refused: One of the lessons cannot be coded.
        """
        return self._planned([self._lesson(material) for material in materials])

    def code_all(
        self,
        materials: Sequence[Material],
        report: Report,
        stop: threading.Event,
        done: LessonDone = no_keeping,
    ) -> list[list[Prediction]]:
        """Ask about each clip of each lesson; see `app.coding.coders.Coder`.

        Raises:
            Refused: One of the lessons cannot be coded; nothing is asked then.
            EngineMissing: The model is not there or cannot be used.
            Cancelled: `stop` was set.
            Paused: The engine failed again and again.
        """
        lessons = [self._lesson(material) for material in materials]
        plan = self._planned(lessons)
        coded: dict[int, list[Prediction]] = {}

        def hand(parts: Sequence[Part]) -> None:
            for place, results in parts:
                coded[place] = self.predictions(lessons[place], results)
                done(lessons[place].material, coded[place])

        questions = [lesson.questions for lesson in lessons]
        summary = run_in_parts(
            plan, questions, self._chat, self._attempts, read_claim, hand, report, stop
        )
        summary.require_done()
        return [coded[place] for place in range(len(lessons))]

    def predictions(self, lesson: _Lesson, results: Sequence[Result]) -> list[Prediction]:
        """Make the predictions of a lesson whose draws all have a result."""
        finder = QuoteFinder(lesson.material.utterances)
        by_question: dict[int, list[Result]] = {}
        for result in results:
            by_question.setdefault(id(result.question), []).append(result)
        provenance = self._provenance()
        found = []
        for asked in lesson.asked:
            if asked.question is None:
                found.append(not_asked(asked, self.name, provenance))
                continue
            own = by_question[id(asked.question)]
            found.append(prediction_of(asked, own, self.name, provenance, finder))
        return found

    def _lesson(self, material: Material) -> _Lesson:
        refused = self.refusal(material)
        if refused is not None:
            raise refused
        return _Lesson(material, tuple(self._asking.ask(material, c) for c in material.clips))

    def _planned(self, lessons: Sequence[_Lesson]) -> Plan:
        titles = ", ".join(f"“{lesson.material.title}”" for lesson in lessons[:2])
        more = f" and {len(lessons) - 2} more" if len(lessons) > 2 else ""
        questions = [question for lesson in lessons for question in lesson.questions]
        return make_plan(f"Code {titles}{more} by {self.name}", questions, self._facts)

    def _provenance(self) -> Pairs:
        condition, sampler = self._asking.condition, self._asking.sampler
        prompt = self._asking.prompt
        return (
            ("kind", "chat: a model's claim, not a judgement"),
            ("engine", self._choice.engine),
            ("input", str(condition.input)),
            ("prompting", str(condition.prompting)),
            ("draws", str(self._choice.draws)),
            ("prompt", f"{prompt.name}/{prompt.version}"),
            ("sha256 prompt", prompt.sha256),
            ("practices", f"sha256 {digest(self._practices)}"),
            *engine_provenance(self._facts, sampler),
        )


@dataclass(frozen=True, slots=True)
class _Lesson:
    material: Material
    asked: tuple[Asked, ...]

    @property
    def questions(self) -> tuple[Question, ...]:
        return tuple(asked.question for asked in self.asked if asked.question is not None)
