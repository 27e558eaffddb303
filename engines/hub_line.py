"""Talking to the model hub: what is asked, what is sent along, and what its answers mean.

No token is sent but the one that is given, and that only to the hub itself and never to where the
hub sends us on. The library's faster ways (xet) go past our checks and are not used.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from app.errors import Refused
from engines.catalogue import CatalogueModel, ModelFile
from engines.shelf_files import CHUNK

if TYPE_CHECKING:
    from huggingface_hub import HfFileMetadata

# It would write each address into our log, and addresses of large files carry a key for an hour.
logging.getLogger("httpx2").setLevel(logging.WARNING)

_HOLD_S = 0.2
_HUB = "https://huggingface.co"
_WHO = {"user-agent": "clerestory"}
"""All that the hub is told of who asks; the library would add versions of what is installed."""


@dataclass(frozen=True, slots=True)
class Hub:
    """Where models come from, and how patient to be with it."""

    endpoint: str = ""
    """Another address that speaks as the hub does; empty for the hub, or `HF_ENDPOINT` if set."""
    token: str = field(default="", repr=False)
    """Sent to the endpoint alone; empty for none. No other is ever looked for."""
    silence_s: float = 30.0
    """How long the hub may say nothing."""
    tries: int = 5
    """How often in a row a connection may break without a byte gained."""
    wait_s: float = 1.0
    """Before the next try; doubled each time."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """One file as the hub knows it now."""

    file: ModelFile
    url: str
    size_bytes: int
    sha256: str
    """From the catalogue, or else the hub's; empty where only `git_sha1` is known."""
    git_sha1: str
    commit: str

    @property
    def mark(self) -> str:
        """Tell this file from another of its name."""
        return (self.sha256 or self.git_sha1)[:16]


class CutShort(Exception):
    """The connection ended early, and in good order."""

    def __str__(self) -> str:
        return "it ended early"


def see_address(hub: Hub) -> None:
    """Refuse an address that is none, and one that would carry a token in the open.

    Raises:
        Refused: It is one of these.
    """
    address = urlsplit(hub.endpoint or _HUB)
    if address.scheme not in ("http", "https") or not address.hostname:
        raise Refused(
            f"{hub.endpoint} is not the address of a model hub.", "It starts with https://."
        )
    here = address.hostname in ("127.0.0.1", "localhost", "::1")
    if hub.token and address.scheme == "http" and not here:
        raise Refused(
            f"A token would be sent to {hub.endpoint} for all to read.", "Use https:// there."
        )


def ask_about(file: ModelFile, repository: str, revision: str, hub: Hub) -> Wanted:
    """Ask the hub how large a file is and what its hash is.

    Raises:
        Refused: The hub has another file than the one that is recommended, or does not say.
        Exception: `http_error()`, where the line broke or the hub refused.
    """
    from huggingface_hub import get_hf_file_metadata, hf_hub_url

    endpoint = hub.endpoint.rstrip("/") or None
    url = hf_hub_url(repository, file.name, revision=revision, endpoint=endpoint)
    facts = get_hf_file_metadata(
        url,
        token=hub.token or False,
        timeout=hub.silence_s,
        endpoint=endpoint,
        headers=dict(_WHO),
    )
    return _wanted(file, url, facts)


def _wanted(file: ModelFile, url: str, facts: HfFileMetadata) -> Wanted:
    etag = (facts.etag or "").lower()
    large, small = (etag if len(etag) == length and _is_hex(etag) else "" for length in (64, 40))
    if file.sha256 and large and file.sha256 != large:
        raise Refused(
            f"The hub now has another {file.name} than the one that is recommended "
            f"(SHA-256 {large}, expected is {file.sha256}). Nothing was fetched.",
            "Look for a newer version of this program, or fetch it by hand and add it.",
        )
    if facts.size is None or not (file.sha256 or large or small):
        raise Refused(
            f"The server does not say how large {file.name} is or what its hash is, "
            "so it could not be checked.",
            "Use the hub itself, or another mirror of it.",
        )
    return Wanted(file, url, facts.size, file.sha256 or large, small, facts.commit_hash or "")


def _is_hex(text: str) -> bool:
    return all(letter in "0123456789abcdef" for letter in text)


def pieces(url: str, hub: Hub, start: int) -> Iterator[bytes | bool]:
    """Give whether the server goes on at `start`, then the bytes that it sends."""
    from huggingface_hub import get_session, hf_raise_for_status

    # Packed on the way, a file could not be gone on with in its middle.
    headers = _WHO | {"Accept-Encoding": "identity"}
    if hub.token:
        headers["Authorization"] = f"Bearer {hub.token}"
    if start:
        headers["Range"] = f"bytes={start}-"
    with get_session().stream("GET", url, headers=headers, timeout=hub.silence_s) as reply:
        hf_raise_for_status(reply)
        told = str(reply.headers.get("Content-Range", ""))
        yield reply.status_code == 206 and told.startswith(f"bytes {start}-")
        yield from _gathered(reply.iter_bytes())


def _gathered(coming: Iterator[bytes]) -> Iterator[bytes]:
    """Make larger pieces of small ones, and lose nothing of what came before the line broke."""
    held, since_s = bytearray(), time.monotonic()
    try:
        for data in coming:
            held += data
            if len(held) >= CHUNK or time.monotonic() - since_s > _HOLD_S:
                yield bytes(held)
                held.clear()
                since_s = time.monotonic()
    except http_error():
        yield bytes(held)
        raise
    yield bytes(held)


def http_error() -> type[Exception]:
    """Give the network library's own error, of which the hub's errors are a kind."""
    from huggingface_hub.errors import HfHubHTTPError

    return cast("type[Exception]", HfHubHTTPError.__bases__[0])


def _status(error: Exception) -> int | None:
    reply = getattr(error, "response", None)
    return None if reply is None else int(reply.status_code)


def may_pass(error: Exception) -> bool:
    """Say whether the same request may well be answered in a moment."""
    status = _status(error)
    return status is None or status in (408, 429) or status >= 500


def plain(error: Exception, model: CatalogueModel, hub: Hub) -> Refused:
    """Say in plain words why the hub did not give a model."""
    from huggingface_hub.errors import GatedRepoError, RemoteEntryNotFoundError

    status = _status(error)
    page = f"{hub.endpoint.rstrip('/') or _HUB}/{model.repository}"
    if isinstance(error, GatedRepoError):
        return Refused(
            f"{model.title} is given only to those who have accepted its licence.",
            f"Accept it with your own account at {page}, set that account's token, and ask again.",
        )
    if status in (401, 403):
        refused = "refused the token" if hub.token else f"does not give {model.title} to everybody"
        return Refused(f"The hub {refused}.", f"Look at {page}; it may ask for an account.")
    if isinstance(error, RemoteEntryNotFoundError) or status == 404:
        return Refused(
            f"The hub has not, or no longer, what is recommended as {model.title}.",
            f"Look at {page} for what it is called now, fetch it by hand and add it.",
        )
    if status is not None:
        return Refused(
            f"The hub answered with status {status} when asked for {model.title}.",
            "Try again later; what has arrived is kept.",
        )
    told = str(error).splitlines()[0] if str(error) else type(error).__name__
    return Refused(
        f"The connection to the hub broke, or none could be made: {told}.",
        "Look after the network and ask again; what has arrived is kept.",
    )
