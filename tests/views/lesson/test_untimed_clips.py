from dataclasses import replace

import pytest

from app.lesson.clips import Clip
from app.lesson.spans import Span
from app.lesson.transcript.records import Transcript, Utterance
from views.lesson.timeline_marks import some_without_place, why_no_clips
from views.timeline import Timeline
from views.timeline.layout import Lane
from views.timeline.words import tip, under_playhead

LINES = (Utterance(1, "We begin", 0), Utterance(2, "and go on", None))
UNTIMED = (Clip("a", 1, 1, None, None), Clip("b", 2, 2, None, None))
TIMED = Clip("c", 3, 3, 0, 5_000)


@pytest.fixture
def review(desk):
    lesson_id = desk.library.add_lesson("Towers", None, Transcript(LINES, "import:x"))
    return replace(desk.library.lesson(lesson_id), clips=UNTIMED)


def test_a_lane_without_clips_says_why_and_where_they_are(review):
    assert why_no_clips(review) == (
        "2 clips without a place here. Their lines have no times that can be trusted. "
        "N goes to the next; its lines are marked below."
    )
    no_times = Transcript((LINES[1],), "import:x")
    assert "Their lines have no times." in why_no_clips(replace(review, transcript=no_times))
    assert why_no_clips(replace(review, clips=(*UNTIMED, TIMED))) == ""
    assert why_no_clips(replace(review, clips=())) == ""


def test_clips_that_are_not_drawn_beside_others_are_counted(review):
    assert some_without_place(replace(review, clips=(*UNTIMED, TIMED))) == (
        "2 of 3 clips have no time that can be trusted and are not on the timeline; "
        "N goes through them all."
    )
    assert "1 of 2 clips has" in some_without_place(replace(review, clips=(UNTIMED[0], TIMED)))
    assert some_without_place(review) == ""


def test_the_timeline_tells_why_by_pointer_and_to_a_screen_reader(qtbot):
    timeline = Timeline()
    qtbot.addWidget(timeline)
    timeline.show_span(Span(0, 60_000))
    timeline.show_clips([], "2 clips without a place here.")
    assert "2 clips without a place here" in timeline.accessibleDescription()
    assert "without a place" in tip(timeline._scene, Lane.CLIPS, 5_000, 10)
    timeline.show_clips([])
    assert "no clip" in under_playhead(timeline._scene, 5_000, Span(0, 60_000))
