"""The llama-cpp engine without llama.cpp: grammars, templates, cards, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tiny_vision import write_eye, write_language

from app.errors import EngineMissing
from app.running.questions import FrameRef, Message, Question
from engines import llama_cpp_api
from engines.base import make_engine
from engines.fits import Card, Computer
from engines.gguf_header import read_gguf
from engines.llama_cpp_chat import LlamaCppChat
from engines.llama_cpp_grammar import grammar_of
from engines.llama_cpp_labels import with_options
from engines.llama_cpp_model import LlamaModel, from_installed, layers_for_card, look_at_files
from engines.local_models import add_local

GIB = 1 << 30


def told(schema):
    return grammar_of(json.dumps(schema))


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({"type": "string", "contentEncoding": "base64"}, "contentEncoding"),
        ({"type": "thing"}, "no type"),
        ({"type": "object", "properties": {}, "required": ["a"]}, "“a” is required"),
        ({"$ref": "#/$defs/gone"}, "not a part"),
        ({"enum": ["a"], "minLength": 3}, "beside"),
        ({"type": "integer", "minimum": 4, "maximum": 3}, "no number"),
        ({"type": "array", "minItems": 3, "maxItems": 2}, "as many entries"),
        ({"enum": []}, "no value"),
        ({"minLength": 2}, "no type"),
        (False, "not a schema"),
    ],
)
def test_a_schema_without_a_grammar_is_refused_and_never_passed_over(schema, reason):
    with pytest.raises(EngineMissing, match="cannot be held") as caught:
        told(schema)
    assert reason in caught.value.message


def test_text_that_is_no_json_is_refused_as_a_schema():
    with pytest.raises(EngineMissing, match="cannot be held"):
        grammar_of("{")


def test_quotes_and_backslashes_of_a_value_are_quoted_twice():
    assert r'"\"say \\\"a\\\\b\\\"\""' in told({"enum": ['say "a\\b"']})


def test_a_long_text_is_never_cut_by_the_grammar():
    assert "root ::= string" in told({"type": "string", "maxLength": 20})


def test_small_ranges_of_numbers_are_listed():
    assert '"1" | "2" | "3" | "4"' in told({"type": "integer", "minimum": 1, "maximum": 4})


def test_without_the_library_the_question_is_refused_with_the_line_that_installs_it(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(llama_cpp_api, "installed_version", lambda: "")
    chat = LlamaCppChat(LlamaModel(write_language(tmp_path / "m.gguf")))
    question = Question("q", (Message("user", ("Why?",)),), "")
    with pytest.raises(EngineMissing, match="not installed") as caught:
        chat.read_labels(question, ("a", "b"))
    assert "pip install llama-cpp-python==0.3.36" in caught.value.hint


def test_another_version_of_the_library_is_refused(monkeypatch):
    monkeypatch.setattr(llama_cpp_api, "installed_version", lambda: "0.2.90")
    with pytest.raises(EngineMissing, match=r"0\.2\.90, and 0\.3\.36 is needed"):
        llama_cpp_api.check_installed()


def test_the_version_that_is_asked_for_is_the_one_that_is_locked():
    project = Path(__file__).parents[2] / "pyproject.toml"
    assert f'vlm = ["llama-cpp-python=={llama_cpp_api.VERSION}"]' in project.read_text("utf-8")


def test_the_engine_is_there_before_a_model_is_chosen():
    chat = make_engine("llama-cpp")
    assert chat.facts().images == 0
    question = Question("q", (Message("user", ("Why?",)),), "")
    with pytest.raises(EngineMissing, match="No local model"):
        chat.read_labels(question, ("a", "b"))


def test_identity_changes_with_weights_projector_and_template(tmp_path):
    one = write_language(tmp_path / "1.gguf")
    two = write_language(tmp_path / "2.gguf", seed=2)
    other = write_language(tmp_path / "3.gguf", template="{{ messages[0].content }}")
    eye = write_eye(tmp_path / "eye.gguf")
    blind, seeing = LlamaModel(one), LlamaModel(one, eye)
    models = [blind, seeing, LlamaModel(two), LlamaModel(two, eye), LlamaModel(other)]
    found = {LlamaCppChat(model).facts().identity for model in models}
    assert len(found) == 5
    assert LlamaCppChat(blind).facts().identity == LlamaCppChat(blind).facts().identity
    assert LlamaCppChat(seeing).facts().images > 0


def test_a_model_without_a_template_is_refused_unless_the_plain_form_is_asked_for(tmp_path):
    path = write_language(tmp_path / "base.gguf", template=None)
    with pytest.raises(EngineMissing, match="no chat template"):
        look_at_files(LlamaModel(path))
    assert look_at_files(LlamaModel(path, plain=True)).template


def test_a_projector_that_does_not_fit_is_refused_before_anything_is_loaded(tmp_path):
    path, gemma = write_language(tmp_path / "m.gguf"), write_eye(tmp_path / "e.gguf", "gemma3")
    narrow = write_eye(tmp_path / "n.gguf", width=32)
    with pytest.raises(EngineMissing, match="projector for gemma3"):
        look_at_files(LlamaModel(path, gemma))
    with pytest.raises(EngineMissing, match="does not fit"):
        look_at_files(LlamaModel(path, narrow))
    with pytest.raises(EngineMissing, match="is a projector"):
        look_at_files(LlamaModel(narrow))
    with pytest.raises(EngineMissing, match="cannot be read"):
        look_at_files(LlamaModel(tmp_path / "gone.gguf"))


def test_an_installed_model_brings_its_projector(tmp_path):
    path, eye = write_language(tmp_path / "m.gguf"), write_eye(tmp_path / "e.gguf")
    model = from_installed(add_local(path, eye, "Tiny"))
    assert (model.weights, model.projector) == (path, eye)


def test_layers_go_onto_the_card_as_far_as_they_fit(tmp_path):
    header = read_gguf(write_language(tmp_path / "m.gguf"))
    assert header.context_bytes_per_token == 2 * 4 * 32 * 2

    def layers(free):
        computer = Computer(64 * GIB, 32 * GIB, (Card("card", 24 * GIB, free),))
        # Two layers and the rest of the model: 1 GiB each; 1 GiB beside, 1 GiB to spare.
        return layers_for_card(computer, header, 3 * GIB, GIB, 0)

    assert layers(24 * GIB) == 3
    assert layers(4 * GIB) == 2
    assert layers(int(3.5 * GIB)) == 1
    assert layers(2 * GIB) == 0
    assert layers_for_card(Computer(64 * GIB, 32 * GIB), header, 3 * GIB, 0, 0) == 0


def test_options_come_last_and_by_letter():
    frame = FrameRef("a.mp4", "f", 0, 96)
    question = Question("q", (Message("user", (frame, "Which?")),), '{"type":"string"}')
    asked = with_options(question, ["yes", "no"])
    assert asked.schema == ""
    assert asked.messages[0].parts[:2] == (frame, "Which?")
    assert "A: yes\nB: no" in asked.messages[0].parts[2]


@pytest.mark.parametrize("labels", [(), ("one",), ("same", "same"), tuple("abcdefghijk")])
def test_labels_that_cannot_be_options_are_refused(labels):
    question = Question("q", (Message("user", ("Which?",)),), "")
    with pytest.raises(ValueError, match="cannot be read off"):
        with_options(question, labels)
