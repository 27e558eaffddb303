"""The one door to the model hub: shut, except while a person's own download runs."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from collections.abc import Iterator


def stay_offline() -> None:
    """Keep the hub's library from using the network in this process, whoever calls it."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    _set_hub(offline=True)


@contextlib.contextmanager
def door_open() -> Iterator[None]:
    """Let the hub's library use the network for as long as a person's own download runs."""
    # Imported first: at its import the library would read that it has to stay offline.
    importlib.import_module("huggingface_hub.constants")
    before = os.environ.get("HF_HUB_OFFLINE") == "1"
    _set_hub(offline=False)
    try:
        yield
    finally:
        _set_hub(offline=before)


def _set_hub(*, offline: bool) -> None:
    # The library reads the environment once, when it is imported, and these names ever after.
    constants = sys.modules.get("huggingface_hub.constants")
    if constants is not None:
        vars(constants)["HF_HUB_OFFLINE"] = offline
        vars(constants)["HF_HUB_DISABLE_TELEMETRY"] = True
