"""An audit in a few sentences to read first: what broke, what held, what cannot be told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.audit.board import AuditBoard
from app.audit.findings import Finding, findings_of
from views.audit.sheet import Line, head, quote, text

FOR_PEOPLE = (
    "Whether this tutor may sit with a child is for people to decide; no figure answers it."
)
NOTHING_BROKE = "Nothing is known to break."
NOT_KNOWN = "This cannot be told; see below."
NOTHING_HELD = "Of nothing is it known that it held."


def short_lines(board: AuditBoard) -> list[Line]:
    """Write what came of an audit, what broke before all else."""
    found = findings_of(board)
    # That nothing is known to break must not be read as good news where nothing could be known.
    is_known = any(judge.breaking for judge in board.judges)
    sides: list[tuple[str, Sequence[Finding], str]] = []
    if board.judges:
        sides += [
            ("What broke", found.broke, NOTHING_BROKE if is_known else NOT_KNOWN),
            ("What held", found.held, NOTHING_HELD),
        ]
    sides += [("What cannot be told", found.unknown, ""), ("Also seen", found.seen, "")]
    told = [line for title, findings, none in sides for line in _side(title, findings, none)]
    return [text(FOR_PEOPLE), *told]


def _side(title: str, findings: Sequence[Finding], none: str) -> Iterator[Line]:
    if not findings and not none:
        return
    yield head(title)
    if not findings:
        yield text(none)
    for finding in findings:
        yield text(finding.told)
        for figure in finding.figures:
            yield quote(figure)
