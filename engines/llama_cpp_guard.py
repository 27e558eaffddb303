"""The guard that lets an answer go on only in the form that was asked for."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Guard:
    """A grammar of llama.cpp at one point of an answer.

    Args:
        lib: llama-cpp-python's low-level module.
        made: What llama.cpp made of the rules; this frees it.
        n_vocab: How many tokens the model knows.
    """

    def __init__(self, lib: Any, made: Any, n_vocab: int) -> None:
        self._lib, self._made, self._n_vocab = lib, made, n_vocab
        self._one = self._candidates(1)
        self._all: tuple[NDArray[Any], Any] | None = None

    def copy(self) -> Guard:
        """Give a guard of its own, at the same point."""
        return Guard(self._lib, self._lib.llama_sampler_clone(self._made), self._n_vocab)

    def allows(self, token: int) -> bool:
        """Say whether a token may come next."""
        rows, table = self._one
        rows["id"], rows["logit"] = token, 0
        self._lib.llama_sampler_apply(self._made, ctypes.byref(table))
        return bool(np.isfinite(rows["logit"][0]))

    def only_allowed(self, scores: NDArray[np.float32]) -> NDArray[np.float32]:
        """Give the scores with those that may not come next at minus infinity.

        Args:
            scores: (n_vocab,) float32; stays as it is.
        """
        if self._all is None:
            self._all = self._candidates(self._n_vocab)
        rows, table = self._all
        rows["id"], rows["logit"] = np.arange(self._n_vocab), scores
        self._lib.llama_sampler_apply(self._made, ctypes.byref(table))
        kept = np.empty_like(scores)
        kept[rows["id"]] = rows["logit"]
        return kept

    def take(self, token: int) -> None:
        """Go on past a token, which has to be allowed: llama.cpp ends the process otherwise."""
        self._lib.llama_sampler_accept(self._made, token)

    def close(self) -> None:
        """Let the memory go."""
        if self._made:
            self._lib.llama_sampler_free(self._made)
        self._made = None

    def _candidates(self, count: int) -> tuple[NDArray[Any], Any]:
        lib = self._lib
        rows = np.zeros(count, dtype=[("id", "<i4"), ("logit", "<f4"), ("p", "<f4")])
        data = rows.ctypes.data_as(ctypes.POINTER(lib.llama_token_data))
        return rows, lib.llama_token_data_array(data, count, -1, False)
