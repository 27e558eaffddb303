"""What is missing of an audit, step by step and model by model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from threading import Event

from app.answering import Answering
from app.audit.bank import Bank
from app.audit.cells import items_of, request_of
from app.audit.checks_of_judges import JUDGED, checks_of, known_responses
from app.audit.families import family_of
from app.audit.items import ClipAddress
from app.audit.judging import Judging
from app.audit.outlook import Step, to_be_judged
from app.audit.planted import PlantedTutor, planted_of
from app.audit.records import AuditPlan, Origin, Place, Reading, Response, Seat
from app.audit.tutoring import Tutoring
from app.audit.works import JudgeWork, Scored, TutorWork, judge_work, tutor_work
from app.audit_results import CHECKS
from app.errors import Refused
from app.files import Files
from app.lesson.media.facts import MediaFacts
from app.running.protocols import no_report
from app.running.questions import Chat, Question, Status
from app.settings import Settings
from app.store.library import Library


class AuditModels:
    """Gives the models of an audit, planted tutors among them.

    Args:
        answering: Gives models by name.
    """

    def __init__(self, answering: Answering) -> None:
        self._answering = answering

    def seat(self, name: str, family: str = "") -> Seat:
        """Give a model its seat: its family, and where words go for it.

        Args:
            name: Of an installed model, an endpoint that is on, or a planted tutor.
            family: Where a person knows better than the name tells.
        """
        titles = [c.title for c in self._answering.choices() if c.name == name]
        goes_to = "" if planted_of(name) else self._answering.goes_to(name)
        return Seat(name, family or family_of(name, *titles), goes_to)

    def chat(self, seat: Seat, plan: AuditPlan, bank: Bank) -> Chat:
        """Give the model of a seat; nothing is loaded or sent before it is asked.

        Raises:
            EngineMissing: It is not there, cannot run here, or would be asked at another address
                than was agreed to when the audit was planned.
        """
        kind = planted_of(seat.name) if plan.is_self_check else None
        if kind is not None:
            return PlantedTutor(kind, plan, bank)
        self._answering.require_place(seat.name, seat.goes_to)
        return self._answering.chat(seat.name)


class AuditSteps:
    """Makes the work that is left of an audit.

    Args:
        library: Where audits are kept.
        files: Looks into the recordings of clips.
        settings: The size of frames.
    """

    def __init__(self, library: Library, files: Files, settings: Settings) -> None:
        self._library, self._files, self._settings = library, files, settings
        self._media: dict[str, MediaFacts | None] = {}

    def bank(self, plan: AuditPlan) -> Bank:
        """Give the items of an audit."""
        return self._library.audits.bank(plan.bank)

    def tutoring(self, plan: AuditPlan, chat: Chat, audit_id: int | None = None) -> TutorWork:
        """Give what the tutor is still to be asked; everything where the audit has not begun."""
        bank, facts = self.bank(plan), chat.facts()
        there = {one.place for one in self.responses(audit_id)}
        size = self._settings.frame_px
        tutoring = Tutoring(plan, bank.notices, facts, self._recording, size)
        return tutor_work(plan, bank, tutoring, facts, there)

    def judging(
        self,
        plan: AuditPlan,
        step: Step,
        judge: str,
        chat: Chat,
        audit_id: int | None = None,
        stand_ins: Sequence[Response] = (),
    ) -> JudgeWork:
        """Give what a judge is still to score, in the check of the judges or of the tutor.

        Args:
            plan: What is settled.
            step: `CHECK` or `JUDGE`.
            judge: By its name.
            chat: The judge.
            audit_id: `None` where the audit has not begun.
            stand_ins: For responses that are still to come, to reckon with.
        """
        if step is Step.CHECK:
            scored, what = self._to_check(plan, judge, audit_id), "being checked as judge"
        else:
            scored, what = self._to_judge(plan, judge, audit_id), "as judge"
        scored += [Scored(one, scorings=plan.scorings) for one in stand_ins]
        title = f"Audit “{plan.title}”: {judge} {what}"
        return judge_work(title, judge, self.bank(plan), scored, chat.facts())

    def responses(self, audit_id: int | None) -> Sequence[Response]:
        """Give the tutor's responses that are there."""
        return () if audit_id is None else self._library.audits.responses(audit_id, Origin.TUTOR)

    def to_come(
        self, plan: AuditPlan, chat: Chat, audit_id: int | None = None
    ) -> tuple[Response, ...]:
        """Give stand-ins for the responses that a tutor has not given yet."""
        tokens = self._library.attempts.pace(chat.facts()).tokens_out
        there = {one.place for one in self.responses(audit_id)}
        return to_be_judged(plan, self.bank(plan), there, tokens)

    def planted_responses(self, plan: AuditPlan, chat: Chat) -> tuple[Response, ...]:
        """Give what a planted tutor says to all that judges score, without keeping it."""
        judged = [o for o in self.tutoring(plan, chat).asked if o.cell.item.axis in JUDGED]
        said = [
            (one.cell, chat.ask(one.question, range(one.cell.draws), no_report, Event()))
            for one in judged
        ]
        return tuple(
            Response(
                0,
                Origin.TUTOR,
                Place(cell.item.item_id, cell.condition, draw),
                Status.OK,
                raw.text,
            )
            for cell, answers in said
            for draw, raw in enumerate(answers)
        )

    def checked(self, audit_id: int) -> dict[str, set[tuple[int, Reading]]]:
        """Give which of our responses each judge has scored, and in which reading."""
        found: dict[str, set[tuple[int, Reading]]] = defaultdict(set)
        for origin, reading in CHECKS:
            for row in self._library.audits.board_rows(audit_id, origin, reading):
                found[row.judge].add((row.response_id, reading))
        return found

    def band_question(self, plan: AuditPlan, response: Response) -> Question:
        """Ask for the band of a response alone.

        Raises:
            Refused: It has no words, or answers what no judge scores.
        """
        bank, place = self.bank(plan), response.place
        item = next((i for i in bank.items if i.item_id == place.item_id), None)
        if item is None or item.group not in bank.rubrics or not response.has_text:
            raise Refused(
                "This response is not scored by judges.", "Choose one on skill or attitude."
            )
        request = request_of(item, place.condition)
        return Judging().ask_band(item, request, response.text, bank.rubrics[item.group])

    def _to_check(self, plan: AuditPlan, judge: str, audit_id: int | None) -> list[Scored]:
        there: set[tuple[int, Reading]] = set()
        known: Iterable[Response] = ()
        if audit_id is not None:
            there = self.checked(audit_id).get(judge, there)
            known = self._library.audits.responses(audit_id)
        ours = checks_of([one for one in known if one.origin is not Origin.TUTOR])
        ours = ours or checks_of(known_responses(items_of(plan, self.bank(plan))))
        return [Scored(one, how) for one, how in ours if (one.response_id, how) not in there]

    def _to_judge(self, plan: AuditPlan, judge: str, audit_id: int | None) -> list[Scored]:
        if audit_id is None:
            return []
        turns = self._library.audits.turns(audit_id, judge)
        judged = {item.item_id for item in self.bank(plan).items if item.axis in JUDGED}
        return [
            Scored(one, Reading.UPWARD, plan.scorings)
            for one in self.responses(audit_id)
            if one.has_text
            and one.place.item_id in judged
            and turns.get(one.response_id, 0) < plan.scorings
        ]

    def _recording(self, clip: ClipAddress) -> MediaFacts | None:
        """Give the recording of a clip if it lies on this computer; looked into once."""
        path = Path(clip.address)
        if clip.address not in self._media:
            self._media[clip.address] = self._files.probe(path) if path.is_file() else None
        return self._media[clip.address]
