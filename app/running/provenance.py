"""What made an answer, in pairs of name and value, as it is kept beside what was made of it."""

from __future__ import annotations

from app.running.protocols import EngineFacts
from app.running.questions import Sampler

Pairs = tuple[tuple[str, str], ...]


def engine_provenance(facts: EngineFacts, sampler: Sampler) -> Pairs:
    """Say which model answered, all that pins it down, and how it wrote."""
    return (
        ("run by", f"{facts.name} {facts.version}".strip()),
        *facts.identity,
        ("temperature", f"{sampler.temperature:g}"),
        ("most new tokens", str(sampler.max_tokens)),
        ("seed", str(sampler.seed)),
    )
