"""Write a planned set as a folder: files, labels as CSV and JSON, and a data card.

A folder appears whole or not at all. It is what `clerestory benchmark confusion` reads.
"""

from __future__ import annotations

import csv
import io
import json
import shutil
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.confusion.consent import refuse_names
from app.confusion.set_card import Made, localization_card, recognition_card
from app.confusion.sets import LocalizationSet, RecognitionSet, SetClip, SetSource, SetVideo
from app.errors import Refused
from app.lesson.media.cuts import Cut
from app.lesson.spans import Span
from app.running.protocols import Report, no_report

RECOGNITION, LOCALIZATION = "recognition", "localization"
CLIP_COLUMNS = ("id", "media", "label", "start_ms", "end_ms", "learner", "criteria", "source")
EVENT_COLUMNS = ("video", "duration_ms", "start_ms", "end_ms")

Cutter = Callable[
    [str, Sequence[tuple[Span, str]], Path, Report, threading.Event | None], tuple[Cut, ...]
]
"""Cuts stretches out of a recording into a folder; see `app.lesson.media.cutting`."""


def write_recognition(
    chosen: RecognitionSet,
    folder: Path,
    cut: Cutter,
    made: Made,
    report: Report = no_report,
    stop: threading.Event | None = None,
) -> list[Path]:
    """Cut the clips of a set and write them with labels and card into `folder/recognition`.

    Raises:
        Refused: There is nothing to write, the folder is taken or cannot be written, a recording
            cannot be cut, or the licence names a learner.
        Cancelled: `stop` was set; nothing is left behind then.
    """
    if not chosen.clips:
        raise Refused(
            "There is no clip to write yet.",
            "Clips come when two researchers keep them and two experts say yes or no.",
        )

    def fill(place: Path) -> None:
        cuts = _cut_all(chosen, place / "clips", cut, report, stop)
        by_id = {source.lesson_id: source for source in chosen.sources}
        rows = [(clip, by_id[clip.lesson_id], cuts[clip.clip_id]) for clip in chosen.clips]
        table = [_clip_row(*row) for row in rows]
        _write(place / "clips.csv", _as_csv(CLIP_COLUMNS, table))
        told = [_clip_json(*row) for row in rows]
        _write_json(place, {"task": RECOGNITION, "clips": told}, chosen.sources)
        card = recognition_card(chosen, [(source, one) for _clip, source, one in rows], made)
        _write(place / "DATA_CARD.md", card)

    return _made_whole(folder / RECOGNITION, fill, made, chosen.names)


def write_localization(
    chosen: LocalizationSet,
    folder: Path,
    cut: Cutter,
    made: Made,
    report: Report = no_report,
    stop: threading.Event | None = None,
) -> list[Path]:
    """Copy the videos of a set and write them with events and card into `folder/localization`.

    Raises:
        Refused, Cancelled: As `write_recognition`.
    """
    if not chosen.videos:
        raise Refused(
            "There is no video to write yet.",
            "A video comes in once somebody has decided on every event that readers found in it.",
        )

    def fill(place: Path) -> None:
        rows = []
        for number, (video, source) in enumerate(zip(chosen.videos, chosen.sources, strict=True)):
            whole = [(Span(source.start_ms, source.end_ms), source.video)]
            part = _part_of(report, number, len(chosen.videos))
            (one,) = cut(source.path, whole, place / "videos", part, stop)
            rows.append((_on_clock(video, one), source, one))
        table = [row for video, source, one in rows for row in _event_rows(video, source, one)]
        _write(place / "truth.csv", _as_csv(EVENT_COLUMNS, table))
        told = [_video_json(*row) for row in rows]
        _write_json(place, {"task": LOCALIZATION, "videos": told}, chosen.sources)
        card = localization_card(
            replace(chosen, videos=tuple(video for video, _source, _one in rows)),
            [(source, one) for _video, source, one in rows],
            made,
        )
        _write(place / "DATA_CARD.md", card)

    return _made_whole(folder / LOCALIZATION, fill, made, chosen.names)


