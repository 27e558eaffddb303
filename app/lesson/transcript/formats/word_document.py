"""Word documents (by python-docx): Teams' transcripts, typed dialogue, and tables."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

from docx import Document
from docx.table import Table
from docx.text.paragraph import Paragraph

from app.lesson.transcript.formats.column_times import Cell
from app.lesson.transcript.formats.dialog import read_dialog
from app.lesson.transcript.formats.drafts import Found
from app.lesson.transcript.formats.packages import PACKAGE_FAULTS, damaged
from app.lesson.transcript.formats.tables import find_layout, read_rows


def read_document(data: bytes, name: str) -> Found:
    """Read a Word document: its table of turns if it has one, else its paragraphs.

    Raises:
        TranscriptRefused: The file is damaged.
    """
    try:
        paragraphs, tables = _contents(data)
    except PACKAGE_FAULTS as error:
        raise damaged(name) from error
    for rows in tables:
        layout = find_layout(rows)
        if layout is not None and len(rows) > 1:
            return read_rows(rows, layout, "import:docx")
    cells = [" ".join(str(cell) for cell in row if cell) for rows in tables for row in rows]
    return read_dialog("\n\n".join([*paragraphs, *cells]), source="import:docx")


def _contents(data: bytes) -> tuple[list[str], list[list[Sequence[Cell]]]]:
    document = Document(io.BytesIO(data))
    paragraphs: list[str] = []
    tables: list[list[Sequence[Cell]]] = []
    for block in document.iter_inner_content():
        if isinstance(block, Table):
            tables.append([[cell.text for cell in row.cells] for row in block.rows])
        else:
            paragraphs.extend(_shown(block))
    return paragraphs, tables


def _shown(paragraph: Paragraph) -> Iterator[str]:
    if paragraph.text.strip():
        yield paragraph.text
