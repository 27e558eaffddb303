"""The report on an audit for a meeting, and the files beside it for whoever wants to count anew."""

from __future__ import annotations

from pathlib import Path

from app.audit.whole import WholeAudit
from reports.audit_files import (
    audit_json,
    figures_table,
    gates_csv,
    responses_jsonl,
    responses_table,
    scorings_table,
)
from reports.audit_page import build_audit_page
from reports.typesetting import set_page
from reports.writing import write_all
from resources import resource

PDF, JSON = "tutor-audit.pdf", "tutor-audit.json"


def write_audit(whole: WholeAudit, folder: Path, made_at: str, program: str) -> list[Path]:
    """Write the page as tagged PDF/UA-1, the figures, every response and every scoring.

    Call it in a child process.

    Args:
        whole: The audit.
        folder: Where to write; made if need be, older files of the same names are replaced.
        made_at: ISO 8601, the date on the page.
        program: Name and version, e.g. `Clerestory 0.1.0`.

    Returns:
        The files written.

    Raises:
        ReportRefused: The folder cannot be written or the disk is full; older files are kept.
    """
    page = build_audit_page(whole, made_at, program)
    files = {
        PDF: set_page(resource("reports/audit.typ"), page, {}, made_at),
        JSON: audit_json(whole, made_at, program),
        "figures.csv": figures_table(whole),
        "gates.csv": gates_csv(whole),
        "responses.csv": responses_table(whole),
        "scorings.csv": scorings_table(whole),
        "responses.jsonl": responses_jsonl(whole),
    }
    return write_all(folder, files)
