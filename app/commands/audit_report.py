"""`audit score` and `audit report`: what came of an audit, on the terminal and on paper."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from app.audit.audit_judge_tables import experts_table, guards_table, quotes_table
from app.audit.audit_tables import gates_table, judge_tables, knowledge_tables, stale_table
from app.audit.audit_words import reviewed_words
from app.audit.board import AuditBoard
from app.audit.comparison_tables import comparison_json, comparison_tables
from app.audit.figure_rows import figure_row_json, figure_rows, gate_json
from app.audit.findings import Finding, Findings, findings_of
from app.audit.ranking import ranked, ranks_table
from app.benchmark.words import Table, as_text
from app.commands.out import Out
from app.desk import Desk
from app.errors import WrongUse
from app.imprint import now_in_seconds, program_name


def score_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `audit score` takes."""
    parser.add_argument("audit", metavar="AUDIT", nargs="?", help="its number or title")
    parser.add_argument(
        "--ranks",
        action="store_true",
        help="instead: do the axes put the tutors audited here in one order?",
    )


def report_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `audit report` takes."""
    parser.add_argument("audit", metavar="AUDIT", help="its number or title")
    parser.add_argument("--out", metavar="DIR", help="where the report is written")


def compare_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `audit compare` takes."""
    parser.add_argument("earlier", metavar="EARLIER", help="number or title of the earlier audit")
    parser.add_argument("later", metavar="LATER", help="number or title of the later one")
    parser.add_argument("--out", metavar="DIR", help="write a page and tables here as well")


def score(desk: Desk, chosen: argparse.Namespace, out: Out) -> int:
    """Print the boards, gates and findings of an audit; asks no model.

    Raises:
        WrongUse: No audit is named, and no ranks are asked for.
    """
    if chosen.ranks:
        return _ranks(desk, out)
    if not chosen.audit:
        raise WrongUse("No audit is named.", "Name one by its number or title, or use --ranks.")
    audit = desk.audit.find(chosen.audit)
    board = desk.audit.results.board(audit.audit_id)
    blind = desk.audit_experts.to_score_blind(
        audit.audit_id, desk.author, is_blind=desk.settings.blind
    )
    found, stale = findings_of(board), desk.audit.results.stale_keys(audit.audit_id)
    out.give(
        {
            "audit": audit.audit_id,
            "title": audit.plan.title,
            "responses": {"done": board.tutored.done, "planned": board.tutored.planned},
            "findings": _findings_json(found),
            "gates": [gate_json(verdict) for verdict in board.gates],
            "figures": [
                figure_row_json(row) for row in figure_rows(board, beside_experts=not blind)
            ],
            "stale_keys": [asdict(one) for one in stale.suspects],
        }
    )
    _tell(board, found, out, beside_experts=not blind)
    if stale.suspects:
        say_table(stale_table(stale), out)
    return 0


def report(desk: Desk, chosen: argparse.Namespace, out: Out) -> int:
    """Write the report on an audit; asks no model.

    Raises:
        ReportRefused: The tutor has given no response yet, or it cannot be written.
    """
    audit = desk.audit.find(chosen.audit)
    made_at, program = stamped()
    files = desk.audit.papers.write_report(
        audit.audit_id,
        Path(chosen.out or "."),
        made_at=made_at,
        program=program,
        report=out.report,
    )
    out.done()
    out.give({"audit": audit.audit_id, "files": [str(file) for file in files]})
    say_files(files, out)
    return 0


def compare(desk: Desk, chosen: argparse.Namespace, out: Out) -> int:
    """Print what changed between two versions of a tutor, what got worse first; asks no model."""
    earlier, later = desk.audit.find(chosen.earlier), desk.audit.find(chosen.later)
    found = desk.audit.results.compare(earlier.audit_id, later.audit_id)
    files: list[Path] = []
    if chosen.out:
        made_at, program = stamped()
        files = desk.audit.papers.write_comparison(
            earlier.audit_id,
            later.audit_id,
            Path(chosen.out),
            made_at=made_at,
            program=program,
            report=out.report,
        )
        out.done()
    out.give({**comparison_json(found), "files": [str(file) for file in files]})
    out.say(f"{later.plan.title} beside {earlier.plan.title}")
    for note in found.notes:
        out.say(textwrap.fill(note, 100, initial_indent="  ", subsequent_indent="  "))
    for table in comparison_tables(found):
        say_table(table, out)
    say_files(files, out)
    return 0


def stamped() -> tuple[str, str]:
    """Give the date and the program that stand on a page."""
    return now_in_seconds(), program_name()


def say_files(files: Iterable[Path], out: Out) -> None:
    """Name the files that were written."""
    for file in files:
        out.say(f"Written: {file}")


def say_table(table: Table, out: Out) -> None:
    """Print a table with an empty line before it."""
    out.say("")
    out.say(as_text(table))


def _ranks(desk: Desk, out: Out) -> int:
    boards = desk.audit.results.latest_boards()
    pairs = ranked(boards)
    out.give(
        {
            "tutors": [board.audit.plan.tutor.name for board in boards],
            "pairs": [asdict(pair) for pair in pairs],
        }
    )
    out.say(as_text(ranks_table(boards, pairs)))
    return 0


def _tell(board: AuditBoard, found: Findings, out: Out, *, beside_experts: bool) -> None:
    plan = board.audit.plan
    out.say(f"{plan.title}: {plan.tutor.name}")
    reviewed = reviewed_words(board)
    if reviewed:
        out.say(f"  {reviewed[:1].upper()}{reviewed[1:]}.")
    for title, findings in (
        ("What broke", found.broke),
        ("What held", found.held),
        ("What cannot be told", found.unknown),
        ("Also seen", found.seen),
    ):
        _say_side(title, findings, out)
    if not beside_experts:
        out.say("")
        out.say("You score blind: judges beside experts are told once you have scored all.")
    for table in _tables(board, beside_experts=beside_experts):
        say_table(table, out)


def _tables(board: AuditBoard, *, beside_experts: bool) -> list[Table]:
    tables = [gates_table(board), guards_table(board), quotes_table(board)]
    if beside_experts:
        tables.insert(1, experts_table(board))
    for judge in board.judges:
        tables += judge_tables(board, judge)
    return [table for table in (*tables, *knowledge_tables(board)) if table.rows]


def _say_side(title: str, findings: tuple[Finding, ...], out: Out) -> None:
    if not findings:
        return
    out.say("")
    out.say(title)
    for one in findings:
        out.say(textwrap.fill(one.told, 100, initial_indent="  ", subsequent_indent="  "))
        for figure in one.figures:
            out.say(
                textwrap.fill(figure, 100, initial_indent="      ", subsequent_indent="        ")
            )


def _findings_json(found: Findings) -> dict[str, list[dict[str, object]]]:
    sides = {
        "broke": found.broke,
        "held": found.held,
        "unknown": found.unknown,
        "seen": found.seen,
    }
    return {
        side: [{"told": one.told, "figures": list(one.figures)} for one in findings]
        for side, findings in sides.items()
    }
