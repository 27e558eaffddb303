"""What the tests of the window share."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent
OFFSCREEN_CHATTER = "This plugin does not support propagateSizeHints"
"""Written by Qt's offscreen platform for any window with a least size; says nothing about us."""


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.qt_log_ignore(OFFSCREEN_CHATTER))
