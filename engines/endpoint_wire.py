"""One HTTP exchange over a connection that is made: the request as bytes, the reply to its end.

Replies are read by httptools, the parser of Node.js for Python: 0.3 ms of processor time a call
less than http.client, which makes a mail message of every head. It is strict where that matters
for a connection that is kept: two lengths, or anything behind the end, are no reply to be trusted.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field

from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser

LARGEST_REPLY = 32_000_000
"""Bytes; more is no answer to a question but something else."""

LARGEST_HEAD = 256_000
"""Bytes that may come before the body begins."""

_BLOCK = 65_536
_NOT_IN_HEAD = re.compile(r"[\r\n\0]")
_NOT_IN_TARGET = re.compile(r"[\0-\x20\x7f-\uffff]")


class BrokeOff(Exception):
    """The reply ended before it was whole."""


class TooLarge(Exception):
    """More came than an answer can be."""


class NotHttp(Exception):
    """What came is no reply in HTTP."""


class Gone(ConnectionError):
    """The server had closed the connection; not a byte came back."""


@dataclass(slots=True)
class Answer:
    """A reply as it comes in; the parser calls the methods whose names begin with `on_`."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    """By name in small letters; of several with one name the last."""
    parts: list[bytes] = field(default_factory=list)
    size: int = 0
    """Bytes of the body so far."""
    has_head: bool = False
    is_whole: bool = False
    may_be_kept: bool = False
    """Whether another exchange may follow on the same connection."""
    parser: HttpResponseParser | None = None

    @property
    def ends_with_connection(self) -> bool:
        """Whether nothing but the end of the connection tells the end of the body."""
        chunked = "chunked" in self.headers.get("transfer-encoding", "").lower()
        return self.has_head and not chunked and "content-length" not in self.headers

    def on_message_begin(self) -> None:
        """Begin a reply; one behind the end is not looked at and not trusted."""
        if self.is_whole:
            self.may_be_kept = False
        else:
            self.headers = {}

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header."""
        if not self.is_whole:
            self.headers[name.decode("latin-1").lower()] = value.decode("latin-1").strip()

    def on_headers_complete(self) -> None:
        """Take note that the body begins."""
        if not self.is_whole and self.parser is not None:
            self.status = self.parser.get_status_code()
            self.has_head = self.status >= 200

    def on_body(self, data: bytes) -> None:
        """Take a part of the body."""
        if not self.is_whole:
            self.parts.append(data)
            self.size += len(data)

    def on_message_complete(self) -> None:
        """End the reply, unless it only said that another one follows."""
        if self.has_head and not self.is_whole and self.parser is not None:
            self.is_whole = True
            self.may_be_kept = self.parser.should_keep_alive()


def request_bytes(
    method: str, target: str, headers: Mapping[str, str], body: bytes | None
) -> bytes:
    """Write a request as it travels, head and body in one.

    Raises:
        ValueError: A header or the target holds what would end a line.
    """
    if _NOT_IN_TARGET.search(target):
        raise ValueError("an address cannot hold blanks or signs beyond ASCII")
    if any(map(_NOT_IN_HEAD.search, headers.values())):
        raise ValueError("a header cannot hold the end of a line")
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {told}" for name, told in headers.items())]
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "\r\n"]).encode("latin-1") + (body or b"")


def exchange(line: socket.socket, request: bytes) -> Answer:
    """Send a request and read the reply to its end.

    Raises:
        OSError: The connection failed or fell silent; `Gone` where not a byte came back.
        BrokeOff, TooLarge, NotHttp: There is no whole reply.
    """
    line.sendall(request)
    answer = Answer()
    answer.parser = parser = HttpResponseParser(answer)
    try:
        _read(line, parser, answer)
    except (HttpParserError, HttpParserUpgrade) as error:
        if not answer.is_whole:
            raise NotHttp(type(error).__name__) from None
        # What is wrong stands behind the end; the reply was paid for and is whole.
        answer.may_be_kept = False
    finally:
        # The two hold each other; thousands of them a minute are not left to the collector.
        answer.parser = None
    return answer


def _read(line: socket.socket, parser: HttpResponseParser, answer: Answer) -> None:
    came = 0
    while not answer.is_whole:
        try:
            data = line.recv(_BLOCK)
        except ConnectionError as error:
            raise _ended(came) from error
        if not data:
            if answer.ends_with_connection:
                answer.is_whole = True
                return
            raise _ended(came)
        came += len(data)
        parser.feed_data(data)
        announced = answer.headers.get("content-length", "")
        is_long = announced.isdigit() and int(announced[:20]) > LARGEST_REPLY
        if is_long or answer.size > LARGEST_REPLY or (not answer.has_head and came > LARGEST_HEAD):
            raise TooLarge


def _ended(came: int) -> Exception:
    return BrokeOff() if came else Gone()
