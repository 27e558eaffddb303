"""`audit banks`, `audit import` and `audit export`: items of audits, in and out."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from app.audit.items import Axis
from app.audit.writing_out import ITEMS, TABLE
from app.commands.out import Out
from app.desk import Desk


def bank_arguments(_parser: argparse.ArgumentParser) -> None:
    """`audit banks` takes nothing."""


def import_arguments(parser: argparse.ArgumentParser) -> None:
    """Add to a command's parser what `audit import` takes."""
    parser.add_argument("file", metavar="FILE", help="items: .csv, .jsonl or .json")
    parser.add_argument(
        "--rubrics", metavar="FILE", help="rubrics of groups that the program does not know"
    )
    parser.add_argument("--name", default="", help="what the bank is called, else as the file")
    parser.add_argument(
        "--without", metavar="IDS", default="", help="items to leave out, with commas"
    )


def export_arguments(parser: argparse.ArgumentParser) -> None:
    """Add to a command's parser what `audit export` takes."""
    parser.add_argument(
        "bank",
        metavar="BANK",
        nargs="?",
        default="",
        help="its name, or the start of its digest; the starter items if not given",
    )
    parser.add_argument("--out", metavar="DIR", required=True, help="where the files are written")


def banks(desk: Desk, _chosen: argparse.Namespace, out: Out) -> int:
    """List the banks of the library and how far people have reviewed them."""
    rows = desk.items.banks()
    marks = {row.digest: desk.items.mark(row.digest) for row in rows}
    out.give(
        {
            "banks": [
                {
                    "name": row.name,
                    "digest": row.digest,
                    "items": row.items,
                    "from": row.origin or None,
                    "added_at": row.added_at,
                    "review": marks[row.digest],
                }
                for row in rows
            ]
        }
    )
    for row in rows:
        out.say(f"{row.name}: {row.items} items ({row.digest[:12]})")
        out.say(f"  {marks[row.digest]}")
    return 0


def import_items(desk: Desk, chosen: argparse.Namespace, out: Out) -> int:
    """Bring in a file of items and say what was found in it.

    Raises:
        Refused: Anything is wrong with the file; nothing of it is kept then.
    """
    digest, draft = desk.items.bring_in(
        Path(chosen.file),
        name=chosen.name,
        rubrics=Path(chosen.rubrics) if chosen.rubrics else None,
        without=[name.strip() for name in chosen.without.split(",") if name.strip()],
    )
    counts = Counter(item.axis for item in draft.bank.items)
    mark = desk.items.mark(digest)
    out.give(
        {
            "bank": draft.name,
            "digest": digest,
            "items": {str(axis): counts[axis] for axis in Axis},
            "rubrics": sorted(draft.bank.rubrics),
            "notes": list(draft.notes),
            "review": mark,
        }
    )
    told = ", ".join(f"{counts[axis]} of {axis}" for axis in Axis if counts[axis])
    out.say(f"{draft.name}: {len(draft.bank.items)} items ({told})")
    for note in draft.notes:
        out.say(f"  {note}")
    out.say(f"  Mark: {mark}")
    return 0


def export_items(desk: Desk, chosen: argparse.Namespace, out: Out) -> int:
    """Write a bank into a folder.

    Raises:
        Refused: There is no such bank, or the folder cannot be written.
    """
    row = desk.items.find(chosen.bank)
    files = desk.items.write_out(row.digest, Path(chosen.out))
    out.give({"bank": row.name, "digest": row.digest, "files": [str(file) for file in files]})
    for file in files:
        out.say(f"Written: {file}")
    out.say(f"{ITEMS} and {TABLE} hold the same items; either comes back with: audit import")
    return 0
