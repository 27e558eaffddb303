"""Who coded a lesson: each coder in plain words, what came of it, and how its evidence held."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from app.coding.conditions import Input, Prompting, condition_of
from app.coding.probe_records import NOT_ASKED
from app.coding.records import Check, Prediction
from app.coding.review import LessonReview
from app.scoring.intervals import Interval, bootstrap_mean
from app.scoring.proportions import Proportion
from reports.moments import suggestions
from reports.wording import UNDEFINED, count, listed, show_date

Block = dict[str, Any]

_ENDINGS = {
    "schema-fail": "not in the form asked for",
    "refusal": "declined by the model",
    "truncated": "cut off",
    "backend-error": "the engine failed",
    "judge-fail": "could not be judged",
    NOT_ASKED: "not asked, since nothing was said",
}
_GIVEN = {
    Input.T: "the numbered lines of the transcript",
    Input.TV: "the numbered lines of the transcript and frames of the picture",
}
_ASKED = {
    Prompting.ZERO_SHOT: "with the definitions alone",
    Prompting.FEW_SHOT: "with the definitions and one example for each practice",
    Prompting.COT: "and to reason before it answers",
}
_IN_WORDS = ("kind", "engine", "input", "prompting", "draws", "retry", "attempt")
"""Pairs that the page says in words already, and the key of the answer in the library."""
_NAMES = {
    "sha256 weights": "Weights (SHA-256)",
    "sha256 projector": "Projector for pictures (SHA-256)",
    "sha256 template": "Chat template (SHA-256)",
    "sha256 prompt": "Prompt (SHA-256)",
    "endpoint": "Address",
    "model": "Model",
    "practices": "Practices it was told of",
}
_NO_FILE = "0" * 64
_ADDS_UP = re.compile(r"tokens|seconds|retr", re.IGNORECASE)
"""Beginnings of names of pairs that are measured clip by clip."""
_MOST_VALUES = 3
_LONG_NAME = 30
MOST_NAMED = 3
"""With more coders than this, a page speaks of them by number."""


def by_coder(review: LessonReview) -> dict[str, list[Prediction]]:
    """Give what each coder says of the clips as they are now, its latest word on each."""
    found: dict[str, list[Prediction]] = {}
    for clip in review.clips:
        for prediction in suggestions(review, clip.clip_id):
            found.setdefault(prediction.coder, []).append(prediction)
    return found


@dataclass(frozen=True, slots=True)
class Names:
    """How the coders of a lesson are named on its page: by name, or by number where they are many.

    The numbers are those under which the end of the page describes them.
    """

    coders: tuple[str, ...]

    @property
    def by_number(self) -> bool:
        """Whether there are too many to write each out at every clip."""
        return len(self.coders) > MOST_NAMED

    def of(self, coder: str) -> str:
        """Name one coder: `evidence-finder/1`, `coder 4`."""
        return self.together([coder])

    def entry(self, coder: str) -> str:
        """Write a coder out as a table lists it: its name, after its number where that is used."""
        return f"{self.coders.index(coder) + 1}. {shown(coder)}" if self.by_number else shown(coder)

    def together(self, coders: Iterable[str]) -> str:
        """Name several coders: `a and b`, `coders 1, 4 and 7`."""
        different = list(dict.fromkeys(coders))
        if not self.by_number:
            return listed([shown(coder) for coder in different])
        numbers = listed([str(self.coders.index(coder) + 1) for coder in different])
        return f"coder{'s' if len(different) > 1 else ''} {numbers}"


def name_coders(review: LessonReview) -> Names:
    """Give the names under which a page speaks of a lesson's coders."""
    return Names(tuple(by_coder(review)))


def coder_blocks(review: LessonReview) -> list[Block]:
    """Describe each coder: a sentence on what it is, and the pairs that pin it down."""
    names = name_coders(review)
    return [
        {
            "name": f"{names.of(name).capitalize()}: {shown(name)}"
            if names.by_number
            else shown(name),
            "what": _what(said[0]),
            "rows": _rows(said),
        }
        for name, said in by_coder(review).items()
    ]


def ending(status: str) -> str:
    """Say in plain words how an asking ended that gave nothing to use."""
    return _ENDINGS.get(status, status)


def shown(name: str) -> str:
    """Give a long name places to break at, so that it stays in its column."""
    return re.sub(r"(?<=[/_.-])", "\u200b", name) if len(name) > _LONG_NAME else name


def outcomes_table(review: LessonReview) -> list[list[str]]:
    """Count for each coder what came of its clips; failures stand beside and are never scored."""
    rows, names = [], name_coders(review)
    for name, said in by_coder(review).items():
        failed = Counter(ending(p.status) for p in said if p.is_failure)
        why = listed([f"{word} {n}" for word, n in failed.items()])
        again = sum(p.status == "retry-ok" for p in said)
        rows.append(
            [
                names.entry(name),
                str(len(said)),
                str(sum(bool(p.practice) for p in said)),
                str(sum(not p.practice and not p.is_failure for p in said)),
                f"{sum(failed.values())}" + (f" ({why})" if why else ""),
                str(again),
            ]
        )
    return rows


