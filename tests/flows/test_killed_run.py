"""Ending the program at any moment of a run changes nothing of what the run ends with."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading

import pytest

from app.running.plan import make_plan
from app.running.questions import Status
from app.running.run import Ended, run
from app.store.library import Library
from engines.scripted import Scripted

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there"),
]

KILLS = 30
QUESTIONS = 200
IN_FLIGHT = 3
KILLED = f"ended {-signal.SIGKILL}\n" if sys.platform != "win32" else ""

# Both the killed processes and the test read it, so that all of them mean the same run.
JOB = """
import hashlib, json, os
from app.running.questions import Message, Question, Sampler
from engines.scripted import Fault, Scripted

LEVEL = {"type": "integer", "maximum": 4}
SCHEMA = json.dumps({"type": "object", "properties": {"level": LEVEL}, "required": ["level"]})

def questions(count):
    shared = Message("system", ("Give the level.",))
    return [
        Question(f"clip {n}", (shared, Message("user", (f"Clip {n}",))), SCHEMA, draws=1 + n % 3)
        for n in range(count)
    ]

def script(asked):
    # What is said depends on the question and the draw alone, as with a fixed seed.
    def say(question, draw):
        if asked is not None:
            os.write(asked, f"{question.digest} {draw}\\n".encode())
        again = len(question.messages) > 2
        chance = int(hashlib.sha256(f"{question.digest} {draw}".encode()).hexdigest(), 16) % 100
        if chance < 10:
            return Fault.REFUSAL if again else Fault.TRUNCATION
        if chance < 40:
            return "not good" if again else '{"level": 9}'
        return json.dumps({"level": chance % 5})
    return say

def read(text):
    return json.loads(text)["level"]
"""

PROGRAM = (
    JOB
    + """
import sys
from pathlib import Path
from app.running.plan import make_plan
from app.running.run import run
from app.store.library import Library

def say_when_asking(say):
    def first(question, draw):
        nonlocal told
        if not told:
            told = True
            os.write(1, b"asking\\n")
        return say(question, draw)

    told = False
    return first

def work(count, in_flight):
    asked = os.open(sys.argv[2], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    say = say_when_asking(script(asked))
    engine = Scripted(say, seconds=0.004 * in_flight, in_flight=in_flight)
    library = Library.open(Path(sys.argv[1]), "Ann")
    run(make_plan("levels", questions(count), engine.facts()), engine, library.attempts, read)
    os._exit(0)

for line in sys.stdin:
    # Each is a process of its own; only loading Python is shared between them.
    worker = os.fork()
    if not worker:
        work(*map(int, line.split()))
    os.write(1, f"worker {worker}\\n".encode())
    _, status = os.waitpid(worker, 0)
    os.write(1, f"ended {os.waitstatus_to_exitcode(status)}\\n".encode())
"""
)


@pytest.fixture
def job():
    names: dict[str, object] = {}
    exec(JOB, names)
    return names


def outcome(results):
    return [(r.question.name, r.draw, r.key, r.status, r.value, r.raw.text) for r in results]


def whole_run(job, path, engine):
    plan = make_plan("levels", job["questions"](QUESTIONS), engine.facts())
    with Library.open(path, "Ann") as library:
        done = run(plan, engine, library.attempts, job["read"])
        standing = library.attempts.of_keys(result.key for result in done.results)
    return done, {(a.key, a.raw.text, a.status) for a in standing if a.stands}


@pytest.mark.parametrize("in_flight", [1, IN_FLIGHT])
def test_a_run_killed_thirty_times_ends_like_one_that_was_never_interrupted(
    tmp_path, job, in_flight
):
    smooth, smooth_standing = whole_run(job, tmp_path / "smooth", Scripted(job["script"](None)))
    assert len({result.status for result in smooth.results}) >= 5
    path, asked = tmp_path / "killed", tmp_path / "asked"
    killed = kill_again_and_again(path, asked, in_flight)

    last, standing = whole_run(job, path, Scripted(job["script"](None)))
    assert last.ended == Ended.DONE
    assert outcome(last.results) == outcome(smooth.results)
    assert standing == smooth_standing
    assert Status.BACKEND_ERROR not in {result.status for result in last.results}
    # What was lost at a kill, and asked twice, is at most what was under way.
    made = asked.read_text().splitlines()
    twice = len(made) - len(set(made))
    # A local engine decodes the draws of a question together; a server is given the next
    # questions while answers are written.
    per_kill = 2 * in_flight if in_flight > 1 else 3
    assert twice <= killed * per_kill
    assert len(made) > 2 * KILLS  # the kills met the middle of the run, not only its start
    assert killed == KILLS


def kill_again_and_again(path, asked, in_flight):
    chance = random.Random(in_flight)
    killed = 0
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(path), str(asked)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        for number in range(KILLS):
            program.stdin.write(f"{QUESTIONS} {in_flight}\n")
            program.stdin.flush()
            worker = int(program.stdout.readline().split()[1])
            # Every fifth is killed while it makes or opens the library, the rest while it asks.
            if number % 5:
                assert program.stdout.readline() == "asking\n"
            threading.Event().wait(chance.uniform(0, 0.1))
            os.kill(worker, signal.SIGKILL)
            told = program.stdout.readline()
            killed += (program.stdout.readline() if told == "asking\n" else told) == KILLED
        program.stdin.close()
        program.wait(10)
    return killed
