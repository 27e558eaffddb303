"""The sentence model that comes with the program: texts to vectors, on the processor.

The weights are stored as 8-bit numbers and computed with as ordinary floats, so that a text's
vector does not depend on the texts beside it: 64 texts in one padded batch and one at a time
differed by exactly 0 (onnxruntime 1.31). Batches of like length save a third of the time.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.errors import Cancelled
from engines.base import EngineFacts, Report, engine, no_report
from engines.cores import physical_cores
from engines.weights import MINILM, minilm_folder

WIDTH = 384
"""Numbers in a vector."""

LONGEST_TOKENS = 256
"""Longer texts are cut; the model was trained on no longer ones (its model card)."""

BATCH = 32

MOST_KEPT = 4096
"""Vectors that `embed` keeps, 1.5 kB each: the exemplars and several lessons of an hour."""

_kept: dict[str, NDArray[np.float32]] = {}


@engine("minilm")
class MiniLM:
    """Embeds texts with all-MiniLM-L6-v2; an `Embedder`."""

    def facts(self) -> EngineFacts:
        """Say what this is."""
        return EngineFacts(
            name="minilm",
            version="all-MiniLM-L6-v2 int8",
            offline=True,
            images=0,
            has_schema=False,
            has_logprobs=False,
            identity=tuple((f"sha256 {name}", sha) for name, sha in MINILM.items()),
        )

    def embed(
        self,
        texts: Sequence[str],
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> NDArray[np.float32]:
        """Give (n, 384) float32 rows of length 1, in the order of `texts`.

        Raises:
            Cancelled: `stop` was set.
            Refused: The shipped model is missing or not what it should be.
        """
        vectors = np.empty((len(texts), WIDTH), np.float32)
        tokenizer, session = _load()
        encoded = tokenizer.encode_batch(list(texts))
        order = sorted(range(len(texts)), key=lambda i: len(encoded[i].ids))
        for at in range(0, len(order), BATCH):
            if stop is not None and stop.is_set():
                raise Cancelled()
            report(at / len(order), f"comparing texts, {at} of {len(order)}")
            batch = order[at : at + BATCH]
            vectors[batch] = _run(session, [encoded[i].ids for i in batch])
        return vectors


def embed(
    texts: Sequence[str], report: Report = no_report, stop: threading.Event | None = None
) -> NDArray[np.float32]:
    """Embed texts in the process this runs in; the model and what it made stay there.

    Exemplars are compared with every lesson, and a lesson's lines each time it is coded: what
    was embedded before is not computed again. A vector does not depend on the texts beside it.
    """
    known = {text: _kept[text] for text in texts if text in _kept}
    new = [text for text in texts if text not in known]
    if new:
        made = MiniLM().embed(new, report, stop)
        known.update(zip(new, made, strict=True))
    vectors = np.empty((len(texts), WIDTH), np.float32)
    for row, text in enumerate(texts):
        vectors[row] = known[text]
    _keep(known)
    return vectors


def _keep(known: dict[str, NDArray[np.float32]]) -> None:
    """Keep vectors, those asked for last for longest."""
    for text, vector in known.items():
        _kept.pop(text, None)
        _kept[text] = vector.copy()
    while len(_kept) > MOST_KEPT:
        del _kept[next(iter(_kept))]


def _run(session: Any, ids: Sequence[Sequence[int]]) -> NDArray[np.float32]:
    """Give the mean of the token vectors of each text, at length 1."""
    longest = max(len(text) for text in ids)
    tokens = np.zeros((len(ids), longest), np.int64)
    mask = np.zeros((len(ids), longest), np.int64)
    for row, text in enumerate(ids):
        tokens[row, : len(text)] = text
        mask[row, : len(text)] = 1
    fed = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
    hidden = session.run(None, fed)[0]
    summed = np.einsum("btw,bt->bw", hidden, mask.astype(np.float32))
    means = summed / mask.sum(axis=1, keepdims=True)
    unit: NDArray[np.float32] = means / np.linalg.norm(means, axis=1, keepdims=True)
    return unit


@cache
def _load() -> tuple[Any, Any]:
    import onnxruntime
    from tokenizers import Tokenizer

    folder = minilm_folder()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST_TOKENS)
    options = onnxruntime.SessionOptions()
    # Texts of a few dozen tokens: more threads wait for each other longer than they compute.
    options.intra_op_num_threads = min(physical_cores(), 4)
    options.inter_op_num_threads = 1
    # Threads that wait for work sleep: spinning, 60 lines took 1.03 s of processor time, not 0.80.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(
        str(folder / "model_int8.onnx"), options, providers=["CPUExecutionProvider"]
    )
    return tokenizer, session
