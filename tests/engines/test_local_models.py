"""Files of the person's own are taken for what their content is, and never deleted when linked."""

from __future__ import annotations

import hashlib
import json
import pickle
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import pytest
from model_files import write_ctranslate2, write_model, write_onnx, write_projector

from app.errors import Cancelled, EngineMissing, Refused
from app.models import Fits, Origin
from app.places import models_folder
from engines.forms import look_at
from engines.hashes import file_sha256
from engines.local_models import (
    add_local,
    check_model,
    find_installed,
    installed_models,
    remove_model,
)
from engines.shelf import Shelf

ROOT = Path(__file__).parents[2]


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def visible():
    return sorted(path.name for path in models_folder().iterdir())


def test_a_model_with_its_projector_is_used_where_it_lies(tmp_path):
    model = write_model(tmp_path / "mine.gguf", name="My model")
    projector = write_projector(tmp_path / "mmproj.gguf")
    added = add_local(model, projector)
    assert added == find_installed("my-model")
    assert (added.title, added.kind, added.form) == ("My model", "vision", "gguf")
    assert (added.origin, added.source) == (Origin.LINKED, str(model))
    assert added.weights.path == model
    assert added.projector.path == projector
    assert added.weights.sha256 == sha256(model)
    assert [path.name for path in (models_folder() / "my-model").iterdir()] == ["model.json"]


def test_a_copy_stands_by_itself(tmp_path):
    model = write_model(tmp_path / "mine.gguf")
    told = []
    added = add_local(model, title="Copy", copy=True, report=lambda *words: told.append(words))
    digest = sha256(model)
    model.unlink()
    assert added.origin is Origin.COPIED
    assert added.weights.path == models_folder() / "copy" / "mine.gguf"
    assert sha256(added.weights.path) == digest == added.weights.sha256
    assert check_model(added) == ()
    assert told[-1][1].startswith("copying Copy, ")


def test_the_next_reader_of_a_model_need_not_read_it_again(tmp_path, monkeypatch):
    model = write_model(tmp_path / "mine.gguf")
    added = add_local(model)
    monkeypatch.setattr("engines.hashes.hashlib.file_digest", lambda *_: pytest.fail("read again"))
    assert file_sha256(model) == added.weights.sha256


def test_two_files_of_one_name_are_both_copied(tmp_path):
    (tmp_path / "a").mkdir()
    model = write_model(tmp_path / "model.gguf")
    projector = write_projector(tmp_path / "a" / "model.gguf")
    added = add_local(model, projector, "Both", copy=True)
    assert added.projector.path.name == "projector-model.gguf"
    assert sha256(added.projector.path) == sha256(projector)


def test_onnx_and_ctranslate2_are_told_by_their_content(tmp_path):
    onnx = add_local(write_onnx(tmp_path / "net.bin"))
    assert (onnx.form, onnx.kind) == ("onnx", "network")
    folder = write_ctranslate2(tmp_path / "translator")
    added = add_local(folder, copy=True)
    assert (added.form, added.kind, added.title) == ("ctranslate2", "text", "translator")
    assert sorted(file.path.name for file in added.files) == ["config.json", "model.bin"]
    assert look_at(folder / "model.bin") == look_at(folder)


@pytest.mark.shared
def test_real_networks_are_known(shared):
    for path in sorted((shared / "models").rglob("*.onnx")):
        assert look_at(path).form == "onnx", path


def pickled(path):
    path.write_bytes(pickle.dumps({"weights": [1.0]}))


def torch_zip(path):
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("archive/data.pkl", pickle.dumps([]))


def safetensors(path):
    table = b'{"w":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}'
    path.write_bytes(len(table).to_bytes(8, "little") + table)


@pytest.mark.parametrize("name", ["model.pt", "model.gguf", "model.onnx", "model.bin", "m.ckpt"])
@pytest.mark.parametrize(
    ("write", "told"),
    [
        (pickled, "a Python pickle, which can run any program"),
        (torch_zip, "a zip file, probably with a Python pickle"),
        (safetensors, "a safetensors file"),
        (lambda path: path.write_bytes(b"lmgg" + bytes(99)), "whisper.cpp"),
        (lambda path: path.write_bytes(b"version https://git-lfs.github.com"), "placeholder"),
        (lambda path: path.write_bytes(b"<!DOCTYPE html>"), "a page of the web"),
        (lambda path: path.write_bytes(b"\x08"), "something else"),
        (lambda path: path.write_bytes(b""), "empty"),
    ],
)
def test_other_forms_are_refused_whatever_they_are_called(tmp_path, name, write, told):
    write(tmp_path / name)
    with pytest.raises(Refused, match=told) as caught:
        add_local(tmp_path / name)
    assert name in caught.value.message
    assert visible() == []


def test_a_pickle_in_a_ctranslate2_folder_is_refused(tmp_path):
    folder = write_ctranslate2(tmp_path / "model")
    pickled(folder / "model.bin")
    with pytest.raises(Refused, match=r"model\.bin is a Python pickle"):
        add_local(folder)


