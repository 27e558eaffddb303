"""The chat reader on real engines: a server on loopback, and a tiny model that sees."""

from __future__ import annotations

import re
import threading
from dataclasses import replace

import pytest
from fault_server import FaultServer, completion, send_json
from near_server import images_of, settings_for
from tiny_vision import write_eye, write_language
from window_material import hidden, seen

from app.__main__ import parts
from app.confusion.chat_reader import ChatReader
from app.confusion.reader_names import OneReader
from app.confusion.readers import LearnerMaterial
from app.confusion.records import Level
from app.desk import Desk
from app.lesson.media.probe import probe
from app.lesson.spans import Span
from app.running.protocols import no_report
from app.scoring.scored import ANSWERED
from app.store.library import Library
from app.store.readings import require_sound
from engines.llama_cpp_chat import LlamaCppChat
from engines.llama_cpp_model import LlamaModel
from resources import resource


@pytest.fixture
def library(tmp_path):
    with Library.open(tmp_path / "a.clerestory", "Ann") as opened:
        yield opened


def says(handler, body):
    """See nobody in the first window, and a frown in the second frame of all others."""
    content = body["messages"][-1]["content"]
    words = "".join(part.get("text", "") for part in content)
    start = re.search(r"The stretch runs from ([\d:.]+) to", words).group(1)
    cue = ("brow lowered", (2,), "brows drawn together")
    said = hidden() if start == "0:00.0" else seen("medium", "medium", (2,), [cue])
    send_json(handler, completion(said))


def test_a_server_reads_a_video_window_by_window(library):
    with FaultServer(always=says) as server:
        desk = Desk(library, parts(), settings_for(server))
        assert [choice.name for choice in desk.confusion.engines()] == ["near"]
        lesson_id = desk.confusion.add_sample()
        bands = desk.confusion.read(lesson_id, "near")
        desk.files.close()
    assert len(server.bodies) == len(bands.readings) == 16
    assert [r.is_visible for r in bands.readings] == [False] + [True] * 15
    assert {r.level for r in bands.readings[1:]} == {Level.MEDIUM}
    assert bands.readings[1].evidence_ms == (2500,)
    # The last window is 0.6 s long and has two frames; the others have four.
    assert sorted(len(images_of(body)) for body in server.bodies) == [2] + [4] * 15
    assert dict(bands.provenance)["endpoint"] == server.url


class Short:
    """A model whose answers end after a few words: whatever it writes is chance."""

    def __init__(self, chat):
        self._chat, self.facts = chat, chat.facts

    def ask(self, question, draws, report, stop):
        few = replace(question.sampler, max_tokens=48)
        return self._chat.ask(replace(question, sampler=few), draws, report, stop)


@pytest.mark.slow
def test_a_tiny_model_that_sees_reads_a_window(library, tmp_path):
    pytest.importorskip("llama_cpp", reason="llama-cpp-python is not installed (the extra vlm)")
    weights = write_language(tmp_path / "tiny.gguf", context=16_384)
    model = LlamaModel(weights, write_eye(tmp_path / "mmproj.gguf"), context_tokens=16_384)
    chat = LlamaCppChat(model)
    media = probe(str(resource("sample") / "learner.mp4"))
    reader = ChatReader(OneReader("tiny"), Short(chat), library.attempts, frame_px=112)
    found = []
    video = LearnerMaterial("lesson-1", media, "learner-1", title="Sample")
    try:
        reader.read(video, [Span(0, 2000)], found.extend, no_report, threading.Event())
    finally:
        chat.close()
    (reading,) = found
    require_sound(reading)
    # Its weights are chance: what it writes is held to the form, and rarely ends in time.
    assert reading.status in (*ANSWERED, "truncated", "schema-fail")
    [run] = library.attempts.runs()
    attempt = library.attempts.of_run(run.run_id)[0]
    assert attempt.raw.tokens_out > 0
    assert dict(attempt.raw.details)["frames encoded"] == "4"
