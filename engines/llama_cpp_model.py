"""Which files a local model consists of, what pins it down, and how much of it a card takes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from app.errors import EngineMissing, Refused
from engines.fits import Computer
from engines.forms import look_at_model, look_at_projector
from engines.gguf_header import GgufHeader
from engines.hashes import file_sha256
from engines.llama_cpp_api import installed_version
from engines.llama_cpp_template import PLAIN, template_digest
from engines.model_records import InstalledModel

WIRE = "llama.cpp 2"
"""Changed when questions are put to the model in another way, so that they are asked again."""

CARD_SPARE_BYTES = 1 << 30
"""Left free on the card for what llama.cpp works with beside weights and context; ours."""


@dataclass(frozen=True, slots=True)
class LlamaModel:
    """A model in GGUF files and how it is to be run."""

    weights: Path
    projector: Path | None = None
    """Without it the model sees no frames."""
    context_tokens: int = 16384
    """Prompt and answers under way together; less where the model was made for less."""
    together: int = 8
    """How many draws are written at the same time at most."""
    plain: bool = False
    """For a model that has no chat template: give it the texts alone, an empty line after each."""
    gpu_layers: int | None = None
    """How many layers go onto the graphics card; chosen from its free memory if `None`."""
    threads: int | None = None
    """Processor cores to use; all that are there if `None`."""


@dataclass(frozen=True, slots=True)
class Files:
    """What the files of a model say, having been looked at."""

    header: GgufHeader
    weights_sha256: str
    projector_sha256: str
    """Empty without a projector."""
    template: str

    def context_tokens(self, wanted: int) -> int:
        """Say how many of the wanted tokens the model can keep in mind."""
        return min(wanted, self.header.context_tokens or wanted)

    def identity(self) -> tuple[tuple[str, str], ...]:
        """Give what pins the model down for the keys of questions."""
        return (
            ("sha256 weights", self.weights_sha256),
            ("sha256 projector", self.projector_sha256 or "0" * 64),
            ("sha256 template", template_digest(self.template)),
            ("llama-cpp-python", installed_version() or "not installed"),
            ("wire", WIRE),
        )


def from_installed(installed: InstalledModel) -> LlamaModel:
    """Take a model from the list of those that are installed.

    Raises:
        EngineMissing: It is of another form than GGUF.
    """
    if installed.form != "gguf":
        raise EngineMissing(
            f"{installed.title} is no GGUF model, and llama.cpp runs no other.",
            "Choose another model.",
        )
    projector = installed.projector
    return LlamaModel(installed.weights.path, projector.path if projector else None)


def look_at_files(model: LlamaModel) -> Files:
    """See that a model's files are there, whole, and belong together.

    Looks again only when a file has changed: a head takes a quarter of a second to read.

    Raises:
        EngineMissing: They cannot be used, or there is no chat template.
    """
    return _looked(model, tuple(map(_stamp, (model.weights, model.projector))))


def _stamp(path: Path | None) -> tuple[int, int] | None:
    if path is None:
        return None
    try:
        stat = path.stat()
    except OSError as error:
        raise EngineMissing(
            f"{path.name} cannot be read: {error.strerror}.", f"Look after {path.parent}."
        ) from error
    return stat.st_size, stat.st_mtime_ns


@lru_cache(maxsize=8)
def _looked(model: LlamaModel, _stamps: tuple[tuple[int, int] | None, ...]) -> Files:
    try:
        header = look_at_model(model.weights).header
        if header is None:
            raise EngineMissing(
                f"{model.weights.name} is no GGUF file.", "Choose a model in a GGUF file."
            )
        if model.projector is not None:
            look_at_projector(model.projector, header)
        weights = file_sha256(model.weights)
        projector = file_sha256(model.projector) if model.projector is not None else ""
    except EngineMissing:
        raise
    except Refused as error:
        raise EngineMissing(error.message, error.hint) from error
    return Files(header, weights, projector, _template(model, header))


def _template(model: LlamaModel, header: GgufHeader) -> str:
    source = header.values.get("tokenizer.chat_template")
    if isinstance(source, str) and source.strip():
        return source
    if model.plain:
        return PLAIN
    raise EngineMissing(
        f"{model.weights.name} has no chat template, so it was not made to answer questions.",
        "Choose a model whose name says chat or instruct (often “it”), or turn on the plain form.",
    )


def layers_for_card(
    computer: Computer, header: GgufHeader, weights_bytes: int, more_bytes: int, context: int
) -> int:
    """Say how many layers of a model fit onto the graphics card now.

    Args:
        computer: From `read_computer`.
        header: Of the weights.
        weights_bytes: Size of the weights' file.
        more_bytes: What goes there beside, such as the projector.
        context: Tokens kept in mind.

    Returns:
        0 for none; one more than the model has layers for all of it.
    """
    count = header.values.get(f"{header.architecture}.block_count")
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        return 0
    free = sum(card.free_bytes for card in computer.cards)
    if computer.shared:
        free = (computer.free_bytes or 0) * 3 // 4
    room = free - CARD_SPARE_BYTES - more_bytes
    kept = (header.context_bytes_per_token or 0) * context
    each = (weights_bytes + kept) / (count + 1)
    fits = int(room // each) if room > 0 else 0
    return min(fits, count + 1)


def model_digest(model: LlamaModel, files: Files) -> str:
    """Name a model as it is run: another name, another place in memory."""
    told = repr((model, files.weights_sha256, files.projector_sha256, files.template))
    return hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()
