"""The list of recommended models is well formed, and says what it does not know."""

from __future__ import annotations

import re
import tomllib

import pytest

from app.errors import Refused
from engines.catalogue import PAPERS, WORK_BYTES, Memory, catalogue, find_model, read_catalogue
from resources import resource

MODELS = catalogue()


def by_name(test):
    return pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)(test)


def test_the_models_of_the_papers_are_there():
    used = {paper: {m.name for m in MODELS if paper in m.used_in} for paper in PAPERS}
    assert used == {
        "sciibi": {"internvl3-78b", "qwen3-vl-235b-a22b", "whisper-large-v3"},
        "confusionbench": {"qwen3-vl-4b"},
        "specialedubench": {"gemma-4-31b", "qwen3.6-27b"},
    }


@by_name
def test_a_model_can_be_fetched_or_says_what_to_do_instead(model):
    assert bool(model.files) != bool(model.instead)
    assert model.licence
    assert model.good_for.endswith(".")


@by_name
def test_files_are_weights_that_can_be_used_and_never_pickles(model):
    for file in model.files:
        if model.form == "gguf":
            assert file.name.endswith(".gguf")
            assert (file.role == "projector") == file.name.startswith("mmproj")
        else:
            assert re.fullmatch(r"model\.bin|[a-z_]+\.(json|txt)", file.name)


@by_name
def test_a_speech_model_has_all_that_faster_whisper_needs(model):
    if model.kind == "speech":
        names = {file.name for file in model.files}
        assert {"model.bin", "config.json", "tokenizer.json"} <= names
        assert names & {"vocabulary.txt", "vocabulary.json"}
        assert model.name.startswith("whisper-")


def test_no_hash_stands_for_two_files():
    hashes = [f.sha256 for m in MODELS for f in m.files if f.sha256 and f.role != "support"]
    assert len(hashes) == len(set(hashes))


def test_the_hashes_that_the_program_knows_by_itself_are_the_same_here():
    from engines.weights import WHISPER_BASE

    small = {file.name: file.sha256 for file in find_model("whisper-small").files}
    for name in ("tokenizer.json", "vocabulary.txt"):
        assert small[name] == WHISPER_BASE[name]


def test_every_key_is_known_and_no_line_is_a_leftover():
    table = tomllib.loads(resource("models.toml").read_text("utf-8"))
    assert set(table) == {"model"}
    assert len(table["model"]) == len(MODELS)


def test_memory_is_weights_projector_context_and_allowance():
    # 2,497,281,664 + 453,974,304 + 16,384 tokens x 2 x 36 layers x 8 heads x 128 x 2 bytes + 1 GiB
    assert find_model("qwen3-vl-4b").memory == Memory(
        2_497_281_664 + 453_974_304 + 16_384 * 147_456 + WORK_BYTES, is_whole=True
    )


def test_memory_with_a_part_unknown_says_so():
    memory = find_model("internvl3-8b").memory
    assert memory == Memory(4_681_132_224 + 16_384 * 57_344 + WORK_BYTES, is_whole=False)
    assert find_model("internvl3-8b").size_bytes is None
    assert find_model("qwen3.6-27b").memory.is_whole is False
    assert find_model("minicpm-v-4.5").memory is None


def test_an_unknown_name_is_refused_with_the_names_there_are():
    with pytest.raises(Refused, match="no recommended model called gpt") as caught:
        find_model("gpt")
    assert "qwen3-vl-4b" in caught.value.hint


GOOD = """
[[model]]
name = "tiny"
title = "Tiny"
kind = "vision"
form = "gguf"
repository = "someone/tiny"
revision = "main"
licence = "MIT"
good_for = "Tests."
used_in = []
[[model.files]]
name = "tiny.gguf"
role = "weights"
sha256 = ""
[[model.files]]
name = "mmproj.gguf"
role = "projector"
sha256 = ""
"""


def test_a_good_list_is_read(tmp_path):
    path = tmp_path / "models.toml"
    path.write_text(GOOD, encoding="utf-8")
    (model,) = read_catalogue(path)
    assert [file.size_bytes for file in model.files] == [None, None]
    assert model.memory is None


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('name = "tiny"', 'name = "../tiny"', "name"),
        ('name = "tiny.gguf"', 'name = "../tiny.gguf"', "file name"),
        ('name = "tiny.gguf"', 'name = "a/tiny.gguf"', "file name"),
        ('name = "mmproj.gguf"', 'name = "tiny.gguf"', "a file is there twice"),
        ('kind = "vision"', 'kind = "magic"', "kind magic"),
        ('form = "gguf"', 'form = "pickle"', "form pickle"),
        ('revision = "main"', 'revision = "v1"', "revision"),
        ('repository = "someone/tiny"', 'repository = "tiny"', "repository"),
        ('role = "projector"', 'role = "weights"', "one file of weights"),
        ('role = "projector"', 'role = "support"', "needs a projector"),
        ('sha256 = ""', 'sha256 = "abc"', "sha256"),
        ('sha256 = ""\n', "", "sha256"),
        ('licence = "MIT"', 'licence = " "', "licence"),
        ('title = "Tiny"\n', "", "title"),
        ("used_in = []", 'used_in = ["a blog"]', "used_in"),
        ("used_in = []", "used_in = []\nspeed = 3", "speed is unknown"),
        ("used_in = []", 'used_in = []\ninstead = "no"', "either files or instead"),
        ("used_in = []", "used_in = []\ncontext_tokens = -1", "context_tokens"),
        ('role = "weights"', 'role = "weights"\nbytes = true', "bytes"),
    ],
)
def test_a_list_that_makes_no_sense_is_refused_with_the_place(tmp_path, old, new, told):
    path = tmp_path / "models.toml"
    assert old in GOOD
    path.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(Refused, match=told):
        read_catalogue(path)


@pytest.mark.parametrize("text", ["", "model = 1", "[other]", "[[model", GOOD + GOOD])
def test_a_list_that_is_none_is_refused(tmp_path, text):
    path = tmp_path / "models.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Refused):
        read_catalogue(path)
