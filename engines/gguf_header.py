"""What a GGUF file says of itself: read from its head, without loading any of its weights.

The file comes from anywhere, so every count in it is checked against the size of the file before
anything is read or kept: a broken or hostile head costs a refusal and never memory or time.
The layout is that of GGUF versions 2 and 3.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from app.errors import Refused

MAGIC = b"GGUF"

Value = int | float | str | bool | tuple[object, ...]

_NUMBERS = {
    0: "<B",
    1: "<b",
    2: "<H",
    3: "<h",
    4: "<I",
    5: "<i",
    6: "<f",
    10: "<Q",
    11: "<q",
    12: "<d",
}
_BOOL, _TEXT, _LIST = 7, 8, 9
_SHORTEST = {_TEXT: 8, _LIST: 12}
_LONGEST_NAME = 65_535
_LONGEST_TEXT = 64 << 20
_LONGEST_HEAD = 128 << 20
"""The words of a model take 6 to 20 MB; more is no head, and reading on would take minutes."""
_KEPT_ITEMS = 64
"""Lists of words run to hundreds of thousands; only the first items are kept."""

_BLOCKS = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34),
    10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 15: (256, 292),
    16: (256, 66), 17: (256, 74), 18: (256, 98), 19: (256, 50), 20: (32, 18),
    21: (256, 110), 22: (256, 82), 23: (256, 136), 24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8),
    28: (1, 8), 29: (256, 56), 30: (1, 2), 34: (256, 54), 35: (256, 66), 39: (32, 17),
}  # fmt: skip
"""By type of tensor: numbers in a block and bytes of a block. A test compares with the format's
own package; a type that is not here is newer than this table, and its size is not checked."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """One tensor as the head names it."""

    name: str
    shape: tuple[int, ...]
    """Fastest dimension first."""
    kind: int
    offset: int
    """In bytes from the start of the data."""

    @property
    def size_bytes(self) -> int | None:
        """Bytes in the file, or `None` for a type that is not known here."""
        if self.kind not in _BLOCKS:
            return None
        numbers, size = _BLOCKS[self.kind]
        count = 1
        for length in self.shape:
            count *= length
        return -(-count // numbers) * size


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """The head of a GGUF file whose tensors all lie inside the file."""

    version: int
    values: dict[str, Value]
    """What the file says of itself; of long lists only the start is kept."""
    tensors: tuple[Tensor, ...]

    @property
    def architecture(self) -> str:
        """E.g. `qwen3vl`; `clip` for projectors."""
        return self._text("general.architecture")

    @property
    def title(self) -> str:
        """The name that its makers gave it, perhaps empty."""
        return self._text("general.name")

    @property
    def is_projector(self) -> bool:
        """Whether this turns pictures into tokens for another file."""
        return self.architecture == "clip" or self._text("general.type") == "mmproj"

    @property
    def parts(self) -> int:
        """Of how many files the model consists."""
        return self._number("split.count") or 1

    @property
    def projector_kind(self) -> str:
        """E.g. `qwen3vl_merger`, empty where not said."""
        return self._text("clip.vision.projector_type") or self._text("clip.projector_type")

    @property
    def width(self) -> int | None:
        """Length of a token's embedding: what a model takes, or what a projector gives."""
        if not self.is_projector:
            return self._own("embedding_length")
        said = self._number("clip.vision.projection_dim")
        if said:
            return said
        # MiniCPM's projectors leave it at 0; their last matrix has it.
        ends = [t.shape[0] for t in self.tensors if t.name == "resampler.proj.weight" and t.shape]
        return ends[0] if ends else None

    @property
    def context_tokens(self) -> int | None:
        """How many tokens a model was made to keep in mind."""
        return self._own("context_length")

    @property
    def context_bytes_per_token(self) -> int | None:
        """Memory that each token of context takes: 16-bit keys and values in every layer."""
        layers, heads = self._own("block_count"), self._own("attention.head_count")
        pairs = self._own("attention.head_count_kv") or heads
        length = self._own("attention.key_length")
        if length is None and heads and self.width is not None:
            length = self.width // heads
        if layers is None or pairs is None or length is None:
            return None
        values = self._own("attention.value_length") or length
        return layers * pairs * (length + values) * 2

    def _own(self, key: str) -> int | None:
        return self._number(f"{self.architecture}.{key}")

    def _text(self, key: str) -> str:
        value = self.values.get(key)
        return value if isinstance(value, str) else ""

    def _number(self, key: str) -> int | None:
        value = self.values.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) else None


class _Broken(Exception):
    """The head makes no sense; the text says where, as the end of a sentence."""


