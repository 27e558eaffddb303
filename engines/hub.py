"""The one door to the model hub: shut, except while a person's own download runs."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from app.errors import Refused
from app.places import models_folder
from engines.base import Report, no_report
from engines.weights import check_whisper_folder

WHISPER_SIZES = {
    "tiny": ("Systran/faster-whisper-tiny", 76),
    "base": ("Systran/faster-whisper-base", 145),
    "small": ("Systran/faster-whisper-small", 484),
    "medium": ("Systran/faster-whisper-medium", 1528),
    "large-v3": ("Systran/faster-whisper-large-v3", 3090),
}
"""By size: the name on the hub, and megabytes to fetch, rounded."""

_WANTED = ["config.json", "preprocessor_config.json", "model.bin", "tokenizer.json", "vocabulary.*"]


def stay_offline() -> None:
    """Keep the hub's library from using the network in this process, whoever calls it."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    _set_hub(offline=True)


def download_whisper(size: str, folder: Path | None = None, report: Report = no_report) -> Path:
    """Fetch a Whisper model because a person asked for it; the only use of the network here.

    A broken download goes on where it was when asked for again. It has no `stop`: the child
    process it runs in is ended, and nothing is lost by that.

    Args:
        size: One of `WHISPER_SIZES`.
        folder: Where to put it; `whisper-SIZE` in the models folder if not given.
        report: Takes progress.

    Returns:
        The folder, ready for `whisper_folder`.

    Raises:
        Refused: The size is unknown, the hub cannot be reached, or the disk is full.
    """
    if size not in WHISPER_SIZES:
        raise Refused(
            f"There is no Whisper model of size {size}.",
            f"Choose one of {', '.join(WHISPER_SIZES)}.",
        )
    folder = folder if folder is not None else models_folder() / f"whisper-{size}"
    if folder.exists():
        return check_whisper_folder(folder)
    unfinished = folder.with_name(f".{folder.name}.part")
    _fetch(size, unfinished, report)
    check_whisper_folder(unfinished)
    shutil.rmtree(unfinished / ".cache", ignore_errors=True)
    unfinished.rename(folder)
    return folder


def _fetch(size: str, folder: Path, report: Report) -> None:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError

    # Its two bases are the network library's own error and OSError: all that can happen here.
    troubles = cast("tuple[type[Exception], ...]", HfHubHTTPError.__bases__)
    name, megabytes = WHISPER_SIZES[size]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with door_open(), _progress(folder, megabytes, report):
            # No token: whoever is signed in on this computer stays unknown to the hub.
            snapshot_download(name, local_dir=folder, allow_patterns=_WANTED, token=False)
    except troubles as error:
        raise Refused(
            f"The Whisper model {size} could not be fetched: {str(error).splitlines()[0]}",
            f"Look after the network and the space in {folder.parent} ({megabytes} MB), and ask "
            "again; what has arrived is kept.",
        ) from error


@contextlib.contextmanager
def door_open() -> Iterator[None]:
    """Let the hub's library use the network for as long as a person's own download runs."""
    # Imported first: at its import the library would read that it has to stay offline.
    import huggingface_hub.constants  # noqa: F401  # for its effect on `_set_hub`

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


@contextlib.contextmanager
def _progress(folder: Path, megabytes: int, report: Report) -> Iterator[None]:
    """Report once a second by what has arrived on the disk."""
    done = threading.Event()

    def watch() -> None:
        while not done.wait(1):
            arrived = sum(f.stat().st_size for f in folder.rglob("*") if f.is_file()) // 1_000_000
            report(min(arrived / megabytes, 0.99), f"fetching, {arrived} of {megabytes} MB")

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
