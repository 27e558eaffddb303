import os
import subprocess
import sys

import pytest

from views.trouble import APT_LINE, explain, view_trouble

LIBEGL = "ImportError: libEGL.so.1: cannot open shared object file: No such file or directory"
NO_CURSOR = """
qt.qpa.plugin: From 6.5.0, libxcb-cursor0 is needed to load the xcb platform plugin.
"Cannot load library /x/libqxcb.so: (libxcb-cursor.so.0: cannot open shared object file: gone)"
This application failed to start because no Qt platform plugin could be initialized.
"""


@pytest.mark.parametrize(
    ("complaint", "told"),
    [
        (LIBEGL, "libEGL.so.1"),
        (NO_CURSOR, "libxcb-cursor.so.0"),
        ("qt.qpa.plugin: Could not load the Qt platform plugin", "its part for this screen"),
        ("Fatal: what is this", "what is this"),
    ],
)
def test_a_missing_system_library_is_named_with_the_line_that_installs_it(complaint, told):
    words = explain(complaint, {})
    assert told in words
    assert APT_LINE in words
    assert "\n" not in words


def test_a_screen_that_does_not_answer_is_named():
    words = explain("qt.qpa.xcb: could not connect to display :42", {"DISPLAY": ":42"})
    assert "“:42”" in words
    assert "apt" not in words


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="only Linux starts without a screen"
)
def test_a_computer_without_a_screen_is_told_so_and_nothing_crashes(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    assert "DISPLAY" in view_trouble()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux names its screen")
def test_a_dead_screen_costs_a_child_process_and_not_this_one(monkeypatch):
    monkeypatch.setenv("DISPLAY", ":9876")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    assert "No window can open" in view_trouble()


def test_where_a_window_can_open_there_is_no_trouble(monkeypatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert view_trouble() is None


def test_asking_for_trouble_loads_nothing_of_qt():
    code = "import views.trouble, sys; sys.exit(any('PySide6' in name for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], env=dict(os.environ)).returncode == 0
