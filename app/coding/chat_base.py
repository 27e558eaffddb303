"""What coding by a model and testing its evidence have in common: a model, and how it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.coding.chat_questions import Asking
from app.coding.conditions import CoderChoice
from app.coding.practices import Practice, read_practices
from app.coding.prompts import Prompt, read_prompt
from app.running.questions import Chat
from app.running.showing import FRAME_PX
from resources import resource

if TYPE_CHECKING:
    from app.store.attempts import Attempts


class AsksModel:
    """Asks one model under one condition, the same way whatever is asked.

    Args:
        choice: The model by name, its condition, how many draws.
        chat: The model.
        attempts: Where every answer is kept.
        practices: Whose definitions are told; `None` takes what is shipped.
        prompt: The words; `None` takes what is shipped.
        frame_px: Longest side of a frame.
    """

    def __init__(
        self,
        choice: CoderChoice,
        chat: Chat,
        attempts: Attempts,
        practices: Sequence[Practice] | None = None,
        prompt: Prompt | None = None,
        frame_px: int = FRAME_PX,
    ) -> None:
        if practices is None:
            practices = read_practices(resource("practices.toml"))
        self._choice, self._chat, self._attempts = choice, chat, attempts
        self._facts = chat.facts()
        self._practices = tuple(practices)
        prompt = prompt or read_prompt(resource("prompts/cip.toml"))
        self._asking = Asking(choice, self._facts, self._practices, prompt, frame_px)
