"""From the signs of one window to a level: the five criteria as far as a face shows them.

Brows and lids decide, above all together. The upper lip, pressed lips, a hand and leaning in only
ever support. A smile speaks against (ConfusionBench, section 3.3).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.confusion.baseline import Baseline, Usual
from app.confusion.face_measures import Measures
from app.confusion.records import Confidence, Level
from app.confusion.thresholds import Thresholds

SLIGHT, CLEAR, STRONG = 1, 2, 3
"""Steps of a sign over what is usual; 0 is none."""


@dataclass(frozen=True, slots=True, eq=False)
class Signs:
    """What one window shows. Only moments count at which the face can be read."""

    brow: int
    """Step that is held for `held_share` of the window."""
    brow_long: int
    """Step of the brows that is held for `long_share` of it."""
    lids: int
    together: int
    """Step that brows and lids reach at the same moments."""
    lip_raised: bool
    lips_pressed: bool
    smile_share: float
    hand_share: float
    leaning: float
    """How much nearer the face is than usual: 0.3 for a third nearer; 0 where that is not known."""
    is_head_lowered: bool
    """Whether the head is lowered so far that brows and lids look lower for that alone."""
    margin: float
    """How far the sign that decides lies over what it needed, or below it where none does: 1 is
    right at the threshold."""
    evidence_ms: tuple[int, ...]
    """Moments at which brows and lids show most, at most three."""

    @property
    def support(self) -> int:
        """How many of the supporting signs are there."""
        return sum((self.lip_raised, self.lips_pressed, self.hand_share > 0, self.leaning > 0))


def usual_of(sign: str, baseline: Baseline | None, thresholds: Thresholds) -> Usual:
    """Give what is usual of a sign: of this learner, or of faces at rest where nobody knows."""
    if baseline is not None:
        return baseline.of(sign)
    return Usual(float(getattr(thresholds, f"typical_{sign}")), 0.0)


def needed(sign: str, step: int, baseline: Baseline | None, thresholds: Thresholds) -> float:
    """Give how far a sign has to rise over what is usual to reach a step."""
    name = sign if sign in ("lip_raised", "lips_pressed") else f"{sign}_{_STEPS[step]}"
    rise = float(getattr(thresholds, name))
    if baseline is None:
        return rise * thresholds.unknown_factor
    return max(rise, thresholds.spreads * baseline.of(sign).spread)


def signs_of(
    measures: Measures, picture_width_px: int, baseline: Baseline | None, thresholds: Thresholds
) -> Signs:
    """Find the signs in one window; `measures` are those of the window, with a usable face."""
    smiles = measures.signs["smile"] >= thresholds.smile
    # A smile narrows the lids and raises the lip, so nothing is counted under one.
    calm = measures.usable & ~smiles
    brow, lids = (_steps(sign, measures, baseline, thresholds) for sign in ("brow", "lids"))
    brow, lids = np.where(calm, brow, 0), np.where(calm, lids, 0)
    usable = measures.usable

    def held(steps: NDArray[np.int_], share: float = thresholds.held_share) -> int:
        return int(held_value(steps[usable], share))

    return Signs(
        brow=held(brow),
        brow_long=held(brow, thresholds.long_share),
        lids=held(lids),
        together=held(np.minimum(brow, lids)),
        lip_raised=_supports("lip_raised", measures, calm, baseline, thresholds),
        lips_pressed=_supports("lips_pressed", measures, calm, baseline, thresholds),
        smile_share=float(smiles[usable].mean()),
        hand_share=_hand_share(measures, thresholds),
        leaning=_leaning(measures, picture_width_px, baseline, thresholds),
        is_head_lowered=_is_lowered(measures, baseline, thresholds),
        margin=_margin(measures, calm, baseline, thresholds),
        evidence_ms=_strongest(measures, brow, lids, baseline, thresholds),
    )


def level_of(signs: Signs, thresholds: Thresholds) -> Level:
    """Give the level of a window by the rules of the face-cue reader.

    high: brows strongly lowered, with the lids clearly tightened at the same moments.
    medium: both clearly at the same moments; or brows alone, strongly lowered or clearly for most
    of the window; or brows clearly lowered and the lids slightly tightened with them, and a
    supporting sign.
    low: brows clearly lowered for less, or lids clearly tightened with slightly lowered brows, or
    lids strongly tightened alone.
    none: anything else. Supporting signs alone are none.

    A smile in half of the moments makes it none, in fewer it takes a step.
    """
    if signs.smile_share >= 0.5:
        return Level.NONE
    level = _unsmiling(signs)
    if signs.smile_share >= thresholds.held_share and level is not Level.NONE:
        return list(Level)[level.rank - 1]
    return level


def confidence_of(
    signs: Signs, seen_share: float, doubts: int, thresholds: Thresholds
) -> Confidence:
    """Say how sure a level is.

    By how much of the window was seen and how far the deciding sign lies from its threshold; each
    doubt, such as an unknown baseline, takes a step.
    """
    rank = 2
    if seen_share < thresholds.half_sure_share:
        rank = 0
    elif seen_share < thresholds.sure_share:
        rank = 1
    if 1 / thresholds.sure_margin < signs.margin < thresholds.sure_margin:
        rank = min(rank, 1)
    return list(Confidence)[max(0, rank - doubts)]


_STEPS = {SLIGHT: "slight", CLEAR: "clear", STRONG: "strong"}


def _unsmiling(signs: Signs) -> Level:
    if signs.brow >= STRONG and signs.together >= CLEAR:
        return Level.HIGH
    if signs.together >= CLEAR or signs.brow >= STRONG or signs.brow_long >= CLEAR:
        return Level.MEDIUM
    if signs.brow >= CLEAR:
        return Level.MEDIUM if signs.together >= SLIGHT and signs.support else Level.LOW
    if signs.lids >= STRONG or (signs.lids >= CLEAR and signs.together >= SLIGHT):
        return Level.LOW
    return Level.NONE


def lowered_deg(
    measures: Measures, baseline: Baseline | None, thresholds: Thresholds
) -> NDArray[np.float32]:
    """Give how far the head is lowered under what is usual: (n,) degrees, below 0 when raised."""
    usual = thresholds.typical_pitch_deg if baseline is None else baseline.pitch_deg
    lowered: NDArray[np.float32] = np.float32(usual) - measures.pose_deg[:, 1]
    return lowered


def _is_lowered(measures: Measures, baseline: Baseline | None, thresholds: Thresholds) -> bool:
    lowered = lowered_deg(measures, baseline, thresholds)[measures.usable]
    return bool((lowered > thresholds.lowered_free_deg).mean() >= thresholds.held_share)


def _rise(
    sign: str, measures: Measures, baseline: Baseline | None, thresholds: Thresholds
) -> NDArray[np.float32]:
    """Give how far a sign lies over what is usual: (n,), without what a lowered head adds."""
    usual = usual_of(sign, baseline, thresholds).median
    rise: NDArray[np.float32] = measures.signs[sign] - np.float32(usual)
    a_degree = {"brow": thresholds.lowered_brow, "lids": thresholds.lowered_lids}.get(sign, 0.0)
    further = lowered_deg(measures, baseline, thresholds) - thresholds.lowered_free_deg
    rise -= np.float32(a_degree) * np.maximum(further, 0)
    return rise


def _steps(
    sign: str, measures: Measures, baseline: Baseline | None, thresholds: Thresholds
) -> NDArray[np.int_]:
    """(n,) the step that the sign reaches at each moment."""
    rise = _rise(sign, measures, baseline, thresholds)
    reached = [rise >= needed(sign, step, baseline, thresholds) for step in _STEPS]
    steps: NDArray[np.int_] = np.sum(reached, axis=0)
    return steps


def held_value(values: NDArray[np.int_] | NDArray[np.float32], share: float) -> float:
    """Give the highest value that at least this share of the moments reaches; (n,), n > 0."""
    place = max(1, math.ceil(share * len(values) - 1e-9))
    return float(np.sort(values)[::-1][place - 1])


def _supports(
    sign: str,
    measures: Measures,
    calm: NDArray[np.bool_],
    baseline: Baseline | None,
    thresholds: Thresholds,
) -> bool:
    over = _rise(sign, measures, baseline, thresholds) >= needed(sign, 1, baseline, thresholds)
    return bool((over & calm)[measures.usable].mean() >= thresholds.held_share)


def _hand_share(measures: Measures, thresholds: Thresholds) -> float:
    share = float(measures.hand.mean()) if len(measures.hand) else 0.0
    return share if share >= thresholds.hand_share else 0.0


def _leaning(
    measures: Measures, picture_width_px: int, baseline: Baseline | None, thresholds: Thresholds
) -> float:
    if baseline is None:
        return 0.0
    size = float(np.median(measures.size_px[measures.usable])) / picture_width_px
    nearer = size / baseline.size_share - 1
    return round(nearer, 3) if nearer >= thresholds.leaning_share else 0.0


def _margin(
    measures: Measures,
    calm: NDArray[np.bool_],
    baseline: Baseline | None,
    thresholds: Thresholds,
) -> float:
    """Give how much of a clear rise the stronger of brows and lids reaches for `held_share`."""
    margins = [0.0]
    for sign in ("brow", "lids"):
        rise = np.where(calm, _rise(sign, measures, baseline, thresholds), 0)[measures.usable]
        held = held_value(rise, thresholds.held_share)
        margins.append(held / needed(sign, CLEAR, baseline, thresholds))
    return max(margins)


def _strongest(
    measures: Measures,
    brow: NDArray[np.int_],
    lids: NDArray[np.int_],
    baseline: Baseline | None,
    thresholds: Thresholds,
) -> tuple[int, ...]:
    """Give at most three moments at which brows, or lids, rise most; none where neither does."""
    score = np.zeros(len(measures.time_ms))
    for sign in ("brow", "lids"):
        rise = np.maximum(_rise(sign, measures, baseline, thresholds), 0)
        score += rise / needed(sign, CLEAR, baseline, thresholds)
    shown = np.flatnonzero(np.maximum(brow, lids) >= SLIGHT)
    best = shown[np.argsort(-score[shown], kind="stable")[:3]]
    return tuple(int(at) for at in np.sort(measures.time_ms[best]))
