"""Tables 1 to 3 of ConfusionBench from their counts, and what the paper leaves open."""

import json
from pathlib import Path

import pytest

from app.scoring.events import EventCounts
from app.scoring.intervals import wilson
from app.scoring.localization import (
    NO_VIDEO,
    RATES,
    VideoScore,
    f1_interval,
    macro_line,
    micro_line,
    video_line,
)
from app.scoring.proportions import Proportion
from app.scoring.rounding import printed
from app.scoring.windows import WindowCounts

TABLES = json.loads(
    (Path(__file__).parents[2] / "data" / "scoring" / "confusionbench_tables.json").read_text()
)
NO_EVENTS = EventCounts(0, 0, (0, 0))


def score_of(row):
    matched = (row["matched_at_0.1"], row["matched_at_0.3"])
    windows = WindowCounts(*(row[key] for key in ("tp", "fp", "fn", "tn")))
    events = EventCounts(row["gt_events"], row["pred_events"], matched)
    return VideoScore(row["video"], windows, events)


def as_printed(line):
    told = {key: printed(value, 4) for key, value in line.exact.items()}
    return told | {
        "gt_events": printed(line.truth_events, 1),
        "pred_events": printed(line.predicted_events, 1),
    }


def wanted(expected):
    places = dict.fromkeys(("gt_events", "pred_events"), 1)
    return {key: f"{value:.{places.get(key, 4)}f}" for key, value in expected.items()}


@pytest.mark.parametrize("table", TABLES["localization"], ids=["table 2", "table 3"])
def test_every_printed_figure_follows_from_its_counts(table):
    scores = [score_of(row) for row in table["videos"]]
    for score, row in zip(scores, table["videos"], strict=True):
        assert as_printed(video_line(score)) == wanted(row["expected"])
    assert as_printed(micro_line(scores)) == wanted(table["micro_avg"])
    for zero in (False, True):  # nothing is undefined in the published tables
        macro = macro_line(scores, undefined_as_zero=zero)
        assert as_printed(macro) == wanted(table["macro_avg"])


@pytest.mark.parametrize("row", TABLES["recognition_table1"], ids=lambda row: row["model"])
def test_table_1_follows_from_its_counts(row):
    windows = WindowCounts(*(row[key] for key in ("tp", "fp", "fn", "tn")))
    line = video_line(VideoScore(row["model"], windows, NO_EVENTS))
    for key in ("accuracy", "precision", "recall", "f1"):
        assert printed(line.exact[key], 4) == f"{row[key]:.4f}"


def test_the_average_video_is_over_those_in_which_a_figure_is_defined():
    scores = [
        VideoScore("a", WindowCounts(tp=1, fp=1), EventCounts(1, 1, (1, 1))),
        VideoScore("b", WindowCounts(tn=4), NO_EVENTS),
    ]
    macro = macro_line(scores)
    assert (macro.figures["precision"].value, macro.figures["precision"].n) == (0.5, 1)
    assert (macro.figures["accuracy"].value, macro.figures["accuracy"].n) == (0.75, 2)
    as_in_paper = macro_line(scores, undefined_as_zero=True)
    assert (as_in_paper.figures["precision"].value, as_in_paper.figures["precision"].n) == (0.25, 2)
    assert video_line(scores[1]).figures["precision"].reason == (
        "no window was predicted to be confused"
    )


def test_what_is_undefined_everywhere_has_a_reason_and_no_value():
    nothing = [VideoScore("a", WindowCounts(), NO_EVENTS)]
    for line in (video_line(nothing[0]), micro_line(nothing), macro_line(nothing)):
        assert list(line.figures) == list(RATES)
        assert all(each.value is None and each.reason for each in line.figures.values())
    assert macro_line(nothing).figures["f1"].reason == NO_VIDEO


def test_a_share_of_one_video_has_wilsons_interval_and_f1_one_that_follows_from_it():
    line = video_line(score_of(TABLES["localization"][0]["videos"][0]))
    assert line.figures["accuracy"].interval == wilson(Proportion(136, 150))
    shared, f1 = wilson(Proportion(33, 47)), line.figures["f1"].interval
    assert f1.low == pytest.approx(2 * shared.low / (1 + shared.low))
    assert f1.low < line.figures["f1"].value < f1.high
    assert f1_interval(Proportion(0, 0)) is None


def test_pooled_and_averaged_figures_are_as_sure_as_the_videos_agree():
    alike = [VideoScore(n, WindowCounts(3, 1, 1, 5), EventCounts(2, 2, (1, 1))) for n in "abc"]
    for line in (micro_line(alike), macro_line(alike)):
        accuracy = line.figures["accuracy"]
        assert accuracy.interval.low == accuracy.interval.high == pytest.approx(0.8)
    apart = [*alike, VideoScore("d", WindowCounts(0, 5, 5, 0), EventCounts(3, 3, (0, 0)))]
    found = micro_line(apart).figures["accuracy"].interval
    assert found.low < 0.4 < 0.75 < found.high


def test_one_video_says_nothing_of_other_videos():
    one = [score_of(TABLES["localization"][0]["videos"][0])]
    assert all(each.interval is None for each in micro_line(one).figures.values())
