"""Nothing leaves the computer: the demo does all it does with the network forbidden."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

NO_NETWORK = Path(__file__).resolve().parents[1] / "data" / "no_network"


def run(tmp_path, *arguments: str) -> subprocess.CompletedProcess[str]:
    tries = tmp_path / "tries.txt"
    tries.touch()
    environment = {**os.environ, "PYTHONPATH": str(NO_NETWORK), "NETWORK_TRIES": str(tries)}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_the_guard_notices_a_try(tmp_path):
    told = run(tmp_path, "-c", "import socket; socket.create_connection(('127.0.0.1', 9))")
    assert told.returncode != 0
    assert "socket." in (tmp_path / "tries.txt").read_text("utf-8")


def test_the_demo_never_tries_the_network(tmp_path):
    told = run(
        tmp_path, "-m", "app", "demo", "--no-window", "--json", "--out", str(tmp_path / "pages")
    )
    assert told.returncode == 0, told.stderr
    assert any(clip["evidence"] for clip in json.loads(told.stdout)["clips"])
    assert (tmp_path / "pages" / "lesson-report.pdf").is_file()
    assert (tmp_path / "tries.txt").read_text("utf-8") == ""


def test_writing_down_speech_never_tries_the_network(tmp_path):
    sound = Path(__file__).resolve().parents[1] / "data" / "speech" / "ice.ogg"
    told = run(tmp_path, "-m", "app", "transcript", str(sound), "--json")
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout)["utterances"]
    assert "leaked" not in told.stderr
    assert (tmp_path / "tries.txt").read_text("utf-8") == ""
