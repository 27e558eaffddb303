"""The tables of the confusion benchmark as they are printed: on a terminal and on a page alike.

Figures have four places, as in the paper. What is undefined is "–" with the reason below; only in
the tables that are laid out as the published ones it is 0, and the note under them says where.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from app.benchmark.confusion_scores import MACRO, MICRO, Localization
from app.benchmark.words import Table, show_interval
from app.scoring.figures import Figure
from app.scoring.localization import LEFT_OUT, Line, VideoScore
from app.scoring.rounding import UNDEFINED, printed

PLACES = 4
HEADS: Mapping[str, str] = {
    "accuracy": "Acc",
    "precision": "Prec",
    "recall": "Rec",
    "f1": "F1",
    "gt_events": "GT_ev",
    "pred_events": "Pr_ev",
    "tiou": "tIoU",
    "p_at_0.1": "P@.1",
    "r_at_0.1": "R@.1",
    "f1_at_0.1": "F1@.1",
    "p_at_0.3": "P@.3",
    "r_at_0.3": "R@.3",
    "f1_at_0.3": "F1@.3",
}
"""The paper's columns by our keys, in its order."""
EVENT_COUNTS = ("gt_events", "pred_events")
MEANING = (
    "Acc to F1 and tIoU are over windows of 2 s, tIoU being TP/(TP+FP+FN). At .1 and .3: events "
    "matched one to one, as many as there can be, where they share that much of their time."
)
FEW_VIDEOS = 10
"""Below so many videos, drawing whole videos says too little of how far a figure may be off."""


def scored_table(found: Localization, title: str) -> Table:
    """Give all figures of one reader: each video, all pooled, the average video."""
    rows = tuple((line.name, *_cells(line, UNDEFINED)) for line in found.lines)
    notes = (
        MEANING,
        "Micro pools the counts of all videos, macro averages the videos in which a figure is "
        "defined.",
        *_why_undefined(found.lines),
    )
    return Table("scores", title, ("Source", *HEADS.values()), rows, notes)


def published_table(found: Localization, title: str, key: str) -> Table:
    """Give the same as the paper prints it: what is undefined counts as 0 and is named below.

    Only where nothing at all could be judged nothing is made of it: no face is no zero.
    """
    zero = printed(0.0, PLACES)
    lines = (*found.videos, found.micro, found.macro_with_zeros)
    rows = tuple((e.name, *_cells(e, zero if _is_judged(e) else UNDEFINED)) for e in lines)
    pooled = (*found.videos, found.micro)
    notes = (
        *_why_undefined([e for e in pooled if not _is_judged(e)]),
        *_why_undefined([e for e in pooled if _is_judged(e)], "0 stands for nothing to divide by"),
    )
    return Table(key, title, ("Source", *HEADS.values()), rows, notes)


def intervals_table(readers: Sequence[Localization], key: str = "intervals") -> Table:
    """Give the pooled and the average figures with intervals and what they are out of."""
    rows = [
        (
            *((found.reader,) if len(readers) > 1 else ()),
            head,
            *_micro_cells(found, rate),
            *_macro_cells(found, rate),
        )
        for found in readers
        for rate, head in HEADS.items()
        if rate not in EVENT_COUNTS
    ]
    who = ("Reader",) if len(readers) > 1 else ()
    heads = (*who, "Figure", "Pooled", "Out of", "95%", "Average", "Videos", "95%")
    note = (
        "95% intervals from drawing whole videos 10,000 times; none where one video alone has "
        "anything to count."
    )
    videos = len(readers[0].scores) if readers else 0
    if videos == 1:
        note = "Out of one video nothing can be said of other videos, so there are no intervals."
    elif videos < FEW_VIDEOS:
        note += f" {videos} videos are few: the true figure may well lie outside."
    title = "How sure the pooled and the average figures are"
    return Table(key, title, heads, tuple(rows), (note,), words=len(who) + 1)


def rests_table(found: Localization, title: str = "What the figures rest on") -> Table:
    """Give the counts behind the figures, and what is in no figure."""
    rows = tuple(_rests(score) for score in (*found.scores, found.pooled))
    heads = (
        "Source", "Windows", "Judged", "TP", "FP", "FN", "TN", "Not visible", "Failed", "Not read",
        "Matched at .1", "at .3", "Events unseen",
    )  # fmt: skip
    notes = (
        "A window that is not visible, failed or was not read is in no figure. An event of people "
        "of which the reader could judge no moment is in no share and stands under “unseen”.",
    )
    return Table("counts", title, heads, rows, notes)


def interval_or_dash(figure: Figure) -> str:
    """Write an interval with four places; an en dash where nothing can be said."""
    return show_interval(figure.interval, places=PLACES) or UNDEFINED


def _cells(line: Line, undefined: str) -> Iterable[str]:
    for key in HEADS:
        if key in EVENT_COUNTS:
            count = line.truth_events if key == "gt_events" else line.predicted_events
            yield printed(count, 1 if line.name == MACRO else 0)
        else:
            value = line.exact[key]
            yield undefined if value is None else printed(value, PLACES)


def _is_judged(line: Line) -> bool:
    return line.exact["accuracy"] is not None


def _why_undefined(lines: Sequence[Line], sign: str = UNDEFINED) -> tuple[str, ...]:
    """Say for each reason which figures of which lines it leaves undefined."""
    found: dict[str, list[str]] = {}
    for line in lines:
        if not _is_judged(line):
            found.setdefault(line.figures["accuracy"].reason, []).append(f"all of {line.name}")
            continue
        heads: dict[str, list[str]] = {}
        for key, figure in line.figures.items():
            if figure.value is None:
                heads.setdefault(figure.reason, []).append(HEADS[key])
        for why, some in heads.items():
            found.setdefault(why, []).append(f"{', '.join(some)} of {line.name}")
    return tuple(f"{sign}: {why} ({'; '.join(where)})." for why, where in found.items())


def _micro_cells(found: Localization, key: str) -> tuple[str, str, str]:
    share, figure = found.micro.shares[key], found.micro.figures[key]
    value = found.micro.exact[key]
    out_of = f"{share.count:,}/{share.of:,}"
    return printed(value, PLACES), out_of, interval_or_dash(figure)


def _macro_cells(found: Localization, key: str) -> tuple[str, str, str]:
    figure = found.macro.figures[key]
    return printed(found.macro.exact[key], PLACES), str(figure.n), interval_or_dash(figure)


def _rests(score: VideoScore) -> tuple[str, ...]:
    w, e = score.windows, score.events
    counts = (score.all_windows, w.judged, w.tp, w.fp, w.fn, w.tn)
    left = (score.left_out.get(why, 0) for why in LEFT_OUT)
    name = "all" if score.video == MICRO else score.video
    return (name, *(f"{n:,}" for n in (*counts, *left, *e.matched, e.unseen)))
