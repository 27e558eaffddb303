"""Tell why a window cannot open, before Qt is asked to: a failing Qt ends the whole process.

Nothing here imports Qt. The library is tried in a child process, whose end costs nothing.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping

SYSTEM_PACKAGES = (
    "libegl1",
    "libgl1",
    "libxkbcommon0",
    "libxkbcommon-x11-0",
    "libdbus-1-3",
    "libfontconfig1",
    "libpulse0",
    "libxcb-cursor0",
    "libxcb-icccm4",
    "libxcb-image0",
    "libxcb-keysyms1",
    "libxcb-render-util0",
    "libxcb-shape0",
    "libxcb-xinerama0",
    "libxcb-xkb1",
)
"""What Qt's window and sound need on Debian and Ubuntu."""
APT_LINE = f"sudo apt install {' '.join(SYSTEM_PACKAGES)}"
WITHOUT_SCREEN = ("offscreen", "minimal", "vnc", "linuxfb", "eglfs")
TRY_S = 60
"""A computer that is waking up may be slow; past this the window is simply tried."""

_TRIAL = """
import sys
from PySide6 import QtCore, QtGui, QtWidgets
app = QtGui.QGuiApplication(["trial"])
sys.stdout.write("a window can open")
"""


def view_trouble() -> str | None:
    """Say in plain words why no window can open on this computer, or `None` when one can."""
    if not sys.platform.startswith("linux"):
        return None
    no_screen = _no_screen(os.environ)
    # A packed program carries its libraries and cannot be started with a line of Python.
    if no_screen or getattr(sys, "frozen", False):
        return no_screen
    try:
        trial = subprocess.run(
            [sys.executable, "-c", _TRIAL],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TRY_S,
            env={**os.environ, "QT_DEBUG_PLUGINS": "1"},
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    if "a window can open" in trial.stdout:
        return None
    return explain(trial.stderr, os.environ)


def _no_screen(environment: Mapping[str, str]) -> str | None:
    platform = environment.get("QT_QPA_PLATFORM", "").split(":")[0]
    if platform in WITHOUT_SCREEN:
        return None
    if environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"):
        return None
    return (
        "No window can open: this computer shows no screen to the program (neither DISPLAY nor "
        "WAYLAND_DISPLAY is set). Start it from the desktop, or use the commands that need no "
        "window."
    )


def explain(complaint: str, environment: Mapping[str, str]) -> str:
    """Turn what Qt wrote as it gave up into one sentence and what to do."""
    libraries = sorted(set(re.findall(r"\b(lib[\w.+-]+?\.so[.\d]*): cannot open", complaint)))
    if libraries:
        return (
            f"No window can open: the system libraries {', '.join(libraries)} are missing. "
            f"On Debian or Ubuntu, run: {APT_LINE}"
        )
    if re.search(r"could not connect to display|Failed to create wl_display", complaint):
        screen = environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY") or ""
        return (
            f"No window can open: nothing answers at the screen “{screen}”. Start the program "
            "from the desktop, or use the commands that need no window."
        )
    if "No module named 'PySide6" in complaint:
        return (
            "No window can open: the Python package PySide6 is not installed. "
            "Install the program again as its README says."
        )
    if "platform plugin" in complaint:
        return (
            "No window can open: Qt could not load its part for this screen. "
            f"On Debian or Ubuntu, run: {APT_LINE}"
        )
    last = next((line for line in reversed(complaint.splitlines()) if line.strip()), "")
    return (
        f"No window can open: Qt ended with “{last.strip() or 'no message'}”. "
        f"On Debian or Ubuntu, run: {APT_LINE}"
    )
