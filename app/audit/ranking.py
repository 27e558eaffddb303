"""Do the axes put several tutors in the same order?

A tutor that knows most need not teach best or be the most honest: with three tutors and more, the
orders on every two axes are correlated (SpecialEduBench, table 13). Of each tutor its latest audit
counts that is finished on the axis; self-checks and samples never do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean

from app.audit.board import AuditBoard, JudgeBoard
from app.audit.records import Audit
from app.audit.scored import is_of_real_tutor
from app.benchmark.words import Table, show_p
from app.scoring.ranks import RankedPair, rank_pairs
from app.scoring.rounding import printed

FEWEST_TUTORS = 3


def latest_of_each(
    audits: Sequence[Audit], board: Callable[[int], AuditBoard]
) -> tuple[AuditBoard, ...]:
    """Give the board of the latest finished audit of each real tutor, in the order of their audits.

    Args:
        audits: All there are, oldest first.
        board: Gives the board of an audit by its number; asked for no more than are needed.
    """
    found: dict[str, AuditBoard] = {}
    for audit in reversed(audits):
        if audit.plan.tutor.name in found or not is_of_real_tutor(audit.plan):
            continue
        counted = board(audit.audit_id)
        if counted.tutored.is_whole:
            found[audit.plan.tutor.name] = counted
    return tuple(sorted(found.values(), key=lambda counted: counted.audit.audit_id))


def ranked(boards: Sequence[AuditBoard]) -> tuple[RankedPair, ...]:
    """Correlate the orders of tutors on every two measures.

    Args:
        boards: One of each tutor.
    """
    judges = dict.fromkeys(judge.judge.name for board in boards for judge in board.judges)
    measures: dict[str, list[float | None]] = {
        "knowledge": [board.knowledge.macro.value if board.knowledge else None for board in boards]
    }
    for name in judges:
        own = [next((j for j in board.judges if j.judge.name == name), None) for board in boards]
        measures[f"skill, by {name}"] = [_skill(judge) for judge in own]
        measures[f"attitude, by {name}"] = [_attitude(judge) for judge in own]
    asked = {name: told for name, told in measures.items() if any(v is not None for v in told)}
    return rank_pairs(asked)


def ranks_table(boards: Sequence[AuditBoard], pairs: Sequence[RankedPair]) -> Table:
    """Give the correlations as a table."""
    rows = tuple(
        (
            pair.one,
            pair.other,
            printed(pair.found.rho, 2, signed=True),
            show_p(pair.found.p),
            str(pair.found.n),
            pair.found.reason,
        )
        for pair in pairs
    )
    names = ", ".join(board.audit.plan.tutor.name for board in boards)
    notes = (
        f"Tutors: {names or 'none'}.",
        "Spearman’s correlation of ranks; p from permutations. Knowledge is the share right, skill "
        "the mean score over eight strategies, attitude the mean score over its families. So few "
        "tutors tell little, and judges that are not calibrated less.",
    )
    heads = ("One", "Other", "Rank correlation", "p", "Tutors", "Why not")
    return Table("ranks", "Do the axes put tutors in one order?", heads, rows, notes, words=2)


def _skill(judge: JudgeBoard | None) -> float | None:
    return judge.skill.macro.value if judge is not None and judge.skill is not None else None


def _attitude(judge: JudgeBoard | None) -> float | None:
    """Take the mean score over the families, each weighing the same; none where one has none."""
    scores = [effects.overall.score.value for effects in judge.families] if judge else []
    known = [score for score in scores if score is not None]
    return fmean(known) if known and len(known) == len(scores) else None
