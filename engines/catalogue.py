"""The models that are recommended: read from `resources/models.toml`, which says what is what."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from app.errors import Refused
from resources import resource

KINDS = ("vision", "judge", "speech")
FORMS = ("gguf", "ctranslate2")
ROLES = ("weights", "projector", "support")
PAPERS = ("sciibi", "confusionbench", "specialedubench")

WORK_BYTES = 1 << 30
"""Allowance for the work of one batch and one picture; ours, not measured."""

_MODEL_KEYS = {
    "name",
    "title",
    "kind",
    "form",
    "repository",
    "revision",
    "licence",
    "good_for",
    "used_in",
    "context_tokens",
    "context_bytes_per_token",
    "instead",
    "files",
}
_FILE_KEYS = {"name", "role", "bytes", "sha256"}


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of a model on the hub."""

    name: str
    role: str
    """One of `ROLES`."""
    size_bytes: int | None
    """For estimates only; `None` where not known."""
    sha256: str
    """Empty where the hub's own record, asked for just before, is what decides."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What a model needs while it works."""

    size_bytes: int
    is_whole: bool
    """False when a part is not known, so that it is at least so much."""


@dataclass(frozen=True, slots=True)
class CatalogueModel:
    """A model that is recommended."""

    name: str
    """What a person types: `qwen3-vl-4b`."""
    title: str
    kind: str
    """One of `KINDS`: reads pictures, judges text, or writes down speech."""
    form: str
    """One of `FORMS`."""
    repository: str
    """Its place on the hub, `owner/name`."""
    revision: str
    licence: str
    good_for: str
    used_in: tuple[str, ...]
    """Papers that used this very model, out of `PAPERS`."""
    context_tokens: int
    """Room for question, frames and answer that the memory is worked out for."""
    context_bytes_per_token: int | None
    instead: str
    """What to do where no ready file is known."""
    files: tuple[ModelFile, ...]

    @property
    def size_bytes(self) -> int | None:
        """Bytes to fetch, or `None` where a size is not known."""
        sizes = [file.size_bytes for file in self.files]
        if not sizes or None in sizes:
            return None
        return sum(size for size in sizes if size is not None)

    @property
    def memory(self) -> Memory | None:
        """Weights, projector, context and allowance together; `None` if the weights are unknown."""
        weights = [file.size_bytes for file in self.files if file.role == "weights"]
        if not weights or None in weights:
            return None
        known = sum(file.size_bytes or 0 for file in self.files)
        context = self.context_tokens * (self.context_bytes_per_token or 0)
        needs_context = self.form == "gguf"
        whole = self.size_bytes is not None and not (
            needs_context and self.context_bytes_per_token is None
        )
        return Memory(known + context + WORK_BYTES, whole)


@cache
def catalogue() -> tuple[CatalogueModel, ...]:
    """Give the recommended models, in the order of the file."""
    return read_catalogue(resource("models.toml"))


def find_model(name: str) -> CatalogueModel:
    """Give a recommended model by its name.

    Raises:
        Refused: There is none of that name.
    """
    for model in catalogue():
        if model.name == name:
            return model
    raise Refused(
        f"There is no recommended model called {name}.",
        f"Choose one of {', '.join(model.name for model in catalogue())}.",
    )


def read_catalogue(path: Path) -> tuple[CatalogueModel, ...]:
    """Read a catalogue.

    Raises:
        Refused: Something in it makes no sense; the message names the model.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Refused(
            f"{path.name} cannot be read: {error}.", "Install the program anew."
        ) from error
    rows = table.get("model")
    if not isinstance(rows, list) or set(table) != {"model"}:
        raise Refused(f"{path.name} holds no list of models.", "Install the program anew.")
    models = tuple(_model(row) for row in rows)
    names = [model.name for model in models]
    for name in names:
        _see(names.count(name) == 1, name, "the name is there twice")
    return models


def _model(row: Any) -> CatalogueModel:
    name = str(row.get("name")) if isinstance(row, dict) else ""
    _see(re.fullmatch(r"[a-z0-9][a-z0-9.-]*", name), name, "name")
    _see(set(row) <= _MODEL_KEYS, name, f"{', '.join(sorted(set(row) - _MODEL_KEYS))} is unknown")
    files = tuple(_file(name, part) for part in row.get("files", []))
    model = CatalogueModel(
        name=name,
        title=_words(row, "title"),
        kind=_words(row, "kind"),
        form=_words(row, "form"),
        repository=_words(row, "repository"),
        revision=_words(row, "revision"),
        licence=_words(row, "licence"),
        good_for=_words(row, "good_for"),
        used_in=tuple(row.get("used_in", [])),
        context_tokens=row.get("context_tokens", 0),
        context_bytes_per_token=row.get("context_bytes_per_token"),
        instead=row.get("instead", ""),
        files=files,
    )
    _check(model)
    return model


def _check(model: CatalogueModel) -> None:
    name = model.name
    _see(model.kind in KINDS, name, f"kind {model.kind}")
    _see(model.form in FORMS, name, f"form {model.form}")
    _see(set(model.used_in) <= set(PAPERS), name, "used_in")
    _see(re.fullmatch(r"[\w.-]+/[\w.-]+", model.repository), name, "repository")
    _see(re.fullmatch(r"main|[0-9a-f]{40}", model.revision), name, "revision")
    _see(bool(model.files) != bool(model.instead), name, "it needs either files or instead")
    _see(_whole(model.context_tokens), name, "context_tokens")
    _see(_whole(model.context_bytes_per_token), name, "context_bytes_per_token")
    roles = [file.role for file in model.files]
    _see(not roles or roles.count("weights") == 1, name, "it needs one file of weights")
    _see(roles.count("projector") <= 1, name, "it has two projectors")
    if roles and model.kind == "vision":
        _see("projector" in roles, name, "it needs a projector")
    names = [file.name for file in model.files]
    _see(len(set(names)) == len(names), name, "a file is there twice")


def _file(model: str, row: Any) -> ModelFile:
    _see(isinstance(row, dict) and set(row) <= _FILE_KEYS, model, "files")
    file = ModelFile(row.get("name"), row.get("role"), row.get("bytes"), row.get("sha256"))
    # A name with a folder in it could be written outside the model's own folder.
    safe = isinstance(file.name, str) and re.fullmatch(r"[A-Za-z0-9][\w.-]*", file.name)
    _see(safe, model, f"file name {file.name}")
    _see(file.role in ROLES, model, f"role {file.role}")
    _see(_whole(file.size_bytes), model, "bytes")
    sha = file.sha256
    _see(isinstance(sha, str) and re.fullmatch(r"([0-9a-f]{64})?", sha), model, "sha256")
    return file


def _whole(value: Any) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0)


def _words(row: dict[str, Any], key: str) -> str:
    value = row.get(key)
    _see(isinstance(value, str) and value.strip(), row["name"], key)
    return str(value)


def _see(holds: object, name: object, what: str) -> None:
    if not holds:
        raise Refused(
            f"The list of models makes no sense at {name}: {what}.", "Install the program anew."
        )
