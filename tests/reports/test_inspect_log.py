"""Logs of benchmarks and audits as Inspect itself reads them; skips where inspect-ai is not there.

It is in no dependency group, because it holds fsspec and python-dateutil back; uv lays it over the
environment for one run: `uv run --group dev --with inspect-ai==0.3.285 pytest` and this file.
"""

from __future__ import annotations

import warnings

import pytest
from built_audits import fill

from app.audit.items import Axis
from app.audit_results import AuditResults
from app.benchmark.cases import Case
from app.benchmark.records import CodedClip, CodedSet, Given, SaidOfSet
from app.benchmark.results import results_of
from app.coding.records import Check, Citation, Evidence
from app.lesson.clips import Clip
from app.scoring.scored import Code
from app.store.library import Library
from reports.audit_inspect import write_audit_log
from reports.inspect_log import log_name, write_inspect_log

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    inspect_log = pytest.importorskip(
        "inspect_ai.log", reason="inspect-ai is not installed; CONTRIBUTING.md has the line"
    )

pytestmark = pytest.mark.filterwarnings("ignore")

MADE_AT, PROGRAM = "2026-11-30T14:05:00+00:00", "Clerestory 0.1.0"
CODER = "some/model T cot"
CODES = [[Code("BI", 1)], [Code("D1"), Code("D3", 2)], [Code("D2", 4)], [Code("D3")], []]
ANSWERS = [
    (Code("BI", 1), "ok", ""),
    (Code("D3", 3), "retry-ok", ""),
    (None, "ok", "Nothing to go by."),
    (None, "schema-fail", "The form was not kept."),
    (Code("BI"), "ok", ""),
]


@pytest.fixture
def written(tmp_path):
    """The results, and the log read back by Inspect."""
    clips = tuple(
        CodedClip(f"c{n}", f"l{n}", tuple(codes), Clip(f"c{n}", 1, 4, None, None))
        for n, codes in enumerate(CODES)
    )
    coded = CodedSet(1, "Coded clips", "folder", "d" * 64, "", clips)
    given = tuple(
        Given(f"c{n}", CODER, code, status, note, n)
        for n, (code, status, note) in enumerate(ANSWERS)
    )
    results = results_of(coded, SaidOfSet(given, {CODER: (("sha256 weights", "ab" * 32),)}))
    quote = Evidence(Citation(quote="Why?", utterances=(1,)), Check.VERIFIED, "Why?", (1,))
    shown = (("system", "You code clips."), ("user", "1. Teacher: Why? 😀"))
    cases = {
        f"c{n}": Case(
            f"c{n}", "A lesson", "1. Teacher: Why? 😀", shown, '{"category": "BI"}', "stop",
            100 + n, 20, 1.5, (quote,), MADE_AT,
        )
        for n in range(5)
    }  # fmt: skip
    (path,) = write_inspect_log(results, CODER, cases, tmp_path, MADE_AT, PROGRAM)
    return results, inspect_log.read_eval_log(str(path))


def test_inspect_reads_every_sample_with_what_was_shown_and_written(written):
    _, log = written
    assert log.status == "success"
    assert log.eval.model == "some/model"
    assert log.eval.dataset.samples == 5
    assert [sample.id for sample in log.samples] == ["c0", "c1", "c2", "c3", "c4"]
    first = log.samples[0]
    assert first.input == "1. Teacher: Why? 😀"
    assert [message.role for message in first.messages] == ["system", "user", "assistant"]
    assert first.output.completion == '{"category": "BI"}'
    assert (first.output.usage.input_tokens, first.output.usage.output_tokens) == (100, 20)
    assert first.metadata["evidence"][0]["check"] == "verified"
    assert log.samples[1].target == ["D1", "D3"]


def test_scores_and_accuracy_are_ours(written):
    results, log = written
    values = [s.scores["acceptable_code"].value if s.scores else None for s in log.samples]
    assert values == ["C", "C", "I", None, None]
    right = results.conditions[0].scores.right
    assert (right.count, right.of) == (2, 3)
    (score,) = log.results.scores
    assert (score.scored_samples, score.unscored_samples) == (3, 2)
    assert score.metrics["accuracy"].value == right.share
    assert values.count("C") / (values.count("C") + values.count("I")) == right.share
    assert score.metrics["macro_f1"].value == results.conditions[0].scores.macro_f1.value


def test_a_failure_is_an_error_and_a_clip_without_a_practice_is_not_scored(written):
    _, log = written
    assert log.samples[3].error.message == "schema-fail: The form was not kept."
    assert log.samples[4].error is None
    assert log.samples[4].target == "none"


def test_a_log_is_found_in_the_folder_that_inspect_view_is_given(written, tmp_path):
    found = inspect_log.list_eval_logs(str(tmp_path / "inspect"))
    assert [info.name.rsplit("/", 1)[-1] for info in found] == [log_name(CODER, MADE_AT)]


def test_written_again_later_it_takes_the_place_of_the_older_log(written, tmp_path):
    results, _ = written
    later = "2026-12-01T09:00:00+00:00"
    write_inspect_log(results, CODER, {}, tmp_path, later, PROGRAM)
    found = inspect_log.list_eval_logs(str(tmp_path / "inspect"))
    assert [info.name.rsplit("/", 1)[-1] for info in found] == [log_name(CODER, later)]


def test_names_that_look_alike_get_logs_of_their_own():
    assert log_name("a/b T cot", MADE_AT) != log_name("a b T cot", MADE_AT)
    assert log_name("../../etc", MADE_AT).startswith("2026-11-30T14-05-00+00-00_etc_")


def test_inspect_reads_an_audit_with_a_scorer_for_each_judge(tmp_path):
    with Library.open(tmp_path / "a.clerestory") as library:
        axes = (Axis.KNOWLEDGE, Axis.SKILL)
        fill(library, axes=axes, title="Spring", says=lambda item, *_: item.group != "recast")
        whole = AuditResults(library).whole(1)
    (path,) = write_audit_log(whole, tmp_path, MADE_AT, PROGRAM)
    log = inspect_log.read_eval_log(str(path))
    assert (log.status, log.eval.model, log.eval.task) == ("success", "small", "tutor_audit")
    assert len(log.samples) == 80 * 3 + 40
    assert log.eval.dataset.samples == 120
    metrics = {score.name: score.metrics for score in log.results.scores}
    assert metrics["key"]["accuracy"].value == 1.0
    # Five of forty responses got 2, the others 9, by either judge.
    assert metrics["one"]["mean"].value == metrics["two"]["mean"].value == (35 * 9 + 5 * 2) / 40
    failing = next(s for s in log.samples if s.metadata["group"] == "recast")
    assert (failing.scores["one"].value, failing.scores["one"].answer) == (2.0, "2, 2, 2")
