"""The Benchmarks page on a real library with a small coded set and two coders."""

import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from app.answering import EngineChoice
from app.benchmark.behind import apart, failed, in_cell
from app.benchmark.practice_benchmark import PracticeBenchmark
from app.benchmark.problems import CodedSetRefused, Problem
from app.benchmark.records import LessonDraft, SetDraft
from app.benchmark.run import Outcome, Planned, Wish
from app.coding.conditions import CoderChoice, Condition, Input, Prompting
from app.coding.records import Check, Citation, Decision, Evidence, Prediction, Verdict
from app.errors import Cancelled, EngineMissing
from app.lesson.clips import Clip
from app.lesson.transcript.records import Transcript, Utterance
from app.scoring.scored import Code
from views.background import Background
from views.benchmarks.choose import ChooseDialog
from views.benchmarks.doing import RUN
from views.benchmarks.page import BenchmarksPage
from views.benchmarks.planned import plan_row
from views.common.words import CHECK_WORDS
from views.lesson.kept import read_kept
from views.notices import Notices
from views.work import LessonWork

TRUE = ("BI", "D1", "D1", "D3")
ONE, OTHER = "one T zero_shot", "other T zero_shot"
SAID = {ONE: ("BI", "D1", "D3", ""), OTHER: ("BI", "D3", "D1", "D3")}
"""The last answer of the first coder is a failure."""
CLIPS = tuple(Clip(f"c{n}", n, n, n * 1000, n * 1000 + 900) for n in range(1, 5))


def no_coder(choice):
    raise EngineMissing(f"There is no model called “{choice.engine}” here.", "Add one.")


@pytest.fixture
def lesson_id(desk):
    lines = tuple(Utterance(n, f"Words of line {n}", n * 1000, n * 1000 + 900) for n in range(1, 5))
    lesson = LessonDraft("Water", None, Transcript(lines, "x"), {}, CLIPS)
    codes = {clip.clip_id: (Code(true, 1),) for clip, true in zip(CLIPS, TRUE, strict=True)}
    desk.library.add_coded_set(SetDraft("Small set", "/data", "d" * 64, (lesson,), codes))
    lesson_id = desk.library.coded_sets()[0].lesson_ids[0]
    for coder, said in SAID.items():
        runs = [answer(clip, coder, code) for clip, code in zip(CLIPS, said, strict=True)]
        desk.library.add_run(lesson_id, coder, (), runs)
    desk.benchmark = PracticeBenchmark(desk.library, None, no_coder, desk.practices)
    return lesson_id


def answer(clip, coder, code):
    if not code:
        return Prediction(clip, coder, "", None, None, (), status="schema-fail", note="no JSON")
    cited = Evidence(Citation("made up words", (clip.first,)), Check.NOT_FOUND)
    return Prediction(clip, coder, code, 1, None, (cited,))


@pytest.fixture
def page(desk, lesson_id, qtbot):
    background, notices = Background(), Notices()
    made = BenchmarksPage(desk, background, notices, LessonWork(desk, background, notices))
    qtbot.addWidget(made)
    made.show()
    made.refresh()
    qtbot.waitUntil(lambda: made._drawn is not None and made._drawn.is_whole, timeout=30_000)
    yield made
    made.close_media()
    background.close()


def cells(table):
    return [
        [table.item(row, column).text() for column in range(table.columnCount())]
        for row in range(table.rowCount())
    ]


def open_cell(page, qtbot, coder, true, given):
    page.side.show_view("matrix")
    page.results.matrix.coder.setCurrentIndex(page.results.matrix.coder.findData(coder))
    page.results.matrix.choose(true, given)
    return [page.results.cell.list.item(n).text() for n in range(page.results.cell.list.count())]


def test_the_clips_behind_a_cell_are_those_it_counts(desk, lesson_id):
    results = desk.benchmark.all_results(desk.library.coded_sets()[0])
    assert [b.clip.clip_id for b in in_cell(results, ONE, "D1", "D3")] == ["c3"]
    assert [b.clip.clip_id for b in failed(results, ONE)] == ["c4"]
    both = in_cell(results, "", "D1", "D3")
    assert [(b.coder, b.clip.clip_id) for b in both] == [(ONE, "c3"), (OTHER, "c2")]
    for each in results.conditions:
        counted = sum(count for row in each.matrix.values() for count in row.values())
        listed = sum(
            len(in_cell(results, each.coder, true, given))
            for true in ("BI", "D1", "D2", "D3")
            for given in ("BI", "D1", "D2", "D3", "")
        )
        assert listed == counted == sum(s.is_scored for s in each.run.scored)


def test_the_clips_that_set_a_pair_apart_are_shown_as_the_wrong_one_coded_them(desk, lesson_id):
    results = desk.benchmark.all_results(desk.library.coded_sets()[0])
    first, second = apart(results, results.pairs[0])
    assert [(b.coder, b.clip.clip_id) for b in first] == [(OTHER, "c2")]
    assert [(b.coder, b.clip.clip_id) for b in second] == [(ONE, "c3")]


def test_working_out_stops_when_asked(desk, lesson_id):
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        desk.benchmark.all_results(desk.library.coded_sets()[0], stop=stop)


def test_table_2_tells_of_failures_beside_the_shares(page):
    rows = cells(page.results.table.table)
    assert [row[5] for row in rows] == ["2/3", "3/4"]
    assert (
        "one T zero_shot failed on 1 of 4 clips (1 schema-fail)."
        in page.results.table._notes.text()
    )


