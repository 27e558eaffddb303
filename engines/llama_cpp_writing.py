"""Write several answers to one question together: fork what was read, one batch a step."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from app.errors import Cancelled, EngineStopped
from app.running.protocols import Report
from app.running.questions import Sampler
from engines.llama_cpp_api import Llama
from engines.llama_cpp_guard import Guard

_REPORT_EVERY = 16


@dataclass(slots=True)
class Draft:
    """An answer while it is written."""

    seed: int
    guard: Guard | None
    random: np.random.Generator = field(init=False)
    written: list[int] = field(default_factory=list)
    finish: str = ""

    def __post_init__(self) -> None:
        self.random = np.random.default_rng(self.seed % 2**64)


def write(
    llama: Llama,
    position: int,
    drafts: Sequence[Draft],
    sampler: Sampler,
    report: Report,
    stop: threading.Event,
) -> None:
    """Write drafts to their ends, all from the prompt that sequence 0 holds.

    Args:
        llama: Has just read the prompt.
        position: Where the first token of an answer stands.
        drafts: At most as many as the model has sequences; changed in place.
        sampler: Its seed is not looked at, since each draft has its own.
        report: Takes progress.
        stop: Looked at between tokens.

    Raises:
        Cancelled: `stop` was set.
        EngineStopped: llama.cpp refused.
    """
    try:
        first = llama.scores(-1).copy()
        for number, draft in enumerate(drafts):
            llama.fork(number + 1)
            _take(llama, draft, first, sampler)
        for step in range(sampler.max_tokens):
            going = [(n, draft) for n, draft in enumerate(drafts) if not draft.finish]
            if not going:
                return
            if stop.is_set():
                raise Cancelled()
            if step % _REPORT_EVERY == 0:
                report(step / sampler.max_tokens, f"writing ({step} tokens)")
            llama.read(
                [draft.written[-1] for _, draft in going],
                [position + step] * len(going),
                [number + 1 for number, _ in going],
                every=True,
                stop=stop,
            )
            for place, (_, draft) in enumerate(going):
                _take(llama, draft, llama.scores(place), sampler)
    finally:
        for number, _ in enumerate(drafts):
            llama.forget(number + 1)


def _take(llama: Llama, draft: Draft, scores: NDArray[np.float32], sampler: Sampler) -> None:
    token = choose(scores, draft, sampler)
    if llama.is_end(token):
        draft.finish = "stop"
        return
    if len(draft.written) >= sampler.max_tokens:
        draft.finish = "length"
        return
    if draft.guard is not None:
        draft.guard.take(token)
    draft.written.append(token)


def choose(scores: NDArray[np.float32], draft: Draft, sampler: Sampler) -> int:
    """Choose the next token of a draft, by its own random numbers.

    Raises:
        EngineStopped: The scores are no numbers, or nothing may come next.
    """
    guard = draft.guard
    if guard is not None and sampler.top_p < 1:
        return pick(guard.only_allowed(scores), sampler, draft.random)
    token = pick(scores, sampler, draft.random)
    if guard is None or guard.allows(token):
        return token
    # Choosing among all first and among the allowed only when that fails gives each allowed
    # token the same chance as choosing among the allowed at once, and is much quicker.
    return pick(guard.only_allowed(scores), sampler, draft.random)


def pick(scores: NDArray[np.float32], sampler: Sampler, random: np.random.Generator) -> int:
    """Choose a token by its scores: the best at temperature 0, by chance above.

    Args:
        scores: (n_vocab,) float32; minus infinity for what may not be chosen.
        sampler: Temperature and `top_p`.
        random: Where chance comes from; one number is taken.

    Raises:
        EngineStopped: The scores are no numbers, or nothing may be chosen.
    """
    best = int(np.argmax(scores))
    # argmax finds NaN first, so that this looks at all scores.
    if not np.isfinite(scores[best]):
        raise EngineStopped(
            "The model's scores are not numbers, so nothing it writes can be used.",
            "Try without the graphics card, or fetch the model again.",
        )
    if sampler.temperature <= 0:
        return best
    shares = np.exp((scores - scores[best]).astype(np.float64) / sampler.temperature)
    if sampler.top_p >= 1:
        return _drawn(np.arange(len(shares)), shares, random)
    order = np.argsort(-shares, kind="stable")
    summed = np.cumsum(shares[order])
    # The fewest tokens that have the share together; at least one.
    count = int(np.searchsorted(summed, sampler.top_p * summed[-1])) + 1
    chosen = order[:count]
    return _drawn(chosen, shares[chosen], random)


def _drawn(
    tokens: NDArray[np.intp], shares: NDArray[np.float64], random: np.random.Generator
) -> int:
    summed = np.cumsum(shares)
    place = int(np.searchsorted(summed, random.random() * summed[-1], side="right"))
    return int(tokens[min(place, len(tokens) - 1)])
