"""llama.cpp as this program uses it: the one place that knows llama-cpp-python's low-level calls.

Everything here is native and may end the process, so it is only called in the child. The binding
follows llama.cpp's own headers, which change from version to version: the version is pinned.
"""

from __future__ import annotations

import ctypes
import importlib
import importlib.metadata
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.errors import Cancelled, EngineMissing, EngineStopped
from engines.cores import physical_cores
from engines.llama_cpp_guard import Guard
from engines.llama_cpp_log import forget_reasons, listener, reason
from engines.llama_cpp_sight import Encoded, Picture, Sight

VERSION = "0.3.36"
"""Of llama-cpp-python; another one may number or name these calls differently."""

INSTALL = "pip install llama-cpp-python==0.3.36"
"""Builds llama.cpp from source: a C++ compiler is needed and about ten minutes."""

N_BATCH = 512
"""Tokens read in one step: large enough to be quick, small enough to tell of progress; ours."""

_ABORTED = 2


def installed_version() -> str:
    """Give the version of llama-cpp-python that is installed, or an empty text."""
    try:
        return importlib.metadata.version("llama-cpp-python")
    except importlib.metadata.PackageNotFoundError:
        return ""


def check_installed() -> None:
    """Refuse when llama-cpp-python is not there, or is another version than this was made for.

    Raises:
        EngineMissing: See there; the hint is the line that installs it.
    """
    found = installed_version()
    if found == VERSION:
        return
    what = f"is version {found}, and {VERSION} is needed" if found else "is not installed"
    raise EngineMissing(
        f"llama-cpp-python, which runs models in GGUF files, {what}.",
        f"Install it where this program is installed: {INSTALL} "
        "(it needs a C++ compiler and about ten minutes).",
    )


