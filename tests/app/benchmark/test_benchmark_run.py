"""A benchmark runs what can run, says why the rest does not, and carries on where it was killed."""

from __future__ import annotations

import json
import random
import threading
from dataclasses import replace

import pytest

from app.benchmark.keyword_rule import KeywordRule
from app.benchmark.records import LessonDraft, SetDraft
from app.benchmark.results import results_of
from app.benchmark.run import plan_benchmark, run_benchmark, wishes
from app.benchmark.words import tables_of
from app.coding.conditions import CoderChoice, Input, Prompting
from app.coding.practices import read_practices
from app.coding.records import Prediction
from app.errors import BadAnswer, Cancelled, EngineMissing, MediaRefused, Paused
from app.lesson.clips import Clip
from app.lesson.transcript.records import Transcript, Utterance
from app.running.plan import make_plan
from app.running.protocols import no_report
from app.running.questions import Message, Question
from app.running.run import Ended, run
from app.scoring.scored import Code
from app.store import migrations
from app.store.library import Library
from engines.scripted import Fault, Scripted
from resources import resource

SCHEMA = json.dumps({"type": "object", "properties": {"category": {"type": "string"}}})


class AskingCoder:
    """A coder that asks one question a clip through the real runner and its store."""

    def __init__(self, name, engine, library, sees=False):
        self.name = name
        self.engine = engine
        self._library = library
        self._sees = sees

    def refusal(self, material):
        if self._sees and material.media is None:
            return MediaRefused(f"“{material.title}” has no recording.", "")
        return None

    def plan(self, materials):
        return make_plan(
            self.name,
            [
                Question(f"{self.name} {clip.clip_id}", (Message("user", (said,)),), SCHEMA)
                for material in materials
                for clip in material.clips
                for said in [f"{self.name}: {_words(material, clip)}"]
            ],
            self.engine.facts(),
        )

    def code_all(self, materials, report, stop, done=lambda *_: None):
        plan = self.plan(materials)
        summary = run(plan, self.engine, self._library.attempts, _read, report, stop)
        if summary.ended is Ended.STOPPED:
            raise Cancelled()
        by_key = {result.key: result for result in summary.results}
        found, draws = [], iter(plan.draws)
        for material in materials:
            own = [
                (clip, by_key.get(d.key)) for clip, d in zip(material.clips, draws, strict=False)
            ]
            if all(result for _, result in own):
                found.append([self._said(clip, result) for clip, result in own])
                done(material, found[-1])
        if summary.ended is Ended.PAUSED:
            raise Paused(summary.notice.message)
        return found

    def _said(self, clip, result):
        code = result.value or Code("")
        return Prediction(
            clip, self.name, code.practice, code.level, None, (), (("engine", "scripted"),), "",
            str(result.status),
        )  # fmt: skip


def _words(material, clip):
    lines = [u.text for u in material.utterances if clip.first <= u.number <= clip.last]
    return f"{clip.clip_id} {' '.join(lines)}"


def _read(text):
    value = json.loads(text)
    if value.get("category") not in ("BI", "D1", "D2", "D3"):
        raise BadAnswer("The category is none of the four.")
    return Code(value["category"], 2)


def answer(question, _draw):
    """Answer by the clip's words, always the same; a few clips are refused or broken."""
    number = sum(question.messages[0].parts[0].encode()) % 11
    if number == 0:
        return Fault.REFUSAL
    if number == 1:
        return "no JSON at all"
    return json.dumps({"category": ("BI", "D1", "D2", "D3")[number % 4]})


@pytest.fixture
def published(tmp_path, published_rows, bring_in):
    folder = tmp_path / "coded clips"
    folder.mkdir()
    text = "\n".join(json.dumps(row) for row in published_rows)
    (folder / "clips.jsonl").write_text(text, encoding="utf-8")
    return bring_in(folder, "published")


@pytest.fixture
def make(library):
    return maker(library, Scripted(answer))


def maker(library, engine):
    def make(choice: CoderChoice):
        if choice.engine == "keyword-rule/1":
            return KeywordRule(read_practices(resource("practices.toml")))
        if choice.engine == "not-there":
            raise EngineMissing("No model is installed as “not-there”.", "See the Models page.")
        sees = choice.condition.input is Input.TV
        return AskingCoder(choice.name, engine, library, sees)

    return make


T, BOTH = (Input.T,), (Input.T, Input.TV)
ZERO, TWO = (Prompting.ZERO_SHOT,), (Prompting.ZERO_SHOT, Prompting.COT)


def figures(library, coded, outcomes):
    return tables_of(results_of(coded, library.said_of_set(coded.set_id), outcomes))


