"""The watched process against real faults: crashes, hangs, full memory, a killed program."""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
from pathlib import Path

import pytest

from app.errors import BadAnswer, Cancelled, EngineStopped, MediaRefused
from app.running import child as child_module
from app.running import spawned
from app.running.child import Child

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
linux = pytest.mark.skipif(sys.platform != "linux", reason="counts files and processes in /proc")
posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits and signals")


@pytest.fixture
def child(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))
    with Child(silence_s=20, log=tmp_path / "child.log") as running:
        yield running


def run(child, name, *args, **more):
    return child.call(f"child_faults:{name}", *args, **more)


def test_a_call_gives_what_the_function_returns_and_the_process_is_kept(child):
    assert run(child, "add", 1, 2) == 3
    assert run(child, "pid") == run(child, "pid") == child.pid != os.getpid()


def test_large_values_travel_both_ways(child):
    value = os.urandom(20_000_000)
    assert run(child, "echo", value) == value


def test_nothing_is_started_before_the_first_call(child):
    assert child.pid is None


def test_a_fresh_process_answers_quickly_and_brings_in_neither_window_nor_engines(child):
    run(child, "pid")
    loaded = set(run(child, "modules"))
    heavy = {"PySide6", "numpy", "av", "cv2", "onnxruntime", "views", "app.__main__"}
    assert not heavy & loaded
    # The middle of three, as other work on the computer slows down single starts.
    assert sorted(_start_seconds(child) for _ in range(3))[1] < 0.6


def _start_seconds(child):
    with pytest.raises(EngineStopped):
        run(child, "leave", 0)
    began = time.monotonic()
    run(child, "pid")
    return time.monotonic() - began


def test_progress_arrives_in_order_on_the_calling_thread(child):
    heard = []
    result = run(child, "talk_slowly", 4, 0.03, report=lambda *said: heard.append(said))
    assert result == "done"
    assert heard == [(0.0, "step 0"), (0.25, "step 1"), (0.5, "step 2"), (0.75, "step 3")]


def test_a_report_a_frame_is_thinned_out_but_the_last_one_arrives(child):
    heard = []
    assert run(child, "talk", 50_000, report=lambda *said: heard.append(said)) == 50_000
    assert heard[0] == (0.0, "step 0")
    assert heard[-1] == (49_999 / 50_000, "step 49999")
    assert len(heard) < 500


def test_errors_for_people_arrive_as_themselves(child):
    with pytest.raises(MediaRefused) as caught:
        run(child, "refuse")
    assert (caught.value.message, caught.value.hint) == (
        "maths.mp4 has no sound.",
        "Choose another file.",
    )


def test_an_error_that_cannot_travel_arrives_as_its_nearest_kind(child):
    with pytest.raises(BadAnswer) as caught:
        run(child, "refuse_oddly")
    assert str(caught.value) == "The answer is not JSON. Ask again."


def test_a_fault_of_ours_names_the_log_that_holds_the_traceback(child):
    with pytest.raises(EngineStopped, match="KeyError: 'nobody'") as caught:
        run(child, "fault")
    assert str(child.log) in caught.value.hint
    text = child.log.read_text()
    assert "Traceback" in text
    assert "in fault" in text


def test_a_fault_does_not_cost_the_process(child):
    before = run(child, "pid")
    for name in ("fault", "unpicklable", "leave_politely"):
        with pytest.raises(EngineStopped):
            run(child, name)
    assert run(child, "pid") == before


def test_an_argument_that_cannot_be_pickled_is_our_bug(child):
    with pytest.raises((TypeError, AttributeError)):
        run(child, "echo", threading.Lock())
    assert run(child, "add", 1, 1) == 2


