"""Evidence tested from the lesson page: the plan first, then the job, then what follows."""

import json
import threading
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from app.coding.chat_coder import ChatCoder
from app.coding.conditions import CoderChoice, Condition
from app.coding.material import material_of
from app.errors import Cancelled
from app.running.protocols import no_report
from engines.scripted import Scripted
from views.background import Background, Job, Lane, State
from views.jobs.kinds import kind_of
from views.lesson.details import details_text
from views.lesson.details_dialog import DetailsDialog
from views.lesson.page import LessonPage
from views.lesson.timeline_marks import clip_marks
from views.notices import Notices
from views.probing import doing
from views.probing.doing import Probing
from views.work import PROBE, LessonWork

ALWAYS_D1 = json.dumps(
    {"category": "D1", "level": 2, "evidence": [{"quote": "Why?", "utterances": [1]}]}
)


def words_of(widget):
    return " ".join(one.text() for one in widget.findChildren(QLabel) if not one.isHidden())


def model(cited):
    """Make a model that names D1 but from its evidence alone, where it names D3."""

    def script(question, _draw):
        lines = [r for r in question.messages[-1].parts[-1].splitlines() if r.count(" | ") >= 3]
        practice = "D1" if len(lines) > 1 else "D3"
        evidence = [{"quote": cited.text, "utterances": [cited.number]}]
        return json.dumps({"category": practice, "level": 2, "evidence": evidence})

    return Scripted(script)


@pytest.fixture
def coded(desk, stand_in):
    """Give a lesson whose first clip is coded by a model that cites its first line."""
    lesson_id = stand_in.add_sample(desk.library)
    review = desk.library.lesson(lesson_id)
    first = next(u for u in review.transcript.utterances if u.number == review.clips[0].first)
    desk.chat = model(first)
    coder = ChatCoder(CoderChoice("small", Condition()), desk.chat, desk.library.attempts)
    [found] = coder.code_all([material_of(review)], no_report, threading.Event())
    desk.library.add_run(lesson_id, coder.name, found[0].provenance, found)
    return lesson_id


@pytest.fixture
def at_page(desk, coded, qtbot, monkeypatch):
    background = Background()
    notices = Notices()
    work = LessonWork(desk, background, notices)
    page = LessonPage(desk, background)
    qtbot.addWidget(page)
    shown = []

    def agree(title, parts, where, *, leaves, remarks=(), parent=None):
        shown.append((title, parts, where, leaves, remarks))
        return True

    monkeypatch.setattr(doing, "ask_to_start", agree)
    probing = Probing(desk, background, notices, work.probe, page)
    page.test_wanted.connect(probing.ask)
    work.lesson_changed.connect(lambda _lesson: page.refresh())
    page.open_lesson(coded)
    page.show()
    page.go_to_clip(page.session.review.clips[0].clip_id, seek=False)
    yield SimpleNamespace(page=page, shown=shown, background=background, notices=notices)
    page.close_media()
    background.close(5)


def finish(qtbot, at):
    qtbot.waitUntil(lambda: bool(at.shown) and not at.background.running(), timeout=10_000)
    qtbot.waitUntil(lambda: bool(at.page.session.review.probes), timeout=10_000)


def test_one_clip_is_tested_after_its_plan_and_the_flag_is_a_word(at_page, desk, qtbot):
    box = at_page.page.ui.side.proof
    assert box.ask.text() == "Does the evidence carry the label?"
    asked_before = len(desk.library.attempts.runs())
    qtbot.mouseClick(box.ask, Qt.MouseButton.LeftButton)
    finish(qtbot, at_page)
    [(title, parts, where, leaves, remarks)] = at_page.shown
    assert title.startswith("Test the evidence of small T zero_shot in 1 clip of")
    assert parts[0].expected.answers == 2
    assert where == ["Nothing leaves this computer."]
    assert not leaves
    assert "evidence masked" in remarks[0]
    assert len(desk.library.attempts.runs()) == asked_before + 1
    told = words_of(box)
    assert "Right for the wrong reason?" in told
    assert "it says D3 instead of D1" in told
    page = at_page.page
    drawn = clip_marks(page.session.review, page.session.sight)
    assert [m.label for m in drawn if m.clip_id == page.clip_id] == ["!D1·2"]


def test_the_whole_lesson_is_tested_from_the_menu(at_page, qtbot):
    at_page.page.keys["test_all"].trigger()
    finish(qtbot, at_page)
    clips = len(at_page.page.session.review.clips)
    # The model cites the same words for every clip, and they stand in the first alone.
    assert at_page.shown[0][1][0].expected.answers == 2
    assert any(f"Left out in {clips - 1} clips" in remark for remark in at_page.shown[0][4])
    assert len(at_page.page.session.review.probes) == 2 * clips


def test_the_finder_asks_no_model_and_says_so(at_page, qtbot):
    page = at_page.page
    page.session.coder = "evidence-finder/1"
    page._shown.show()
    assert "cannot be tested" in words_of(page.ui.side.proof)
    with qtbot.waitSignal(page.told):
        page.keys["test_evidence"].trigger()
    assert not at_page.shown


