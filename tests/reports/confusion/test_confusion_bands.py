"""Bands as drawn: levels by height, hidden time hatched, a person's limits kept to the point."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from app.confusion.records import EventVerdict
from app.confusion.rows import rows_of
from app.lesson.spans import Span
from reports.confusion_bands import badge_of, draw_band, draw_difference, draw_lines, lines_of

SVG = "{http://www.w3.org/2000/svg}"


def bars(svg: bytes) -> list[tuple[float, float, str]]:
    """Left edge, height and fill of every bar, tiles of patterns left out."""
    root = ElementTree.fromstring(svg)
    return [
        (float(bar.get("x")), float(bar.get("height")), bar.get("fill"))
        for bar in root.findall(f"{SVG}rect")
    ]


def test_the_height_of_a_bar_says_the_level(make_review):
    (row,) = rows = rows_of(make_review({"a": "nlmh"}))
    span = Span(0, 8_000)
    drawn = bars(draw_band(rows, 0, span, 80.0))
    assert [x for x, _, _ in drawn] == [20, 40, 60]
    heights = [height for _, height, _ in drawn]
    assert heights == sorted(heights)
    assert len(set(heights)) == 3
    assert row.name == "a"


def test_what_is_not_known_is_drawn_apart_from_what_is_calm(make_review):
    rows = rows_of(make_review({"a": "n.x "}))
    drawn = bars(draw_band(rows, 0, Span(0, 8_000), 80.0))
    assert [(x, fill) for x, _, fill in drawn] == [
        (20, "url(#hidden)"),
        (40, "url(#failed)"),
        (60, "none"),
    ]


def test_a_person_s_events_are_drawn_with_the_limits_they_set(make_review, decide_on):
    review = make_review(
        {"a": "nnnnnnnn"},
        decide_on(EventVerdict.ADD, 2_000, 8_000),
        decide_on(EventVerdict.ADD, 9_000, 14_000),
    )
    drawn = bars(draw_band(rows_of(review), 0, Span(0, 16_000), 160.0))
    assert [x for x, _, _ in drawn] == [20, 90]


def test_every_row_has_a_pattern_of_its_own(make_review, decide_on):
    readers = dict.fromkeys("abcde", "nm")
    rows = rows_of(make_review(readers, decide_on(EventVerdict.ADD, 0, 2_000)))
    root = ElementTree.fromstring(draw_band(rows, 0, Span(0, 4_000)))
    paths = [
        pattern.find(f"{SVG}path").get("d")
        for pattern in root.iter(f"{SVG}pattern")
        if pattern.get("id").startswith("row-")
    ]
    assert len(set(paths)) == 6
    assert [badge_of(rows, n) for n in range(6)] == ["R", "1", "2", "3", "4", "5"]


def test_one_event_in_an_hour_is_still_seen(make_review):
    rows = rows_of(make_review({"a": "n" * 900 + "m" + "n" * 899}))
    svg = ElementTree.fromstring(draw_band(rows, 0, Span(0, 3_600_000)))
    (bar,) = svg.findall(f"{SVG}rect")
    assert float(bar.get("width")) == pytest.approx(0.7)


def test_a_long_recording_is_cut_into_lines_of_one_scale(make_review):
    rows = rows_of(make_review({"a": "m" * 450}))
    lines = lines_of(Span(0, 900_000))
    assert [(line.start_ms, line.end_ms) for line in lines] == [(0, 600_000), (600_000, 900_000)]
    ends = []
    for line in lines:
        svg = ElementTree.fromstring(draw_lines(rows, line, 482.0))
        (bar,) = svg.findall(f"{SVG}rect")
        ends.append(float(bar.get("x")) + float(bar.get("width")))
    assert ends == [pytest.approx(482.0), pytest.approx(16 + (482 - 16) / 2)]


def test_the_strip_tells_found_missed_and_extra_apart(make_review, decide_on):
    review = make_review(
        {"a": "mnmn."},
        decide_on(EventVerdict.ADD, 0, 4_000),
        decide_on(
            EventVerdict.DISMISS, 4_000, 6_000, reader="a", found_start_ms=4_000, found_end_ms=6_000
        ),
    )
    reviewer, reader = rows_of(review)
    drawn = bars(draw_difference(reviewer, reader, Span(0, 10_000), 100.0))
    assert [(x, fill) for x, _, fill in drawn] == [
        (0, "#1D2126"),
        (20, "#FFFFFF"),
        (40, "url(#extra)"),
    ]