def read_gguf(path: Path) -> GgufHeader:
    """Read the head of a GGUF file and see that the file holds all that the head names.

    Raises:
        Refused: It is no GGUF file, is broken or cut short, or cannot be read.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            return _Reader(file, size).header()
    except _Broken as error:
        raise Refused(f"{path.name} cannot be used: {error}.", "Fetch the file again.") from error
    except OSError as error:
        raise Refused(
            f"{path.name} cannot be read: {error.strerror}.", f"Look after {path.parent}."
        ) from error


def _fixed_size(kind: int) -> int | None:
    """Bytes of a value whose kind always takes as many."""
    if kind == _BOOL:
        return 1
    return struct.calcsize(_NUMBERS[kind]) if kind in _NUMBERS else None


class _Reader:
    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._size = size
        self._at = 0

    def header(self) -> GgufHeader:
        if self._take(4) != MAGIC:
            raise _Broken("it is not a GGUF file")
        version = self._number("<I")
        if version not in (2, 3):
            raise _Broken(f"its GGUF version is {version}, and 2 and 3 can be read")
        tensors, entries = self._number("<Q"), self._number("<Q")
        # The shortest tensor takes 25 bytes of the head and the shortest entry 13.
        self._within(tensors, 25, "tensors")
        self._within(entries, 13, "entries")
        values = dict(self._entry() for _ in range(entries))
        found = tuple(self._tensor() for _ in range(tensors))
        header = GgufHeader(version, values, found)
        self._check_data(header)
        return header

    def _check_data(self, header: GgufHeader) -> None:
        step = header.values.get("general.alignment", 32)
        if not isinstance(step, int) or isinstance(step, bool) or not 1 <= step <= 1 << 20:
            raise _Broken("its head is broken (alignment)")
        start = -(-self._at // step) * step
        for tensor in header.tensors:
            end = start + tensor.offset + (tensor.size_bytes or 0)
            if end > self._size:
                raise _Broken(
                    f"it is cut short: it should have at least {end} bytes and has {self._size}"
                )

    def _entry(self) -> tuple[str, Value]:
        name = self._text(_LONGEST_NAME)
        return name, self._value(self._number("<I"), nested=0)

    def _value(self, kind: int, *, nested: int) -> Value:
        if kind == _TEXT:
            return self._text(_LONGEST_TEXT)
        if kind == _BOOL:
            return self._take(1) != b"\0"
        if kind == _LIST:
            return self._list(nested)
        if kind not in _NUMBERS:
            raise _Broken(f"its head is broken (kind {kind} of value)")
        value: int | float = self._unpack(_NUMBERS[kind])
        return value

    def _list(self, nested: int) -> tuple[object, ...]:
        if nested > 3:
            raise _Broken("its head is broken (lists in lists)")
        kind, length = self._number("<I"), self._number("<Q")
        fixed = _fixed_size(kind)
        self._within(length, fixed or _SHORTEST.get(kind, 1), "items of a list")
        kept = tuple(self._value(kind, nested=nested + 1) for _ in range(min(length, _KEPT_ITEMS)))
        if fixed is not None:
            self._skip(fixed * (length - len(kept)))
            return kept
        for _ in range(length - len(kept)):
            self._pass_over(kind, nested + 1)
        return kept

    def _pass_over(self, kind: int, nested: int) -> None:
        if kind == _TEXT:
            self._skip(self._number("<Q"))
        else:
            self._value(kind, nested=nested)

    def _tensor(self) -> Tensor:
        name = self._text(_LONGEST_NAME)
        dimensions = self._number("<I")
        if dimensions > 8:
            raise _Broken(f"its head is broken ({dimensions} dimensions)")
        shape = tuple(self._number("<Q") for _ in range(dimensions))
        return Tensor(name, shape, self._number("<I"), self._number("<Q"))

    def _text(self, longest: int) -> str:
        length = self._number("<Q")
        if length > longest:
            raise _Broken("its head is broken (a text without end)")
        return self._take(length).decode("utf-8", "replace")

    def _within(self, count: int, smallest: int, what: str) -> None:
        if count * smallest > self._size - self._at:
            raise _Broken(f"it is cut short or broken: it names {count} {what}")

    def _number(self, form: str) -> int:
        return int(self._unpack(form))

    def _unpack(self, form: str) -> int | float:
        value: int | float = struct.unpack(form, self._take(struct.calcsize(form)))[0]
        return value

    def _take(self, length: int) -> bytes:
        self._skip(length, read=True)
        data = self._file.read(length)
        if len(data) != length:
            raise _Broken("it is cut short in its head")
        return data

    def _skip(self, length: int, *, read: bool = False) -> None:
        if length > self._size - self._at:
            raise _Broken("it is cut short in its head")
        if self._at + length > _LONGEST_HEAD:
            raise _Broken("its head has no end")
        self._at += length
        if not read:
            self._file.seek(self._at)
