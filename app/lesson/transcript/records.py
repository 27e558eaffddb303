"""What was said: words, utterances and the transcript they stand in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.lesson.spans import Span


class Flag(StrEnum):
    """Why a line of a transcript deserves doubt."""

    NO_TIME = "no time"
    """The file gives no time for this line."""
    DOUBTFUL_TIME = "doubtful time"
    """The file gives a time that cannot be right or can be read in two ways."""
    NO_END = "no end"
    """The file gives a start but no end."""
    OVERLAP = "overlap"
    """Starts before the line above has ended."""
    REPEATED = "repeated"
    """Speech to text wrote the same words again and again; probably invented."""
    INVENTED = "invented"
    """Speech to text heard words where nobody speaks."""
    PAST_END = "past end"
    """Lies after the end of the recording."""
    LOW_PROBABILITY = "low probability"
    """Speech to text was unsure; never the only evidence for a code."""
    UNTIMED_WORDS = "untimed words"
    """Some words have no time of their own."""


NEVER_CODED_FROM = frozenset({Flag.REPEATED, Flag.INVENTED, Flag.PAST_END})
"""Lines with one of these are shown, struck through, and never given to a coder."""


class Role(StrEnum):
    """Who a speaker is in the lesson."""

    TEACHER = "teacher"
    STUDENT = "student"
    OTHER = "other"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Word:
    """One spoken word; times are `None` where the file or the engine gives none."""

    text: str
    start_ms: int | None = None
    end_ms: int | None = None
    probability: float | None = None
    """0 to 1, as the engine reported it."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """One line of a transcript.

    Raises:
        ValueError: Ends before it starts.
    """

    number: int
    """Place in the transcript, from 1; what evidence cites. Kept when lines are edited."""
    text: str
    start_ms: int | None = None
    end_ms: int | None = None
    speaker: str = ""
    """As the file names them; empty when unknown."""
    words: tuple[Word, ...] = ()
    flags: tuple[Flag, ...] = ()

    def __post_init__(self) -> None:
        if self.start_ms is not None and self.end_ms is not None and self.end_ms < self.start_ms:
            raise ValueError(f"utterance {self.number} ends before it starts")

    @property
    def is_sound(self) -> bool:
        """Whether a coder may use this line at all."""
        return not NEVER_CODED_FROM.intersection(self.flags)


@dataclass(frozen=True, slots=True)
class Transcript:
    """A whole transcript, numbered from 1 in order of speech."""

    utterances: tuple[Utterance, ...]
    source: str
    """Where it came from: `speech:whisper-base`, `import:srt`, `import:talkmoves`, ..."""
    language: str = ""
    encoding: str = ""
    """Text encoding found in an imported file, e.g. `cp1251`; empty when it has none."""
    notes: tuple[str, ...] = ()
    """Plain sentences on what the reader should know of the whole file."""


def reach_ms(utterances: Sequence[Utterance], index: int) -> tuple[int | None, int | None]:
    """Give when the utterance at `index` starts and until when it reaches.

    An end the file does not give is taken from the start of the next later line; that is for
    seeking and drawing, and is never stored as the line's own end.
    """
    line = utterances[index]
    if line.start_ms is None or line.end_ms is not None:
        return line.start_ms, line.end_ms
    for later in utterances[index + 1 :]:
        if later.start_ms is not None and later.start_ms > line.start_ms:
            return line.start_ms, later.start_ms
    return line.start_ms, None


def span_of(utterances: Sequence[Utterance], numbers: Iterable[int]) -> Span | None:
    """Give the stretch that the numbered utterances cover, or `None` when times are missing."""
    wanted = set(numbers)
    reaches = [reach_ms(utterances, i) for i, u in enumerate(utterances) if u.number in wanted]
    starts = [start for start, _ in reaches if start is not None]
    ends = [end for _, end in reaches if end is not None]
    if not starts or not ends or min(starts) >= max(ends):
        return None
    return Span(min(starts), max(ends))
