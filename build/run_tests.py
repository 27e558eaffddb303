"""Run the tests: the README's test line. Puts missing system libraries in place where it may.

    uv run --group dev python build/run_tests.py [pytest's arguments]

Qt needs libraries that a bare server lacks. As root on Debian or Ubuntu they are installed;
elsewhere the line that does it is printed and the tests that need no window still run.
"""

from __future__ import annotations

import ctypes.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

LIBRARIES = {
    "EGL": "libegl1",
    "GL": "libgl1",
    "xkbcommon": "libxkbcommon0",
    "pulse": "libpulse0",
    "dbus-1": "libdbus-1-3",
    "fontconfig": "libfontconfig1",
    "glib-2.0": "libglib2.0-0",
}
"""What Qt loads, and the Debian package that brings it."""
MOST_WORKERS = 4
"""More processes at once need more memory than they save time: each may load the small models."""
FONTS = Path("/usr/share/fonts")
PROGRAMS = {"ffprobe": "ffmpeg", "espeak-ng": "espeak-ng"}
"""Peers that some tests compare with; those tests skip, and say so, where they are missing."""


def main(arguments: list[str]) -> int:
    """Look for what is missing, put it in place or say how, and run pytest."""
    missing = missing_packages() if sys.platform == "linux" else []
    if missing and may_install():
        install(missing)
    elif missing:
        print(f"These system libraries are missing: {', '.join(missing)}. Put them in place with:")
        print(f"  sudo apt-get install -y {' '.join(missing)}")
    environment = {**os.environ, "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen")}
    command = [sys.executable, "-m", "pytest", *shared_out(arguments), *arguments]
    with tempfile.TemporaryDirectory(prefix="clerestory-compiled-") as compiled:
        environment |= compiled_once(environment, compiled)
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def compiled_once(environment: Mapping[str, str], folder: str) -> dict[str, str]:
    """Say where Python keeps compiled modules if it is told to leave none beside the sources.

    The tests start some hundred processes, and each would compile every library anew. An empty
    `PYTHONDONTWRITEBYTECODE` is for Python as good as none.
    """
    if not environment.get("PYTHONDONTWRITEBYTECODE"):
        return {}
    return {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": folder}


def shared_out(arguments: list[str]) -> list[str]:
    """Say how pytest shares the tests out over the processor's cores, a file at a time.

    Not where a group is asked for: the slow tests measure, and would disturb each other.
    """
    cores = min(os.cpu_count() or 1, MOST_WORKERS)
    if cores < 2 or any(word in ("-m", "-n", "-s", "--pdb") for word in arguments):
        return []
    return ["-n", str(cores), "--dist", "loadfile"]


def missing_packages() -> list[str]:
    """Name the Debian packages that are not there."""
    packages = [
        package for name, package in LIBRARIES.items() if ctypes.util.find_library(name) is None
    ]
    packages += [package for name, package in PROGRAMS.items() if shutil.which(name) is None]
    if not any(FONTS.rglob("*.ttf")):
        packages.append("fonts-dejavu-core")
    return packages


def may_install() -> bool:
    """Say whether this is root on a system with apt."""
    return shutil.which("apt-get") is not None and hasattr(os, "geteuid") and os.geteuid() == 0


def install(packages: list[str]) -> None:
    """Install Debian packages without asking anything."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends"]):
        line = ["apt-get", *command, *(packages if command[0] == "install" else [])]
        print(" ".join(line))
        subprocess.run(line, env=environment, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
