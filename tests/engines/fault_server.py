"""A server on loopback that speaks the chat form well, or does wrong in a way that was asked for.

Each request takes the next act of `acts`; when none is left, `always` is taken. An act is given
the handler and the request's body, and writes the whole answer.
"""

from __future__ import annotations

import base64
import json
import threading
import time
from collections import deque
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MOST_THREADS = 64

Act = Callable[["Handler", dict[str, Any]], None]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: FaultServer

    def do_GET(self) -> None:
        self._take({})

    def do_POST(self) -> None:
        size = int(self.headers.get("content-length", 0))
        self._take(json.loads(self.rfile.read(size)))

    def _take(self, body: dict[str, Any]) -> None:
        with self.server.lock:
            headers = {name.lower(): value for name, value in self.headers.items()}
            self.server.seen.append((self.command, self.path, headers, body))
            is_listing = self.path.endswith("/models")
            acts = self.server.acts
            act = self.server.always if is_listing or not acts else acts.popleft()
            self.server.now += 1
            self.server.most = max(self.server.most, self.server.now)
        try:
            if is_listing and self.server.models is not None:
                send_json(self, {"object": "list", "data": self.server.models})
            else:
                act(self, body)
        except OSError:
            self.close_connection = True
        finally:
            with self.server.lock:
                self.server.now -= 1

    def log_message(self, *_: object) -> None:
        pass


class FaultServer(ThreadingHTTPServer):
    """Use as a context manager; `url` is the base address of an endpoint."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, *acts: Act, always: Act | None = None) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.acts = deque(acts)
        self.always = always if always is not None else answers('{"level": 2}')
        self.models: list[dict[str, Any]] | None = None
        self.seen: list[tuple[str, str, dict[str, str], dict[str, Any]]] = []
        self.lock = threading.Lock()
        self.now = 0
        self.most = 0
        """Most requests that were under way at once."""
        self._places = threading.BoundedSemaphore(MOST_THREADS)
        self._thread = threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [body for method, _, _, body in self.seen if method == "POST"]

    def process_request_thread(self, request: Any, address: Any) -> None:
        with self._places:
            super().process_request_thread(request, address)

    def handle_error(self, request: Any, address: Any) -> None:
        pass  # a client that hangs up is part of the tests

    def __enter__(self) -> FaultServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()


def send(handler: Handler, status: int, body: bytes, kind: str, **headers: str) -> None:
    handler.send_response(status)
    handler.send_header("content-type", kind)
    handler.send_header("content-length", str(len(body)))
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(body)


def send_json(handler: Handler, data: object, status: int = 200, **headers: str) -> None:
    send(handler, status, json.dumps(data).encode(), "application/json", **headers)


def completion(text: object, finish: object = "stop", **more: Any) -> dict[str, Any]:
    """Build what a server sends for an answer."""
    message = {"role": "assistant", "content": text, **more.pop("message", {})}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "tiny-1",
        "system_fingerprint": "fp_1",
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
        "usage": {
            "prompt_tokens": 1000,
            "completion_tokens": 20,
            "total_tokens": 1020,
            "prompt_tokens_details": {"cached_tokens": 600},
        },
        **more,
    }


def answers(text: object, finish: object = "stop", **more: Any) -> Act:
    return lambda handler, _body: send_json(handler, completion(text, finish, **more))


def errors(status: int, message: str = "", code: object = None, **headers: str) -> Act:
    told = {"error": {"message": message, "type": "error", "code": code}}
    return lambda handler, _body: send_json(handler, told, status, **headers)


def sends(body: bytes, kind: str, status: int = 200, **headers: str) -> Act:
    return lambda handler, _body: send(handler, status, body, kind, **headers)


def echoes_the_key(status: int) -> Act:
    """Repeat the key in a header and in the words of the error, as some servers do."""

    def act(handler: Handler, _body: dict[str, Any]) -> None:
        key = handler.headers.get("authorization", "")
        told = {"error": {"message": f"Incorrect API key provided: {key}", "code": key}}
        send_json(handler, told, status, x_key=key, retry_after="0")

    return act


def slow(seconds: float, then: Act) -> Act:
    def act(handler: Handler, body: dict[str, Any]) -> None:
        time.sleep(seconds)
        then(handler, body)

    return act


def cut_half_way(handler: Handler, _body: dict[str, Any]) -> None:
    whole = json.dumps(completion('{"level": 2}')).encode()
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", str(len(whole)))
    handler.end_headers()
    handler.wfile.write(whole[: len(whole) // 2])
    handler.close_connection = True


def cut_chunks(handler: Handler, _body: dict[str, Any]) -> None:
    whole = json.dumps(completion('{"level": 2}')).encode()
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("transfer-encoding", "chunked")
    handler.end_headers()
    handler.wfile.write(b"%x\r\n%b\r\n" % (len(whole) // 2, whole[: len(whole) // 2]))
    handler.close_connection = True


def answers_in_chunks(handler: Handler, _body: dict[str, Any]) -> None:
    whole = json.dumps(completion('{"level": 2}')).encode()
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("transfer-encoding", "chunked")
    handler.end_headers()
    for at in range(0, len(whole), 50):
        part = whole[at : at + 50]
        handler.wfile.write(b"%x\r\n%b\r\n" % (len(part), part))
    handler.wfile.write(b"0\r\n\r\n")


def hangs_up(handler: Handler, _body: dict[str, Any]) -> None:
    handler.close_connection = True


def not_http(handler: Handler, _body: dict[str, Any]) -> None:
    handler.wfile.write(b"hello, this is no web server\r\n\r\n")
    handler.close_connection = True


def pictures_in(body: dict[str, Any]) -> list[bytes]:
    """Give the pictures in a request, which must all be data: addresses."""
    found = []
    for message in body["messages"]:
        for part in message["content"] if isinstance(message["content"], list) else []:
            if part["type"] == "image_url":
                kind, _, data = part["image_url"]["url"].partition(";base64,")
                assert kind in ("data:image/jpeg", "data:image/png")
                found.append(base64.b64decode(data, validate=True))
    return found


def text_in(body: dict[str, Any]) -> str:
    """Give the text in a request."""
    found = []
    for message in body["messages"]:
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        found += [part["text"] for part in parts if part["type"] == "text"]
    return "\n".join(found)
