"""What is known of a judge without experts, from what the library holds of an audit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from app.audit.board import AuditRecords
from app.audit.records import Origin, Reading
from app.audit.scored import score_of
from app.scoring.audit_checks import OurScores, instability, our_checks
from app.scoring.audit_guards import JudgeFigures
from app.scoring.audit_length import Measured, length_correlation
from app.scoring.audit_preference import BothScored, SelfPreference, self_preference
from app.scoring.audit_scores import ScoredResponse

OURS = (Origin.SHOULD_PASS, Origin.SHOULD_FAIL)

_ONCE = 1
# Our own responses are scored once each.


def judge_figures(
    records: AuditRecords, judge: str, scored: Mapping[str, Sequence[ScoredResponse]]
) -> JudgeFigures:
    """Give what is known of a judge without experts.

    Args:
        records: What the library holds of the audit.
        judge: By its name.
        scored: The tutor's responses as each judge scored them, in one order.
    """
    return JudgeFigures(
        ours=our_checks(_our_scores(records, judge)),
        instability=instability(scored[judge]),
        length=length_correlation(
            [Measured(r.item_id, r.score, r.words) for r in scored[judge] if r.score is not None]
        ),
        preference=_preference(records, judge, scored),
    )


def _our_scores(records: AuditRecords, judge: str) -> OurScores:
    def of(origin: Origin, reading: Reading = Reading.UPWARD) -> dict[str, float | None]:
        rows = records.checks.get((origin, reading), ())
        return {row.place.item_id: score_of(row, _ONCE)[0] for row in rows if row.judge == judge}

    return OurScores(
        of(Origin.SHOULD_PASS),
        of(Origin.SHOULD_FAIL),
        of(Origin.PADDED),
        of(Origin.INJECTED),
        of(Origin.SHOULD_PASS, Reading.DOWNWARD),
        of(Origin.SHOULD_FAIL, Reading.DOWNWARD),
    )


def _preference(
    records: AuditRecords, judge: str, scored: Mapping[str, Sequence[ScoredResponse]]
) -> SelfPreference | None:
    """Hold a judge against the other one, if there is one and it may be of the tutor's family.

    Of two judges one is always the milder; that says something of a judge only where it shares a
    family with the tutor.
    """
    plan = records.audit.plan
    others = [name for name in scored if name != judge]
    family = next(seat.family for seat in plan.judges if seat.name == judge)
    if len(others) != 1 or (family and plan.tutor.family and family != plan.tutor.family):
        return None
    pairs = zip(scored[judge], scored[others[0]], strict=True)
    theirs = [BothScored(one.item_id, one.score, other.score) for one, other in pairs]
    return self_preference(theirs, list(_ours(records, judge, others[0])))


def _ours(records: AuditRecords, judge: str, other: str) -> Iterable[BothScored]:
    for origin in OURS:
        scores: dict[str, dict[str, float | None]] = {}
        for row in records.checks.get((origin, Reading.UPWARD), ()):
            scores.setdefault(row.place.item_id, {})[row.judge] = score_of(row, _ONCE)[0]
        for item_id, found in scores.items():
            yield BothScored(item_id, found.get(judge), found.get(other))
