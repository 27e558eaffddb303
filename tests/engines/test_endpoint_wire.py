"""One exchange over a connection: replies however they are cut up, and what is no reply."""

from __future__ import annotations

import socket
import threading
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.endpoint_wire import (
    LARGEST_HEAD,
    LARGEST_REPLY,
    BrokeOff,
    Gone,
    NotHttp,
    TooLarge,
    exchange,
    request_bytes,
)

ASK = request_bytes("POST", "/v1/chat", {"Host": "near"}, b"{}")


def exchanged(*parts, ends=False, pause_s=0.0):
    """Have a server send these parts as the reply to a request."""
    ours, theirs = socket.socketpair()
    ours.settimeout(5)

    def serve():
        for part in parts:
            theirs.sendall(part)
            time.sleep(pause_s)
        if ends:
            theirs.shutdown(socket.SHUT_WR)

    server = threading.Thread(target=serve)
    server.start()
    try:
        return exchange(ours, ASK)
    finally:
        ours.close()
        server.join()
        theirs.close()


def test_a_request_travels_with_its_length_and_nothing_else():
    assert ASK == b"POST /v1/chat HTTP/1.1\r\nHost: near\r\nContent-Length: 2\r\n\r\n{}"
    told = request_bytes("GET", "/v1/models", {"Host": "near"}, None)
    assert told == b"GET /v1/models HTTP/1.1\r\nHost: near\r\n\r\n"


@pytest.mark.parametrize(
    ("target", "headers"),
    [
        ("/v1\r\nX: y", {}),
        ("/v 1", {}),
        ("/é", {}),
        ("/v1", {"Authorization": "Bearer a\r\nX: y"}),
        ("/v1", {"Authorization": "Bearer a\0"}),
        ("/v1", {"Authorization": "Bearer \u20ac"}),
    ],
)
def test_nothing_can_end_a_line_of_a_request_early(target, headers):
    with pytest.raises(ValueError, match=r"cannot hold|encode"):
        request_bytes("POST", target, headers, b"{}")


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize(
    ("reply", "status", "body", "kept"),
    [
        (HEAD + b"Content-Length: 2\r\n\r\nok", 200, b"ok", True),
        (
            HEAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n",
            200,
            b"ok",
            True,
        ),
        (
            b"HTTP/1.1 100 Continue\r\n\r\n" + HEAD + b"Content-Length: 2\r\n\r\nok",
            200,
            b"ok",
            True,
        ),
        (HEAD + b"Connection: close\r\nContent-Length: 2\r\n\r\nok", 200, b"ok", False),
        (b"HTTP/1.0 503 Busy\r\nContent-Length: 0\r\n\r\n", 503, b"", False),
        (b"HTTP/1.1 204 Nothing\r\n\r\n", 204, b"", True),
        # More than was announced: the connection cannot be trusted any more.
        (HEAD + b"Content-Length: 2\r\n\r\nokxyz", 200, b"ok", False),
        (HEAD + b"Content-Length: 2\r\n\r\nok" + HEAD + b"\r\n", 200, b"ok", False),
    ],
)
def test_a_reply_is_read_to_its_end_and_no_further(reply, status, body, kept):
    answer = exchanged(reply)
    assert (answer.status, b"".join(answer.parts), answer.may_be_kept) == (status, body, kept)


def test_a_reply_without_a_length_ends_with_the_connection():
    answer = exchanged(HEAD + b"\r\n", b"o", b"k", ends=True)
    assert (b"".join(answer.parts), answer.may_be_kept) == (b"ok", False)


@given(st.binary(max_size=300), st.booleans(), st.lists(st.integers(0, 400), max_size=6))
def test_however_a_reply_is_cut_up_it_says_the_same(body, is_chunked, cuts):
    if is_chunked:
        sent = b"%x\r\n%b\r\n" % (len(body), body) if body else b""
        reply = HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + sent + b"0\r\n\r\n"
    else:
        reply = HEAD + b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    places = sorted({0, *(cut for cut in cuts if cut < len(reply)), len(reply)})
    parts = [reply[a:b] for a, b in pairwise(places)]
    answer = exchanged(*parts)
    assert (answer.status, b"".join(answer.parts)) == (200, body)
    assert answer.headers["content-type"] == "application/json"
    assert answer.may_be_kept


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (b"", Gone),
        (b"HTTP/1.1 2", BrokeOff),
        (HEAD + b"Content-Length: 9\r\n\r\nok", BrokeOff),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n9\r\nok", BrokeOff),
        (b"220 mail.example.org ready\r\n", NotHttp),
        (HEAD + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\nok", NotHttp),
        (b"HTTP/1.1 101 Other\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", NotHttp),
        (HEAD + b"Content-Length: %d\r\n\r\nok" % (LARGEST_REPLY + 1), TooLarge),
        (b"HTTP/1.1 200 OK\r\nX: " + b"y" * LARGEST_HEAD, TooLarge),
    ],
)
def test_what_is_no_whole_reply_is_none(reply, error):
    with pytest.raises(error):
        exchanged(reply, ends=True)


def test_a_server_that_falls_silent_half_way_is_given_up():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.settimeout(0.2)
        theirs.sendall(HEAD)
        with pytest.raises(TimeoutError):
            exchange(ours, ASK)
