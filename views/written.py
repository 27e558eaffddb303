"""Tells that files were written, and offers to open the page among them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from views.notices import Kind, Notices


def tell_written(notices: Notices, what: str, folder: Path, files: Sequence[Path]) -> None:
    """Tell what was written where, with a button for the page if there is one.

    Args:
        notices: Where it is told.
        what: What was written, as the beginning of a sentence: `The results of “Water” are`.
        folder: Where.
        files: All of them.
    """
    told = f"{what} written to {folder}: {len(files)} files."
    page = next((file for file in files if file.suffix == ".pdf"), None)
    if page is None:
        notices.tell(told, kind=Kind.DONE)
    else:
        notices.tell(told, "", Kind.DONE, "Open report", partial(open_file, page))


def open_file(path: Path) -> None:
    """Open a file with the program that the computer has for it."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
