"""Fetching a recommended model, because a person asked for it: whole and checked, or not at all.

Goes through huggingface_hub for addresses, answers and errors, and keeps the bytes itself: the
library starts a broken file from the beginning. Nothing here opens a connection before `download`
is called.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, TypeVar

from app.errors import Refused
from app.models import Origin
from app.places import models_folder
from app.running.protocols import Report, no_report
from app.store.only_program import OnlyProgram
from engines.apart import made_apart
from engines.catalogue import CatalogueModel, ModelFile
from engines.forms import look_at, look_at_model, look_at_projector
from engines.hub import door_open
from engines.hub_line import (
    CutShort,
    Hub,
    Wanted,
    ask_about,
    http_error,
    may_pass,
    pieces,
    plain,
    see_address,
)
from engines.local_models import arrive, installed_models, now, part_folder
from engines.model_records import InstalledFile, InstalledModel
from engines.shelf_files import CHUNK, Progress, cannot_write, see_space, stop_here, to_disk

Done = TypeVar("Done")

_LINE = threading.Lock()
_LEASE = ".downloads"


def download(
    model: CatalogueModel,
    hub: Hub | None = None,
    report: Report = no_report,
    stop: threading.Event | None = None,
) -> InstalledModel:
    """Fetch a model.

    What has arrived is kept when the work ends early, however it ends, and is not fetched again.

    Args:
        model: From the catalogue.
        hub: Where from.
        report: Takes progress.
        stop: Ends the work within a second or so.

    Returns:
        The installed model; at once when it was installed already.

    Raises:
        Refused: It cannot be fetched: no network, not found, not allowed, no space, or bytes that
            are not what they should be, which are deleted.
        Cancelled: `stop` was set.
    """
    hub = hub or Hub()
    see_address(hub)
    for known in installed_models():
        if known.name == model.name:
            return known
    if not model.files:
        raise Refused(f"There is no ready file of {model.title} to fetch.", model.instead)
    if (models_folder() / model.name).exists():
        raise Refused(
            f"{models_folder() / model.name} holds something that is not a whole model.",
            "Move that folder away, and ask again.",
        )
    with _alone(), door_open():
        try:
            return _Download(model, hub, report, stop).run()
        except (http_error(), CutShort, ConnectionError) as error:
            raise plain(error, model, hub) from error
        except OSError as error:
            raise cannot_write(error, models_folder()) from error


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Let only one download run, in this program and any other; they would write the same files."""
    lease = OnlyProgram(models_folder() / _LEASE)
    busy = Refused("Another download is running.", "Wait until it is done, or stop it.")
    if not _LINE.acquire(blocking=False):
        raise busy
    try:
        if not lease.take():
            raise busy
        try:
            yield
        finally:
            lease.release()
    finally:
        _LINE.release()