@posix
@pytest.mark.parametrize(
    ("name", "args", "told"),
    [
        ("crash", (), "crashed .segmentation fault"),
        ("abort", (), "crashed .abort"),
        ("leave", (0,), "left without an answer .code 0"),
        ("leave", (7,), "left without an answer .code 7"),
        ("kill_self", (), "memory ran out"),
        ("fill_memory", (1 << 30,), "memory of this computer ran out"),
        ("fill_memory_natively", (1 << 30,), "crashed"),
    ],
)
def test_a_death_costs_one_call_and_the_next_starts_afresh(child, name, args, told):
    with pytest.raises(EngineStopped, match=told) as caught:
        run(child, name, *args)
    assert str(child.log) in caught.value.hint
    assert run(child, "add", 2, 2) == 4


def test_a_crash_is_noticed_at_once_with_what_was_under_way_and_where_in_the_log(child):
    run(child, "pid")
    began = time.monotonic()
    with pytest.raises(EngineStopped, match=r"hearing speech in maths\.mp4” .42%"):
        run(child, "crash")
    assert time.monotonic() - began < 2
    text = child.log.read_text()
    assert "Segmentation fault" in text
    assert "in crash" in text


@pytest.mark.parametrize(
    ("name", "args", "pulse"),
    [
        ("loop", (), "it still runs"),
        ("sleep_releasing", (60,), "it still runs"),
        pytest.param("sleep_holding_lock", (60,), "without progress", marks=posix),
    ],
)
def test_silence_ends_the_process_and_the_log_tells_where_it_hung(child, name, args, pulse):
    run(child, "pid")
    began = time.monotonic()
    with pytest.raises(EngineStopped, match="1 s went by without progress") as caught:
        run(child, name, *args, silence_s=1)
    assert time.monotonic() - began < 4
    assert pulse in caught.value.message
    assert child.pid is None
    if sys.platform != "win32":
        assert f"in {name}" in child.log.read_text()


def test_a_long_call_that_reports_progress_outlives_the_limit(child):
    assert run(child, "talk_slowly", 15, 0.1, silence_s=0.8) == "done"


def test_a_slow_report_here_is_not_taken_for_silence_there(child):
    result = run(child, "talk_slowly", 3, 0.0, silence_s=0.5, report=lambda *_: time.sleep(0.7))
    assert result == "done"


def test_a_call_that_listens_ends_by_itself_when_stopped(child):
    stop = threading.Event()
    result = run(child, "stop_politely", report=lambda *_: stop.set(), stop=stop)
    assert result == "stopped by myself"
    assert run(child, "is_stopped") is False


@pytest.mark.parametrize(
    "name",
    ["loop", pytest.param("sleep_holding_lock", marks=posix), "sleep_releasing"],
)
def test_a_call_that_does_not_listen_is_ended_after_the_grace(child, name):
    run(child, "pid")
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    began = time.monotonic()
    args = () if name == "loop" else (60,)
    with pytest.raises(Cancelled, match="Stopped as you asked"):
        run(child, name, *args, stop=stop)
    assert time.monotonic() - began < 0.2 + child_module.STOP_GRACE_S + 1
    assert run(child, "add", 1, 1) == 2


def test_a_child_tells_whether_it_is_busy(child):
    assert not child.is_busy
    seen = []
    run(child, "talk", 3, report=lambda *_: seen.append(child.is_busy))
    assert seen
    assert all(seen)
    assert not child.is_busy


class CutShort(threading.Condition):
    """Lets go as ever, and Ctrl+C comes in the same moment, once."""

    has_come = False

    def __exit__(self, *error):
        super().__exit__(*error)
        if not self.has_come:
            self.has_come = True
            raise KeyboardInterrupt


def test_ctrl_c_in_the_moment_a_turn_is_taken_does_not_keep_the_turn(child):
    child._turn = CutShort()
    with pytest.raises(KeyboardInterrupt):
        run(child, "add", 1, 2)
    assert not child.is_busy
    assert run(child, "add", 1, 2) == 3


def test_a_call_that_waits_for_its_turn_can_be_stopped(child):
    busy = threading.Event()
    end = threading.Event()
    first = threading.Thread(
        target=run,
        args=(child, "stop_politely"),
        kwargs={"report": lambda *_: busy.set(), "stop": end},
    )
    first.start()
    assert busy.wait(10)
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        run(child, "add", 1, 1, stop=stop)
    assert time.monotonic() - began < 1
    end.set()
    first.join(10)
    assert not first.is_alive()


