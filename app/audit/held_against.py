"""Puts a judge's scores beside those of experts, over all audits that the same judge has scored.

A judge is the same as long as everything that pins it down is: the model, how it decodes, and the
words it is asked with, as they stand in `ModelRun.provenance`. What experts said of an earlier
audit then speaks for it in a later one; after any change it begins anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.audit.expert_records import ExpertWords, words_by_response
from app.audit.items import Axis
from app.audit.records import BoardRow, ModelRun, passes
from app.audit.scored import score_of
from app.scoring.audit_scores import WAITING

if TYPE_CHECKING:
    from app.store.library import Library


@dataclass(frozen=True, slots=True)
class HeldAgainst:
    """One response that at least one expert has scored, and a judge as well."""

    audit_id: int
    response_id: int
    item_id: str
    judge: float | None
    """Mean of the judge's scorings, 1 to 10; `None` where it gave nothing usable."""
    own: tuple[int, ...]
    """What each expert gave it alone."""
    experts: float
    """Their consensus, or else the mean of what each gave it alone."""

    @property
    def missed(self) -> bool:
        """Whether the judge passed what experts placed below the pass line."""
        return self.judge is not None and passes(self.judge) and not passes(self.experts)


class ScoredByExperts:
    """What experts scored in a library, read once for all judges and axes.

    Args:
        library: Holds the audits.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._rows = library.experts.rows()
        self._words: dict[int, Mapping[int, ExpertWords]] = {}
        self._runs: dict[int, tuple[ModelRun, ...]] = {}

    def beside(self, audit_id: int, judge: str, axis: Axis) -> tuple[HeldAgainst, ...]:
        """Give every response of an axis that a judge and experts have scored, oldest audit first.

        Args:
            audit_id: The audit whose judge is meant.
            judge: Its name there.
            axis: `ATTITUDE` or `SKILL`.
        """
        pinned = _pinned(self._runs_of(audit_id), judge)
        if pinned is None:
            return ()
        found: list[HeldAgainst] = []
        for other in sorted(self._rows):
            if _pinned(self._runs_of(other), judge) == pinned:
                found += self._of_audit(other, judge, axis)
        return tuple(found)

    def _of_audit(self, audit_id: int, judge: str, axis: Axis) -> list[HeldAgainst]:
        plan = self._library.audits.audit(audit_id).plan
        of_axis = {item.item_id for item in self._library.audits.bank(plan.bank).of_axis(axis)}
        rows = (row for row in self._rows[audit_id] if row.judge == judge)
        return list(_pairs(audit_id, rows, self._words_of(audit_id), of_axis, plan.scorings))

    def _runs_of(self, audit_id: int) -> tuple[ModelRun, ...]:
        if audit_id not in self._runs:
            self._runs[audit_id] = self._library.audits.runs(audit_id)
        return self._runs[audit_id]

    def _words_of(self, audit_id: int) -> Mapping[int, ExpertWords]:
        if audit_id not in self._words:
            said = self._library.experts.scores_of_audit(audit_id)
            self._words[audit_id] = words_by_response(said)
        return self._words[audit_id]


def held_against_experts(
    library: Library, audit_id: int, judge: str, axis: Axis
) -> tuple[HeldAgainst, ...]:
    """Give what `ScoredByExperts.beside` gives, for one judge and axis."""
    return ScoredByExperts(library).beside(audit_id, judge, axis)


def is_changed(library: Library, audit_id: int, judge: str) -> bool:
    """Say whether something that pins a judge down changed while it scored one audit."""
    return len(_kinds(library.audits.runs(audit_id), judge)) > 1


def _pairs(
    audit_id: int,
    rows: Iterable[BoardRow],
    words: Mapping[int, ExpertWords],
    of_axis: set[str],
    scorings: int,
) -> Iterable[HeldAgainst]:
    for row in rows:
        said = words.get(row.response_id)
        if said is None or row.place.item_id not in of_axis:
            continue
        score, failed = score_of(row, scorings)
        if failed != WAITING:
            own = tuple(one.score for one in said.own)
            yield HeldAgainst(audit_id, row.response_id, row.place.item_id, score, own, said.score)


def _pinned(runs: Iterable[ModelRun], judge: str) -> frozenset[tuple[str, str]] | None:
    """Give all that pins a judge down; `None` where it never ran, or changed within the audit."""
    kinds = _kinds(runs, judge)
    return kinds.pop() if len(kinds) == 1 else None


def _kinds(runs: Iterable[ModelRun], judge: str) -> set[frozenset[tuple[str, str]]]:
    return {frozenset(run.provenance) for run in runs if (run.part, run.model) == ("judge", judge)}