class _Download:
    def __init__(
        self, model: CatalogueModel, hub: Hub, report: Report, stop: threading.Event | None
    ) -> None:
        self._model = model
        self._hub = hub
        self._stop = stop
        self._report = report
        self._made = part_folder(model.name)
        self._progress = Progress(report, f"fetching {model.title}", 0)

    def run(self) -> InstalledModel:
        self._report(0.0, f"asking for {self._model.title}")
        wanted = [self._ask(file) for file in self._model.files]
        self._made.mkdir(exist_ok=True)
        self._sweep(wanted)
        total = sum(one.size_bytes for one in wanted)
        here = sum(file.stat().st_size for file in self._made.iterdir())
        see_space(self._made, max(total - here, 0))
        self._progress = Progress(self._report, f"fetching {self._model.title}", total)
        hashes = [self._fetch(one) for one in wanted]
        try:
            self._look()
        except Refused:
            # Its bytes are the hub's, so asking again would only bring them again.
            shutil.rmtree(self._made, ignore_errors=True)
            raise
        return self._arrive(wanted, hashes)

    def _ask(self, file: ModelFile) -> Wanted:
        """Ask the hub about one file, before a byte of it is fetched."""
        model = self._model

        def ask() -> Iterator[Wanted]:
            yield ask_about(file, model.repository, model.revision, self._hub)

        def answer() -> Wanted:
            return next(made_apart(ask, self._stop))

        return self._patiently(answer, lambda: 0)

    def _sweep(self, wanted: list[Wanted]) -> None:
        """Delete what an earlier try left of files that the hub has replaced since."""
        names = {one.file.name for one in wanted} | {_part_name(one) for one in wanted}
        for file in self._made.iterdir():
            if file.name not in names:
                file.unlink()

    def _fetch(self, wanted: Wanted) -> str:
        """Bring one file here, and give its SHA-256."""
        part = self._made / _part_name(wanted)
        done = self._made / wanted.file.name
        if done.exists():
            # Read again like anything that lay around: it costs seconds, against minutes to fetch.
            done.replace(part)
        digests = _Digests(wanted)
        with part.open("ab") as out:
            self._read_part(part, digests)
            self._stream(wanted, digests, out)
            to_disk(out)
        wrong = digests.trouble()
        if wrong:
            part.unlink()
            raise Refused(
                f"{wanted.file.name} is not what it should be: {wrong}. It was deleted.",
                "Ask again; if it happens again, tell us which model it was.",
            )
        part.replace(done)
        return digests.sha256

    def _read_part(self, part: Path, digests: _Digests) -> None:
        with part.open("rb") as file:
            while data := file.read(CHUNK):
                stop_here(self._stop)
                digests.update(data)
                self._progress.add(len(data))

    def _stream(self, wanted: Wanted, digests: _Digests, out: BinaryIO) -> None:
        """Read from where the part ends, again and again while connections break."""
        self._patiently(lambda: self._stream_once(wanted, digests, out), lambda: digests.count)

    def _stream_once(self, wanted: Wanted, digests: _Digests, out: BinaryIO) -> None:
        start = digests.count
        if start >= wanted.size_bytes:
            return
        arriving = made_apart(lambda: pieces(wanted.url, self._hub, start), self._stop)
        with contextlib.closing(arriving):
            for piece in arriving:
                if isinstance(piece, bytes):
                    out.write(piece)
                    digests.update(piece)
                    self._progress.add(len(piece))
                elif start and not piece:
                    self._start_again(digests, out)
                if digests.count > wanted.size_bytes:
                    return  # more than there should be: the check says so
        if digests.count < wanted.size_bytes:
            raise CutShort

    def _start_again(self, digests: _Digests, out: BinaryIO) -> None:
        """The server sends the file from its start, whatever was asked."""
        self._progress.add(-digests.count)
        digests.clear()
        out.truncate(0)

    def _patiently(self, action: Callable[[], Done], gained: Callable[[], int]) -> Done:
        """Do something, again where the line broke and the hub has not refused."""
        failures, before = 0, gained()
        while True:
            try:
                return action()
            except (http_error(), CutShort) as error:
                if not may_pass(error):
                    raise
                failures = 1 if gained() > before else failures + 1
                before = gained()
                if failures >= self._hub.tries:
                    raise
            self._wait(self._hub.wait_s * 2 ** (failures - 1))

    def _wait(self, seconds: float) -> None:
        (self._stop or threading.Event()).wait(seconds)
        stop_here(self._stop)

    def _look(self) -> None:
        """See that the files are models, whatever their hash says, and fit each other."""
        if self._model.form != "gguf":
            look_at(self._made)
            return
        by_role = {file.role: self._made / file.name for file in self._model.files}
        header = look_at_model(by_role["weights"]).header
        if header is None:
            raise Refused(
                f"{self._model.title} is not in GGUF form.", "Tell us which model it was."
            )
        if "projector" in by_role:
            look_at_projector(by_role["projector"], header)

    def _arrive(self, wanted: list[Wanted], hashes: list[str]) -> InstalledModel:
        model = self._model
        folder = models_folder() / model.name
        files = tuple(
            InstalledFile(folder / one.file.name, one.file.role, one.size_bytes, sha256)
            for one, sha256 in zip(wanted, hashes, strict=True)
        )
        commit = next((one.commit for one in wanted if one.commit), model.revision)
        made = InstalledModel(
            name=model.name,
            title=model.title,
            kind=model.kind,
            form=model.form,
            origin=Origin.DOWNLOADED,
            source=f"{model.repository}@{commit}",
            licence=model.licence,
            added=now(),
            files=files,
            context_bytes_per_token=model.context_bytes_per_token,
        )
        return arrive(made, self._made)


class _Digests:
    """The hash of what has been read so far, and git's where a small file goes by that."""

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self.clear()

    def clear(self) -> None:
        self.count = 0
        self._sha256 = hashlib.sha256()
        # Not for safety: it tells a file from a broken one, no more, and the hub has no other.
        start = b"blob %d\0" % self._wanted.size_bytes
        self._git = None if self._wanted.sha256 else hashlib.sha1(start, usedforsecurity=False)

    def update(self, data: bytes) -> None:
        self.count += len(data)
        self._sha256.update(data)
        if self._git is not None:
            self._git.update(data)

    @property
    def sha256(self) -> str:
        return self._sha256.hexdigest()

    def trouble(self) -> str:
        """Say what is wrong, or nothing."""
        wanted = self._wanted
        if self.count != wanted.size_bytes:
            return f"it has {self.count} bytes or more and should have {wanted.size_bytes}"
        if self._git is not None and self._git.hexdigest() != wanted.git_sha1:
            return f"its git hash is {self._git.hexdigest()}, expected is {wanted.git_sha1}"
        if self._git is None and self.sha256 != wanted.sha256:
            return f"its SHA-256 is {self.sha256}, expected is {wanted.sha256}"
        return ""


def _part_name(wanted: Wanted) -> str:
    return f"{wanted.file.name}.{wanted.mark}.part"
