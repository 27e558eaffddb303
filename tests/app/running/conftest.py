"""What the tests of runs share."""

from __future__ import annotations

import pytest

from app.store.library import Library


@pytest.fixture
def library(tmp_path):
    with Library.open(tmp_path / "a.clerestory", "Ann") as opened:
        yield opened


@pytest.fixture
def store(library):
    return library.attempts
