from app.lesson.spans import Span
from views.timeline.axis import Axis
from views.timeline.edges import LEAST_CLIP_MS, EdgeDrag, snapped

AXIS = Axis.over(Span(0, 60_000), 600)  # 100 ms a pixel, so 6 px reach 600 ms
CLIP = Span(10_000, 20_000)


def drag(moves_start):
    return EdgeDrag("c1", moves_start, CLIP, CLIP)


def test_an_edge_follows_the_pointer():
    assert drag(True).to(12_000, AXIS, []).span == Span(12_000, 20_000)
    assert drag(False).to(25_000, AXIS, []).span == Span(10_000, 25_000)


def test_an_edge_snaps_to_an_utterance_within_six_pixels_and_no_further():
    stops = [12_500, 30_000]
    assert drag(True).to(12_000, AXIS, stops).edge_ms == 12_500
    assert drag(True).to(11_890, AXIS, stops).edge_ms == 11_890


def test_an_edge_never_passes_the_other_one():
    assert drag(True).to(40_000, AXIS, [40_000]).span == Span(20_000 - LEAST_CLIP_MS, 20_000)
    assert drag(False).to(0, AXIS, []).span == Span(10_000, 10_000 + LEAST_CLIP_MS)


def test_an_edge_stays_inside_the_lesson():
    assert drag(False).to(90_000, AXIS, []).edge_ms == 60_000
    assert drag(True).to(-90_000, AXIS, []).edge_ms == 0


def test_the_nearer_of_two_stops_wins():
    assert snapped(104, [100, 106], 10) == 106
    assert snapped(101, [100, 106], 10) == 100
