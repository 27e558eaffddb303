"""A download that is stopped, killed or runs out of room, and goes on from there."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
import time

import pytest
from tiny_downloads import ROOT, TINY, hub

from app.errors import Cancelled, Refused
from engines.downloads import download
from engines.local_models import find_installed, installed_models


def test_a_stop_is_heard_within_a_second_and_what_arrived_is_kept(server, files):
    server.faults.silent.set()
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    start = time.monotonic()
    with pytest.raises(Cancelled):
        download(TINY, hub(server, silence_s=30.0), stop=stop)
    assert time.monotonic() - start < 1.3
    server.faults.silent.clear()
    assert download(TINY, hub(server)).weights.path.read_bytes() == files["tiny.gguf"]


def test_a_stop_in_the_middle_is_gone_on_from(server, files):
    server.faults.pause_s = 0.05
    stop = threading.Event()

    def report(share, _words):
        if share > 0.4:
            stop.set()

    with pytest.raises(Cancelled):
        download(TINY, hub(server), report, stop)
    assert installed_models() == ()
    server.faults.pause_s = 0.0
    server.asked.clear()
    assert download(TINY, hub(server)).weights.path.read_bytes() == files["tiny.gguf"]
    (asked,) = server.ranges("tiny.gguf")
    assert int(asked.removeprefix("bytes=").rstrip("-")) > 500_000


def test_two_downloads_do_not_write_the_same_files(server):
    server.faults.silent.set()
    stop = threading.Event()

    def run():
        with pytest.raises(Cancelled):
            download(TINY, hub(server), stop=stop)

    first = threading.Thread(target=run)
    first.start()
    while not server.asked:
        time.sleep(0.01)
    with pytest.raises(Refused, match="Another download is running"):
        download(TINY, hub(server))
    stop.set()
    first.join()


def test_too_little_space_is_told_before_a_byte_is_fetched(server, monkeypatch):
    usage = shutil_usage(1_000_000)
    monkeypatch.setattr("engines.shelf_files.shutil.disk_usage", lambda _folder: usage)
    with pytest.raises(Refused, match=r"2 MB are needed .* only 1 MB are free"):
        download(TINY, hub(server))
    assert server.ranges("tiny.gguf") == []


def shutil_usage(free):
    import shutil

    return shutil._ntuple_diskusage(10_000_000, 9_000_000, free)


def test_a_full_disk_is_told_and_what_arrived_is_kept(server, files):
    code = f"""
        import resource
        from app.errors import Refused
        from engines.downloads import download
        from engines.hub_line import Hub
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
        try:
            download(TINY, Hub({server.endpoint!r}))
        except Refused as error:
            print(error)
    """
    told = in_child(code)
    assert told.stdout.startswith("The disk is full, or files in ")
    assert installed_models() == ()
    server.asked.clear()
    assert download(TINY, hub(server)).weights.path.read_bytes() == files["tiny.gguf"]
    assert server.ranges("tiny.gguf") == ["bytes=1000000-"]


def child_code(code):
    lines = [line.removeprefix(" " * 8) for line in code.splitlines()]
    fields = {name: getattr(TINY, name) for name in TINY.__dataclass_fields__ if name != "files"}
    names = [(file.name, file.role) for file in TINY.files]
    return (
        "from engines.catalogue import CatalogueModel, ModelFile\n"
        f"TINY = CatalogueModel(**{fields!r}, files=tuple(\n"
        f"    ModelFile(name, role, None, '') for name, role in {names!r}))\n" + "\n".join(lines)
    )


def in_child(code):
    return subprocess.run(
        [sys.executable, "-c", child_code(code)], cwd=ROOT, capture_output=True, text=True,
        check=True,
    )  # fmt: skip


@pytest.mark.slow
def test_killed_at_any_moment_nothing_half_is_listed_and_the_rest_is_fetched(server, files):
    server.faults.pause_s = 0.03
    code = f"""
        from engines.downloads import download
        from engines.hub_line import Hub
        download(TINY, Hub({server.endpoint!r}))
    """
    chance = random.Random(7)
    kills = 0
    while not installed_models() and kills < 30:
        child = subprocess.Popen([sys.executable, "-c", child_code(code)], cwd=ROOT)
        before = len(server.asked)
        while len(server.asked) < before + 3 and child.poll() is None:
            time.sleep(0.01)
        time.sleep(chance.uniform(0, 0.4))
        if child.poll() is None:
            child.send_signal(signal.SIGKILL)
            kills += 1
        child.wait()
        for model in installed_models():
            assert [file.path.read_bytes() for file in model.files] == list(files.values())
    assert kills > 1
    assert find_installed("tiny").weights.path.read_bytes() == files["tiny.gguf"]
    starts = [int(asked[6:-1]) for asked in server.ranges("tiny.gguf") if asked]
    assert starts == sorted(starts)
    assert starts
    assert starts[-1] > 0
