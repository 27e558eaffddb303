"""Boards that were counted before, in the form in which a library keeps them.

A board follows from what the library holds, from the code that counts it and from the libraries
that draw for its intervals, and from nothing else. It is kept under all of these; where anything
differs it is counted anew. A report is always counted anew.
"""

from __future__ import annotations

import hashlib
import logging
import sys
import zlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import app
from app.audit.board import AuditBoard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from msgspec.json import Decoder

log = logging.getLogger(__name__)


@cache
def figures_version() -> str:
    """Name the code that counts boards: SHA-256 of all of the core's source, Python and numpy.

    All of it, since nobody would remember to name a file here that a figure comes to rest on.

    Returns:
        Empty where the source is not at hand: then nothing is kept, since nobody could tell boards
        of this version from those of another.
    """
    root = Path(app.__file__).parent
    told = hashlib.sha256(f"{sys.version} numpy {np.__version__}".encode())
    sources = sorted(root.rglob("*.py"))
    if not sources:
        return ""
    for path in sources:
        told.update(f"\0{path.relative_to(root).as_posix()}\0".encode())
        told.update(path.read_bytes())
    return told.hexdigest()


def state_of(stamp: Sequence[int]) -> str:
    """Name the state that a board is kept in; empty where none is to be kept.

    Args:
        stamp: Of its audit, from `app.store.audits`.
    """
    version = figures_version()
    return f"{version} {' '.join(map(str, stamp))}" if version else ""


def is_finished(board: AuditBoard) -> bool:
    """Say whether nothing more is to come of what a board counts."""
    return board.tutored.is_whole and all(judge.scored.is_whole for judge in board.judges)


def to_bytes(board: AuditBoard) -> bytes:
    """Write a board as JSON, packed."""
    # Loaded where a board is kept or read: no other command has to wait for it.
    import msgspec

    return zlib.compress(msgspec.json.encode(board), 1)


def from_bytes(content: bytes) -> AuditBoard | None:
    """Read a board back, equal to the field; `None` where it was spoilt."""
    import msgspec

    try:
        return _decoder().decode(zlib.decompress(content))
    except (zlib.error, msgspec.MsgspecError) as error:
        log.warning("A kept board cannot be read (%s); it is counted anew.", type(error).__name__)
        return None


@cache
def _decoder() -> Decoder[AuditBoard]:
    import msgspec

    return msgspec.json.Decoder(AuditBoard)
