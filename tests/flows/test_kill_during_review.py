"""Ending the program at any moment of a review loses nothing that was committed."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing

import pytest

from app.store.library import Library

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there"),
]

KILLS = 50

REVIEWERS = """
import itertools, os, sys
from pathlib import Path
from app.coding.records import Decision, Verdict
from app.lesson.clips import Clip
from app.store.library import Library

def say(line):
    os.write(1, f"{line}\\n".encode())  # at once, so that a kill never leaves half a line

def review(path, number):
    library = Library.open(Path(path), "Ann")
    lesson_id = library.lessons()[0].lesson_id
    clip = Clip("c1", 1, 3, 0, 5000)
    for n in itertools.count():
        note = f"{number}.{n} melting"
        made = Decision(clip, Verdict.ACCEPT, "D1", 2, "Ann", "2026-11-29T10:00:00.000Z", note)
        library.decide(lesson_id, made)
        say(f"decided {note}")
        text = f"line {note}"
        library.edit_utterance(lesson_id, 1 + n % 3, text)
        say(f"edited {1 + n % 3} {text}")
        if n % 7 == 3:
            library.undo(lesson_id)
            library.redo(lesson_id)

for line in sys.stdin:
    # Each reviewer is a process of its own; only loading Python is shared between them.
    reviewer = os.fork()
    if not reviewer:
        review(sys.argv[1], line.strip())
    say(f"reviewer {reviewer}")
    _, status = os.waitpid(reviewer, 0)
    say(f"ended {os.waitstatus_to_exitcode(status)}")
"""


@pytest.fixture
def reviewers(path_with_lesson):
    path, _ = path_with_lesson
    with subprocess.Popen(
        [sys.executable, "-c", REVIEWERS, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield process
        process.kill()


def review_until_killed(reviewers, number, lines, wait_s):
    """Let a program review, and end it at some moment; gives what it said it had kept.

    The moment lies `wait_s` after it said its first `lines` lines, or after it began when that
    is zero, so that a slow computer sees as much work as a fast one.
    """
    reviewers.stdin.write(f"{number}\n")
    reviewers.stdin.flush()
    said, process, is_timed = [], 0, False
    for line in iter(reviewers.stdout.readline, f"ended {-signal.SIGKILL}\n"):
        assert line, "the reviewers are gone"
        kind, rest = line.strip().split(" ", 1)
        if kind == "reviewer":
            process = int(rest)
        else:
            said.append((kind, rest))
        if process and not is_timed and len(said) >= lines:
            is_timed = True
            threading.Timer(wait_s, os.kill, [process, signal.SIGKILL]).start()
    return said


def test_fifty_kills_lose_no_decision_that_was_kept(path_with_lesson, reviewers):
    path, lesson_id = path_with_lesson
    moments = random.Random(20261129)
    decided, edited = [], {}
    for number in range(KILLS):
        lines, wait_s = moments.randrange(12), moments.uniform(0.0, 0.02)
        for kind, rest in review_until_killed(reviewers, number, lines, wait_s):
            if kind == "decided":
                decided.append(rest)
            else:
                place, edited_text = rest.split(" ", 1)
                edited[int(place)] = edited_text
        with closing(sqlite3.connect(path)) as plain:
            assert plain.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        with Library.open(path) as library:
            review = library.lesson(lesson_id)
            check_decisions([d.note for d in review.decisions], decided)
            check_undo(library, lesson_id)
    assert len(decided) > KILLS  # the program really worked in between
    last = {number: review.transcript.utterances[number - 1].text for number in edited}
    # What was kept but no longer told is newer, never older.
    assert [n for n, text in last.items() if age(text) < age(edited[n])] == []


def check_decisions(kept, said):
    """Every decision the program told of is there, in order; it may have kept one more a kill."""
    missing = set(said) - set(kept)
    assert missing == set()
    assert len(kept) == len(set(kept))
    assert [note for note in kept if note in set(said)] == said


def check_undo(library, lesson_id):
    """Undo still takes back what redo then brings again."""
    if library.can_undo(lesson_id) is None:
        return
    before = library.lesson(lesson_id)
    label = library.can_undo(lesson_id)
    assert library.undo(lesson_id) == label
    assert library.lesson(lesson_id) != before
    assert library.redo(lesson_id) == label
    assert library.lesson(lesson_id) == before


def age(text):
    """Give which round and step a text comes from."""
    return tuple(int(part) for part in text.split()[1].split("."))


@pytest.fixture
def path_with_lesson(tmp_path):
    from app.lesson.transcript.records import Transcript, Utterance

    path = tmp_path / "a.clerestory"
    lines = tuple(Utterance(n, f"line {n}", n * 1000, n * 1000 + 900) for n in (1, 2, 3))
    with Library.open(path) as library:
        lesson_id = library.add_lesson("Ice", None, Transcript(lines, "import:srt"))
    return path, lesson_id
