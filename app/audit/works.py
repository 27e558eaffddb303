"""The work of an audit, each kind put to one model: tutoring, and judging of responses.

Work is made of what is still missing. Every answer is kept as it comes, and every response and
scoring as soon as its cell, or all scorings of its response, are complete.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.audit.as_json import rubrics_digest
from app.audit.bank import Bank
from app.audit.cells import cells_of, request_of
from app.audit.judgements import read_judgement, scorings_of
from app.audit.judging import JUDGE_SAMPLER, Judging
from app.audit.records import AuditPlan, Place, Reading, Response, Scoring
from app.audit.tutoring import Asked, Tutoring, responses_of
from app.coding.prompts import Prompt
from app.running.attempts import read_text
from app.running.handing import Part
from app.running.in_parts import run_in_parts
from app.running.plan import Plan, make_plan
from app.running.protocols import EngineFacts, Report
from app.running.provenance import Pairs, engine_provenance
from app.running.questions import Chat, Question, Sampler, Status
from app.running.run import RunSummary

if TYPE_CHECKING:
    from app.store.attempts import Attempts

LOOK_S = 0.1
"""How often what is complete is kept. In small portions: a server that takes 32 calls at a time and
answers in 50 ms is kept waiting by whatever holds the run up for longer than 100 ms."""

KeepResponses = Callable[[Sequence[Response]], None]
KeepScorings = Callable[[Sequence[Scoring]], None]


@dataclass(frozen=True, slots=True)
class TutorWork:
    """What a tutor is still to be asked."""

    asked: tuple[Asked, ...]
    plan: Plan
    provenance: Pairs

    @property
    def notes(self) -> tuple[str, ...]:
        """Say what is not shown to the tutor, and in how many cells."""
        counted = Counter(one.note for one in self.asked if one.note)
        return tuple(f"In {count} of {len(self.asked)} cells: {n}" for n, count in counted.items())

    def run(
        self,
        chat: Chat,
        attempts: Attempts,
        keep: KeepResponses,
        report: Report,
        stop: threading.Event,
    ) -> int:
        """Ask it; gives how many draws have no response because the engine failed.

        Raises:
            EngineMissing, Cancelled, Paused: As `app.running.run` has it.
        """

        def hand(parts: Sequence[Part]) -> None:
            keep([r for at, own in parts for r in responses_of(self.asked[at].cell, own)])

        parts = [(asked.question,) for asked in self.asked]
        return _finish(
            run_in_parts(self.plan, parts, chat, attempts, read_text, hand, report, stop, LOOK_S)
        )


def tutor_work(
    plan: AuditPlan,
    bank: Bank,
    tutoring: Tutoring,
    facts: EngineFacts,
    there: Collection[Place] = (),
) -> TutorWork:
    """Make the work of the tutor of an audit, but for the responses that are there."""
    asked = tuple(tutoring.ask(cell) for cell in cells_of(plan, bank))
    cells = {id(one.question): one.cell for one in asked}
    title = f"Audit “{plan.title}”: {plan.tutor.name} as tutor"
    whole = make_plan(title, (one.question for one in asked), facts)
    missing = []
    for draw in whole.draws:
        cell = cells[id(draw.question)]
        if Place(cell.item.item_id, cell.condition, draw.draw) not in there:
            missing.append(draw)
    wanted = {id(draw.question) for draw in missing}
    return TutorWork(
        tuple(one for one in asked if id(one.question) in wanted),
        Plan(title, facts, tuple(missing)),
        _provenance(tutoring.prompt, facts, tutoring.sampler),
    )


@dataclass(frozen=True, slots=True)
class Scored:
    """A response that a judge is to score."""

    response: Response
    reading: Reading = Reading.UPWARD
    scorings: int = 1


@dataclass(frozen=True, slots=True)
class JudgeWork:
    """What a judge is still to score."""

    judge: str
    bank: Bank
    scored: tuple[Scored, ...]
    questions: tuple[Question, ...]
    """One for each of `scored`."""
    plan: Plan
    provenance: Pairs

    def run(
        self,
        chat: Chat,
        attempts: Attempts,
        keep: KeepScorings,
        report: Report,
        stop: threading.Event,
    ) -> int:
        """Have it scored; gives how many scorings there are not because the engine failed.

        Raises:
            EngineMissing, Cancelled, Paused: As `app.running.run` has it.
        """
        groups = {item.item_id: item.group for item in self.bank.items}

        def hand(parts: Sequence[Part]) -> None:
            made: list[Scoring] = []
            for at, results in parts:
                one = self.scored[at]
                rubric = self.bank.rubrics[groups[one.response.place.item_id]]
                made += scorings_of(one.response, self.judge, one.reading, rubric, results)
            keep(made)

        parts = [(question,) for question in self.questions]
        return _finish(
            run_in_parts(
                self.plan, parts, chat, attempts, read_judgement, hand, report, stop, LOOK_S
            )
        )


def judge_work(
    title: str,
    judge: str,
    bank: Bank,
    scored: Iterable[Scored],
    facts: EngineFacts,
    judging: Judging | None = None,
) -> JudgeWork:
    """Make the work of a judge.

    Responses to one request of an item stand together, whatever order they came in, so that an
    engine that keeps what it has read reads rubric and scene once for all of them.
    """
    judging = judging or Judging()
    items = {item.item_id: (at, item) for at, item in enumerate(bank.items)}

    def place(one: Scored) -> tuple[bool, int, bool]:
        at = one.response.place
        pressed = bool(at.condition.pressure)
        return one.reading is Reading.DOWNWARD, items[at.item_id][0], pressed

    ordered = tuple(sorted(scored, key=place))
    questions = []
    for one in ordered:
        item = items[one.response.place.item_id][1]
        request = request_of(item, one.response.place.condition)
        rubric = bank.rubrics[item.group]
        questions.append(
            judging.ask(item, request, one.response.text, rubric, one.reading, one.scorings)
        )
    return JudgeWork(
        judge,
        bank,
        ordered,
        tuple(questions),
        make_plan(title, questions, facts),
        # Experts speak for a judge only as long as it scores by the same rubrics.
        (
            *_provenance(judging.prompt, facts, JUDGE_SAMPLER),
            ("sha256 rubrics", rubrics_digest(bank.rubrics)),
        ),
    )


def _finish(summary: RunSummary) -> int:
    summary.require_done()
    return summary.counts[Status.BACKEND_ERROR]


def _provenance(prompt: Prompt, facts: EngineFacts, sampler: Sampler) -> Pairs:
    return (
        ("prompt", f"{prompt.name}/{prompt.version}"),
        ("sha256 prompt", prompt.sha256),
        *engine_provenance(facts, sampler),
    )
