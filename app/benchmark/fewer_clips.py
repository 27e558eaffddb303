"""Fewer clips of a set, in which each code stands as often, in proportion, as in all of it."""

from __future__ import annotations

import random
from collections.abc import Sequence

from app.benchmark.records import CodedClip
from app.scoring.intervals import SEED


def fewer_clips(
    clips: Sequence[CodedClip], most: int | None, seed: int = SEED
) -> tuple[CodedClip, ...]:
    """Choose clips by chance, always the same ones, as many of each main code as its share asks.

    The first clips of a table are often of one lesson or of one code, and figures over them speak
    of nothing else. A code's share is rounded down, and what is then left goes to the codes with
    the largest remainders, those earlier in the table first where two are alike. Clips in which
    people found no practice are a code of their own here.

    Args:
        clips: All clips, in the order of the table.
        most: How many are wanted; `None` for all.
        seed: Start of the chance.

    Returns:
        The chosen clips in the order of the table; all where no more than `most` are there.

    Raises:
        ValueError: Fewer than one is wanted.
    """
    if most is None or most >= len(clips):
        return tuple(clips)
    if most < 1:
        raise ValueError(f"{most} clips are none to choose")
    places: dict[str, list[int]] = {}
    for place, clip in enumerate(clips):
        places.setdefault(clip.codes[0].practice if clip.codes else "", []).append(place)
    shares = _shares({code: len(own) for code, own in places.items()}, most)
    chosen: list[int] = []
    for code, own in places.items():
        # A chance of its own, so that one code's clips do not hang on how many others have.
        random.Random(f"{seed} {code}").shuffle(own)
        chosen += own[: shares[code]]
    return tuple(clips[place] for place in sorted(chosen))


def _shares(counts: dict[str, int], most: int) -> dict[str, int]:
    """Split by largest remainder, in whole numbers, so that no rounding of fractions decides."""
    of = sum(counts.values())
    shares = {code: most * count // of for code, count in counts.items()}
    by_rest = sorted(counts, key=lambda code: -(most * counts[code] % of))
    for code in by_rest[: most - sum(shares.values())]:
        shares[code] += 1
    return shares
