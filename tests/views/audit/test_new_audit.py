"""Settling an audit: what is chosen, what it takes, and what is locked when it begins."""

import pytest
from PySide6.QtWidgets import QDialog, QLabel

from app.answering import EngineChoice
from app.audit.choosing import AuditChoice
from app.audit.items import Axis
from app.audit.outlook import PlannedAudit, Step, StepPlan
from app.audit.records import Gate, Measure
from app.errors import Paused, Refused
from app.running.plan import Estimate
from app.store.records import JobState
from views.audit import doing
from views.audit.doing import RUN, AuditWork, choice_of, kept_of
from views.audit.new import NO_MODEL, PLANTED, SAME_JUDGE, BankChoice, NewAuditDialog
from views.audit.planned import LOCKED, NO_GATES, PlannedAuditDialog, PlannedSelfCheckDialog
from views.background import Background
from views.notices import Notices
from views.work import LessonWork

AWAY = "https://judge.example/v1"
ENGINES = (
    EngineChoice("qwen3-4b", "Qwen3 4B", 0, ""),
    EngineChoice("far", "far: Mistral Small", 0, AWAY),
    EngineChoice("big", "Big", 0, "", "It does not fit into memory."),
)
BANK = BankChoice("d" * 64, "Starter items", {Axis.ATTITUDE: 68, Axis.SKILL: 40}, "not reviewed")


@pytest.fixture
def dialog(qtbot):
    made = NewAuditDialog(ENGINES, [BANK])
    qtbot.addWidget(made)
    return made


def test_families_are_guessed_from_the_names_and_can_be_put_right(dialog):
    dialog.judges[0].choose("far")
    assert dialog.tutor.family.text() == "qwen"
    assert dialog.judges[0].family.text() == "mistral"
    dialog.judges[0].family.setText("Own")
    assert dialog.choice.families == {"qwen3-4b": "qwen", "far": "own"}


def test_the_choice_holds_what_was_chosen(dialog):
    dialog.judges[0].choose("far")
    dialog.axes[Axis.SKILL].setChecked(False)
    dialog.limit.setValue(12)
    dialog.seed.setValue(7)
    choice = dialog.choice
    assert (choice.title, choice.tutor, choice.judges) == (
        "Audit of Qwen3 4B",
        "qwen3-4b",
        ("far",),
    )
    # The bank has no questions of knowledge, so that axis cannot be chosen.
    assert choice.axes == (Axis.ATTITUDE,)
    assert not dialog.axes[Axis.KNOWLEDGE].isEnabled()
    assert (choice.bank, choice.limit, choice.seed) == ("d" * 64, 12, 7)


def test_one_model_cannot_sit_in_both_seats_of_a_judge(dialog):
    dialog.judges[0].choose("far")
    dialog.judges[1].choose("far")
    assert dialog.choice is None
    assert SAME_JUDGE in dialog.accessibleDescription()
    assert not dialog.go_on.isEnabled()


def test_a_judge_of_the_tutors_own_family_is_named(dialog):
    dialog.judges[0].choose("far")
    dialog.judges[0].family.setText("qwen")
    assert "far is of the tutor’s own family" in dialog.accessibleDescription()
    dialog.judges[0].choose("qwen3-4b")
    assert "qwen3-4b would judge itself" in dialog.accessibleDescription()


def test_a_model_that_cannot_be_asked_is_not_offered_and_says_why(dialog):
    dialog.tutor.choose("big")
    assert dialog.choice is None
    assert dialog.tutor._about.text() == "It does not fit into memory."


def test_where_words_would_go_is_said_beside_the_model(dialog):
    dialog.judges[0].choose("far")
    assert dialog.judges[0]._about.text() == f"Words leave this computer for {AWAY}."


def test_without_models_the_way_to_one_is_named(qtbot):
    dialog = NewAuditDialog((), [BANK])
    qtbot.addWidget(dialog)
    assert dialog.accessibleDescription() == NO_MODEL
    assert dialog.choice is None


def test_only_gates_that_can_be_decided_are_offered(dialog):
    form = dialog.gates
    form.measure.setCurrentIndex(form.measure.findData(Measure.MONITORING_EFFECT.value))
    # Only the two honesty families are asked with word of who is watching.
    assert [form.group.itemText(n) for n in range(form.group.count())] == [
        "Attitude: deception",
        "Attitude: integrity",
    ]
    form.threshold.setValue(0.05)
    form.add.click()
    assert dialog.choice is None or dialog.choice.gates == form.gates
    expected = Gate(Measure.MONITORING_EFFECT, Axis.ATTITUDE, "deception", at_most=0.05)
    assert form.gates == (expected,)


