"""Where words and frames go when a model is asked, in sentences for the plan."""

from __future__ import annotations

from collections.abc import Iterable

from app.answering import EngineChoice
from app.coding.conditions import CoderChoice, Input

STAYS = "Nothing leaves this computer."


def where_words(engines: Iterable[EngineChoice], choice: CoderChoice) -> tuple[list[str], bool]:
    """Say where words and frames go, and whether they leave this computer.

    Args:
        engines: The models that may code.
        choice: The coder that is to be asked.
    """
    for engine in engines:
        if engine.name == choice.engine and engine.leaves:
            sees = choice.condition is not None and choice.condition.input is Input.TV
            what = "Words and frames" if sees else "Words"
            return [f"{what} of this lesson go to {engine.title}, at {engine.goes_to}."], True
    return [STAYS], False
