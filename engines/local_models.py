"""The models that are installed: listed, added, checked and removed.

    models/NAME/               a model with its record; see `engines.model_records`
    models/.NAME.part/         what is still being fetched; never listed, kept until it is whole
    models/.NAME.*.adding/     what is being copied; never listed

A folder is put together under its hidden name and renamed in one step, so a model is whole or is
not there.
"""

from __future__ import annotations

import contextlib
import logging
import re
import shutil
import tempfile
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from app.errors import EngineMissing, Refused
from app.models import Origin
from app.places import models_folder
from app.running.protocols import Report, no_report
from engines.forms import Looked, look_at_model, look_at_projector
from engines.hashes import remember_sha256
from engines.model_records import (
    GOING,
    RECORD,
    InstalledFile,
    InstalledModel,
    known_folder,
    read_record,
    write_record,
)
from engines.shelf_files import (
    Progress,
    cannot_write,
    copy_file,
    see_space,
    sha256_of,
)

log = logging.getLogger(__name__)

_ADDING = ".adding"
_DAY_S = 86_400


def installed_models() -> tuple[InstalledModel, ...]:
    """Give what is installed, in order of name. Reads records and no weights."""
    _finish_removals()
    found = []
    for folder in sorted(models_folder().iterdir()):
        if folder.name.startswith(".") or not folder.is_dir():
            continue
        model = read_record(folder) or known_folder(folder)
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
            (folder / RECORD).replace(folder / GOING)
        else:
            write_record(model, folder, GOING)
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


def _finish_removals() -> None:
    for record in models_folder().glob(f"*/{GOING}"):
        try:
            _delete(record.parent)
        except OSError as error:
            log.warning("%s cannot be deleted yet: %s", record.parent, error)


def _delete(folder: Path) -> int:
    """Delete what the record of a going model names; gives how many other files stay."""
    model = read_record(folder, GOING)
    if model is not None and model.origin is not Origin.LINKED:
        for file in model.files:
            file.path.unlink(missing_ok=True)
    (folder / GOING).unlink()
    left = sum(1 for _ in folder.iterdir())
    if not left:
        folder.rmdir()
    return left
