"""What is known of a reward model as plain text and back: what the library keeps, and `--json`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from app.audit.reward_records import Rows, Trained
from app.scoring.figures import Figure, figure_json
from app.scoring.intervals import Interval
from app.scoring.reward_guards import Guarded

_BY_NAME = ("by_group", "by_flaw")


def figures_json(found: Guarded) -> dict[str, Any]:
    """Give all that is known of a model."""
    told: dict[str, Any] = {}
    for field in fields(found):
        value = getattr(found, field.name)
        told[field.name] = (
            {name: figure_json(figure) for name, figure in value}
            if field.name in _BY_NAME
            else figure_json(value)
        )
    return told


def figures_from_json(told: Mapping[str, Any]) -> Guarded:
    """Read what `figures_json` gave."""
    read: dict[str, Any] = {name: _figure(told[name]) for name in told if name not in _BY_NAME}
    for name in _BY_NAME:
        read[name] = tuple((key, _figure(figure)) for key, figure in told[name].items())
    return Guarded(**read)


def weights_to_text(model: Trained) -> str:
    """Write the weights and which item lies in which part."""
    return json.dumps({"weights": model.weights, "parts": dict(model.parts)}, ensure_ascii=False)


def weights_from_text(text: str) -> tuple[Rows, dict[str, int]]:
    """Read them back."""
    told = json.loads(text)
    return tuple(tuple(row) for row in told["weights"]), told["parts"]


def _figure(told: Mapping[str, Any]) -> Figure:
    bounds: Sequence[float] | None = told["interval_95"]
    interval = Interval(*bounds) if bounds is not None else None
    return Figure(told["value"], told["n"], interval, told["reason"] or "")
