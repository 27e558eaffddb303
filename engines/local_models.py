"""The models that are installed: one folder each, with a record of what belongs to it.

    models/NAME/model.json     the record; a folder without one is not a model
    models/NAME/FILE           files that were downloaded or copied
    models/.NAME.part/         what is still being fetched; never listed, kept until it is whole
    models/.NAME.*.adding/     what is being copied; never listed

A folder is put together under its hidden name and renamed in one step, so a model is whole or is
not there. A linked model has only its record: its files lie where their owner put them.
"""

from __future__ import annotations

import contextlib
import json
import logging
import re
import shutil
import tempfile
import threading
import time
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from app.errors import EngineMissing, Refused
from app.models import Origin
from app.places import models_folder
from app.running.protocols import Report, no_report
from engines.forms import Looked, look_at_model, look_at_projector
from engines.hashes import remember_sha256
from engines.shelf_files import (
    Progress,
    cannot_write,
    copy_file,
    see_space,
    sha256_of,
    to_disk,
)
from engines.weights import WHISPER_BASE, check_whisper_folder

log = logging.getLogger(__name__)

RECORD = "model.json"
_GOING = "removing.json"
_ADDING = ".adding"
_VERSION = 1
_DAY_S = 86_400


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


def installed_models() -> tuple[InstalledModel, ...]:
    """Give what is installed, in order of name. Reads records and no weights."""
    _finish_removals()
    found = []
    for folder in sorted(models_folder().iterdir()):
        if folder.name.startswith(".") or not folder.is_dir():
            continue
        model = _read(folder) or _without_record(folder)
        if model is not None:
            found.append(model)
    return tuple(found)


def find_installed(name: str) -> InstalledModel:
    """Give an installed model by its name.

    Raises:
        EngineMissing: None of that name is installed.
    """
    models = installed_models()
    for model in models:
        if model.name == name:
            return model
    there = ", ".join(model.name for model in models)
    raise EngineMissing(
        f"No model called {name} is installed.",
        f"Installed are: {there}." if there else "Fetch or add one first.",
    )


def add_local(
    path: Path,
    projector: Path | None = None,
    title: str = "",
    *,
    copy: bool = False,
    report: Report = no_report,
    stop: threading.Event | None = None,
) -> InstalledModel:
    """Take a model of the person's own.

    Args:
        path: A GGUF or ONNX file, or the folder of a CTranslate2 model.
        projector: The GGUF file that turns pictures into tokens for it.
        title: What to call it; the file's own word for itself otherwise.
        copy: Copy it among the models. Otherwise it is used where it lies.
        report: Takes progress; every byte is read once, for the hash.
        stop: Ends the work; nothing is left of it.

    Raises:
        Refused: It cannot be used; see `engines.forms`. Or the name is taken, or the disk full.
        Cancelled: `stop` was set.
    """
    looked = look_at_model(path)
    parts = list(looked.files)
    if projector is not None:
        if looked.header is None:
            raise Refused(f"{path.name} takes no projector.", "Only GGUF models have one.")
        look_at_projector(projector, looked.header)
        parts.append((projector, "projector"))
    name = free_name(title or _own_title(looked, path))
    model = InstalledModel(
        name=name,
        title=title or _own_title(looked, path),
        kind="vision" if projector is not None else looked.kind,
        form=looked.form,
        origin=Origin.COPIED if copy else Origin.LINKED,
        source=str(path.absolute()),
        licence="",
        added=now(),
        files=(),
        context_bytes_per_token=looked.header.context_bytes_per_token if looked.header else None,
    )
    try:
        return _take(model, parts, report, stop)
    except OSError as error:
        raise cannot_write(error, models_folder()) from error


def check_model(
    model: InstalledModel, report: Report = no_report, stop: threading.Event | None = None
) -> tuple[str, ...]:
    """Read every byte of a model again and give what is wrong, in sentences.

    Raises:
        Cancelled: `stop` was set.
    """
    progress = Progress(report, f"checking {model.title}", model.size_bytes)
    found = (_trouble(file, progress, stop) for file in model.files)
    return tuple(trouble for trouble in found if trouble)


def remove_model(model: InstalledModel) -> str:
    """Delete what was downloaded or copied, and forget the model.

    A linked file, and whatever else a person put into the folder, stays where it is. Killed half
    way, the rest is deleted the next time that models are listed.

    Returns:
        What was deleted and what was not, as a sentence.

    Raises:
        Refused: A file cannot be deleted.
    """
    folder = models_folder() / model.name
    try:
        if (folder / RECORD).exists():
            (folder / RECORD).replace(folder / _GOING)
        else:
            write_record(model, folder, _GOING)
        kept = _delete(folder)
    except OSError as error:
        raise Refused(
            f"{model.title} cannot be deleted: {error.strerror}.",
            "Close whatever uses it, and try again.",
        ) from error
    if model.origin is Origin.LINKED:
        return f"{model.title} is off the list. Its file stays at {model.source}."
    rest = f" {kept} of your own files stay in {folder}." if kept else ""
    return f"{model.title} was deleted.{rest}"


