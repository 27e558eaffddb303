"""What the tests of the audit share."""

import json

import pytest

from app.store.library import Library


@pytest.fixture
def specialedu(shared):
    """Give the figures of SpecialEduBench."""
    path = shared / "fixtures" / "specialedubench_figures.json"
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture
def library(tmp_path):
    """Give an empty library of Ann's, in `a.clerestory`."""
    with Library.open(tmp_path / "a.clerestory", "Ann") as opened:
        yield opened
