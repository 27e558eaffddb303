"""What every engine keeps to, whoever wrote it; runs over all that are registered."""

from __future__ import annotations

import inspect
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from app.errors import Cancelled, EngineMissing
from app.running.protocols import Embedder, EngineFacts, Transcriber
from app.running.questions import Chat
from engines.base import engine, engine_names, make_engine

ROOT = Path(__file__).parents[2]
PROTOCOLS = {
    "embed": Embedder.embed,
    "transcribe": Transcriber.transcribe,
    "ask": Chat.ask,
}
SETTLED = {"minilm", "faster-whisper"}


def engines_that(can):
    return [name for name in engine_names() if hasattr(make_engine(name), can)]


def test_both_engines_of_the_first_journey_are_there():
    assert set(engine_names()) >= SETTLED


def test_an_unknown_engine_is_refused_with_the_names_there_are():
    with pytest.raises(EngineMissing, match="no engine called gpt") as caught:
        make_engine("gpt")
    assert "minilm" in caught.value.hint


def test_two_engines_cannot_share_a_name():
    engine_names()
    with pytest.raises(ValueError, match="two engines are called minilm"):

        @engine("minilm")
        class Other:
            pass


def test_listing_engines_loads_no_heavy_library():
    code = (
        "import sys; from engines.base import engine_names; engine_names();"
        "print(*sorted({'onnxruntime', 'faster_whisper', 'ctranslate2', 'av', 'cv2', 'tokenizers',"
        " 'huggingface_hub', 'PySide6'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""


@pytest.mark.parametrize("name", engine_names())
def test_an_engine_says_what_it_is_and_pins_its_model_down(name):
    facts = make_engine(name).facts()
    assert isinstance(facts, EngineFacts)
    assert facts.name == name
    assert facts.version
    assert facts.images >= 0
    assert facts.identity
    hashes = [value for key, value in facts.identity if key.startswith("sha256")]
    assert all(len(value) == 64 for value in hashes)


@pytest.mark.parametrize("name", engine_names())
def test_an_engine_can_do_something_as_its_protocol_says(name):
    made = make_engine(name)
    can = [method for method in PROTOCOLS if hasattr(made, method)]
    assert can
    for method in can:
        wanted = list(inspect.signature(PROTOCOLS[method]).parameters)[1:]
        given = inspect.signature(getattr(made, method)).parameters
        assert list(given)[: len(wanted)] == wanted
        more = list(given.values())[len(wanted) :]
        assert all(extra.default is not inspect.Parameter.empty for extra in more)


@pytest.mark.parametrize("name", engines_that("embed"))
def test_an_embedder_gives_rows_of_length_one_in_order(name):
    made = make_engine(name)
    texts = [
        "Why do you think so?",
        "",
        "Water boils at a hundred degrees.",
        "Why do you think so?",
    ]
    vectors = made.embed(texts)
    assert vectors.dtype == np.float32
    assert vectors.shape[0] == len(texts)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(vectors[0], vectors[3], atol=1e-5)
    assert np.allclose(made.embed(texts[2:3])[0], vectors[2], atol=1e-4)
    assert made.embed([]).shape == (0, vectors.shape[1])
    assert np.array_equal(vectors, made.embed(texts))


@pytest.mark.parametrize("name", engines_that("transcribe"))
def test_a_transcriber_that_is_stopped_before_it_starts_says_so(name):
    stop = threading.Event()
    stop.set()
    recording = ROOT / "tests/data/speech/ice.ogg"
    with pytest.raises(Cancelled):
        make_engine(name).transcribe(str(recording), lambda *_: None, stop)
