"""Evidence as the page prints it: the words of the transcript, who spoke, when, and the check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.coding.folding import folded_words
from app.coding.records import Check, Evidence
from app.lesson.spans import show_time
from app.lesson.transcript.records import Utterance, reach_ms
from reports.wording import listed, some

_GAP = " … "
"""What the evidence check puts between the parts of a quote with words left out."""
_MARKS = {
    Check.VERIFIED: ("✓", "Verified", "word for word in the transcript"),
    Check.CLOSE: ("≈", "Close", "the transcript’s wording is shown"),
    Check.NOT_FOUND: ("✗", "Not found", "does not count"),
    Check.OUTSIDE: ("✗", "Outside the clip", "does not count"),
    Check.SEEN: ("○", "Seen, not checked", "only a person can check this"),
}
_CHANGED = ("✗", "No longer in the transcript", "does not count")


class Lines:
    """The transcript as it stands, looked up by line number."""

    def __init__(self, utterances: Sequence[Utterance]) -> None:
        self._lines = tuple(utterances)
        self._index = {line.number: at for at, line in enumerate(self._lines)}

    def of(self, numbers: Sequence[int]) -> list[Utterance]:
        """Give the lines of these numbers that exist, in order of the transcript."""
        return [
            self._lines[at] for at in sorted(self._index[n] for n in numbers if n in self._index)
        ]

    def holds(self, evidence: Evidence) -> bool:
        """Say whether the found words still stand in their lines, after any edits."""
        spoken = [w for line in self.of(evidence.utterances) for w in folded_words(line.text)]
        at = 0
        for part in evidence.found.split(_GAP):
            at = _after(spoken, folded_words(part), at)
            if at < 0:
                return False
        return bool(evidence.found.strip())

    def reach(self, number: int) -> tuple[int | None, int | None]:
        """Give the times of a line."""
        return reach_ms(self._lines, self._index[number])


def counts(evidence: Evidence, lines: Lines) -> bool:
    """Say whether a piece of evidence supports its code on this page.

    It was found when it was checked, and stands in the transcript still.
    """
    return evidence.check.supports and lines.holds(evidence)


def evidence_block(
    evidence: Evidence, lines: Lines, times: Sequence[int], pictures: Mapping[int, str]
) -> dict[str, Any]:
    """Give one piece of evidence for the template.

    Args:
        evidence: A citation beside what the check found.
        lines: The transcript as it stands.
        times: Moments of the pictures to show.
        pictures: Names of the picture files that are there, by moment.
    """
    changed = evidence.check.supports and not lines.holds(evidence)
    mark, word, meaning = _CHANGED if changed else _MARKS[evidence.check]
    seen = evidence.check is Check.SEEN
    supported = evidence.check.supports and not changed
    cited = evidence.citation.quote or evidence.citation.seen
    return {
        "kind": "seen" if seen else "quote" if supported else "struck",
        "text": evidence.found if supported else cited or "(nothing was cited)",
        "where": _where(evidence, lines),
        "mark": mark,
        "word": word,
        "meaning": meaning,
        "details": _details(evidence, lines, changed),
        "good": supported,
        "pictures": [
            {"file": pictures[t], "time": show_time(t, tenths=True)} for t in times if t in pictures
        ],
    }


def _details(evidence: Evidence, lines: Lines, changed: bool) -> list[str]:
    told = []
    if evidence.check is Check.CLOSE and not changed:
        told.append(f"Cited as: “{evidence.citation.quote}”")
    if changed:
        now = " / ".join(line.text for line in lines.of(evidence.utterances))
        told.append(
            "The transcript was edited after this was checked. "
            + (f"The line now reads: “{now}”" if now else "The line is gone.")
        )
    if evidence.weak:
        told.append("Too weak to stand alone.")
    if evidence.reason:
        told.append(evidence.reason)
    return told


def _where(evidence: Evidence, lines: Lines) -> str:
    """Say who spoke, when, and in which lines: `Maya, 0:46 to 0:51, line 9`."""
    found = lines.of(evidence.utterances)
    if not evidence.utterances:
        start_ms = evidence.start_ms if evidence.start_ms is not None else None
        if start_ms is None:
            return ""
        return f"{show_time(start_ms)} to {show_time(evidence.end_ms)}"
    numbers = [line.number for line in found]
    if not numbers:
        return "lines that are no longer there"
    speakers = list(dict.fromkeys(line.speaker or "speaker not known" for line in found))
    name = "line" if len(numbers) == 1 else "lines"
    return ", ".join([listed(speakers), _when(evidence, lines, numbers), f"{name} {some(numbers)}"])


def _when(evidence: Evidence, lines: Lines, numbers: Sequence[int]) -> str:
    first, last = lines.reach(numbers[0]), lines.reach(numbers[-1])
    start_ms, end_ms = first[0], last[1]
    if start_ms is None:
        return "no time"
    # The check may know the very words' times; they hold only while they lie inside the line.
    if evidence.start_ms is not None and start_ms <= evidence.start_ms:
        inside = end_ms is None or evidence.start_ms < end_ms
        start_ms = evidence.start_ms if inside else start_ms
    if evidence.end_ms is not None and end_ms is not None and start_ms <= evidence.end_ms <= end_ms:
        end_ms = evidence.end_ms
    if end_ms is None:
        return f"from {show_time(start_ms)}"
    return f"{show_time(start_ms)} to {show_time(end_ms)}"


def _after(words: Sequence[str], part: Sequence[str], start: int) -> int:
    """Give the place after the first occurrence of `part` in `words`; -1 when there is none."""
    for at in range(start, len(words) - len(part) + 1):
        if tuple(words[at : at + len(part)]) == tuple(part):
            return at + len(part)
    return -1
