"""What the tests of evidence say to a reviewer before they are started, and when they cannot be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from app.coding.conditions import Input, parse_choice
from app.probing_lessons import ProbePlan
from views.common.words import count_words

HOW = (
    "The model is asked again about each clip: once with the cited evidence alone, once with the "
    "cited evidence masked."
)
HOW_SEEN = (
    "Since it sees, it is also asked without frames, with them in another order, and with frames "
    "of another lesson."
)
NO_MODEL_CODED = (
    "No model has named a practice here, so there is no evidence to test.",
    "Have the lesson coded by a model first: “Find codes…”.",
)

SEVERAL_CODED = (
    "Several models coded this lesson, and it is not clear whose evidence is meant.",
    "Choose above the evidence whose is shown, then start again.",
)


def title_words(title: str, coder: str, clip_ids: Sequence[str] | None) -> str:
    """Name the work: `Test the evidence of small-4b T zero_shot in one clip of “Water”`."""
    part = "" if clip_ids is None else f"{count_words(len(clip_ids), 'clip')} of "
    return f"Test the evidence of {coder} in {part}“{title}”"


def plan_remarks(plan: ProbePlan) -> tuple[str, ...]:
    """Say what is asked, and what of it cannot be asked and why."""
    condition = parse_choice(plan.coder).condition
    sees = condition is not None and condition.input is Input.TV
    told = [f"{HOW} {HOW_SEEN}" if sees else HOW]
    told += [f"Left out in {count_words(n, 'clip')}: {why}" for why, n in plan.not_asked]
    left = Counter(one.why for one in plan.left_out)
    told += [f"Not tested, {count_words(n, 'clip')}: {why}" for why, n in left.items()]
    return tuple(told)


def refusal_words(plan: ProbePlan) -> tuple[str, str]:
    """Say why there is nothing to ask: what happened, and what to do or know."""
    if not plan.left_out:
        return NO_MODEL_CODED
    why = Counter(one.why for one in plan.left_out).most_common()
    return "The evidence cannot be tested.", " ".join(reason for reason, _ in why)
