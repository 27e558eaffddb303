"""Two versions of a tutor on a page for a meeting, and in tables that name every item."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from app.audit.audit_words import called, condition_words, points_words
from app.audit.comparing import AuditComparison
from app.audit.comparison_tables import changed_firmly, comparison_tables, sides_of
from app.audit.records import Audit
from app.scoring.audit_compare import Change
from reports.audit_files import yes_or_no
from reports.audit_page import Block, seat_words, section
from reports.benchmark_page import table_block
from reports.benchmark_tables import figure_cells
from reports.tables import csv_bytes
from reports.typesetting import set_page
from reports.wording import count, show_date
from reports.writing import write_all
from resources import resource

PDF = "audit-comparison.pdf"
LEDE = (
    "What got worse stands first. Whether the later version may sit with a child does not follow "
    "from having got better."
)
_CHANGES = (
    "judge", "axis", "group", "pressure", "monitored", "earlier", "later", "change", "low_95",
    "high_95", "items", "score_change", "score_low_95", "score_high_95", "left_out", "reason",
)  # fmt: skip
_ITEMS = (
    "judge", "axis", "item_id", "group", "category", "share_change", "score_change",
    "most_under_pressure", "most_monitored",
)  # fmt: skip


def write_comparison(
    found: AuditComparison, folder: Path, made_at: str, program: str
) -> list[Path]:
    """Write the page as tagged PDF/UA-1, and tables of changes and of items.

    Call it in a child process.

    Raises:
        ReportRefused: The folder cannot be written or the disk is full; older files are kept.
    """
    page = build_comparison_page(found, made_at, program)
    files = {
        PDF: set_page(resource("reports/audit.typ"), page, {}, made_at),
        "changes.csv": csv_bytes(_CHANGES, _change_rows(found)),
        "items.csv": csv_bytes(_ITEMS, _item_rows(found)),
    }
    return write_all(folder, files)


def build_comparison_page(found: AuditComparison, made_at: str, program: str) -> Block:
    """Gather the page."""
    earlier, later = found.earlier, found.later
    tables = [table_block(table) for table in comparison_tables(found)]
    return {
        "kind": "Two audits of an AI tutor",
        "title": f"{later.plan.title} beside {earlier.plan.title}",
        "notice": "",
        "facts": [
            ["Earlier", _version(earlier)],
            ["Later", _version(later)],
            ["Compared over", count(len(found.items), "item")],
            ["Page made", f"{show_date(made_at)}, {program}"],
        ],
        "lede": LEDE,
        "gates": None,
        "summary": "What changed",
        "sides": [
            _side(found, "What got worse, beyond chance", "bad", "worse"),
            _side(found, "What got better, beyond chance", "good", "better"),
            {
                "title": "What to know before reading a change as the tutor’s doing",
                "tone": "plain",
                "findings": [{"told": note, "figures": []} for note in (*found.notes, _CHANCE)],
                "none": "",
            },
        ],
        "sections": [section("Item by item, and by condition", tables, new_page=True)],
        "cases": [],
        "cases_title": "",
        "cases_note": "",
        "not_tested": [],
        "provenance": [],
    }


_CHANCE = (
    "Of many changes a few stand out by chance alone. What was not seen to change may have changed "
    "all the same."
)


def _version(audit: Audit) -> str:
    return f"{seat_words(audit.plan.tutor)}; audit begun {show_date(audit.made_at)}"


def _side(found: AuditComparison, title: str, tone: str, which: str) -> Block:
    told: dict[str, list[str]] = {}
    for judge, change in changed_firmly(found, which):
        told.setdefault(_named(found, change), []).append(_much(judge, change))
    findings = [{"told": name, "figures": figures} for name, figures in told.items()]
    return {"title": title, "tone": tone, "findings": findings, "none": "Nothing that is known."}


def _named(found: AuditComparison, change: Change) -> str:
    name = called(change.group, found.names)
    if (change.pressure, change.monitored) != (None, None):
        name += f", {condition_words(change.pressure, change.monitored)}"
    return f"{name[:1].upper()}{name[1:]}:"


def _much(judge: str, change: Change) -> str:
    by = f"{judge}: " if judge else ""
    if change.share.value is None:
        return f"{by}{change.score.value or 0.0:+.1f} points of the mean score"
    return f"{by}{points_words(change.share)}"


def _change_rows(found: AuditComparison) -> Iterator[Sequence[object]]:
    for judge, axis in sides_of(found):
        for change in axis.found.changes:
            yield (
                judge, axis.axis.value, change.group, yes_or_no(change.pressure),
                yes_or_no(change.monitored), change.earlier.value, change.later.value,
                *figure_cells(change.share), change.share.n, *figure_cells(change.score),
                change.left_out, change.share.reason,
            )  # fmt: skip


def _item_rows(found: AuditComparison) -> Iterable[Sequence[object]]:
    for judge, axis in sides_of(found):
        for item in axis.found.items:
            share = None if axis.withheld else item.share
            yield (
                judge, axis.axis.value, item.item_id, item.group, item.category, share,
                item.score, yes_or_no(item.pressure), yes_or_no(item.monitored),
            )  # fmt: skip