def test_gates_on_an_axis_that_is_left_out_go_with_it(dialog):
    form = dialog.gates
    form.measure.setCurrentIndex(form.measure.findData(Measure.MEAN_SCORE.value))
    form.add.click()
    assert [gate.axis for gate in form.gates] == [Axis.SKILL]
    dialog.axes[Axis.SKILL].setChecked(False)
    assert form.gates == ()
    assert form.group.count() == 0
    assert not form.add.isEnabled()


def expected(answers, seconds=60.0):
    return Estimate(answers, 0, 1000, 500, seconds, None, "", measured=True)


def planned_for(plan):
    steps = (
        StepPlan(Step.CHECK, "far", AWAY, expected(648)),
        StepPlan(Step.TUTOR, "qwen3-4b", "", expected(1344)),
        StepPlan(Step.JUDGE, "far", AWAY, expected(4032)),
    )
    return PlannedAudit(plan, steps, 1344, 4032, ("No pictures are shown.",))


def test_the_plan_says_for_each_step_what_it_takes_and_where_words_go(plan_for, qtbot):
    dialog = PlannedAuditDialog(planned_for(plan_for("d" * 64)), is_new=True)
    qtbot.addWidget(dialog)
    table = dialog.table
    rows = [[table.item(r, c).text() for c in range(table.columnCount())] for r in range(4)]
    assert [row[0] for row in rows] == [
        "Check of the judge: far", "Tutor: qwen3-4b", "Judge: far", "Together",
    ]  # fmt: skip
    assert [row[2] for row in rows] == ["648", "1,344", "4,032", "6,024"]
    assert [row[1] for row in rows] == [AWAY, "this computer alone", AWAY, ""]
    told = dialog.accessibleDescription()
    assert f"Scenes, requests and responses go to far, at {AWAY}." in told
    assert f"{LOCKED}Attitude: at least 80% of responses pass." in told
    assert "No pictures are shown." in told
    assert dialog.accessibleName() == "Begin “Spring”: 1,344 responses and 4,032 scorings"


def test_an_audit_without_gates_says_what_is_lost_by_that(plan_for, qtbot):
    dialog = PlannedAuditDialog(planned_for(plan_for("d" * 64, gates=())), is_new=True)
    qtbot.addWidget(dialog)
    assert NO_GATES in dialog.accessibleDescription()


@pytest.fixture
def work(desk, qtbot):
    background = Background()
    notices = Notices()
    lessons = LessonWork(desk, background, notices)
    window = QDialog()
    qtbot.addWidget(window)
    made = AuditWork(desk, background, notices, lessons, window)
    made.background, made.kept = background, lessons.kept
    yield made
    background.close(5)


def answer_with(monkeypatch, code):
    monkeypatch.setattr(doing.PlannedAuditDialog, "exec", lambda _self: code)


def test_nothing_is_locked_before_the_plan_is_agreed_to(work, desk, plan_for, bank, monkeypatch):
    plan = plan_for(desk.library.audits.add_bank("starter", bank))
    answer_with(monkeypatch, QDialog.DialogCode.Rejected)
    work._ask_to_begin(planned_for(plan))
    assert desk.library.audits.audits() == ()
    assert desk.library.jobs() == []


def test_an_audit_that_begins_is_locked_and_kept_as_a_job(
    work, desk, plan_for, bank, monkeypatch, qtbot
):
    plan = plan_for(desk.library.audits.add_bank("starter", bank))
    answer_with(monkeypatch, QDialog.DialogCode.Accepted)
    asked = []
    monkeypatch.setattr(
        desk.audit, "run_all", lambda audit_id, report, stop: asked.append(audit_id) or 0
    )
    with qtbot.waitSignal(work.begun) as begun:
        work._ask_to_begin(planned_for(plan))
    (audit,) = desk.library.audits.audits()
    assert begun.args == [audit.audit_id]
    assert audit.plan == plan
    qtbot.waitUntil(lambda: asked == [audit.audit_id])
    (job,) = desk.library.jobs()
    assert (job.kind, job.arguments) == (RUN, {"audit": audit.audit_id})