def test_enter_on_a_cell_lists_its_clips_with_what_stands_behind(page, qtbot):
    page.side.show_view("matrix")
    grid = page.results.matrix.grid
    page.results.matrix.coder.setCurrentIndex(page.results.matrix.coder.findData(ONE))
    grid.setCurrentCell(0, 3)
    qtbot.keyClick(grid, Qt.Key.Key_Down)
    qtbot.keyClick(grid, Qt.Key.Key_Return)
    assert page.results.cell.list.count() == 1
    told = page.results.cell.text.toPlainText()
    assert "People accept: D1, level 1" in told
    assert "one T zero_shot: D3, level 1 (wrong)" in told
    assert f"{CHECK_WORDS[Check.NOT_FOUND]}: “made up words” (line 3)" in told
    assert "3. Words of line 3" in told
    opened = []
    page.lesson_opened.connect(lambda lesson, at: opened.append(at))
    qtbot.keyClick(page.results.cell.list, Qt.Key.Key_Return)
    assert opened == [3000]


def test_what_was_listed_counts_as_seen(page, desk, lesson_id, qtbot):
    open_cell(page, qtbot, ONE, "D1", "D3")
    qtbot.waitUntil(lambda: read_kept(desk.library, "AK", lesson_id).seen == {"c3"})


def test_blind_a_clip_not_coded_yet_is_neither_listed_nor_noted_as_seen(
    page, desk, lesson_id, qtbot
):
    desk.settings = replace(desk.settings, blind=True)
    page.forget_seen()
    assert open_cell(page, qtbot, ONE, "D1", "D3") == []
    assert "1 of them are not shown" in page.results.cell._title.text()
    word = Decision(CLIPS[2], Verdict.CORRECT, "D1", 1, "AK", "", blind=True)
    desk.library.decide(lesson_id, word)
    page.forget_seen()
    assert len(open_cell(page, qtbot, ONE, "D1", "D3")) == 1


def test_two_conditions_are_compared_in_sentences(page, qtbot):
    page.side.show_view("pair")
    qtbot.waitUntil(lambda: page.results.pairs.pair is not None)
    told = page.results.pairs.told.text()
    assert "3 clips answered by both: both right 1, both wrong 0, only the first right 1" in told
    assert "p = 1.000" in told
    assert "Left out: 1 clip on which one or both failed" in told


def test_all_problems_are_listed_with_lines_and_copied(page):
    problems = [Problem(3, "There is no file a.vtt."), Problem(0, "It has no rows.")]
    page.work.refused.emit(CodedSetRefused("clips.csv", problems))
    assert page._middle.currentWidget() is page.problems
    page.problems.copy()
    assert QGuiApplication.clipboard().text() == (
        "Line\tWhat is wrong\n–\tIt has no rows.\n3\tThere is no file a.vtt."
    )


def test_a_run_is_kept_as_a_job_and_names_what_could_not_run(page, desk, qtbot):
    coded = desk.library.coded_sets()[0]
    page.work.run(coded, [Wish(CoderChoice("gone", Condition()))], 2)
    qtbot.waitUntil(lambda: coded.set_id in page.work.outcomes)
    kept = desk.library.jobs()[-1]
    assert kept.kind == RUN
    assert kept.arguments == {"set": 1, "coders": ["gone T zero_shot"], "limit": 2}
    page.side.show_view("not_run")
    qtbot.waitUntil(lambda: "gone" in str(cells(page.results.table.table)), timeout=30_000)
    assert page.work.start_again(kept.kind, kept.arguments)
    assert not page.work.start_again(RUN, {"set": 99, "coders": []})
    qtbot.waitUntil(lambda: not page._background.running(kind=RUN))


def test_what_cannot_be_chosen_says_why(qtbot):
    engines = [
        EngineChoice("deaf", "Words model", 0, ""),
        EngineChoice("broken", "Broken model", 8, "", "Its file is gone. Fetch it again."),
        EngineChoice("far", "Far model", 8, "https://far.example"),
    ]
    dialog = ChooseDialog("Small set", 4, engines, has_picture=True)
    qtbot.addWidget(dialog)
    assert [wish.choice.name for wish in dialog.wanted] == ["evidence-finder/1", "keyword-rule/1"]
    assert not dialog.coders["broken"].isEnabled()
    dialog.coders["deaf"].setChecked(True)
    dialog.coders["far"].setChecked(True)
    dialog.inputs[Input.TV].setChecked(True)
    dialog.promptings[Prompting.COT].setChecked(True)
    names = [wish.choice.name for wish in dialog.wanted[2:]]
    assert names == [
        "deaf T zero_shot", "deaf T cot", "far T zero_shot", "far T cot", "far TV zero_shot",
        "far TV cot",
    ]  # fmt: skip
    told = dialog.accessibleDescription()
    assert "Words model sees no pictures" in told
    assert "Words and frames of the clips leave this computer for https://far.example." in told


def test_the_plan_says_what_cannot_run_and_what_asks_nothing():
    wish = Wish(CoderChoice("gone", Condition()))
    row = plan_row(Planned(Outcome(wish, "It is gone."), 0, None))
    assert (row[0], row[1], row[-1]) == ("gone T zero_shot", "0", "Cannot run: It is gone.")
    plain = Planned(Outcome(Wish(CoderChoice("evidence-finder/1"))), 4, None)
    assert plan_row(plain)[-1] == "Asks no model."
