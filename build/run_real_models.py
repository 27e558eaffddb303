"""Run the tests of models on this computer, where llama-cpp-python has been built before.

    uv run --group dev python build/run_real_models.py [most seconds, 300 if not given]

Building it takes ten minutes or more, so nothing is built here: without a wheel of it in uv's cache
one line says that the tests were skipped. They run in an environment of their own, so that the
project's stays as locked. Installing and testing together take no longer than the seconds given;
what is not done by then is said not to be, and fails nothing.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / ".work" / "real-models"
LOCKS = ("requirements.lock", "requirements-models.lock")
BUILT = "llama-cpp-python"
BUILD = "uv sync --group dev --group real-models --extra vlm"
LEAST_S = 60
"""Below this the tests are not begun."""
TESTS = (
    "tests/engines/test_llama_forms.py",
    "tests/engines/test_llama_answers.py",
    "tests/engines/test_audit_on_engines.py",
    "tests/engines/test_contract.py",
    "tests/engines/test_openai_real_server.py",
    # The longest come last: what is not done in time fails nothing.
    "tests/engines/test_llama_real.py",
    "tests/engines/test_coder_on_engines.py",
)


def main(arguments: list[str]) -> int:
    """Look for the wheel, install, test; 0 unless a test failed."""
    seconds = int(arguments[0]) if arguments else 300
    entries = [entry for name in LOCKS for entry in locked(ROOT / name)]
    wheel = built_wheel(entries)
    if wheel is None:
        return skipped(f"{BUILT} is not built here ({BUILD} builds it)")
    if seconds < LEAST_S:
        return skipped(f"only {max(seconds, 0)} s are left for them")
    until = time.monotonic() + seconds
    try:
        if not installed(entries, wheel, until):
            return skipped("what they need cannot be installed; see above")
        return tested(until)
    except subprocess.TimeoutExpired:
        print(f"Local models: not done within {seconds} s, so nothing is said of the rest.")
        return 0


def locked(file: Path) -> list[str]:
    """Give each requirement of a lock file with the lines of its hashes."""
    return re.findall(r"^[a-z0-9]\S*==.*\n(?:[ ].*\n)*", file.read_text("utf-8"), re.MULTILINE)


def built_wheel(entries: list[str]) -> Path | None:
    """Find a built wheel of the locked version, the latest first."""
    [version] = [re.split("==| ", entry)[1] for entry in entries if entry.startswith(BUILT)]
    told = subprocess.run(["uv", "cache", "dir"], capture_output=True, text=True, check=True)
    # Not left to uv: it finds its own wheel only under the very choices it was built with.
    built = Path(told.stdout.strip()).glob(f"sdists-*/**/{BUILT.replace('-', '_')}-{version}-*.whl")
    return max(built, key=lambda path: path.stat().st_mtime, default=None)


def installed(entries: list[str], wheel: Path, until: float) -> bool:
    """Make the environment: all by its hash, but the wheel, which was built on this computer."""
    PLACE.mkdir(parents=True, exist_ok=True)
    wanted = PLACE / "requirements.txt"
    others = [entry for entry in entries if not entry.startswith(BUILT)]
    wanted.write_text("".join(others), encoding="utf-8")
    python = ["--python", str(PLACE / "env")]
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    steps = (
        ["uv", "venv", "--quiet", "--allow-existing", "--python", version, str(PLACE / "env")],
        ["uv", "pip", "install", "--quiet", *python, "--require-hashes", "-r", str(wanted)],
        ["uv", "pip", "install", "--quiet", *python, "--no-deps", str(wheel)],
    )
    return all(run(step, until) == 0 for step in steps)


def tested(until: float) -> int:
    """Run the tests; pytest's own exit code."""
    python = next(PLACE.glob("env/bin/python"), PLACE / "env/Scripts/python.exe")
    command = [str(python), "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"]
    return run([*command, "-m", "slow or not slow", *TESTS], until)


def run(command: list[str], until: float) -> int:
    """Run a command; when the time is over, it is ended with all that it started.

    Raises:
        TimeoutExpired: It was ended.
    """
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    process = subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True)
    try:
        return process.wait(max(until - time.monotonic(), 0))
    except BaseException:
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise


def skipped(why: str) -> int:
    """Say in a line why the tests do not run."""
    print(f"Local models: skipped, because {why}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
