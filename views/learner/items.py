"""The list of events to review: what people decided, and what readers found and still waits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.coding.people_names import people_in
from app.confusion.events import FoundEvent, standing_decisions
from app.confusion.records import Confidence, Event, EventDecision, EventVerdict, Reading
from app.confusion.review import LearnerReview
from app.confusion.stretches import all_found, waiting_events
from views.learner.beside import Beside
from views.learner.marks import EventMark, EventState

STATES = {
    EventVerdict.CONFIRM: EventState.CONFIRMED,
    EventVerdict.ADJUST: EventState.ADJUSTED,
    EventVerdict.DISMISS: EventState.DISMISSED,
    EventVerdict.ADD: EventState.ADDED,
}
DISAGREE, UNSURE, EDGE = 0.5, 0.3, 0.2
"""Shares of what makes an event uncertain: readers differ, the reader is unsure, and the face goes
out of sight beside it. Ours; they order the list and are no probability."""


@dataclass(frozen=True, slots=True)
class Item:
    """One event as the page lists it."""

    event_id: str
    state: EventState
    start_ms: int
    end_ms: int
    reader: str = ""
    found: Event | None = None
    """The reader's own boundaries; `None` of one that a person added."""
    readings: tuple[Reading, ...] = ()
    """Of the reader, inside its own boundaries."""
    note: str = ""
    author: str = ""
    also: tuple[str, ...] = ()
    """Other readers that found something here."""
    doubt: float = 0.0
    """0 to 1: how much a look is worth, of one that waits."""

    @property
    def waits(self) -> bool:
        """Whether nobody has decided on it."""
        return self.state is EventState.SUGGESTED

    @property
    def stands(self) -> bool:
        """Whether a person holds that confusion shows here."""
        return self.state not in (EventState.SUGGESTED, EventState.DISMISSED)

    @property
    def mark(self) -> EventMark:
        """Give it as it is drawn."""
        return EventMark(self.event_id, self.start_ms, self.end_ms, self.state, self.reader)


def items_of(
    review: LearnerReview,
    *,
    shows_readers: bool,
    reader: str = "",
    author: str = "",
    beside: Beside | None = None,
) -> tuple[Item, ...]:
    """List all events in order of time.

    Args:
        review: The video.
        shows_readers: Whether what readers and other people found may be seen.
        reader: Only suggestions of this one; empty for all.
        author: Whose own events are seen in any case.
        beside: What readers found in this video, where it is at hand.
    """
    if not shows_readers:
        beside = Beside((), ())
    elif beside is None:
        beside = Beside(review.latest_bands, all_found(review))
    said = [d for d in review.decisions if shows_readers or author in people_in(d.author)]
    behind = {(one.reader, one.event): one for one in beside.found}
    items = [_decided(decision, behind) for decision in standing_decisions(said)]
    if shows_readers:
        waiting = waiting_events(review, beside.found)
        items += [_waiting(one, beside) for one in waiting if reader in ("", one.reader)]
    return tuple(sorted(items, key=lambda one: (one.start_ms, one.end_ms, one.reader)))


def next_uncertain(items: Sequence[Item], after_id: str) -> Item | None:
    """Give the event most worth a look among those that wait, going round past the one in view."""
    order = sorted((one for one in items if one.waits), key=lambda one: -one.doubt)
    here = next((i for i, one in enumerate(order) if one.event_id == after_id), -1)
    ahead = [*order[here + 1 :], *order[: max(here, 0)]]
    return ahead[0] if ahead else None


def waiting_id(reader: str, event: Event) -> str:
    """Name an event that waits by what it is: the same however often it is looked at."""
    return f"{reader} {event.start_ms}-{event.end_ms}"


def _decided(decision: EventDecision, behind: Mapping[tuple[str, Event], FoundEvent]) -> Item:
    own = None
    if decision.found_start_ms is not None and decision.found_end_ms is not None:
        own = Event(decision.found_start_ms, decision.found_end_ms)
    found = behind.get((decision.reader, own)) if own is not None else None
    return Item(
        decision.event_id,
        STATES[decision.verdict],
        decision.start_ms,
        decision.end_ms,
        decision.reader,
        own,
        found.readings if found else (),
        decision.note,
        decision.author,
    )


def _waiting(one: FoundEvent, beside: Beside) -> Item:
    also = beside.agreeing(one)
    return Item(
        waiting_id(one.reader, one.event),
        EventState.SUGGESTED,
        one.event.start_ms,
        one.event.end_ms,
        one.reader,
        one.event,
        one.readings,
        also=also,
        doubt=_doubt(one, len(also), beside),
    )


def _doubt(one: FoundEvent, agreeing: int, beside: Beside) -> float:
    looked = beside.looked(one)
    differ = 1 - agreeing / looked if looked else 0.0
    sure = [_sureness(r.confidence) for r in one.readings]
    unsure = 1 - sum(sure) / len(sure) if sure else 1.0
    return DISAGREE * differ + UNSURE * unsure + EDGE * beside.goes_out_of_sight(one)


def _sureness(confidence: Confidence | None) -> float:
    return 0.0 if confidence is None else (confidence.weight - 1) / 2
