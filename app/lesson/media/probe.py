"""Find out what a recording is before anything else is done with it.

The first stream in the order of `streams` that decodes is used.

The clock: times are the file's own presentation stamps. `start_ms` is the first picture shown or
sound heard. What encoders put before the first sound (priming, often with a stamp below zero) is
never heard and does not count; ffprobe's frames say the same. A reviewer who reads 0:12 in the
player finds that picture at 12,000 ms here.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

from app.errors import MediaRefused
from app.lesson.media.checks import (
    Checked,
    CheckedPictures,
    CheckedSound,
    check_pictures,
    check_sound,
)
from app.lesson.media.clock import all_to_ms, to_ms
from app.lesson.media.facts import AudioFacts, MediaFacts, VideoFacts
from app.lesson.media.fingerprint import fingerprint
from app.lesson.media.notes import Header, read_header, write_notes
from app.lesson.media.opening import CONVERT, open_media
from app.lesson.media.progress import Progress
from app.lesson.media.streams import best_first, picture_streams
from app.lesson.media.tracks import Track, read_tracks
from app.places import whole_path
from app.running.protocols import Report, no_report

_COARSE = 8
"""Ticks; a step shorter than this is no rounded one."""
_remembered: dict[tuple[str, int, int], Scan] = {}
"""By path, size and time of change; a process looks at one recording again and again."""
_REMEMBERED = 4
_REPORT_EVERY = 500
"""Packets or pictures between two reports of progress."""

C = TypeVar("C", bound=Checked)

_COPY = "Copy it again from the camera or the card."


@dataclass(frozen=True, slots=True)
class Scan:
    """All that one reading of a recording tells."""

    facts: MediaFacts
    frame_times: tuple[int, ...]
    """Milliseconds of each picture shown, rising; empty when there is no picture."""


def probe(
    path: str | Path, report: Report = no_report, stop: threading.Event | None = None
) -> MediaFacts:
    """Tell what a recording is; decodes enough to know that it can be shown or heard.

    Raises:
        MediaRefused: The file is missing, empty, a folder, not a recording, or nothing in it
            decodes.
        Cancelled: `stop` was set; a long recording with damage takes minutes.
    """
    return scan_media(path, report, stop).facts


def scan_media(
    path: str | Path, report: Report = no_report, stop: threading.Event | None = None
) -> Scan:
    """Read a recording from end to end; asked again for an unchanged file, it is remembered.

    Raises:
        MediaRefused: As `probe`.
        Cancelled: `stop` was set.
    """
    try:
        full = str(whole_path(path))
        state = Path(full).stat()
    except (OSError, ValueError, RuntimeError):
        open_media(path).close()  # refuses, with the reason
        raise
    key = full, state.st_size, state.st_mtime_ns
    if key not in _remembered:
        progress = Progress(report, stop, "reading the recording", _REPORT_EVERY)
        _remembered[key] = _scan(full, state.st_size, progress)
        for oldest in list(_remembered)[:-_REMEMBERED]:
            del _remembered[oldest]
    return _remembered[key]


def forget() -> None:
    """Read every recording anew from now on."""
    _remembered.clear()


def _scan(path: str, size_bytes: int, progress: Progress) -> Scan:
    with open_media(path) as container:
        pictures = best_first(picture_streams(container))
        sounds = best_first(container.streams.audio)
        header = read_header(container)
        tracks = read_tracks(container, [*pictures, *sounds], progress)
        picture_tracks = [tracks[stream.index] for stream in pictures]
        sound_tracks = [tracks[stream.index] for stream in sounds]
    video = _first_good(check_pictures, path, picture_tracks, progress)
    audio = _first_good(check_sound, path, sound_tracks, progress)
    if video is None and audio is None:
        raise _refusal(Path(path).name, header, tracks)
    video_facts = _video_facts(*video, header) if video else None
    audio_facts = _audio_facts(*audio, header) if audio else None
    start_ms, end_ms = _ends(video_facts, audio_facts)
    facts = MediaFacts(
        path=path,
        size_bytes=size_bytes,
        fingerprint=fingerprint(path),
        container=header.container,
        start_ms=start_ms,
        duration_ms=max(1, end_ms - start_ms),
        video=video_facts,
        audio=audio_facts,
        recorded_at=header.recorded_at,
    )
    notes = write_notes(
        facts, header, tracks, video[1] if video else None, audio[1] if audio else None
    )
    times = all_to_ms(video[1].stamps, video[0].base) if video else ()
    return Scan(replace(facts, notes=notes), times)


def _first_good(
    check: Callable[[str, Track, Progress], C | None],
    path: str,
    ranked: list[Track],
    progress: Progress,
) -> tuple[Track, C] | None:
    for track in ranked:
        checked = check(path, track, progress) if track.packets else None
        if checked is not None:
            return track, checked
    return None


def _ends(video: VideoFacts | None, audio: AudioFacts | None) -> tuple[int, int]:
    spans = [(video.first_ms, video.end_ms)] if video else []
    spans += [(audio.start_ms, audio.end_ms)] if audio else []
    return min(start for start, _ in spans), max(end for _, end in spans)


def _video_facts(track: Track, checked: CheckedPictures, header: Header) -> VideoFacts:
    shape = checked.shape
    width, height = shape.shown
    return VideoFacts(
        stream=track.index,
        codec=checked.codec,
        width=width,
        height=height,
        coded_width=shape.coded_width,
        coded_height=shape.coded_height,
        rotation=shape.rotation,
        mirrored=shape.mirrored,
        sample_aspect=(shape.sample_aspect.numerator, shape.sample_aspect.denominator),
        frames=len(checked.stamps),
        first_ms=to_ms(checked.stamps[0], track.base),
        end_ms=_end_ms(track, checked, header),
        # From the packets: a picture lost to damage does not make a recording uneven.
        variable_frame_rate=_is_uneven(sorted(track.stamps) or checked.stamps, track.base),
        pixel_format=checked.pixel_format,
        high_dynamic_range=checked.is_high_dynamic_range,
    )


def _audio_facts(track: Track, checked: CheckedSound, header: Header) -> AudioFacts:
    return AudioFacts(
        stream=track.index,
        codec=checked.codec,
        sample_rate=checked.sample_rate,
        channels=checked.channels,
        start_ms=to_ms(checked.stamps[0], track.base),
        end_ms=_end_ms(track, checked, header),
    )


def _end_ms(track: Track, checked: Checked, header: Header) -> int:
    """Give the end of the last picture or sound, cut short where the whole file is over sooner."""
    end_ms, last_ms = to_ms(checked.end, track.base), to_ms(checked.stamps[-1], track.base)
    if header.end_ms is not None and last_ms < header.end_ms < end_ms:
        return header.end_ms
    return end_ms


def _is_uneven(stamps: Sequence[int], base: Fraction) -> bool:
    """Say whether steps differ by more than rounding to the container's ticks can explain.

    That is one tick, or two where ticks are finer than a tenth of a millisecond and the times may
    have been rounded before; and nothing where a picture lasts only a few ticks.
    """
    steps = sorted(later - earlier for earlier, later in pairwise(stamps))
    if not steps:
        return False
    rounding = 2 if base < Fraction(1, 10_000) else 1
    is_coarse = steps[len(steps) // 2] < _COARSE
    return steps[-1] - steps[0] > (0 if is_coarse else rounding)


def _refusal(name: str, header: Header, tracks: dict[int, Track]) -> MediaRefused:
    if not header.pictures and not header.sounds:
        return MediaRefused(
            f"{name} holds neither picture nor sound.", "Choose the recording itself."
        )
    if header.undecodable and not tracks:
        return MediaRefused(f"{name} is stored in a form that cannot be decoded here.", CONVERT)
    if header.promised_pictures > 1:
        return MediaRefused(
            f"{name} is cut off or damaged: its header promises {header.promised_pictures:,} "
            "pictures, and not one of them can be shown.",
            _COPY,
        )
    if not any(track.packets for track in tracks.values()):
        return MediaRefused(f"{name} has a header, but no picture and no sound in it.", _COPY)
    return MediaRefused(f"{name} is damaged: nothing in it can be shown or heard.", CONVERT)