@pytest.mark.parametrize("cut", [1, 40, 300])
def test_a_ctranslate2_model_that_is_cut_short_is_refused(tmp_path, cut):
    folder = write_ctranslate2(tmp_path / "model")
    data = (folder / "model.bin").read_bytes()
    (folder / "model.bin").write_bytes(data[:-cut])
    with pytest.raises(Refused, match="cut short"):
        add_local(folder)


def test_a_network_that_is_cut_short_is_refused(tmp_path):
    path = write_onnx(tmp_path / "net.onnx")
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(Refused, match="something else"):
        add_local(path)


def test_a_model_that_is_cut_short_is_refused_with_the_numbers(tmp_path):
    path = write_model(tmp_path / "mine.gguf")
    size = path.stat().st_size
    path.write_bytes(path.read_bytes()[:-1000])
    with pytest.raises(Refused, match=f"at least {size} bytes and has {size - 1000}"):
        add_local(path)


def test_a_projector_is_no_model_and_a_model_no_projector(tmp_path):
    model, other = write_model(tmp_path / "mine.gguf"), write_model(tmp_path / "other.gguf")
    projector = write_projector(tmp_path / "mmproj.gguf")
    with pytest.raises(Refused, match=r"mmproj\.gguf is a projector") as caught:
        add_local(projector)
    assert "as its projector" in caught.value.hint
    with pytest.raises(Refused, match=r"other\.gguf is not a projector"):
        add_local(model, other)
    with pytest.raises(Refused, match="takes no projector"):
        add_local(write_onnx(tmp_path / "net.onnx"), projector)


@pytest.mark.parametrize(
    ("architecture", "width", "kind", "told"),
    [
        ("qwen3vl", 128, "qwen3vl_merger", "gives 64 numbers for each token"),
        ("llama", 64, "qwen3vl_merger", "for qwen3vl_merger, and the model is a llama"),
        ("qwen3vl", 64, "gemma3", "for gemma3, and the model is a qwen3vl"),
        ("qwen3vl", 64, "qwen2.5vl_merger", "and the model is a qwen3vl"),
    ],
)  # fmt: skip
def test_a_projector_of_another_model_is_refused(tmp_path, architecture, width, kind, told):
    model = write_model(tmp_path / "mine.gguf", architecture, width)
    with pytest.raises(Refused, match=told):
        add_local(model, write_projector(tmp_path / "mmproj.gguf", kind=kind))


@pytest.mark.parametrize(
    ("architecture", "kind"),
    [("qwen3vlmoe", "qwen3vl_merger"), ("qwen2", "internvl"), ("gemma3", "gemma3")],
)
def test_a_projector_of_the_family_is_taken(tmp_path, architecture, kind):
    model = write_model(tmp_path / "mine.gguf", architecture)
    assert add_local(model, write_projector(tmp_path / "mmproj.gguf", kind=kind)).projector


def test_one_part_of_a_model_is_refused(tmp_path):
    from gguf import GGUFWriter

    writer = GGUFWriter(tmp_path / "part.gguf", "qwen3")
    writer.add_uint16("split.count", 3)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    with pytest.raises(Refused, match="one of 3 parts") as caught:
        add_local(tmp_path / "part.gguf")
    assert "llama-gguf-split --merge" in caught.value.hint


def test_a_folder_of_another_form_says_which_file_to_choose(tmp_path):
    write_model(tmp_path / "mine.gguf")
    with pytest.raises(Refused) as caught:
        add_local(tmp_path)
    assert caught.value.hint == "Choose the file in it: mine.gguf."
    (tmp_path / "empty").mkdir()
    with pytest.raises(Refused, match=r"empty holds no model\.bin"):
        add_local(tmp_path / "empty")


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(Refused, match=r"gone\.gguf cannot be read"):
        add_local(tmp_path / "gone.gguf")


def test_a_name_is_taken_once(tmp_path):
    model = write_model(tmp_path / "mine.gguf", name="")
    assert add_local(model).name == "mine"
    with pytest.raises(Refused, match="already a model called mine"):
        add_local(model)
    assert add_local(model, title="Mine / again: 2").name == "mine-again-2"
    assert add_local(model, title="我的").name == "model"
    assert [m.name for m in installed_models()] == ["mine", "mine-again-2", "model"]


def test_a_stop_leaves_nothing(tmp_path):
    stop = threading.Event()
    stop.set()
    for copy in (False, True):
        with pytest.raises(Cancelled):
            add_local(write_model(tmp_path / "mine.gguf"), copy=copy, stop=stop)
    assert visible() == []


