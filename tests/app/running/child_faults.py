"""What goes wrong in real engines, as functions that a test has the child run."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading
import time

from app.errors import BadAnswer, MediaRefused, Refused


def add(one, other):
    return one + other


def echo(value):
    return value


def pid():
    return os.getpid()


def modules():
    return sorted(sys.modules)


def main_file():
    return getattr(sys.modules["__main__"], "__file__", None), "__mp_main__" in sys.modules


def talk(steps, report):
    for step in range(steps):
        report(step / steps, f"step {step}")
    return steps


def talk_slowly(steps, pause_s, report):
    for step in range(steps):
        report(step / steps, f"step {step}")
        time.sleep(pause_s)
    return "done"


def print_line(text):
    sys.stdout.write(text)
    os.write(2, b"from native code\n")


def crash(report):
    report(0.42, "hearing speech in maths.mp4")
    ctypes.string_at(0)


def abort():
    os.abort()


def leave(code):
    os._exit(code)


def leave_politely():
    sys.exit(3)


def loop():
    while True:
        pass


def sleep_releasing(seconds):
    time.sleep(seconds)


def sleep_holding_lock(seconds):
    """Sleep in C without giving Python's lock back, as a careless binding does."""
    native = ctypes.PyDLL(None)
    native.usleep(ctypes.c_uint(int(seconds * 1e6)))
    return "woke"


def stop_politely(report, stop):
    report(0.0, "waiting to be stopped")
    while not stop.wait(0.01):
        pass
    return "stopped by myself"


def is_stopped(stop: threading.Event):
    return stop.is_set()


def refuse():
    raise MediaRefused("maths.mp4 has no sound.", "Choose another file.")


class OddError(BadAnswer):
    """An error of an engine that does not pickle."""

    def __init__(self, message, hint, extra):
        super().__init__(message, hint)
        self.extra = extra


def refuse_oddly():
    raise OddError("The answer is not JSON.", "Ask again.", lambda: None)


def fault():
    return {}["nobody"]


def unpicklable():
    return lambda: None


def fill_memory(limit):
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    hoard = []
    while True:
        hoard.append(bytearray(50_000_000))


def fill_memory_natively(limit):
    """Run out of memory in C, where nobody asks whether there was any."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    native = ctypes.CDLL(None)
    native.malloc.restype = ctypes.c_void_p
    native.malloc.argtypes = [ctypes.c_size_t]
    while address := native.malloc(200_000_000):
        pass
    ctypes.memset(address or 0, 1, 200_000_000)


def kill_self():
    os.kill(os.getpid(), 9)


def start_grandchild():
    return subprocess.run([sys.executable, "-c", "print(7)"], capture_output=True, text=True).stdout


def refuse_plainly():
    raise Refused("No.")
