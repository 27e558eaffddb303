"""What the tests of the audit share."""

import json

import pytest


@pytest.fixture
def specialedu(shared):
    """Give the figures of SpecialEduBench."""
    path = shared / "fixtures" / "specialedubench_figures.json"
    return json.loads(path.read_text(encoding="utf-8"))
