"""The student confusion report: what a person confirmed first, then what readers suggest."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from app.confusion.faces import FaceSeries
from app.confusion.review import LearnerReview
from reports import confusion_pictures
from reports.confusion_comparison import PARTS, can_compare, comparison_page
from reports.confusion_figures import MOST_READERS, gather
from reports.confusion_page import band_blocks, build_page, key_blocks
from reports.confusion_tables import events_table, windows_table
from reports.typesetting import set_page, set_picture
from reports.writing import write_all
from resources import resource

PDF, FULL_PDF = "confusion-report.pdf", "confusion-report-full.pdf"
WINDOWS, EVENTS, BANDS = "confusion-windows.csv", "confusion-events.csv", "confusion-bands.png"
COMPARISON = "confusion-comparison.pdf"


def picture_times(review: LearnerReview, full: bool) -> tuple[int, ...]:
    """Say which moments of the video the report shows, in ms on its own clock, in order."""
    return confusion_pictures.picture_times(review, full=full)


def write_confusion_report(
    review: LearnerReview,
    pictures: Mapping[int, Path],
    folder: Path,
    made_at: str,
    program: str,
    full: bool = False,
    blurred: bool = False,
    faces: FaceSeries | None = None,
) -> list[Path]:
    """Write the report as tagged PDF/UA-1, with tables and a picture of the bands beside it.

    Where there are two rows or more, also the page that compares them.

    Call it in a child process.

    Args:
        review: The learner video as it stands.
        pictures: Picture files by moment, for `picture_times`.
        folder: Where to write; made if need be, older reports in it are replaced.
        made_at: ISO 8601, the date on the page.
        program: Name and version, e.g. `Clerestory 0.1.0`.
        full: All of it; else what fits one page.
        blurred: Blur the faces in the pictures, and all of a picture in which none is known.
        faces: Where faces are in the video; used for blurring alone.

    Returns:
        The files written.

    Raises:
        ReportRefused: Neither a reader nor a person has looked at the video; the folder cannot be
            written or the disk is full, and older files are kept.
    """
    everyone = gather(review)
    gathered = everyone if full else gather(review, MOST_READERS)
    wanted = picture_times(review, full)
    chosen = {time_ms: pictures[time_ms] for time_ms in wanted if time_ms in pictures}
    shown = confusion_pictures.small_pictures(chosen, faces, blurred=blurred)
    names = {time_ms: f"picture-{time_ms}.jpg" for time_ms in shown}
    page, drawn = build_page(gathered, names, made_at, program, full=full, blurred=blurred)
    parts: dict[str, bytes | Path] = {PARTS: resource(f"reports/{PARTS}"), **drawn}
    parts |= {names[time_ms]: data for time_ms, data in shown.items()}
    pdf = set_page(resource("reports/confusion.typ"), page, parts, made_at)
    written = {
        FULL_PDF if full else PDF: pdf,
        WINDOWS: windows_table(everyone),
        EVENTS: events_table(everyone),
        BANDS: bands_picture(review, made_at),
    }
    if can_compare(everyone):
        written[COMPARISON] = comparison_page(everyone, made_at, program)
    return write_all(folder, written)


def bands_picture(review: LearnerReview, made_at: str) -> bytes:
    """Draw the bands with their names and the legend as a PNG.

    Raises:
        ReportRefused: Neither a reader nor a person has looked at the video.
    """
    gathered = gather(review)
    bands, drawn = band_blocks(gathered)
    page = {
        "learner": review.learner.name,
        "video": review.title or "Untitled video",
        "bands": bands,
        "key": key_blocks(gathered, drawn),
    }
    parts: dict[str, bytes | Path] = {PARTS: resource(f"reports/{PARTS}"), **drawn}
    return set_picture(resource("reports/confusion_bands.typ"), page, parts, made_at)