def test_a_hidden_label_has_neither_results_nor_details(at_page, desk, qtbot):
    desk.settings.blind = True
    at_page.page.refresh()
    assert at_page.page.ui.side.proof.isHidden()
    for name in ("details", "test_evidence"):
        with qtbot.waitSignal(at_page.page.told) as told:
            at_page.page.keys[name].trigger()
        assert "hidden" in told.args[0]
    assert not at_page.page.findChildren(DetailsDialog)


def test_tests_can_be_paused_since_every_answer_is_kept():
    assert kind_of(PROBE).can_pause


def test_details_hold_what_made_it_and_the_answer_as_it_came(at_page, desk, qtbot):
    at_page.page.keys["details"].trigger()
    [dialog] = at_page.page.findChildren(DetailsDialog)
    text = dialog.text.toPlainText()
    review = at_page.page.session.review
    shown = review.prediction_for(review.clips[0].clip_id)
    [kept] = desk.library.attempts.of_keys([shown.said[0].key])
    assert kept.raw.text in text
    told = dict(shown.provenance)
    for name in ("engine", "prompting", "prompt", "sha256 prompt", "seed"):
        assert told[name] in text
    qtbot.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == text
    dialog.close()


def test_details_of_an_answer_that_came_at_the_second_attempt_hold_both(desk, stand_in):
    lesson_id = stand_in.add_sample(desk.library)
    engine = Scripted(("no JSON at all", *([ALWAYS_D1] * 40)))
    coder = ChatCoder(CoderChoice("small", Condition()), engine, desk.library.attempts)
    review = desk.library.lesson(lesson_id)
    [found] = coder.code_all([material_of(review)], no_report, threading.Event())
    again = next(one for one in found if one.status == "retry-ok")
    text = details_text(again, 1, (), desk.library.attempts)
    assert "no JSON at all" in text
    assert ALWAYS_D1 in text
    assert "at the second attempt" in text


def test_a_job_of_the_lesson_is_paused_and_resumed_where_it_is_shown(at_page, desk, qtbot):
    go_on, strip = threading.Event(), at_page.page.ui.job

    def work(_report, stop):
        while not go_on.wait(0.01):
            if stop.is_set():
                raise Cancelled

    at_page.background.changed.connect(at_page.page.show_job)
    lesson_id = at_page.page.session.review.lesson_id
    job = Job("Test evidence", Lane.LONG, lesson_id, PROBE)
    at_page.background.start(job, work, lambda _done: None, lambda _error: None)
    qtbot.waitUntil(lambda: job.state is State.RUNNING)
    for state in (State.PAUSED, State.RUNNING):
        qtbot.mouseClick(strip._rest, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda wanted=state: job.state is wanted)
        assert not strip.isHidden()
    go_on.set()
    qtbot.waitUntil(lambda: job.state is State.DONE)
    assert strip.isHidden()


def test_a_cited_line_is_brought_into_view_and_played_from(at_page, monkeypatch, qtbot):
    page = at_page.page
    [link] = page.ui.side.evidence.cards[0].links
    line = next(u for u in page.session.utterances if u.number == page.clip().first)
    page.seek(line.start_ms + 50_000)
    qtbot.keyClick(link, Qt.Key.Key_Return)
    assert page.position_ms == line.start_ms
    assert page.ui.transcript.chosen_numbers() == [line.number]


def test_the_tab_key_meets_the_evidence_its_lines_and_tests_before_the_decision(at_page):
    side = at_page.page.ui.side
    order, here = [], side._next
    while len(order) < 200:
        here = here.nextInFocusChain()
        order.append(here)
        if here is side._next:
            break
    card = side.evidence.cards[0]
    places = [order.index(one) for one in (card, card.links[0], side.proof.ask, side.proof.details)]
    assert places == sorted(places)
    first_code = next(w for w in order if side.decision.isAncestorOf(w))
    assert places[-1] < order.index(first_code)


def test_whose_evidence_is_meant_is_asked_where_several_models_coded(at_page, desk, qtbot):
    again = ChatCoder(CoderChoice("other", Condition()), desk.chat, desk.library.attempts)
    review = at_page.page.session.review
    [found] = again.code_all([material_of(review)], no_report, threading.Event())
    desk.library.add_run(review.lesson_id, again.name, found[0].provenance, found)
    at_page.page.refresh()
    at_page.page.session.coder = "evidence-finder/1"
    at_page.page.keys["test_all"].trigger()
    qtbot.waitUntil(lambda: bool(at_page.notices.kept))
    assert "Several models coded" in at_page.notices.kept[-1].text
    assert not at_page.shown


def test_tests_of_an_earlier_time_are_taken_up_again_and_ask_nothing_twice(at_page, desk, qtbot):
    page = at_page.page
    page.keys["test_evidence"].trigger()
    finish(qtbot, at_page)
    asked = len(desk.library.attempts.of_run(desk.library.attempts.runs()[-1].run_id))
    kept = desk.library.jobs()[-1]
    assert (kept.kind, kept.arguments["clips"]) == (PROBE, [page.clip_id])
    assert asked == 2
    background = Background()
    work = LessonWork(desk, background, Notices())
    assert work.start_again(kept)
    qtbot.waitUntil(lambda: not background.running())
    assert sum(run.attempts for run in desk.library.attempts.runs()[1:]) == asked
    background.close(5)
