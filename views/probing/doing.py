"""From the wish to have evidence tested to the job: what it takes first, then the start."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.coding.conditions import parse_choice
from app.probing_lessons import ProbePlan
from views.background import Background, Job, Lane
from views.notices import Notices
from views.plan.dialog import ask_to_start
from views.plan.where import where_words
from views.plan.words import PlanPart
from views.probing.words import (
    NO_MODEL_CODED,
    SEVERAL_CODED,
    plan_remarks,
    refusal_words,
    title_words,
)

if TYPE_CHECKING:
    from app.desk import Desk


@dataclass(frozen=True, slots=True)
class Wish:
    """Whose evidence is to be tested, and where."""

    lesson_id: str
    title: str
    coder: str
    """Whose predictions; where it asks no model, the one model that coded the lesson is meant."""
    clip_ids: tuple[str, ...] | None
    """`None` for the whole lesson."""


class Probing(QObject):
    """Shows what testing evidence takes, and starts it.

    Args:
        desk: What a reviewer can have done.
        background: Reckons what it takes, off the window's thread.
        notices: Where trouble is told.
        start: Starts the job once a person has agreed.
        window: The window the plan is shown over.
    """

    def __init__(
        self,
        desk: Desk,
        background: Background,
        notices: Notices,
        start: Callable[[Wish], None],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._desk, self._background, self._notices = desk, background, notices
        self._start, self._window = start, window

    def ask(self, wish: Wish) -> None:
        """Go on with a wish: the plan first, then the job."""
        self._background.start(
            Job(f"Reckon what testing evidence in “{wish.title}” takes", Lane.LOOK, wish.lesson_id),
            lambda _report, _stop: self._reckon(wish),
            partial(self._show_plan, wish),
            self._notices.trouble,
        )

    def _reckon(self, wish: Wish) -> ProbePlan | tuple[str, str]:
        """Plan it, or say why it is not clear whose evidence is meant."""
        able = self._desk.probing.coders([wish.lesson_id])
        coder = able[0] if wish.coder not in able and len(able) == 1 else wish.coder
        if coder not in able and wish.clip_ids is None:
            return SEVERAL_CODED if able else NO_MODEL_CODED
        return self._desk.probing.plan([wish.lesson_id], coder, wish.clip_ids)

    def _show_plan(self, wish: Wish, plan: ProbePlan | tuple[str, str]) -> None:
        if isinstance(plan, tuple):
            self._notices.tell(*plan)
            return
        if plan.estimate is None:
            self._notices.tell(*refusal_words(plan))
            return
        where, leaves = where_words(self._desk.engines(), parse_choice(plan.coder))
        if ask_to_start(
            title_words(wish.title, plan.coder, wish.clip_ids),
            [PlanPart("Tests", plan.estimate)],
            where,
            leaves=leaves,
            remarks=plan_remarks(plan),
            parent=self._window,
        ):
            self._start(Wish(wish.lesson_id, wish.title, plan.coder, wish.clip_ids))
