"""What experts are given to score, and what they said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.audit.records import ExpertScore

PER_AXIS = 40
"""Responses of each axis that experts are given, unless somebody says otherwise."""


@dataclass(frozen=True, slots=True)
class ExpertDraw:
    """Responses drawn for experts, in the order drawn."""

    draw_id: int
    audit_id: int
    response_ids: tuple[int, ...]
    per_axis: int
    seed: int
    made_at: str


@dataclass(frozen=True, slots=True)
class ExpertWords:
    """All that stands of experts on one response."""

    response_id: int
    own: tuple[ExpertScore, ...]
    """The latest of each expert, in order of first scoring."""
    agreed: ExpertScore | None

    @property
    def score(self) -> float:
        """What the experts hold of it: the consensus, or else the mean of what each said.

        Raises:
            ValueError: Nobody has scored it.
        """
        if self.agreed is not None:
            return float(self.agreed.score)
        if not self.own:
            raise ValueError(f"nobody has scored response {self.response_id}")
        return sum(one.score for one in self.own) / len(self.own)


def words_by_response(scores: Iterable[ExpertScore]) -> dict[int, ExpertWords]:
    """Put together what experts said of each response, from all they ever said, oldest first."""
    own: dict[int, dict[str, ExpertScore]] = {}
    agreed: dict[int, ExpertScore] = {}
    for one in scores:
        if one.agreed:
            agreed[one.response_id] = one
        else:
            own.setdefault(one.response_id, {})[one.expert.casefold()] = one
    return {
        each: ExpertWords(each, tuple(own.get(each, {}).values()), agreed.get(each))
        for each in dict.fromkeys([*own, *agreed])
    }


def experts_in(scores: Iterable[ExpertScore]) -> tuple[str, ...]:
    """Name who scored alone, in order of first scoring."""
    names: dict[str, str] = {}
    for one in scores:
        if not one.agreed:
            names.setdefault(one.expert.casefold(), one.expert)
    return tuple(names.values())


def still_missing(
    response_ids: Sequence[int], scores: Iterable[ExpertScore], expert: str
) -> tuple[int, ...]:
    """Give the responses of a draw that a person has not scored alone, in the order drawn."""
    done = {
        one.response_id
        for one in scores
        if not one.agreed and one.expert.casefold() == expert.casefold()
    }
    return tuple(each for each in response_ids if each not in done)
