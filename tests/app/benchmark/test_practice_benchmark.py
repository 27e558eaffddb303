"""The whole benchmark with the coder that asks models, a scripted one in the model's place."""

from __future__ import annotations

import json

import pytest

from app.benchmark.cases import cases_of
from app.benchmark.practice_benchmark import PracticeBenchmark
from app.benchmark.run import wishes
from app.coding.chat_coder import ChatCoder
from app.coding.conditions import Input, Prompting
from app.coding.practices import read_practices
from app.coding.records import Check
from app.lesson.media.facts import MediaFacts
from app.scoring.proportions import Proportion
from engines.scripted import Fault, Scripted
from reports.benchmark import write_benchmark
from reports.inspect_log import inspect_log, write_inspect_log
from resources import resource

ALL = (Prompting.ZERO_SHOT, Prompting.FEW_SHOT, Prompting.COT)


def answer(question, _draw):
    """Code each clip by its last words; refuse one, break another, make up a quote in each."""
    shown = " ".join(p for m in question.messages for p in m.parts if isinstance(p, str))
    if "line 30" in shown and not question.frames:
        return Fault.REFUSAL
    evidence = [
        {"quote": "This is line 11.", "utterances": [11]},
        {"quote": "Nobody ever said this.", "utterances": [11]},
    ]
    told = {"category": "D1", "level": 2, "evidence": evidence}
    if "reasoning" in question.schema:
        told = {"reasoning": "Because.", **told}
    return json.dumps(told)


class Files:
    """Writes the files in this process."""

    def __init__(self, plain):
        self.probe, self.fingerprint = plain.probe, plain.fingerprint
        self.read_transcript = plain.read_transcript

    def benchmark_report(self, results, folder, *, made_at, program, stop=None):
        return write_benchmark(results, folder, made_at, program)

    def inspect_log(self, results, coder, cases, folder, *, made_at, program, stop=None):
        return write_inspect_log(results, coder, cases, folder, made_at, program)


@pytest.fixture
def engine():
    return Scripted(answer, images=30)


@pytest.fixture
def benchmark(library, files, engine):
    practices = read_practices(resource("practices.toml"))

    def coder(choice):
        return ChatCoder(choice, engine, library.attempts, practices)

    return PracticeBenchmark(library, Files(files), coder, practices)


def test_every_condition_of_a_model_runs_and_is_written(
    set_folder, benchmark, library, engine, tmp_path
):
    coded = benchmark.bring_in(set_folder)
    wanted = wishes(["small"], (Input.T, Input.TV), ALL)
    planned = benchmark.plan(coded, wanted)
    assert [p.expected.calls for p in planned] == [5] * 6
    outcomes = benchmark.run(coded, wanted)
    results = benchmark.results(coded, outcomes)
    words, frames = results.conditions[0], results.conditions[3]
    # D1 is acceptable for i1 and i2; the clips that hold line 30 are refused without frames.
    assert (words.scores.right, words.scores.failures) == (Proportion(2, 2), (("refusal", 2),))
    assert (frames.scores.right, frames.scores.failed) == (Proportion(2, 4), 0)
    gain = results.gains[0]
    assert (gain.frames, gain.words) == (Proportion(2, 4), Proportion(2, 2))
    assert gain.points.value == -50.0
    asked = len(engine.asked)
    assert benchmark.run(coded, wanted) == outcomes
    assert len(engine.asked) == asked
    files = benchmark.write(results, tmp_path / "out", "2026-11-30T14:05:00+00:00", "Clerestory 1")
    assert sum(file.parent.name == "inspect" for file in files) == 6


def test_a_case_shows_what_the_model_saw_wrote_and_cited(set_folder, benchmark, library):
    coded = benchmark.bring_in(set_folder)
    wanted = wishes(["small"], (Input.TV,), (Prompting.COT,))
    outcomes = benchmark.run(coded, wanted)
    cases = cases_of(library, coded.clips, "small TV cot")
    case = cases["i2"]
    assert case.title == "ice"
    assert case.words.splitlines()[0] == "11. Teacher: This is line 11."
    assert "[frame at 40000 ms]" in "\n".join(text for _, text in case.shown)
    assert json.loads(case.written)["reasoning"] == "Because."
    assert [e.check for e in case.evidence] == [Check.VERIFIED, Check.NOT_FOUND]
    log = inspect_log(
        benchmark.results(coded, outcomes), benchmark.results(coded, outcomes).conditions[0],
        cases, "2026-11-30T14:05:00+00:00", "Clerestory 1",
    )  # fmt: skip
    sample = next(s for s in log["samples"] if s["id"] == "i2")
    assert sample["output"]["completion"] == case.written
    assert sample["target"] == ["D3", "D1"]
    assert sample["scores"]["acceptable_code"]["value"] == "C"


def test_a_set_without_recordings_leaves_tv_out_with_the_reason(
    tmp_path, benchmark, published_rows
):
    (tmp_path / "clips.json").write_text(json.dumps(published_rows[:4]), encoding="utf-8")
    coded = benchmark.bring_in(tmp_path)
    outcomes = benchmark.run(coded, wishes(["small"], (Input.T, Input.TV), (Prompting.ZERO_SHOT,)))
    assert outcomes[0].reason == ""
    assert "recording" in outcomes[1].reason
    assert not benchmark.results(coded, outcomes).conditions[1].has_answers


def test_recordings_that_moved_are_found_where_the_table_lies_now(set_folder, benchmark, library):
    coded = benchmark.bring_in(set_folder)
    moved = set_folder.rename(set_folder.parent / "elsewhere")
    assert benchmark.bring_in(moved) == coded
    _, facts, is_there = library.media(coded.lesson_ids[0])
    assert isinstance(facts, MediaFacts)
    assert is_there
    assert facts.path == str(moved / "ice.mp4")
