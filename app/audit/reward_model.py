"""Teaches the built-in reward model by pairs, and has it put responses in order.

A response is the mean of the vectors of its sentences, brought to length 1. So no response is too
long for the sentence model, and what is appended is read like the rest. The prompt has no part in
it: both responses of a pair answer the same one. The models of the parts are each taught by four
fifths of the items; what is said of the whole is said of items that the one at work never saw.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from app.audit.checks_of_judges import PADDING
from app.audit.reward_records import Pair, PairOrigin, Trained
from app.errors import Cancelled, Refused
from app.running.protocols import Embedder, Report, no_report
from app.running.questions import digest_of
from app.scoring.audit_means import share_over_items
from app.scoring.figures import Figure
from app.scoring.intervals import Floats
from app.scoring.reward import FOLDS, cross_fit, deal
from app.scoring.reward_guards import HeldOut, guard

FEWEST_ITEMS = 15
"""Three a part; with fewer, each part's model is tried on a pair or two."""

PADDINGS = (
    PADDING,
    "There are many sides to this, and it is good to think about all of them. Every day brings "
    "something new, and that is part of the work. It helps to keep the whole picture in mind and "
    "to look at things as they come. With that said, we can go on from here in the way that suits "
    "everybody.",
    "This is my answer to the question. The question was an interesting one. Questions of this "
    "kind come up again and again. It is always worth giving them a moment.",
)
"""Four sentences without content each; the model is held to the one that shifts it most."""

_SENTENCE_END = re.compile(r"(?:(?<=[.!?…])|(?<=[.!?…][\"”’)]))\s+")
_TRIED_BESIDE = 8
_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Compared:
    """A response that is to be held against another to the same item."""

    item_id: str
    strategy: str
    response: str
    reference: str


@dataclass(frozen=True, slots=True)
class WinRates:
    """How often responses are put above those they are held against; a tie is no win."""

    overall: Figure
    by_strategy: tuple[tuple[str, Figure], ...]


def train(
    pairs: Sequence[Pair],
    embedder: Embedder,
    seed: int = 0,
    report: Report = no_report,
    stop: threading.Event | None = None,
) -> Trained:
    """Teach a model by pairs and find out what it is worth.

    Args:
        pairs: All that may teach it.
        embedder: Gives the vectors; it is not changed.
        seed: Deals the items into parts.
        report: Told what is being done.
        stop: Set to stop.

    Raises:
        Refused: There are pairs of fewer than `FEWEST_ITEMS` items.
        Cancelled: `stop` was set.
    """
    units = units_of(pairs)
    items = set(units)
    if len(items) < FEWEST_ITEMS:
        raise Refused(
            f"A reward model needs pairs of {FEWEST_ITEMS} items; there are {len(items)}.",
            "Make more pairs, bring some in, or add the starter pairs.",
        )
    parts = deal(units, [pair.strategy for pair in pairs], seed=seed)
    texts = [pair.chosen for pair in pairs] + [pair.rejected for pair in pairs]
    cut = [sentences_of(text) for text in texts]
    behind = [sentences_of(padding) for padding in PADDINGS]
    known = _embedded(embedder, [*cut, *behind], report, stop)
    plain = _means(known, cut)
    padded = [_means(known, [[*sentences, *more] for sentences in cut]) for more in behind]
    report(0.9, "fitting the weights")
    fitted = cross_fit(plain[: len(pairs)] - plain[len(pairs) :], parts)
    held_out = _held_out(pairs, fitted.weights[parts], plain, padded)
    shift = batch_shift(embedder, fitted.weights, texts)
    report(1.0, "the reward model is trained")
    return Trained(
        figures=guard(held_out, parts, shift),
        weights=tuple(tuple(map(float, row)) for row in fitted.weights),
        parts={p.item_id: int(part) for p, part in zip(pairs, parts, strict=True)},
        provenance=_provenance(pairs, embedder, seed, fitted.penalties),
    )


def units_of(pairs: Sequence[Pair]) -> list[str]:
    """Give of each pair what it is dealt by: pairs that share an item or a prompt go together.

    A set that was brought in may hold an item of ours under another id.
    """
    leads_to: dict[str, str] = {}

    def end_of(name: str) -> str:
        while leads_to.setdefault(name, name) != name:
            name = leads_to[name]
        return name

    for pair in pairs:
        words = " ".join(pair.prompt.split())
        if words:
            leads_to[end_of(f"prompt {words}")] = end_of(f"item {pair.item_id}")
    return [end_of(f"item {pair.item_id}") for pair in pairs]


def reads_alike(model: Trained, embedder: Embedder) -> bool:
    """Say whether a model was taught on vectors of this sentence model; others it cannot read."""
    return set(_vectors_by(embedder)) <= set(model.provenance)


def rewards(
    model: Trained, embedder: Embedder, texts: Sequence[str], items: Sequence[str]
) -> Floats:
    """Give the reward of each response, by the model that never saw its item.

    Only rewards of responses to one item can be compared. To an item that taught none of the
    models, the mean of all is given.
    """
    weights = np.array(model.weights)
    known = [model.parts.get(item) for item in items]
    rows = [weights.mean(axis=0) if part is None else weights[part] for part in known]
    vectors = vectors_of(embedder, texts)
    given: Floats = np.einsum("nd,nd->n", vectors, np.array(rows).reshape(vectors.shape))
    return given


