"""A small model and a server that speaks as the hub does."""

from __future__ import annotations

import pytest
from hub_server import HubServer
from model_files import write_model, write_projector
from tiny_downloads import REPOSITORY


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Give a model of 2 MB and its projector."""
    folder = tmp_path_factory.mktemp("files")
    model = write_model(folder / "tiny.gguf", numbers=500_000 // 64 * 64)
    projector = write_projector(folder / "mmproj-tiny.gguf")
    return {path.name: path.read_bytes() for path in (model, projector)}


@pytest.fixture
def server(files):
    with HubServer(REPOSITORY, dict(files)) as server:
        yield server
