"""Small model files for tests, written with the format's own package; no weight in them is real."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
from gguf import GGUFWriter


def write_model(path: Path, architecture="qwen3vl", width=64, *, numbers=4096, name="Tiny") -> Path:
    """Write a language model of one tensor."""
    writer = GGUFWriter(path, architecture)
    writer.add_name(name)
    writer.add_block_count(1)
    writer.add_embedding_length(width)
    writer.add_token_list([f"word{n}" for n in range(200)])
    weights = np.arange(numbers, dtype=np.float32).reshape(-1, width)
    writer.add_tensor("token_embd.weight", weights)
    _close(writer)
    return path


def write_projector(path: Path, width=64, *, kind="qwen3vl_merger") -> Path:
    """Write a projector whose pictures come out `width` numbers long."""
    writer = GGUFWriter(path, "clip")
    writer.add_type("mmproj")
    writer.add_name("Tiny projector")
    writer.add_string("clip.projector_type", kind)
    writer.add_uint32("clip.vision.projection_dim", width)
    writer.add_bool("clip.has_vision_encoder", True)
    writer.add_tensor("mm.0.weight", np.ones((32, 64), np.float16))
    _close(writer)
    return path


def write_onnx(path: Path) -> Path:
    """Write an empty network: version 8, a graph of 64 bytes, operators of version 17."""
    graph = b"\x12\x3e" + b"g" * 62
    path.write_bytes(b"\x08\x08" + b"\x3a\x40" + graph + b"\x42\x04\x0a\x00\x10\x11")
    return path


def write_ctranslate2(folder: Path, *, numbers=64) -> Path:
    """Write a folder that looks like a converted text model."""
    folder.mkdir(parents=True, exist_ok=True)
    name = b"TransformerSpec"
    data = struct.pack("<IH", 6, len(name) + 1) + name + b"\0" + struct.pack("<II", 7, 1)
    data += struct.pack("<H", 7) + b"weight\0" + struct.pack("<BIBI", 1, numbers, 0, numbers * 4)
    data += bytes(numbers * 4) + struct.pack("<I", 0)
    (folder / "model.bin").write_bytes(data)
    (folder / "config.json").write_text("{}", encoding="utf-8")
    return folder


def _close(writer: GGUFWriter) -> None:
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
