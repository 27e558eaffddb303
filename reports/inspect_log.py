"""A benchmark's answers as logs that Inspect reads: `inspect view --log-dir FOLDER` opens them.

One log for each condition, in the JSON form of `inspect_ai` (read by 0.3.285 in the tests), written
without that package. Each clip is a sample; its score says whether the code is acceptable. Failures
are samples with an error, clips that show no practice are samples without a score, so that the
accuracy there is the accuracy here.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from app.benchmark.cases import Case
from app.benchmark.condition_results import Answer, ConditionResult
from app.benchmark.results import BenchmarkResults
from app.scoring.scored import ANSWERED
from reports.benchmark_tables import show_code
from reports.writing import write_all

FOLDER = "inspect"
SCORER = "acceptable_code"

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_ENDINGS = {"stop": "stop", "length": "max_tokens", "refusal": "content_filter",
            "content_filter": "content_filter"}  # fmt: skip

Json = dict[str, Any]


def write_inspect_log(
    results: BenchmarkResults,
    coder: str,
    cases: Mapping[str, Case],
    folder: Path,
    made_at: str,
    program: str,
) -> list[Path]:
    """Write the log of one condition into `inspect/` under a folder. Call it in a child process.

    Args:
        results: What came of the benchmark.
        coder: Which of its conditions.
        cases: What stands behind its answers, by clip.
        folder: Where the other files of the benchmark are.
        made_at: ISO 8601.
        program: Name and version.

    Returns:
        The file written; none where the condition has no answers.

    Raises:
        ReportRefused: The folder cannot be written or the disk is full.
    """
    each = next(c for c in results.conditions if c.coder == coder)
    if not each.has_answers:
        return []
    return write_log(inspect_log(results, each, cases, made_at, program), folder, coder, made_at)


def log_name(coder: str, made_at: str) -> str:
    """Name the log's file: the moment first, without which Inspect lists no file of its own accord,
    then the coder in readable signs, then a mark that keeps two coders apart.
    """
    when = datetime.fromisoformat(made_at).isoformat(timespec="seconds").replace(":", "-")
    return f"{when}_{_UNSAFE.sub('-', coder).strip('-.')[:80]}_{_mark(coder)}.json"


def _mark(coder: str) -> str:
    return hashlib.sha256(coder.encode("utf-8", "replace")).hexdigest()[:10]


@dataclass(frozen=True, slots=True)
class LogHead:
    """What stands at the top of a log."""

    key: str
    """Makes the log what it is: the same key gives the same ids."""
    made_at: str
    """ISO 8601."""
    program: str
    """Name and version."""
    task: str
    title: str
    set_digest: str
    """SHA-256 of what was asked."""
    set_name: str
    sample_ids: Sequence[str]
    model: str
    plan: str
    """What did the work: a coder, a tutor."""
    arguments: Json
    metadata: Json
    epochs: int = 1


def eval_log(head: LogHead, results: Json, usage: Json, samples: Sequence[Json]) -> Json:
    """Give a log as Inspect reads it."""
    when = datetime.fromisoformat(head.made_at).isoformat()
    name = hashlib.sha256(head.key.encode("utf-8", "replace")).hexdigest()
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "eval_id": name[:22],
            "run_id": name[22:44],
            "created": when,
            "task": head.task,
            "task_id": head.set_digest[:22],
            "task_display_name": head.title,
            "task_args": head.arguments,
            "dataset": {
                "name": head.set_name,
                "samples": len(head.sample_ids),
                "sample_ids": list(head.sample_ids),
            },
            "model": head.model,
            "config": {"epochs": head.epochs},
            "packages": {head.program.split()[0].lower(): head.program.split()[-1]},
            "metadata": head.metadata,
        },
        "plan": {"name": head.plan, "steps": []},
        "results": results,
        "stats": {"started_at": when, "completed_at": when, "model_usage": usage},
        "samples": list(samples),
    }


def write_log(log: Json, folder: Path, name: str, made_at: str) -> list[Path]:
    """Write a log into `inspect/` under a folder, in the place of an older one of that name.

    Raises:
        ReportRefused: The folder cannot be written or the disk is full.
    """
    text = json.dumps(log, ensure_ascii=False, indent=1, allow_nan=False)
    place, file = folder / FOLDER, log_name(name, made_at)
    written = write_all(place, {file: text.encode("utf-8", "replace")})
    for older in place.glob(f"*_{_mark(name)}.json"):
        if older.name != file:
            older.unlink(missing_ok=True)
    return written


def failed_sample(reason: str) -> Json:
    """Give what stands in a sample that failed."""
    return {"message": reason, "traceback": "", "traceback_ansi": ""}


def inspect_log(
    results: BenchmarkResults,
    each: ConditionResult,
    cases: Mapping[str, Case],
    made_at: str,
    program: str,
) -> Json:
    """Give the log of one condition as JSON can hold it."""
    answers = [answer for answer in each.answers if answer.given is not None]
    scored = [answer for answer in answers if answer.is_right is not None]
    head = LogHead(
        key=f"{results.digest} {each.coder}",
        made_at=made_at,
        program=program,
        task="core_instructional_practices",
        title=f"Core Instructional Practices: {results.name}",
        set_digest=results.digest,
        set_name=results.name,
        sample_ids=[answer.clip.clip_id for answer in each.answers],
        model=each.condition.model,
        plan=each.coder,
        arguments={"input": each.condition.inputs, "prompting": each.condition.prompting},
        metadata={
            "set_sha256": results.digest,
            "provenance": dict(each.provenance),
            "clips_missing": list(each.missing),
        },
    )
    samples = [_sample(each, answer, cases.get(answer.clip.clip_id)) for answer in answers]
    return eval_log(head, _figures(each, len(answers), len(scored)), _usage(each, cases), samples)


def _figures(each: ConditionResult, answers: int, scored: int) -> Json:
    metrics = {
        "accuracy": each.scores.accuracy,
        "macro_f1": each.scores.macro_f1,
    }
    return {
        "total_samples": len(each.answers),
        "completed_samples": scored,
        "scores": [
            {
                "name": SCORER,
                "scorer": SCORER,
                "scored_samples": scored,
                "unscored_samples": answers - scored,
                # What is not defined is left out: Inspect knows no missing figure.
                "metrics": {
                    name: {"name": name, "value": figure.value}
                    for name, figure in metrics.items()
                    if figure.value is not None
                },
            }
        ],
    }


def _sample(each: ConditionResult, answer: Answer, case: Case | None) -> Json:
    given = answer.given
    if given is None:
        raise ValueError(f"{answer.clip.clip_id} has no answer")
    written = case.written if case else ""
    said = show_code(given.code) if given.code else ""
    sample: Json = {
        "id": answer.clip.clip_id,
        "epoch": 1,
        "input": case.words if case else "",
        "target": [code.practice for code in answer.clip.codes] or "none",
        "messages": _messages(case, written or said),
        "output": _output(each.condition.model, case, written or said),
        "metadata": {
            "lesson": case.title if case else "",
            "acceptable": [show_code(code) for code in answer.clip.codes],
            "status": given.status,
            "note": given.note,
            "evidence": _evidence(case),
        },
    }
    if given.status not in ANSWERED:
        reason = f"{given.status}: {given.note}" if given.note else given.status
        sample["error"] = failed_sample(reason)
    elif answer.is_right is not None:
        sample["scores"] = {
            SCORER: {
                "value": "C" if answer.is_right else "I",
                "answer": said or "no code",
                "explanation": given.note,
            }
        }
    return sample


def _messages(case: Case | None, said: str) -> list[Json]:
    shown = [{"role": role, "content": text} for role, text in case.shown] if case else []
    if not shown:
        shown = [{"role": "user", "content": case.words if case else ""}]
    return [*shown, {"role": "assistant", "content": said}]


def _output(model: str, case: Case | None, said: str) -> Json:
    ending = _ENDINGS.get(case.finish, "unknown") if case and case.finish else "stop"
    output: Json = {
        "model": model,
        "choices": [
            {"message": {"role": "assistant", "content": said}, "stop_reason": ending},
        ],
        "completion": said,
    }
    if case and case.tokens_in is not None and case.tokens_out is not None:
        output["usage"] = _tokens(case.tokens_in, case.tokens_out)
    if case and case.seconds:
        output["time"] = case.seconds
    return output


def _evidence(case: Case | None) -> Sequence[Json]:
    return [
        {
            "quote": found.citation.quote,
            "seen": found.citation.seen,
            "check": str(found.check),
            "found": found.found,
            "utterances": list(found.utterances),
        }
        for found in (case.evidence if case else ())
    ]


def _usage(each: ConditionResult, cases: Mapping[str, Case]) -> Json:
    told = [
        (case.tokens_in, case.tokens_out)
        for case in cases.values()
        if case.tokens_in is not None and case.tokens_out is not None
    ]
    if not told:
        return {}
    total = _tokens(sum(read for read, _ in told), sum(wrote for _, wrote in told))
    return {each.condition.model: total}


def _tokens(read: int, wrote: int) -> Json:
    return {"input_tokens": read, "output_tokens": wrote, "total_tokens": read + wrote}
