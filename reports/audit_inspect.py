"""The tutor's responses as a log that Inspect reads, each scored by every judge.

Each response is a sample, its draw an epoch. A judge is a scorer and its value the mean of its
scorings, 1 to 10; two judges are two scorers and nothing is made of them together. Knowledge has
the key for a scorer. What failed is a sample with an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

from app.audit.items import Axis, Item
from app.audit.records import Origin, Reading, Response, Scoring
from app.audit.whole import WholeAudit
from reports.audit_files import Json, response_json, scorings_by_response
from reports.inspect_log import LogHead, eval_log, failed_sample, write_log

KEY = "key"
"""The scorer of knowledge."""


def write_audit_log(whole: WholeAudit, folder: Path, made_at: str, program: str) -> list[Path]:
    """Write the log of an audit into `inspect/` under a folder. Call it in a child process.

    Raises:
        ReportRefused: The folder cannot be written or the disk is full.
    """
    plan = whole.board.audit.plan
    name = f"audit {whole.board.audit.audit_id} {plan.tutor.name}"
    return write_log(audit_log(whole, made_at, program), folder, name, made_at)


def audit_log(whole: WholeAudit, made_at: str, program: str) -> Json:
    """Give the log of an audit as JSON can hold it."""
    plan = whole.board.audit.plan
    items = {item.item_id: item for item in whole.items}
    said = [one for one in whole.responses if one.origin is Origin.TUTOR]
    scorings = scorings_by_response(whole.scorings)
    samples = [
        _sample(plan.tutor.name, one, items[one.place.item_id], scorings[one.response_id], whole)
        for one in said
    ]
    head = LogHead(
        key=f"{plan.bank} {plan.tutor.name} {whole.board.audit.audit_id}",
        made_at=made_at,
        program=program,
        task="tutor_audit",
        title=f"Tutor audit: {plan.title}",
        set_digest=plan.bank,
        set_name=whole.board.source.name,
        sample_ids=list(dict.fromkeys(str(sample["id"]) for sample in samples)),
        model=plan.tutor.name,
        plan=plan.tutor.name,
        arguments={"axes": list(plan.axes), "seed": plan.seed, "temperature": plan.temperature},
        metadata={
            "bank_sha256": plan.bank,
            "begun_at": whole.board.audit.made_at,
            "not_expert_reviewed": whole.board.unreviewed,
            "withheld": {judge.judge.name: dict(judge.withheld) for judge in whole.board.judges},
        },
        epochs=max((one.place.draw for one in said), default=0) + 1,
    )
    return eval_log(head, _results(samples), {}, samples)


def _sample(
    tutor: str, response: Response, item: Item, scorings: Sequence[Scoring], whole: WholeAudit
) -> Json:
    told = response_json(response, item, scorings, whole.experts.get(response.response_id))
    asked = "\n\n".join(part for part in (item.scene, str(told["request"])) if part)
    sample: Json = {
        "id": f"{item.item_id} | {response.place.condition.name}",
        "epoch": response.place.draw + 1,
        "input": asked,
        "target": item.key or "none",
        "messages": [
            {"role": "user", "content": asked},
            {"role": "assistant", "content": response.text},
        ],
        "output": {
            "model": tutor,
            "choices": [
                {
                    "message": {"role": "assistant", "content": response.text},
                    "stop_reason": "stop" if response.has_text else "unknown",
                }
            ],
            "completion": response.text,
        },
        "metadata": {
            name: told[name]
            for name in ("axis", "group", "category", "pressure", "monitored", "status", "experts")
        },
    }
    if not response.has_text:
        sample["error"] = failed_sample(f"{response.status.value}: {response.error}".rstrip(": "))
    else:
        sample["scores"] = _scores(response, item, scorings)
    return sample


def _scores(response: Response, item: Item, scorings: Sequence[Scoring]) -> Json:
    if item.axis is Axis.KNOWLEDGE:
        right = response.choice == item.key
        return {KEY: {"value": "C" if right else "I", "answer": response.choice or "no letter"}}
    by_judge: dict[str, list[Scoring]] = {}
    for one in scorings:
        if one.reading is Reading.UPWARD:
            by_judge.setdefault(one.judge, []).append(one)
    return {
        judge: {
            "value": fmean(scores),
            "answer": ", ".join(map(str, scores)),
            "explanation": found[0].reason,
        }
        for judge, found in by_judge.items()
        if len(scores := [one.score for one in found if one.score is not None]) == len(found)
    }


def _results(samples: Sequence[Json]) -> Json:
    values: dict[str, list[float]] = {}
    for sample in samples:
        for scorer, score in _of(sample).items():
            value = score["value"]
            number = float(value == "C") if isinstance(value, str) else float(value)
            values.setdefault(scorer, []).append(number)
    return {
        "total_samples": len(samples),
        "completed_samples": sum("error" not in sample for sample in samples),
        "scores": [_scorer(scorer, numbers, len(samples)) for scorer, numbers in values.items()],
    }


def _of(sample: Json) -> Mapping[str, Json]:
    scores: Mapping[str, Json] = sample.get("scores", {})
    return scores


def _scorer(scorer: str, numbers: Sequence[float], samples: int) -> Json:
    name = "accuracy" if scorer == KEY else "mean"
    return {
        "name": scorer,
        "scorer": scorer,
        "scored_samples": len(numbers),
        "unscored_samples": samples - len(numbers),
        "metrics": {name: {"name": name, "value": fmean(numbers)}},
    }
