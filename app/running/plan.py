"""What is going to be asked of an engine, and what it will take, before anything is asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.running.protocols import EngineFacts
from app.running.questions import Question

if TYPE_CHECKING:
    from app.store.attempts import Attempts, Pace

CHARACTERS_A_TOKEN = 4
"""A rough figure for English; used only until the model itself has been measured."""

TOKENS_A_FRAME = 600
"""Likewise: models of the Qwen-VL kind take hundreds to thousands, by the size of the picture."""


ROUGH = (
    f" The tokens are a rough figure, {CHARACTERS_A_TOKEN} letters for one, until this model has "
    "answered something here."
)
"""The model's own count would need the model in memory, and a plan must load and ask nothing."""


@dataclass(frozen=True, slots=True)
class Draw:
    """One answer that is wanted."""

    question: Question
    draw: int
    key: str


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that is wanted of one engine."""

    title: str
    facts: EngineFacts
    """Of the engine that is asked; its identity is in every key."""
    draws: tuple[Draw, ...]
    """In the order of the questions, then of their draws."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a plan will take."""

    answers: int
    """All answers wanted."""
    cached: int
    """Answers that are there already, for which nothing is asked."""
    tokens_in: int
    """Tokens to be read; measured on this model where `measured`, else a rough figure."""
    tokens_out: int
    """Tokens to be written; at most what the questions allow where not `measured`."""
    seconds: float | None
    """`None` until this model has answered something here."""
    cost: float | None
    """`None` for a model on this computer, and where no price is known."""
    currency: str
    measured: bool
    """Whether the figures are those of earlier answers of this model."""

    @property
    def calls(self) -> int:
        """Answers still to be asked for; a broken one takes a second call."""
        return self.answers - self.cached


def make_plan(title: str, questions: Iterable[Question], facts: EngineFacts) -> Plan:
    """List every answer that is wanted, each under its key."""
    return Plan(
        title,
        facts,
        tuple(
            Draw(question, draw, key)
            for question in questions
            for draw, key in enumerate(question.keys(facts.identity, range(question.draws)))
        ),
    )


def estimate(plan: Plan, store: Attempts) -> Estimate:
    """Say what a plan will take; asks nothing."""
    wanted = {draw.key: draw for draw in plan.draws}
    there = store.standing(wanted)
    left = [draw for key, draw in wanted.items() if key not in there]
    pace = store.pace(plan.facts)
    tokens_in, tokens_out = _tokens(left, pace)
    price = plan.facts.price
    seconds = None
    if not left:
        seconds = 0.0
    elif pace.seconds is not None:
        seconds = pace.seconds * len(left) / min(plan.facts.in_flight, len(left))
    return Estimate(
        answers=len(plan.draws),
        cached=len(plan.draws) - len(left),
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        seconds=seconds,
        cost=cost_of(plan.facts, tokens_in, tokens_out),
        currency=price.currency if price else "",
        measured=pace.tokens_in is not None and pace.tokens_out is not None,
    )


def cost_of(facts: EngineFacts, tokens_in: int, tokens_out: int) -> float | None:
    """Say what some tokens cost; `None` where no price is known."""
    price = facts.price
    if price is None:
        return None
    return (tokens_in * price.per_million_in + tokens_out * price.per_million_out) / 1_000_000


def duration_in_words(seconds: float) -> str:
    """Say a length of time the way people do, e.g. `2 h 10 min`."""
    if seconds < 90:
        return f"{max(round(seconds), 1)} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours < 48 else f"{round(hours / 24)} days"


def estimate_in_words(expected: Estimate) -> str:
    """Say what a plan will take in a sentence or two."""
    if not expected.calls:
        return "Every answer is there already; nothing is asked."
    parts = [f"about {duration_in_words(expected.seconds)}"] if expected.seconds else []
    if not parts:
        parts = ["time unknown until the first answers"]
    parts.append(f"roughly {expected.tokens_in:,} tokens in and {expected.tokens_out:,} out")
    if expected.cost is not None:
        parts.append(f"about {expected.cost:,.2f} {expected.currency}")
    there = f", {expected.cached:,} of them there already" if expected.cached else ""
    rough = "" if expected.measured else ROUGH
    return (
        f"{expected.answers:,} answers{there}; {expected.calls:,} to ask: {', '.join(parts)}. "
        f"Answers that break the format are asked once more.{rough}"
    )


def _tokens(draws: Sequence[Draw], pace: Pace) -> tuple[int, int]:
    """Give the tokens to be read and written."""
    read = [_size(draw.question) for draw in draws]
    write = sum(draw.question.sampler.max_tokens for draw in draws)
    tokens_in = sum(read) if pace.tokens_in is None else round(pace.tokens_in * len(draws))
    tokens_out = write if pace.tokens_out is None else round(pace.tokens_out * len(draws))
    return tokens_in, tokens_out


def _size(question: Question) -> int:
    parts = [part for message in question.messages for part in message.parts]
    characters = sum(len(part) for part in parts if isinstance(part, str))
    frames = sum(not isinstance(part, str) for part in parts)
    return characters // CHARACTERS_A_TOKEN + TOKENS_A_FRAME * frames
