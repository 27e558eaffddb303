"""Tables 2 and 3 of ConfusionBench from tables of events that were laid out to have its counts."""

import csv
import json
from pathlib import Path

import pytest

from app.benchmark.confusion_scores import score_tables
from app.scoring.rounding import printed

TABLES = json.loads(
    (Path(__file__).parents[2] / "data" / "scoring" / "confusionbench_tables.json").read_text()
)
DURATION_MS, WINDOW_MS = 300_000, 2000
APART_MS, TINY_MS = 200, 50


def laid_out(row):
    """Give people's and a reader's events that have the counts of one video.

    One long event of each makes the windows. All other events are far too short to make a window
    positive and lie where nobody sees confusion: the same in both, a fifth of it, or alone.
    """
    tp, fp, fn, tn = (row[key] * WINDOW_MS for key in ("tp", "fp", "fn", "tn"))
    gt, pred, loose, strict = (
        row[key] for key in ("gt_events", "pred_events", "matched_at_0.1", "matched_at_0.3")
    )
    if not tn:  # one event of people is the whole video
        starts = [n * tp // WINDOW_MS // pred * WINDOW_MS for n in range(pred)]
        return [(0, DURATION_MS)], list(zip(starts, [*starts[1:], tp], strict=True))
    truth, found = [(0, fn + tp)], [(fn, fn + tp + fp)]
    share = tp / (tp + fp + fn)
    strict -= share >= 0.3
    loose -= share >= 0.1
    places = iter(range(fn + tp + fp + APART_MS, DURATION_MS, APART_MS))
    for n in range(loose):
        at = next(places)
        truth.append((at, at + TINY_MS))
        found.append((at, at + (TINY_MS if n < strict else TINY_MS // 5)))
    truth += [(at, at + TINY_MS) for at in [next(places) for _ in range(gt - len(truth))]]
    found += [(at, at + TINY_MS) for at in [next(places) for _ in range(pred - len(found))]]
    return truth, found


def write(path, videos):
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("video", "duration_ms", "start_ms", "end_ms"))
        for video, events in videos.items():
            rows.writerows((video, DURATION_MS, *event) for event in reversed(events))
    return path


@pytest.mark.parametrize("table", TABLES["localization"], ids=["table 2", "table 3"])
def test_events_with_the_published_counts_give_the_published_tables(tmp_path, table):
    laid = {row["video"]: laid_out(row) for row in table["videos"]}
    truth = write(tmp_path / "truth.csv", {video: events for video, (events, _) in laid.items()})
    found = write(tmp_path / "found.csv", {video: events for video, (_, events) in laid.items()})
    scored = score_tables(truth, found)
    for score, row in zip(scored.scores, table["videos"], strict=True):
        windows = score.windows
        assert [windows.tp, windows.fp, windows.fn, windows.tn] == [
            row[key] for key in ("tp", "fp", "fn", "tn")
        ]
        assert score.events.matched == (row["matched_at_0.1"], row["matched_at_0.3"])
        assert (score.events.truth, score.events.predicted) == (
            row["gt_events"],
            row["pred_events"],
        )
    wanted = [*(row["expected"] for row in table["videos"]), table["micro_avg"], table["macro_avg"]]
    for line, expected in zip(scored.lines, wanted, strict=True):
        counts = {"gt_events": line.truth_events, "pred_events": line.predicted_events}
        for key, value in expected.items():
            assert printed(counts.get(key, line.exact.get(key)), 4) == f"{value:.4f}"
