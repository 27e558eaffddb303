"""The papers of audits: the report for a meeting with its files, and two audits compared."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from app.audit_results import AuditResults
from app.errors import ReportRefused
from app.files import Files
from app.running.protocols import Report, no_report


class AuditPapers:
    """Writes papers in a child process.

    Args:
        results: What came of the audits.
        files: Holds the child that makes pages.
        to_score_blind: Gives, for an audit, the responses that the reviewer still scores blind; a
            page shows no more of them than the window does.
    """

    def __init__(
        self, results: AuditResults, files: Files, to_score_blind: Callable[[int], frozenset[int]]
    ) -> None:
        self._results, self._files = results, files
        self._to_score_blind = to_score_blind

    def write_report(
        self,
        audit_id: int,
        folder: Path,
        *,
        made_at: str,
        program: str,
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> list[Path]:
        """Write the report of an audit, its figures, responses and scorings, and an Inspect log.

        Args:
            audit_id: The audit; it need not be finished, and the page then says so.
            folder: Where to write; made if need be.
            made_at: ISO 8601, the date on the page.
            program: Name and version.
            report: Told what is being done.
            stop: Set to stop.

        Raises:
            ReportRefused: The tutor has given no response yet, the folder cannot be written, or
                the page cannot be made.
            StoreRefused: There is no such audit.
        """
        report(0.0, "reading the audit")
        whole = self._results.whole(audit_id, self._to_score_blind(audit_id))
        if not whole.board.tutored.done:
            raise ReportRefused(
                f"There is nothing to report of “{whole.board.audit.plan.title}” yet: the tutor "
                "has given no response.",
                "Run the audit first.",
            )
        parts = self._files.parts
        report(0.3, "writing the page and the files")
        given = (whole, folder, made_at, program)
        written: list[Path] = self._files.call_pages(parts.audit_report, *given, stop=stop)
        report(0.8, "writing the log for Inspect")
        written += self._files.call_pages(parts.audit_log, *given, stop=stop)
        return written

    def write_comparison(
        self,
        earlier_id: int,
        later_id: int,
        folder: Path,
        *,
        made_at: str,
        program: str,
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> list[Path]:
        """Write two audits of versions of one tutor beside each other.

        Raises:
            ReportRefused: They have no item in common, the folder cannot be written, or the page
                cannot be made.
            StoreRefused: There is no such audit.
        """
        report(0.0, "comparing the audits")
        found = self._results.compare(earlier_id, later_id)
        if not found.items:
            raise ReportRefused(
                f"“{found.earlier.plan.title}” and “{found.later.plan.title}” have no item in "
                "common, so that nothing can be compared.",
                "Compare audits that ask from the same items.",
            )
        report(0.5, "writing the page and the tables")
        given = (found, folder, made_at, program)
        written: list[Path] = self._files.call_pages(
            self._files.parts.audit_comparison, *given, stop=stop
        )
        return written
