"""An order of a person's own, so that no two people meet things in the same one."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import TypeVar

_Thing = TypeVar("_Thing")


def in_own_order(things: Iterable[_Thing], draw_id: int, seed: int, who: str) -> list[_Thing]:
    """Give things in the order in which one person meets them; it never changes.

    Args:
        things: In the order drawn.
        draw_id: Number of the draw.
        seed: Of the draw.
        who: The person, however the name is written large or small.
    """
    shuffled = list(things)
    random.Random(f"{seed}/{draw_id}/{who.casefold()}").shuffle(shuffled)
    return shuffled
