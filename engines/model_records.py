"""What is written down of an installed model, in its own folder.

    models/NAME/model.json     the record; a folder without one is not a model
    models/NAME/removing.json  the same record while the model is being deleted
    models/NAME/FILE           files that were downloaded or copied

A linked model has only its record: its files lie where their owner put them.
"""

from __future__ import annotations

import json
import logging
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from app.errors import Refused
from app.models import Origin
from engines.shelf_files import to_disk
from engines.weights import WHISPER_BASE, check_whisper_folder

log = logging.getLogger(__name__)

RECORD = "model.json"
GOING = "removing.json"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class InstalledFile:
    """One file of an installed model."""

    path: Path
    role: str
    """`weights`, `projector` or `support`."""
    size_bytes: int
    sha256: str
    """Empty only for models that the program put there before it kept records."""


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model that can be used without any network."""

    name: str
    title: str
    kind: str
    form: str
    origin: Origin
    source: str
    """The hub's owner, name and revision, or the path that it was taken from."""
    licence: str
    added: str
    """When, ISO 8601."""
    files: tuple[InstalledFile, ...]
    context_bytes_per_token: int | None = None

    @property
    def weights(self) -> InstalledFile:
        """The file of weights."""
        return next(file for file in self.files if file.role == "weights")

    @property
    def projector(self) -> InstalledFile | None:
        """The file that turns pictures into tokens, if the model has one."""
        return next((file for file in self.files if file.role == "projector"), None)

    @property
    def size_bytes(self) -> int:
        """Bytes of all files."""
        return sum(file.size_bytes for file in self.files)


def write_record(model: InstalledModel, folder: Path, name: str = RECORD) -> None:
    """Write a model's record into its folder, down to the disk."""
    table = asdict(model) | {"version": _VERSION}
    for file in table["files"]:
        path = file.pop("path")
        file["name"] = str(path) if model.origin is Origin.LINKED else path.name
    with (folder / name).open("wb") as out:
        out.write(json.dumps(table, ensure_ascii=False, indent=1).encode("utf-8"))
        to_disk(out)


def read_record(folder: Path, name: str = RECORD) -> InstalledModel | None:
    """Give the model of a folder; `None` where there is no record, or none that can be read."""
    try:
        table = json.loads((folder / name).read_text(encoding="utf-8"))
        return _from_table(table, folder)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        log.warning("the record of %s cannot be read: %s", folder, error)
        return None


def known_folder(folder: Path) -> InstalledModel | None:
    """Take a folder that the program itself fills: the base Whisper model, and older downloads."""
    if not folder.name.startswith("whisper-") or (folder / GOING).exists():
        return None
    try:
        check_whisper_folder(folder)
    except Refused:
        return None
    hashes = WHISPER_BASE if folder.name == "whisper-base" else {}
    names = ["model.bin", "config.json", "tokenizer.json", "preprocessor_config.json"]
    names += ["vocabulary.txt", "vocabulary.json"]
    files = tuple(
        InstalledFile(
            path=folder / name,
            role="weights" if name == "model.bin" else "support",
            size_bytes=(folder / name).stat().st_size,
            sha256=hashes.get(name, ""),
        )
        for name in names
        if (folder / name).is_file()
    )
    size = folder.name.removeprefix("whisper-")
    return InstalledModel(
        name=folder.name,
        title=f"Whisper {size}",
        kind="speech",
        form="ctranslate2",
        origin=Origin.PROGRAM,
        source=f"Systran/faster-whisper-{size}",
        licence="MIT",
        added="",
        files=files,
    )


def _from_table(table: dict[str, Any], folder: Path) -> InstalledModel:
    if table.pop("version") != _VERSION:
        raise ValueError("it is of a newer program")
    origin = Origin(table["origin"])
    files = tuple(_file_from(row, origin, folder) for row in table["files"])
    model = InstalledModel(**table | {"origin": origin, "files": files, "name": folder.name})
    if [file.role for file in files].count("weights") != 1:
        raise ValueError("it names no weights")
    return model


def _file_from(row: dict[str, Any], origin: Origin, folder: Path) -> InstalledFile:
    name = str(row.pop("name"))
    if origin is Origin.LINKED:
        return InstalledFile(path=Path(name), **row)
    # The record decides what is deleted, so it can name nothing outside its folder.
    if Path(name).name != name or name in (RECORD, GOING, "", ".", ".."):
        raise ValueError(f"{name} is no name of a file")
    return InstalledFile(path=folder / name, **row)
