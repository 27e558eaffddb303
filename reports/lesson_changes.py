"""What people changed of what was suggested to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from app.coding.records import Decision, Prediction, Verdict
from app.coding.review import LessonReview
from app.lesson.clips import Clip
from reports.lesson_coders import Names, name_coders
from reports.lesson_differences import MOST_ROWS, code_name, codes_name
from reports.wording import count, listed, show_place

Block = dict[str, Any]

_SAME, _LEVEL, _PRACTICE, _NONE, _NEW = "same", "level", "practice", "none", "new"


@dataclass(frozen=True, slots=True)
class _Met:
    """A decision beside the suggestion that was on the screen, or that came to light after it."""

    number: int
    clip: Clip
    decision: Decision
    prediction: Prediction

    @property
    def kind(self) -> str:
        """What became of the suggestion."""
        said, made = self.prediction.code, self.decision
        if said is None:
            return _NEW if made.codes else _SAME
        if not made.codes:
            return _NONE
        if said in made.codes:
            return _SAME
        return _LEVEL if said.practice in {code.practice for code in made.codes} else _PRACTICE

    @property
    def step(self) -> int:
        """How many levels up (above zero) or down; 0 where that cannot be said."""
        level = self.prediction.level
        now = next(
            (c.level for c in self.decision.codes if c.practice == self.prediction.practice), None
        )
        return 0 if level is None or now is None else now - level


def changes(review: LessonReview) -> Block | None:
    """Say what became of suggestions; `None` where no decision met one.

    A blind decision cannot change what was not shown; it is set beside the suggestion and counted
    apart.
    """
    seen = list(_met(review, blind=False))
    blind = list(_met(review, blind=True))
    if not seen and not blind:
        return None
    told = [_seen_words(seen)] if seen else []
    if blind:
        told.append(_blind_words(blind))
    told += _second_thoughts(review)
    moved = [met for met in (*seen, *blind) if met.kind != _SAME]
    moved.sort(key=lambda met: met.number)
    left, names = len(moved) - MOST_ROWS, name_coders(review)
    return {
        "told": told,
        "rows": [_row(met, names) for met in moved[:MOST_ROWS]],
        "more": f"{count(left, 'more clip')}; all are in clips.csv." if left > 0 else "",
    }


def _met(review: LessonReview, *, blind: bool) -> Iterator[_Met]:
    for number, clip in enumerate(review.clips, 1):
        decision = review.decision_for(clip.clip_id)
        if decision is None or decision.blind is not blind:
            continue
        if not blind and not decision.coder:
            continue
        prediction = _suggested(review, decision)
        if prediction is not None and not prediction.is_failure:
            yield _Met(number, clip, decision, prediction)


def _suggested(review: LessonReview, decision: Decision) -> Prediction | None:
    """Give the suggestion that was on the screen; after coding blind, the latest there is."""
    said = review.predictions_for(decision.clip.clip_id)
    if decision.coder:
        said = tuple(p for p in said if p.coder == decision.coder)
        before = tuple(p for p in said if not p.made_at or p.made_at <= decision.made_at)
        said = before or said
    return said[-1] if said else None


def _seen_words(seen: list[_Met]) -> str:
    kinds = Counter(met.kind for met in seen)
    up = sum(met.step > 0 for met in seen if met.kind == _LEVEL)
    down = sum(met.step < 0 for met in seen if met.kind == _LEVEL)
    told = (
        f"Of {count(len(seen), 'decision')} with a suggestion in view, {kinds[_SAME]} left it as "
        f"it was, {kinds[_LEVEL]} changed its level ({up} up, {down} down), "
        f"{kinds[_PRACTICE]} changed the practice, {kinds[_NONE]} rejected it"
    )
    new = f", {kinds[_NEW]} gave a code where none was suggested" if kinds[_NEW] else ""
    return f"{told}{new}."


def _blind_words(blind: list[_Met]) -> str:
    kinds = Counter(met.kind for met in blind)
    return (
        f"Of {count(len(blind), 'blind decision')} on clips with a suggestion, set beside the "
        f"latest one, {kinds[_SAME]} came to the same code and {kinds[_LEVEL]} to the same "
        "practice at another level."
    )


def _second_thoughts(review: LessonReview) -> Iterator[str]:
    """Say where a person decided blind first and otherwise after seeing the suggestion."""
    for number, clip in enumerate(review.clips, 1):
        first: dict[str, Decision] = {}
        for decision in review.decisions_for(clip.clip_id):
            if decision.blind:
                first.setdefault(decision.author, decision)
            elif decision.author in first and decision.codes != first[decision.author].codes:
                before = codes_name(first.pop(decision.author))
                yield (
                    f"Clip {number}: {decision.author or 'somebody unnamed'} decided {before} "
                    f"blind and {codes_name(decision)} after seeing suggestions."
                )


def _row(met: _Met, names: Names) -> list[str]:
    how = "blind" if met.decision.blind else "with it in view"
    by = met.decision.author or "somebody unnamed"
    suggested = f"{code_name(met.prediction.code)} ({names.of(met.prediction.coder)})"
    verdict = "rejected" if met.decision.verdict is Verdict.REJECT else codes_name(met.decision)
    step = (
        f", {abs(met.step)} {'up' if met.step > 0 else 'down'}"
        if met.kind == _LEVEL and met.step
        else ""
    )
    note = f" “{met.decision.note}”" if met.decision.note else ""
    where = listed([f"Clip {met.number}", show_place(met.clip)]).replace(" and ", ", ")
    return [where, suggested, f"{verdict}{step}", f"{by}, {how}.{note}"]