def test_conditions_are_crossed_and_a_coder_without_a_model_stands_once():
    found = wishes(["keyword-rule", "m", "m"], BOTH, TWO)
    assert [(w.choice.name, bool(w.reason)) for w in found] == [
        ("keyword-rule/1", False),
        ("keyword-rule/1 TV zero_shot", True),
        ("m T zero_shot", False),
        ("m T cot", False),
        ("m TV zero_shot", False),
        ("m TV cot", False),
    ]


def test_the_keyword_rule_does_on_the_published_clips_what_was_measured(published, library, make):
    outcomes = run_benchmark(library, published.clips, wishes(["keyword-rule"], T, ZERO), make)
    results = results_of(published, library.said_of_set(published.set_id), outcomes)
    rule = results.conditions[0]
    # BENCHMARKS.md, measured by tests/benchmarks/bench_finder.py.
    assert (rule.scores.right.count, rule.scores.right.of) == (13, 42)
    assert rule.scores.without_code == 16
    assert (rule.rightly_silent.count, rule.rightly_silent.of) == (4, 6)


def test_what_cannot_run_is_skipped_with_its_reason_and_never_filled(published, library, make):
    wanted = wishes(["keyword-rule", "not-there", "m"], BOTH, ZERO)
    outcomes = run_benchmark(library, published.clips, wanted, make)
    results = results_of(published, library.said_of_set(published.set_id), outcomes)
    named = {r[:3]: r[3] for t in tables_of(results) if t.key == "not_run" for r in t.rows}
    assert named["keyword-rule/1", "TV", "–"] == (
        "It goes by the transcript alone and looks at no frames."
    )
    assert "No model is installed as “not-there”." in named["not-there", "T", "zero-shot"]
    assert "has no recording" in named["m", "TV", "zero-shot"]
    run_at_all = [c.coder for c in results.conditions if c.has_answers]
    assert run_at_all == ["keyword-rule/1", "m T zero_shot"]


def test_a_plan_says_what_is_asked_and_asks_nothing(published, library):
    engine = Scripted(answer)
    wanted = wishes(["keyword-rule", "m"], BOTH, ZERO)
    planned = plan_benchmark(library, published.clips, wanted, maker(library, engine))
    assert [(p.outcome.coder, p.clips) for p in planned] == [
        ("keyword-rule/1", 48), ("keyword-rule/1 TV zero_shot", 0),
        ("m T zero_shot", 48), ("m TV zero_shot", 0),
    ]  # fmt: skip
    assert planned[0].expected is None
    assert planned[2].expected.calls == 48
    assert engine.asked == []


def test_a_second_full_run_asks_nothing_and_changes_nothing(published, library):
    engine = Scripted(answer)
    wanted = wishes(["keyword-rule", "m"], T, TWO)
    outcomes = run_benchmark(library, published.clips, wanted, maker(library, engine))
    asked, said = len(engine.asked), library.said_of_set(published.set_id)
    again = run_benchmark(library, published.clips, wanted, maker(library, engine))
    assert len(engine.asked) == asked
    assert library.said_of_set(published.set_id) == said
    assert again == outcomes


class Killed(BaseException):
    """Stands for the end of the program at some moment."""


@pytest.mark.parametrize("seed", range(6))
def test_killed_at_any_moment_and_run_again_it_ends_with_the_same(
    seed, published, library, monkeypatch, tmp_path
):
    wanted = wishes(["keyword-rule", "m"], T, TWO)
    with Library.open(tmp_path / "whole.clerestory") as whole:
        whole_set = _copy_set(library, published, whole)
        outcomes = run_benchmark(whole, whole_set.clips, wanted, maker(whole, Scripted(answer)))
        expected = figures(whole, whole_set, outcomes)
    chance = random.Random(seed)
    left = [chance.randrange(1, 120) for _ in range(4)]
    keep = Library.add_run

    def dies(*arguments):
        left[0] -= 1
        if left[0] == 0:
            left.pop(0)
            raise Killed
        return keep(*arguments)

    def dying_answer(question, draw):
        if chance.random() < 0.01:
            raise Killed
        return answer(question, draw)

    monkeypatch.setattr(Library, "add_run", dies)
    deaths = 0
    while True:
        left = left or [10_000]
        script = dying_answer if deaths < 8 else answer
        try:
            outcomes = run_benchmark(
                library, published.clips, wanted, maker(library, Scripted(script))
            )
        except Killed:
            deaths += 1
            continue
        break
    assert deaths
    assert figures(library, published, outcomes) == expected


