"""Windows for the other half of a set: none of the five criteria, by any reader, nor nearby."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from app.confusion.curation import Place, mixed
from app.confusion.events import reviewer_events
from app.confusion.records import SEGMENT_MS, WINDOW_MS, Bands, CueKind, Level, Reading
from app.confusion.review import LearnerReview

NOT_READ = "not every reader has read the whole video"
NOT_VISIBLE = "no usable face, or the reading failed"
SIGN = "a reader saw a level above none, or one of the five criteria"
NEAR = "next to a window that a reader found positive"
EVENT = "in an event that a person marked"
JUDGED = "judged by a person as a candidate"
SHORT = "shorter than a whole window"
SAME = "in the same 10 s as a window that was taken"


@dataclass(frozen=True, slots=True)
class ClearWindow:
    """A window in which no reader saw anything that speaks for or against confusion."""

    lesson_id: str
    learner_id: str
    start_ms: int
    end_ms: int


@dataclass(frozen=True, slots=True)
class ClearWindows:
    """Windows that may stand for no confusion, and why others may not."""

    windows: tuple[ClearWindow, ...]
    left_out: Counter[str]
    """Windows by the reason they were left out for; each counts once."""


def clear_windows(
    reviews: Iterable[LearnerReview],
    readers: Sequence[str] = (),
    judged: Iterable[Place] = (),
    seed: int = 0,
) -> ClearWindows:
    """Find windows that may stand for no confusion; conservative in every doubt.

    Every chosen reader must have read the whole video, see a face, say none, and name no cue of
    the criteria, a smile included. Windows beside positive ones, in people's events, or judged as
    candidates are left out, and of each 10 s one at most is taken.

    Args:
        reviews: Learner videos.
        readers: Who must see nothing; all that have read a video when empty.
        judged: Windows that people spoke of.
        seed: Chooses among the windows of 10 s.
    """
    places, left_out = set(judged), Counter[str]()
    found: list[ClearWindow] = []
    for review in reviews:
        bands = _bands(review, readers)
        if not bands or not all(one.is_complete for one in bands):
            left_out[NOT_READ] += max((len(one.readings) for one in bands), default=1)
            continue
        clear = _clear_of(review, bands, places, left_out)
        found += _one_a_segment(clear, review, seed, left_out)
    return ClearWindows(tuple(found), left_out)


def balanced(
    windows: Sequence[ClearWindow], wanted: Mapping[str, int], seed: int = 0
) -> tuple[ClearWindow, ...]:
    """Take windows so that, as far as there are any, each learner shows both labels alike.

    Otherwise a reader could tell yes from no by knowing the face. What a learner lacks is taken
    from all learners in turn. Which of a video's windows is decided by the seed alone, so the same
    library gives the same set; fewer than wanted come back where there are no more.

    Args:
        windows: What may be taken.
        wanted: How many windows each learner lacks; below zero where there are too many already.
        seed: Chooses.
    """
    by_learner: dict[str, dict[str, list[ClearWindow]]] = {}
    for one in sorted(windows, key=lambda w: _mix(seed, w)):
        by_learner.setdefault(one.learner_id, {}).setdefault(one.lesson_id, []).append(one)
    piles = {who: _in_turn(list(videos.values())) for who, videos in by_learner.items()}
    own = [one for who, pile in piles.items() for one in pile[: max(0, wanted.get(who, 0))]]
    rest = _in_turn([pile[max(0, wanted.get(who, 0)) :] for who, pile in piles.items()])
    return tuple([*own, *rest][: max(0, sum(wanted.values()))])


def _in_turn(piles: list[list[ClearWindow]]) -> list[ClearWindow]:
    return [one for turn in zip_longest(*piles) for one in turn if one is not None]


def _bands(review: LearnerReview, readers: Sequence[str]) -> list[Bands]:
    if not readers:
        return list(review.latest_bands)
    found = [review.bands_of(name) for name in readers]
    return [one for one in found if one is not None] if all(found) else []


def _clear_of(
    review: LearnerReview, bands: Sequence[Bands], places: set[Place], left_out: Counter[str]
) -> list[Reading]:
    events = reviewer_events(review.decisions)
    positive = {r.start_ms for one in bands for r in one.readings if r.is_positive}
    at: dict[int, list[Reading]] = {}
    for one in bands:
        for reading in one.readings:
            at.setdefault(reading.start_ms, []).append(reading)
    clear = []
    for start_ms, seen in sorted(at.items()):
        first = seen[0]
        why = _why_not(seen, len(bands))
        if not why and {start_ms - WINDOW_MS, first.end_ms} & positive:
            why = NEAR
        if not why and any(e.start_ms < first.end_ms and start_ms < e.end_ms for e in events):
            why = EVENT
        if not why and (review.lesson_id, start_ms) in places:
            why = JUDGED
        if why:
            left_out[why] += 1
        else:
            clear.append(first)
    return clear


def _why_not(seen: Sequence[Reading], readers: int) -> str:
    if len(seen) < readers:
        return NOT_READ
    if any(not reading.is_visible or reading.level is None for reading in seen):
        return NOT_VISIBLE
    if any(
        reading.level is not Level.NONE or any(c.kind is not CueKind.OTHER for c in reading.cues)
        for reading in seen
    ):
        return SIGN
    return "" if seen[0].end_ms - seen[0].start_ms == WINDOW_MS else SHORT


def _one_a_segment(
    clear: Sequence[Reading], review: LearnerReview, seed: int, left_out: Counter[str]
) -> list[ClearWindow]:
    start_ms = review.media.start_ms if review.media is not None else 0
    taken: dict[int, ClearWindow] = {}
    for reading in clear:
        one = ClearWindow(
            review.lesson_id, review.learner.learner_id, reading.start_ms, reading.end_ms
        )
        segment = (reading.start_ms - start_ms) // SEGMENT_MS
        before = taken.get(segment)
        left_out[SAME] += before is not None
        if before is None or _mix(seed, one) < _mix(seed, before):
            taken[segment] = one
    return [taken[segment] for segment in sorted(taken)]


def _mix(seed: int, window: ClearWindow) -> str:
    return mixed(str(seed), window.lesson_id, str(window.start_ms))