def test_threads_share_one_child_and_each_gets_its_own_answer(child):
    answers = {}

    def ask(number):
        answers[number] = [run(child, "add", number, k) for k in range(20)]

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert answers == {n: [n + k for k in range(20)] for n in range(6)}


def test_a_child_that_died_while_idle_is_replaced_unnoticed(child):
    os.kill(run(child, "pid"), 9)
    assert run(child, "add", 1, 1) == 2


@pytest.mark.parametrize(
    ("name", "args"), [("loop", ()), pytest.param("sleep_holding_lock", (60,), marks=posix)]
)
def test_closing_ends_a_busy_child_within_a_second(child, name, args):
    run(child, "pid")
    outcome = []

    def work():
        try:
            run(child, name, *args)
        except Cancelled as error:
            outcome.append(error.message)

    worker = threading.Thread(target=work)
    worker.start()
    time.sleep(0.3)
    began = time.monotonic()
    child.close()
    assert time.monotonic() - began < 1
    worker.join(5)
    assert outcome == ["Stopped, because the program is closing."]
    with pytest.raises(Cancelled):
        run(child, "add", 1, 1)


def test_closing_does_not_wait_for_a_caller_that_is_stuck_in_its_own_report(child):
    stuck, go_on = threading.Event(), threading.Event()

    def report(*_):
        stuck.set()
        go_on.wait(10)

    def work():
        with pytest.raises(Cancelled):
            run(child, "stop_politely", report=report)

    worker = threading.Thread(target=work)
    worker.start()
    assert stuck.wait(10)
    began = time.monotonic()
    child.close()
    assert time.monotonic() - began < 1
    go_on.set()
    worker.join(5)
    assert not worker.is_alive()


def test_an_error_in_our_own_report_ends_the_call_and_leaves_no_half_read_pipe(child):
    def report(*_):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(child, "talk_slowly", 3, 0.05, report=report)
    assert run(child, "add", 1, 1) == 2


def test_what_native_code_prints_goes_to_the_log(child, capfd):
    run(child, "print_line", "said in Python\n")
    text = child.log.read_text()
    assert "said in Python" in text
    assert "from native code" in text
    assert capfd.readouterr() == ("", "")


def test_no_text_that_was_said_is_kept_in_the_log(child):
    run(child, "echo", "what a child said")
    assert "what a child said" not in child.log.read_text()


def test_a_log_that_cannot_be_written_costs_nothing_but_the_log(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))
    (tmp_path / "file").write_text("in the way")
    with Child(log=tmp_path / "file" / "child.log") as child:
        assert run(child, "add", 1, 1) == 2


def test_a_grown_log_is_set_aside(child, monkeypatch):
    monkeypatch.setattr(spawned, "LARGEST_LOG", 10)
    child.log.write_text("older than this run")
    run(child, "pid")
    assert child.log.with_suffix(".old").read_text() == "older than this run"
    assert "older" not in child.log.read_text()


def test_a_child_can_start_programs_of_its_own(child):
    assert run(child, "start_grandchild").strip() == "7"


@linux
@pytest.mark.slow
def test_fifty_restarts_leave_no_zombie_and_no_open_file(child):
    run(child, "pid")
    gc.collect()
    files, threads = _open_files(), threading.active_count()
    for _ in range(50):
        with pytest.raises(EngineStopped):
            run(child, "leave", 1)
    run(child, "pid")
    assert _open_files() == files
    assert threading.active_count() == threads
    assert _children_in_state("Z") == []


@linux
def test_interrupt_from_the_keyboard_is_left_to_the_program(child):
    process = run(child, "pid")
    os.kill(process, 2)
    assert run(child, "pid") == process


def _open_files():
    return len(list(Path("/proc/self/fd").iterdir()))


def _children_in_state(state):
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid() and fields[0] == state:
            found.append(stat)
    return found