class Llama:
    """A model with its context and, if it sees, its projector.

    Args:
        weights: A GGUF file.
        projector: The GGUF file that turns pictures into tokens.
        context_tokens: How many tokens all that is kept may have.
        sequences: How many answers may be written together.
        gpu_layers: How many layers work on the graphics card, where llama.cpp can use one.
        threads: Processor cores to use; all that are there if not given.

    Raises:
        EngineMissing: llama-cpp-python is not there, or cannot use the files.
        EngineStopped: There is not enough memory for the context.
    """

    def __init__(
        self,
        weights: Path,
        projector: Path | None = None,
        *,
        context_tokens: int = 8192,
        sequences: int = 8,
        gpu_layers: int = 0,
        threads: int | None = None,
    ) -> None:
        check_installed()
        self._lib: Any = importlib.import_module("llama_cpp.llama_cpp")
        self._lib.llama_log_set(listener(self._lib), None)
        self._model: Any = None
        self._context: Any = None
        self._batch: Any = None
        self._sight: Sight | None = None
        self._callback: Any = None
        self._threads = threads if threads is not None else physical_cores()
        self.gpu_layers = gpu_layers if self._lib.llama_supports_gpu_offload() else 0
        try:
            self._load(weights)
            self._open_context(context_tokens, sequences)
            if projector is not None:
                self._open_sight(projector)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let the memory go."""
        lib = self._lib
        if self._sight is not None:
            self._sight.close()
        if self._batch is not None:
            lib.llama_batch_free(self._batch)
        if self._context is not None:
            lib.llama_free(self._context)
        if self._model is not None:
            lib.llama_model_free(self._model)
        self._sight = self._batch = self._context = self._model = None

    # What the model is.

    @property
    def context_tokens(self) -> int:
        """How many tokens all sequences may have together."""
        return int(self._lib.llama_n_ctx(self._context))

    def special(self, which: str) -> int | None:
        """Give the token `bos` or `eos`, or `None` where the model has none."""
        token = int(getattr(self._lib, f"llama_vocab_{which}")(self._vocab))
        return token if token >= 0 else None

    def sign(self, which: str) -> str:
        """Give what the token `bos` or `eos` is written as in templates, perhaps nothing."""
        token = self.special(which)
        return "" if token is None else self.piece(token, special=True).decode("utf-8", "replace")

    @property
    def adds_bos(self) -> bool:
        """Whether every text has to start with the token `bos`."""
        return bool(self._lib.llama_vocab_get_add_bos(self._vocab))

    def is_end(self, token: int) -> bool:
        """Say whether a token ends an answer."""
        return bool(self._lib.llama_vocab_is_eog(self._vocab, token))

    def tokens(self, text: str, *, special: bool) -> list[int]:
        """Give the tokens of a text.

        Args:
            text: Anything.
            special: Read signs such as `<|im_end|>` as what they stand for. Only for the
                template's own text: in words of a lesson they are just letters.
        """
        data = text.encode("utf-8", "replace")
        room = len(data) + 8
        kept = (self._lib.llama_token * room)()
        count = self._lib.llama_tokenize(self._vocab, data, len(data), kept, room, False, special)
        if count < 0:
            raise EngineStopped("The model's own words could not be found in the text.")
        return list(kept[:count])

    def piece(self, token: int, *, special: bool = False) -> bytes:
        """Give what a token writes; the signs of the template write nothing unless `special`."""
        room = 256
        while True:
            kept = ctypes.create_string_buffer(room)
            count = self._lib.llama_token_to_piece(self._vocab, token, kept, room, 0, special)
            if count >= 0:
                return kept.raw[:count]
            room = -count

    # What it keeps in mind.

    def forget(self, sequence: int, from_position: int = 0) -> bool:
        """Drop the end of a sequence; False when this kind of model cannot drop a part."""
        memory = self._lib.llama_get_memory(self._context)
        return bool(self._lib.llama_memory_seq_rm(memory, sequence, from_position, -1))

    def forget_all(self) -> None:
        """Drop everything."""
        self._lib.llama_memory_clear(self._lib.llama_get_memory(self._context), False)

    def fork(self, sequence: int) -> None:
        """Let a sequence begin with all that sequence 0 has; nothing is computed for it."""
        memory = self._lib.llama_get_memory(self._context)
        self._lib.llama_memory_seq_rm(memory, sequence, -1, -1)
        self._lib.llama_memory_seq_cp(memory, 0, sequence, -1, -1)

    def read(
        self,
        tokens: Sequence[int],
        positions: Sequence[int],
        sequences: Sequence[int],
        *,
        every: bool = False,
        stop: threading.Event | None = None,
    ) -> None:
        """Have tokens read, at most `N_BATCH`; afterwards `scores` gives what may come next.

        Args:
            tokens: What is read.
            positions: Where each stands in its sequence.
            sequences: To which sequence each belongs.
            every: Keep the scores after each token, and not only after the last.
            stop: Ends the work when set, also in the midst of it.

        Raises:
            Cancelled: `stop` was set; what was kept in mind is then not to be trusted.
            EngineStopped: llama.cpp refused.
        """
        batch, count = self._batch, len(tokens)
        batch.n_tokens = count
        self._filled["token"][:count] = tokens
        self._filled["pos"][:count] = positions
        self._filled["n_seq_id"][:count] = 1
        self._filled["logits"][:count] = 1 if every else 0
        self._filled["logits"][count - 1] = 1
        for place, sequence in enumerate(sequences):
            batch.seq_id[place][0] = sequence
        self._until(stop if count > len(set(sequences)) else None)
        self._settle(int(self._lib.llama_decode(self._context, batch)), stop)

    def scores(self, place: int) -> NDArray[np.float32]:
        """Give (n_vocab,) float32, the scores after the token at a place of the last `read`.

        A view that the next `read` overwrites; `place` -1 is the last.
        """
        found = self._lib.llama_get_logits_ith(self._context, place)
        if not found:
            raise EngineStopped("The model gave no scores for what comes next.")
        return np.ctypeslib.as_array(found, (self.n_vocab,))

    # Pictures.

    def encode(self, image: NDArray[np.uint8], name: str) -> Encoded:
        """Turn a picture into what the model reads for it; see `Sight.encode`.

        Raises:
            EngineMissing: There is no projector, or it refuses the picture.
            EngineStopped: It failed.
        """
        if self._sight is None:
            raise EngineMissing("The model has no projector, so it cannot see.", "Add it.")
        return self._sight.encode(image, name)

    def read_picture(self, picture: Picture, position: int, stop: threading.Event) -> None:
        """Have one encoded piece of a frame read into sequence 0, from a position on.

        Raises:
            Cancelled, EngineStopped: As `read`.
        """
        if self._sight is None:
            raise EngineStopped("The model's projector is gone.")
        self._until(stop)
        self._settle(self._sight.read(picture, self._context, position), stop)

    def let_go(self, picture: Picture) -> None:
        """Free what llama.cpp keeps of a piece of a frame."""
        if self._sight is not None:
            self._sight.let_go(picture)

    # Grammars.

    def grammar(self, rules: str) -> Guard:
        """Give a guard that allows only what the rules allow.

        Raises:
            EngineMissing: llama.cpp refuses the rules. Answers without them would be unguarded.
        """
        forget_reasons()
        made = self._lib.llama_sampler_init_grammar(self._vocab, rules.encode(), b"root")
        if not made:
            raise EngineMissing(
                "The form of the answer could not be handed to the model: its grammar was "
                f"refused{reason()}.",
                "Report it; the question was not asked.",
            )
        return Guard(self._lib, made, self.n_vocab)

    # Inside.

    def _load(self, weights: Path) -> None:
        lib = self._lib
        lib.llama_backend_init()
        settings = lib.llama_model_default_params()
        settings.n_gpu_layers = self.gpu_layers
        forget_reasons()
        self._model = lib.llama_model_load_from_file(str(weights).encode(), settings)
        if not self._model:
            raise EngineMissing(
                f"{weights.name} cannot be used by llama.cpp{reason()}.",
                "Choose another model, or fetch the file again.",
            )
        self._vocab: Any = lib.llama_model_get_vocab(self._model)
        self.n_vocab: int = int(lib.llama_vocab_n_tokens(self._vocab))

    def _open_context(self, context_tokens: int, sequences: int) -> None:
        lib = self._lib
        settings = lib.llama_context_default_params()
        settings.n_ctx = min(context_tokens, int(lib.llama_model_n_ctx_train(self._model)))
        settings.n_batch = settings.n_ubatch = N_BATCH
        settings.n_seq_max = sequences + 1
        settings.n_outputs_max = max(sequences + 1, 8)
        settings.n_threads = settings.n_threads_batch = self._threads
        # One pool for all sequences, so that what is forked is shared and not copied; and all
        # of it kept, so that going back to a shared start is exact in models that forget.
        settings.kv_unified = settings.swa_full = True
        settings.no_perf = True
        self._context = lib.llama_init_from_model(self._model, settings)
        if not self._context:
            raise EngineStopped(
                f"There is not enough memory for {settings.n_ctx} tokens{reason()}.",
                "Close other programs, or take a smaller model or a shorter context.",
            )
        self._batch = lib.llama_batch_init(N_BATCH, 0, 1)
        names = ("token", "pos", "n_seq_id", "logits")
        self._filled = {
            name: np.ctypeslib.as_array(getattr(self._batch, name), (N_BATCH,)) for name in names
        }

    def _open_sight(self, projector: Path) -> None:
        self._sight = Sight(
            projector,
            self._lib,
            self._model,
            int(self._lib.llama_model_n_embd_inp(self._model)),
            threads=self._threads,
            on_card=self.gpu_layers > 0,
            n_batch=N_BATCH,
        )

    def _until(self, stop: threading.Event | None) -> None:
        """Have llama.cpp look at `stop` in the midst of its work; costs too much for one token."""
        lib = self._lib
        callback = (
            lib.ggml_abort_callback() if stop is None else lib.ggml_abort_callback(_asks(stop))
        )
        lib.llama_set_abort_callback(self._context, callback, None)
        self._callback = callback

    def _settle(self, told: int, stop: threading.Event | None) -> None:
        if stop is not None and (told == _ABORTED or stop.is_set()):
            raise Cancelled()
        if told != 0:
            raise EngineStopped(
                f"The model could not go on reading (code {told}{reason()}).",
                "Ask again; with a shorter context if it comes back.",
            )


def _asks(stop: threading.Event) -> Callable[[Any], bool]:
    return lambda _data: stop.is_set()
