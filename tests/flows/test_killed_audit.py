"""Ending the program at any moment of an audit changes nothing of what the audit ends with."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from audit_desks import desk_with
from audit_plans import good_tutor, honest_judge

from app.audit.choosing import AuditChoice
from app.audit.items import Axis
from engines.scripted import Scripted

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there"),
]

KILLS = 8
TESTS = Path(__file__).resolve().parent.parent
CHOICE = AuditChoice(
    "Killed", "tutor", ("one", "two"), (Axis.ATTITUDE, Axis.SKILL), limit=6, draws=3
)
PROGRAM = f"""
import os, sys
sys.path[:0] = [{str(TESTS / "app" / "audit")!r}, {str(TESTS / "flows")!r}, {str(TESTS.parent)!r}]
from pathlib import Path
from test_killed_audit import audited

for path in sys.stdin:
    # Each is a process of its own; only loading Python is shared between them.
    worker = os.fork()
    if not worker:
        audited(Path(path.strip()), seconds=0.02)
        os._exit(0)
    os.write(1, f"{{worker}}\\n".encode())
    _, status = os.waitpid(worker, 0)
    os.write(1, f"{{os.waitstatus_to_exitcode(status)}}\\n".encode())
"""


def audited(path, seconds=0.0):
    """Begin an audit or go on with it; gives what it ends with, and how often it asked."""
    engines = {
        name: Scripted(say, model=name, in_flight=4, seconds=seconds)
        for name, say in (("tutor", good_tutor), ("one", honest_judge), ("two", honest_judge))
    }
    with desk_with(path, engines) as desk:
        audit, _ = desk.audit.take_up(desk.audit.settle(CHOICE))
        assert desk.audit.run_all(audit) == 0
        assert desk.audit.progress(audit).is_complete
        assert len(desk.library.audits.audits()) == 1
        responses = desk.library.audits.responses(audit)
        scorings = desk.library.audits.scorings(audit)
    places = {one.response_id: (one.origin, one.place) for one in responses}
    said = {places[r.response_id]: (r.status, r.text, r.answer_key) for r in responses}
    scored = {
        (places[s.response_id], s.judge, s.reading, s.turn): (s.score, s.points, s.answer_key)
        for s in scorings
    }
    assert (len(said), len(scored)) == (len(responses), len(scorings))
    return said, scored, sum(len(engine.asked) for engine in engines.values())


def test_an_audit_killed_again_and_again_ends_like_one_that_was_never_interrupted(tmp_path):
    said, scored, asked = audited(tmp_path / "smooth")
    chance, killed, path = random.Random(7), 0, tmp_path / "killed"
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    ) as program:
        for _ in range(KILLS):
            program.stdin.write(f"{path}\n")
            program.stdin.flush()
            worker = int(program.stdout.readline())
            threading.Event().wait(chance.uniform(0.1, 1.2))
            os.kill(worker, signal.SIGKILL)
            killed += int(program.stdout.readline()) == -signal.SIGKILL
        program.stdin.close()
        program.wait(30)
    again = audited(path)
    assert again[:2] == (said, scored)
    assert killed > 1
    # The kills met the midst of it: some was there, and not all.
    assert again[2] < asked
