"""The evidence check: what a coder cites is a claim until it was found in the transcript.

One pure function for every coder, person or model. What fails is kept, marked with the reason, and
never counts as support.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from app.coding.cautions import differences, left_out
from app.coding.folding import folded_words
from app.coding.quotes import Passage, WordIndex
from app.coding.records import Check, Citation, Evidence, Prediction
from app.lesson.clips import Clip
from app.lesson.spans import Span, show_time
from app.lesson.transcript.records import Flag, Utterance, reach_ms
from app.scoring.proportions import Proportion

_GAP = re.compile(r"\s*(?:[\[(<]\s*(?:\.{2,}|…)\s*[\])>]|(?:\.\s?){3,}|…+)\s*")
_SHORTEST_PART = 3
# With shorter pieces, words picked from anywhere could be joined into a quote nobody spoke.
_SHORT_QUOTE = 2


def check_evidence(
    citations: Sequence[Citation], utterances: Sequence[Utterance], clip: Clip
) -> tuple[Evidence, ...]:
    """Look up what a coder cites of one clip; one piece of evidence for each citation, in order.

    Whoever checks many clips of one lesson makes a `QuoteFinder` once and asks it instead.
    """
    finder = QuoteFinder(utterances)
    return tuple(finder.check(citation, clip) for citation in citations)


def grounding(evidence: Sequence[Evidence]) -> Proportion | None:
    """Give how much of the cited evidence was found (verified or close), over all cited.

    `None` when nothing was cited: the rate is then undefined.
    """
    if not evidence:
        return None
    return Proportion(sum(e.check.supports for e in evidence), len(evidence))


def run_grounding(predictions: Sequence[Prediction]) -> Proportion | None:
    """Give the grounding of a whole run: found pieces of evidence over all that were cited.

    Pooled over its predictions, so that a clip with much evidence weighs more than one with little.
    """
    return grounding([cited for prediction in predictions for cited in prediction.evidence])


def stands(evidence: Sequence[Evidence]) -> bool:
    """Say whether something supports the code that may do so alone (see `Evidence.weak`)."""
    return any(e.check.supports and not e.weak for e in evidence)


class QuoteFinder:
    """Checks citations against one transcript, which it indexes once.

    Lines that are never coded from (`NEVER_CODED_FROM`) are left out; a quote that stands only in
    such a line is not found, and the reason says where it stands.
    """

    def __init__(self, utterances: Sequence[Utterance]) -> None:
        self._lines = sorted(utterances, key=lambda u: u.number)
        self._index_of = {line.number: at for at, line in enumerate(self._lines)}
        self._sound = WordIndex(line for line in self._lines if line.is_sound)
        self._timed: dict[int, tuple[tuple[int | None, int | None], ...]] = {}

    @cached_property
    def _doubtful(self) -> WordIndex:
        return WordIndex(line for line in self._lines if not line.is_sound)

    def check(self, citation: Citation, clip: Clip) -> Evidence:
        """Look up one citation in its clip."""
        if citation.quote.strip():
            return self._check_quote(citation, clip)
        return _check_span(citation, clip)

    def _check_quote(self, citation: Citation, clip: Clip) -> Evidence:
        words = folded_words(citation.quote)
        if not words:
            return Evidence(citation, Check.NOT_FOUND, reason="The quote holds no words.")
        inside = self._sound.range_of(clip.first, clip.last) if clip.first else (0, 0)
        here = self._sound.find(words, *inside)
        if here:
            best = self._best_place(here, citation)
            return self._found(citation, Check.VERIFIED, (best,), words, places=len(here))
        joined = self._find_parts(citation.quote, *inside)
        if joined:
            exact = all(p.score == 100.0 for p in joined)
            check = Check.VERIFIED if exact else Check.CLOSE
            return self._found(citation, check, joined, words)
        near = self._sound.nearest(words, *inside)
        if near:
            return self._found(citation, Check.CLOSE, (near,), words)
        return self._missing(citation, words)

    def _find_parts(self, quote: str, first: int, end: int) -> tuple[Passage, ...]:
        """Find the parts of a quote with gaps, each after the one before; none unless all."""
        parts = [words for words in map(folded_words, _GAP.split(quote)) if words]
        if len(parts) < 2 or min(map(len, parts)) < _SHORTEST_PART:
            return ()
        found: list[Passage] = []
        for part in parts:
            places = self._sound.find(part, first, end)
            place = places[0] if places else self._sound.nearest(part, first, end)
            if place is None:
                return ()
            found.append(place)
            first = place.end
        return tuple(found)

    def _best_place(self, places: Sequence[Passage], citation: Citation) -> Passage:
        """Choose among places with the same words: where the coder says, else the first."""
        cited = set(citation.utterances)
        if cited:
            for place in places:
                if cited.intersection(u.number for u in self._sound.lines_of(place)):
                    return place
        return places[0]

    def _found(
        self,
        citation: Citation,
        check: Check,
        passages: Sequence[Passage],
        words: Sequence[str],
        places: int = 1,
    ) -> Evidence:
        lines = [line for p in passages for line in self._sound.lines_of(p)]
        numbers = tuple(dict.fromkeys(line.number for line in lines))
        start_ms, end_ms = self._times(passages[0])[0], self._times(passages[-1])[1]
        warnings = self._warnings(check, passages, words, places, lines)
        notes = _misplaced(citation, numbers, start_ms, end_ms)
        skipped = sum(b.first - a.end for a, b in pairwise(passages))
        if skipped:
            notes.append(f"Words left out between the parts of the quote: {skipped}.")
        return Evidence(
            citation,
            check,
            found=" … ".join(self._sound.wording(p) for p in passages),
            utterances=numbers,
            start_ms=start_ms,
            end_ms=end_ms,
            score=min(p.score for p in passages),
            reason=" ".join([*warnings, *notes]),
            weak=bool(warnings),
        )

    def _warnings(
        self,
        check: Check,
        passages: Sequence[Passage],
        words: Sequence[str],
        places: int,
        lines: Sequence[Utterance],
    ) -> list[str]:
        """Tell what keeps found words from standing alone; empty when nothing does."""
        told = []
        spoken = [w for p in passages for w in self._sound.words[p.first : p.end]]
        if check is Check.CLOSE:
            told += differences(words, spoken)
        told += left_out(self._sound.words[a.end : b.first] for a, b in pairwise(passages))
        if len(words) <= _SHORT_QUOTE and places > 1:
            told.append(f"So short that it stands in {places} places of the clip.")
        if all(Flag.LOW_PROBABILITY in line.flags for line in lines):
            told.append("Speech to text was unsure of these words.")
        return told

    def _missing(self, citation: Citation, words: Sequence[str]) -> Evidence:
        """Say of words that are not in the clip whether they stand anywhere else."""
        elsewhere = self._sound.find(words, *self._sound.everything)
        if elsewhere:
            place = self._best_place(elsewhere, citation)
            numbers = tuple(line.number for line in self._sound.lines_of(place))
            start_ms, end_ms = self._times(place)
            where = _where(numbers, start_ms)
            return Evidence(
                citation,
                Check.OUTSIDE,
                found=self._sound.wording(place),
                utterances=numbers,
                start_ms=start_ms,
                end_ms=end_ms,
                score=100.0,
                reason=f"These words stand in {where}, which is not wholly inside the clip.",
            )
        doubted = self._doubtful.find(words, *self._doubtful.everything)
        if doubted:
            line = self._doubtful.lines_of(doubted[0])[0]
            reason = (
                f"These words stand only in utterance {line.number}, which is marked "
                f"“{line.flags[0].value}” and is never used as evidence."
            )
            return Evidence(citation, Check.NOT_FOUND, reason=reason)
        return Evidence(
            citation, Check.NOT_FOUND, reason="These words are not in the transcript of the clip."
        )

    def _times(self, passage: Passage) -> tuple[int | None, int | None]:
        """Give when a passage starts and ends: by its words if timed, else its lines."""
        first, last = passage.first, passage.end - 1
        start_ms = self._token_times(first)[0]
        end_ms = self._token_times(last)[1]
        if start_ms is not None and end_ms is not None and end_ms < start_ms:
            return start_ms, None
        return start_ms, end_ms

    def _token_times(self, token: int) -> tuple[int | None, int | None]:
        line = self._sound.line_of[token]
        if line not in self._timed:
            self._timed[line] = self._time_line(line)
        return self._timed[line][token - self._sound.tokens_of(line)[0]]

    def _time_line(self, at: int) -> tuple[tuple[int | None, int | None], ...]:
        line = self._sound.lines[at]
        start_ms, end_ms = reach_ms(self._lines, self._index_of[line.number])
        first, end = self._sound.tokens_of(at)
        timed = [(text, word) for word in line.words for text in folded_words(word.text)]
        # Words that no longer are the line's words, after an edit, say nothing about its times.
        if [text for text, _ in timed] != self._sound.words[first:end]:
            return ((start_ms, end_ms),) * (end - first)
        return tuple(
            (
                start_ms if word.start_ms is None else word.start_ms,
                end_ms if word.end_ms is None else word.end_ms,
            )
            for _, word in timed
        )


def _check_span(citation: Citation, clip: Clip) -> Evidence:
    """Check a description of what is seen: its time must lie inside the clip."""
    start_ms, end_ms = citation.start_ms, citation.end_ms
    if start_ms is None or end_ms is None:
        cited = citation.seen.strip() or citation.utterances
        reason = "Neither words nor a whole time is cited." if cited else "Nothing is cited."
        return Evidence(citation, Check.NOT_FOUND, reason=reason)
    if start_ms >= end_ms:
        return Evidence(citation, Check.NOT_FOUND, reason="The cited time ends before it starts.")
    if clip.start_ms is None or clip.end_ms is None:
        reason = "The clip has no times, so the cited time cannot be checked."
        return Evidence(citation, Check.NOT_FOUND, reason=reason)
    if not Span(clip.start_ms, clip.end_ms).contains(Span(start_ms, end_ms)):
        reason = (
            f"The cited time, {show_time(start_ms)} to {show_time(end_ms)}, does not lie inside "
            f"the clip, {show_time(clip.start_ms)} to {show_time(clip.end_ms)}."
        )
        return Evidence(citation, Check.OUTSIDE, start_ms=start_ms, end_ms=end_ms, reason=reason)
    reason = "" if citation.seen.strip() else "Only a time is cited, not what is seen there."
    return Evidence(citation, Check.SEEN, start_ms=start_ms, end_ms=end_ms, reason=reason)


def _misplaced(
    citation: Citation, numbers: Sequence[int], start_ms: int | None, end_ms: int | None
) -> list[str]:
    """Tell where the words really stand, when that is not where the coder says."""
    told = []
    if citation.utterances and not set(citation.utterances).intersection(numbers):
        cited = _listed(citation.utterances)
        told.append(f"The words stand in {_where(numbers, start_ms)}, not in the cited {cited}.")
    if citation.start_ms is None or citation.end_ms is None or start_ms is None or end_ms is None:
        return told
    if citation.start_ms >= end_ms or citation.end_ms <= start_ms:
        told.append(
            f"The words are spoken at {show_time(start_ms)}, "
            f"not at the cited {show_time(citation.start_ms)}."
        )
    return told


def _where(numbers: Sequence[int], start_ms: int | None) -> str:
    time = "" if start_ms is None else f" at {show_time(start_ms)}"
    return f"utterance {_listed(numbers)}{time}"


def _listed(numbers: Sequence[int]) -> str:
    """Write numbers as a person would: 4, 4 and 5, or 4 to 9."""
    if len(numbers) == 1:
        return str(numbers[0])
    if len(numbers) == 2:
        return f"{numbers[0]} and {numbers[1]}"
    return f"{min(numbers)} to {max(numbers)}"
