"""The lesson report: evidence first, then what was suggested, then what people decided."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from app.coding.practices import Practice
from app.coding.review import LessonReview
from app.palette import read_palette
from reports.lesson_page import build_page
from reports.moments import evidence_times, poster_time
from reports.tables import clips_table, utterances_table
from reports.typesetting import set_page
from reports.writing import write_all
from resources import resource

PDF, CLIPS, UTTERANCES = "lesson-report.pdf", "clips.csv", "utterances.csv"
_PICTURE_PX = 640
_JPEG_QUALITY = 82


def picture_times(review: LessonReview) -> tuple[int, ...]:
    """Say which moments of the recording the report shows, in ms on its own clock, in order.

    One for the top of the page and one or two for each cited piece of evidence; none when there
    is no picture or the recording is not where it was.
    """
    times = {t for found in evidence_times(review).values() for t in found}
    poster = poster_time(review)
    return tuple(sorted(times | ({poster} if poster is not None else set())))


def write_lesson_report(
    review: LessonReview,
    practices: tuple[Practice, ...],
    pictures: Mapping[int, Path],
    folder: Path,
    made_at: str,
    program: str,
    flags: Mapping[int, str] | None = None,
) -> list[Path]:
    """Write the report as tagged PDF/UA-1 with two tables beside it. Call it in a child process.

    Args:
        review: The lesson as it stands.
        practices: The four practices.
        pictures: Picture files by moment, for `picture_times`; what is missing is said on the page.
        folder: Where to write; made if need be, older reports in it are replaced.
        made_at: ISO 8601, the date on the page.
        program: Name and version, e.g. `Clerestory 0.1.0`.
        flags: What the probes of the evidence say against a suggestion, as a full sentence, by
            the number of the prediction.

    Returns:
        The files written: `lesson-report.pdf`, `clips.csv`, `utterances.csv`.

    Raises:
        ReportRefused: The folder cannot be written or the disk is full; older files are kept.
    """
    palette = read_palette(resource("palette.toml"))
    files = _small_pictures(pictures, picture_times(review))
    names = {time_ms: _name(time_ms) for time_ms in files}
    page, timeline = build_page(review, practices, palette, names, made_at, program, flags)
    parts: dict[str, bytes | Path] = {_name(time_ms): data for time_ms, data in files.items()}
    if timeline is not None:
        parts["timeline.svg"] = timeline
    pdf = set_page(resource("reports/lesson.typ"), page, parts, made_at)
    return write_all(
        folder, {PDF: pdf, CLIPS: clips_table(review), UTTERANCES: utterances_table(review)}
    )


def _small_pictures(pictures: Mapping[int, Path], times: tuple[int, ...]) -> dict[int, bytes]:
    """Read the wanted pictures and make them small; those that cannot be read are left out."""
    found = {}
    for time_ms in times:
        if time_ms in pictures:
            data = _small(pictures[time_ms])
            if data is not None:
                found[time_ms] = data
    return found


def _small(path: Path) -> bytes | None:
    try:
        with Image.open(path) as picture:
            picture.thumbnail((_PICTURE_PX, _PICTURE_PX))
            out = io.BytesIO()
            picture.convert("RGB").save(out, "JPEG", quality=_JPEG_QUALITY)
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError):
        return None
    return out.getvalue()


def _name(time_ms: int) -> str:
    return f"picture-{time_ms}.jpg"
