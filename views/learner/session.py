"""One learner video under review: what stands, and every change a person can make to it.

Each change is one quick, durable call to the library. A refusal is told and changes nothing.

Blind mode and events. A reviewer who works blind marks the stretches that they see and then says
so, once for each video: “I have marked what I see”. Only then do the bands of readers, their cues
and their suggestions come into view. Marking one event is not enough, since the next one could
follow the bands, and somebody who saw no confusion must be able to say that as well. Who said it,
and when, is kept; what was decided before that moment was decided blind.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.coding.people_names import people_in
from app.confusion.blind import marking_name
from app.confusion.boundaries import Edge, Moved, drag, new_event
from app.confusion.records import Bands, Event, EventDecision, EventVerdict
from app.confusion.review import LearnerReview
from app.confusion.stretches import all_found
from app.errors import ClerestoryError, Refused
from app.lesson.spans import Span
from views.learner.beside import Beside
from views.learner.drafts import BegunEvent, NoteDrafts
from views.learner.items import Item, items_of
from views.learner.marks import EventState

if TYPE_CHECKING:
    from app.desk import Desk


State = tuple[LearnerReview, str, bool, str]
"""What the list of events follows from: the review, the reader, what is seen, and by whom."""


class LearnerSession(QObject):
    """Holds the learner video that is open.

    Signals:
        changed: The review as it stands now.
        refused: Why a change could not be made.
        told: Something to know of a change: message and hint.
        author_missing: A change needs the reviewer's name first.
    """

    changed = Signal(object)
    refused = Signal(object)
    told = Signal(str, str)
    author_missing = Signal()

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.review: LearnerReview | None = None
        self.reader = ""
        """Whose suggestions are listed; empty for all readers'."""
        self._looked_at = ""
        self._found: tuple[tuple[Bands, ...], Beside] | None = None
        """The readers' events, and the runs they follow from: worked out once for each."""
        self._listed: tuple[State, tuple[Item, ...]] | None = None
        self._drafts: NoteDrafts | None = None
        self._begun: BegunEvent | None = None

    # What is open

    def open(self, lesson_id: str) -> bool:
        """Open a video; says whether it could be read."""
        self.reader = ""
        return self._load(lesson_id)

    def close(self) -> None:
        """Let go of the video."""
        self.review = None

    def reload(self) -> None:
        """Read the open video again, after a job, a setting or another reviewer has changed it."""
        if self.review is not None:
            self._load(self.review.lesson_id)

    @property
    def span(self) -> Span | None:
        """The stretch that all of it runs over: the recording, else what was read."""
        if self.review is None:
            return None
        if self.review.media is not None:
            return self.review.media.span
        readings = [r for bands in self.review.bands for r in bands.readings]
        if not readings:
            return None
        return Span(min(r.start_ms for r in readings), max(r.end_ms for r in readings))

    @property
    def shows_readers(self) -> bool:
        """Whether what readers say may be seen: always, or once the own marking is committed."""
        return not self._desk.settings.blind or bool(self._looked_at)

    @property
    def marked_at(self) -> str:
        """When this reviewer said that their own marking is done; empty if never."""
        return self._looked_at

    @property
    def items(self) -> tuple[Item, ...]:
        """All events that may be seen, in order of time."""
        if self.review is None:
            return ()
        state = (self.review, self.reader, self.shows_readers, self._desk.author)
        if self._listed is None or not _same(self._listed[0], state):
            if self._found is None or self._found[0] is not self.review.bands:
                beside = Beside(self.review.latest_bands, all_found(self.review))
                self._found = (self.review.bands, beside)
            items = items_of(
                self.review,
                shows_readers=self.shows_readers,
                reader=self.reader,
                author=self._desk.author,
                beside=self._found[1],
            )
            self._listed = (state, items)
        return self._listed[1]

    def item(self, event_id: str) -> Item | None:
        """Find an event."""
        return next((one for one in self.items if one.event_id == event_id), None)

    # Decisions

    def confirm(self, item: Item, note: str) -> str:
        """Say that confusion shows where a reader or a person found it; gives the event's name."""
        moved = item.found is not None and item.found != Event(item.start_ms, item.end_ms)
        verdict = EventVerdict.ADJUST if moved else EventVerdict.CONFIRM
        if item.found is None:
            verdict = EventVerdict.ADD
        return self._decide(item, verdict, item.start_ms, item.end_ms, note)

    def dismiss(self, item: Item, note: str) -> str:
        """Say that no confusion shows there; the reader's windows stay as they are."""
        return self._decide(item, EventVerdict.DISMISS, item.start_ms, item.end_ms, note)

    def set_edge(self, item: Item, edge: Edge, time_ms: int, note: str) -> str:
        """Let an event begin or end at a moment."""
        if self.span is None:
            return ""
        moved = drag(Event(item.start_ms, item.end_ms), edge, time_ms, self.span)
        return self._move(item, moved, note)

    def move(self, item: Item, start_ms: int, end_ms: int, note: str) -> str:
        """Give an event other edges."""
        return self._move(item, Moved(Event(start_ms, end_ms)), note)

    def add(self, start_ms: int, end_ms: int, note: str = "") -> str:
        """Add an event that no reader found; gives its name, empty when it was refused."""
        if self.span is None:
            return ""
        made = new_event(start_ms, end_ms, self.span)
        if made.note:
            self.told.emit(made.note, "")
        item = Item("", EventState.ADDED, made.event.start_ms, made.event.end_ms)
        return self._decide(item, EventVerdict.ADD, item.start_ms, item.end_ms, note)

    @property
    def begun_ms(self) -> int | None:
        """Where this reviewer has begun an event and not ended it; `None` for nowhere."""
        return self._begun.at_ms if self._begun is not None and self.review is not None else None

    def begin(self, at_ms: int | None) -> None:
        """Keep where an event begins until it is ended; `None` lets it go."""
        begun = self._begun
        if begun is not None:
            self._try(lambda: begun.keep(at_ms))

    def keep_note(self, item: Item, note: str) -> str:
        """Keep a note with what stands of an event; gives the event's name, empty if refused."""
        if item.waits:
            return ""
        if note == item.note:
            self.keep_draft(item, None)
            return item.event_id
        return self.confirm(item, note) if item.stands else self.dismiss(item, note)

    def note_of(self, item: Item) -> str:
        """Give the note on an event: what was typed last, kept with a decision or not."""
        begun = self._drafts.note(item.event_id) if self._drafts else None
        return item.note if begun is None else begun

    def keep_draft(self, item: Item, note: str | None) -> None:
        """Keep a note that no decision carries yet; one that says what stands is let go."""
        drafts = self._drafts
        if drafts is not None:
            begun = None if note == item.note else note
            self._try(lambda: drafts.keep(item.event_id, begun))

    def commit_marking(self) -> bool:
        """Say that the own marking is done, so that readers may be seen."""
        if self.review is None or self._looked_at:
            return False
        if not self._desk.author:
            self.author_missing.emit()
            return False
        name, when = marking_name(self._desk.author, self.review.lesson_id), _now()
        if not self._try(lambda: self._desk.library.set_setting(name, when)):
            return False
        return self._load(self.review.lesson_id)

    # Undo

    def undo(self) -> bool:
        """Take back the last change to this video, unless it is another person's word."""
        if self.review is None:
            return False
        standing = [change for change in self.review.history if not change.undone]
        last = standing[-1] if standing else None
        if last and last.is_decision and self._desk.author not in people_in(last.author):
            self.refused.emit(
                Refused(
                    f"The last change to this video is a decision by {last.author}.",
                    f"Only {last.author} can take it back. You can decide otherwise yourself.",
                )
            )
            return False
        return self._change(lambda lesson_id, by: self._desk.library.undo(lesson_id, by))

    def redo(self) -> bool:
        """Bring back the change that was undone last."""
        return self._change(lambda lesson_id, by: self._desk.library.redo(lesson_id, by))

    def undo_words(self) -> str:
        """Say what would be undone; empty for nothing."""
        label = self._desk.library.can_undo(self.review.lesson_id) if self.review else ""
        return self._told(label)

    def redo_words(self) -> str:
        """Say what would be brought back; empty for nothing."""
        label = self._desk.library.can_redo(self.review.lesson_id) if self.review else ""
        return self._told(label)

    def _told(self, label: str | None) -> str:
        """Give what was done; while one marks blind it may be another's word, and stays hidden."""
        return "the change" if label and not self.shows_readers else label or ""

    # The learner

    def choose_face(self, time_ms: int, x: float, y: float) -> bool:
        """Say which face is the learner's: a point of it, in pixels of the upright picture."""
        return self._change(
            lambda lesson_id, by: self._desk.library.learners.choose_face(
                lesson_id, time_ms, x, y, by
            )
        )

    def name_learner(self, name: str) -> bool:
        """Say whose video it is, by a pseudonym or initials."""
        learners = self._desk.library.learners

        def rename(lesson_id: str, _by: str) -> None:
            learners.add_video(lesson_id, learners.add_learner(name))

        return self._change(rename, needs_author=False)

    def _move(self, item: Item, moved: Moved, note: str) -> str:
        if moved.note:
            self.told.emit(moved.note, "")
        if moved.event == Event(item.start_ms, item.end_ms):
            return item.event_id
        is_found = item.found is not None
        verdict = EventVerdict.ADJUST if is_found else EventVerdict.ADD
        if moved.event == item.found:
            verdict = EventVerdict.CONFIRM
        return self._decide(item, verdict, moved.event.start_ms, moved.event.end_ms, note)

    def _decide(
        self, item: Item, verdict: EventVerdict, start_ms: int, end_ms: int, note: str
    ) -> str:
        """Keep a word on an event; gives the event's name, empty when it was refused."""
        is_new = item.waits or not item.event_id
        event_id = secrets.token_hex(4) if is_new else item.event_id
        made = EventDecision(
            event_id,
            verdict,
            start_ms,
            end_ms,
            self._desk.author,
            _now(),
            note,
            item.reader,
            item.found.start_ms if item.found else None,
            item.found.end_ms if item.found else None,
        )
        learners = self._desk.library.learners
        is_kept = self._change(
            lambda lesson_id, _by: learners.decide_event(lesson_id, made),
            lambda review: replace(review, decisions=(*review.decisions, made)),
        )
        if is_kept:
            self.keep_draft(item, None)
        return event_id if is_kept else ""

    def _change(
        self,
        act: Callable[[str, str], object],
        known: Callable[[LearnerReview], LearnerReview] | None = None,
        *,
        needs_author: bool = True,
    ) -> bool:
        """Make one change for the named reviewer.

        Args:
            act: Makes it, given the video and the reviewer.
            known: What the review is afterwards; without it, all readings are read again.
            needs_author: Whether it is kept with a name.
        """
        if self.review is None:
            return False
        lesson_id, author = self.review.lesson_id, self._desk.author
        if needs_author and not author:
            self.author_missing.emit()
            return False
        if not self._try(lambda: act(lesson_id, author)):
            return False
        if known is None:
            return self._load(lesson_id)
        history = self._desk.library.history(lesson_id)
        self.review = replace(known(self.review), history=history)
        self.changed.emit(self.review)
        return True

    def _load(self, lesson_id: str) -> bool:
        def read() -> None:
            name = marking_name(self._desk.author, lesson_id)
            self._looked_at = self._desk.library.setting(name)
            self.review = self._desk.library.learners.video(lesson_id)
            self._drafts = NoteDrafts(self._desk.library, self._desk.author, lesson_id)
            self._begun = BegunEvent(self._desk.library, self._desk.author, lesson_id)

        if not self._try(read):
            return False
        self.changed.emit(self.review)
        return True

    def _try(self, act: Callable[[], object]) -> bool:
        try:
            act()
        except ClerestoryError as error:
            self.refused.emit(error)
            return False
        return True


def _same(one: State, other: State) -> bool:
    """Say whether two lists would be the same; reviews are told apart without reading them."""
    return one[0] is other[0] and one[1:] == other[1:]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
