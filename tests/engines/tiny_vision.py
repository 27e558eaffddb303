"""Tiny language models that see, written with the format's own package; all weights are chance.

What they write means nothing, but everything is gone through for real: template, tokens, picture,
projector, memory, grammar. Two families: Qwen2-VL, whose pictures have places in two dimensions,
and Gemma 3, whose pictures are read in both directions and whose layers look at a sliding window.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from gguf import GGUFWriter, TokenType

WIDTH, HEADS, HIDDEN = 64, 4, 96
LAYERS = {"qwen2vl": 2, "gemma3": 6}
"""Of Gemma's layers every sixth sees all, the others a sliding window."""
CHATML = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n"
    "{% if message.content is string %}{{ message.content }}{% else %}"
    "{% for part in message.content %}{{ part.text }}{% endfor %}{% endif %}"
    "<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
SIGNS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>"]
SIGNS += ["<|image_pad|>", "<start_of_image>", "<end_of_image>"]


def write_language(path: Path, family="qwen2vl", *, seed=1, template=CHATML, context=4096) -> Path:
    """Write a language model; another seed is another model."""
    random = np.random.default_rng(seed)
    writer = GGUFWriter(path, family)
    writer.add_name(f"Tiny {family} {seed}")
    writer.add_context_length(context)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS[family])
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_key_length(WIDTH // HEADS)
    writer.add_value_length(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_freq_base(10000.0)
    if family == "qwen2vl":
        writer.add_rope_dimension_sections([2, 3, 3, 0])
    else:
        writer.add_sliding_window(32)
    words = write_vocabulary(writer, template)

    def add(name, *shape, scale=0.3):
        values = random.normal(0, scale, shape).astype(np.float32)
        writer.add_tensor(name, values)

    def norm(name, length=WIDTH):
        writer.add_tensor(name, np.ones(length, np.float32))

    # Large enough that what comes next hangs on what came before.
    add("token_embd.weight", words, WIDTH, scale=1.0)
    norm("output_norm.weight")
    add("output.weight", words, WIDTH)
    for n in range(LAYERS[family]):
        norm(f"blk.{n}.attn_norm.weight")
        norm(f"blk.{n}.ffn_norm.weight")
        for part in "qkv":
            add(f"blk.{n}.attn_{part}.weight", WIDTH, WIDTH)
            if family == "qwen2vl":
                add(f"blk.{n}.attn_{part}.bias", WIDTH)
        add(f"blk.{n}.attn_output.weight", WIDTH, WIDTH)
        add(f"blk.{n}.ffn_gate.weight", HIDDEN, WIDTH)
        add(f"blk.{n}.ffn_up.weight", HIDDEN, WIDTH)
        add(f"blk.{n}.ffn_down.weight", WIDTH, HIDDEN)
        if family == "gemma3":
            norm(f"blk.{n}.attn_q_norm.weight", WIDTH // HEADS)
            norm(f"blk.{n}.attn_k_norm.weight", WIDTH // HEADS)
            norm(f"blk.{n}.post_attention_norm.weight")
            norm(f"blk.{n}.post_ffw_norm.weight")
    return close(writer, path)


def write_eye(path: Path, family="qwen2vl", *, seed=1, width=WIDTH, layers=2) -> Path:
    """Write the projector of a family: its pictures come out `width` numbers long."""
    random = np.random.default_rng(seed)
    writer = GGUFWriter(path, "clip")
    writer.add_type("mmproj")
    writer.add_name(f"Tiny eye {seed}")
    writer.add_clip_has_vision_encoder(True)
    writer.add_clip_projector_type("qwen2vl_merger" if family == "qwen2vl" else "gemma3")
    side = 56
    writer.add_vision_image_size(side)
    writer.add_vision_patch_size(14)
    writer.add_vision_embedding_length(WIDTH)
    writer.add_vision_feed_forward_length(HIDDEN)
    writer.add_vision_block_count(layers)
    writer.add_vision_head_count(HEADS)
    writer.add_vision_attention_layernorm_eps(1e-6)
    writer.add_vision_projection_dim(width)
    writer.add_vision_image_mean([0.5, 0.5, 0.5])
    writer.add_vision_image_std([0.5, 0.5, 0.5])
    writer.add_vision_use_gelu(True)

    def add(name, *shape, scale=0.3):
        writer.add_tensor(name, random.normal(0, scale, shape).astype(np.float32))

    def norm(name, length=WIDTH):
        writer.add_tensor(f"{name}.weight", np.ones(length, np.float32))
        writer.add_tensor(f"{name}.bias", np.zeros(length, np.float32))

    add("v.patch_embd.weight", WIDTH, 3, 14, 14)
    norm("v.post_ln")
    for n in range(layers):
        norm(f"v.blk.{n}.ln1")
        norm(f"v.blk.{n}.ln2")
        for part in ("q", "k", "v", "out"):
            add(f"v.blk.{n}.attn_{part}.weight", WIDTH, WIDTH)
            add(f"v.blk.{n}.attn_{part}.bias", WIDTH)
        add(f"v.blk.{n}.ffn_up.weight", HIDDEN, WIDTH)
        add(f"v.blk.{n}.ffn_up.bias", HIDDEN)
        add(f"v.blk.{n}.ffn_down.weight", WIDTH, HIDDEN)
        add(f"v.blk.{n}.ffn_down.bias", WIDTH)
    if family == "qwen2vl":
        add("v.patch_embd.weight.1", WIDTH, 3, 14, 14)
        add("mm.0.weight", WIDTH * 4, WIDTH * 4, scale=0.1)
        add("mm.0.bias", WIDTH * 4)
        add("mm.2.weight", width, WIDTH * 4, scale=0.1)
        add("mm.2.bias", width)
    else:
        writer.add_vision_projector_scale_factor(2)
        add("v.patch_embd.bias", WIDTH)
        add("v.position_embd.weight", (side // 14) ** 2, WIDTH)
        add("mm.input_projection.weight", WIDTH, width)
        writer.add_tensor("mm.soft_emb_norm.weight", np.ones(WIDTH, np.float32))
    return close(writer, path)


def write_vocabulary(writer: GGUFWriter, template: str | None) -> int:
    """Write one token for each byte, one of two letters, and the signs; gives how many."""
    letters = [chr(code) for code in _byte_signs()]
    tokens = [*letters, "th", *SIGNS]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list(tokens)
    kinds = [TokenType.NORMAL] * (len(letters) + 1) + [TokenType.CONTROL] * len(SIGNS)
    writer.add_token_types(kinds)
    writer.add_token_merges(["t h"])
    writer.add_eos_token_id(tokens.index("<|im_end|>"))
    writer.add_bos_token_id(tokens.index("<|endoftext|>"))
    writer.add_add_bos_token(False)
    if template is not None:
        writer.add_chat_template(template)
    return len(tokens)


def _byte_signs() -> list[int]:
    """Give the letters that stand for the bytes 0 to 255 in byte-level vocabularies."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    rest = iter(range(256, 512))
    return [byte if byte in plain else next(rest) for byte in range(256)]


def close(writer: GGUFWriter, path: Path) -> Path:
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
