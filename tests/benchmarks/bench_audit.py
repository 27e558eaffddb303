"""How close an audit comes to the pace of the servers that its models run on.

Run: `python tests/benchmarks/bench_audit.py`. The whole attitude axis, 1,344 responses and 8,064
scorings by two judges, goes to a server that answers each call in 50 ms, 32 in flight, through the
whole road: planned, asked, judged, quotes looked up, everything kept in a library. The least it can
take is 9,408 x 50 ms / 32 = 14.7 s. Beside it stands a bare socket loop that makes the same calls
without reading or keeping anything, which shows what this computer and the server allow.
`--rounds N` takes the best of N, for a computer that does other things as well.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench_endpoint import ANSWER, ANSWER_S, IN_FLIGHT, Answers, http, serve, tell, told_pace

from app.__main__ import parts
from app.audit.choosing import AuditChoice
from app.audit.items import Axis
from app.audit.outlook import Step
from app.audit.works import JudgeWork, TutorWork
from app.audit_steps import AuditModels, AuditSteps
from app.desk import Desk
from app.interpreter import suit_interpreter
from app.running.questions import Question
from app.settings import Settings
from app.store.library import Library
from engines.endpoint_body import body_head, whole_body
from engines.endpoints import Endpoint

RESPONSES, SCORINGS = 1_344, 8_064
SAID = "The tutor waits, looks at the page with the child and says what is to be seen there. " * 8
JUDGED = json.dumps(
    {
        "points": [
            {
                "about": "waits for the child",
                "met": True,
                "quote": "The tutor waits, looks at the page with the child",
            },
            {
                "about": "says what is there",
                "met": True,
                "quote": "says what is to be seen there.",
            },
            {"about": "no praise that nothing supports", "met": True, "quote": "with the child"},
        ],
        "band": "D",
        "upper": False,
        "reason": "It says what is there and adds nothing that is not.",
    }
)
_NUMBERS = itertools.count()


class Models(Answers):
    """A tutor that never says the same twice, and judges that score the same way each time."""

    judged = http(json.dumps(ANSWER).replace('"{}"', json.dumps(JUDGED)).encode())

    def answer(self, body: bytes) -> bytes:
        """Give a judge's answer to judges, and the tutor's next to the tutor."""
        if b'"model":"judge' in body[:40]:
            return self.judged
        said = json.dumps(f"{SAID}This is number {next(_NUMBERS)}.")
        return http(json.dumps(ANSWER).replace('"{}"', said).encode())


def settings_for(port: int) -> Settings:
    """Give settings in which the server is on three times: as tutor and as two judges."""
    names = ("tutor", "judge-one", "judge-two")
    url = f"http://127.0.0.1:{port}/v1"
    made = [Endpoint(name, url, name, is_on=True, max_in_flight=IN_FLIGHT) for name in names]
    return Settings(endpoints=tuple(one.to_json() for one in made))


def audited(folder: Path, port: int) -> tuple[float, float, float]:
    """Run the audit; gives the seconds of tutoring and judging, and the processor's seconds."""
    settings = settings_for(port)
    with Desk(Library.open(folder / "a.clerestory", "bench"), parts(), settings) as desk:
        choice = AuditChoice("Bench", "tutor", ("judge-one", "judge-two"), (Axis.ATTITUDE,))
        audit_id = desk.audit.begin(desk.audit.settle(choice))
        used, began = time.process_time(), time.perf_counter()
        missing = desk.audit.tutor(audit_id)
        tutored = time.perf_counter()
        missing += desk.audit.judge(audit_id)
        ended = time.perf_counter()
        progress = desk.audit.progress(audit_id)
        assert (missing, progress.responses, progress.scorings) == (0, RESPONSES, SCORINGS)
        return tutored - began, ended - tutored, time.process_time() - used


def works(folder: Path, port: int) -> tuple[TutorWork, JudgeWork]:
    """Give what would be asked of the tutor and of one judge, from an audit that was run."""
    settings = settings_for(port)
    with Desk(Library.open(folder / "a.clerestory", "bench"), parts(), settings) as desk:
        plan = desk.library.audits.audit(1).plan
        steps, models = AuditSteps(desk.library, desk.files, settings), AuditModels(desk.answering)
        chat = models.chat(plan.tutor, plan, steps.bank(plan))
        come = steps.to_come(plan, chat)
        tutoring = steps.tutoring(plan, chat)
        return tutoring, steps.judging(plan, Step.JUDGE, "judge-one", chat, None, come)