def win_rates(model: Trained, embedder: Embedder, compared: Sequence[Compared]) -> WinRates:
    """Say how often the model puts responses above those that they are held against.

    Raises:
        ValueError: The model may not rank.
    """
    if not model.may_rank:
        raise ValueError("this reward model may not rank")
    items = [one.item_id for one in compared]
    above = rewards(model, embedder, [one.response for one in compared], items)
    below = rewards(model, embedder, [one.reference for one in compared], items)
    won = [
        (one.strategy, one.item_id, bool(a > b))
        for one, a, b in zip(compared, above, below, strict=True)
    ]
    reason = "there is no response to compare"
    strategies = dict.fromkeys(one.strategy for one in compared)
    return WinRates(
        share_over_items([(item, wins) for _, item, wins in won], reason),
        tuple(
            (name, share_over_items([(i, w) for s, i, w in won if s == name], reason))
            for name in strategies
        ),
    )


def sentences_of(text: str) -> list[str]:
    """Cut a response into its sentences; one without an end is a sentence too."""
    return [piece.strip() for piece in _SENTENCE_END.split(text) if piece.strip()]


def vectors_of(embedder: Embedder, texts: Sequence[str]) -> Floats:
    """Give (n, d) rows of length 1: of each response, the mean of its sentences' vectors."""
    cut = [sentences_of(text) for text in texts]
    return _means(_embedded(embedder, cut, no_report, None), cut)


def batch_shift(embedder: Embedder, weights: Floats, texts: Sequence[str]) -> float:
    """Give the largest difference between the reward of a sentence alone and beside a long one.

    Spaces behind a sentence are no part of it; here they keep an embedder that remembers what it
    has embedded from giving the same numbers twice.
    """
    single = sorted({s for text in texts for s in sentences_of(text)}, key=len)
    tried, longest = single[:_TRIED_BESIDE], single[-1]
    alone = np.concatenate([embedder.embed([f"{sentence} "]) for sentence in tried])
    beside = embedder.embed([f"{sentence}  " for sentence in (*tried, longest)])[: len(tried)]
    return float(np.abs((alone - beside) @ weights.T).max())


def _embedded(
    embedder: Embedder,
    cut: Sequence[Sequence[str]],
    report: Report,
    stop: threading.Event | None,
) -> dict[str, Floats]:
    """Give the vector of each sentence, some at a time, so that the work can be stopped."""
    single = list(dict.fromkeys(sentence for sentences in cut for sentence in sentences))
    known: dict[str, Floats] = {}
    for at in range(0, len(single), _AT_ONCE):
        if stop is not None and stop.is_set():
            raise Cancelled()
        report(0.9 * at / len(single), f"reading sentences, {at} of {len(single)}")
        some = single[at : at + _AT_ONCE]
        known.update(zip(some, embedder.embed(some).astype(np.float64), strict=True))
    return known


def _means(known: Mapping[str, Floats], cut: Sequence[Sequence[str]]) -> Floats:
    means = np.array([np.mean([known[one] for one in sentences], axis=0) for sentences in cut])
    lengths = np.linalg.norm(means, axis=1, keepdims=True)
    unit: Floats = means / np.where(lengths > 0, lengths, 1.0)
    return unit


def _held_out(
    pairs: Sequence[Pair], weights: Floats, plain: Floats, padded: Sequence[Floats]
) -> list[HeldOut]:
    """Put together how each pair is scored; `weights` has the row of each pair's part."""
    doubled = np.concatenate([weights, weights])
    scores = (plain * doubled).sum(axis=1)
    shifts = np.array([((one - plain) * doubled).sum(axis=1) for one in padded])
    return [
        HeldOut(
            item=pair.item_id,
            group=pair.strategy,
            flaw=str(pair.flaw or ""),
            chosen=float(scores[at]),
            rejected=float(scores[at + len(pairs)]),
            chosen_words=len(pair.chosen.split()),
            rejected_words=len(pair.rejected.split()),
            chosen_shifts=tuple(map(float, shifts[:, at])),
            rejected_shifts=tuple(map(float, shifts[:, at + len(pairs)])),
        )
        for at, pair in enumerate(pairs)
    ]


def _provenance(
    pairs: Sequence[Pair], embedder: Embedder, seed: int, penalties: Sequence[float]
) -> tuple[tuple[str, str], ...]:
    words = [[pair.item_id, pair.chosen, pair.rejected] for pair in pairs]
    return (
        ("model", "Bradley-Terry on frozen vectors"),
        *_vectors_by(embedder),
        ("items", str(len({pair.item_id for pair in pairs}))),
        *((f"pairs {origin}", str(_count(pairs, origin))) for origin in PairOrigin),
        ("pairs", f"sha256 {digest_of(words)}"),
        ("parts", f"{FOLDS}, seed {seed}"),
        ("penalties", ", ".join(f"{penalty:g}" for penalty in penalties)),
        ("padding", f"sha256 {digest_of(list(PADDINGS))}"),
    )


def _vectors_by(embedder: Embedder) -> tuple[tuple[str, str], ...]:
    facts = embedder.facts()
    return (("vectors", f"{facts.name} {facts.version}".strip()), *facts.identity)


def _count(pairs: Sequence[Pair], origin: PairOrigin) -> int:
    return sum(pair.origin is origin for pair in pairs)
