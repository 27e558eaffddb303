"""Propose where one activity of a lesson ends and the next begins.

Three signs speak for an edge between two utterances: a pause, a change in who holds the floor, and
a change of topic (a dip in the likeness of what is said before and after, as in Hearst's
TextTiling, 1997, over sentence vectors instead of words). The edges that are taken are those that
together earn most, weighed against clips that are much shorter or longer than usual; the weights
are ours, chosen by eye on lessons, not learned. A person moves, splits and merges the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from app.lesson.clips import Clip, name_clip
from app.lesson.spans import Span
from app.lesson.transcript.records import Utterance
from app.lesson.transcript.trust import trust_times

PROPOSED_BY = "pauses-topics/2"

USUAL_MS = 90_000
"""The length a clip costs nothing at; SciIBI's clips have a mean of 92 s."""
LONGEST_MS = 300_000
"""No clip is longer, unless a single utterance is."""
SHORTEST_MS = 15_000
"""No clip is shorter, unless the lesson or what is left of it is."""
MS_A_WORD = 400
"""Clock for transcripts without times: 150 words a minute, an ordinary pace of speech."""

_LONG_PAUSE_MS = 3_000
"""How much longer than this lesson's ordinary pause one is that speaks fully for an edge."""
_ORDINARY_SHARE = 0.9
"""Where nine pauses in ten are shorter, a pause counts as long; seat work is full of silence."""
_NEIGHBOURS = 6
_PAUSE, _FLOOR, _TOPIC = 2.0, 0.6, 2.0
_EDGE_COST = 1.0
_LONG_COST, _SHORT_COST = 0.3, 0.1


def propose_clips(
    utterances: Sequence[Utterance],
    span: Span | None,
    vectors: NDArray[np.float32] | None,
) -> tuple[Clip, ...]:
    """Cut a lesson into clips of about half a minute to four minutes.

    Args:
        utterances: The whole transcript, in order.
        span: The recording's extent, to which times are held; `None` without a recording.
        vectors: (n, d) float32 rows of length 1, one for each utterance; without them the topic
            is left out.

    Returns:
        Clips in order that together hold every sound utterance, none twice; nothing when there
        is no sound utterance. A clip has the times of those lines in it whose times can be
        trusted, and none where there is no such line.
    """
    kept = [at for at, line in enumerate(utterances) if line.is_sound]
    if not kept:
        return ()
    lines = trust_times([utterances[at] for at in kept])
    track = _track(lines)
    rows = None if vectors is None else np.asarray(vectors, dtype=np.float32)[kept]
    strength = _PAUSE * _pauses(track) + _FLOOR * _floor(lines)
    strength = strength + _TOPIC * _topic_change(rows, len(kept))
    return tuple(_clip(lines, piece, span, track) for piece in _best_pieces(track, strength))


@dataclass(frozen=True, slots=True)
class _Track:
    """When each sound utterance starts and ends, on the lesson's clock or on one made of words."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    is_timed: NDArray[np.bool_]
    """Whether the start is the line's own; others are laid between their neighbours."""


def _track(lines: Sequence[Utterance]) -> _Track:
    """Lay lines that have no time between those that have one, by the number of their words."""
    lengths = [MS_A_WORD * max(1, len(line.text.split())) for line in lines]
    edges = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    is_timed = np.array([line.start_ms is not None for line in lines])
    if not is_timed.any():
        return _Track(edges[:-1], edges[1:], is_timed)
    own = np.array([line.start_ms for line in lines if line.start_ms is not None], dtype=np.int64)
    at = edges[:-1][is_timed]
    laid = np.rint(np.interp(edges, at, own)).astype(np.int64)
    # Outside of all times that are known, the words go on at their own pace.
    laid += np.minimum(edges - at[0], 0) + np.maximum(edges - at[-1], 0)
    if is_timed[-1]:
        laid[-1] = own[-1]  # how long the last line takes is not known
    # Lines that share a time are one turn: all of them reach to the next later line.
    ends = laid[np.minimum(np.searchsorted(laid, laid[:-1], "right"), len(lines))]
    for place, line in enumerate(lines):
        if line.start_ms is not None and line.end_ms is not None:
            ends[place] = line.end_ms
    return _Track(laid[:-1], ends, is_timed)


def _pauses(track: _Track) -> NDArray[np.float64]:
    """Give for each of the n-1 gaps how long the pause is for this lesson, 0 to 1."""
    silent = np.maximum(track.starts[1:] - np.maximum.accumulate(track.ends)[:-1], 0)
    if not len(silent):
        return np.zeros(0)
    usual_ms, often_ms = np.quantile(silent, [0.5, _ORDINARY_SHARE])
    more_ms = max(_LONG_PAUSE_MS, float(often_ms - usual_ms))
    shares: NDArray[np.float64] = np.clip((silent - usual_ms) / more_ms, 0.0, 1.0)
    return shares


