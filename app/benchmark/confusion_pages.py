"""The confusion benchmark in tables and sentences: what a terminal and the page print."""

from __future__ import annotations

from collections.abc import Iterable

from app.benchmark.confusion_clips import Recognition
from app.benchmark.confusion_common import on_common_ground
from app.benchmark.confusion_results import ConfusionResults, ReaderResult
from app.benchmark.confusion_sets import Task
from app.benchmark.confusion_words import (
    MEANING,
    PLACES,
    interval_or_dash,
    intervals_table,
    published_table,
    rests_table,
)
from app.benchmark.words import Table, show_share
from app.scoring.localization import LEFT_OUT, Line
from app.scoring.proportions import Proportion
from app.scoring.rounding import UNDEFINED, printed

_RATES = {"accuracy": "Acc", "precision": "Prec", "recall": "Rec", "f1": "F1"}
_OF_VIDEOS = {**_RATES, "tiou": "tIoU", "f1_at_0.1": "F1@.1", "f1_at_0.3": "F1@.3"}


def tables_of(results: ConfusionResults) -> tuple[Table, ...]:
    """Give every table that has rows, in the order in which it is read."""
    if results.task is Task.RECOGNITION:
        found = [table1(results), common_table(results), recognition_intervals(results)]
    else:
        found = [
            *(
                published_table(
                    each,
                    f"Localization by {each.reader} (as Tables 2 and 3)",
                    f"localization_{number}",
                )
                for number, each in enumerate(results.localizations, 1)
            ),
            common_table(results),
            intervals_table(results.localizations),
            *(
                rests_table(each, f"{each.reader}: what the figures rest on")
                for each in results.localizations
            ),
        ]
    return tuple(table for table in [*found, not_run(results)] if table.rows)


def about(results: ConfusionResults) -> tuple[str, ...]:
    """Say in sentences what the figures rest on, and what could be had without looking."""
    quiet = results.items - results.confused
    never = Proportion(quiet, results.items)
    always = Proportion(results.confused, results.items)
    told = []
    if results.task is Task.RECOGNITION:
        told.append(
            f"{results.items} clips: people see confusion in {results.confused} and none in "
            f"{quiet}."
        )
        told.append(
            f"Always saying no would be right in {show_share(never)}; always saying yes in "
            f"{show_share(always)}, with an F1 of {_always_f1(always)}."
        )
    else:
        told.append(
            f"{results.video_count} videos of {results.items:,} windows of 2 s, of which "
            f"{results.confused:,} are confused by people's events. {MEANING}"
        )
        told.append(
            f"Marking nothing would be right in {show_share(never)} of the windows; marking all of "
            f"every video in {show_share(always)}, with an F1 of {_always_f1(always)}."
        )
    told.append(
        "Windows and clips in which no usable face was seen, on which a reader failed, or which it "
        "did not read are in no figure; they are counted beside."
    )
    return tuple(told)


def table1(results: ConfusionResults) -> Table:
    """Give accuracy, precision, recall and F1 over clips, as in Table 1 of the paper."""
    rows = tuple(_clip_row(each) for each in results.recognitions)
    heads = (
        "Reader", *_RATES.values(), "Answered", "TP", "FP", "FN", "TN", "Not visible", "Failed",
        "Not read",
    )  # fmt: skip
    notes = tuple(note for each in results.recognitions for note in _undefined(each))
    return Table("table1", "Recognition on clips (Table 1)", heads, rows, notes)


def common_table(results: ConfusionResults) -> Table:
    """Compare readers on what all of them judged; without rows where that is everything anyway."""
    rates = _RATES if results.task is Task.RECOGNITION else _OF_VIDEOS
    rows = tuple(
        (
            each.reader,
            f"{each.windows.judged:,}",
            *(printed(each.line.exact[key], PLACES) for key in rates),
        )
        for each in on_common_ground(results)
    )
    note = (
        "Only what every reader here could judge; the tables above take what each could judge, "
        "which is not the same for all."
    )
    what = "Clips" if results.task is Task.RECOGNITION else "Windows"
    title = f"Readers compared on the same {what.lower()}"
    return Table("common", title, ("Reader", what, *rates.values()), rows, (note,))


def recognition_intervals(results: ConfusionResults) -> Table:
    """Give the same figures with intervals and what they are out of."""
    rows = tuple(
        (
            each.reader,
            head,
            printed(each.line.exact[key], PLACES),
            f"{each.line.shares[key].count:,}/{each.line.shares[key].of:,}",
            interval_or_dash(each.line.figures[key]),
        )
        for each in results.recognitions
        for key, head in _RATES.items()
    )
    heads = ("Reader", "Figure", "Value", "Out of", "95%")
    notes = tuple(dict.fromkeys(map(_how_drawn, results.recognitions)))
    return Table("intervals", "How sure the figures are", heads, rows, notes, words=2)


def not_run(results: ConfusionResults) -> Table:
    """Name readers that said nothing, or not all, and why."""
    rows = tuple((each.reader, each.reason) for each in results.readers if each.reason)
    title = "What could not be run, or not whole"
    return Table("not_run", title, ("Reader", "Why"), rows, words=2)


def main_figure(each: ReaderResult) -> tuple[str, Line, str] | None:
    """Give the figure that stands for a reader at a glance: its key, its line, its name."""
    if each.recognition is not None:
        return "accuracy", each.recognition.line, "accuracy over clips"
    if each.localization is not None:
        return "f1", each.localization.micro, "F1 over the windows of all videos"
    return None


def _clip_row(each: Recognition) -> tuple[str, ...]:
    w = each.windows
    blank = printed(0.0, PLACES) if w.judged else UNDEFINED
    known = (each.line.exact[key] for key in _RATES)
    rates = (blank if value is None else printed(value, PLACES) for value in known)
    counts: Iterable[int] = (w.judged, w.tp, w.fp, w.fn, w.tn)
    left = (each.left_out.get(why, 0) for why in LEFT_OUT)
    return (each.reader, *rates, *(f"{n:,}" for n in (*counts, *left)))


def _undefined(each: Recognition) -> Iterable[str]:
    if not each.windows.judged:
        yield f"{UNDEFINED}: no clip could be judged ({each.reader})."
        return
    for key, head in _RATES.items():
        why = each.line.figures[key].reason
        if why:
            told = why.replace("window", "clip")
            yield f"0 stands for nothing to divide by: {told} ({head} of {each.reader})."


def _how_drawn(each: Recognition) -> str:
    if each.learners:
        return (
            f"95% intervals from drawing whole learners ({each.learners}) 10,000 times, since "
            "clips of one learner look alike; none where one learner alone has anything to count."
        )
    return (
        "95% intervals are Wilson’s; that of F1 follows from the share of TP in TP+FP+FN, of which "
        "F1 is 2s/(1+s)."
    )


def _always_f1(confused: Proportion) -> str:
    """Give the F1 of saying yes everywhere."""
    return printed(Proportion(2 * confused.count, confused.count + confused.of).share, PLACES)