def _copy_set(library, coded, other):
    """Bring the same set into another library."""
    lessons = []
    for lesson_id in coded.lesson_ids:
        one = library.lesson(lesson_id)
        lessons.append(LessonDraft(one.title, one.media, one.original, one.roles, one.clips))
    codes = {clip.clip_id: clip.codes for clip in coded.clips}
    draft = SetDraft(coded.name, coded.folder, coded.digest, tuple(lessons), codes, coded.notes)
    other.add_coded_set(draft)
    return other.coded_sets()[0]


def test_an_engine_that_fails_for_good_leaves_its_reason_and_the_others_go_on(published, library):
    broken = Scripted(lambda question, _draw: Fault.CRASH, model="broken")

    def make(choice):
        engine = broken if choice.engine == "broken" else Scripted(answer)
        return AskingCoder(choice.name, engine, library)

    wanted = wishes(["broken", "m"], T, ZERO)
    outcomes = run_benchmark(library, published.clips, wanted, make)
    assert outcomes[0].reason.startswith("It did not finish: “broken T zero_shot” is paused")
    assert outcomes[1].reason == ""
    results = results_of(published, library.said_of_set(published.set_id), outcomes)
    assert results.conditions[1].scores.right.of + results.conditions[1].scores.failed == 42


def test_a_stop_ends_the_whole_run(published, library, make):
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        run_benchmark(
            library, published.clips, wishes(["keyword-rule"], T, ZERO), make, no_report, stop
        )


def test_clips_a_person_moved_are_still_asked_about_as_the_table_laid_them(
    set_folder, bring_in, library, make
):
    coded = bring_in(set_folder)
    lesson = library.lesson(coded.lesson_ids[0])
    moved = tuple(replace(clip, first=clip.first + 1) for clip in lesson.clips)
    library.set_clips(lesson.lesson_id, moved, "Ann", "Move all")
    assert library.coded_sets()[0] == coded
    run_benchmark(library, coded.clips, wishes(["m"], T, ZERO), make)
    said = library.lesson(lesson.lesson_id).predictions
    assert [(p.clip.clip_id, p.clip.first) for p in said] == [("i1", 1), ("i2", 11), ("i3", 21)]


def test_the_latest_word_of_a_coder_counts(set_folder, bring_in, library):
    coded = bring_in(set_folder)
    one = coded.clips[0]
    for practice in ("BI", "D1"):
        said = Prediction(one.clip, "x T cot", practice, 1, None, (), (("at", practice),))
        library.add_run(one.lesson_id, "x T cot", said.provenance, [said])
    found = library.said_of_set(coded.set_id)
    assert [(g.clip_id, g.coder, g.code) for g in found.given] == [("i1", "x T cot", Code("D1", 1))]
    assert found.provenance == {"x T cot": (("at", "D1"),)}


def test_what_a_page_reads_at_once_is_what_it_reads_whole_but_for_notes_and_counts(
    set_folder, bring_in, library
):
    coded = bring_in(set_folder)
    for round_, practice in enumerate(("D2", "BI", "D1")):
        for coder in ("y T cot", "x T cot"):
            for one in coded.clips[round_:]:
                said = Prediction(one.clip, coder, practice, 2, None, (), (("at", practice),), "!")
                library.add_run(one.lesson_id, coder, said.provenance, [said])
    whole = library.said_of_set(coded.set_id)
    quick = library.said_of_set(coded.set_id, cited=False)
    assert [g._replace(note="") for g in whole.given] == list(quick.given)
    assert quick.provenance == whole.provenance
    assert {g.note for g in whole.given} == {"!"}
    assert [g.code.practice for g in quick.given[:3]] == ["D2", "BI", "D1"]


def test_sets_of_an_older_library_are_read_once_it_is_brought_up(path_of_set, monkeypatch):
    path, draft = path_of_set
    with monkeypatch.context() as older:
        older.setattr(migrations, "MIGRATIONS", migrations.MIGRATIONS[:5])
        with Library.open(path, "Ann") as library:
            set_id = library.add_coded_set(draft)
            clip = library.coded_sets()[0].clips[0]
            said = Prediction(clip.clip, "x T cot", "D1", 2, None, ())
            library.add_run(clip.lesson_id, "x T cot", (), [said])
    with Library.open(path, "Ann") as library:
        (found,) = library.said_of_set(set_id, cited=False).given
    assert (found.clip_id, found.code, found.status) == ("c1", Code("D1", 2), "ok")


@pytest.fixture
def path_of_set(tmp_path):
    """Where a library may be, and a set of one clip."""
    lines = (Utterance(1, "Why does ice float?", 0, 3000, "T"),)
    clips = (Clip("c1", 1, 1, 0, 3000),)
    lesson = LessonDraft("Ice", None, Transcript(lines, "x"), {}, clips)
    draft = SetDraft("ice", "", "d" * 64, (lesson,), {"c1": (Code("D1", 2),)})
    return tmp_path / "older.clerestory", draft
