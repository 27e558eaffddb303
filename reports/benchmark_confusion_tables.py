"""The confusion benchmark's tables for spreadsheets, and for `score confusion`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from app.benchmark.confusion_clips import Recognition
from app.benchmark.confusion_results import ConfusionResults, ReaderResult
from app.benchmark.confusion_scores import Localization, words_of
from app.benchmark.confusion_sets import Task
from app.benchmark.confusion_tables import MarkedVideo
from app.confusion.windows import windows_of
from app.lesson.spans import Span
from app.scoring.events import THRESHOLDS
from app.scoring.localization import LEFT_OUT, RATES, Line, VideoScore
from reports.tables import csv_bytes

Row = tuple[object, ...]
_CLIP_RATES = ("accuracy", "precision", "recall", "f1")
_LEFT = tuple(why.replace(" ", "_") for why in LEFT_OUT)
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")


def tables_to_write(results: ConfusionResults) -> dict[str, bytes]:
    """Give every table by the name of its file."""
    if results.task is Task.RECOGNITION:
        return {"table1.csv": table1(results), "answers.csv": answers(results)}
    tables = {"localization.csv": localization(results)}
    told = [each for each in results.readers if each.marked]
    if told:
        tables["windows.csv"] = windows(results, told)
    names = file_names([each.reader for each in told])
    for name, each in zip(names, told, strict=True):
        tables[f"events_{name}.csv"] = events(each.marked)
    return tables


def table1(results: ConfusionResults) -> bytes:
    """Write Table 1: a row a reader."""
    counts = ("answered", "tp", "fp", "fn", "tn")
    columns = ("reader", *_rate_columns(_CLIP_RATES), *counts, *_LEFT, "learners_drawn", "reason")
    return csv_bytes(columns, map(_clip_row, results.readers))


def answers(results: ConfusionResults) -> bytes:
    """Write one row for each clip and reader."""
    columns = ("id", "reader", "label", "predicted", "right", "learner", "note")
    rows = (
        (
            answer.clip.clip_id,
            found.reader,
            "yes" if answer.clip.is_confused else "no",
            answer.said,
            {True: "yes", False: "no", None: ""}[answer.is_right],
            answer.clip.learner,
            answer.note,
        )
        for found in results.recognitions
        for answer in found.answers
    )
    return csv_bytes(columns, rows)


def localization(results: ConfusionResults) -> bytes:
    """Write Tables 2 and 3: for each reader every video, all pooled, and the average video.

    Of the average video there are two rows: over the videos in which a figure is defined, and with
    0 for what is undefined, as in the paper. Undefined cells are empty.
    """
    matched = tuple(f"matched_at_{float(share)}" for share in THRESHOLDS)
    columns = (
        "reader", "source", "gt_events", "pred_events", *_rate_columns(tuple(RATES)), "windows",
        "judged", "tp", "fp", "fn", "tn", *_LEFT, *matched, "gt_events_unseen",
    )  # fmt: skip
    return csv_bytes(columns, (row for each in results.localizations for row in _lines(each)))


def windows(results: ConfusionResults, told: Sequence[ReaderResult]) -> bytes:
    """Write one row for each window, with people's word and every reader's."""
    columns = ("video", "start_ms", "end_ms", "truth", *(each.reader for each in told))
    rows = (row for at in range(len(results.videos)) for row in _windows_of(results, told, at))
    return csv_bytes(columns, rows)


def events(marked: Sequence[MarkedVideo]) -> bytes:
    """Write a reader's events as `score confusion` reads them."""
    columns = ("video", "duration_ms", "start_ms", "end_ms", "what")
    return csv_bytes(columns, (row for video in marked for row in _marks(video)))


def file_names(readers: Sequence[str]) -> list[str]:
    """Give each reader a name that any disk takes, and each its own."""
    names: list[str] = []
    for reader in readers:
        plain = _NOT_IN_NAMES.sub("-", reader).strip("-.")[:60] or "reader"
        taken = {name.lower() for name in names}
        more = 2
        name = plain
        while name.lower() in taken:
            name, more = f"{plain}-{more}", more + 1
        names.append(name)
    return names


def _rate_columns(rates: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{rate}{end}" for rate in rates for end in ("", "_low_95", "_high_95"))


def _rates(line: Line, rates: Sequence[str]) -> Iterable[object]:
    for key in rates:
        figure = line.figures[key]
        interval = figure.interval
        yield from (figure.value, interval and interval.low, interval and interval.high)


def _clip_row(each: ReaderResult) -> Row:
    found: Recognition | None = each.recognition
    if found is None:
        empty = len(_rate_columns(_CLIP_RATES)) + 5 + len(LEFT_OUT) + 1
        return (each.reader, *(None for _ in range(empty)), each.reason)
    w = found.windows
    left = (found.left_out.get(why, 0) for why in LEFT_OUT)
    counts = (w.judged, w.tp, w.fp, w.fn, w.tn)
    rates = _rates(found.line, _CLIP_RATES)
    return (each.reader, *rates, *counts, *left, found.learners or None, each.reason)


def _lines(found: Localization) -> Iterable[Row]:
    scored = [*zip(found.videos, found.scores, strict=True), (found.micro, found.pooled)]
    for line, score in scored:
        yield (*_start(found.reader, line, line.name), *_counts(score))
    empty = (None,) * len(_counts(found.pooled))
    yield (*_start(found.reader, found.macro, found.macro.name), *empty)
    zeros = found.macro_with_zeros
    yield (*_start(found.reader, zeros, f"{zeros.name} undefined as 0"), *empty)


def _start(reader: str, line: Line, name: str) -> Row:
    counts = (float(line.truth_events), float(line.predicted_events))
    whole = (int(n) if n.is_integer() else n for n in counts)
    return (reader, name, *whole, *_rates(line, tuple(RATES)))


def _counts(score: VideoScore) -> Row:
    w, e = score.windows, score.events
    left = (score.left_out.get(why, 0) for why in LEFT_OUT)
    return (score.all_windows, w.judged, w.tp, w.fp, w.fn, w.tn, *left, *e.matched, e.unseen)


def _windows_of(results: ConfusionResults, told: Sequence[ReaderResult], at: int) -> Iterable[Row]:
    video = results.videos[at]
    cut = windows_of(Span(0, video.duration_ms))
    said = [words_of(cut, video), *(words_of(cut, each.marked[at]) for each in told)]
    for window, *words in zip(cut, *said, strict=True):
        yield (video.video, window.start_ms, window.end_ms, *words)


def _marks(video: MarkedVideo) -> Iterable[Row]:
    rows = [(span, "event") for span in video.events]
    rows += [(span, why) for why, span in video.left_out]
    if not video.events:
        yield (video.video, video.duration_ms, None, None, "event")
    for span, what in sorted(rows):
        yield (video.video, video.duration_ms, span.start_ms, span.end_ms, what)
