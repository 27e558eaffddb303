"""What is known of a recording before anything is decoded for show."""

from __future__ import annotations

from dataclasses import dataclass

from app.lesson.spans import Span


@dataclass(frozen=True, slots=True)
class VideoFacts:
    """The picture stream that is shown (the best one, when there are several)."""

    stream: int
    """Index of the stream in the container."""
    codec: str
    width: int
    """Pixels as shown: after rotation and sample aspect ratio."""
    height: int
    """Pixels as shown."""
    coded_width: int
    coded_height: int
    rotation: int
    """Degrees clockwise the stored picture is turned to be upright: 0, 90, 180 or 270."""
    mirrored: bool
    """Whether the stored picture is flipped left to right before it is turned."""
    sample_aspect: tuple[int, int]
    """Shape of one stored pixel, width to height, in lowest terms."""
    frames: int
    """Pictures that a player shows."""
    first_ms: int
    """Time of the first picture."""
    end_ms: int
    """Time at which the last picture has been shown for its own length."""
    variable_frame_rate: bool
    """Whether the steps between pictures differ by more than the container's rounding."""
    pixel_format: str
    high_dynamic_range: bool
    """PQ or HLG transfer: colours are brought down to an ordinary screen when shown."""


@dataclass(frozen=True, slots=True)
class AudioFacts:
    """The sound stream that is used."""

    stream: int
    codec: str
    sample_rate: int
    channels: int
    start_ms: int
    end_ms: int


@dataclass(frozen=True, slots=True)
class MediaFacts:
    """A recording: how long, how large, which streams, and what was noticed on the way."""

    path: str
    size_bytes: int
    fingerprint: str
    """SHA-256, hex: of size and three sampled parts, so that a moved file is found again."""
    container: str
    start_ms: int
    """First moment of picture or sound, on the file's own clock; not always zero."""
    duration_ms: int
    """From `start_ms` to the end of the last picture or sound that decodes; above zero."""
    video: VideoFacts | None
    audio: AudioFacts | None
    notes: tuple[str, ...] = ()
    """Plain sentences on what is missing or odd; each once."""
    recorded_at: str = ""
    """When the file says it was recorded, ISO 8601 with its offset; empty when it does not."""

    @property
    def span(self) -> Span:
        """All of the recording."""
        return Span(self.start_ms, self.start_ms + self.duration_ms)
