"""Which responses a reviewer still scores blind: no judge's score of them may be shown before."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from app.audit.expert_records import ExpertDraw, ExpertWords


def to_score_blind(
    draws: Iterable[ExpertDraw],
    said: Mapping[int, ExpertWords],
    author: str,
    closed: Collection[int] = (),
    *,
    is_blind: bool,
) -> frozenset[int]:
    """Give the responses whose scores the reviewer must not see yet, in the window or on a page.

    Whoever has begun to score a draw for experts sees no score of any response of it until the own
    scores are closed, as they can be changed before; whoever works blind, none of a response not
    scored yet. Once the experts have begun to agree, nothing is hidden.

    Args:
        draws: Of the audit.
        said: What experts said, by response.
        author: The reviewer's name.
        closed: Draws in which the reviewer has closed the own scores to see those of judges.
        is_blind: Whether the reviewer works blind (`Settings.blind`).
    """
    me = author.strip().casefold()
    hidden: set[int] = set()
    for draw in draws:
        words = [said[each] for each in draw.response_ids if each in said]
        if any(word.agreed is not None for word in words):
            continue
        mine = {
            word.response_id
            for word in words
            if any(one.expert.casefold() == me for one in word.own)
        }
        if mine and draw.draw_id not in closed:
            hidden |= set(draw.response_ids)
        elif is_blind:
            hidden |= set(draw.response_ids) - mine
    return frozenset(hidden)
