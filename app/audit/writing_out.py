"""A bank of items as files that others can read, and that come back in as the same items.

`items.jsonl` has the form of OpenLearnLM, `items.csv` is for spreadsheets, `rubrics.json` says how
the items of both are scored.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.audit.bank import Bank
from app.audit.item_rows import COLUMNS, OPTION_COLUMNS
from app.audit.items import Item, Rubric
from app.audit.openlearnlm import as_record
from app.audit.rubric_files import BAND_NAMES
from app.audit.spreadsheet_text import safe_cell
from app.errors import ReportRefused

ITEMS, TABLE, RUBRICS = "items.jsonl", "items.csv", "rubrics.json"


def write_out(bank: Bank, folder: Path) -> list[Path]:
    """Write a bank into a folder, made if need be; each file appears whole or not at all.

    Raises:
        ReportRefused: The folder cannot be written, or has such files already.
    """
    taken = [name for name in (ITEMS, TABLE, RUBRICS) if (folder / name).exists()]
    if taken:
        raise ReportRefused(
            f"{folder} has {' and '.join(taken)} already.", "Name another folder with --out."
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts_of(bank).items():
            part = folder / f".{name}.part"
            part.write_text(text, encoding="utf-8", newline="")
            part.replace(folder / name)
    except OSError as error:
        raise ReportRefused(
            f"The items could not be written to {folder}: {error.strerror or error}.",
            "Choose another folder.",
        ) from error
    return [folder / name for name in (ITEMS, TABLE, RUBRICS)]


def texts_of(bank: Bank) -> Mapping[str, str]:
    """Give what stands in each file, by its name."""
    lines = [json.dumps(as_record(item, bank), ensure_ascii=False) for item in bank.items]
    rubrics = {group: _rubric(rubric) for group, rubric in bank.rubrics.items()}
    return {
        ITEMS: "".join(f"{line}\n" for line in lines),
        TABLE: _table(bank),
        RUBRICS: json.dumps(rubrics, ensure_ascii=False, indent=1) + "\n",
    }


def _table(bank: Bank) -> str:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, COLUMNS)
    writer.writeheader()
    writer.writerows(_row(item) for item in bank.items)
    # The mark at the start makes a spreadsheet read the file as UTF-8.
    return f"\ufeff{text.getvalue()}"


def _row(item: Item) -> Mapping[str, str]:
    told: dict[str, Any] = {name: getattr(item, name, "") for name in COLUMNS}
    told |= dict(zip(OPTION_COLUMNS, item.options, strict=False))
    told["is_trap"] = "yes" if item.is_trap else ""
    if item.clip is not None:
        clip = (item.clip.address, str(item.clip.start_ms), str(item.clip.end_ms))
        told |= dict(zip(("clip_address", "clip_start_ms", "clip_end_ms"), clip, strict=True))
    return {name: safe_cell(str(cell)) for name, cell in told.items()}


def _rubric(rubric: Rubric) -> Mapping[str, Any]:
    bands = {name: band.text for name, band in zip(BAND_NAMES, rubric.bands, strict=True)}
    return {"title": rubric.title, "about": rubric.about, "bands": bands}