def _floor(lines: Sequence[Utterance]) -> NDArray[np.float64]:
    """Give for each gap how far the shares of the speakers differ before and after, 0 to 1."""
    names = sorted({line.speaker for line in lines})
    shares = np.zeros((len(lines), len(names)))
    for row, line in enumerate(lines):
        shares[row, names.index(line.speaker)] = len(line.text.split())
    change = 1.0 - _likeness_across(shares)
    return np.clip(change, 0.0, 1.0)


def _topic_change(rows: NDArray[np.float32] | None, count: int) -> NDArray[np.float64]:
    """Give for each gap how deep the likeness dips there, 0 to 1; zeros without vectors."""
    if rows is None or count < 3:
        return np.zeros(max(0, count - 1))
    likeness = _likeness_across(rows.astype(np.float64))
    depth = _climb(likeness) + _climb(likeness[::-1])[::-1]
    return np.clip(depth / 2, 0.0, 1.0)


def _likeness_across(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the cosine between the sums of the rows just before and just after each gap."""
    sums = np.concatenate([np.zeros((1, rows.shape[1])), np.cumsum(rows, axis=0)])
    gaps = np.arange(1, len(rows))
    before = sums[gaps] - sums[np.maximum(gaps - _NEIGHBOURS, 0)]
    after = sums[np.minimum(gaps + _NEIGHBOURS, len(rows))] - sums[gaps]
    lengths = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
    dots: NDArray[np.float64] = (before * after).sum(axis=1)
    return np.where(lengths > 0, dots / np.where(lengths > 0, lengths, 1.0), 1.0)


def _climb(likeness: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give how far the likeness climbs without a break to the left of each gap."""
    climbed = np.zeros(len(likeness))
    for at in range(1, len(likeness)):
        step = likeness[at - 1] - likeness[at]
        climbed[at] = climbed[at - 1] + step if step > 0 else 0.0
    return climbed


def _best_pieces(track: _Track, strength: NDArray[np.float64]) -> list[range]:
    """Choose the edges that cost least together (dynamic programming over all cuts)."""
    count = len(track.starts)
    reach = np.maximum.accumulate(track.ends)
    best = np.full(count + 1, np.inf)
    best[0], came_from = 0.0, np.zeros(count + 1, dtype=np.int64)
    for end in range(1, count + 1):
        # The earliest start that keeps the piece within the longest length; always the last line.
        first = int(np.searchsorted(track.starts[:end], reach[end - 1] - LONGEST_MS))
        first = min(first, end - 1)
        lengths = reach[end - 1] - track.starts[first:end]
        costs = best[first:end] + _length_cost(lengths)
        if end < count:
            costs = costs + _EDGE_COST - strength[end - 1]
        at = int(np.argmin(costs))
        best[end], came_from[end] = costs[at], first + at
    edges = [count]
    while edges[-1] > 0:
        edges.append(int(came_from[edges[-1]]))
    edges.reverse()
    return [range(a, b) for a, b in pairwise(edges)]


def _length_cost(lengths_ms: NDArray[np.int64]) -> NDArray[np.float64]:
    """Make lengths dearer by how many times they are longer or shorter than usual."""
    doublings = np.log2(np.maximum(lengths_ms, 1) / USUAL_MS)
    too_short = np.where(lengths_ms < SHORTEST_MS, 10.0, 0.0)
    each = np.where(doublings > 0, _LONG_COST, _SHORT_COST)
    costs: NDArray[np.float64] = each * doublings**2 + too_short
    return costs


def _clip(lines: Sequence[Utterance], piece: range, span: Span | None, track: _Track) -> Clip:
    """Make one clip; its end is held before the next line that is not in it."""
    first, last = lines[piece[0]].number, lines[piece[-1]].number
    times = _times(lines, piece, span, track)
    start_ms, end_ms = (times.start_ms, times.end_ms) if times else (None, None)
    return Clip(name_clip(first, last, times), first, last, start_ms, end_ms, PROPOSED_BY)


def _times(
    lines: Sequence[Utterance], piece: range, span: Span | None, track: _Track
) -> Span | None:
    """Give the time that a clip's timed lines take; where they end may rest on the lines after."""
    timed = [at for at in piece if track.is_timed[at]]
    if not timed:
        return None
    start_ms, is_last = int(track.starts[timed[0]]), piece[-1] == len(lines) - 1
    # Lines without a time that end the lesson reach nobody knows how far.
    end_ms = int(max(track.ends[at] for at in (timed if is_last else piece)))
    if is_last and span and lines[-1].end_ms is None:
        end_ms = span.end_ms
    later = track.starts[piece[-1] + 1 :][track.is_timed[piece[-1] + 1 :]]
    end_ms = min([end_ms, *later[:1].tolist()])
    if span:
        start_ms, end_ms = max(start_ms, span.start_ms), min(end_ms, span.end_ms)
    return Span(start_ms, end_ms) if start_ms < end_ms else None
