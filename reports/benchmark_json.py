"""The results of a benchmark for programs: every count, every interval, every answer."""

from __future__ import annotations

import json
from typing import Any

from app.benchmark.condition_results import PRACTICES, Answer, ConditionResult
from app.benchmark.results import BenchmarkResults, Pair
from app.scoring.figures import figure_json
from app.scoring.scored import Code
from app.scoring.tables import Matrix, Table3Row, Table4Row

FORMAT = "clerestory-benchmark/1"
"""Changed when a reader of an older file would misread a newer one."""

Json = dict[str, Any]


def results_json(results: BenchmarkResults, made_at: str, program: str) -> bytes:
    """Write everything as one JSON object; what cannot be known is `null` with a reason."""
    told = {"format": FORMAT, "made_at": made_at, "program": program, **as_json(results)}
    return (json.dumps(told, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode(
        "utf-8", "replace"
    )


def as_json(results: BenchmarkResults) -> Json:
    """Give the results as JSON can hold them."""
    best, guess = results.best_guess
    return {
        "set": {
            "name": results.name,
            "folder": results.folder,
            "sha256": results.digest,
            "clips": results.of_clips,
            "clips_taken": len(results.clips),
            "clips_with_a_practice": len(results.coded),
            "by_main_code": dict(results.by_main_code),
            "best_single_guess": {"practice": best, "right": guess.count, "of": guess.of},
            "notes": list(results.notes),
        },
        "practices": list(PRACTICES),
        "conditions": [_condition(each) for each in results.conditions],
        "table4": [_gain(row) for row in results.gains],
        "confusion_of_zero_shot_transcript_runs": {
            "coders": list(results.matrix_of),
            "matrix": _matrix(results.matrix),
        },
        "pairs": [_pair(pair) for pair in results.pairs],
    }


def _condition(each: ConditionResult) -> Json:
    scores, silent, citing = each.scores, each.rightly_silent, each.citing
    return {
        "coder": each.coder,
        "model": each.condition.model,
        "input": each.condition.inputs,
        "prompting": each.condition.prompting or None,
        "reason": each.reason or None,
        "right": scores.right.count,
        "scored": scores.right.of,
        "accuracy": figure_json(scores.accuracy),
        "macro_f1": figure_json(scores.macro_f1),
        "without_code": scores.without_code,
        "failed": scores.failed,
        "failures": dict(scores.failures),
        "missing": list(each.missing),
        "no_practice": {"left_without_code": silent.count, "answered": silent.of},
        "levels": [_levels(row) for row in each.levels],
        "by_practice": [
            {
                "practice": part.practice,
                "scored": part.main.of,
                "main_code_given": part.main.count,
                "acceptable_code_given": part.accepted.count,
            }
            for part in each.by_practice
        ],
        "confusion": _matrix(each.matrix),
        "evidence": {
            "quotes": citing.quotes,
            "verified": citing.verified,
            "close": citing.close,
            "seen_not_checked": citing.seen,
        },
        "provenance": [list(pair) for pair in each.provenance],
        "answers": [_answer(answer) for answer in each.answers],
    }


def _levels(row: Table3Row) -> Json:
    return {
        "condition": row.condition,
        "practice": row.practice or None,
        "n": row.exact.of,
        "exact": row.exact.count,
        "low_high": row.side.count,
        "without_level": row.without_level,
    }


def _gain(row: Table4Row) -> Json:
    return {
        "model": row.model,
        "prompting": row.prompting,
        "frames_right": row.frames.count,
        "frames_scored": row.frames.of,
        "transcript_zero_shot_right": row.words.count,
        "transcript_zero_shot_scored": row.words.of,
        "points": figure_json(row.points),
    }


def _pair(pair: Pair) -> Json:
    found = pair.comparison
    return {
        "first": pair.one,
        "second": pair.other,
        "compared": found.compared,
        "both_right": found.both_right,
        "only_first_right": list(pair.only_one),
        "only_second_right": list(pair.only_other),
        "both_wrong": found.both_wrong,
        "first_failed": found.one_failed,
        "second_failed": found.other_failed,
        "both_failed": found.both_failed,
        "not_shared": found.not_shared,
        "mcnemar_exact_p": found.test.p,
        "mcnemar_mid_p": found.test.mid_p,
        "mcnemar_reason": found.test.reason or None,
        "accuracy_difference": figure_json(found.accuracy),
        "macro_f1_difference": figure_json(found.macro_f1),
    }


def _answer(answer: Answer) -> Json:
    given = answer.given
    told: Json = {
        "clip_id": answer.clip.clip_id,
        "lesson_id": answer.clip.lesson_id,
        "acceptable": [_code(code) for code in answer.clip.codes],
        "right": answer.is_right,
    }
    if given is None:
        return told | {"given": None, "status": None, "note": answer.reason or None}
    return told | {
        "given": _code(given.code) if given.code else None,
        "status": given.status,
        "note": given.note or None,
        "prediction_id": given.prediction_id,
    }


def _code(code: Code) -> Json:
    return {"practice": code.practice, "level": code.level}


def _matrix(matrix: Matrix) -> Json:
    return {
        true: {given or "no code": count for given, count in row.items()}
        for true, row in matrix.items()
    }
