"""How strong each of several tutors is, from which of two responses was preferred (Bradley-Terry).

One with strength a is preferred over one with strength b with the chance 1 / (1 + exp(b - a)).
Strengths are fitted by Hunter's iteration (2004, "MM algorithms for generalized Bradley-Terry
models"). Where some never lost to the others, no finite strength fits, and none is made up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from app.scoring.figures import Figure, figure_of
from app.scoring.intervals import Floats
from app.scoring.proportions import Proportion

NEVER_COMPARED = "it was compared with no other"
SEPARATED = "separated: "

_STEPS = 10_000
_CLOSE = 1e-12


@dataclass(frozen=True, slots=True)
class Strength:
    """One tutor among others."""

    name: str
    strength: float | None
    """On the scale of log odds, 0 on average; `None` where no finite value fits."""
    win_rate: Figure
    """Share of its comparisons that it won, 0 to 1."""


@dataclass(frozen=True, slots=True)
class BradleyTerry:
    """All tutors that were compared."""

    players: tuple[Strength, ...]
    """The strongest first; where there are no strengths, by win rate."""
    reason: str = ""
    """Why there are no strengths; empty where there are."""

    def chance(self, one: str, other: str) -> float | None:
        """Give the chance that one is preferred over another, 0 to 1; `None` without strengths."""
        strengths = {player.name: player.strength for player in self.players}
        a, b = strengths[one], strengths[other]
        return None if a is None or b is None else 1 / (1 + float(np.exp(b - a)))


def bradley_terry(wins: Mapping[tuple[str, str], int]) -> BradleyTerry:
    """Fit strengths to comparisons of two.

    Args:
        wins: How often the first of each pair was preferred over the second; 0 or more. Ties are
            left out by who counts them.

    Raises:
        ValueError: A pair is one with itself, or a count is below zero.
    """
    if any(a == b or count < 0 for (a, b), count in wins.items()):
        raise ValueError("a comparison is of two, and is won a number of times")
    names = sorted({name for pair in wins for name in pair})
    table = np.zeros((len(names), len(names)))
    for (a, b), count in wins.items():
        table[names.index(a), names.index(b)] += count
    reason = _unfit(names, table)
    strengths = [None] * len(names) if reason else [float(s) for s in _fitted(table)]
    players = [
        Strength(name, strength, _win_rate(table, place))
        for place, (name, strength) in enumerate(zip(names, strengths, strict=True))
    ]
    players.sort(key=lambda p: (-(p.strength or 0.0), -(p.win_rate.value or 0.0), p.name))
    return BradleyTerry(tuple(players), reason)


def _unfit(names: Sequence[str], table: Floats) -> str:
    """Say why no finite strengths fit: each group must have lost to the rest (Ford 1957)."""
    if len(names) < 2:
        return "nothing was compared"
    # Not at the top: it takes longer to load than the window to open.
    from scipy.sparse.csgraph import connected_components

    groups, group_of = connected_components(table > 0, directed=True, connection="strong")
    if groups == 1:
        return ""
    # One of the groups always never lost to the rest: those who beat it would be beaten in turn.
    unbeaten = next(g for g in range(groups) if not table[group_of != g][:, group_of == g].any())
    own = group_of == unbeaten
    said = ", ".join(name for name, is_own in zip(names, own, strict=True) if is_own)
    if table[own][:, ~own].any():
        return f"{SEPARATED}{said} never lost to the others"
    return f"{SEPARATED}{said} was never compared with the others"


def _fitted(table: Floats) -> Floats:
    """Give strengths, 0 on average, until no step moves them."""
    games, won = table + table.T, table.sum(axis=1)
    odds = np.ones(len(table))
    for _ in range(_STEPS):
        paired = games / (odds[:, None] + odds[None, :])
        better = won / paired.sum(axis=1)
        better /= np.exp(np.log(better).mean())
        moved = np.abs(np.log(better / odds)).max()
        odds = better
        if moved < _CLOSE:
            break
    return np.asarray(np.log(odds), dtype=float)


def _win_rate(table: Floats, place: int) -> Figure:
    won, lost = int(table[place].sum()), int(table[:, place].sum())
    return figure_of(Proportion(won, won + lost), NEVER_COMPARED)
