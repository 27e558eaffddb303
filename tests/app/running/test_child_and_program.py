"""The watched process when the program around it is killed, interrupted or badly written."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
linux = pytest.mark.skipif(
    sys.platform != "linux", reason="looks for processes in /proc, which Linux alone has"
)

SCRIPT = """
    import signal, sys
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.path[:0] = {path!r}
    print("main runs", flush=True)
    from pathlib import Path
    from app.running.child import Child
    child = Child(log=Path({log!r}))
    print(child.call("child_faults:pid"), flush=True)
    try:
        child.call("child_faults:{name}", *{args!r})
    except KeyboardInterrupt:
        child.call("child_faults:add", 1, 1)
        print("went on after the interrupt", flush=True)
"""


@pytest.fixture
def program(tmp_path):
    """Start a program whose main module has no guard and that holds a busy child.

    It hears Ctrl+C whoever runs the tests: a shell that starts them in the background has them,
    and what they start, ignore it.
    """
    running = []

    def start(name, *args):
        running.append(_program(tmp_path, name, args))
        return running[-1]

    yield start
    for started, _, _ in running:
        if started.poll() is None:
            started.kill()
            started.communicate()


def _program(tmp_path, name, args):
    script = tmp_path / "unguarded.py"
    text = textwrap.dedent(SCRIPT).format(
        path=[str(ROOT), str(HERE)], log=str(tmp_path / "log"), name=name, args=args
    )
    script.write_text(text)
    started = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    first = started.stdout.readline().strip()
    return started, first, int(started.stdout.readline())


def wait_for_call(tmp_path, name):
    """Wait until the child has taken the call up, which its log says."""
    until = time.monotonic() + 30
    while f": child_faults:{name}" not in (tmp_path / "log").read_text():
        assert time.monotonic() < until, "the call never began"
        time.sleep(0.02)


def test_a_main_module_without_a_guard_does_not_run_a_second_time(program, tmp_path):
    started, first, _ = program("add", 1, 1)
    out, err = started.communicate(timeout=30)
    assert (first, out, err, started.returncode) == ("main runs", "", "", 0)
    assert "main runs" not in (tmp_path / "log").read_text()


@linux
@pytest.mark.parametrize(
    ("name", "args"), [("loop", ()), ("sleep_releasing", (60,)), ("sleep_holding_lock", (60,))]
)
def test_the_child_ends_within_a_second_of_a_killed_program(program, tmp_path, name, args):
    started, _, process = program(name, *args)
    wait_for_call(tmp_path, name)
    time.sleep(0.1)
    assert Path(f"/proc/{process}").exists()
    started.kill()
    started.communicate()
    until = time.monotonic() + 1
    while _is_running(process) and time.monotonic() < until:
        time.sleep(0.02)
    assert not _is_running(process)


@linux
def test_ctrl_c_in_the_program_ends_the_call_and_the_child_can_be_used_again(program, tmp_path):
    started, _, _ = program("loop")
    wait_for_call(tmp_path, "loop")
    started.send_signal(2)
    out, err = started.communicate(timeout=30)
    assert (out, err, started.returncode) == ("went on after the interrupt\n", "", 0)


def _is_running(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
