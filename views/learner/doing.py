"""What each key and menu entry of the Learner page does: one small method for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QInputDialog

from app.confusion.boundaries import Edge
from app.lesson.spans import Span, show_time
from views.learner.items import next_uncertain

if TYPE_CHECKING:
    from views.learner.page import LearnerPage

AROUND_MS = 2000


class LearnerDoing(QObject):
    """Carries out the actions of the page; see `actions.SPECS` for names and keys."""

    def __init__(self, page: LearnerPage) -> None:
        super().__init__(page)
        self._page = page

    # The video

    def add_video(self) -> None:
        """Choose a recording of a learner."""
        self._page.video_wanted.emit()

    def back(self) -> None:
        """Go back to the list of videos."""
        self._page.close_video()

    def curate(self) -> None:
        """Judge candidate clips, and make sets for others."""
        self._page.show_curation()

    def name_learner(self) -> None:
        """Ask for the pseudonym of the learner."""
        review = self._page.session.review
        if review is None:
            return
        name, is_given = QInputDialog.getText(
            self._page,
            "Whose video is this?",
            "A pseudonym or initials, never a full name. It stands in the report.",
            text=review.learner.name,
        )
        if is_given and name.strip() and name.strip() != review.learner.name:
            self._page.session.name_learner(name.strip())

    def choose_face(self) -> None:
        """Point at the learner's face."""
        self._page.ui.player.pause()
        boxes = self._page.faces.boxes_at(self._page.position_ms)
        if not self._page.ui.picker.start(boxes):
            self._page.told.emit(
                "There is no picture to choose a face on.", "Go to a moment with a picture first."
            )

    def face_step(self) -> None:
        """Take the step that the banner about faces asks for: choose, then have it read again."""
        review = self._page.session.review
        if review is not None and review.face is not None:
            self.read()
        else:
            self.choose_face()

    def read(self) -> None:
        """Choose a reader."""
        review = self._page.session.review
        if review is not None:
            self._page.read_wanted.emit(review.lesson_id)

    def write_report(self) -> None:
        """Have the report written."""
        review = self._page.session.review
        if review is not None:
            self._page.leave_typing()
            self._page.report_wanted.emit(review.lesson_id)

    def commit_marking(self) -> None:
        """Say that the own marking is done."""
        if self._page.session.commit_marking():
            self._page.told.emit(
                "Your own marking is kept, with the time.", "What readers found is in view now."
            )

    # Events

    def next_uncertain(self) -> None:
        """Go to the event most worth a look among those that wait."""
        page = self._page
        item = next_uncertain(page.session.items, page.event_id)
        if item is not None:
            page.go_to_event(item.event_id)
        elif any(one.waits for one in page.session.items):
            page.told.emit("This is the last event that waits for you.", "Confirm or dismiss it.")
        elif page.session.shows_readers:
            page.told.emit("No event waits for you.", "Add what readers missed with B.")
        else:
            page.told.emit(
                "Suggestions are hidden while you mark blind.", "Say first what you see yourself."
            )

    def event_before(self) -> None:
        """Go to the event before."""
        self._page.ui.bands.pick_beside(-1)

    def event_after(self) -> None:
        """Go to the event after."""
        self._page.ui.bands.pick_beside(1)

    def next_evidence(self) -> None:
        """Go to the next moment that the event in view rests on, and round again."""
        item = self._page.item()
        times = sorted({at for r in item.readings for at in r.evidence_ms} if item else ())
        if not times:
            self._page.told.emit("The event in view names no moments.", "Play it and look.")
            return
        later = [at for at in times if at > self._page.position_ms]
        self._page.seek(later[0] if later else times[0])

    def confirm(self) -> None:
        """Confusion shows here."""
        item = self._page.item()
        if item is not None and item.stands:
            self._after(self._page.session.keep_note(item, self._page.note()))
        elif item is not None:
            self._after(self._page.session.confirm(item, self._page.note()))

    def dismiss(self) -> None:
        """No confusion shows here."""
        item = self._page.item()
        if item is not None:
            self._after(self._page.session.dismiss(item, self._page.note()))

    def start_here(self) -> None:
        """The event starts at the playhead."""
        self._set_edge(Edge.START)

    def end_here(self) -> None:
        """The event ends at the playhead."""
        self._set_edge(Edge.END)

    def move_event(self, event_id: str, start_ms: int, end_ms: int) -> None:
        """Give an event the edges that were dragged."""
        item = self._page.session.item(event_id)
        if item is not None:
            self._after(self._page.session.move(item, start_ms, end_ms, self._page.note()))

    def add_event(self) -> None:
        """Begin an event at the playhead, or end the one that was begun."""
        page = self._page
        if page.session.span is None:
            return
        begun = page.session.begun_ms
        if begun is None:
            self._begin(page.position_ms)
            told = show_time(page.position_ms, tenths=True)
            page.told.emit(f"An event begins at {told}.", "B again ends it, Esc gives it up.")
        elif event_id := page.session.add(begun, page.position_ms):
            self._begin(None)
            self._after(event_id)

    def _begin(self, at_ms: int | None) -> None:
        """Keep where an event of one's own begins; `None` lets it go."""
        self._page.session.begin(at_ms)
        self._page.ui.side.show_beginning(self._page.session.begun_ms)

    def event_note(self) -> None:
        """Write a note on the event."""
        self._page.ui.side.note.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def keep_note(self) -> None:
        """Keep the note with what stands of the event."""
        item = self._page.item()
        if item is None:
            return
        if item.waits:
            self._page.told.emit(
                "The note is kept once you confirm or dismiss the event.",
                "A confirms, X dismisses.",
            )
        else:
            self._after(self._page.session.keep_note(item, self._page.note()))
        self._page.ui.bands.setFocus()

    def undo(self) -> None:
        """Take back the last change."""
        self._page.session.undo()

    def redo(self) -> None:
        """Bring back what was undone last."""
        self._page.session.redo()

    # Playback

    def play(self) -> None:
        """Play or pause; on a button that the keyboard is on, press it, as everywhere else."""
        focused = QApplication.focusWidget()
        if isinstance(focused, QAbstractButton) and focused.isEnabled():
            focused.click()
        elif isinstance(focused, QComboBox):
            focused.showPopup()
        else:
            self._page.ui.player.toggle()

    def backward(self) -> None:
        """Play backwards."""
        self._page.ui.player.shuttle(-1)

    def pause(self) -> None:
        """Stand still."""
        self._page.ui.player.pause()

    def forward(self) -> None:
        """Play forwards, faster with each press."""
        self._page.ui.player.shuttle(1)

    def frame_back(self) -> None:
        """One frame back."""
        self._page.ui.player.step(-1)

    def frame_on(self) -> None:
        """One frame on."""
        self._page.ui.player.step(1)

    # What is in view

    def show_all(self) -> None:
        """Show the whole video."""
        self._page.ui.bands.fit()

    def show_event(self) -> None:
        """Show the event in view with a little around it."""
        item = self._page.item()
        if item is not None:
            around = max(AROUND_MS, (item.end_ms - item.start_ms) // 2)
            self._page.ui.bands.show_part(Span(item.start_ms - around, item.end_ms + around))

    def next_reader(self) -> None:
        """List the suggestions of the next reader, and after the last of all."""
        box = self._page.ui.readers
        if box.count():
            box.setCurrentIndex((box.currentIndex() + 1) % box.count())
            box.activated.emit(box.currentIndex())

    def leave_field(self) -> None:
        """Give the keys of the page back from a text field, or give up what was begun."""
        self._page.ui.picker.give_up()
        self._page.ui.bands.give_up_drag()
        self._begin(None)
        self._page.ui.bands.setFocus()

    def _set_edge(self, edge: Edge) -> None:
        page, item = self._page, self._page.item()
        if item is None:
            page.told.emit("No event is picked.", "N goes to one, B begins one of your own.")
            return
        self._after(page.session.set_edge(item, edge, page.position_ms, page.note()))

    def _after(self, event_id: str) -> None:
        """Keep the event in view under the name that it has now."""
        if event_id:
            self._page.go_to_event(event_id, seek=False)
