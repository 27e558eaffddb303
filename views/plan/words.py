"""What a plan will take, in words: one column for each part, and one for all of it together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.running.plan import Estimate, duration_in_words
from views.jobs.asked import money_words

UNKNOWN = "–"
QUANTITIES = (
    "Answers wanted",
    "There already",
    "Calls to make",
    "Time",
    "Tokens to read",
    "Tokens to write",
    "Cost",
    "These figures are",
)
"""What is said of each part, in this order."""


@dataclass(frozen=True, slots=True)
class PlanPart:
    """One part of what is about to be started, e.g. the coding, then the probes."""

    label: str
    """A word or two."""
    expected: Estimate


def part_words(expected: Estimate) -> tuple[str, ...]:
    """Write one part, in the order of `QUANTITIES`."""
    return (
        *_counts(expected.answers, expected.cached),
        _time(expected.seconds),
        f"about {expected.tokens_in:,}" if expected.calls else "0",
        f"{_most([expected])} {expected.tokens_out:,}" if expected.calls else "0",
        _cost([expected]),
        _basis([expected]),
    )


def together_words(parts: Sequence[PlanPart]) -> tuple[str, ...]:
    """Write all parts together, in the order of `QUANTITIES`; they run one after another.

    What is unknown of one part is unknown of the whole: a sum without it would be too small.
    """
    all_of = [part.expected for part in parts]
    times = [each.seconds for each in all_of if each.seconds is not None]
    calls = sum(each.calls for each in all_of)
    most = _most([each for each in all_of if each.calls])
    return (
        *_counts(sum(each.answers for each in all_of), sum(each.cached for each in all_of)),
        _time(sum(times) if len(times) == len(all_of) else None),
        f"about {sum(each.tokens_in for each in all_of):,}" if calls else "0",
        f"{most} {sum(each.tokens_out for each in all_of):,}" if calls else "0",
        _cost(all_of),
        _basis(all_of),
    )


def plan_notes(parts: Sequence[PlanPart]) -> tuple[str, ...]:
    """Say what a person should know to read the figures, each in a sentence."""
    to_ask = [part.expected for part in parts if part.expected.calls]
    if not to_ask:
        return ("Every answer is there already. Nothing is asked, and starting costs nothing.",)
    notes = ["An answer that breaks the format is asked for once more, which is not in the sums."]
    if any(each.seconds is None for each in to_ask):
        notes.append("How long it takes is not known until this model has answered here.")
    if any(not each.measured for each in to_ask):
        notes.append(
            "“Rough” means reckoned from the length of the questions, not measured on this model; "
            "what is to be written is then the most that may come."
        )
    if any(each.cost is None for each in to_ask):
        notes.append(
            f"“{UNKNOWN}” under cost means that no price is known. A model on this computer costs "
            "nothing but electricity."
        )
    return tuple(notes)


def _counts(answers: int, cached: int) -> tuple[str, str, str]:
    return f"{answers:,}", f"{cached:,}", f"{answers - cached:,}"


def _most(to_ask: Sequence[Estimate]) -> str:
    """Say what kind of figure the tokens to be written are: an average, or a limit."""
    measured = sum(each.measured for each in to_ask)
    if measured == len(to_ask):
        return "about"
    return "up to about" if measured else "at most"


def _time(seconds: float | None) -> str:
    if seconds is None:
        return f"{UNKNOWN} not known yet"
    return f"about {duration_in_words(seconds)}" if seconds else "none"


def _cost(all_of: Sequence[Estimate]) -> str:
    to_ask = [each for each in all_of if each.calls]
    if not to_ask:
        return "none"
    costs = [each.cost for each in to_ask if each.cost is not None]
    currencies = sorted({each.currency for each in to_ask if each.cost is not None})
    if len(costs) < len(to_ask):
        return UNKNOWN
    sums = [
        sum(each.cost or 0.0 for each in to_ask if each.currency == currency)
        for currency in currencies
    ]
    told = [money_words(cost, name) for cost, name in zip(sums, currencies, strict=True)]
    together = " and ".join(told)
    if not all(each.measured for each in to_ask):
        return f"roughly {together}"
    return together if together.startswith("under") else f"about {together}"


def _basis(all_of: Sequence[Estimate]) -> str:
    to_ask = [each for each in all_of if each.calls]
    if not to_ask:
        return "certain"
    measured = sum(each.measured for each in to_ask)
    if measured == len(to_ask):
        return "measured on this model"
    return "rough" if not measured else "partly rough"
