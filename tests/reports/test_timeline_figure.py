"""The drawn overview: lettered, in order, and nothing undecided drawn as decided."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from app.coding.records import Verdict
from app.palette import read_palette
from reports.drawing import WIDTH_PT
from reports.figures import draw_timeline
from resources import resource

SVG = "{http://www.w3.org/2000/svg}"
LETTERS = {"BI": "BI", "D1": "D1", "D2": "D2", "D3": "D3"}


@pytest.fixture
def palette():
    return read_palette(resource("palette.toml"))


def parts(figure, name: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(figure.svg).iter(SVG + name))


def fills(figure) -> Counter[str]:
    return Counter(rect.get("fill") for rect in parts(figure, "rect"))


def words(figure) -> list[str]:
    return [text.text for text in parts(figure, "text")]


def test_a_suggestion_is_pale_and_a_decision_is_filled(
    make_review, suggest_for, decide_on, palette
):
    review = make_review(3)
    review = replace(
        review,
        predictions=tuple(suggest_for(review, c, "D1", 2) for c in review.clips),
        decisions=(
            decide_on(review.clips[0], Verdict.CORRECT, "BI", 3),
            decide_on(review.clips[1], Verdict.REJECT),
        ),
    )
    figure = draw_timeline(review, palette, LETTERS)
    d1, bi, none = palette.of("D1"), palette.of("BI"), palette.of("")
    assert fills(figure) == {d1.tint: 3, bi.fill: 1, none.fill: 1, "#FFFFFF": 1}
    assert Counter(words(figure)) >= Counter(["D1 2", "D1 2", "D1 2", "BI 3", "×"])


def test_every_box_lies_inside_the_figure_and_in_order(make_review, palette):
    figure = draw_timeline(make_review(40), palette, LETTERS)
    height = float(ElementTree.fromstring(figure.svg).get("viewBox").split()[3])
    boxes = [
        {k: float(r.get(k)) for k in ("x", "y", "width", "height")} for r in parts(figure, "rect")
    ]
    assert all(b["x"] + b["width"] <= WIDTH_PT and b["y"] + b["height"] <= height for b in boxes)
    assert figure.left_out == 0


def test_without_times_the_figure_runs_by_lines(make_review, palette):
    figure = draw_timeline(make_review(4, timed=False), palette, LETTERS)
    assert figure.by_lines
    assert "1" in words(figure)
    assert not any(":" in word for word in words(figure))


def test_a_clip_without_times_among_timed_ones_is_counted_as_left_out(make_review, palette):
    review = make_review(3)
    last = replace(review.clips[2], start_ms=None, end_ms=None)
    figure = draw_timeline(replace(review, clips=(*review.clips[:2], last)), palette, LETTERS)
    assert figure.left_out == 1
    assert not figure.by_lines


def test_boxes_too_narrow_for_a_letter_are_counted(make_review, suggest_for, palette):
    review = make_review(2)
    short = replace(review.clips[0], start_ms=0, end_ms=200)
    review = replace(review, clips=(short, review.clips[1]))
    review = replace(
        review, predictions=tuple(suggest_for(review, c, "D2", 1) for c in review.clips)
    )
    figure = draw_timeline(review, palette, LETTERS)
    assert figure.unlettered == 1
    assert [w for w in words(figure) if w.startswith("D2")] == ["D2 1"]


def test_a_lesson_that_starts_before_zero_is_drawn_whole(make_review, palette):
    review = make_review(2)
    early = replace(review.clips[0], start_ms=-3_000)
    media = replace(review.media, start_ms=-3_000)
    figure = draw_timeline(
        replace(review, clips=(early, review.clips[1]), media=media), palette, LETTERS
    )
    assert len(parts(figure, "rect")) == 4
