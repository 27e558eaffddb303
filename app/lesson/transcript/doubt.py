"""Which stretches of machine-written speech cannot be trusted, and why."""

from __future__ import annotations

import itertools
import re
import unicodedata
import zlib
from collections.abc import Sequence

from app.lesson.spans import Span
from app.lesson.transcript.heard import Heard
from app.lesson.transcript.records import Flag

LOOPED_COMPRESSION = 2.4
"""Text that zlib makes this many times shorter is looping (default of Whisper's own decoder, which
takes it over half a minute; here it is taken over each stretch, to spare its neighbours)."""

NO_SPEECH = 0.6
"""Above this probability of no speech, and under `LOW_LOG_PROBABILITY`, Whisper's decoder takes
its own text for invented (the defaults of its own decoder)."""

LOW_LOG_PROBABILITY = -1.0

SPOKEN_SHARE = 0.1
"""A stretch of which less than this share is speech was written where nobody speaks."""

_STOCK_PHRASES = tuple(
    re.compile(pattern)
    for pattern in (
        r"^(thank you|thanks)( (so|very) much)?( guys| everyone)? (for|to) (watching|listening)\b",
        r"\b(please|do not forget to|don t forget to|like and) subscribe\b",
        r"^(i ll )?see you (guys )?(in the )?next (video|time)$",
        r"\bamara ?org\b",
        r"^(subtitles|captions|transcription|transcribed|translated) by\b",
        r"^sous titr\w+ (réalisés|par|fr)\b",
        r"^untertitel(ung)?\b",
        r"^gracias por ver\b",
        r"^subtítulos\b",
        r"^sottotitoli\b",
        r"^legendas? (pela|por)\b",
        r"^(продолжение следует|субтитры|редактор субтитров)\b",
        r"ご視聴ありがとうございました",
        r"(字幕|请不吝点赞|感谢观看|謝謝觀看)",
        r"시청해 ?주셔서 감사합니다",
    )
)
"""What Whisper learned from the ends of videos; folded as by `fold`."""

_ORDINARY_PHRASES = frozenset({"you", "thank you", "thanks", "bye", "bye bye", "okay", "so", "oh"})
"""People do say these, but on noise Whisper writes them alone; they need stronger signs."""


def doubts(heard: Sequence[Heard], sound: Span, speech: Sequence[Span]) -> list[tuple[Flag, ...]]:
    """Say for each stretch which flags it deserves, in the order of `Flag`.

    Args:
        heard: Stretches in order of time.
        sound: All of the sound.
        speech: Where somebody speaks, by voice activity detection.
    """
    looped = find_loops([h.text for h in heard])
    found = []
    for index, stretch in enumerate(heard):
        flags = []
        if index in looped:
            flags.append(Flag.REPEATED)
        if is_invented(stretch, speech):
            flags.append(Flag.INVENTED)
        if stretch.start_ms >= sound.end_ms:
            flags.append(Flag.PAST_END)
        found.append(tuple(flags))
    return found


def is_invented(stretch: Heard, speech: Sequence[Span]) -> bool:
    """Say whether words were written where, by all signs, nobody speaks."""
    share = _spoken_share(stretch, speech)
    unsure = stretch.mean_log_probability < LOW_LOG_PROBABILITY
    if share < SPOKEN_SHARE or (stretch.no_speech > NO_SPEECH and unsure):
        return True
    folded = fold(stretch.text)
    if any(pattern.search(folded) for pattern in _STOCK_PHRASES):
        # Whisper says them with confidence: half the usual signs are enough.
        return (
            share < 0.5
            or stretch.no_speech > NO_SPEECH / 2
            or stretch.mean_log_probability < LOW_LOG_PROBABILITY / 2
        )
    return folded in _ORDINARY_PHRASES and stretch.no_speech > NO_SPEECH and share < 0.5


def find_loops(texts: Sequence[str]) -> set[int]:
    """Give the indexes of texts that are stuck: in themselves, or one after the other.

    A person may well say `no, no, no, no`, so that short phrases have to come more often: a
    phrase of one or two words 8 times, of three or four 5 times, a longer one 3 times.
    """
    folded = [fold(text) for text in texts]
    stuck = {i for i, text in enumerate(folded) if _is_stuck(text)}
    at = 0
    for text, run in itertools.groupby(folded):
        number = len(list(run))
        if text and number >= _times_for(len(text.split())):
            stuck.update(range(at, at + number))
        at += number
    return stuck


def fold(text: str) -> str:
    """Bring a text to lower case without punctuation, words apart by one space."""
    text = unicodedata.normalize("NFC", text).casefold()
    return " ".join(re.findall(r"\w+", text))


def has_words(text: str) -> bool:
    """Say whether there is anything to read in a text: dots and music signs are not."""
    return any(sign.isalnum() for sign in text)


def _times_for(words: int) -> int:
    if words <= 2:
        return 8
    return 5 if words <= 4 else 3


def _is_stuck(text: str) -> bool:
    packed = len(zlib.compress(text.encode()))
    return len(text.encode()) / packed > LOOPED_COMPRESSION or _repeats_itself(text.split())


def _repeats_itself(words: Sequence[str]) -> bool:
    """Say whether some phrase stands there again and again without a break."""
    for length in range(1, len(words) // 3 + 1):
        times = _times_for(length)
        run = 0
        for i in range(length, len(words)):
            run = run + 1 if words[i] == words[i - length] else 0
            # `times` copies in a row agree with what stands one copy earlier `times - 1` times.
            if run >= (times - 1) * length:
                return True
    return False


def _spoken_share(stretch: Heard, speech: Sequence[Span]) -> float:
    """Share of the words' time (of the stretch, without words) in which somebody speaks."""
    spans = [
        Span(word.start_ms, word.end_ms)
        for word in stretch.words
        if word.start_ms is not None and word.end_ms is not None and word.start_ms < word.end_ms
    ]
    if not spans:
        spans = [Span(stretch.start_ms, max(stretch.end_ms, stretch.start_ms + 1))]
    spoken = sum(span.overlap_ms(part) for span in spans for part in speech)
    return spoken / sum(span.duration_ms for span in spans)
