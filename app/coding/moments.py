"""What can be looked for in a whole library, and the moments of lessons that are found."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from app.scoring.scored import Code


class Order(StrEnum):
    """In which order moments are given."""

    LESSON = "lesson"
    """By the day of the lesson, then by time."""
    RELEVANCE = "relevance"
    """Whole words before parts of words, few other words before many; people before coders."""


@dataclass(frozen=True, slots=True)
class Term:
    """A stretch of days that people call by a name, both ends inside."""

    first_day: date
    last_day: date


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person looks for. Each field that is set narrows what is found."""

    words: str = ""
    """Whatever was typed; no sign in it has a special meaning, and all words must be there."""
    practice: str = ""
    """`BI`, `D1`, `D2` or `D3`; empty for any."""
    level: int | None = None
    with_suggestions: bool = False
    """Whether codes that only coders claim count as well; otherwise people's alone."""
    author: str = ""
    """Who decided; empty for anybody."""
    lesson_id: str = ""
    first_day: date | None = None
    last_day: date | None = None
    """The days are those of `Moment.day`, both inside."""
    order: Order = Order.LESSON

    @property
    def is_about_codes(self) -> bool:
        """Whether clips are looked for by their code, rather than texts by their words."""
        return bool(self.practice or self.author) or self.level is not None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is asked for at all; the words apart, a lesson or a day is not enough."""
        return not self.words.strip() and not self.is_about_codes


class MomentKind(StrEnum):
    """Why a moment was found."""

    CODE = "code"
    """A person gave its clip a code that fits."""
    SUGGESTION = "suggestion"
    """Only coders gave its clip a code that fits; nobody has decided."""
    UTTERANCE = "utterance"
    QUOTE = "quote"
    """A coder cited it, and the check found it in the transcript."""
    NOTE = "note"
    TITLE = "title"


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment of a lesson that was found."""

    lesson_id: str
    title: str
    """Of the lesson."""
    day: date
    """Of the lesson."""
    is_recorded_day: bool
    """Whether the recording itself names the day; otherwise it is the day of adding."""
    kind: MomentKind
    text: str
    """The words that were found, or the best quote of a clip; empty where nothing was cited."""
    snippet: str
    """A part of `text`, found words between `MARK_START` and `MARK_END` of `app.store.records`."""
    begins: str = ""
    """The first line of a clip for which nothing was cited."""
    codes: tuple[Code, ...] = ()
    """Codes of the clip it lies in that the reviewer may see."""
    by: str = ""
    """Who gave those codes: people, or coders for a suggestion."""
    is_disputed: bool = False
    """Whether people coded the clip differently and have not agreed."""
    clip_id: str = ""
    first: int = 0
    last: int = 0
    """Lines to show where there is no recording; 0 without any."""
    start_ms: int | None = None
    end_ms: int | None = None
    """What to play; `None` when no time is known."""
    at_ms: int | None = None
    """Where to open the lesson: the quote or line itself; `None` when no time is known."""

    @property
    def can_be_shown(self) -> bool:
        """Whether there is a stretch of the lesson to play or to read."""
        return self.start_ms is not None or self.first > 0


@dataclass(frozen=True, slots=True)
class Found:
    """What was found, and what was left out."""

    moments: tuple[Moment, ...] = ()
    has_more: bool = False
    """Whether there are more than were asked for."""
    hidden_clips: int = 0
    """Clips not looked at, whatever their code: the reviewer codes blind and has not coded them."""
    hidden_notes: int = 0
    """Notes of other people on such clips that hold the words."""


def codes_in_words(moment: Moment) -> str:
    """Write the codes of a moment, e.g. `D3, level 2; D1`, and what is to be known of them."""
    codes = "; ".join(
        code.practice if code.level is None else f"{code.practice}, level {code.level}"
        for code in moment.codes
    )
    if moment.is_disputed:
        return f"{codes} (disputed)"
    return f"{codes} (suggested)" if moment.kind is MomentKind.SUGGESTION else codes


def left_out(found: Found) -> list[str]:
    """Say in full sentences what a blind coder was not shown."""
    told = []
    if found.hidden_clips:
        one = found.hidden_clips == 1
        told.append(
            f"{found.hidden_clips} {'clip was' if one else 'clips were'} left out, whatever "
            f"{'its' if one else 'their'} code: blind mode is on and you have not coded "
            f"{'it' if one else 'them'}."
        )
    if found.hidden_notes:
        one = found.hidden_notes == 1
        told.append(
            f"{found.hidden_notes} {'note' if one else 'notes'} of other people on such clips "
            f"{'was' if one else 'were'} left out as well."
        )
    return told