def free_name(title: str) -> str:
    """Make a folder's name out of a title.

    Raises:
        Refused: A model or a folder of that name is there.
    """
    name = re.sub(r"[^a-z0-9.]+", "-", title.lower()).strip("-.")[:80] or "model"
    if (models_folder() / name).exists():
        raise Refused(
            f"There is already a model called {name}.",
            "Give this one another title, or remove the other one first.",
        )
    return name


def write_record(model: InstalledModel, folder: Path, name: str = RECORD) -> None:
    """Write a model's record into its folder, down to the disk."""
    table = asdict(model) | {"version": _VERSION}
    for file in table["files"]:
        path = file.pop("path")
        file["name"] = str(path) if model.origin is Origin.LINKED else path.name
    with (folder / name).open("wb") as out:
        out.write(json.dumps(table, ensure_ascii=False, indent=1).encode("utf-8"))
        to_disk(out)


def arrive(model: InstalledModel, made: Path) -> InstalledModel:
    """Let a finished hidden folder become a model, in one step.

    Args:
        model: With the paths that its files will have.
        made: The hidden folder, with the files and without a record.
    """
    folder = models_folder() / model.name
    write_record(model, made)
    made.rename(folder)
    for file in model.files:
        remember_sha256(file.path, file.sha256)
    return model


def now() -> str:
    """Give the time for a record."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def part_folder(name: str) -> Path:
    """Give the hidden folder in which a model is put together."""
    return models_folder() / f".{name}.part"


def _take(
    model: InstalledModel,
    parts: list[tuple[Path, str]],
    report: Report,
    stop: threading.Event | None,
) -> InstalledModel:
    total = sum(path.stat().st_size for path, _ in parts)
    copy = model.origin is Origin.COPIED
    if copy:
        see_space(models_folder(), total)
    _remove_leftovers()
    made = Path(tempfile.mkdtemp(dir=models_folder(), prefix=f".{model.name}.", suffix=_ADDING))
    progress = Progress(report, f"{'copying' if copy else 'reading'} {model.title}", total)
    try:
        files = []
        for path, role in parts:
            if copy:
                called = f"projector-{path.name}" if (made / path.name).exists() else path.name
                digest = copy_file(path, made / called, progress.add, stop)
                place = models_folder() / model.name / called
            else:
                digest = sha256_of(path, progress.add, stop)
                place = path.absolute()
            files.append(InstalledFile(place, role, path.stat().st_size, digest))
        return arrive(replace(model, files=tuple(files)), made)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _remove_leftovers() -> None:
    """Remove what a killed program left half copied; a fresh one may be another program's work."""
    for left in models_folder().glob(f".*{_ADDING}"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > _DAY_S:
                shutil.rmtree(left, ignore_errors=True)


def _own_title(looked: Looked, path: Path) -> str:
    if looked.header is not None and looked.header.title.strip():
        return looked.header.title.strip()
    return path.name if path.is_dir() else path.stem


def _trouble(file: InstalledFile, progress: Progress, stop: threading.Event | None) -> str:
    try:
        size = file.path.stat().st_size
        digest = sha256_of(file.path, progress.add, stop)
    except OSError as error:
        return f"{file.path} cannot be read: {error.strerror}."
    if size != file.size_bytes:
        return f"{file.path} has {size} bytes and should have {file.size_bytes}."
    if file.sha256 and digest != file.sha256:
        return f"{file.path} has changed: its SHA-256 is {digest} and was {file.sha256}."
    return ""


def _read(folder: Path, name: str = RECORD) -> InstalledModel | None:
    try:
        table = json.loads((folder / name).read_text(encoding="utf-8"))
        return _from_table(table, folder)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        log.warning("the record of %s cannot be read: %s", folder, error)
        return None


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
    if Path(name).name != name or name in (RECORD, _GOING, "", ".", ".."):
        raise ValueError(f"{name} is no name of a file")
    return InstalledFile(path=folder / name, **row)


def _without_record(folder: Path) -> InstalledModel | None:
    """Take a folder that the program itself fills: the base Whisper model, and older downloads."""
    if not folder.name.startswith("whisper-") or (folder / _GOING).exists():
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


def _finish_removals() -> None:
    for record in models_folder().glob(f"*/{_GOING}"):
        try:
            _delete(record.parent)
        except OSError as error:
            log.warning("%s cannot be deleted yet: %s", record.parent, error)


def _delete(folder: Path) -> int:
    """Delete what the record of a going model names; gives how many other files stay."""
    model = _read(folder, _GOING)
    if model is not None and model.origin is not Origin.LINKED:
        for file in model.files:
            file.path.unlink(missing_ok=True)
    (folder / _GOING).unlink()
    left = sum(1 for _ in folder.iterdir())
    if not left:
        folder.rmdir()
    return left
