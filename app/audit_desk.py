"""The road of an audit: chosen, planned, settled, the judges checked, the tutor asked, judged."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import partial

from app.answering import Answering, EngineChoice
from app.audit.addressing import addressing
from app.audit.cells import cells_of, items_of
from app.audit.checks_of_judges import checks_of, known_responses
from app.audit.choosing import AuditChoice, self_check_of, settle
from app.audit.outlook import PlannedAudit, Progress, Step, StepPlan, judged_places
from app.audit.planted import Planted, planted_of
from app.audit.planted_seen import PlantedSeen, seen_of
from app.audit.records import Audit, AuditPlan, Origin, Response, Seat
from app.audit.sureness import Sureness, read_sureness
from app.audit.works import JudgeWork, TutorWork
from app.audit_experts import AuditExperts
from app.audit_papers import AuditPapers
from app.audit_results import AuditResults
from app.audit_steps import AuditModels, AuditSteps
from app.errors import Refused
from app.files import Files
from app.item_banks import ItemBanks
from app.running.plan import Plan, estimate, make_plan
from app.running.protocols import Report, no_report
from app.running.questions import Question, Status
from app.settings import Settings
from app.store.library import Library
from app.store.tally import TokensRead


class AuditDesk:
    """Audits tutors in one library.

    Args:
        library: Where audits are kept.
        files: Looks into the recordings of clips.
        answering: Gives models by name.
        items: The banks of items.
        settings: The size of frames, the reviewer's name.
    """

    def __init__(
        self,
        library: Library,
        files: Files,
        answering: Answering,
        items: ItemBanks,
        settings: Settings,
    ) -> None:
        self._library, self._answering, self._settings = library, answering, settings
        self._items = items
        self._models = AuditModels(answering)
        self._steps = AuditSteps(library, files, settings)
        self.results = AuditResults(library)
        """What came of audits: boards and cases."""
        self.papers = AuditPapers(self.results, files, self._to_score_blind)
        """What is written of them."""

    # Before it begins

    @property
    def starter(self) -> str:
        """Digest of the starter items."""
        return self._items.starter()

    def engines(self) -> tuple[EngineChoice, ...]:
        """List the models that may be tutor or judge, and where words would go."""
        return self._answering.choices()

    def seat(self, name: str, family: str = "") -> Seat:
        """Give a model its seat; see `AuditModels.seat`."""
        return self._models.seat(name, family)

    def settle(self, choice: AuditChoice, *, is_self_check: bool = False) -> AuditPlan:
        """Give the plan that a choice settles into; keeps nothing but the starter items.

        Raises:
            Refused: It cannot be done so.
            StoreRefused: The bank is not in this library.
        """
        if planted_of(choice.tutor) and not is_self_check:
            raise Refused(
                f"“{choice.tutor}” is no model but a planted tutor.",
                "Choose a model, or run the self-check, which puts all planted tutors to the test.",
            )
        digest = choice.bank or self._items.starter()
        bank = self._library.audits.bank(digest)
        if choice.left_out is None:
            choice = replace(choice, left_out=self._items.dropped(digest))
        names = dict.fromkeys((choice.tutor, *choice.judges))
        seats = {name: self.seat(name, choice.families.get(name, "")) for name in names}
        return settle(choice, digest, bank, seats, is_self_check=is_self_check)

    def plan(self, choice: AuditChoice) -> PlannedAudit:
        """Say what an audit would ask, how long it would take and what it would cost.

        Asks nothing; no model is loaded.

        Raises:
            Refused: It cannot be done so.
            EngineMissing: A model is not there or cannot run here.
        """
        return self._outlook(self.settle(choice), None)

    def left(self, audit_id: int) -> PlannedAudit:
        """Say the same of what an audit still has to ask.

        Raises:
            EngineMissing: A model is not there any more.
            StoreRefused: There is no such audit.
        """
        return self._outlook(self._library.audits.audit(audit_id).plan, audit_id)

    def begin(self, plan: AuditPlan) -> int:
        """Settle an audit: its plan and gates are locked from now on. Gives its number."""
        return self._library.audits.add_audit(plan, self._settings.author)

    def find(self, name: str) -> Audit:
        """Find an audit by its number, else by its title; of several with the title, the latest.

        Raises:
            Refused: There is none.
        """
        audits = self._library.audits.audits()
        found = [one for one in audits if one.plan.title == name]
        found += [one for one in audits if str(one.audit_id) == name]
        if found:
            return found[-1]
        told = "\n".join(f"  {one.audit_id}  {one.plan.title}" for one in audits)
        raise Refused(
            f"No audit is called “{name}”.",
            f"These are there:\n{told}" if audits else "There is none yet.",
        )

    # The steps

    def check_judges(
        self, audit_id: int, report: Report = no_report, stop: threading.Event | None = None
    ) -> int:
        """Have each judge score responses of ours whose worth is known; once, before the tutor.

        Returns:
            Scorings that are missing because an engine failed; run again to have them.

        Raises:
            EngineMissing: A judge is not there, or would be asked elsewhere than was agreed to.
            Cancelled: `stop` was set; what was scored is kept.
            Paused: A judge failed again and again; run again to go on.
        """
        audit = self._library.audits.audit(audit_id)
        known = known_responses(items_of(audit.plan, self._steps.bank(audit.plan)))
        self._library.audits.add_responses(audit_id, known)
        return self._judged(audit, Step.CHECK, report, stop)

    def tutor(
        self, audit_id: int, report: Report = no_report, stop: threading.Event | None = None
    ) -> int:
        """Ask the tutor all that it has not answered yet; responses are kept as they come.

        Returns:
            Responses that are missing because the engine failed; run again to have them.

        Raises:
            EngineMissing, Cancelled, Paused: As `check_judges`.
        """
        audits = self._library.audits
        plan = audits.audit(audit_id).plan
        chat = self._models.chat(plan.tutor, plan, self._steps.bank(plan))
        work = self._steps.tutoring(plan, chat, audit_id)
        self._note(audit_id, Step.TUTOR, plan.tutor.name, work)
        keep = partial(audits.add_responses, audit_id)
        return work.run(chat, self._library.attempts, keep, report, stop or threading.Event())

    def judge(
        self, audit_id: int, report: Report = no_report, stop: threading.Event | None = None
    ) -> int:
        """Have each judge score the tutor's responses that are there.

        Returns:
            Scorings that are missing because an engine failed; run again to have them.

        Raises:
            EngineMissing, Cancelled, Paused: As `check_judges`.
        """
        return self._judged(self._library.audits.audit(audit_id), Step.JUDGE, report, stop)

    def run_all(
        self, audit_id: int, report: Report = no_report, stop: threading.Event | None = None
    ) -> int:
        """Do all that an audit lacks, in its order; stopped or killed, it goes on from there.

        Returns:
            Answers that are missing because an engine failed; run again to have them.

        Raises:
            EngineMissing, Cancelled, Paused: As `check_judges`.
        """
        progress = self.progress(audit_id)
        steps = (
            (self.check_judges, progress.checks_wanted, "checking the judges"),
            (self.tutor, progress.responses_wanted, "asking the tutor"),
            (self.judge, progress.scorings_wanted, "having responses judged"),
        )
        missing, done, total = 0, 0, sum(wanted for _, wanted, _ in steps)
        for step, wanted, doing in steps:
            missing += step(audit_id, _part(report, done, wanted, total, doing), stop)
            done += wanted
        if not missing:
            self.results.keep_board(audit_id)
        return missing

    def self_check(
        self, choice: AuditChoice, report: Report = no_report, stop: threading.Event | None = None
    ) -> tuple[PlantedSeen, ...]:
        """Put every planted tutor through an audit with some judges, and say what each judge saw.

        The audits are kept, marked as self-checks; run again, they go on from there.

        Args:
            choice: What is asked, and the judges; its tutor and title are not looked at.
            report: Takes progress.
            stop: Ends the work when set.

        Raises:
            Refused: It cannot be done so.
            EngineMissing, Cancelled, Paused: As `check_judges`.
        """
        seen: list[PlantedSeen] = []
        for place, kind in enumerate(Planted):
            plan = self.settle(self_check_of(choice, kind), is_self_check=True)
            audit_id, _ = self.take_up(plan)
            self.run_all(audit_id, _part(report, place, 1, len(Planted), kind.value), stop)
            seen += [self._seen(audit_id, kind, judge.name) for judge in plan.judges]
        return tuple(seen)

    def plan_self_check(self, choice: AuditChoice) -> tuple[StepPlan, ...]:
        """Say what each judge would be asked in a self-check, all planted tutors together.

        Planted tutors often give the same response to the same request, which is scored but once.
        Asks nothing.

        Raises:
            Refused: It cannot be done so.
            EngineMissing: A judge is not there or cannot run here.
        """
        plans = [self.settle(self_check_of(choice, k), is_self_check=True) for k in Planted]
        found = []
        for place, seat in enumerate(plans[0].judges):
            chat = self._models.chat(seat, plans[0], self._steps.bank(plans[0]))
            questions: list[Question] = []
            for plan in plans:
                tutor = self._models.chat(plan.tutor, plan, self._steps.bank(plan))
                said = self._steps.planted_responses(plan, tutor)
                judge = plan.judges[place].name
                for step, more in ((Step.CHECK, ()), (Step.JUDGE, said)):
                    questions += self._steps.judging(plan, step, judge, chat, None, more).questions
            whole = make_plan("Self-check", questions, chat.facts())
            found.append(self._step(Step.JUDGE, seat, whole))
        return tuple(found)

    def take_up(self, plan: AuditPlan) -> tuple[int, bool]:
        """Go on with the audit that has this very plan, or begin it; says whether it is new."""
        begun = [one for one in self._library.audits.audits() if one.plan == plan]
        return (begun[-1].audit_id, False) if begun else (self.begin(plan), True)

    # What came of it

    def progress(self, audit_id: int) -> Progress:
        """Say how far an audit has come; asks no model."""
        audits = self._library.audits
        plan = audits.audit(audit_id).plan
        bank = self._steps.bank(plan)
        rows = audits.board_rows(audit_id)
        lost = {row.place for row in rows if row.status not in (Status.OK, Status.RETRY_OK)}
        judged = [place for place in judged_places(plan, bank) if place not in lost]
        checks = len(checks_of(known_responses(items_of(plan, bank))))
        checked = self._steps.checked(audit_id)
        return Progress(
            checks=sum(len(checked.get(seat.name, ())) for seat in plan.judges),
            checks_wanted=checks * len(plan.judges),
            responses=len({row.response_id for row in rows}),
            responses_wanted=sum(cell.draws for cell in cells_of(plan, bank)),
            scorings=sum(min(len(row.scores), plan.scorings) for row in rows if row.judge),
            scorings_wanted=len(judged) * plan.scorings * len(plan.judges),
        )

    def tokens_read(self, audit_id: int) -> TokensRead:
        """Say how many tokens models read for an audit, and how many their engines had kept."""
        audits = self._library.audits
        keys = {one.answer_key for one in audits.responses(audit_id)}
        keys |= {one.answer_key for one in audits.scorings(audit_id)}
        return self._library.attempts.tokens_read(keys - {""})

    def addressing(self, audit_id: int) -> tuple[tuple[Response, str], ...]:
        """List the tutor's responses that speak to whoever scores them, each with the words."""
        return addressing(self._library.audits.responses(audit_id, Origin.TUTOR))

    def how_sure(
        self,
        response_id: int,
        audit_id: int,
        judge: str,
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> Sureness:
        """Read how sure a judge is of the band of a response, where its engine can be read so.

        It is asked for anew each time, and no score.

        Raises:
            Refused: The audit has no such judge, or the response was not to be judged.
            EngineMissing, EngineStopped, Cancelled: As the engine has it.
        """
        plan = self._library.audits.audit(audit_id).plan
        seats = [seat for seat in plan.judges if seat.name == judge]
        if not seats:
            raise Refused(f"“{judge}” is no judge of “{plan.title}”.", "Choose one of its judges.")
        chat = self._models.chat(seats[0], plan, self._steps.bank(plan))
        question = self._steps.band_question(plan, self._library.audits.response(response_id))
        return read_sureness(chat, question, report, stop)

    # How it is done

    def _to_score_blind(self, audit_id: int) -> frozenset[int]:
        author, is_blind = self._settings.author, self._settings.blind
        return AuditExperts(self._library).to_score_blind(audit_id, author, is_blind=is_blind)

    def _judged(
        self, audit: Audit, step: Step, report: Report, stop: threading.Event | None
    ) -> int:
        """Have every judge score what it has not scored yet in a step, one after another."""
        plan, audits, missing = audit.plan, self._library.audits, 0
        for place, seat in enumerate(plan.judges):
            chat = self._models.chat(seat, plan, self._steps.bank(plan))
            work = self._steps.judging(plan, step, seat.name, chat, audit.audit_id)
            self._note(audit.audit_id, step, seat.name, work)
            told = _part(report, place, 1, len(plan.judges), seat.name)
            missing += work.run(
                chat, self._library.attempts, audits.add_scorings, told, stop or threading.Event()
            )
        return missing

    def _seen(self, audit_id: int, kind: Planted, judge: str) -> PlantedSeen:
        audits = self._library.audits
        plan, responses = audits.audit(audit_id).plan, audits.responses(audit_id, Origin.TUTOR)
        rows = audits.board_rows(audit_id)
        return seen_of(kind, judge, plan, self._steps.bank(plan), rows, responses)

    def _note(self, audit_id: int, step: Step, model: str, work: TutorWork | JudgeWork) -> None:
        """Write down what a model is, when it is put to work on something."""
        if not work.plan.draws:
            return
        runs = self._library.audits.runs(audit_id)
        last = [run.provenance for run in runs if (run.part, run.model) == (step.value, model)]
        if last[-1:] != [work.provenance]:
            self._library.audits.add_run(audit_id, step.value, model, work.provenance)

    def _outlook(self, plan: AuditPlan, audit_id: int | None) -> PlannedAudit:
        """Say what is still to be asked; of an audit that has not begun, everything."""
        bank = self._steps.bank(plan)
        tutor = self._models.chat(plan.tutor, plan, bank)
        work = self._steps.tutoring(plan, tutor, audit_id)
        to_come = self._steps.to_come(plan, tutor, audit_id)
        asked = [self._step(Step.TUTOR, plan.tutor, work.plan)]
        checked, judged = [], []
        for seat in plan.judges:
            chat = self._models.chat(seat, plan, bank)
            check = self._steps.judging(plan, Step.CHECK, seat.name, chat, audit_id)
            score = self._steps.judging(plan, Step.JUDGE, seat.name, chat, audit_id, to_come)
            checked.append(self._step(Step.CHECK, seat, check.plan))
            judged.append(self._step(Step.JUDGE, seat, score.plan))
        return PlannedAudit(
            plan,
            (*checked, *asked, *judged),
            sum(cell.draws for cell in cells_of(plan, bank)),
            len(judged_places(plan, bank)) * plan.scorings * len(plan.judges),
            tuple(filter(None, (self._items.mark(plan.bank, plan.item_ids), *work.notes))),
        )

    def _step(self, step: Step, seat: Seat, plan: Plan) -> StepPlan:
        return StepPlan(step, seat.name, seat.goes_to, estimate(plan, self._library.attempts))


def _part(report: Report, done: int, own: int, total: int, doing: str) -> Report:
    """Give a report for one part of some work, of which `done` of `total` is behind it."""

    def told(share: float, said: str) -> None:
        report((done + share * own) / max(total, 1), f"{doing}: {said}")

    return told
