"""Put a plan to an engine and hand its results over part by part while it runs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from app.errors import ClerestoryError
from app.running.handing import HandingOver, Part
from app.running.plan import Plan
from app.running.protocols import Report
from app.running.questions import Chat, Question, ReadAnswer
from app.running.run import Ended, RunSummary, run

if TYPE_CHECKING:
    from app.store.attempts import Attempts


def run_in_parts(
    plan: Plan,
    parts: Sequence[Iterable[Question]],
    chat: Chat,
    attempts: Attempts,
    read: ReadAnswer,
    hand: Callable[[Sequence[Part]], None],
    report: Report,
    stop: threading.Event,
    look_s: float | None = None,
) -> RunSummary:
    """Ask what has no answer yet; each part is handed over once, as soon as it is complete.

    Whatever ends the run, what was answered is handed over before this returns or raises. Parts in
    which the engine failed are handed over only by a run that came to its end.

    Args:
        plan: Made for this engine.
        parts: The questions of each part, in the order of the plan.
        chat: The engine.
        attempts: Where every answer is kept.
        read: Reads an answer.
        hand: Takes parts by their places, on this thread.
        report: Takes progress.
        stop: Ends the run when set.
        look_s: How often parts are handed over; `handing.LOOK_S` if nothing is said.

    Raises:
        EngineMissing, StoreRefused: As `app.running.run.run`.
    """
    handing = HandingOver(plan, parts, hand, look_s)

    def told(share: float, doing: str) -> None:
        report(share, doing)
        handing.look()

    try:
        summary = run(plan, chat, attempts, read, told, stop, handing.take)
    except ClerestoryError:
        handing.hand_over(complete_only=True)
        raise
    handing.hand_over(complete_only=summary.ended is not Ended.DONE)
    return summary
