"""Bradley-Terry on frozen vectors: weights that put the better one of two responses higher.

The reward of a response is the product of its vector with the weights; that one is preferred over
another has the chance 1 / (1 + exp(-margin)), where the margin is the difference of their rewards
(Bradley and Terry 1952). Vectors are not changed, only weighted, so that the fit has one solution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.scoring.intervals import Floats

FOLDS = 5
"""Parts that items are dealt into: 160 to 40 of 200 pairs, as in SpecialEduBench, section 3.5."""

PENALTIES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
"""Half of it times the squared length of the weights is added to the loss. Which, is settled
within each training part alone."""

MOST_STEPS = 100
"""Of Newton's method; a dozen is usual."""

_CLOSE = 1e-10

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class CrossFit:
    """A model for each part of the items, fitted on all the others."""

    weights: Floats
    """(parts, d); row k never saw an item of part k."""
    penalties: tuple[float, ...]
    """What was settled for each."""
    margins: Floats
    """(n,) of each pair, by the model that never saw its item."""


def pair_loss(margins: Floats) -> Floats:
    """Give -log of the chance that the better one is preferred; log 2 = 0.693 for a coin."""
    losses: Floats = np.logaddexp(0.0, -np.asarray(margins, dtype=float))
    return losses


def fit(differences: Floats, penalty: float) -> Floats:
    """Give the weights with the least loss.

    Args:
        differences: (n, d) vector of the better response less that of the worse, of each pair.
        penalty: Above zero. Without one, pairs that can be told apart whole have no finite answer.

    Returns:
        (d,) weights.

    Raises:
        ValueError: `penalty` is not above zero.
    """
    if penalty <= 0:
        raise ValueError("without a penalty, separated pairs have no finite weights")
    inside, basis = _among_sums(np.asarray(differences, dtype=float))
    weights: Floats = np.zeros(inside.shape[1])
    ridge = penalty * np.eye(len(weights))
    for _ in range(MOST_STEPS):
        chance = _worse_wins(inside @ weights)
        slope = penalty * weights - inside.T @ chance
        bend = (inside.T * (chance * (1 - chance))) @ inside + ridge
        step: Floats = np.linalg.solve(bend, slope).astype(np.float64)
        weights = weights - _length(inside, weights, step, slope, penalty) * step
        if np.abs(step).max(initial=0.0) < _CLOSE:
            break
    return weights if basis is None else weights @ basis


def deal(items: Sequence[str], groups: Sequence[str], *, folds: int = FOLDS, seed: int = 0) -> Ints:
    """Deal items into parts, each group spread over them; all pairs of an item go together.

    Args:
        items: Of each pair, what it is about.
        groups: Of each pair, its group; an item belongs to that of its first pair.
        folds: How many parts.
        seed: The same seed deals the same way, in whatever order the pairs come.

    Returns:
        (n,) part of each pair, 0 to `folds - 1`.
    """
    group_of: dict[str, str] = {}
    for item, group in sorted(zip(items, groups, strict=True)):
        group_of.setdefault(item, group)
    chance = np.random.default_rng(seed)
    shuffled = [sorted(group_of)[at] for at in chance.permutation(len(group_of))]
    in_turn = sorted(shuffled, key=lambda item: group_of[item])
    part_of = {item: number % folds for number, item in enumerate(in_turn)}
    return np.array([part_of[item] for item in items], dtype=np.int64)


def cross_fit(differences: Floats, parts: Ints) -> CrossFit:
    """Fit a model for each part on all the others, and score each pair by the one of its part.

    Args:
        differences: (n, d), as for `fit`.
        parts: (n,) as dealt by `deal`; at least three parts, none of them empty.

    Raises:
        ValueError: There are fewer than three parts: a penalty could not be settled.
    """
    numbers = np.unique(parts)
    if len(numbers) < 3:
        raise ValueError("cross-fitting takes three parts at least")
    given, basis = _among_sums(np.asarray(differences, dtype=float))
    margins, weights, penalties = np.zeros(len(given)), [], []
    for number in numbers:
        seen = parts != number
        penalty = settle_penalty(given[seen], parts[seen])
        weights.append(fit(given[seen], penalty))
        penalties.append(penalty)
        margins[~seen] = given[~seen] @ weights[-1]
    rows = np.array(weights)
    return CrossFit(rows if basis is None else rows @ basis, tuple(penalties), margins)


def settle_penalty(differences: Floats, parts: Ints) -> float:
    """Give the penalty with the least loss on pairs held out in turn; the largest of equals."""

    def held_out_loss(penalty: float) -> float:
        total = 0.0
        for number in np.unique(parts):
            seen = parts != number
            margins = differences[~seen] @ fit(differences[seen], penalty)
            total += float(pair_loss(margins).sum())
        return total

    return min(reversed(PENALTIES), key=held_out_loss)


def _among_sums(differences: Floats) -> tuple[Floats, Floats | None]:
    """Give the differences in fewer numbers where there are few of them, and what leads back.

    The best weights are a sum of differences, whatever the penalty: nothing is lost.
    """
    if 2 * len(differences) > differences.shape[1]:
        return differences, None
    basis: Floats = np.linalg.qr(differences.T)[0].T
    return differences @ basis.T, basis


def _worse_wins(margins: Floats) -> Floats:
    """Give the chance that the worse of each pair is preferred."""
    chances: Floats = np.exp(-np.logaddexp(0.0, margins))
    return chances


def _length(
    differences: Floats, weights: Floats, step: Floats, slope: Floats, penalty: float
) -> float:
    """Say how much of a step to take: halved until the loss falls as Armijo (1966) asks."""

    def loss(at: Floats) -> float:
        return float(pair_loss(differences @ at).sum() + penalty / 2 * at @ at)

    before, fall, share = loss(weights), 1e-4 * float(slope @ step), 1.0
    while share > _CLOSE and loss(weights - share * step) > before - share * fall:
        share /= 2
    return share
