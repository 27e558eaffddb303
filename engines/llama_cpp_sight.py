"""The projector: turns pictures into what a language model reads for them (llama.cpp's mtmd).

It knows by itself how each family of models wants a picture cut into pieces and which words of
the model's own stand around them, so Qwen-VL, Gemma, InternVL and MiniCPM-V all go the same way.
"""

from __future__ import annotations

import ctypes
import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.errors import EngineMissing, EngineStopped
from engines.llama_cpp_log import forget_reasons, listener, reason

_TEXT, _IMAGE = 0, 1
"""Kinds of pieces (`mtmd_input_chunk_type`)."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One encoded piece of a frame: what the model reads in place of words."""

    place: Any
    """How its numbers lie in the picture, as llama.cpp keeps it."""
    numbers: NDArray[np.float32]
    """(n_tokens * width,) float32."""
    n_tokens: int
    n_positions: int
    """How far the text after it moves on; fewer than its tokens in some models."""


Encoded = tuple[int | Picture, ...]
"""What stands for a frame: one or more pieces, and the model's own words around them as tokens."""


class Sight:
    """A projector that belongs to a model in memory.

    Args:
        projector: A GGUF file.
        lib: llama-cpp-python's low-level module.
        model: llama.cpp's model.
        width: Numbers that the model takes for each token of a picture.
        threads: Processor cores to use.
        on_card: Whether to work on the graphics card.
        n_batch: Tokens that the model reads in one step.

    Raises:
        EngineMissing: The projector does not fit the model, or is not for pictures.
    """

    def __init__(
        self,
        projector: Path,
        lib: Any,
        model: Any,
        width: int,
        *,
        threads: int,
        on_card: bool,
        n_batch: int,
    ) -> None:
        self._lib, self._width, self._n_batch = lib, width, n_batch
        self._mtmd: Any = importlib.import_module("llama_cpp.mtmd_cpp")
        self._mtmd.mtmd_log_set(listener(lib), None)
        self._mtmd.mtmd_helper_log_set(listener(lib), None)
        settings = self._mtmd.mtmd_context_params_default()
        settings.use_gpu, settings.n_threads = on_card, threads
        settings.print_timings = settings.warmup = False
        forget_reasons()
        self._made = self._mtmd.mtmd_init_from_file(str(projector).encode(), model, settings)
        if not self._made:
            raise EngineMissing(
                f"The projector {projector.name} cannot be used with this model{reason()}.",
                "Take the projector of the same model and size.",
            )
        if not self._mtmd.mtmd_support_vision(self._made):
            self.close()
            raise EngineMissing(
                f"The projector {projector.name} is not for pictures.",
                "Take the projector of the same model that is.",
            )

    def close(self) -> None:
        """Let the memory go."""
        if self._made:
            self._mtmd.mtmd_free(self._made)
        self._made = None

    def encode(self, image: NDArray[np.uint8], name: str) -> Encoded:
        """Turn a picture into what the model reads for it.

        Args:
            image: (H, W, 3) uint8 RGB.
            name: Its key, so that llama.cpp too tells pictures apart.

        Raises:
            EngineMissing: The projector refuses the picture.
            EngineStopped: It failed.
        """
        mtmd, chunks, bitmap = self._mtmd, self._mtmd.mtmd_input_chunks_init(), None
        try:
            bitmap = self._bitmap(image, name)
            self._cut(chunks, bitmap)
            found: list[int | Picture] = []
            for number in range(mtmd.mtmd_input_chunks_size(chunks)):
                found += self._encoded(mtmd.mtmd_input_chunks_get(chunks, number))
            return tuple(found)
        finally:
            mtmd.mtmd_input_chunks_free(chunks)
            if bitmap is not None:
                mtmd.mtmd_bitmap_free(bitmap)

    def read(self, picture: Picture, context: Any, position: int) -> int:
        """Have a piece read into sequence 0 of a context; gives llama.cpp's code, 0 if well.

        Raises:
            EngineStopped: It took another length than it should.
        """
        end = self._lib.llama_pos(0)
        told = self._mtmd.mtmd_helper_decode_image_chunk(
            self._made,
            context,
            picture.place,
            picture.numbers.ctypes.data_as(ctypes.POINTER(ctypes.c_float)),
            self._lib.llama_pos(position),
            self._lib.llama_seq_id(0),
            self._n_batch,
            ctypes.byref(end),
            self._mtmd.mtmd_helper_post_decode_callback(),
            None,
        )
        if told == 0 and end.value != position + picture.n_positions:
            raise EngineStopped("A picture took another length than the model said it would.")
        return int(told)

    def let_go(self, picture: Picture) -> None:
        """Free what llama.cpp keeps of a piece."""
        self._mtmd.mtmd_input_chunk_free(picture.place)

    def _bitmap(self, image: NDArray[np.uint8], name: str) -> Any:
        pixels = np.ascontiguousarray(image, dtype=np.uint8)
        height, width = pixels.shape[:2]
        data = pixels.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8))
        bitmap = self._mtmd.mtmd_bitmap_init(width, height, data)
        if not bitmap:
            raise EngineStopped("There was no memory for a picture.")
        self._mtmd.mtmd_bitmap_set_id(bitmap, name.encode())
        return bitmap

    def _cut(self, chunks: Any, bitmap: Any) -> None:
        """Have a picture cut into pieces, with the model's own words around them."""
        marker = self._mtmd.mtmd_default_marker()
        text = self._mtmd.mtmd_input_text()
        text.text, text.text_len = marker, len(marker)
        text.add_special, text.parse_special = False, True
        pictures = (self._mtmd.mtmd_bitmap_p_ctypes * 1)(bitmap)
        forget_reasons()
        told = self._mtmd.mtmd_tokenize(self._made, chunks, ctypes.byref(text), pictures, 1)
        if told != 0:
            raise EngineMissing(
                f"The projector refuses a picture (code {told}{reason()}).",
                "Ask with smaller or other pictures.",
            )

    def _encoded(self, chunk: Any) -> list[int | Picture]:
        mtmd, kind = self._mtmd, self._mtmd.mtmd_input_chunk_get_type(chunk)
        if kind == _TEXT:
            count = ctypes.c_size_t()
            tokens = mtmd.mtmd_input_chunk_get_tokens_text(chunk, ctypes.byref(count))
            return [int(tokens[place]) for place in range(count.value)]
        if kind != _IMAGE:
            raise EngineMissing("The projector made something of a picture that is none.")
        n_tokens = int(mtmd.mtmd_input_chunk_get_n_tokens(chunk))
        if n_tokens > self._n_batch and mtmd.mtmd_decode_use_non_causal(self._made, chunk):
            # llama.cpp ends the process when such a picture takes more than one step.
            raise EngineMissing(
                f"A picture has {n_tokens} tokens, and this model takes {self._n_batch} at most.",
                "Ask with smaller frames.",
            )
        forget_reasons()
        if mtmd.mtmd_encode_chunk(self._made, chunk) != 0:
            raise EngineStopped(f"A picture could not be encoded{reason()}.")
        given = mtmd.mtmd_get_output_embd(self._made)
        numbers = np.ctypeslib.as_array(given, (n_tokens * self._width,)).copy()
        if not np.isfinite(numbers).all():
            raise EngineStopped("The projector made something of a picture that are no numbers.")
        place = mtmd.mtmd_input_chunk_get_placeholder(chunk)
        return [Picture(place, numbers, n_tokens, int(mtmd.mtmd_input_chunk_get_n_pos(chunk)))]
