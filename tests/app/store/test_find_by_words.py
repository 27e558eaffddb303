"""A transcript without a recording is met again, and only what looks like it is read for that."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.lesson.transcript.records import Transcript, Utterance
from app.store import transcripts
from app.store.library import Library

LINES = (Utterance(1, "Why does ice float?", 0, 2000, "T"), Utterance(2, "It is lighter."))
WORDS = Transcript(LINES, "import:vtt", "en", "utf-8")


@pytest.fixture
def library(path):
    with Library.open(path, "Ann") as opened:
        yield opened


def test_the_first_lesson_that_is_this_transcript_is_found(library):
    library.add_lesson("Other", None, replace(WORDS, utterances=LINES[:1]))
    first = library.add_lesson("Ice", None, WORDS)
    library.add_lesson("Ice again", None, WORDS)
    assert library.find_by_words(WORDS) == first


@pytest.mark.parametrize(
    "other",
    [
        replace(WORDS, source="import:srt"),
        replace(WORDS, language="de"),
        replace(WORDS, utterances=LINES[:1]),
        replace(WORDS, utterances=(replace(LINES[0], text="Why?"), LINES[1])),
        replace(WORDS, utterances=(LINES[0], replace(LINES[1], text="Air."))),
        replace(WORDS, utterances=(LINES[0], replace(LINES[1], start_ms=4, end_ms=5))),
        replace(WORDS, utterances=()),
    ],
)
def test_another_transcript_is_another_lesson(library, other):
    library.add_lesson("Ice", None, other)
    assert library.find_by_words(WORDS) is None
    assert library.find_by_words(other) is not None


def test_a_lesson_with_a_recording_is_known_by_that_and_a_replaced_transcript_no_more(
    library, recording
):
    library.add_lesson("With a recording", recording, WORDS)
    replaced = library.add_lesson("Replaced", None, WORDS)
    library.set_transcript(replaced, replace(WORDS, utterances=LINES[:1]))
    library.add_lesson("Without words", None, None)
    assert library.find_by_words(WORDS) is None


def test_edits_do_not_make_it_another_transcript(library):
    lesson = library.add_lesson("Ice", None, WORDS)
    library.edit_utterance(lesson, 1, "Why does it float?")
    assert library.find_by_words(WORDS) == lesson


def test_only_what_looks_alike_is_read(path, monkeypatch):
    with Library.open(path, "Ann") as library:
        for number in range(20):
            first = replace(LINES[0], text=f"Lesson {number} begins.")
            library.add_lesson(f"{number}", None, replace(WORDS, utterances=(first, LINES[1])))
        wanted = library.add_lesson("Ice", None, WORDS)
    read, whole = [], transcripts._read
    monkeypatch.setattr(
        transcripts, "_read", lambda c, number: read.append(number) or whole(c, number)
    )
    with Library.open(path, "Ann") as library:
        assert library.find_by_words(WORDS) == wanted
    assert len(read) == 1
