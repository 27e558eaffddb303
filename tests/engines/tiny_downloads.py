"""A model of 2 MB as the catalogue lists it, and the hub it comes from."""

from __future__ import annotations

import hashlib
from pathlib import Path

from app.places import models_folder
from engines.catalogue import CatalogueModel, ModelFile
from engines.hub_line import Hub

ROOT = Path(__file__).parents[2]
REPOSITORY = "someone/Tiny-GGUF"
TINY = CatalogueModel(
    name="tiny",
    title="Tiny",
    kind="vision",
    form="gguf",
    repository=REPOSITORY,
    revision="main",
    licence="MIT",
    good_for="Tests.",
    used_in=(),
    context_tokens=0,
    context_bytes_per_token=None,
    instead="",
    files=(
        ModelFile("tiny.gguf", "weights", None, ""),
        ModelFile("mmproj-tiny.gguf", "projector", None, ""),
    ),
)


def hub(server, **more):
    return Hub(server.endpoint, **{"wait_s": 0.01, "silence_s": 5.0} | more)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def left():
    """Give the names of all that lies among the models, hidden or not."""
    return sorted(path.name for path in models_folder().iterdir() if path.name != ".downloads-lock")
