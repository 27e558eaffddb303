"""What `confusion` prints: windows, events, and counts with what each is out of."""

import pytest

from app.commands.confusion import (
    bands_as_json,
    counts_in_words,
    plan_in_words,
    summary_of,
)
from app.confusion.face_cues import NAME
from app.confusion.reader_names import FACE_CUES
from app.confusion.records import Bands, Confidence, Cue, CueKind, Level, Reading
from app.confusion.screening import ScreeningPlan
from app.confusion_desk import ReadingPlan
from app.running.plan import Estimate

BROW = Cue(CueKind.BROW, (2400, 2800), 0.41, 0.1, words="brows lowered")
SMILE = Cue(CueKind.SMILE, (4200,), 0.3, 0.0, speaks_against=True, words="a smile")
READINGS = (
    Reading(0, 2000, True, Level.NONE, Confidence.HIGH),
    Reading(2000, 4000, True, Level.MEDIUM, Confidence.LOW, (BROW,), (2400, 2800)),
    Reading(4000, 6000, True, Level.HIGH, Confidence.HIGH, (BROW, SMILE), (4200,)),
    Reading(6000, 8000, False, note="no face is seen"),
    Reading(8000, 10_000, True, status="schema-fail", note="It kept no schema."),
    Reading(10_000, 10_500, True, Level.LOW, Confidence.LOW),
)
BANDS = Bands("face-cues/1", READINGS, (("kind", "measured"),), 1)


def test_the_name_of_the_face_cue_reader_is_one():
    assert FACE_CUES == NAME


def test_windows_events_and_their_evidence_are_printed():
    told = bands_as_json(BANDS)
    assert [w["visible"] for w in told["windows"]] == [True, True, True, False, True, True]
    assert [w["level"] for w in told["windows"]] == ["none", "medium", "high", None, None, "low"]
    assert told["windows"][1]["cues"] == [
        {
            "cue": "brow lowered",
            "at_ms": [2400, 2800],
            "value": 0.41,
            "baseline": 0.1,
            "speaks_against": False,
            "words": "brows lowered",
        }
    ]
    assert told["windows"][4]["status"] == "schema-fail"
    assert told["events"] == [
        {
            "start_ms": 2000,
            "end_ms": 6000,
            "evidence": {
                "at_ms": [2400, 2800, 4200],
                "cues": ["brow lowered", "smile"],
                "speaks_against": ["smile"],
            },
        }
    ]


def test_every_share_is_printed_with_what_it_is_out_of():
    summary = summary_of(READINGS)
    # Six windows: one hidden and one failed leave four, of which two are positive.
    assert summary["windows"] == 6
    assert (summary["visible_windows"], summary["not_visible_windows"]) == (4, 1)
    assert summary["failed_windows"] == 1
    assert summary["positive_windows"] == {"count": 2, "of": 4, "share": 0.5}
    assert summary["levels"] == {"none": 1, "low": 1, "medium": 1, "high": 1}
    # 4.0 s of the 6.5 s that could be read; the rest is 2 s hidden and 2 s failed.
    assert summary["confused_ms"] == {"count": 4000, "of": 6500, "share": 0.6154}
    assert (summary["not_visible_ms"], summary["failed_ms"]) == (2000, 2000)
    assert summary["duration_ms"] == 10_500
    assert (summary["events"], summary["longest_event_ms"]) == (1, 4000)
    assert summary["events_per_visible_minute"] == pytest.approx(9.231)  # 60 / 6.5


def test_where_nobody_is_visible_every_share_is_undefined():
    summary = summary_of(READINGS[3:4])
    assert summary["positive_windows"] == {"count": 0, "of": 0, "share": None}
    assert summary["confused_ms"]["share"] is None
    assert summary["events_per_visible_minute"] is None
    assert summary["longest_event_ms"] is None
    assert counts_in_words(summary) == (
        "no window could be read, so nothing is known of confusion; 1 not visible; no events."
    )


def test_counts_are_said_in_a_sentence():
    assert counts_in_words(summary_of(READINGS)) == (
        "2 of 4 windows that could be read show confusion; 1 not visible; 1 failed; 1 event."
    )


def test_a_plan_says_what_is_saved_and_what_is_the_most():
    expected = Estimate(25, 0, 1000, 500, None, None, "", False)
    known = ReadingPlan("a then b", 30, expected, ScreeningPlan(30, 1, 5, 25, 150))
    first, second = plan_in_words(known)
    assert first.endswith("25 of 150 calls, 125 saved.")
    assert second.startswith("a then b: 25 answers")
    unknown = ReadingPlan("a then b", 30, expected, ScreeningPlan(30, None, 30, 25, 25))
    assert plan_in_words(unknown)[1].startswith("a then b: at most 25 answers")
    assert plan_in_words(ReadingPlan(FACE_CUES, 30, None)) == [
        "face-cues/1 asks no model; nothing is to be planned."
    ]
