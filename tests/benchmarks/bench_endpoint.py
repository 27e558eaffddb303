"""How close the endpoint engine comes to the server's own pace.

Run: `python tests/benchmarks/bench_endpoint.py`. 1,344 questions (the responses of an attitude
audit) go to a server that answers each in 50 ms, 32 in flight. The ideal is 1,344 x 50 ms / 32 =
2.1 s. Beside it stands a bare socket loop on one thread in the same run, which shows what this
computer and the server allow. `--through-openai` adds the openai package's client over the same
door, as often as it takes to compare.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.running.protocols import no_report
from app.running.questions import Message, Question, Sampler
from engines.endpoint_body import body_head, whole_body
from engines.endpoint_client import client
from engines.endpoint_door import Door
from engines.endpoint_line import Line
from engines.endpoint_replies import judge
from engines.endpoints import Endpoint
from engines.openai_api import OpenAIChat

QUESTIONS = 1_344
IN_FLIGHT = 32
ANSWER_S = 0.05
IDEAL_S = QUESTIONS * ANSWER_S / IN_FLIGHT
SCHEMA = '{"properties":{"score":{"type":"integer"}},"required":["score"],"type":"object"}'
ANSWER = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1,
    "model": "tiny-1",
    "choices": [
        {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "{}"}}
    ],
    "usage": {"prompt_tokens": 400, "completion_tokens": 20, "total_tokens": 420},
}


def http(body: bytes) -> bytes:
    """Put an answer into the form in which it travels."""
    head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
    return head % len(body) + body


class Answers(asyncio.Protocol):
    """Reads a request and answers 50 ms after its last byte; to a GET it tells how well it did.

    Timers go off about half a millisecond late, which is the server's own doing and not time that
    whoever asks has lost. So it aims as much earlier as it was late on average so far.
    """

    whole = http(json.dumps(ANSWER).encode())
    answers = 0
    took_s = 0.0
    """From the last byte of the requests to their answers, of all together."""
    early_s = 0.0
    """By how much timers are set too early."""

    def answer(self, _body: bytes) -> bytes:
        """Give what is sent for a request."""
        return self.whole

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a connection."""
        self.transport = transport
        self.got = b""

    def data_received(self, data: bytes) -> None:
        """Take bytes until a request is whole."""
        loop = asyncio.get_running_loop()
        came_s = loop.time()
        self.got += data
        head, mark, body = self.got.partition(b"\r\n\r\n")
        size = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0] or 0)
        if mark and len(body) >= size:
            self.got = b""
            if head.startswith(b"GET"):
                self.transport.write(http(b"%f" % (Answers.took_s / max(Answers.answers, 1))))
                Answers.answers, Answers.took_s = 0, 0.0
                return
            whole = self.answer(body)
            loop.call_at(came_s + ANSWER_S - Answers.early_s, self.send, whole, came_s)

    def send(self, whole: bytes, came_s: float) -> None:
        """Answer, and take note of how long it took."""
        took_s = asyncio.get_running_loop().time() - came_s
        self.transport.write(whole)
        Answers.answers += 1
        Answers.took_s += took_s
        Answers.early_s += (took_s - ANSWER_S) / 1_000


async def serve(answers: type[Answers] = Answers) -> None:
    """Serve until ended; the first line of output is the port."""
    server = await asyncio.get_running_loop().create_server(answers, "127.0.0.1", 0, backlog=128)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


def told_pace(port: int) -> float:
    """Ask the server how many seconds its answers took on average since it was asked last."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as reply:
        return float(reply.read())


def question(number: int) -> Question:
    """Make a question of the length of an audit's."""
    words = f"Item {number}: " + "The child points at the picture and waits. " * 30
    return Question(f"item {number}", (Message("user", (words,)),), SCHEMA, Sampler(seed=number))


def timed(name: str, work: Callable[[], None]) -> float:
    """Run some work three times and print the median beside the ideal."""
    took = []
    for _ in range(3):
        began, used = time.perf_counter(), time.process_time()
        work()
        took.append((time.perf_counter() - began, time.process_time() - used))
    wall, used = sorted(took)[1]
    tell(f"| {name} | {wall:.2f} s | {wall / IDEAL_S:.2f} | {used / QUESTIONS * 1000:.2f} ms |")
    return wall


def tell(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def all_of(ask: Callable[[Question], None]) -> None:
    """Ask everything on as many threads as calls may be in flight, as the runner does."""
    with ThreadPoolExecutor(IN_FLIGHT) as threads:
        for _ in threads.map(ask, map(question, range(QUESTIONS))):
            pass


async def bare(port: int) -> None:
    """Make the same calls over bare sockets: no parsing, no records."""
    idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
    places = asyncio.Semaphore(IN_FLIGHT)

    async def one(number: int) -> None:
        async with places:
            body = whole_body(
                body_head(question(number), "tiny", None, "json_schema"), "n", 9, number
            )
            ends = idle.pop() if idle else await asyncio.open_connection("127.0.0.1", port)
            ends[1].write(b"POST / HTTP/1.1\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body))
            await ends[0].readexactly(len(Answers.whole))
            idle.append(ends)

    await asyncio.gather(*map(one, range(QUESTIONS)))
    for _, writer in idle:
        writer.close()


def through_openai(endpoint: Endpoint) -> Callable[[Question], None]:
    """Ask through the openai package's client, with its own records."""
    door = Door(endpoint, None)
    line = Line(door, IN_FLIGHT)
    judged = partial(judge, endpoint=endpoint, hide=str)
    asked = client(endpoint, line, judged, threading.Event())

    def ask(one: Question) -> None:
        head = body_head(one, endpoint.model, None, "json_schema")
        body = json.loads(whole_body(head, "max_tokens", 1024, one.sampler.seed))
        asked.chat.completions.create(**body)

    return ask


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--serve", action="store_true", help="be the server")
    parser.add_argument("--through-openai", action="store_true")
    asked = parser.parse_args()
    if asked.serve:
        asyncio.run(serve())
        return
    server = subprocess.Popen(
        [sys.executable, __file__, "--serve"], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    try:
        port = int(server.stdout.readline())
        endpoint = Endpoint(
            "bench", f"http://127.0.0.1:{port}/v1", "tiny", is_on=True, max_in_flight=IN_FLIGHT
        )
        chat = OpenAIChat(endpoint)
        stop = threading.Event()
        load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
        tell(f"{QUESTIONS} questions, {IN_FLIGHT} in flight, load {load:.1f} before\n")
        tell("| way | time | against the ideal | processor time a call |\n|---|---|---|---|")
        timed("bare sockets, one thread", lambda: asyncio.run(bare(port)))
        timed("the engine", lambda: all_of(lambda q: chat.ask(q, (0,), no_report, stop) and None))
        if asked.through_openai:
            timed("openai's client over the same door", partial(all_of, through_openai(endpoint)))
        assert chat.used().calls == 3 * QUESTIONS
        assert chat.used().failed == 0
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
