"""Which form a model has, told by its content: GGUF, ONNX or CTranslate2, and nothing else.

Python pickles can run any program when they are opened, so they are refused by what they are,
whatever they are called. Nothing here loads a model or runs any of its code.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from app.errors import Refused
from engines.gguf_header import MAGIC, GgufHeader, read_gguf
from engines.weights import check_whisper_folder

PROJECTORS = {
    "gemma3": ("gemma3",),
    "qwen2vl_merger": ("qwen2vl",),
    "qwen2.5vl_merger": ("qwen2vl",),
    "qwen3vl_merger": ("qwen3",),
}
"""By kind of projector: how the architecture of a model must start. Others go by width alone."""

SUPPORT = (
    "config.json",
    "preprocessor_config.json",
    "tokenizer.json",
    "vocabulary.json",
    "vocabulary.txt",
    "shared_vocabulary.json",
    "shared_vocabulary.txt",
    "source_vocabulary.json",
    "target_vocabulary.json",
    "sentencepiece.bpe.model",
)
"""What a CTranslate2 folder may hold beside `model.bin`; other files are left where they are."""

_PICKLE = "a Python pickle, which can run any program when it is opened"
_OTHERS = (
    (b"PK\x03\x04", f"a zip file, probably with {_PICKLE}"),
    (b"\x80\x02", _PICKLE),
    (b"\x80\x03", _PICKLE),
    (b"\x80\x04", _PICKLE),
    (b"\x80\x05", _PICKLE),
    (b"lmgg", "a model for whisper.cpp"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\x1f\x8b", "a packed file"),
    (b"version https://git-lfs", "only a placeholder for a file that was not fetched"),
    (b"<!DOCTYPE", "a page of the web"),
    (b"<html", "a page of the web"),
)
_MODEL_BIN = "model.bin"


@dataclass(frozen=True, slots=True)
class Looked:
    """What a file or folder turned out to be."""

    form: str
    """`gguf`, `onnx` or `ctranslate2`."""
    kind: str
    """`text`, `speech`, or `network` where nothing more can be told."""
    files: tuple[tuple[Path, str], ...]
    """Every file that belongs to it, with its role; the weights first."""
    header: GgufHeader | None = None


def look_at(path: Path) -> Looked:
    """Tell the form of a file or folder, having seen that it is whole.

    Raises:
        Refused: It is of no form that can be used, is broken or cut short, or cannot be read.
    """
    if path.is_dir():
        return _folder(path)
    start = _start(path)
    if start.startswith(MAGIC):
        return Looked("gguf", "text", ((path, "weights"),), read_gguf(path))
    if path.name == _MODEL_BIN and (path.parent / "config.json").is_file():
        return _folder(path.parent)
    if _is_onnx(path):
        return Looked("onnx", "network", ((path, "weights"),))
    raise Refused(
        f"{path.name} is {_what(start)}, and models can only be GGUF, ONNX or CTranslate2.",
        "Look for the model in one of these forms, where it came from.",
    )


def look_at_model(path: Path) -> Looked:
    """As `look_at`, for a model that stands by itself: no projector, and no part of a model.

    Raises:
        Refused: See there.
    """
    looked = look_at(path)
    if looked.header is None:
        return looked
    if looked.header.is_projector:
        raise Refused(
            f"{path.name} is a projector, which only turns pictures into tokens for a model.",
            "Name the model's own file, and this one as its projector.",
        )
    if looked.header.parts > 1:
        raise Refused(
            f"{path.name} is one of {looked.header.parts} parts of a model.",
            "Join them first with llama.cpp's llama-gguf-split --merge.",
        )
    return looked


def look_at_projector(path: Path, model: GgufHeader) -> GgufHeader:
    """See that a file is a projector and belongs to a model.

    Raises:
        Refused: It is not, or does not.
    """
    header = look_at(path).header
    if header is None or not header.is_projector:
        raise Refused(
            f"{path.name} is not a projector.",
            "The projector's file usually has mmproj in its name.",
        )
    starts = PROJECTORS.get(header.projector_kind)
    if starts is not None and not model.architecture.startswith(starts):
        raise Refused(
            f"{path.name} is a projector for {header.projector_kind}, "
            f"and the model is a {model.architecture}.",
            "Take the projector from where the model came from.",
        )
    if None not in (header.width, model.width) and header.width != model.width:
        raise Refused(
            f"{path.name} does not fit the model: it gives {header.width} numbers for each token, "
            f"and the model takes {model.width}.",
            "Take the projector of the same model and size.",
        )
    return header


def _start(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(64)
    except OSError as error:
        raise Refused(
            f"{path.name} cannot be read: {error.strerror}.", f"Look after {path.parent}."
        ) from error


def _what(start: bytes) -> str:
    for magic, what in _OTHERS:
        if start.startswith(magic):
            return what
    # safetensors: the length of a JSON table, then the table.
    if start[8:10] == b'{"':
        return "a safetensors file, which has to be converted"
    return "something else" if start else "empty"


def _is_onnx(path: Path) -> bool:
    """Walk the outermost fields of the file: a version, a graph, and nothing out of place."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            fields = _fields(file, size)
    except OSError:
        return False
    return fields is not None and {1, 7} <= set(fields) and set(fields) <= set(range(1, 30))