def _made_whole(
    place: Path, fill: Callable[[Path], None], made: Made, names: Iterable[str]
) -> list[Path]:
    refuse_names(made.licence, names, "The licence")
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise Refused(
            f"{place} is there already and holds files.",
            "Choose another folder, so that old clips and new labels are never mixed.",
        )
    part = place.with_name(f".{place.name}.part")
    try:
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        fill(part)
        if place.exists():
            place.rmdir()
        part.rename(place)
    except OSError as error:
        raise Refused(
            f"The set cannot be written to {place.parent}.",
            "Choose another folder, or make room on the disk.",
        ) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return sorted(path for path in place.iterdir() if path.is_file())


def _cut_all(
    chosen: RecognitionSet, place: Path, cut: Cutter, report: Report, stop: threading.Event | None
) -> dict[str, Cut]:
    found: dict[str, Cut] = {}
    for number, source in enumerate(chosen.sources):
        own = [clip for clip in chosen.clips if clip.lesson_id == source.lesson_id]
        wanted = [(Span(clip.start_ms, clip.end_ms), clip.clip_id) for clip in own]
        part = _part_of(report, number, len(chosen.sources))
        cuts = cut(source.path, wanted, place, part, stop)
        found |= {clip.clip_id: one for clip, one in zip(own, cuts, strict=True)}
    return found


def _part_of(report: Report, number: int, of: int) -> Report:
    return lambda share, doing: report((number + share) / of, doing)


def _clip_row(clip: SetClip, source: SetSource, cut: Cut) -> tuple[object, ...]:
    criteria = ", ".join(clip.criteria)
    media, label = f"clips/{cut.file}", clip.source.label
    return clip.clip_id, media, label, "", "", source.learner, criteria, str(clip.source)


def _clip_json(clip: SetClip, source: SetSource, cut: Cut) -> dict[str, Any]:
    return {
        "id": clip.clip_id,
        "media": f"clips/{cut.file}",
        "label": clip.source.label,
        "source": str(clip.source),
        "criteria": list(clip.criteria),
        "learner": source.learner,
        "video": source.video,
        # From the first moment of the recording, so that clips of one video can be put in order.
        "start_ms": clip.start_ms - source.start_ms,
        "end_ms": clip.end_ms - source.start_ms,
        **_cut_json(cut, source),
    }


def _on_clock(video: SetVideo, cut: Cut) -> SetVideo:
    """Move events to the clock of the copied file, and cut off what lies outside of it."""
    moved = []
    for event in video.events:
        start_ms = max(0, event.start_ms - cut.first_ms)
        end_ms = min(event.end_ms - cut.first_ms, cut.duration_ms)
        if start_ms < end_ms:
            moved.append(replace(event, start_ms=start_ms, end_ms=end_ms))
    return replace(video, events=tuple(moved))


def _event_rows(video: SetVideo, source: SetSource, cut: Cut) -> list[tuple[object, ...]]:
    if not video.events:
        return [(source.video, cut.duration_ms, "", "")]
    return [(source.video, cut.duration_ms, e.start_ms, e.end_ms) for e in video.events]


def _video_json(video: SetVideo, source: SetSource, cut: Cut) -> dict[str, Any]:
    return {
        "video": source.video,
        "media": f"videos/{cut.file}",
        "learner": source.learner,
        "events": [{"start_ms": e.start_ms, "end_ms": e.end_ms} for e in video.events],
        **_cut_json(cut, source),
    }


def _cut_json(cut: Cut, source: SetSource) -> dict[str, Any]:
    return {
        "cut": "copied" if cut.is_copied else "encoded again",
        "why_encoded": cut.why,
        "first_picture_ms": cut.first_ms - source.start_ms,
        "duration_ms": cut.duration_ms,
        "pictures": cut.pictures,
        "size_bytes": cut.size_bytes,
        "sha256": cut.sha256,
    }


def _write_json(place: Path, told: Mapping[str, Any], sources: Sequence[SetSource]) -> None:
    recordings = [
        {
            "video": source.video,
            "learner": source.learner,
            "fingerprint": source.fingerprint,
            "consent": source.consent.note if source.consent else None,
        }
        for source in sources
    ]
    text = json.dumps(
        {"version": 1, **told, "recordings": recordings}, ensure_ascii=False, indent=1
    )
    _write(place / "labels.json", f"{text}\n")


def _as_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
