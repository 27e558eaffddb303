"""The one door to an endpoint: every byte to a server and back passes through here.

What it sees to: only the endpoint's own address is spoken to; no redirect is followed; of the
headers only a short list travels, so that nothing tells the server about this computer or
carries keys that other programs left in the environment; the key is put in here and nowhere
else; a server that sends nothing for too long is given up; and an exchange can be cut from
another thread at once.

Connections are made by the standard library's http.client, also through a proxy; what travels over
them is `engines.endpoint_wire`'s. Measured with 32 calls in flight on two busy cores, when
http.client still read the replies: 0.5 ms of processor time a call, against 1.9 ms through the
openai package's client with the same door under it and 4.1 ms with its records; only a light door
keeps pace with a server that answers in 50 ms.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import logging
import socket
import threading
import time
import urllib.request
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from engines.endpoint_trouble import Kind, Trouble
from engines.endpoint_wire import (
    Answer,
    BrokeOff,
    NotHttp,
    TooLarge,
    exchange,
    request_bytes,
)
from engines.endpoints import Endpoint
from engines.keys import Secret

if TYPE_CHECKING:
    import ssl

log = logging.getLogger(__name__)

AGENT = "clerestory"
"""All that a server is told about who asks."""


@dataclass(frozen=True)
class Reply:
    """What came back, whole."""

    status: int
    headers: Mapping[str, str]
    """By name in small letters."""
    body: bytes
    seconds: float

    @cached_property
    def data(self) -> object:
        """What the body says as JSON; `None` where it is none."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None


class Cut:
    """Lets another thread end an exchange at once, whatever it is waiting for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self.is_cut = False

    def now(self) -> None:
        """End the exchange; what waits for the server wakes up."""
        with self._lock:
            self.is_cut = True
            _shut(self._socket)

    def watch(self, line: socket.socket | None) -> None:
        """Take note of the connection in use, or that there is none."""
        with self._lock:
            self._socket = line
            if self.is_cut:
                _shut(line)


_Connection = http.client.HTTPConnection
"""Used to connect, also through a proxy; what travels afterwards is `engines.endpoint_wire`'s."""


class CutOff(Exception):
    """The exchange was ended from here."""


