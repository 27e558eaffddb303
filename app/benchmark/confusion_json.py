"""The figures of confusion for programs: every count, every interval, `null` with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.benchmark.confusion_clips import Recognition
from app.benchmark.confusion_common import on_common_ground
from app.benchmark.confusion_results import ConfusionResults, ReaderResult
from app.benchmark.confusion_scores import Localization
from app.benchmark.confusion_sets import Task
from app.benchmark.confusion_words import HEADS
from app.confusion.records import WINDOW_MS
from app.scoring.events import THRESHOLDS
from app.scoring.localization import LEFT_OUT, Line, VideoScore

Json = dict[str, Any]
_OF_CLIPS = ("accuracy", "precision", "recall", "f1")


def results_json(results: ConfusionResults) -> Json:
    """Give the results as JSON can hold them; what cannot be known is `null` with a reason."""
    is_clips = results.task is Task.RECOGNITION
    keys = _OF_CLIPS if is_clips else tuple(HEADS)
    return {
        "task": str(results.task),
        "set": {
            "name": results.name,
            "sha256_of_labels": results.sha256,
            "items": results.items,
            "confused": results.confused,
            "videos": None if is_clips else results.video_count,
        },
        "readers": [_reader(each) for each in results.readers],
        "on_what_all_judged": [
            {"reader": each.reader, "judged": each.windows.judged, **line_json(each.line, keys)}
            for each in on_common_ground(results)
        ],
    }


def _reader(each: ReaderResult) -> Json:
    told: Json = {"reader": each.reader, "reason": each.reason or None}
    if each.recognition is not None:
        told |= _recognition(each.recognition)
    if each.localization is not None:
        told |= localization_json(each.localization)
    return told | {"provenance": [list(pair) for pair in each.provenance]}


def _recognition(found: Recognition) -> Json:
    w = found.windows
    return {
        "answered": w.judged,
        **{"tp": w.tp, "fp": w.fp, "fn": w.fn, "tn": w.tn},
        **{why.replace(" ", "_"): n for why, n in found.left_out.items()},
        "learners_drawn": found.learners or None,
        **line_json(found.line, _OF_CLIPS),
        "answers": [
            {
                "id": a.clip.clip_id,
                "label": "yes" if a.clip.is_confused else "no",
                "predicted": a.said,
                "right": a.is_right,
                "note": a.note or None,
            }
            for a in found.answers
        ],
    }


def localization_json(found: Localization) -> Json:
    """Give one reader's figures: each video, `micro_avg` and `macro_avg`.

    The keys of the figures are those of the published tables. `macro_avg` averages the videos in
    which a figure is defined (`videos` says how many these are); `macro_avg_undefined_as_0` is the
    average as the published tables take it, over videos of which anything could be judged.
    """
    pairs = zip(found.scores, found.videos, strict=True)
    return {
        "window_ms": WINDOW_MS,
        "videos": [{"video": s.video, **_counts(s), **line_json(line)} for s, line in pairs],
        "micro_avg": {**_counts(found.pooled), **line_json(found.micro)},
        "macro_avg": _macro(found.macro),
        "macro_avg_undefined_as_0": _macro(found.macro_with_zeros),
    }


def line_json(line: Line, keys: Sequence[str] = tuple(HEADS)) -> Json:
    """Give the figures of one line by these keys, with what each is out of."""
    shares = {key: [share.count, share.of] for key, share in line.shares.items() if key in keys}
    return _figures(line, keys) | {"out_of": shares, **_about(line, keys)}


def _macro(line: Line) -> Json:
    videos = {key: figure.n for key, figure in line.figures.items()}
    return _figures(line, tuple(HEADS)) | {"videos": videos, **_about(line, tuple(HEADS))}


def _figures(line: Line, keys: Sequence[str]) -> Json:
    counts = {"gt_events": line.truth_events, "pred_events": line.predicted_events}
    whole = {k: int(n) if n.denominator == 1 else float(n) for k, n in counts.items()}
    rates = {key: figure.value for key, figure in line.figures.items()}
    return {key: whole[key] if key in whole else rates[key] for key in keys}


def _about(line: Line, keys: Sequence[str]) -> Json:
    figures = {key: figure for key, figure in line.figures.items() if key in keys}
    return {
        "interval_95": {
            key: [figure.interval.low, figure.interval.high] if figure.interval else None
            for key, figure in figures.items()
        },
        "undefined": {k: f.reason for k, f in figures.items() if f.value is None},
    }


def _counts(score: VideoScore) -> Json:
    w, e = score.windows, score.events
    told: Json = {"windows": score.all_windows, "judged": w.judged}
    told |= {"tp": w.tp, "fp": w.fp, "fn": w.fn, "tn": w.tn}
    told |= {why.replace(" ", "_"): score.left_out.get(why, 0) for why in LEFT_OUT}
    matched = zip(THRESHOLDS, e.matched, strict=True)
    told |= {f"matched_at_{float(share)}": count for share, count in matched}
    return told | {"gt_events_unseen": e.unseen}