def grounding_table(review: LessonReview) -> list[list[str]]:
    """Count what the check made of each coder's evidence, when it was checked.

    The rate is verified and close over all that was cited, with an interval that draws whole
    clips, since a clip gives several citations (protocols, part 1).
    """
    rows, names = [], name_coders(review)
    for name, said in by_coder(review).items():
        cited = [[e.check for e in p.evidence] for p in said if p.evidence]
        checks = Counter(check for clip in cited for check in clip)
        numbers = [str(checks[check]) for check in Check]
        held = [[float(check.supports) for check in clip] for clip in cited]
        found = checks[Check.VERIFIED] + checks[Check.CLOSE]
        rate = Proportion(found, checks.total())
        rows.append(
            [names.entry(name), str(rate.of), *numbers, rate_words(rate, bootstrap_mean(held))],
        )
    return rows


def rate_words(rate: Proportion, interval: Interval | None, name: str = "") -> str:
    """Write a share with its interval: `83% (71 to 92%)`; a dash where nothing was counted.

    `name` says what stands in the brackets, where no head of a table does: `95% interval`.

    An interval without width, from items that are all alike, says nothing and is left open.
    """
    if rate.share is None:
        return UNDEFINED
    percent = f"{rate.share * 100:.0f}%"
    if interval is None or interval.low == interval.high:
        return f"{percent} ({f'{name} {UNDEFINED}'.strip()})"
    reach = f"{interval.low * 100:.0f} to {interval.high * 100:.0f}%"
    return f"{percent} ({f'{name} {reach}'.strip()})"


def _what(prediction: Prediction) -> str:
    """Say in a sentence what a coder is."""
    asked = condition_of(prediction)
    if asked is not None:
        engine, condition = asked
        return (
            f"The model {engine}, given {_GIVEN[condition.input]} of each clip "
            f"({condition.input}), asked for a code {_ASKED[condition.prompting]} "
            f"({condition.prompting})."
        )
    if "finder" in prediction.coder:
        return (
            "A finder: it looks for words that resemble our examples of each practice. It asks no "
            "model and judges nothing."
        )
    kind = dict(prediction.provenance).get("kind", "")
    return f"{kind[:1].upper()}{kind[1:]}." if kind else "What it is was not recorded."


def _rows(said: Sequence[Prediction]) -> list[list[str]]:
    rows = [["Clips", str(len(said))], ["Kept", _dates(p.made_at for p in said)]]
    if any(p.said for p in said):
        draws = sorted({len(p.said) for p in said})
        most = count(draws[-1], "time") if draws[-1] != 1 else "once"
        less = "" if len(draws) == 1 else f", or fewer ({listed([str(n) for n in draws[:-1]])})"
        rows.append(["Asked of each clip", most + less])
    values: dict[str, list[str]] = {}
    for prediction in said:
        for name, value in prediction.provenance:
            if name not in _IN_WORDS:
                values.setdefault(name, []).append(value)
    rows += [[_NAMES.get(n, n[:1].upper() + n[1:]), _value(n, v)] for n, v in values.items()]
    return rows


def _value(name: str, values: Sequence[str]) -> str:
    """Sum up what a pair says over the clips: once where it is the same, else as a sum or range."""
    different = list(dict.fromkeys(values))
    if different == [_NO_FILE]:
        return f"{UNDEFINED} (none)"
    if name == "frames":
        return _frames(values)
    numbers = [float(value) for value in values if re.fullmatch(r"\d+(\.\d+)?", value)]
    if len(numbers) == len(values) and _ADDS_UP.match(name):
        return f"{sum(numbers):,.0f} over {count(len(values), 'clip')}"
    if len(different) <= _MOST_VALUES:
        return listed(different)
    return f"{len(different)} different values, clip by clip; they are kept in the library"


def _frames(values: Sequence[str]) -> str:
    """Say how many frames a clip was shown with, of values such as `12 at 0, 1000 ms`."""
    shown_with = sorted({value.split(" at ")[0] for value in values}, key=lambda n: (len(n), n))
    ends = list(dict.fromkeys((shown_with[0], shown_with[-1])))
    return f"{' to '.join(ends)} a clip; their times are kept in the library"


def _dates(moments: Iterable[str]) -> str:
    known = sorted(moment for moment in moments if moment)
    if not known:
        return f"{UNDEFINED} (not recorded)"
    first, last = show_date(known[0]), show_date(known[-1])
    return first if first == last else f"{first} to {last}"