class Door:
    """Sends requests to one endpoint over connections that are kept; may be shared by threads."""

    def __init__(self, endpoint: Endpoint, secret: Secret | None) -> None:
        self._endpoint = endpoint
        self._secret = secret
        parts = urlsplit(endpoint.base_url)
        self._secure = parts.scheme == "https"
        self._host = parts.hostname or ""
        self._port = parts.port or (443 if self._secure else 80)
        self._named = _named(self._host, parts.port)
        self._path = parts.path
        self._proxy = _proxy(endpoint, parts.scheme, self._host)
        self._lock = threading.Lock()
        self._idle: list[_Connection] = []
        # A door that is let go of without `close` leaves no connection open.
        weakref.finalize(self, _close_all, self._idle)

    def hide_key(self, text: str) -> str:
        """Take the key out of what the server wrote."""
        return self._secret.hide_in(text) if self._secret is not None else text

    def send(self, method: str, path: str, body: bytes | None, cut: Cut) -> Reply:
        """Make one exchange.

        Args:
            method: `GET` or `POST`.
            path: What follows the endpoint's address, e.g. `/chat/completions`.
            body: JSON, or nothing.
            cut: Ends the exchange from outside.

        Raises:
            Trouble: The server is away, silent, or broke off.
            CutOff: `cut` was used.
        """
        began = time.monotonic()
        reply = self._sent(method, path, body, cut, kept=True)
        if reply is None:
            # The server had closed a kept connection in the meantime, as it may.
            reply = self._sent(method, path, body, cut, kept=False)
        assert reply is not None
        seconds = time.monotonic() - began
        log.debug("%s %s: %d in %.0f ms", method, path, reply.status, seconds * 1000)
        return Reply(reply.status, reply.headers, reply.body, seconds)

    def close(self) -> None:
        """Close the connections that are kept."""
        with self._lock:
            _close_all(self._idle)

    def _sent(
        self, method: str, path: str, body: bytes | None, cut: Cut, kept: bool
    ) -> Reply | None:
        """Make one exchange; gives nothing when a kept connection had been closed meanwhile."""
        connection = self._take_idle() if kept else None
        is_old = connection is not None
        if connection is None:
            connection = self._connected(cut)
        found = self._exchanged(connection, method, path, body, cut, is_old)
        cut.watch(None)
        if cut.is_cut:
            raise CutOff
        if isinstance(found, Trouble):
            # Raised here and not where it was caught, so that no frame that held the key, and no
            # error that repeats what the server wrote, hangs on it.
            raise found
        return found

    def _exchanged(
        self,
        connection: _Connection,
        method: str,
        path: str,
        body: bytes | None,
        cut: Cut,
        is_old: bool,
    ) -> Reply | Trouble | None:
        """Give the reply, or what came instead; keep the connection if that is safe."""
        may_be_kept = False
        try:
            cut.watch(connection.sock)
            answer = exchange(connection.sock, self._request(method, path, body))
            may_be_kept = answer.may_be_kept
            return self._reply(answer)
        except (OSError, ValueError, BrokeOff, TooLarge, NotHttp) as error:
            return None if is_old and isinstance(error, ConnectionError) else self._broken(error)
        finally:
            self._let_go(connection, may_be_kept)

    def _reply(self, answer: Answer) -> Reply:
        """Give a reply; a key that the server repeats goes no further than this."""
        headers = {name: self.hide_key(value) for name, value in answer.headers.items()}
        body = b"".join(answer.parts)
        if self._secret is not None:
            body = self._secret.hide_in_bytes(body)
        return Reply(answer.status, headers, body, 0.0)

    def _request(self, method: str, path: str, body: bytes | None) -> bytes:
        target = f"{self._path}{path}"
        if self._proxy and not self._secure:
            target = f"http://{self._host}:{self._port}{target}"
        headers = {
            "Host": self._named,
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "User-Agent": AGENT,
        }
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self._secret is not None:
            headers["Authorization"] = f"Bearer {self._secret.reveal()}"
        return request_bytes(method, target, headers, body)

    def _take_idle(self) -> _Connection | None:
        with self._lock:
            return self._idle.pop() if self._idle else None

    def _let_go(self, connection: _Connection, is_whole: bool) -> None:
        """Keep a connection for the next exchange; close one that cannot be trusted any more."""
        with self._lock:
            if is_whole and len(self._idle) < self._endpoint.max_in_flight:
                self._idle.append(connection)
                return
        connection.close()

    def _connected(self, cut: Cut) -> _Connection:
        """Connect on a thread of its own: looking a name up cannot be ended from outside."""
        made: list[_Connection | Exception] = []
        done = threading.Event()

        def connect() -> None:
            try:
                connection = self._new_connection()
                connection.connect()
            except (OSError, http.client.HTTPException, ValueError) as error:
                made.append(error)
            else:
                made.append(connection)
            done.set()
            if cut.is_cut and not isinstance(made[0], Exception):
                made[0].close()

        threading.Thread(target=connect, name="endpoint-connect", daemon=True).start()
        until = time.monotonic() + self._endpoint.connect_s + 1
        while not done.wait(0.05):
            if cut.is_cut:
                raise CutOff
            if time.monotonic() > until:
                cut.now()
                raise self._away("it did not take the connection in time")
        found = made[0]
        if isinstance(found, Exception):
            raise self._away(_plain_words(found)) from None
        found.sock.settimeout(self._endpoint.silence_s)
        return found

    def _new_connection(self) -> _Connection:
        host, port = self._proxy or (self._host, self._port)
        if not self._secure:
            return _Connection(host, port, timeout=self._endpoint.connect_s)
        connection = http.client.HTTPSConnection(
            host, port, timeout=self._endpoint.connect_s, context=_tls()
        )
        if self._proxy:
            connection.set_tunnel(self._host, self._port)
        return connection

    def _away(self, how: str) -> Trouble:
        return Trouble(
            Kind.AWAY,
            f"The server {self._endpoint.origin} cannot be reached: {how}.",
            "See that it runs and that the address is right.",
        )

    def _broken(self, error: Exception) -> Trouble:
        """Say how an exchange went wrong that had begun."""
        origin, silence_s = self._endpoint.origin, self._endpoint.silence_s
        if isinstance(error, TimeoutError):
            return Trouble(
                Kind.SILENT,
                f"The server {origin} sent nothing for {silence_s:g} s.",
                "It may be overloaded, or loading its model: try again later.",
            )
        if isinstance(error, TooLarge):
            return Trouble(Kind.ODD, f"The server {origin} sent more than an answer can be.")
        if isinstance(error, (BrokeOff, ConnectionError)):
            return Trouble(Kind.BROKEN, f"The answer of {origin} broke off half way.")
        # Never the error's own words: they may repeat what the server wrote, or what was sent.
        return Trouble(Kind.BROKEN, f"What {origin} sent is not HTTP ({type(error).__name__}).")


def _named(host: str, port: int | None) -> str:
    """Name the server as it is asked for; the usual port goes without saying."""
    name = host if host.isascii() else host.encode("idna").decode()
    name = f"[{name}]" if ":" in name else name
    return f"{name}:{port}" if port else name


def _close_all(connections: list[_Connection]) -> None:
    while connections:
        connections.pop().close()


def _shut(line: socket.socket | None) -> None:
    if line is not None:
        with contextlib.suppress(OSError):
            # Of the plain socket, also under TLS: it only has to wake whoever reads.
            socket.socket.shutdown(line, socket.SHUT_RDWR)


def _proxy(endpoint: Endpoint, scheme: str, host: str) -> tuple[str, int] | None:
    if not endpoint.uses_system_proxy or endpoint.is_loopback or urllib.request.proxy_bypass(host):
        return None
    parts = urlsplit(urllib.request.getproxies().get(scheme, ""))
    return (parts.hostname, parts.port or 80) if parts.hostname else None


def _plain_words(error: Exception) -> str:
    """Say why no connection came about, in words that hold nothing but the cause."""
    if isinstance(error, socket.gaierror):
        return "its name is not known"
    if isinstance(error, ConnectionRefusedError):
        return "nothing listens there"
    if isinstance(error, TimeoutError):
        return "it did not take the connection in time"
    if type(error).__name__ == "SSLCertVerificationError":
        return "its certificate is not trusted"
    reason = getattr(error, "strerror", None)
    return str(reason) if reason else type(error).__name__


@cache
def _tls() -> ssl.SSLContext:
    # Comes with the openai package; trusts what the system trusts, and nothing in the environment.
    import httpx2

    return httpx2.create_ssl_context(trust_env=False)


Sender = Callable[[str, str, bytes | None], Reply]
"""Makes one exchange, with all its waiting: method, path, body."""
