import pytest

from app.errors import Refused
from app.lesson.clips import Clip
from app.lesson.transcript.records import Utterance
from views.lesson.clip_edits import move_edges

LINES = tuple(Utterance(n, f"line {n}", (n - 1) * 10_000, n * 10_000, "T") for n in range(1, 7))
CLIPS = (
    Clip("a", 1, 2, 0, 20_000),
    Clip("b", 3, 4, 20_000, 40_000),
    Clip("c", 5, 6, 45_000, 60_000),
)


def test_a_clip_that_grows_takes_from_the_neighbour_it_touches():
    moved = move_edges(CLIPS, "b", 10_000, 40_000, LINES)
    assert [(c.clip_id, c.start_ms, c.end_ms, c.first, c.last) for c in moved[:2]] == [
        ("a", 0, 10_000, 1, 1),
        ("b", 10_000, 40_000, 2, 4),
    ]
    assert moved[2] == CLIPS[2]


def test_a_clip_that_shrinks_leaves_a_gap_and_the_neighbour_alone():
    moved = move_edges(CLIPS, "b", 30_000, 40_000, LINES)
    assert moved[0] == CLIPS[0]
    assert (moved[1].start_ms, moved[1].first) == (30_000, 4)


def test_a_neighbour_is_never_swallowed():
    with pytest.raises(Refused, match="0:00 to 0:20 is in the way"):
        move_edges(CLIPS, "b", 100, 40_000, LINES)


def test_an_end_before_the_start_is_refused():
    with pytest.raises(Refused, match="too short"):
        move_edges(CLIPS, "b", 40_000, 40_000, LINES)
