"""A model hub on loopback: the answers of the real one to those who fetch files, and its faults."""

from __future__ import annotations

import hashlib
import http.server
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

COMMIT = "c" * 40


@dataclass
class Faults:
    """What goes wrong; all of it can be changed while the server runs."""

    status: dict[str, int] = field(default_factory=dict)
    """By file: a status instead of an answer."""
    error_code: str = ""
    """The hub's word for why."""
    cuts: list[int] = field(default_factory=list)
    """After how many bytes each next connection breaks."""
    busy: int = 0
    """How many of the next requests for bytes get status 503."""
    wrong: dict[str, bytes] = field(default_factory=dict)
    """By file: other bytes than those that the hub's record speaks of."""
    ranges: bool = True
    pause_s: float = 0.0
    """Before each piece of 64 KiB."""
    silent: threading.Event = field(default_factory=threading.Event)
    """While set, no byte is sent."""
    no_record: bool = False
    xet: bool = False
    elsewhere: bool = True
    """Whether large files lie on another host, as the hub's do."""


@dataclass(frozen=True)
class Asked:
    """One request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    host: str


class HubServer:
    """Serves the files of one repository.

    Args:
        files: By name. Those of 1 KiB and more are kept as the hub keeps large files.
    """

    def __init__(self, repository: str, files: dict[str, bytes], revision: str = "main") -> None:
        self.repository = repository
        self.revision = revision
        self.files = files
        self.faults = Faults()
        self.asked: list[Asked] = []
        handler = type("Handler", (_Handler,), {"hub": self})
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> HubServer:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.faults.silent.clear()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def ranges(self, name: str) -> list[str]:
        """Give what was asked of a file's bytes, in order; empty for the whole of it."""
        return [
            asked.headers.get("range", "")
            for asked in self.asked
            if asked.method == "GET" and asked.path.endswith(f"/{name}") and "/cdn/" in asked.path
        ]


class _Handler(http.server.BaseHTTPRequestHandler):
    hub: HubServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *_args: object) -> None:
        pass

    def do_HEAD(self) -> None:  # the library's name
        self._answer()

    def do_GET(self) -> None:  # the library's name
        self._answer()

    def _answer(self) -> None:
        hub, faults = self.hub, self.hub.faults
        headers = {key.lower(): value for key, value in self.headers.items()}
        path = unquote(urlsplit(self.path).path)
        hub.asked.append(Asked(self.command, path, headers, headers.get("host", "")))
        name = Path(path).name
        if path.startswith("/cdn/"):
            self._bytes(name)
            return
        if name in faults.status:
            self._refuse(faults.status[name])
        elif path != f"/{hub.repository}/resolve/{hub.revision}/{name}" or name not in hub.files:
            self._refuse(404, "EntryNotFound")
        else:
            self._record(name)

    def _refuse(self, status: int, code: str = "") -> None:
        self.send_response(status)
        code = code or self.hub.faults.error_code
        if code:
            self.send_header("X-Error-Code", code)
            self.send_header("X-Error-Message", "told by the test server")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _record(self, name: str) -> None:
        """Answer as the hub does: what the file is, and where its bytes are."""
        faults, data = self.hub.faults, self.hub.files[name]
        large = len(data) >= 1024
        host = "localhost" if faults.elsewhere and large else "127.0.0.1"
        place = f"http://{host}:{self.hub.port}/cdn/{name}"
        self.send_response(302 if large else 307)
        self.send_header("Location", place)
        self.send_header("X-Repo-Commit", COMMIT)
        if not faults.no_record:
            git = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
            etag = hashlib.sha256(data).hexdigest() if large else git
            self.send_header("X-Linked-Etag", f'"{etag}"')
            self.send_header("X-Linked-Size", str(len(data)))
        if faults.xet:
            self.send_header("X-Xet-Hash", "f" * 64)
            self.send_header("X-Xet-Refresh-Route", "/api/xet-read-token")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _bytes(self, name: str) -> None:
        faults = self.hub.faults
        if self.command == "GET" and faults.busy:
            faults.busy -= 1
            self._refuse(503)
            return
        data = faults.wrong.get(name, self.hub.files[name])
        asked = self.headers.get("Range", "")
        start = int(asked[6:].split("-")[0]) if asked and faults.ranges else 0
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        if not faults.no_record:
            truth = self.hub.files[name]
            git = hashlib.sha1(b"blob %d\0" % len(truth) + truth).hexdigest()
            self.send_header("ETag", f'"{git}"')
        self.send_header("X-Repo-Commit", COMMIT)
        self.send_header("Content-Length", str(len(data) - start))
        self.end_headers()
        if self.command == "GET":
            self._send(data[start:])

    def _send(self, data: bytes) -> None:
        faults = self.hub.faults
        most = faults.cuts.pop(0) if faults.cuts else len(data)
        step = 64 << 10
        for start in range(0, min(most, len(data)), step):
            while faults.silent.is_set():
                time.sleep(0.02)
            time.sleep(faults.pause_s)
            try:
                self.wfile.write(data[start : min(start + step, most)])
            except OSError:
                break
        if most < len(data):
            self.close_connection = True
