"""The head of a GGUF file is read as its makers' own package reads it, and never trusted."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import gguf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_files import write_model, write_projector

from app.errors import Refused
from engines.gguf_header import _BLOCKS, GgufHeader, Tensor, read_gguf


@cache
def whole() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return write_model(Path(folder) / "whole.gguf").read_bytes()


def test_a_model_says_what_it_is(tmp_path):
    header = read_gguf(write_model(tmp_path / "model.gguf", "qwen3vl", 64))
    assert (header.version, header.architecture, header.title) == (3, "qwen3vl", "Tiny")
    assert (header.width, header.is_projector, header.parts) == (64, False, 1)
    assert header.tensors == (Tensor("token_embd.weight", (64, 64), 0, 0),)
    assert header.tensors[0].size_bytes == 64 * 64 * 4
    assert header.values["tokenizer.ggml.tokens"][:2] == ("word0", "word1")


def test_a_projector_says_what_it_gives(tmp_path):
    header = read_gguf(write_projector(tmp_path / "mmproj.gguf", 48))
    assert header.is_projector
    assert (header.width, header.projector_kind) == (48, "qwen3vl_merger")


def test_a_projector_that_leaves_its_width_open_is_measured_by_its_last_matrix():
    last = Tensor("resampler.proj.weight", (4096, 4096), 1, 0)
    header = GgufHeader(
        3, {"general.architecture": "clip", "clip.vision.projection_dim": 0}, (last,)
    )
    assert header.width == 4096


def test_the_sizes_of_tensors_are_those_of_the_format():
    known = {int(kind): sizes for kind, sizes in gguf.GGML_QUANT_SIZES.items()}
    assert {kind: known[kind] for kind in _BLOCKS} == _BLOCKS


def test_a_tensor_of_a_type_to_come_has_no_size():
    assert Tensor("new", (64,), 99, 0).size_bytes is None


@pytest.mark.parametrize(
    "kind", [gguf.GGMLQuantizationType.Q4_K, gguf.GGMLQuantizationType.Q8_0], ids=str
)
def test_quantised_weights_have_the_size_their_package_writes(tmp_path, kind):
    import numpy as np

    numbers, size = gguf.GGML_QUANT_SIZES[kind]
    path = tmp_path / "q.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    rows = np.zeros((4, size * 2), np.uint8)
    writer.add_tensor("w", rows, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    (tensor,) = read_gguf(path).tensors
    assert tensor.shape == (numbers * 2, 4)
    assert tensor.size_bytes == rows.size


@given(st.data())
def test_a_file_that_is_cut_anywhere_is_refused(data):
    length = data.draw(st.integers(0, len(whole()) - 1))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cut.gguf"
        path.write_bytes(whole()[:length])
        with pytest.raises(Refused, match=r"cut short|not a GGUF|broken"):
            read_gguf(path)


@given(st.lists(st.tuples(st.integers(0, 4000), st.integers(0, 255)), min_size=1, max_size=8))
def test_a_file_with_wrong_bytes_is_read_or_refused_and_nothing_else(changes):
    changed = bytearray(whole())
    for place, value in changes:
        changed[place] = value
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "changed.gguf"
        path.write_bytes(changed)
        try:
            header = read_gguf(path)
        except Refused:
            return
        assert isinstance(header.architecture, str)
        assert header.width is None or isinstance(header.width, int)


def test_a_head_that_claims_a_huge_list_costs_no_memory(tmp_path):
    import struct

    path = tmp_path / "bomb.gguf"
    entry = struct.pack("<Q", 1) + b"a" + struct.pack("<IIQ", 9, 8, 2**60)
    path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + entry + bytes(1000))
    with pytest.raises(Refused, match="names 1152921504606846976 items of a list"):
        read_gguf(path)


def test_a_head_without_end_is_given_up(tmp_path):
    import struct

    path = tmp_path / "endless.gguf"
    entry = struct.pack("<Q", 1) + b"a" + struct.pack("<IIQ", 9, 0, 200 << 20)
    with path.open("wb") as file:
        file.write(b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + entry)
        file.truncate(300 << 20)
    with pytest.raises(Refused, match="head has no end"):
        read_gguf(path)


@pytest.mark.parametrize(
    "start", [b"", b"GGU", b"GGUF", b"PK\x03\x04", b"GGUF\x01\0\0\0" + bytes(64)]
)
def test_other_files_are_no_models(tmp_path, start):
    path = tmp_path / "other.gguf"
    path.write_bytes(start)
    with pytest.raises(Refused, match=r"other\.gguf cannot be used"):
        read_gguf(path)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(Refused, match=r"gone\.gguf cannot be read"):
        read_gguf(tmp_path / "gone.gguf")
