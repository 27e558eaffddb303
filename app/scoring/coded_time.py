"""Agreement over time: who coded which milliseconds as what, and which moments they cite."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from app.lesson.spans import Span
from app.scoring.agreement import ALL_THE_SAME, kappas
from app.scoring.figures import Figure, undefined
from app.scoring.intervals import Floats, bootstrap_counts, divide, kinds_of
from app.scoring.proportions import Proportion

NO_JOINT_TIME = "there is no time that both coded"
NOBODY_CITES = "neither cites any moment"


@dataclass(frozen=True, slots=True)
class CodedSpan:
    """A stretch of a lesson and the practice a coder gave to it."""

    span: Span
    practice: str


@dataclass(frozen=True, slots=True)
class JointSpan:
    """Time that lies in one stretch of each coder."""

    length_ms: int
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class TimeAgreement:
    """Two coders over the same recordings, weighed by time.

    Intervals come from drawing whole joint stretches: time inside a stretch is one decision, and
    its milliseconds are no independent items. `n` counts the joint stretches.
    """

    same: Figure
    """Share of the jointly coded time with the same practice."""
    kappa: Figure
    """Cohen's kappa, each millisecond of joint time counting as one rating by each coder."""
    same_ms: int
    joint_ms: int
    only_one_ms: int
    """Time only the first coder coded; it is in neither figure."""
    only_other_ms: int


Lesson = tuple[Sequence[CodedSpan], Sequence[CodedSpan]]
"""The stretches of one recording: the first coder's and the second's."""


def compare_over_time(lessons: Sequence[Lesson]) -> TimeAgreement:
    """Compare two coders over the time of one or more recordings.

    Raises:
        ValueError: Two stretches of one coder overlap in a recording.
    """
    joint = [piece for one, other in lessons for piece in joint_spans(one, other)]
    joint_ms = sum(piece.length_ms for piece in joint)
    one_ms = sum(s.span.duration_ms for one, _ in lessons for s in one)
    other_ms = sum(s.span.duration_ms for _, other in lessons for s in other)
    same_ms = sum(piece.length_ms for piece in joint if piece.one == piece.other)
    return TimeAgreement(
        same=_same(joint),
        kappa=_kappa(joint),
        same_ms=same_ms,
        joint_ms=joint_ms,
        only_one_ms=one_ms - joint_ms,
        only_other_ms=other_ms - joint_ms,
    )


def joint_spans(one: Sequence[CodedSpan], other: Sequence[CodedSpan]) -> tuple[JointSpan, ...]:
    """Give the time that both coded, cut where either of them changes, in order.

    Raises:
        ValueError: Two stretches of one coder overlap.
    """
    left, right = _in_order(one), _in_order(other)
    found, j = [], 0
    for stretch in left:
        while j < len(right) and right[j].span.end_ms <= stretch.span.start_ms:
            j += 1
        for met in right[j:]:
            if met.span.start_ms >= stretch.span.end_ms:
                break
            length_ms = stretch.span.overlap_ms(met.span)
            found.append(JointSpan(length_ms, stretch.practice, met.practice))
    return tuple(found)


def span_overlap(one: Sequence[Span], other: Sequence[Span]) -> Proportion:
    """Count the milliseconds that both cite, out of those that either cites.

    Spans of one coder may overlap; each millisecond counts once. The share is `None` when neither
    cites a moment, and 0 when only one does.
    """
    left, right = _union(one), _union(other)
    either = _length_ms(_union([*left, *right]))
    return Proportion(_length_ms(left) + _length_ms(right) - either, either)


def line_overlap(one: Collection[int], other: Collection[int]) -> Proportion:
    """Count the utterances that both cite, out of those that either cites: for transcripts
    without times.
    """
    return Proportion(len(set(one) & set(other)), len(set(one) | set(other)))


@dataclass(frozen=True, slots=True)
class CitedAgreement:
    """How far two coders cite the same moments."""

    by_clip: tuple[tuple[str, Proportion], ...]
    """Each clip that both coded, by id: milliseconds (or utterances) cited by both out of those
    cited by either."""
    pooled: Figure
    """All in common over all cited, with an interval from drawing whole clips; `n` counts the
    clips in which somebody cites something."""
    only_one_cites: int
    """Clips in which only the first coder cites anything; they count as no overlap."""
    only_other_cites: int


def compare_cited(
    one: Mapping[str, Sequence[Span]], other: Mapping[str, Sequence[Span]]
) -> CitedAgreement:
    """Compare the moments that two coders cite, clip by clip and pooled.

    Args:
        one: The spans the first coder cites, by clip; an empty list where it cites none. Clips
            that only one of them coded are left out.
        other: The second coder's.
    """
    shared = sorted(one.keys() & other.keys())
    by_clip = tuple((clip, span_overlap(one[clip], other[clip])) for clip in shared)
    return CitedAgreement(
        by_clip,
        pool_overlap([overlap for _, overlap in by_clip]),
        sum(bool(one[clip]) and not other[clip] for clip in shared),
        sum(bool(other[clip]) and not one[clip] for clip in shared),
    )


def pool_overlap(overlaps: Sequence[Proportion]) -> Figure:
    """Pool overlaps over clips: all in common over all cited."""
    cited = [overlap for overlap in overlaps if overlap.of]
    if not cited:
        return undefined(NOBODY_CITES)
    kinds, counts = kinds_of([(overlap.count, overlap.of) for overlap in cited])
    table = np.array(kinds, dtype=float)

    def shares(drawn: Floats) -> Floats:
        both_and_either = drawn @ table
        return divide(both_and_either[:, 0], both_and_either[:, 1])

    value = sum(o.count for o in cited) / sum(o.of for o in cited)
    return Figure(value, len(cited), bootstrap_counts(counts, shares))


def _same(joint: Sequence[JointSpan]) -> Figure:
    if not joint:
        return undefined(NO_JOINT_TIME)
    return pool_overlap(
        [Proportion(p.length_ms if p.one == p.other else 0, p.length_ms) for p in joint]
    )


def _kappa(joint: Sequence[JointSpan]) -> Figure:
    if not joint:
        return undefined(NO_JOINT_TIME)
    scale = sorted({p for piece in joint for p in (piece.one, piece.other)})
    kinds, counts = kinds_of([(p.length_ms, p.one, p.other) for p in joint])
    lengths = np.zeros((len(kinds), len(scale), len(scale)))
    for place, (length_ms, one, other) in enumerate(kinds):
        lengths[place, scale.index(one), scale.index(other)] = length_ms

    def of_drawn(drawn: Floats) -> Floats:
        return kappas(np.tensordot(drawn, lengths, axes=1), "plain")

    value = float(of_drawn(np.array([counts], dtype=float))[0])
    if np.isnan(value):
        return undefined(ALL_THE_SAME, len(joint))
    return Figure(value, len(joint), bootstrap_counts(counts, of_drawn, cells=len(scale) ** 2))


def _in_order(stretches: Sequence[CodedSpan]) -> list[CodedSpan]:
    ordered = sorted(stretches, key=lambda stretch: stretch.span)
    for before, after in pairwise(ordered):
        if before.span.overlap_ms(after.span):
            raise ValueError(f"{before.span} and {after.span} of one coder overlap")
    return ordered


def _union(spans: Sequence[Span]) -> list[Span]:
    """Join spans that overlap or touch."""
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start_ms <= joined[-1].end_ms:
            last = joined.pop()
            span = Span(last.start_ms, max(last.end_ms, span.end_ms))
        joined.append(span)
    return joined


def _length_ms(spans: Sequence[Span]) -> int:
    return sum(span.duration_ms for span in spans)