def _fields(file: BinaryIO, size: int) -> list[int] | None:
    """Give the numbers of the fields of a protobuf message, or `None` if it is none."""
    found: list[int] = []
    while file.tell() < size:
        tag = _varint(file)
        if tag is None or tag < 8 or len(found) > 100_000:
            return None
        length = _length(file, tag & 7)
        if length is None or file.tell() + length > size:
            return None
        file.seek(length, 1)
        found.append(tag >> 3)
    return found


def _length(file: BinaryIO, wire: int) -> int | None:
    if wire == 0:
        return None if _varint(file) is None else 0
    if wire == 2:
        return _varint(file)
    return {1: 8, 5: 4}.get(wire)


def _varint(file: BinaryIO) -> int | None:
    value = 0
    for shift in range(0, 70, 7):
        byte = file.read(1)
        if not byte:
            return None
        value |= (byte[0] & 127) << shift
        if byte[0] < 128:
            return value
    return None


def _folder(folder: Path) -> Looked:
    model = folder / _MODEL_BIN
    if not model.is_file():
        # Whoever chose the folder of a model in another form is told so.
        for other in sorted(folder.glob("*.gguf")):
            raise Refused(f"{folder.name} is a folder.", f"Choose the file in it: {other.name}.")
        raise Refused(
            f"{folder.name} holds no model.bin.",
            "Choose the folder of a CTranslate2 model, or the file of a GGUF or ONNX model.",
        )
    spec = _ctranslate2_spec(model)
    if spec == "WhisperSpec":
        check_whisper_folder(folder)
    elif not (folder / "config.json").is_file():
        raise Refused(
            f"config.json is missing from {folder.name}.", "Take it from where the model came from."
        )
    files = [(model, "weights")]
    files += [(folder / name, "support") for name in SUPPORT if (folder / name).is_file()]
    return Looked("ctranslate2", "speech" if spec == "WhisperSpec" else "text", tuple(files))


def _ctranslate2_spec(path: Path) -> str:
    """Give the name of what is in a `model.bin`, having walked over all its tensors."""
    start = _start(path)
    for magic, what in _OTHERS:
        if start.startswith(magic):
            raise Refused(
                f"{path.name} is {what}, and not a CTranslate2 model.",
                "Look for the model in CTranslate2 form, where it came from.",
            )
    try:
        with path.open("rb") as file:
            return _walk(file, path.stat().st_size)
    except (struct.error, UnicodeDecodeError, ValueError) as error:
        raise Refused(
            f"{path.name} is no CTranslate2 model, or an old one from before version 3, "
            "or is cut short.",
            "Fetch the model again, or one that was converted lately.",
        ) from error


def _walk(file: BinaryIO, size: int) -> str:
    """Follow CTranslate2's binary versions 5 and 6 to their end."""
    (version,) = struct.unpack("<I", file.read(4))
    if not 5 <= version <= 6:
        raise ValueError(version)
    spec = _name(file)
    _revision, count = struct.unpack("<II", file.read(8))
    for _ in range(count):
        _name(file)
        (rank,) = struct.unpack("<B", file.read(1))
        file.seek(4 * rank + 1, 1)
        (length,) = struct.unpack("<I", file.read(4))
        if file.tell() + length > size:
            raise ValueError("cut short")
        file.seek(length, 1)
    (aliases,) = struct.unpack("<I", file.read(4))
    for _ in range(2 * aliases):
        _name(file)
    return spec


def _name(file: BinaryIO) -> str:
    (length,) = struct.unpack("<H", file.read(2))
    data = file.read(length)
    if len(data) != length or not data.endswith(b"\0"):
        raise ValueError("a name without end")
    return data[:-1].decode("utf-8")
