"""What is missing or odd about a recording, each said once in a plain sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import av
from av.container import InputContainer

from app.lesson.media.checks import Checked
from app.lesson.media.clock import to_ms
from app.lesson.media.dated import recorded_at
from app.lesson.media.facts import MediaFacts, VideoFacts
from app.lesson.media.streams import picture_streams, stream_base
from app.lesson.media.tracks import Track
from app.lesson.spans import show_time

_WORTH_SAYING_MS = 500
"""Picture and sound that start or end further apart than this are worth a sentence."""


@dataclass(frozen=True, slots=True)
class Header:
    """What the file says of itself, true or not."""

    container: str
    pictures: tuple[tuple[int, int, int], ...]
    """Index, width and height of each picture stream."""
    sounds: tuple[int, ...]
    """Index of each sound stream."""
    captions: int
    promised: dict[int, tuple[int, int]]
    """Number of pictures promised, and the moment (ms) up to which, of each picture stream; 0 where
    nothing is said."""
    end_ms: int | None
    """Moment at which the whole file says that it is over."""
    undecodable: int
    """Streams of picture or sound for which there is no decoder here."""
    recorded_at: str
    """ISO 8601 with its offset; empty where nothing is said."""

    @property
    def promised_pictures(self) -> int:
        """The largest number of pictures that any stream promises."""
        return max((count for count, _ in self.promised.values()), default=0)


def read_header(container: InputContainer) -> Header:
    """Read what a file says of itself."""
    pictures = picture_streams(container)
    sounds = container.streams.audio
    return Header(
        container=container.format.name,
        pictures=tuple(
            (s.index, s.width, s.height) if s.codec_context else (s.index, 0, 0) for s in pictures
        ),
        sounds=tuple(s.index for s in sounds),
        captions=len(container.streams.subtitles),
        promised={s.index: (s.frames, _promised_end(s)) for s in pictures},
        end_ms=_end_of_file(container),
        undecodable=sum(s.codec_context is None for s in (*pictures, *sounds)),
        recorded_at=recorded_at(container.metadata),
    )


def _promised_end(stream: av.VideoStream) -> int:
    if not stream.duration:
        return 0
    return to_ms((stream.start_time or 0) + stream.duration, stream_base(stream))


def _end_of_file(container: InputContainer) -> int | None:
    if not container.duration:
        return None
    return to_ms((container.start_time or 0) + container.duration, Fraction(1, av.time_base))


def write_notes(
    facts: MediaFacts,
    header: Header,
    tracks: dict[int, Track],
    checked: Checked | None,
    checked_sound: Checked | None,
) -> tuple[str, ...]:
    """Write down everything a reviewer should know before working with the recording.

    Args:
        facts: What was found, its notes still empty.
        header: What the file says of itself.
        tracks: The packets of each stream, by its index.
        checked: What of the picture stream can be shown, if there is one.
        checked_sound: What of the sound stream can be heard, if there is one.
    """
    filled = {index for index, track in tracks.items() if track.packets}
    notes = [*_on_what_is_missing(facts, header)]
    if facts.video and checked:
        notes += _on_lost_pictures(facts.video, header, tracks[facts.video.stream], checked)
        notes += _on_pictures(facts.video, header, checked, filled)
    if checked_sound and checked_sound.failed:
        notes.append("Parts of the sound do not decode; there is silence in their place.")
    notes += _on_times(facts)
    if facts.audio and len(filled.intersection(header.sounds)) > 1:
        notes.append("The file holds more than one sound track; one of them is used.")
    if header.captions:
        notes.append("The file carries captions of its own; they are not read.")
    return tuple(notes)


def _on_what_is_missing(facts: MediaFacts, header: Header) -> Iterator[str]:
    if facts.audio is None:
        if header.sounds:
            yield "The sound cannot be decoded; only the picture is used."
        else:
            yield "There is no sound."
    if facts.video is None:
        if header.pictures:
            yield "The picture cannot be decoded; only the sound is used."
        else:
            yield "There is no picture; only the sound is used."


def _on_lost_pictures(
    video: VideoFacts, header: Header, track: Track, checked: Checked
) -> Iterator[str]:
    promised, end_ms = header.promised.get(video.stream, (0, 0))
    # AVI counts moments without a new picture too, so fewer pictures alone mean nothing.
    if promised > track.packets and end_ms - video.end_ms > _WORTH_SAYING_MS:
        yield (
            f"The header promises {promised:,} pictures; {video.frames:,} of them can be shown. "
            "The file seems to be cut off."
        )
    elif track.first_cut is not None:
        yield "The file breaks off in the middle of a picture."
    if checked.failed:
        were = "picture does" if checked.failed == 1 else "pictures do"
        yield (
            f"{checked.failed:,} {were} not decode; "
            "the one before stays on the screen in that place."
        )
    if checked.damaged:
        were = "picture is" if checked.damaged == 1 else "pictures are"
        yield f"{checked.damaged:,} {were} damaged and may show blocks or grey."


def _on_pictures(
    video: VideoFacts, header: Header, checked: Checked, filled: set[int]
) -> Iterator[str]:
    others = [(w, h) for i, w, h in header.pictures if i != video.stream and i in filled]
    for width, height in others:
        yield f"A second picture ({width} x {height}) is in the file and is not shown."
    if video.variable_frame_rate:
        yield "The pictures come at uneven steps; the time of each is used, not a frame rate."
    if video.high_dynamic_range:
        yield "The colours have a high dynamic range; they are brought down to an ordinary screen."
    if checked.size_changes:
        yield "The picture changes its size on the way; all are shown in the size of the first."


def _on_times(facts: MediaFacts) -> Iterator[str]:
    if abs(facts.start_ms) > _WORTH_SAYING_MS:
        yield f"The file's own clock starts at {show_time(facts.start_ms, tenths=True)}."
    if facts.video is None or facts.audio is None:
        return
    video, audio = facts.video, facts.audio
    for late, early, name, other in (
        (video.first_ms, audio.start_ms, "picture", "sound"),
        (audio.start_ms, video.first_ms, "sound", "picture"),
    ):
        if late - early > _WORTH_SAYING_MS:
            yield (
                f"The {name} starts at {show_time(late, tenths=True)}, "
                f"after the {other} ({show_time(early, tenths=True)})."
            )
    for short, long, name, other in (
        (video.end_ms, audio.end_ms, "picture", "sound"),
        (audio.end_ms, video.end_ms, "sound", "picture"),
    ):
        if long - short > _WORTH_SAYING_MS:
            yield (
                f"The {name} ends at {show_time(short, tenths=True)}, "
                f"before the {other} ({show_time(long, tenths=True)})."
            )
