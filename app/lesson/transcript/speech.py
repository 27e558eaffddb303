"""From what a speech engine wrote down to lines a reviewer may trust as far as they are marked.

Whisper writes words where nobody speaks, gets stuck in loops and runs past the end of the sound.
Nothing of that is put right in silence: lines are marked, what is left out is counted, and marked
lines are never coded from (`records.NEVER_CODED_FROM`).
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from app.lesson.spans import Span
from app.lesson.transcript.doubt import doubts, has_words
from app.lesson.transcript.heard import Heard
from app.lesson.transcript.records import Flag, Transcript, Utterance, Word

PAUSE_MS = 1000
"""A silence of this length ends a line, whatever the punctuation says."""

JOIN_PAUSE_MS = 300
"""A very short sentence joins the next one when no more than this lies between them."""

JOIN_WORDS = 3
"""The longest sentence that counts as very short: `Okay.`, `All right then.`"""

LONGEST_WORDS = 40
"""A line longer than this is cut at its longest pause, as it has no sentence end to go by."""

VOICE_SLACK_MS = 60
"""Voice activity detection works in steps of 32 ms; two of them may be wrong."""

_SENTENCE_ENDS = ".?!…。？！"
_AFTER_THE_END = "\"'”’»)]"
_ABBREVIATIONS = frozenset({"mr.", "mrs.", "ms.", "dr.", "prof.", "st.", "vs.", "e.g.", "i.e."})


def clean_speech(
    heard: Sequence[Heard],
    sound: Span,
    speech: Sequence[Span],
    *,
    source: str,
    language: str = "",
) -> Transcript:
    """Make a transcript of what an engine heard, with every doubt marked and counted.

    Args:
        heard: Stretches in the order the engine gave them.
        sound: From the first to the last moment of the sound, on the media's clock.
        speech: Where voice activity detection hears somebody speak, in order.
        source: As in `Transcript.source`, e.g. `speech:whisper-base`.
        language: Code of the language, if known.

    Returns:
        Lines of a sentence or two, numbered from 1 by time, and notes on what was done.
    """
    kept = [h for h in heard if has_words(h.text)]
    in_order = sorted(kept, key=lambda h: h.start_ms)
    flags = doubts(in_order, sound, speech)
    cut = [_draw_in(_end_with(h, sound), speech) for h in in_order]
    pieces = [p for p in _words_of(cut, flags) if has_words(p.text)]
    lines = [line for piece in _joined(_sentences(pieces)) for line in _short_enough(piece)]
    utterances = _numbered(lines)
    counts = _Counts(
        empty=len(heard) - len(kept),
        ends_cut=sum(h.start_ms < sound.end_ms < h.end_ms for h in in_order),
    )
    return Transcript(
        utterances, source, language=language, notes=tuple(_notes(utterances, counts))
    )


@dataclass(frozen=True, slots=True)
class _Piece:
    """A word with the doubts about the stretch it stands in; or a stretch without word times."""

    text: str
    start_ms: int
    end_ms: int
    flags: tuple[Flag, ...]
    word: Word | None


@dataclass(frozen=True, slots=True)
class _Counts:
    empty: int
    ends_cut: int


def _end_with(heard: Heard, sound: Span) -> Heard:
    """Cut ends that run past the sound; what lies wholly after it keeps its times, marked."""
    if heard.end_ms <= sound.end_ms or heard.start_ms >= sound.end_ms:
        return heard
    words = tuple(
        replace(
            word,
            start_ms=None if word.start_ms is None else min(word.start_ms, sound.end_ms),
            end_ms=None if word.end_ms is None else min(word.end_ms, sound.end_ms),
        )
        for word in heard.words
    )
    return replace(heard, end_ms=sound.end_ms, words=words)


def _draw_in(heard: Heard, speech: Sequence[Span]) -> Heard:
    """Move the edges of words out of silence, to where the voice sets in and falls silent.

    Whisper gives the pause before a word to the word; a clip would start half a second early.
    """
    starts = [span.start_ms for span in speech]
    return replace(heard, words=tuple(_drawn_in(word, speech, starts) for word in heard.words))


def _drawn_in(word: Word, speech: Sequence[Span], starts: Sequence[int]) -> Word:
    if word.start_ms is None or word.end_ms is None or word.start_ms >= word.end_ms:
        return word
    span = Span(word.start_ms, word.end_ms)
    # Speech is in order, and a lesson has thousands of stretches: look only near the word.
    last = bisect.bisect_left(starts, span.end_ms) - 1
    first = max(0, bisect.bisect_right(starts, span.start_ms) - 1)
    voiced = [part for part in speech[first : last + 1] if span.overlap_ms(part)]
    if not voiced:
        return word
    start = max(span.start_ms, voiced[0].start_ms - VOICE_SLACK_MS)
    end = min(span.end_ms, voiced[-1].end_ms + VOICE_SLACK_MS)
    return replace(word, start_ms=start, end_ms=end)


def _words_of(heard: Iterable[Heard], flags: Iterable[tuple[Flag, ...]]) -> Iterable[_Piece]:
    """Lay all words in one row; times never run backwards and never leave their stretch."""
    for stretch, doubt in zip(heard, flags, strict=True):
        if not stretch.words:
            doubt = (*doubt, Flag.UNTIMED_WORDS)
            yield _Piece(stretch.text, stretch.start_ms, stretch.end_ms, doubt, None)
        clock = stretch.start_ms
        for word in stretch.words:
            start = max(clock, clock if word.start_ms is None else word.start_ms)
            end = max(start, start if word.end_ms is None else word.end_ms)
            clock = start
            bare = replace(word, text=word.text.strip(), start_ms=start, end_ms=end)
            yield _Piece(word.text, start, end, doubt, bare)


def _sentences(pieces: Iterable[_Piece]) -> list[list[_Piece]]:
    """Cut the row of words where a sentence ends, a pause is long, or the doubts change."""
    lines: list[list[_Piece]] = []
    for piece in pieces:
        if lines and not _ends_before(lines[-1][-1], piece):
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return lines


def _ends_before(last: _Piece, following: _Piece) -> bool:
    return (
        last.word is None
        or following.word is None
        or last.flags != following.flags
        or following.start_ms - last.end_ms >= PAUSE_MS
        or _ends_sentence(last.text)
    )


def _ends_sentence(text: str) -> bool:
    bare = text.strip().rstrip(_AFTER_THE_END)
    return bare.endswith(tuple(_SENTENCE_ENDS)) and bare.casefold() not in _ABBREVIATIONS


def _joined(lines: Sequence[list[_Piece]]) -> list[list[_Piece]]:
    """Let a very short sentence stand with the one that follows at once."""
    joined: list[list[_Piece]] = []
    for line in lines:
        if joined and len(joined[-1]) <= JOIN_WORDS and _belong(joined[-1][-1], line[0]):
            joined[-1].extend(line)
        else:
            joined.append(list(line))
    return joined


def _belong(last: _Piece, following: _Piece) -> bool:
    return (
        last.word is not None
        and following.word is not None
        and last.flags == following.flags
        and following.start_ms - last.end_ms <= JOIN_PAUSE_MS
        # A question and its answer are mostly two people.
        and not last.text.strip().endswith(("?", "？"))
    )


def _short_enough(line: list[_Piece]) -> list[list[_Piece]]:
    """Cut a line without sentence ends at its longest pauses, away from both its ends."""
    if len(line) <= LONGEST_WORDS:
        return [line]
    edge = len(line) // 5
    inside = range(edge, len(line) - edge)
    at = max(inside, key=lambda i: (line[i].start_ms - line[i - 1].end_ms, -abs(len(line) - 2 * i)))
    return [*_short_enough(line[:at]), *_short_enough(line[at:])]


def _numbered(lines: Sequence[list[_Piece]]) -> tuple[Utterance, ...]:
    utterances = []
    for number, line in enumerate(lines, start=1):
        end = max(piece.end_ms for piece in line)
        if number < len(lines):
            # Word times overlap by a few hundredths where two stretches meet.
            end = max(line[0].start_ms, min(end, lines[number][0].start_ms))
        words = tuple(piece.word for piece in line if piece.word is not None)
        text = "".join(piece.text for piece in line).strip()
        flags = line[0].flags
        if _is_unsure(words):
            flags = (*flags, Flag.LOW_PROBABILITY)
        utterances.append(Utterance(number, text, line[0].start_ms, end, words=words, flags=flags))
    return tuple(utterances)


LOW_MEAN = 0.6
"""Mean word probability under which a whole line is unsure."""

LOW_WORD = 0.3
"""Probability under which a single word is as likely wrong as not; see tests/data/speech."""

LOW_SHARE = 0.34
"""Share of such words that makes the line unsure."""


def _is_unsure(words: Sequence[Word]) -> bool:
    known = [word.probability for word in words if word.probability is not None]
    if not known:
        return False
    low = sum(probability < LOW_WORD for probability in known)
    return sum(known) / len(known) < LOW_MEAN or low / len(known) >= LOW_SHARE


def _notes(utterances: Sequence[Utterance], counts: _Counts) -> Iterable[str]:
    if not utterances:
        yield "No speech was found in the sound."
    if counts.empty:
        yield f"{_lines(counts.empty)} left out, because no word was in them."
    if counts.ends_cut:
        yield f"{_lines(counts.ends_cut)} cut off at the end of the sound."
    told = {
        Flag.REPEATED: "marked as repeated: the engine wrote the same words again and again",
        Flag.INVENTED: "marked as invented: words where nobody seems to speak",
        Flag.PAST_END: "marked as past the end of the sound",
        Flag.LOW_PROBABILITY: "marked as unsure; alone they are no evidence",
        Flag.UNTIMED_WORDS: "given without times for single words",
    }
    for flag, what in told.items():
        number = sum(flag in u.flags for u in utterances)
        if number:
            coded = ""
            if flag in (Flag.REPEATED, Flag.INVENTED, Flag.PAST_END):
                coded = "; they are shown and never coded from"
            yield f"{_lines(number)} {what}{coded}."


def _lines(number: int) -> str:
    return "1 line was" if number == 1 else f"{number} lines were"
