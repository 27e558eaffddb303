"""Words in the cells of a table that no spreadsheet may take for a formula."""

from __future__ import annotations

import re

_FORMULA = re.compile(r"'*[=+\-@\t\r]")


def safe_cell(text: str) -> str:
    """Give words as they are written: a `'` goes before what a spreadsheet would work out."""
    return f"'{text}" if _FORMULA.match(text) else text


def bare_cell(text: str) -> str:
    """Give the words of a cell back as they were before `safe_cell`."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text
