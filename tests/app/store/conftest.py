from __future__ import annotations

import pytest

from app.lesson.clips import Clip
from app.lesson.media.facts import MediaFacts
from app.lesson.transcript.records import Transcript, Utterance
from app.store.library import Library


@pytest.fixture
def path(tmp_path):
    return tmp_path / "year 5.clerestory"


@pytest.fixture
def library(path):
    with Library.open(path, "Ann") as opened:
        yield opened


@pytest.fixture
def transcript():
    return Transcript(
        (
            Utterance(1, "Why do you think the ice melts?", 0, 2000, "T"),
            Utterance(2, "Because it is warm.", 2000, 3500, "S1"),
            Utterance(3, "How do you know?", 3500, 5000, "T"),
        ),
        "import:srt",
        "en",
    )


@pytest.fixture
def clip():
    return Clip("c1", 1, 3, 0, 5000, "pauses-topics/1")


@pytest.fixture
def recording(tmp_path):
    """Give the facts of a file that lies there, eleven bytes long."""
    path = tmp_path / "lesson.mp4"
    path.write_bytes(b"not a video")
    return MediaFacts(str(path), 11, "f" * 64, "mov,mp4", 0, 5000, None, None)
