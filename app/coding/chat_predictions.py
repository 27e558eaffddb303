"""From the answers of a model to a prediction: draws counted, failures kept, quotes checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from app.coding.chat_answer import Claim, on_the_clock
from app.coding.chat_questions import Asked
from app.coding.evidence import QuoteFinder
from app.coding.records import Prediction, Said
from app.running.questions import RawAnswer, Status
from app.running.results import Result

Pairs = tuple[tuple[str, str], ...]

_OF_SERVER = (("answered by", "model"), ("fingerprint of the server", "fingerprint"))
# How it stands in the provenance, and what engines call it in the details of an answer.

_TOLD = {
    Status.SCHEMA_FAIL: "The model did not keep to the form of the answer, also not when it was "
    "asked again",
    Status.REFUSAL: "The model refused to answer",
    Status.TRUNCATED: "The answer, or the question, was cut off",
    Status.BACKEND_ERROR: "The model could not be asked",
    Status.JUDGE_FAIL: "The answer could not be judged",
}


def not_asked(asked: Asked, coder: str, provenance: Pairs) -> Prediction:
    """Make the prediction of a clip that a model was not asked about."""
    return Prediction(
        asked.clip, coder, "", None, None, (), provenance, asked.note, str(asked.status)
    )


def prediction_of(
    asked: Asked,
    results: Sequence[Result],
    coder: str,
    provenance: Pairs,
    finder: QuoteFinder,
) -> Prediction:
    """Make a prediction of what a model answered, one result for each draw, in their order.

    The practice is that of most draws, its level that of most of those; where it is a tie, those
    of the earliest draw among the tied. The evidence is that of the earliest draw with this code.
    Draws that failed count in the lead as draws for nothing.
    """
    usable = [result for result in results if result.has_value]
    if not usable:
        return _failed(asked, results, coder, provenance)
    chosen, told = _choose(usable)
    claim: Claim = chosen.value
    cited = (finder.check(on_the_clock(c, asked.clip), asked.clip) for c in claim.citations)
    failed = len(results) - len(usable)
    if failed:
        told.append(f"{failed} of {len(results)} draws gave no usable answer.")
    return Prediction(
        clip=asked.clip,
        coder=coder,
        practice=claim.code.practice,
        level=claim.code.level,
        margin=_lead(usable, len(results)) if len(results) > 1 else None,
        evidence=tuple(cited),
        provenance=(*provenance, *_of_answer(asked, results, chosen)),
        note=" ".join(filter(None, (*told, asked.note))),
        status=str(chosen.status),
        said=tuple(map(_said, results)),
    )


def _failed(asked: Asked, results: Sequence[Result], coder: str, provenance: Pairs) -> Prediction:
    """Make the prediction of a clip on which no draw gave a usable answer."""
    first = results[0]
    return Prediction(
        clip=asked.clip,
        coder=coder,
        practice="",
        level=None,
        margin=None,
        evidence=(),
        provenance=(*provenance, *_of_answer(asked, results, first)),
        note=" ".join(filter(None, (_failure(first), asked.note))),
        status=str(first.status),
        said=tuple(map(_said, results)),
    )


def _choose(usable: Sequence[Result]) -> tuple[Result, list[str]]:
    """Choose the draw that speaks for all, and say where there was no majority."""
    practices = [result.value.code.practice for result in usable]
    practice, tied = _most(practices)
    told = []
    if len(tied) > 1:
        told.append(
            f"The draws are tied between {' and '.join(tied)}; that of the earliest is given."
        )
    own = [result for result in usable if result.value.code.practice == practice]
    level, _ = _most([str(result.value.code.level) for result in own])
    return next(r for r in own if str(r.value.code.level) == level), told


def _most(said: Sequence[str]) -> tuple[str, list[str]]:
    """Give what was said most often, the earliest of those tied, and all that are tied."""
    counts = Counter(said)
    most = max(counts.values())
    tied = [one for one in counts if counts[one] == most]
    return tied[0], tied


def _lead(usable: Sequence[Result], draws: int) -> float:
    """Give the lead of the first practice over the second, as a share of all draws."""
    ranked = sorted(Counter(r.value.code.practice for r in usable).values(), reverse=True)
    return (ranked[0] - (ranked[1] if len(ranked) > 1 else 0)) / draws


def _said(result: Result) -> Said:
    code = result.value.code if result.has_value else None
    return Said(code, str(result.status), result.answer_key or result.key)


def _failure(result: Result) -> str:
    """Say in plain words why there is no code."""
    told = _TOLD.get(result.status, "There is no usable answer")
    return f"{told}: {result.error}" if result.error else f"{told}."


def _of_answer(asked: Asked, results: Sequence[Result], chosen: Result) -> Pairs:
    """Tell what was shown and what it took."""
    told: list[tuple[str, str]] = []
    if asked.frames:
        times = ", ".join(map(str, asked.frames))
        told.append(("frames", f"{len(asked.frames)} at {times} ms"))
    if asked.left_out:
        told.append(("left out", f"utterances {asked.left_out[0]} to {asked.left_out[-1]}"))
    raws = [result.raw for result in results]
    told += _of_server(raws)
    told += [
        ("tokens in", _sum([raw.tokens_in for raw in raws])),
        ("tokens out", _sum([raw.tokens_out for raw in raws])),
        ("seconds", f"{sum(raw.seconds for raw in raws):.3f}"),
        ("attempt", chosen.answer_key or chosen.key),
        ("retry", "yes" if chosen.answer_key not in ("", chosen.key) else "no"),
    ]
    return tuple(told)


def _of_server(raws: Sequence[RawAnswer]) -> Iterator[tuple[str, str]]:
    """Give what a server says of itself: it may serve another model than it was asked for, and its
    fingerprint changes when what runs there does.
    """
    for name, detail in _OF_SERVER:
        said = [value for raw in raws for key, value in raw.details if key == detail]
        if said:
            yield name, ", ".join(dict.fromkeys(said))


def _sum(counts: Sequence[int | None]) -> str:
    known = [count for count in counts if count is not None]
    return str(sum(known)) if len(known) == len(counts) else "not told"
