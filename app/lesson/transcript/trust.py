"""Which times of a transcript can be trusted, where they do not all run forwards.

Speech runs forwards, so of two lines whose times run backwards at least one is wrong. The lines
that keep their times are those that every longest forward-running choice of lines would keep:
where either of two could be the wrong one, neither is trusted.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from app.lesson.transcript.records import Utterance


def trust_times(utterances: Sequence[Utterance]) -> tuple[Utterance, ...]:
    """Give the lines, without the times that cannot be trusted; texts and numbers stay."""
    timed = [(at, u.start_ms) for at, u in enumerate(utterances) if u.start_ms is not None]
    kept = {timed[place][0] for place in surely_forward([start_ms for _, start_ms in timed])}
    return tuple(
        line if line.start_ms is None or at in kept else replace(line, start_ms=None, end_ms=None)
        for at, line in enumerate(utterances)
    )


def surely_forward(times: Sequence[int]) -> list[int]:
    """Give the places of the times that lie in every longest choice that never runs backwards.

    Takes n log n steps for n times.
    """
    before = _lengths(times)
    after = _lengths([-time for time in reversed(times)])[::-1]
    longest = max(before, default=0)
    on_one = [at for at in range(len(times)) if before[at] + after[at] - 1 == longest]
    # A choice holds one time of each rank; a rank with one candidate leaves no choice.
    rivals = Counter(before[at] for at in on_one)
    return [at for at in on_one if rivals[before[at]] == 1]


def _lengths(times: Sequence[int]) -> list[int]:
    """Give for each time how long a forward-running choice that ends there can be."""
    ends: list[int] = []
    found = []
    for time in times:
        place = bisect_right(ends, time)
        ends[place : place + 1] = [time]
        found.append(place + 1)
    return found