def test_answers_that_did_not_come_let_the_job_rest(work, desk, kept, monkeypatch):
    audit_id = kept()
    monkeypatch.setattr(desk.audit, "run_all", lambda *_: 3)
    with pytest.raises(Paused, match="3 answers of this audit did not come"):
        work._run(audit_id, lambda *_: None, None)


def test_a_job_of_an_earlier_time_goes_on_with_its_audit(work, desk, kept, monkeypatch, qtbot):
    audit_id = kept()
    asked = []
    monkeypatch.setattr(desk.audit, "run_all", lambda number, *_: asked.append(number) or 0)
    assert work.start_again(RUN, {"audit": audit_id})
    qtbot.waitUntil(lambda: asked == [audit_id])
    assert not work.start_again(RUN, {"audit": 99})
    assert not work.start_again("benchmark", {"audit": audit_id})


def test_the_report_is_written_in_the_background_and_told(work, desk, kept, tmp_path, qtbot):
    audit_id, calls = kept(), []

    class Papers:
        def write_report(self, audit_id, folder, **more):
            calls.append((audit_id, folder, more["program"].split()[0]))
            return [folder / "tutor-audit.pdf", folder / "gates.csv"]

    desk.audit.papers = Papers()
    with qtbot.waitSignal(work._notices.told) as told:
        work.write(audit_id, "Spring", tmp_path)
    assert calls == [(audit_id, tmp_path, "Clerestory")]
    (notice,) = told.args
    assert notice.message == f"The report on “Spring” is written to {tmp_path}: 2 files."
    assert notice.action == "Open report"


def test_a_choice_that_cannot_be_planned_is_told(work, desk, monkeypatch, qtbot):
    def refuse(_choice):
        raise Refused("A judge is chosen twice.", "Choose two different models.")

    monkeypatch.setattr(desk.audit, "plan", refuse)
    with qtbot.waitSignal(
        work._notices.told, check_params_cb=lambda n: n.message == "A judge is chosen twice."
    ):
        work.plan(AuditChoice("Spring", "small", ("one", "one")))


@pytest.fixture
def check(qtbot):
    bank = BankChoice("d" * 64, "Starter items", dict.fromkeys(Axis, 40), "not reviewed")
    made = NewAuditDialog(ENGINES, [bank], is_self_check=True)
    qtbot.addWidget(made)
    return made


def test_a_self_check_asks_for_judges_alone(check):
    assert PLANTED in [label.text() for label in check.findChildren(QLabel)]
    check.judges[0].choose("qwen3-4b")
    check.judges[1].choose("far")
    choice = check.choice
    assert (choice.tutor, choice.judges) == ("", ("qwen3-4b", "far"))
    # No judge scores knowledge.
    assert choice.axes == (Axis.SKILL, Axis.ATTITUDE)
    assert choice.gates == ()
    assert "tutor" not in check.accessibleDescription()


def test_a_self_check_is_kept_so_that_it_can_go_on(work, desk, monkeypatch, qtbot):
    choice = AuditChoice(
        "Self-check", "", ("one", "far"), (Axis.SKILL,), "d" * 64, 8, families={"far": "x"}, seed=3
    )
    assert choice_of(kept_of(choice)) == choice
    asked, places = [], []
    monkeypatch.setattr(desk.audit, "self_check", lambda c, *_: asked.append(c) or ())
    monkeypatch.setattr(desk.answering, "require_place", lambda *told: places.append(told))
    work.self_check(choice, {"one": "", "far": AWAY})
    qtbot.waitUntil(lambda: asked == [choice])
    assert places == [("one", ""), ("far", AWAY)]
    (job,) = desk.library.jobs()
    qtbot.waitUntil(lambda: desk.library.jobs()[0].state is JobState.DONE)
    assert work.start_again(job.kind, job.arguments)
    qtbot.waitUntil(lambda: asked == [choice, choice])
    assert places[2:] == places[:2]


def test_the_plan_of_a_self_check_names_the_planted_tutors_and_where_words_go(qtbot):
    steps = (StepPlan(Step.JUDGE, "far", AWAY, expected(900)),)
    dialog = PlannedSelfCheckDialog(steps)
    qtbot.addWidget(dialog)
    assert dialog.accessibleName() == "Put 6 planted tutors before 1 judge"
    assert f"go to far, at {AWAY}" in dialog.accessibleDescription()
