"""What a person has picked for a clip but not committed: codes, and what they cite for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.coding.records import Citation, Decision
from app.errors import Refused
from app.lesson.clips import Clip
from app.lesson.spans import Span, show_time
from app.lesson.transcript.records import Utterance, span_of
from app.scoring.scored import Code

SEEN_MS = 3000
"""Length of a stretch of picture that is cited from the playhead, until its end is set."""
SEEN_HERE = "seen here"
"""Stands for what is seen while the person has not written what it is."""


@dataclass(frozen=True, slots=True)
class Pick:
    """Codes and citations as they stand on the screen."""

    practice: str = ""
    level: int | None = None
    also: tuple[Code, ...] = ()
    """Further codes, none of them of the main practice."""
    cites: tuple[Citation, ...] = ()

    def with_practice(self, practice: str, level: int | None) -> Pick:
        """Give the pick with another main code, which is then no further code as well."""
        also = tuple(code for code in self.also if code.practice != practice)
        return replace(self, practice=practice, level=level, also=also)

    def with_further(self, practice: str) -> Pick:
        """Add a further practice, or take it out again; the main one is left as it is."""
        if practice == self.practice or not practice:
            return self
        without = tuple(code for code in self.also if code.practice != practice)
        also = without if without != self.also else (*self.also, Code(practice))
        return replace(self, also=also)

    def with_further_level(self, practice: str, level: int | None) -> Pick:
        """Give a further practice another level."""
        also = tuple(Code(c.practice, level) if c.practice == practice else c for c in self.also)
        return replace(self, also=also)

    def citing(self, citation: Citation) -> Pick:
        """Add a citation, or put it in the place of the one that cites the same."""
        same = [place for place, cited in enumerate(self.cites) if _cites_same(cited, citation)]
        if not same:
            return replace(self, cites=(*self.cites, citation))
        place = same[0]
        return replace(self, cites=(*self.cites[:place], citation, *self.cites[place + 1 :]))

    def without_cite(self, place: int) -> Pick:
        """Take out the citation at a place, from 0."""
        return replace(self, cites=(*self.cites[:place], *self.cites[place + 1 :]))

    def with_seen(self, place: int, words: str) -> Pick:
        """Write what is seen in the stretch cited at a place."""
        changed = replace(self.cites[place], seen=" ".join(words.split()) or SEEN_HERE)
        return replace(self, cites=(*self.cites[:place], changed, *self.cites[place + 1 :]))


def pick_of(decision: Decision | None, author: str) -> Pick:
    """Give what a decision picked; what somebody else cited is theirs and not taken over."""
    if decision is None:
        return Pick()
    cites = decision.evidence if decision.author == author else ()
    return Pick(decision.practice, decision.level, decision.also, cites)


def cite_lines(clip: Clip, lines: Sequence[Utterance], numbers: Sequence[int]) -> Citation:
    """Cite lines of a clip word for word, as one citation.

    Args:
        clip: The clip they are cited for.
        lines: The whole transcript.
        numbers: Numbers of the lines.

    Raises:
        Refused: No line is chosen, one lies outside the clip, or one was probably never said.
    """
    chosen = [line for line in lines if line.number in set(numbers)]
    if not chosen:
        raise Refused(
            "No line of the transcript is chosen.", "Click a line of this clip, then cite it."
        )
    outside = [line.number for line in chosen if not clip.first <= line.number <= clip.last]
    if outside:
        raise Refused(
            f"Line {outside[0]} is not in this clip.",
            f"The clip holds lines {clip.first} to {clip.last}."
            if clip.first
            else "Nothing is said in this clip.",
        )
    unsound = [line.number for line in chosen if not line.is_sound]
    if unsound:
        raise Refused(
            f"Line {unsound[0]} was probably never said, so it is no evidence.",
            "Listen to it; mend the words of the line that was really spoken.",
        )
    cited = tuple(line.number for line in chosen)
    span = span_of(lines, cited)
    words = " ".join(line.text for line in chosen)
    if span is None:
        return Citation(words, cited)
    return Citation(words, cited, span.start_ms, span.end_ms)


def cite_seen(clip: Clip, at_ms: int) -> Citation:
    """Cite what is seen from a moment on, for `SEEN_MS` or until the clip ends.

    Raises:
        Refused: The clip has no times, or the moment lies outside it.
    """
    span = _span_around(clip, at_ms)
    return Citation("", (), at_ms, min(at_ms + SEEN_MS, span.end_ms), SEEN_HERE)


def end_seen(clip: Clip, at_ms: int, cites: Sequence[Citation]) -> Citation:
    """End the stretch of picture that was cited last at a moment.

    Raises:
        Refused: No stretch was cited, or the moment does not come after its start in the clip.
    """
    _span_around(clip, at_ms)
    seen = [cited for cited in cites if cited.seen and cited.start_ms is not None]
    if not seen:
        raise Refused(
            "No stretch of picture is cited yet.", "Cite one where it starts, then set its end."
        )
    start_ms = seen[-1].start_ms or 0
    if at_ms <= start_ms:
        raise Refused(
            f"The stretch starts at {show_time(start_ms, tenths=True)}; it cannot end before.",
            "Move the playhead on, then set the end.",
        )
    return replace(seen[-1], end_ms=at_ms)


def _span_around(clip: Clip, at_ms: int) -> Span:
    span = clip.span
    if span is None:
        raise Refused(
            "This clip has no times, so no picture can be cited.", "Cite lines of the transcript."
        )
    if not span.holds(at_ms):
        raise Refused(
            f"The playhead stands at {show_time(at_ms)}, outside this clip.",
            f"The clip runs from {show_time(span.start_ms)} to {show_time(span.end_ms)}.",
        )
    return span


def _cites_same(one: Citation, other: Citation) -> bool:
    if one.seen or other.seen:
        return bool(one.seen and other.seen) and one.start_ms == other.start_ms
    return one.utterances == other.utterances