def test_a_full_disk_leaves_nothing(tmp_path):
    model = write_model(tmp_path / "mine.gguf", numbers=1_000_000 // 64 * 64)
    code = f"""
import resource
from pathlib import Path
from app.errors import Refused
from engines.local_models import add_local
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
try:
    add_local(Path({str(model)!r}), copy=True)
except Refused as error:
    print(error)
"""
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert told.stdout.startswith("The disk is full, or files in ")
    assert visible() == []


def test_a_check_finds_what_changed_and_what_is_gone(tmp_path):
    model = write_model(tmp_path / "mine.gguf")
    projector = write_projector(tmp_path / "mmproj.gguf")
    added = add_local(model, projector)
    assert check_model(added) == ()
    with model.open("r+b") as file:
        file.seek(-1, 2)
        file.write(b"\xff")
    projector.unlink()
    changed, gone = check_model(find_installed(added.name))
    assert changed.startswith(f"{model} has changed: its SHA-256 is {sha256(model)} and was ")
    assert gone == f"{projector} cannot be read: No such file or directory."
    model.write_bytes(b"short")
    assert "has 5 bytes and should have" in check_model(added)[0]


def test_a_linked_file_is_never_deleted(tmp_path):
    model = write_model(tmp_path / "mine.gguf")
    told = remove_model(add_local(model))
    assert model.is_file()
    assert told == f"Tiny is off the list. Its file stays at {model}."
    assert visible() == []


def test_a_copy_is_deleted_and_its_original_is_not(tmp_path):
    model = write_model(tmp_path / "mine.gguf")
    assert remove_model(add_local(model, copy=True)) == "Tiny was deleted."
    assert model.is_file()
    assert visible() == []


def test_what_a_person_put_beside_a_model_stays(tmp_path):
    added = add_local(write_model(tmp_path / "mine.gguf"), copy=True)
    folder = models_folder() / added.name
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    assert "1 of your own files stay in" in remove_model(added)
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]
    assert installed_models() == ()


def test_a_record_can_delete_nothing_outside_its_folder(tmp_path, caplog):
    added = add_local(write_model(tmp_path / "mine.gguf"), copy=True)
    precious = models_folder() / "precious.txt"
    precious.write_text("keep", encoding="utf-8")
    record = models_folder() / added.name / "model.json"
    table = json.loads(record.read_text("utf-8"))
    table["files"].append(table["files"][0] | {"name": "../precious.txt", "role": "support"})
    record.write_text(json.dumps(table), encoding="utf-8")
    assert installed_models() == ()
    assert "no name of a file" in caplog.text
    remove_model(added)
    assert precious.read_text(encoding="utf-8") == "keep"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 2}', "not json"])
def test_a_record_that_cannot_be_read_is_no_model_and_no_crash(tmp_path, text, caplog):
    add_local(write_model(tmp_path / "mine.gguf"))
    (models_folder() / "tiny" / "model.json").write_text(text, encoding="utf-8")
    assert installed_models() == ()
    assert "cannot be read" in caplog.text


def test_a_removal_that_was_killed_is_finished_later(tmp_path):
    added = add_local(write_model(tmp_path / "mine.gguf"), copy=True)
    folder = models_folder() / added.name
    (folder / "model.json").rename(folder / "removing.json")
    assert installed_models() == ()
    assert visible() == []


def test_half_a_model_is_not_listed(tmp_path):
    for name in (".tiny.part", ".tiny.abc.adding", "tiny"):
        (models_folder() / name).mkdir()
        write_model(models_folder() / name / "tiny.gguf")
    assert installed_models() == ()
    with pytest.raises(EngineMissing, match="No model called tiny is installed"):
        find_installed("tiny")


def test_the_speech_model_that_comes_along_is_listed_and_checked():
    from engines.weights import whisper_folder

    folder = whisper_folder()
    model = find_installed("whisper-base")
    assert (model.origin, model.weights.path) == (Origin.PROGRAM, folder / "model.bin")
    assert check_model(model) == ()
    assert remove_model(model) == "Whisper base was deleted."
    assert not folder.exists()
    assert whisper_folder() == folder


def test_the_shelf_shows_both_what_is_recommended_and_what_is_there(tmp_path):
    shelf = Shelf()
    own = shelf.add(write_model(tmp_path / "mine.gguf"), title="Mine")
    states = {state.name: state for state in shelf.states()}
    assert states["mine"] == own
    assert (own.is_installed, own.recommended, own.can_fetch) == (True, False, False)
    assert own.files == ((str(tmp_path / "mine.gguf"), sha256(tmp_path / "mine.gguf")),)
    assert own.fit.verdict in (Fits.MEMORY, Fits.UNKNOWN, Fits.GPU)
    four = states["qwen3-vl-4b"]
    assert (four.is_installed, four.recommended, four.can_fetch) == (False, True, True)
    assert states["internvl3-78b"].can_fetch is False
    assert "vLLM" in states["internvl3-78b"].instead
    assert shelf.check("mine") == ()
    assert "stays at" in shelf.remove("mine")


def test_the_memory_of_ones_own_model_is_read_from_its_head(tmp_path):
    from gguf import GGUFWriter

    writer = GGUFWriter(tmp_path / "m.gguf", "qwen3")
    writer.add_name("M")
    writer.add_embedding_length(64)
    writer.add_block_count(36)
    writer.add_head_count(32)
    writer.add_head_count_kv(8)
    writer.add_key_length(128)
    writer.add_value_length(128)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    # 2 (keys and values) x 36 layers x 8 heads x 128 x 2 bytes
    assert add_local(tmp_path / "m.gguf").context_bytes_per_token == 147_456
