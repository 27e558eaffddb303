"""The comparison page: readers against the reviewer, window by window and event by event."""

from __future__ import annotations

from fractions import Fraction

import pypdf
import pytest
from PIL import Image

from app.confusion.records import EventVerdict
from app.confusion.row_scores import score_of
from app.confusion.rows import rows_of
from app.scoring.localization import video_line

SOLE = {"reader": "a", "found_start_ms": 8_000, "found_end_ms": 10_000}


def text_of(pdf) -> str:
    pages = pypdf.PdfReader(pdf).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


@pytest.fixture
def compared(make_review, decide_on):
    """The reviewer holds 0:02 to 0:06 and dismissed what a found from 0:08; b is blind there."""
    return make_review(
        {"a": "nmmnmnnn", "b": "nnmn.nnm"},
        decide_on(EventVerdict.ADD, 2_000, 6_000),
        decide_on(EventVerdict.DISMISS, 8_000, 10_000, **SOLE),
    )


def test_a_reader_is_scored_where_both_can_judge(compared):
    reviewer, a, b = rows_of(compared)
    score = score_of(reviewer, a)
    # The last window waits for a decision on what b found there.
    assert (score.windows.tp, score.windows.fp, score.windows.fn, score.windows.tn) == (2, 1, 0, 4)
    assert (score.events.truth, score.events.predicted, score.events.matched) == (1, 2, (1, 1))
    blind = score_of(reviewer, b)
    assert (blind.windows.tp, blind.windows.fp, blind.windows.fn, blind.windows.tn) == (1, 0, 1, 4)
    assert (blind.events.predicted, blind.left_out["not visible"]) == (1, 1)
    assert video_line(blind).exact["tiou"] == Fraction(1, 2)


def test_the_page_tells_figures_with_what_they_are_out_of(compared, write_report, findings_of):
    pdf = write_report(compared).parent / "confusion-comparison.pdf"
    assert findings_of(pdf) == []
    text = text_of(pdf)
    found = "Reader 1 found 1 of 1 event of the reviewer, and pointed to 1 stretch that a person"
    assert found in text
    assert "67% [21, 94] 2 of 3" in text
    assert "no proof of what the learner thought" in text
    assert "Reviewer: 1 window with a suggestion nobody has checked." in text
    assert "Reader 2: 1 window without a visible face." in text


def test_without_a_reviewer_nobody_is_right(make_review, write_report, findings_of):
    pdf = write_report(make_review({"a": "nmm", "b": "nnm"})).parent / "confusion-comparison.pdf"
    assert findings_of(pdf) == []
    text = text_of(pdf)
    assert "That they agree does not make them right." in text
    assert "Precision" not in text


def test_one_reader_alone_has_nothing_to_be_compared_with(make_review, write_report):
    folder = write_report(make_review({"a": "nmm"})).parent
    assert not (folder / "confusion-comparison.pdf").exists()


def test_pictures_of_children_are_on_no_comparison_page(compared, write_report, tmp_path):
    pdf = write_report(compared).parent / "confusion-comparison.pdf"
    assert not any(page.images for page in pypdf.PdfReader(pdf).pages)
    with Image.open(pdf.parent / "confusion-bands.png") as bands:
        assert bands.width > 1_000