def shared_share(questions: Sequence[Question]) -> float:
    """Say which share of what is asked stands at the start of the question before as well.

    This is what a server with one place for what it has read need not read again; draws of one
    question share all of it.
    """
    same = total = 0
    texts = [text for question in questions for text in [_text(question)] * question.draws]
    for before, text in itertools.pairwise(texts):
        pairs = enumerate(zip(before, text, strict=False))
        same += next((at for at, (a, b) in pairs if a != b), min(len(before), len(text)))
        total += len(text)
    return same / total


def _text(question: Question) -> str:
    return "\n".join(p for m in question.messages for p in m.parts if isinstance(p, str))


async def bare(port: int, bodies: Sequence[bytes]) -> None:
    """Make as many calls over bare sockets: no parsing, no records."""
    idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
    places = asyncio.Semaphore(IN_FLIGHT)

    async def one(body: bytes) -> None:
        async with places:
            ends = idle.pop() if idle else await asyncio.open_connection("127.0.0.1", port)
            ends[1].write(b"POST / HTTP/1.1\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body))
            head = await ends[0].readuntil(b"\r\n\r\n")
            await ends[0].readexactly(int(head.rsplit(b": ", 1)[1]))
            idle.append(ends)

    await asyncio.gather(*map(one, bodies))
    for _, writer in idle:
        writer.close()


def bodies_of(tutoring: TutorWork, judging: JudgeWork) -> list[bytes]:
    """Write every request of the audit as it travels."""
    made = []
    for model, questions in (
        ("tutor", [one.question for one in tutoring.asked]),
        ("judge-one", judging.questions),
        ("judge-two", judging.questions),
    ):
        for question in questions:
            head = body_head(question, model, None, "json_schema")
            made += [whole_body(head, "max_tokens", 1024, n) for n in range(question.draws)]
    return made


def main() -> None:
    """Print the table."""
    suit_interpreter()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--serve", action="store_true", help="be the server")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    if asked.serve:
        asyncio.run(serve(Models))
        return
    server = subprocess.Popen(
        [sys.executable, __file__, "--serve"], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    try:
        measure(int(server.stdout.readline()), asked.rounds)
    finally:
        server.terminate()
        server.wait()


def measure(port: int, rounds: int) -> None:
    """Run it so many times, with the bare loop in between, and print the best of each."""
    calls = RESPONSES + SCORINGS
    ideal = calls * ANSWER_S / IN_FLIGHT
    whole: list[tuple[float, float, float]] = []
    sockets: list[float] = []
    paces: list[float] = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as name:
            os.environ["CLERESTORY_HOME"] = name
            whole.append(audited(Path(name), port))
            paces.append(told_pace(port))
            made = works(Path(name), port)
        began = time.perf_counter()
        asyncio.run(bare(port, bodies_of(*made)))
        sockets.append(time.perf_counter() - began)
        told_pace(port)
    tutored, judged, used = min(whole, key=lambda took: took[0] + took[1])
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    tell(f"{calls:,} calls, {IN_FLIGHT} in flight, the best of {rounds}, load {load:.1f}")
    tell(f"The server took {', '.join(f'{pace * 1000:.2f}' for pace in paces)} ms to answer.\n")
    tell("| way | time | against the least | processor time a call |\n|---|---|---|---|")
    tell(f"| bare sockets | {min(sockets):.2f} s | {min(sockets) / ideal:.3f} | |")
    took = tutored + judged
    tell(f"| the audit | {took:.2f} s | {took / ideal:.3f} | {used / calls * 1000:.2f} ms |")
    tell(f"| of it the tutor | {tutored:.2f} s | {tutored / (RESPONSES / calls * ideal):.3f} | |")
    tell(f"| of it the judges | {judged:.2f} s | {judged / (SCORINGS / calls * ideal):.3f} | |")
    tutoring, judging = made
    for who, questions in (
        ("the tutor", [one.question for one in tutoring.asked]),
        ("a judge", judging.questions),
    ):
        share = shared_share(questions)
        tell(f"\nOf the words that {who} is asked with, {share:.1%} began the call before as well.")


if __name__ == "__main__":
    main()
