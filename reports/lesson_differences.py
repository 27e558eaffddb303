"""Where coders, draws of one model, and people differ on a lesson."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from app.coding.records import Decision, Prediction
from app.coding.review import LessonReview
from app.lesson.clips import Clip
from app.scoring.intervals import bootstrap_mean, wilson
from app.scoring.proportions import Proportion
from app.scoring.scored import ANSWERED, Code
from reports.lesson_coders import Names, by_coder, name_coders, rate_words, shown
from reports.moments import suggestions
from reports.wording import count, listed, show_place, some

MOST_ROWS = 60
"""Clips listed before the rest is left to the table beside the page."""

INTERVAL = "95% interval"

Block = dict[str, Any]


def code_name(code: Code | None) -> str:
    """Write a code in short: `D1 level 2`, `no practice`."""
    if code is None:
        return "no practice"
    return code.practice if code.level is None else f"{code.practice} level {code.level}"


def codes_name(decision: Decision) -> str:
    """Write all codes of a decision in short: `D1 level 2 and D3 level 1`, `none of the four`."""
    return listed([code_name(code) for code in decision.codes]) or "none of the four"


def coders_apart(review: LessonReview) -> Block | None:
    """Say on how many clips coders agree, and who says what on the others.

    A failure says nothing of a clip and is left out; finding no practice is an answer. `None`
    where no clip was answered by two coders.
    """
    shared = [
        (number, clip, answers)
        for number, clip in enumerate(review.clips, 1)
        if len(answers := [p for p in suggestions(review, clip.clip_id) if not p.is_failure]) > 1
    ]
    if not shared:
        return None
    same = [s for s in shared if len({p.practice for p in s[2]}) == 1]
    level_only = [number for number, _, said in same if len({p.level for p in said}) > 1]
    apart = [s for s in shared if len({p.practice for p in s[2]}) > 1]
    rate = Proportion(len(same), len(shared))
    told = [
        f"Of {count(rate.of, 'clip')} that two or more coders answered, {rate.count} got the same "
        f"practice from all of them: {rate_words(rate, wilson(rate), INTERVAL)}."
    ]
    if level_only:
        clips = "clip" if len(level_only) == 1 else "clips"
        told.append(
            f"They agree on the practice but not on its level in {clips} {some(level_only)}."
        )
    names = name_coders(review)
    rows = [[*_place(n, clip), _who_says_what(said, names)] for n, clip, said in apart[:MOST_ROWS]]
    return {"told": told, "rows": rows, "more": _more(len(apart))}


def draws_apart(review: LessonReview) -> list[str]:
    """Say for each coder that asked more than once how far its draws agree with its answer."""
    return [words for name, said in by_coder(review).items() for words in _draws(name, said)]


def people_apart(review: LessonReview) -> Block | None:
    """List the clips on which people differ and no code stands; `None` without any."""
    apart = [
        (number, clip, words)
        for number, clip in enumerate(review.clips, 1)
        if (words := review.disputed_words(clip.clip_id))
    ]
    if not apart:
        return None
    rows = [[*_place(n, clip), "; ".join(map(who_decided, words))] for n, clip, words in apart]
    told = (
        f"On {count(len(apart), 'clip')} of {len(review.clips)} people decided differently and "
        "have not agreed since. No code stands there, and nothing is counted from "
        + ("it." if len(apart) == 1 else "them.")
    )
    return {"told": [told], "rows": rows[:MOST_ROWS], "more": _more(len(rows))}


def who_decided(decision: Decision) -> str:
    """Write one person's word: `AB: D1 level 2 (blind)`."""
    blind = " (blind)" if decision.blind else ""
    return f"{decision.author or 'somebody unnamed'}: {codes_name(decision)}{blind}"


def _draws(name: str, said: Sequence[Prediction]) -> Iterator[str]:
    several = [p for p in said if len(p.said) > 1]
    if not several:
        return
    answers = [
        [(s.code.practice if s.code else "") == p.practice for s in p.said if s.status in ANSWERED]
        for p in several
    ]
    failed = sum(s.status not in ANSWERED for p in several for s in p.said)
    rate = Proportion(sum(map(sum, answers)), sum(map(len, answers)))
    interval = bootstrap_mean([[float(same) for same in clip] for clip in answers])
    told = (
        f"{shown(name)}: {rate.count} of {count(rate.of, 'draw')} over "
        f"{count(len(several), 'clip')} name the practice that stands as its answer: "
        f"{rate_words(rate, interval, INTERVAL)}."
    )
    yield told + (f" {count(failed, 'more draw')} failed." if failed else "")


def _who_says_what(said: Sequence[Prediction], names: Names) -> str:
    """Gather coders by what they say: `D1 level 2: a and b; D3 level 3: c`."""
    by_code: dict[str, list[str]] = {}
    for prediction in said:
        by_code.setdefault(code_name(prediction.code), []).append(prediction.coder)
    return "; ".join(f"{code}: {names.together(coders)}" for code, coders in by_code.items())


def _place(number: int, clip: Clip) -> list[str]:
    return [f"Clip {number}", show_place(clip)]


def _more(rows: int) -> str:
    left = rows - MOST_ROWS
    return f"{count(left, 'more clip')}; all are in clips.csv beside this page." if left > 0 else ""
