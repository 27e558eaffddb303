"""SHA-256 of model files, worked out once and kept for as long as a file stays as it is."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from pathlib import Path

from app.errors import Refused
from app.places import cache_folder

_CHUNK = 1 << 20


def file_sha256(path: Path, *, again: bool = False) -> str:
    """Give the SHA-256 of a file, in hex.

    Args:
        path: An existing file.
        again: Read the file even when size and time of change are as at the last reading.

    Raises:
        Refused: The file cannot be read.
    """
    try:
        stat = path.stat()
        stamp = [stat.st_size, stat.st_mtime_ns]
        known = {} if again else _read_kept()
        entry = known.get(str(path.resolve()))
        if isinstance(entry, list) and entry[:2] == stamp and isinstance(entry[2], str):
            return entry[2]
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise Refused(
            f"{path.name} cannot be read: {error.strerror}.", f"Look after {path.parent}."
        ) from error
    _keep(path, [*stamp, digest])
    return digest


def remember_sha256(path: Path, digest: str) -> None:
    """Spare the next reader of a file the reading: its hash was worked out as it was written."""
    with contextlib.suppress(OSError):
        stat = path.stat()
        _keep(path, [stat.st_size, stat.st_mtime_ns, digest])


def check_file(path: Path, expected: str, what: str, *, again: bool = False) -> None:
    """Refuse a file that is not the one it should be.

    Args:
        path: An existing file.
        expected: Its SHA-256, in hex.
        what: What to call it, as the start of a sentence.
        again: As for `file_sha256`.

    Raises:
        Refused: The file is another one, or cannot be read.
    """
    found = file_sha256(path, again=again)
    if found != expected:
        raise Refused(
            f"{what} is not the file it should be: {path} has SHA-256 {found}, "
            f"expected is {expected}.",
            f"Delete {path.parent} and start again, or install the program anew.",
        )


def _kept_file() -> Path:
    return cache_folder() / "hashes.json"


def _read_kept() -> dict[str, object]:
    try:
        kept = json.loads(_kept_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


def _keep(path: Path, entry: list[object]) -> None:
    """Keep an entry; two programs at once may cost one of them its entry, never the file."""
    kept = _read_kept()
    kept[str(path.resolve())] = entry
    # Not kept means read again at the next start, which is slow but right.
    with contextlib.suppress(OSError):
        handle, name = tempfile.mkstemp(dir=cache_folder(), prefix="hashes-")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(kept, file)
        Path(name).replace(_kept_file())
