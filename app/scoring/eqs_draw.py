"""Which outputs people rate: a draw balanced by right and wrong, and by practice."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from app.scoring.eqs import Output
from app.scoring.intervals import SEED

PER_CELL = 15
"""Right ones a model, and as many wrong ones (SciIBI, section 4.4: 60 for two models)."""


@dataclass(frozen=True, slots=True)
class Shortage:
    """Where there were fewer outputs than a balanced draw asks for."""

    model: str
    is_right: bool
    practice: str
    """Empty for all practices together: the draw itself is then smaller."""
    wanted: int
    """What an even split asks for."""
    there: int

    def __str__(self) -> str:
        what = f"{'right' if self.is_right else 'wrong'} outputs of {self.model}"
        where = f" on {self.practice}" if self.practice else ""
        filled = ", made up from other practices as far as possible" if self.practice else ""
        return f"{what}{where}: {self.there} of {self.wanted}{filled}"


@dataclass(frozen=True, slots=True)
class Draw:
    """The outputs to rate, in the order in which they are shown."""

    outputs: tuple[Output, ...]
    shortages: tuple[Shortage, ...]


def draw_outputs(
    outputs: Sequence[Output],
    practices: Sequence[str],
    *,
    per_cell: int = PER_CELL,
    seed: int = SEED,
) -> Draw:
    """Draw right and wrong outputs of each model, as many of each practice as can be.

    The same outputs, in whatever order they come, and the same seed give the same draw. Models and
    right and wrong stand mixed in it.

    Args:
        outputs: All outputs with a label; failures have none and cannot be rated.
        practices: All practices; the split over them is as even as `per_cell` allows, and chance
            says which of them have one more.
        per_cell: How many right ones, and how many wrong ones, of each model.
        seed: Start of the chance.

    Raises:
        ValueError: Two outputs have the same name, or a practice is not on the list.
    """
    if len({output.output_id for output in outputs}) < len(outputs):
        raise ValueError("two outputs have the same name")
    if unknown := {output.practice for output in outputs} - set(practices):
        raise ValueError(f"outputs of unknown practices: {', '.join(sorted(unknown))}")
    chance = random.Random(seed)
    drawn: list[Output] = []
    shortages: list[Shortage] = []
    for model in sorted({output.model for output in outputs}):
        for is_right in (True, False):
            there = [o for o in outputs if o.model == model and o.is_right == is_right]
            cell, short = _draw_cell(there, practices, per_cell, chance)
            drawn += cell
            shortages += [Shortage(model, is_right, *missing) for missing in short]
    chance.shuffle(drawn)
    return Draw(tuple(drawn), tuple(shortages))


def _draw_cell(
    there: Sequence[Output], practices: Sequence[str], wanted: int, chance: random.Random
) -> tuple[list[Output], list[tuple[str, int, int]]]:
    """Draw one cell; beside it what was short: practice, wanted, there."""
    pools = {p: sorted((o for o in there if o.practice == p), key=_name) for p in practices}
    for pool in pools.values():
        chance.shuffle(pool)
    order = list(practices)
    chance.shuffle(order)
    asked = _even_split(wanted, order)
    short = [
        (practice, asked[practice], len(pools[practice]))
        for practice in practices
        if len(pools[practice]) < asked[practice]
    ]
    if len(there) < wanted:
        short.append(("", wanted, len(there)))
    taken = [output for practice in order for output in pools[practice][: asked[practice]]]
    # What one practice lacks is taken from the others in turn.
    spare = {practice: pools[practice][asked[practice] :] for practice in order}
    while len(taken) < wanted and any(spare.values()):
        for practice in order:
            if spare[practice] and len(taken) < wanted:
                taken.append(spare[practice].pop(0))
    return taken, short


def _even_split(wanted: int, order: Sequence[str]) -> dict[str, int]:
    each, more = divmod(wanted, len(order))
    return {practice: each + (place < more) for place, practice in enumerate(order)}


def _name(output: Output) -> str:
    return output.output_id
